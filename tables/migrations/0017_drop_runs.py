"""Drop boxes with tags, and the runs on which they are pulled."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import never_changed

# A box is pulled on a run that is under way, before surveillance and a supervisor of the pit.
PULLED_BEFORE_EYES = migrations.RunSQL(
    """
    CREATE FUNCTION tables_run_is_seen() RETURNS trigger
        LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    DECLARE
        problem text;
    BEGIN
        problem := CASE
            WHEN NOT EXISTS (
                SELECT FROM pitboss_slip AS run WHERE run.id = NEW.run_id
                  AND run.kind = 'drop_run' AND run.status = 'open' AND NOT EXISTS (
                    SELECT FROM pitboss_signature AS s
                    WHERE s.slip_id = run.id AND s.step = 'ended'))
                THEN 'the run is not under way'
            WHEN NEW.pull_id IS NULL THEN NULL
            WHEN NOT EXISTS (SELECT FROM tables_runwatch AS watch WHERE watch.run_id = NEW.run_id)
                THEN 'surveillance does not watch'
            WHEN NOT EXISTS (
                SELECT FROM tables_runpit AS joined
                JOIN pitboss_table AS stop ON stop.pit_id = joined.pit_id
                WHERE joined.run_id = NEW.run_id AND stop.id = NEW.table_id)
                THEN 'no supervisor has joined for its pit'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'stop of run % refused: %', NEW.run_id, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER run_is_seen BEFORE INSERT ON tables_runstop
        FOR EACH ROW EXECUTE FUNCTION tables_run_is_seen();
    """,
    """
    DROP TRIGGER run_is_seen ON tables_runstop;
    DROP FUNCTION tables_run_is_seen();
    """,
)


class Migration(migrations.Migration):

    dependencies = [
        ('pitboss', '0021_withheld'),
        ('tables', '0016_marker_cash'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='RunPit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('shown', models.TextField()),
                ('request_id', models.UUIDField(unique=True)),
                ('device', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.device')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('pit', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.pit')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='run_pits', to='pitboss.slip')),
            ],
        ),
        migrations.CreateModel(
            name='RunWatch',
            fields=[
                ('run', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='run_watch', serialize=False, to='pitboss.slip')),
                ('at', models.DateTimeField()),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='DropBox',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('tag', models.CharField(max_length=20, unique=True)),
                ('kind', models.CharField(choices=[('regular', 'Regular'), ('emergency', 'Emergency')], default='regular', max_length=12)),
                ('place', models.CharField(choices=[('store', 'Store'), ('trolley', 'Trolley'), ('table', 'Table'), ('count_room', 'Count room')], default='store', max_length=12)),
                ('table', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='drop_box', to='pitboss.table')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['regular', 'emergency'])), name='drop_box_kind_known'), models.CheckConstraint(condition=models.Q(('place__in', ['store', 'trolley', 'table', 'count_room'])), name='drop_box_place_known'), models.CheckConstraint(condition=models.Q(models.Q(('place', 'table'), ('table__isnull', False)), models.Q(models.Q(('place', 'table'), _negated=True), ('table', None)), _connector='OR'), name='drop_box_is_on_a_table_or_elsewhere')],
            },
        ),
        migrations.CreateModel(
            name='RunStop',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('old_tag', models.CharField(blank=True, max_length=20)),
                ('new_tag', models.CharField(blank=True, max_length=20)),
                ('reason', models.CharField(blank=True, max_length=120)),
                ('at', models.DateTimeField()),
                ('request_id', models.UUIDField(unique=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('pull', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='run_stop', to='pitboss.slip')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='run_stops', to='pitboss.slip')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('run', 'table'), name='one_stop_a_table_and_run'), models.CheckConstraint(condition=models.Q(models.Q(('pull__isnull', False), ('reason', ''), models.Q(('old_tag', ''), _negated=True), models.Q(('new_tag', ''), _negated=True)), models.Q(('new_tag', ''), ('old_tag', ''), ('pull', None), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='run_stop_is_a_pull_or_a_reason')],
            },
        ),
        never_changed("tables_runwatch"),
        never_changed("tables_runpit"),
        never_changed("tables_runstop"),
        PULLED_BEFORE_EYES,
    ]
