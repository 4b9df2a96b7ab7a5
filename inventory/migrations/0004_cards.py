"""Sets of cards: each step of their lives in ink, and one row that says where each one is."""

from django.db import migrations

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
    dependencies = [("inventory", "0003_cash_log")]

    operations = [
        never_changed("inventory_cardset"),
        never_changed("inventory_cardmove"),
        STEP_FOLLOWS_THE_LIFE,
        PLACE_FOLLOWS_THE_STEP,
    ]
