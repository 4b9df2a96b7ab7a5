"""Players' ratings: each ends once, a seat has one player, and figures are never changed."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import never_changed, sealed


FITS = migrations.RunSQL(
    """
    CREATE FUNCTION tables_ends_once() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP <> 'UPDATE' THEN
            RAISE EXCEPTION '% is never removed', TG_TABLE_NAME
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF to_jsonb(OLD) ->> TG_ARGV[0] IS NOT NULL
           OR to_jsonb(NEW) ->> TG_ARGV[0] IS NULL
           OR to_jsonb(NEW) - TG_ARGV::text[] IS DISTINCT FROM to_jsonb(OLD) - TG_ARGV::text[] THEN
            RAISE EXCEPTION '% % ends once, and nothing else of it changes', TG_TABLE_NAME, OLD.id
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER ends_once BEFORE UPDATE OR DELETE ON tables_playrating FOR EACH ROW
        EXECUTE FUNCTION tables_ends_once(
            'ended_at', 'end', 'ended_by_id', 'is_signed', 'guess_cents', 'version', 'seal');
    CREATE TRIGGER never_emptied BEFORE TRUNCATE ON tables_playrating
        FOR EACH STATEMENT EXECUTE FUNCTION tables_ends_once();
    CREATE TRIGGER ends_once BEFORE UPDATE OR DELETE ON tables_seatheld FOR EACH ROW
        EXECUTE FUNCTION tables_ends_once('until', 'version', 'seal');
    CREATE TRIGGER never_emptied BEFORE TRUNCATE ON tables_seatheld
        FOR EACH STATEMENT EXECUTE FUNCTION tables_ends_once();
    CREATE TRIGGER ends_once BEFORE UPDATE OR DELETE ON tables_away FOR EACH ROW
        EXECUTE FUNCTION tables_ends_once('until', 'version', 'seal');
    CREATE TRIGGER never_emptied BEFORE TRUNCATE ON tables_away
        FOR EACH STATEMENT EXECUTE FUNCTION tables_ends_once();

    CREATE FUNCTION tables_rating_may_begin() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT (SELECT is_open FROM pitboss_table WHERE id = NEW.table_id) THEN
            RAISE EXCEPTION 'no one plays at a closed table' USING ERRCODE = 'restrict_violation';
        END IF;
        IF 'self_excluded' = (SELECT standing FROM inventory_patronstanding
                              WHERE patron_id = NEW.patron_id ORDER BY id DESC LIMIT 1) THEN
            RAISE EXCEPTION 'who is excluded is not rated' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER may_begin BEFORE INSERT ON tables_playrating
        FOR EACH ROW EXECUTE FUNCTION tables_rating_may_begin();

    CREATE FUNCTION tables_seat_fits() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (
            SELECT FROM tables_seatheld
            WHERE table_id = NEW.table_id AND seat = NEW.seat
              AND (until IS NULL OR until > NEW.from_at)) THEN
            RAISE EXCEPTION 'this seat was taken then' USING ERRCODE = 'unique_violation';
        END IF;
        IF NEW.rating_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM tables_playrating
            WHERE id = NEW.rating_id AND table_id = NEW.table_id AND ended_at IS NULL
              AND began_at <= NEW.from_at) THEN
            RAISE EXCEPTION 'a seat belongs to a stay at its own table'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER fits BEFORE INSERT ON tables_seatheld
        FOR EACH ROW EXECUTE FUNCTION tables_seat_fits();

    CREATE FUNCTION tables_rating_leaves_seats() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.ended_at IS NOT NULL AND (
            EXISTS (SELECT FROM tables_seatheld WHERE rating_id = NEW.id
                    AND (until IS NULL OR until > NEW.ended_at))
            OR EXISTS (SELECT FROM tables_away WHERE rating_id = NEW.id
                       AND (until IS NULL OR until > NEW.ended_at))
            OR EXISTS (SELECT FROM tables_look WHERE rating_id = NEW.id AND at > NEW.ended_at))
        THEN
            RAISE EXCEPTION 'what was seen of a stay lies within it'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER leaves_seats AFTER UPDATE ON tables_playrating
        DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION tables_rating_leaves_seats();

    CREATE FUNCTION tables_within_stay() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moment timestamptz := coalesce(
            (to_jsonb(NEW) ->> 'at')::timestamptz, (to_jsonb(NEW) ->> 'from_at')::timestamptz);
    BEGIN
        IF NOT EXISTS (
            SELECT FROM tables_playrating
            WHERE id = NEW.rating_id AND began_at <= moment AND ended_at IS NULL)
        OR EXISTS (
            SELECT FROM tables_away
            WHERE rating_id = NEW.rating_id AND from_at <= moment
              AND (until IS NULL OR until > moment)) THEN
            RAISE EXCEPTION 'outside the stay, or while the player was away'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER within_stay BEFORE INSERT ON tables_look
        FOR EACH ROW EXECUTE FUNCTION tables_within_stay();
    CREATE TRIGGER within_stay BEFORE INSERT ON tables_away
        FOR EACH ROW EXECUTE FUNCTION tables_within_stay();

    CREATE FUNCTION tables_money_fits() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.entry_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM inventory_cashentry AS cash
            JOIN tables_playrating AS rating ON rating.id = NEW.rating_id
            WHERE cash.id = NEW.entry_id AND cash.amount_cents = NEW.amount_cents
              AND cash.table_id = rating.table_id AND cash.direction = 'in')
        OR NEW.marker_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM inventory_marker AS lent
            JOIN tables_playrating AS rating ON rating.id = NEW.rating_id
            WHERE lent.id = NEW.marker_id AND lent.amount_cents = NEW.amount_cents
              AND lent.patron_id = rating.patron_id) THEN
            RAISE EXCEPTION 'money of a rating is that of the day'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER fits BEFORE INSERT ON tables_ratingmoney
        FOR EACH ROW EXECUTE FUNCTION tables_money_fits();

    CREATE FUNCTION tables_figures_follow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (SELECT FROM tables_playrating
                       WHERE id = NEW.rating_id AND ended_at IS NOT NULL)
        OR NEW.revision > 0 AND NOT EXISTS (
            SELECT FROM tables_ratingfigures
            WHERE rating_id = NEW.rating_id AND revision = NEW.revision - 1) THEN
            RAISE EXCEPTION 'figures follow the end, and each other'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER follow BEFORE INSERT ON tables_ratingfigures
        FOR EACH ROW EXECUTE FUNCTION tables_figures_follow();
    """,
    """
    DROP TRIGGER follow ON tables_ratingfigures;
    DROP TRIGGER fits ON tables_ratingmoney;
    DROP TRIGGER within_stay ON tables_away;
    DROP TRIGGER within_stay ON tables_look;
    DROP TRIGGER leaves_seats ON tables_playrating;
    DROP TRIGGER fits ON tables_seatheld;
    DROP TRIGGER may_begin ON tables_playrating;
    DROP TRIGGER ends_once ON tables_away;
    DROP TRIGGER ends_once ON tables_seatheld;
    DROP TRIGGER ends_once ON tables_playrating;
    DROP TRIGGER never_emptied ON tables_away;
    DROP TRIGGER never_emptied ON tables_seatheld;
    DROP TRIGGER never_emptied ON tables_playrating;
    DROP FUNCTION tables_figures_follow();
    DROP FUNCTION tables_money_fits();
    DROP FUNCTION tables_within_stay();
    DROP FUNCTION tables_rating_leaves_seats();
    DROP FUNCTION tables_seat_fits();
    DROP FUNCTION tables_rating_may_begin();
    DROP FUNCTION tables_ends_once();
    """,
)


class Migration(migrations.Migration):

    dependencies = [
        ('inventory', '0007_patron_seals'),
        ('pitboss', '0019_beside'),
        ('tables', '0012_drop_corrections'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='MainEdge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('rules', models.JSONField()),
                ('edge', models.TextField()),
                ('ppm', models.IntegerField()),
                ('made_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='PlayRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(default=0)),
                ('seal', models.CharField(default='', editable=False, max_length=160)),
                ('declined_name', models.BooleanField(default=False)),
                ('began_at', models.DateTimeField()),
                ('by_card', models.BooleanField(default=False)),
                ('gaming_day', models.DateField()),
                ('shift', models.CharField(max_length=20)),
                ('ended_at', models.DateTimeField(null=True)),
                ('end', models.CharField(blank=True, choices=[('left', 'Left'), ('moved', 'Moved'), ('table_closed', 'Table closed'), ('unattended', 'Unattended'), ('day_turned', 'Day turned')], default='', max_length=12)),
                ('is_signed', models.BooleanField(default=False)),
                ("guess_cents", models.PositiveBigIntegerField(null=True)),
                ('began_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('continues', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='continued_by', to='tables.playrating')),
                ('device', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.device')),
                ('ended_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('patron', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='inventory.patron')),
                ('stranger', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='inventory.stranger')),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
            ],
        ),
        migrations.CreateModel(
            name='Look',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('bet_cents', models.PositiveBigIntegerField()),
                ('seats', models.PositiveSmallIntegerField()),
                ('side', models.JSONField(default=dict)),
                ('prompted', models.BooleanField(default=False)),
                ('request_id', models.UUIDField(unique=True)),
                ('request_hash', models.CharField(max_length=64)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('device', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.device')),
                ('rating', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='looks', to='tables.playrating')),
            ],
        ),
        migrations.CreateModel(
            name='Away',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(default=0)),
                ('seal', models.CharField(default='', editable=False, max_length=160)),
                ('from_at', models.DateTimeField()),
                ('until', models.DateTimeField(null=True)),
                ('rating', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='absences', to='tables.playrating')),
            ],
            options={
                'verbose_name_plural': 'absences',
            },
        ),
        migrations.CreateModel(
            name='RatingFigures',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveSmallIntegerField()),
                ('made_at', models.DateTimeField()),
                ('seconds', models.PositiveIntegerField()),
                ('basis', models.CharField(blank=True, choices=[('told', 'Told'), ('looked', 'Looked'), ('guessed', 'Guessed')], default='', max_length=7)),
                ('pace_basis', models.CharField(blank=True, choices=[('counted', 'Counted'), ('own', 'Own'), ('table', 'Table')], default='', max_length=7)),
                ('looks', models.PositiveSmallIntegerField(default=0)),
                ('average', models.CharField(blank=True, default='', max_length=80)),
                ('decisions', models.CharField(blank=True, default='', max_length=80)),
                ('action', models.JSONField(default=dict)),
                ('squares', models.JSONField(default=dict)),
                ('edges', models.JSONField(default=dict)),
                ('skill_bp', models.PositiveSmallIntegerField(default=0)),
                ('theo', models.TextField(blank=True, default='')),
                ('theo_cents', models.BigIntegerField(null=True)),
                ('low_cents', models.BigIntegerField(null=True)),
                ('high_cents', models.BigIntegerField(null=True)),
                ('result_cents', models.BigIntegerField(null=True)),
                ('is_void', models.BooleanField(default=False)),
                ('rating', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='figures', to='tables.playrating')),
                ('slip', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.slip')),
            ],
            options={
                'verbose_name_plural': 'rating figures',
            },
        ),
        migrations.CreateModel(
            name='RatingMoney',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('cash', 'Cash'), ('marker', 'Marker'), ('cheques', 'Cheques'), ('walked', 'Walked'), ('moved_on', 'Moved on')], max_length=8)),
                ('amount_cents', models.PositiveBigIntegerField()),
                ('at', models.DateTimeField()),
                ('entry', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='inventory.cashentry')),
                ('marker', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='inventory.marker')),
                ('rating', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='money', to='tables.playrating')),
            ],
            options={
                'verbose_name_plural': 'rating money',
            },
        ),
        migrations.CreateModel(
            name='SeatHeld',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(default=0)),
                ('seal', models.CharField(default='', editable=False, max_length=160)),
                ('seat', models.PositiveSmallIntegerField()),
                ('from_at', models.DateTimeField()),
                ('until', models.DateTimeField(null=True)),
                ('request_id', models.UUIDField(null=True, unique=True)),
                ('request_hash', models.CharField(blank=True, default='', max_length=64)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('rating', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='tables.playrating')),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
            ],
            options={
                'verbose_name_plural': 'seats held',
            },
        ),
        migrations.AddIndex(
            model_name='playrating',
            index=models.Index(fields=['table', '-began_at'], name='rating_by_table'),
        ),
        migrations.AddIndex(
            model_name='playrating',
            index=models.Index(fields=['gaming_day', 'table'], name='rating_by_day'),
        ),
        migrations.AddIndex(
            model_name='playrating',
            index=models.Index(condition=models.Q(('ended_at', None)), fields=['table'], name='rating_open_by_table'),
        ),
        migrations.AddIndex(
            model_name='playrating',
            index=models.Index(fields=['ended_at'], name='rating_by_end'),
        ),
        migrations.AddConstraint(
            model_name='playrating',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('patron__isnull', False), ('stranger', None)), models.Q(('patron', None), ('stranger__isnull', False)), _connector='OR'), name='a_rating_is_of_one_person'),
        ),
        migrations.AddConstraint(
            model_name='playrating',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('patron',), name='one_open_rating_a_patron'),
        ),
        migrations.AddConstraint(
            model_name='playrating',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('stranger',), name='one_open_rating_a_stranger'),
        ),
        migrations.AddConstraint(
            model_name='playrating',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('end', ''), ('ended_at', None), ('ended_by', None), ('is_signed', False)), models.Q(('ended_at__gte', models.F('began_at')), ('end__in', ['left', 'moved', 'table_closed', 'unattended', 'day_turned'])), _connector='OR'), name='a_rating_ends_after_it_began'),
        ),
        migrations.AddConstraint(
            model_name='playrating',
            constraint=models.CheckConstraint(condition=models.Q(('is_signed', False), ('ended_by__isnull', False), _connector='OR'), name='a_signed_end_has_its_signer'),
        ),
        migrations.AddIndex(
            model_name='look',
            index=models.Index(fields=['rating', '-at'], name='look_by_rating'),
        ),
        migrations.AddConstraint(
            model_name='look',
            constraint=models.CheckConstraint(condition=models.Q(('bet_cents__gt', 0)), name='a_look_sees_a_bet'),
        ),
        migrations.AddConstraint(
            model_name='look',
            constraint=models.CheckConstraint(condition=models.Q(('seats__gte', 1)), name='a_look_is_of_seats'),
        ),
        migrations.AddIndex(
            model_name='away',
            index=models.Index(fields=['rating', '-from_at'], name='absence_by_rating'),
        ),
        migrations.AddConstraint(
            model_name='away',
            constraint=models.UniqueConstraint(condition=models.Q(('until', None)), fields=('rating',), name='one_absence_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='away',
            constraint=models.CheckConstraint(condition=models.Q(('until', None), ('until__gte', models.F('from_at')), _connector='OR'), name='back_after_away'),
        ),
        migrations.AddConstraint(
            model_name='ratingfigures',
            constraint=models.UniqueConstraint(fields=('rating', 'revision'), name='one_figure_a_revision'),
        ),
        migrations.AddConstraint(
            model_name='ratingfigures',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('is_void', False), ('revision', 0), ('slip', None)), models.Q(('revision__gt', 0), ('slip__isnull', False)), _connector='OR'), name='a_revision_has_its_slip'),
        ),
        migrations.AddConstraint(
            model_name='ratingfigures',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('high_cents', None), ('low_cents', None), ('theo', ''), ('theo_cents', None)), models.Q(models.Q(('theo', ''), _negated=True), ('high_cents__gte', models.F('theo_cents')), ('low_cents__lte', models.F('theo_cents'))), _connector='OR'), name='a_theo_has_its_range'),
        ),
        migrations.AddConstraint(
            model_name='ratingfigures',
            constraint=models.CheckConstraint(condition=models.Q(('is_void', False), models.Q(('result_cents', None), ('theo', '')), _connector='OR'), name='a_void_rating_counts_nothing'),
        ),
        migrations.AddConstraint(
            model_name='ratingmoney',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['cash', 'marker', 'cheques', 'walked', 'moved_on'])), name='rating_money_known'),
        ),
        migrations.AddConstraint(
            model_name='ratingmoney',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'cash'), ('entry__isnull', False)), models.Q(models.Q(('kind', 'cash'), _negated=True), ('entry', None)), _connector='OR'), name='cash_of_a_rating_is_the_days_cash'),
        ),
        migrations.AddConstraint(
            model_name='ratingmoney',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'marker'), ('marker__isnull', False)), models.Q(models.Q(('kind', 'marker'), _negated=True), ('marker', None)), _connector='OR'), name='a_marker_of_a_rating_is_a_marker'),
        ),
        migrations.AddConstraint(
            model_name='ratingmoney',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'walked')), fields=('rating',), name='walked_with_once'),
        ),
        migrations.AddIndex(
            model_name='seatheld',
            index=models.Index(fields=['table', 'seat', '-from_at'], name='seat_by_table'),
        ),
        migrations.AddConstraint(
            model_name='seatheld',
            constraint=models.CheckConstraint(condition=models.Q(('seat__gte', 1)), name='a_seat_has_a_number'),
        ),
        migrations.AddConstraint(
            model_name='seatheld',
            constraint=models.UniqueConstraint(condition=models.Q(('until', None)), fields=('table', 'seat'), name='one_player_a_seat'),
        ),
        migrations.AddConstraint(
            model_name='seatheld',
            constraint=models.CheckConstraint(condition=models.Q(('until', None), ('until__gte', models.F('from_at')), _connector='OR'), name='a_seat_is_free_after_it_was_taken'),
        ),
        FITS,
        sealed("tables_playrating"),
        sealed("tables_seatheld"),
        sealed("tables_away"),
        never_changed("tables_look"),
        never_changed("tables_ratingmoney"),
        never_changed("tables_ratingfigures"),
        never_changed("tables_mainedge"),
    ]
