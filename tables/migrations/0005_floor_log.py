"""The floor log: what terminals ask for, and what supervisors say and note, in ink."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import never_changed


class Migration(migrations.Migration):

    dependencies = [
        ('inventory', '0010_markers'),
        ('pitboss', '0013_drawn'),
        ('tables', '0004_rounds'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='FloorRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('gaming_day', models.DateField()),
                ('shift', models.CharField(max_length=20)),
                ('at', models.DateTimeField()),
                ('facts', models.JSONField(default=dict)),
                ('sentence', models.CharField(max_length=500)),
                ('dealer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
                ('terminal', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.device')),
            ],
        ),
        migrations.CreateModel(
            name='FloorEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('gaming_day', models.DateField()),
                ('shift', models.CharField(max_length=20)),
                ('at', models.DateTimeField()),
                ('outcome', models.CharField(choices=[('granted', 'Granted'), ('declined', 'Declined'), ('noted', 'Noted')], max_length=8)),
                ('facts', models.JSONField(default=dict)),
                ('title', models.CharField(max_length=60)),
                ('sentence', models.CharField(max_length=500)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('amount_cents', models.PositiveBigIntegerField(null=True)),
                ('sends', models.JSONField(default=dict)),
                ('signed_as', models.CharField(max_length=110)),
                ('role', models.CharField(choices=[('dealer', 'Dealer'), ('supervisor', 'Supervisor'), ('pit_manager', 'Pit manager'), ('shift_manager', 'Shift manager'), ('cashier', 'Cashier'), ('cage_manager', 'Cage manager'), ('security', 'Security'), ('security_manager', 'Security manager'), ('surveillance', 'Surveillance'), ('surveillance_manager', 'Surveillance manager'), ('count_team', 'Count team'), ('accounting', 'Accounting'), ('compliance', 'Compliance'), ('auditor', 'Auditor'), ('administrator', 'Administrator')], max_length=24)),
                ('needs_signature', models.BooleanField(default=False)),
                ('is_signed', models.BooleanField(default=False)),
                ('request_id', models.UUIDField(unique=True)),
                ('request_hash', models.CharField(max_length=64)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('device', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.device')),
                ('patron', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='inventory.patron')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
                ('under', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='covers', to='tables.floorentry')),
                ('answers', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='answer', to='tables.floorrequest')),
            ],
            options={
                'verbose_name_plural': 'floor entries',
            },
        ),
        migrations.AddIndex(
            model_name='floorrequest',
            index=models.Index(fields=['table', '-id'], name='floor_request_by_table'),
        ),
        migrations.AddConstraint(
            model_name='floorrequest',
            constraint=models.CheckConstraint(condition=models.Q(('sentence', ''), _negated=True), name='floor_request_says_what'),
        ),
        migrations.AddIndex(
            model_name='floorentry',
            index=models.Index(fields=['gaming_day', 'shift', 'id'], name='floor_log_by_shift'),
        ),
        migrations.AddIndex(
            model_name='floorentry',
            index=models.Index(fields=['table', '-id'], name='floor_log_by_table'),
        ),
        migrations.AddIndex(
            model_name='floorentry',
            index=models.Index(condition=models.Q(('kind__in', ['closing_notice', 'closing_withdrawn'])), fields=['table', '-id'], name='closing_notice_by_table'),
        ),
        migrations.AddConstraint(
            model_name='floorentry',
            constraint=models.CheckConstraint(condition=models.Q(('outcome__in', ['granted', 'declined', 'noted'])), name='floor_outcome_known'),
        ),
        migrations.AddConstraint(
            model_name='floorentry',
            constraint=models.CheckConstraint(condition=models.Q(('sentence', ''), _negated=True), name='floor_entry_says_what'),
        ),
        migrations.AddConstraint(
            model_name='floorentry',
            constraint=models.CheckConstraint(condition=models.Q(('outcome', 'declined'), ('reason', ''), _connector='XOR'), name='a_no_says_why'),
        ),
        migrations.AddConstraint(
            model_name='floorentry',
            constraint=models.CheckConstraint(condition=models.Q(('needs_signature', False), ('is_signed', True), ('outcome', 'declined'), _connector='OR'), name='signed_where_it_must_be'),
        ),
        migrations.AddConstraint(
            model_name='floorentry',
            constraint=models.CheckConstraint(condition=models.Q(('under', None), models.Q(('answers__isnull', False), ('is_signed', False), ('outcome', 'granted')), _connector='OR'), name='standing_grants_what_was_asked'),
        ),
        never_changed("tables_floorrequest"),
        never_changed("tables_floorentry"),
        migrations.RunSQL(
            """
            CREATE FUNCTION tables_floor_entry_fits() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF NEW.answers_id IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM tables_floorrequest AS asked
                    WHERE asked.id = NEW.answers_id AND asked.table_id = NEW.table_id
                        AND asked.kind = NEW.kind AND asked.facts = NEW.facts
                ) THEN
                    RAISE EXCEPTION 'an entry answers what its own table asked'
                        USING ERRCODE = 'check_violation';
                END IF;
                IF NEW.under_id IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM tables_floorentry AS standing
                    WHERE standing.id = NEW.under_id AND standing.kind = 'standing'
                        AND standing.facts ->> 'what' = NEW.kind
                        AND standing.table_id = NEW.table_id AND standing.by_id = NEW.by_id
                        AND standing.gaming_day = NEW.gaming_day AND standing.shift = NEW.shift
                ) THEN
                    RAISE EXCEPTION 'no such instruction stands at this table in this shift'
                        USING ERRCODE = 'check_violation';
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER fits BEFORE INSERT ON tables_floorentry
                FOR EACH ROW EXECUTE FUNCTION tables_floor_entry_fits();
            """,
            """
            DROP TRIGGER fits ON tables_floorentry;
            DROP FUNCTION tables_floor_entry_fits();
            """,
        ),
    ]
