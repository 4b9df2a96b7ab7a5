"""Loss rebates: agreed before play and settled once, each as its slip says."""

import django.db.models.deletion
from django.db import migrations, models

from pitboss.ink import never_changed


SIGNED = migrations.RunSQL(
    """
    CREATE FUNCTION tables_rebate_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper JOIN pitboss_signature AS s ON s.slip_id = paper.id
            WHERE paper.id = NEW.slip_id AND s.track = 'main'
              AND CASE TG_TABLE_NAME
                WHEN 'tables_rebateagreement' THEN
                    paper.kind = 'rebate' AND s.step = 'agreed'
                    AND (paper.details->>'patron')::bigint
                        = (to_jsonb(NEW)->>'patron_id')::bigint
                    AND (paper.details->>'rate_bp')::bigint
                        = (to_jsonb(NEW)->>'rate_bp')::bigint
                ELSE
                    paper.kind = 'rebate_settlement' AND s.step = 'approved'
                    AND (paper.details->>'rebate_cents')::bigint
                        = (to_jsonb(NEW)->>'rebate_cents')::bigint
              END) THEN
            RAISE EXCEPTION '% refused: no slip signed for it says this', TG_TABLE_NAME
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER signed BEFORE INSERT ON tables_rebateagreement
        FOR EACH ROW EXECUTE FUNCTION tables_rebate_is_signed();
    CREATE TRIGGER signed BEFORE INSERT ON tables_rebatesettlement
        FOR EACH ROW EXECUTE FUNCTION tables_rebate_is_signed();
    """,
    """
    DROP TRIGGER signed ON tables_rebatesettlement;
    DROP TRIGGER signed ON tables_rebateagreement;
    DROP FUNCTION tables_rebate_is_signed();
    """,
)


class Migration(migrations.Migration):

    dependencies = [
        ('inventory', '0008_exclusion'),
        ('pitboss', '0022_hosts'),
        ('tables', '0019_evaluation_answers'),
    ]

    operations = [
        migrations.CreateModel(
            name='RebateAgreement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rate_bp', models.PositiveSmallIntegerField()),
                ('least_loss_cents', models.PositiveBigIntegerField()),
                ('most_cents', models.PositiveBigIntegerField(null=True)),
                ('least_decisions', models.PositiveIntegerField()),
                ('signed_at', models.DateTimeField()),
                ('patron', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rebates', to='inventory.patron')),
                ('slip', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='rebate', to='pitboss.slip')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='RebateSettlement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('loss_cents', models.BigIntegerField()),
                ('rebate_cents', models.PositiveBigIntegerField()),
                ('gaming_day', models.DateField()),
                ('at', models.DateTimeField()),
                ('agreement', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='settlement', to='tables.rebateagreement')),
                ('slip', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.slip')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.AddIndex(
            model_name='rebateagreement',
            index=models.Index(fields=['patron', '-id'], name='rebate_by_patron'),
        ),
        migrations.AddConstraint(
            model_name='rebateagreement',
            constraint=models.CheckConstraint(condition=models.Q(('rate_bp__gt', 0), ('rate_bp__lte', 5000)), name='a_rebate_is_a_share'),
        ),
        SIGNED,
        never_changed("tables_rebateagreement"),
        never_changed("tables_rebatesettlement"),
    ]
