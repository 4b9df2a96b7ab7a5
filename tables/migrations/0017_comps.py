"""Comps, points by hand, hosts and relations, each on its slip; answers to advice."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import never_changed


FITS = migrations.RunSQL(
    """
    CREATE FUNCTION tables_is_related(of_person bigint, of_patron bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
        SELECT coalesce((
            SELECT NOT ended FROM tables_relation
            WHERE person_id = of_person AND patron_id = of_patron ORDER BY id DESC LIMIT 1), false)
    $$;
    CREATE FUNCTION tables_lacks_authority(of_slip bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
        SELECT EXISTS (
            SELECT FROM pitboss_slip AS paper, jsonb_array_elements(paper.plan) AS planned(step)
            WHERE paper.id = of_slip AND planned.step->>'track' = 'main'
              AND planned.step->>'name' IN ('authorized', 'senior_authorized')
              AND NOT EXISTS (
                SELECT FROM pitboss_signature AS s
                WHERE s.slip_id = paper.id AND s.track = 'main'
                  AND s.step = planned.step->>'name'))
    $$;

    -- Two who spend one balance at once must not both, whatever writes the row.
    CREATE FUNCTION tables_comp_fits() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
        given bigint;
        problem text;
    BEGIN
        PERFORM FROM inventory_patron WHERE id = NEW.patron_id FOR NO KEY UPDATE;
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        SELECT coalesce(sum(value_cents), 0) INTO given FROM tables_comp AS other
        WHERE other.patron_id = NEW.patron_id AND other.trip_began >= NEW.trip_began
          AND NOT EXISTS (SELECT FROM tables_compentry
                          WHERE comp_id = other.id AND move = 'voided');
        problem := CASE
            WHEN inventory_standing(NEW.patron_id) = 'self_excluded' THEN 'the patron is barred'
            WHEN tables_is_related(NEW.issuer_id, NEW.patron_id) THEN 'the issuer is related'
            WHEN paper.kind NOT IN ('comp', 'cash_comp')
                 OR (paper.kind = 'cash_comp') <> (NEW.kind = 'cash')
                 OR (paper.details->>'patron')::bigint <> NEW.patron_id
                 OR (paper.details->>'amount_cents')::bigint <> NEW.value_cents
                 THEN 'its slip says something else'
            WHEN given <> NEW.given_cents THEN 'something was given since'
            WHEN NEW.value_cents > NEW.earned_cents - given AND NOT EXISTS (
                SELECT FROM jsonb_array_elements(paper.plan) AS planned(step)
                WHERE planned.step->>'name' IN ('authorized', 'senior_authorized'))
                 THEN 'it is over what is left, and its slip asks for no authority'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'comp of % refused: %', NEW.patron_id, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER fits BEFORE INSERT ON tables_comp
        FOR EACH ROW EXECUTE FUNCTION tables_comp_fits();

    CREATE FUNCTION tables_comp_entry_fits() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        given tables_comp;
        moves text[];
        redeemed bigint;
        problem text;
    BEGIN
        SELECT * INTO given FROM tables_comp WHERE id = NEW.comp_id;
        PERFORM FROM inventory_patron WHERE id = given.patron_id FOR NO KEY UPDATE;
        SELECT coalesce(array_agg(move), '{}'),
               coalesce(sum(amount_cents) FILTER (WHERE move = 'redeemed'), 0)
        INTO moves, redeemed FROM tables_compentry WHERE comp_id = NEW.comp_id;
        problem := CASE
            WHEN 'voided' = ANY (moves) THEN 'it is void'
            WHEN NEW.move <> 'redeemed' AND NEW.amount_cents <> given.value_cents
                 THEN 'it is another amount'
            WHEN NEW.move <> 'reserved' AND NOT 'reserved' = ANY (moves) THEN 'it is not reserved'
            WHEN NEW.move = 'issued' AND tables_lacks_authority(given.slip_id)
                 THEN 'no one authorized it'
            WHEN NEW.move = 'redeemed' AND NOT 'issued' = ANY (moves) THEN 'it is not issued'
            WHEN NEW.move = 'redeemed' AND redeemed + NEW.amount_cents > given.value_cents
                 THEN 'it is more than its value'
            WHEN NEW.move = 'redeemed' AND inventory_standing(given.patron_id) = 'self_excluded'
                 THEN 'the patron is barred'
            WHEN NEW.move = 'voided' AND redeemed > 0 THEN 'it was redeemed'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'comp % cannot be %: %', NEW.comp_id, NEW.move, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER fits BEFORE INSERT ON tables_compentry
        FOR EACH ROW EXECUTE FUNCTION tables_comp_entry_fits();

    CREATE FUNCTION tables_signed_about_a_patron() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
        last_signed bigint;
    BEGIN
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        SELECT person_id INTO last_signed FROM pitboss_signature
        WHERE slip_id = NEW.slip_id AND track = 'main' AND step = TG_ARGV[1];
        IF paper.kind <> TG_ARGV[0] OR (paper.details->>'patron')::bigint <> NEW.patron_id
           OR last_signed IS NULL
           OR TG_ARGV[0] = 'points_by_hand'
              AND (paper.details->>'points')::bigint
                  <> (to_jsonb(NEW)->>'points')::bigint
           OR TG_ARGV[0] = 'relation'
              AND ((paper.details->>'person')::bigint <> (to_jsonb(NEW)->>'person_id')::bigint
                   OR last_signed = (to_jsonb(NEW)->>'person_id')::bigint) THEN
            RAISE EXCEPTION '% refused: no slip signed for it says this', TG_TABLE_NAME
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER signed BEFORE INSERT ON tables_pointsentry FOR EACH ROW
        EXECUTE FUNCTION tables_signed_about_a_patron('points_by_hand', 'approved');
    CREATE TRIGGER signed BEFORE INSERT ON tables_patronhost FOR EACH ROW
        EXECUTE FUNCTION tables_signed_about_a_patron('patron_host', 'assigned');
    CREATE TRIGGER signed BEFORE INSERT ON tables_relation FOR EACH ROW
        EXECUTE FUNCTION tables_signed_about_a_patron('relation', 'confirmed');

    CREATE FUNCTION tables_scope_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper JOIN pitboss_signature AS s ON s.slip_id = paper.id
            WHERE paper.id = NEW.slip_id AND paper.kind = 'system_access'
              AND (paper.details->>'device')::bigint = NEW.device_id
              AND paper.details->>'scope' = NEW.scope
              AND (paper.details->>'granted')::boolean = NEW.granted
              AND s.track = 'main' AND s.step = 'approved') THEN
            RAISE EXCEPTION 'scope refused: no slip signed for it says this'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER signed BEFORE INSERT ON tables_systemscope FOR EACH ROW
        EXECUTE FUNCTION tables_scope_is_signed();

    CREATE FUNCTION tables_rated_by_no_relative() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.patron_id IS NOT NULL AND tables_is_related(NEW.began_by_id, NEW.patron_id) THEN
            RAISE EXCEPTION 'a patron is not rated by a relative'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER by_no_relative BEFORE INSERT ON tables_playrating
        FOR EACH ROW EXECUTE FUNCTION tables_rated_by_no_relative();
    """,
    """
    DROP TRIGGER by_no_relative ON tables_playrating;
    DROP TRIGGER signed ON tables_systemscope;
    DROP TRIGGER signed ON tables_relation;
    DROP TRIGGER signed ON tables_patronhost;
    DROP TRIGGER signed ON tables_pointsentry;
    DROP TRIGGER fits ON tables_compentry;
    DROP TRIGGER fits ON tables_comp;
    DROP FUNCTION tables_rated_by_no_relative();
    DROP FUNCTION tables_scope_is_signed();
    DROP FUNCTION tables_signed_about_a_patron();
    DROP FUNCTION tables_comp_entry_fits();
    DROP FUNCTION tables_comp_fits();
    DROP FUNCTION tables_lacks_authority(bigint);
    DROP FUNCTION tables_is_related(bigint, bigint);
    """,
)


class Migration(migrations.Migration):

    dependencies = [
        ('inventory', '0008_exclusion'),
        ('pitboss', '0022_hosts'),
        ('tables', '0016_marker_cash'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='floorentry',
            name='role',
            field=models.CharField(choices=[('dealer', 'Dealer'), ('supervisor', 'Supervisor'), ('pit_manager', 'Pit manager'), ('shift_manager', 'Shift manager'), ('cashier', 'Cashier'), ('cage_manager', 'Cage manager'), ('security', 'Security'), ('security_manager', 'Security manager'), ('surveillance', 'Surveillance'), ('surveillance_manager', 'Surveillance manager'), ('count_team', 'Count team'), ('host', 'Host'), ('host_manager', 'Host manager'), ('accounting', 'Accounting'), ('compliance', 'Compliance'), ('auditor', 'Auditor'), ('administrator', 'Administrator')], max_length=24),
        ),
        migrations.CreateModel(
            name='Comp',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('meal', 'Meal'), ('room', 'Room'), ('show', 'Show'), ('travel', 'Travel'), ('gift', 'Gift'), ('cash', 'Cash')], max_length=8)),
                ('value_cents', models.PositiveBigIntegerField()),
                ('valued_by', models.CharField(choices=[('retail', 'Retail'), ('cost', 'Cost')], max_length=6)),
                ('trip_began', models.DateField()),
                ('earned_cents', models.PositiveBigIntegerField()),
                ('given_cents', models.PositiveBigIntegerField()),
                ('gaming_day', models.DateField()),
                ('at', models.DateTimeField()),
                ('issuer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('patron', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='comps', to='inventory.patron')),
                ('slip', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='comp', to='pitboss.slip')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='CompEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('move', models.CharField(choices=[('reserved', 'Reserved'), ('issued', 'Issued'), ('redeemed', 'Redeemed'), ('voided', 'Voided')], max_length=8)),
                ('amount_cents', models.PositiveBigIntegerField()),
                ('outlet', models.CharField(blank=True, default='', max_length=60)),
                ('request_id', models.UUIDField(null=True, unique=True)),
                ('gaming_day', models.DateField()),
                ('at', models.DateTimeField()),
                ('comp', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='tables.comp')),
                ('device', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.device')),
                ('slip', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.slip')),
            ],
            options={
                'verbose_name_plural': 'comp entries',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='PatronHost',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField()),
                ('host', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('patron', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hosts', to='inventory.patron')),
                ('slip', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.slip')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='PointsEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('points', models.BigIntegerField()),
                ('gaming_day', models.DateField()),
                ('at', models.DateTimeField()),
                ('patron', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='points', to='inventory.patron')),
                ('slip', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.slip')),
            ],
            options={
                'verbose_name_plural': 'points entries',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Relation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ended', models.BooleanField(default=False)),
                ('since', models.DateTimeField()),
                ('patron', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='relations', to='inventory.patron')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('slip', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.slip')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.AddIndex(
            model_name='comp',
            index=models.Index(fields=['patron', '-trip_began'], name='comp_by_trip'),
        ),
        migrations.AddIndex(
            model_name='comp',
            index=models.Index(fields=['gaming_day', 'patron'], name='comp_by_day'),
        ),
        migrations.AddConstraint(
            model_name='comp',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['meal', 'room', 'show', 'travel', 'gift', 'cash'])), name='comp_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='comp',
            constraint=models.CheckConstraint(condition=models.Q(('valued_by__in', ['retail', 'cost'])), name='comp_valued_by_known'),
        ),
        migrations.AddConstraint(
            model_name='comp',
            constraint=models.CheckConstraint(condition=models.Q(('value_cents__gt', 0)), name='a_comp_gives_something'),
        ),
        migrations.AddConstraint(
            model_name='comp',
            constraint=models.CheckConstraint(condition=models.Q(('trip_began__lte', models.F('gaming_day'))), name='a_comp_is_drawn_on_a_trip_that_began'),
        ),
        migrations.AddIndex(
            model_name='compentry',
            index=models.Index(fields=['gaming_day', 'move'], name='comp_entry_by_day'),
        ),
        migrations.AddConstraint(
            model_name='compentry',
            constraint=models.CheckConstraint(condition=models.Q(('move__in', ['reserved', 'issued', 'redeemed', 'voided'])), name='comp_move_known'),
        ),
        migrations.AddConstraint(
            model_name='compentry',
            constraint=models.CheckConstraint(condition=models.Q(('amount_cents__gt', 0)), name='a_comp_entry_moves_something'),
        ),
        migrations.AddConstraint(
            model_name='compentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('move', 'redeemed'), models.Q(('outlet', ''), _negated=True)), models.Q(models.Q(('move', 'redeemed'), _negated=True), ('outlet', '')), _connector='OR'), name='a_comp_is_redeemed_somewhere'),
        ),
        migrations.AddConstraint(
            model_name='compentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('request_id', None), ('slip__isnull', False)), models.Q(('device__isnull', False), ('move', 'redeemed'), ('request_id__isnull', False)), _connector='OR'), name='only_a_redemption_has_no_slip'),
        ),
        migrations.AddConstraint(
            model_name='compentry',
            constraint=models.UniqueConstraint(condition=models.Q(('move', 'reserved')), fields=('comp',), name='a_comp_is_reserved_once'),
        ),
        migrations.AddConstraint(
            model_name='compentry',
            constraint=models.UniqueConstraint(condition=models.Q(('move', 'issued')), fields=('comp',), name='a_comp_is_issued_once'),
        ),
        migrations.AddConstraint(
            model_name='compentry',
            constraint=models.UniqueConstraint(condition=models.Q(('move', 'voided')), fields=('comp',), name='a_comp_is_voided_once'),
        ),
        migrations.AddIndex(
            model_name='patronhost',
            index=models.Index(fields=['patron', '-id'], name='host_latest'),
        ),
        migrations.AddIndex(
            model_name='patronhost',
            index=models.Index(fields=['host', '-id'], name='host_patrons'),
        ),
        migrations.AddConstraint(
            model_name='pointsentry',
            constraint=models.CheckConstraint(condition=models.Q(('points', 0), _negated=True), name='points_change_something'),
        ),
        migrations.AddIndex(
            model_name='relation',
            index=models.Index(fields=['patron', 'person', '-id'], name='relation_latest'),
        ),
        migrations.CreateModel(
            name='AdviceTaken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('what', models.CharField(max_length=60)),
                ('sentence', models.CharField(max_length=200)),
                ('working', models.JSONField()),
                ('answer', models.CharField(choices=[('done', 'Done'), ('not_now', 'Not now')], max_length=8)),
                ('reason', models.CharField(blank=True, default='', max_length=200)),
                ('request_id', models.UUIDField(unique=True)),
                ('gaming_day', models.DateField()),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('device', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.device')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
            ],
            options={
                'verbose_name_plural': 'advice taken',
                'indexes': [models.Index(fields=['gaming_day', 'table'], name='advice_by_day')],
                'constraints': [models.CheckConstraint(condition=models.Q(('answer__in', ['done', 'not_now'])), name='advice_answer_known'), models.CheckConstraint(condition=models.Q(('answer', 'done'), models.Q(('reason', ''), _negated=True), _connector='OR'), name='not_now_has_its_reason')],
            },
        ),
        migrations.CreateModel(
            name='SystemScope',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scope', models.CharField(choices=[('ratings.read', 'Ratings.read'), ('comps.read', 'Comps.read'), ('comps.redeem', 'Comps.redeem')], max_length=16)),
                ('granted', models.BooleanField()),
                ('since', models.DateTimeField()),
                ('device', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.device')),
                ('slip', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.slip')),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['device', 'scope', '-id'], name='scope_latest')],
                'constraints': [models.CheckConstraint(condition=models.Q(('scope__in', ['ratings.read', 'comps.read', 'comps.redeem'])), name='system_scope_known')],
            },
        ),
        FITS,
        never_changed("tables_comp"),
        never_changed("tables_compentry"),
        never_changed("tables_pointsentry"),
        never_changed("tables_patronhost"),
        never_changed("tables_relation"),
        never_changed("tables_advicetaken"),
        never_changed("tables_systemscope"),
    ]
