"""Orders of a supervisor and keys of a pit: in pencil for their end alone."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('pitboss', '0013_drawn'),
        ('tables', '0007_shoe_marks'),
    ]

    operations = [
        migrations.CreateModel(
            name='KeyLoan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=20)),
                ('pit', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.pit')),
                ('returned', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.floorentry')),
                ('taken', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.floorentry')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('key__in', ['tray_lids', 'card_cabinet', 'shufflers', 'toke_boxes', 'podium'])), name='pit_key_known'), models.UniqueConstraint(condition=models.Q(('returned', None)), fields=('pit', 'key'), name='keys_in_one_hand')],
            },
        ),
        migrations.CreateModel(
            name='TableOrder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('ruling', 'Ruling'), ('flat_bet', 'Flat bet')], max_length=8)),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('facts', models.JSONField()),
                ('began_at', models.DateTimeField()),
                ('holds_until', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('end', models.CharField(blank=True, choices=[('hand_over', 'Hand over'), ('shoe_over', 'Shoe over'), ('lifted', 'Lifted'), ('table_closed', 'Table closed')], max_length=12)),
                ('entry', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.floorentry')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('ended_at', None)), fields=['table'], name='order_standing'), models.Index(fields=['table', 'began_at'], name='order_by_table_and_time')],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['ruling', 'flat_bet'])), name='order_kind_known'), models.CheckConstraint(condition=models.Q(models.Q(('end', ''), ('ended_at', None)), models.Q(('ended_at__gte', models.F('began_at')), ('ended_at__isnull', False), ('end__in', ['hand_over', 'shoe_over', 'lifted', 'table_closed'])), _connector='OR'), name='order_ends_after_it_began_and_says_why'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'flat_bet'), _negated=True), ('seat__isnull', False), _connector='OR'), name='flat_bet_is_of_a_seat'), models.UniqueConstraint(condition=models.Q(('ended_at', None), ('kind', 'flat_bet')), fields=('table', 'seat'), name='one_flat_bet_a_seat')],
            },
        ),
        migrations.RunSQL(
            """
            CREATE FUNCTION tables_only_ends() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF to_jsonb(OLD) - TG_ARGV[0]::text[] <> to_jsonb(NEW) - TG_ARGV[0]::text[]
                    OR to_jsonb(OLD) ->> TG_ARGV[1] IS NOT NULL
                THEN
                    RAISE EXCEPTION 'a row of % only ever ends, once', TG_TABLE_NAME
                        USING ERRCODE = 'check_violation';
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER only_ends BEFORE UPDATE ON tables_tableorder FOR EACH ROW
                EXECUTE FUNCTION tables_only_ends('{ended_at,end}', 'ended_at');
            CREATE TRIGGER only_ends BEFORE UPDATE ON tables_keyloan FOR EACH ROW
                EXECUTE FUNCTION tables_only_ends('{returned_id}', 'returned_id');
            CREATE TRIGGER never_goes BEFORE DELETE ON tables_tableorder FOR EACH ROW
                EXECUTE FUNCTION pitboss_never_changed();
            CREATE TRIGGER never_goes BEFORE DELETE ON tables_keyloan FOR EACH ROW
                EXECUTE FUNCTION pitboss_never_changed();
            CREATE TRIGGER never_emptied BEFORE TRUNCATE ON tables_tableorder
                FOR EACH STATEMENT EXECUTE FUNCTION pitboss_never_changed();
            CREATE TRIGGER never_emptied BEFORE TRUNCATE ON tables_keyloan
                FOR EACH STATEMENT EXECUTE FUNCTION pitboss_never_changed();
            """,
            """
            DROP TRIGGER only_ends ON tables_tableorder;
            DROP TRIGGER only_ends ON tables_keyloan;
            DROP TRIGGER never_goes ON tables_tableorder;
            DROP TRIGGER never_goes ON tables_keyloan;
            DROP TRIGGER never_emptied ON tables_tableorder;
            DROP TRIGGER never_emptied ON tables_keyloan;
            DROP FUNCTION tables_only_ends();
            """,
        ),
    ]
