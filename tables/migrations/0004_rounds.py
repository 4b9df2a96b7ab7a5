"""Rounds: in pencil while they are dealt, in ink once they have ended."""

import django.contrib.postgres.indexes
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('pitboss', '0011_journal_heads'),
        ('tables', '0003_terminals'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('started_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('log', models.JSONField()),
                ('verdict', models.JSONField(null=True)),
                ('dealer', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
                ('terminal', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.device')),
            ],
            options={
                'indexes': [models.Index(fields=['table', 'started_at'], name='round_by_table_and_time'), django.contrib.postgres.indexes.BrinIndex(fields=['started_at'], name='round_by_time')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('table',), name='one_open_round_a_table'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('verdict', None)), models.Q(('ended_at__gte', models.F('started_at')), ('verdict__isnull', False)), _connector='OR'), name='round_that_ended_is_settled')],
            },
        ),
        migrations.RunSQL(
            """
            CREATE TRIGGER ended_round_stays BEFORE UPDATE ON tables_round
                FOR EACH ROW WHEN (OLD.ended_at IS NOT NULL)
                EXECUTE FUNCTION pitboss_never_changed();
            CREATE TRIGGER no_round_goes BEFORE DELETE ON tables_round
                FOR EACH ROW EXECUTE FUNCTION pitboss_never_changed();
            CREATE TRIGGER never_emptied BEFORE TRUNCATE ON tables_round
                FOR EACH STATEMENT EXECUTE FUNCTION pitboss_never_changed();
            """,
            """
            DROP TRIGGER ended_round_stays ON tables_round;
            DROP TRIGGER no_round_goes ON tables_round;
            DROP TRIGGER never_emptied ON tables_round;
            """,
        ),
    ]
