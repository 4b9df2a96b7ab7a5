"""Sets of cards: each step of their lives in ink, and one row that says where each one is."""

import django.db.models.deletion
from django.db import migrations, models

from pitboss.ink import never_changed


# The life of a set, as the rules have it: act, from, to. No row leads back from a cancelled state.
_LIFE = """
    ('bagged', 'cancelled', 'bagged'),
    ('bagged', 'removed', 'bagged_uncancelled'),
    ('cancelled', 'collected_uncancelled', 'collected'),
    ('cancelled', 'removed', 'cancelled'),
    ('card_replaced', 'in_play', 'in_play'),
    ('card_replaced', 'shuffler', 'shuffler'),
    ('collected', 'bagged', 'collected'),
    ('collected', 'bagged_uncancelled', 'collected_uncancelled'),
    ('destroyed', 'collected', 'destroyed'),
    ('held', 'bagged_uncancelled', 'held'),
    ('held', 'collected_uncancelled', 'held'),
    ('held', 'in_pit', 'held'),
    ('held', 'in_play', 'held'),
    ('held', 'received', 'held'),
    ('held', 'removed', 'held'),
    ('held', 'shuffler', 'held'),
    ('held', 'spare', 'held'),
    ('held', 'vaulted', 'held'),
    ('inspected', 'in_play', 'in_play'),
    ('inspected', 'shuffler', 'shuffler'),
    ('put_back', 'in_pit', 'vaulted'),
    ('received', '', 'received'),
    ('released', 'held', 'collected_uncancelled'),
    ('removed', 'in_play', 'removed'),
    ('removed', 'shuffler', 'removed'),
    ('removed', 'spare', 'removed'),
    ('swapped', 'in_play', 'shuffler'),
    ('swapped', 'shuffler', 'in_play'),
    ('to_pit', 'vaulted', 'in_pit'),
    ('to_table', 'in_pit', 'in_play'),
    ('to_table', 'in_pit', 'shuffler'),
    ('to_table', 'in_pit', 'spare'),
    ('to_table', 'spare', 'in_play'),
    ('to_table', 'spare', 'shuffler'),
    ('unused', 'spare', 'in_pit'),
    ('vaulted', 'received', 'vaulted')
"""

# A step begins where the set is, follows the life of a set, and stays at its table or in its pit
# unless the step leads out of it. It stands on a signed slip of cards.
STEP_FOLLOWS_THE_LIFE = migrations.RunSQL(
    f"""
    CREATE FUNCTION inventory_card_step_follows_the_life() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        here inventory_cardplace;
        problem text;
    BEGIN
        SELECT * INTO here FROM inventory_cardplace
        WHERE card_set_id = NEW.card_set_id FOR NO KEY UPDATE;
        problem := CASE
            WHEN NEW.sequence <> coalesce(here.sequence, 0) + 1 THEN 'it is out of order'
            WHEN NEW.source <> coalesce(here.state, '')
                THEN 'the set is ' || coalesce(here.state, 'unknown')
            WHEN NOT EXISTS (
                SELECT FROM (VALUES {_LIFE}) AS life(act, source, target)
                WHERE life.act = NEW.act AND life.source = NEW.source
                  AND life.target = NEW.target)
                THEN 'no such step leads from ' || coalesce(nullif(NEW.source, ''), 'nowhere')
                     || ' to ' || NEW.target
            WHEN here.table_id IS NOT NULL AND NEW.table_id IS NOT NULL
                 AND here.table_id <> NEW.table_id THEN 'the set is at another table'
            WHEN here.pit_id IS NOT NULL AND NEW.pit_id IS NOT NULL
                 AND here.pit_id <> NEW.pit_id THEN 'the set is in another pit'
            WHEN NEW.act = 'to_table' AND NEW.seal <> here.seal THEN 'the seal is another'
            WHEN NOT EXISTS (
                SELECT FROM pitboss_slip AS paper JOIN pitboss_signature AS s ON s.slip_id = paper.id
                WHERE paper.id = NEW.slip_id AND paper.kind LIKE 'card\\_%')
                THEN 'nobody signed for it'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'step % of card set % refused: %', NEW.act, NEW.card_set_id, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER follows_the_life BEFORE INSERT ON inventory_cardmove
        FOR EACH ROW EXECUTE FUNCTION inventory_card_step_follows_the_life();
    """,
    """
    DROP TRIGGER follows_the_life ON inventory_cardmove;
    DROP FUNCTION inventory_card_step_follows_the_life();
    """,
)

# Where a set is follows from its newest step, and is written by that step alone.
PLACE_FOLLOWS_THE_STEP = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_card_place_follows_the_step() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO inventory_cardplace AS here (
            card_set_id, state, sequence, colour, table_id, pit_id, seal, bag, since,
            in_use_since, is_inspected)
        SELECT NEW.card_set_id, NEW.target, NEW.sequence, s.colour, NEW.table_id, NEW.pit_id,
               NEW.seal, NEW.bag, NEW.at, NULL, false
        FROM inventory_cardset AS s WHERE s.id = NEW.card_set_id
        ON CONFLICT (card_set_id) DO UPDATE SET
            state = NEW.target,
            sequence = NEW.sequence,
            table_id = NEW.table_id,
            pit_id = NEW.pit_id,
            seal = coalesce(nullif(NEW.seal, ''), here.seal),
            bag = coalesce(nullif(NEW.bag, ''), here.bag),
            since = NEW.at,
            in_use_since = CASE
                WHEN NEW.table_id IS NULL THEN NULL
                ELSE coalesce(here.in_use_since, NEW.at) END,
            is_inspected = CASE
                WHEN NEW.act IN ('to_table', 'unused') THEN false
                WHEN NEW.act = 'inspected' THEN true
                ELSE here.is_inspected END;
        RETURN NULL;
    END $$;
    CREATE FUNCTION inventory_card_place_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM inventory_cardmove AS newest
            WHERE newest.card_set_id = NEW.card_set_id
              AND newest.sequence = (
                SELECT max(m.sequence) FROM inventory_cardmove AS m
                WHERE m.card_set_id = NEW.card_set_id)
              AND newest.sequence = NEW.sequence
              AND newest.target = NEW.state
              AND newest.at = NEW.since
              AND newest.table_id IS NOT DISTINCT FROM NEW.table_id
              AND newest.pit_id IS NOT DISTINCT FROM NEW.pit_id)
           OR TG_OP = 'UPDATE' AND pg_trigger_depth() < 2
        THEN
            RAISE EXCEPTION 'card set % is where its newest step says', NEW.card_set_id
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER place_follows AFTER INSERT ON inventory_cardmove
        FOR EACH ROW EXECUTE FUNCTION inventory_card_place_follows_the_step();
    CREATE TRIGGER place_is_kept BEFORE INSERT OR UPDATE ON inventory_cardplace
        FOR EACH ROW EXECUTE FUNCTION inventory_card_place_is_kept();
    CREATE TRIGGER never_deleted BEFORE DELETE ON inventory_cardplace
        FOR EACH ROW EXECUTE FUNCTION pitboss_never_changed();
    CREATE TRIGGER never_emptied BEFORE TRUNCATE ON inventory_cardplace
        FOR EACH STATEMENT EXECUTE FUNCTION pitboss_never_changed();
    """,
    """
    DROP TRIGGER never_deleted ON inventory_cardplace;
    DROP TRIGGER never_emptied ON inventory_cardplace;
    DROP TRIGGER place_is_kept ON inventory_cardplace;
    DROP TRIGGER place_follows ON inventory_cardmove;
    DROP FUNCTION inventory_card_place_is_kept();
    DROP FUNCTION inventory_card_place_follows_the_step();
    """,
)


class Migration(migrations.Migration):

    dependencies = [
        ('inventory', '0007_cash_log'),
        ('pitboss', '0006_table_setup'),
    ]

    operations = [
        migrations.CreateModel(
            name='CardSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.CharField(max_length=12, unique=True)),
                ('manufacturer', models.CharField(max_length=60)),
                ('design', models.CharField(max_length=60)),
                ('lot', models.CharField(max_length=30)),
                ('colour', models.CharField(choices=[('red', 'Red'), ('blue', 'Blue'), ('green', 'Green'), ('black', 'Black')], max_length=8)),
                ('decks', models.PositiveSmallIntegerField()),
                ('receipt', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='card_sets', to='pitboss.slip')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='CardMove',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sequence', models.PositiveIntegerField()),
                ('act', models.CharField(choices=[('received', 'Received'), ('vaulted', 'Vaulted'), ('to_pit', 'To pit'), ('put_back', 'Put back'), ('to_table', 'To table'), ('inspected', 'Inspected'), ('card_replaced', 'Card replaced'), ('swapped', 'Swapped'), ('unused', 'Unused'), ('removed', 'Removed'), ('cancelled', 'Cancelled'), ('bagged', 'Bagged'), ('collected', 'Collected'), ('destroyed', 'Destroyed'), ('held', 'Held'), ('released', 'Released')], max_length=16)),
                ('source', models.CharField(blank=True, choices=[('received', 'Received'), ('vaulted', 'Vaulted'), ('in_pit', 'In pit'), ('spare', 'Spare'), ('shuffler', 'Shuffler'), ('in_play', 'In play'), ('removed', 'Removed'), ('bagged_uncancelled', 'Bagged uncancelled'), ('collected_uncancelled', 'Collected uncancelled'), ('cancelled', 'Cancelled'), ('bagged', 'Bagged'), ('collected', 'Collected'), ('destroyed', 'Destroyed'), ('held', 'Held')], max_length=24)),
                ('target', models.CharField(choices=[('received', 'Received'), ('vaulted', 'Vaulted'), ('in_pit', 'In pit'), ('spare', 'Spare'), ('shuffler', 'Shuffler'), ('in_play', 'In play'), ('removed', 'Removed'), ('bagged_uncancelled', 'Bagged uncancelled'), ('collected_uncancelled', 'Collected uncancelled'), ('cancelled', 'Cancelled'), ('bagged', 'Bagged'), ('collected', 'Collected'), ('destroyed', 'Destroyed'), ('held', 'Held')], max_length=24)),
                ('seal', models.CharField(blank=True, max_length=20)),
                ('bag', models.CharField(blank=True, max_length=20)),
                ('counted', models.PositiveSmallIntegerField(null=True)),
                ('at', models.DateTimeField()),
                ('pit', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to='pitboss.pit')),
                ('slip', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='card_moves', to='pitboss.slip')),
                ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to='pitboss.table')),
                ('card_set', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='moves', to='inventory.cardset')),
            ],
            options={
                'ordering': ['card_set', 'sequence'],
            },
        ),
        migrations.CreateModel(
            name='CardPlace',
            fields=[
                ('card_set', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='place', serialize=False, to='inventory.cardset')),
                ('state', models.CharField(choices=[('received', 'Received'), ('vaulted', 'Vaulted'), ('in_pit', 'In pit'), ('spare', 'Spare'), ('shuffler', 'Shuffler'), ('in_play', 'In play'), ('removed', 'Removed'), ('bagged_uncancelled', 'Bagged uncancelled'), ('collected_uncancelled', 'Collected uncancelled'), ('cancelled', 'Cancelled'), ('bagged', 'Bagged'), ('collected', 'Collected'), ('destroyed', 'Destroyed'), ('held', 'Held')], max_length=24)),
                ('sequence', models.PositiveIntegerField()),
                ('colour', models.CharField(choices=[('red', 'Red'), ('blue', 'Blue'), ('green', 'Green'), ('black', 'Black')], max_length=8)),
                ('seal', models.CharField(blank=True, max_length=20)),
                ('bag', models.CharField(blank=True, max_length=20)),
                ('since', models.DateTimeField()),
                ('in_use_since', models.DateTimeField(null=True)),
                ('is_inspected', models.BooleanField(default=False)),
                ('pit', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to='pitboss.pit')),
                ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='cards_here', to='pitboss.table')),
            ],
        ),
        migrations.AddConstraint(
            model_name='cardset',
            constraint=models.CheckConstraint(condition=models.Q(('colour__in', ['red', 'blue', 'green', 'black'])), name='card_set_colour_known'),
        ),
        migrations.AddConstraint(
            model_name='cardset',
            constraint=models.CheckConstraint(condition=models.Q(('decks__gt', 0)), name='card_set_has_decks'),
        ),
        migrations.AddIndex(
            model_name='cardmove',
            index=models.Index(fields=['table', 'at'], name='card_move_by_table'),
        ),
        migrations.AddIndex(
            model_name='cardmove',
            index=models.Index(fields=['at'], name='card_move_by_time'),
        ),
        migrations.AddConstraint(
            model_name='cardmove',
            constraint=models.UniqueConstraint(fields=('card_set', 'sequence'), name='one_step_a_set_and_sequence'),
        ),
        migrations.AddConstraint(
            model_name='cardmove',
            constraint=models.UniqueConstraint(fields=('slip', 'card_set', 'act'), name='a_slip_moves_a_set_once'),
        ),
        migrations.AddConstraint(
            model_name='cardmove',
            constraint=models.UniqueConstraint(condition=models.Q(('act', 'vaulted')), fields=('seal',), name='a_seal_is_used_once'),
        ),
        migrations.AddConstraint(
            model_name='cardmove',
            constraint=models.UniqueConstraint(condition=models.Q(('act', 'bagged')), fields=('bag',), name='a_bag_is_used_once'),
        ),
        migrations.AddConstraint(
            model_name='cardmove',
            constraint=models.CheckConstraint(condition=models.Q(('act__in', ['received', 'vaulted', 'to_pit', 'put_back', 'to_table', 'inspected', 'card_replaced', 'swapped', 'unused', 'removed', 'cancelled', 'bagged', 'collected', 'destroyed', 'held', 'released'])), name='card_act_known'),
        ),
        migrations.AddConstraint(
            model_name='cardmove',
            constraint=models.CheckConstraint(condition=models.Q(('target__in', ['received', 'vaulted', 'in_pit', 'spare', 'shuffler', 'in_play', 'removed', 'bagged_uncancelled', 'collected_uncancelled', 'cancelled', 'bagged', 'collected', 'destroyed', 'held'])), name='card_target_known'),
        ),
        migrations.AddConstraint(
            model_name='cardmove',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('target__in', ['cancelled', 'in_play', 'removed', 'shuffler', 'spare']), ('pit__isnull', False), ('table__isnull', False)), models.Q(models.Q(('target__in', ['cancelled', 'in_play', 'removed', 'shuffler', 'spare']), _negated=True), ('table', None)), _connector='OR'), name='cards_at_a_table_name_it'),
        ),
        migrations.AddConstraint(
            model_name='cardmove',
            constraint=models.CheckConstraint(condition=models.Q(('target__in', ['cancelled', 'in_play', 'removed', 'shuffler', 'spare']), models.Q(('target__in', ['bagged', 'bagged_uncancelled', 'in_pit']), ('pit__isnull', False)), models.Q(models.Q(('target__in', ['bagged', 'bagged_uncancelled', 'cancelled', 'in_pit', 'in_play', 'removed', 'shuffler', 'spare']), _negated=True), ('pit', None)), _connector='OR'), name='cards_in_a_pit_name_it'),
        ),
        migrations.AddConstraint(
            model_name='cardmove',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('act', 'bagged'), _negated=True), models.Q(('bag', ''), _negated=True), _connector='OR'), name='bagged_cards_name_the_bag'),
        ),
        migrations.AddConstraint(
            model_name='cardmove',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('act', 'vaulted'), _negated=True), models.Q(('seal', ''), _negated=True), _connector='OR'), name='vaulted_cards_name_the_seal'),
        ),
        migrations.AddIndex(
            model_name='cardplace',
            index=models.Index(fields=['state'], name='card_place_by_state'),
        ),
        migrations.AddConstraint(
            model_name='cardplace',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ['in_play', 'shuffler', 'spare'])), fields=('table', 'state'), name='one_set_a_slot'),
        ),
        migrations.AddConstraint(
            model_name='cardplace',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ['in_play', 'shuffler', 'spare'])), fields=('table', 'colour'), name='sets_at_a_table_differ_in_colour'),
        ),
        never_changed("inventory_cardset"),
        never_changed("inventory_cardmove"),
        STEP_FOLLOWS_THE_LIFE,
        PLACE_FOLLOWS_THE_STEP,
    ]
