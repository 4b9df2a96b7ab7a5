"""Drop boxes with tags, the runs on which they are pulled, and sessions in which they are counted."""

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

# A second count is another member's and finds what the newest first one found.
COUNTED_TWICE = migrations.RunSQL(
    """
    CREATE FUNCTION tables_tally_holds() RETURNS trigger
        LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    DECLARE
        earlier tables_boxtally;
        problem text;
    BEGIN
        SELECT * INTO earlier FROM tables_boxtally AS tally
        WHERE tally.session_id = NEW.session_id AND tally.pull_id = NEW.pull_id AND tally.turn = 1
        ORDER BY tally.id DESC LIMIT 1;
        problem := CASE
            WHEN NOT EXISTS (
                SELECT FROM pitboss_slip AS session
                JOIN pitboss_slip AS pull ON pull.id = NEW.pull_id
                WHERE session.id = NEW.session_id AND session.kind = 'count_session'
                  AND session.status = 'open' AND session.details->'pulls' ? pull.serial
                  AND NOT EXISTS (
                    SELECT FROM pitboss_signature AS s
                    WHERE s.slip_id = session.id AND s.step = 'closed'))
                THEN 'no open session counts this box'
            WHEN NOT EXISTS (
                SELECT FROM pitboss_signature AS s
                WHERE s.slip_id = NEW.session_id AND s.person_id = NEW.person_id
                  AND s.step IN ('opened', 'joined', 'joined_third'))
                THEN 'they are no member of the session'
            WHEN NEW.turn = 1 THEN NULL
            WHEN earlier.id IS NULL THEN 'there is no first count'
            WHEN earlier.person_id = NEW.person_id THEN 'they counted first'
            WHEN earlier.figures <> NEW.figures THEN 'the counts differ'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'count of box % refused: %', NEW.pull_id, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER tally_holds BEFORE INSERT ON tables_boxtally
        FOR EACH ROW EXECUTE FUNCTION tables_tally_holds();
    """,
    """
    DROP TRIGGER tally_holds ON tables_boxtally;
    DROP FUNCTION tables_tally_holds();
    """,
)

# As before, and whoever signed the session in which the box was counted.
OTHERS = """
    CREATE OR REPLACE FUNCTION tables_correct_what_others_signed() RETURNS trigger
        LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    DECLARE
        corrected bigint;
        box text;
    BEGIN
        IF NEW.track <> 'main' THEN
            RETURN NULL;
        END IF;
        SELECT refers_to_id, details->>'pull' INTO corrected, box
        FROM pitboss_slip WHERE id = NEW.slip_id AND kind = 'drop_correction';
        IF corrected IS NOT NULL AND EXISTS (
            SELECT FROM pitboss_signature AS signed
            JOIN pitboss_slip AS slip ON slip.id = signed.slip_id
            WHERE signed.person_id = NEW.person_id AND (
                slip.id = corrected
                OR (slip.kind = 'drop_count' AND slip.status <> 'voided'
                    AND slip.details->>'pull' = box)%s
            )
        ) THEN
            RAISE EXCEPTION 'they signed what this corrects' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NULL;
    END $$;
"""
OR_THE_SESSION = """
                OR (slip.kind = 'count_session' AND slip.serial = (
                    SELECT count.details->>'session' FROM pitboss_slip AS count
                    WHERE count.kind = 'drop_count' AND count.status <> 'voided'
                      AND count.details->>'pull' = box))"""
NO_MEMBER_CORRECTS = migrations.RunSQL(OTHERS % OR_THE_SESSION, OTHERS % "")


class Migration(migrations.Migration):

    dependencies = [
        ('pitboss', '0021_withheld'),
        ('tables', '0017_comps'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='CountFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120)),
                ('size', models.PositiveIntegerField()),
                ('sha256', models.CharField(max_length=64, unique=True)),
                ('at', models.DateTimeField()),
                ('request_id', models.UUIDField(unique=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='count_files', to='pitboss.slip')),
            ],
        ),
        migrations.CreateModel(
            name='RoomMove',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_back', models.BooleanField()),
                ('at', models.DateTimeField()),
                ('request_id', models.UUIDField(unique=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='room_moves', to='pitboss.slip')),
            ],
        ),
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
            name='BoxTally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('turn', models.PositiveSmallIntegerField()),
                ('figures', models.JSONField()),
                ('documents', models.JSONField(default=list)),
                ('unreadable', models.PositiveSmallIntegerField(default=0)),
                ('at', models.DateTimeField()),
                ('request_id', models.UUIDField()),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('pull', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.slip')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tallies', to='pitboss.slip')),
                ('file', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.countfile')),
            ],
            options={
                'indexes': [models.Index(fields=['session', 'pull'], name='tally_by_session_and_box')],
                'constraints': [models.UniqueConstraint(fields=('request_id', 'pull'), name='one_tally_a_request'), models.UniqueConstraint(condition=models.Q(('turn', 2)), fields=('session', 'pull'), name='one_second_count_a_box'), models.CheckConstraint(condition=models.Q(('turn__in', [1, 2])), name='tally_is_first_or_second')],
            },
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
        never_changed("tables_boxtally"),
        never_changed("tables_countfile"),
        never_changed("tables_roommove"),
        PULLED_BEFORE_EYES,
        COUNTED_TWICE,
        NO_MEMBER_CORRECTS,
    ]
