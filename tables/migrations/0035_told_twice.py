"""A whole round is stored once; a bet that was keyed while the line was down is known again."""

from django.db import migrations

from pitboss import ink

# The same terms as `is_same_hand` and `SAME_BET_WITHIN` in pitboss/rules/payouts/mismatches.py.
KEYED = ink.altered(
    "tables_confirmation_is_the_first",
    [
        (
            """WHERE before.at > NEW.at - interval '60 seconds'
              AND before.table_id""",
            """WHERE before.at > coalesce(paid.keyed_at, paid.at) - interval '60 seconds'
              AND before.table_id""",
        ),
        (
            """AND (said.at <= NEW.at OR paid.at > said.at - interval '60 seconds')""",
            """AND (before.keyed_at IS NULL AND paid.keyed_at IS NULL
                   AND before.at > NEW.at - interval '60 seconds'
                   AND (said.at <= NEW.at OR paid.at > said.at - interval '60 seconds')
                   OR coalesce(before.keyed_at, before.at)
                        > coalesce(paid.keyed_at, paid.at) - interval '60 seconds'
                      AND coalesce(before.keyed_at, before.at)
                        < coalesce(paid.keyed_at, paid.at) + interval '60 seconds')""",
        ),
    ],
)

# All cards lie as they lay a few rounds ago only if it is the same round. Bets alone come again:
# those are stored. Two at once come one after the other.
ONCE = migrations.RunSQL(
    """
    CREATE FUNCTION tables_round_is_told_once() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        told jsonb := NEW.parts #> '{0,told}';
        earlier bigint;
    BEGIN
        IF jsonb_array_length(NEW.log -> 'dealer_cards') < 2
            OR NOT jsonb_path_exists(NEW.log, '$.seats[*].cards[1]')
        THEN
            RETURN NEW;
        END IF;
        PERFORM FROM pitboss_table WHERE id = NEW.table_id FOR NO KEY UPDATE;
        SELECT lately.id INTO earlier FROM (
            SELECT id, key, parts FROM tables_round WHERE table_id = NEW.table_id
            ORDER BY started_at DESC, id DESC LIMIT 5
        ) AS lately
        WHERE lately.key IS DISTINCT FROM NEW.key AND lately.parts #> '{0,told}' = told LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION 'this round was told as round %', earlier
                USING ERRCODE = 'unique_violation', CONSTRAINT = 'a_round_is_told_once',
                      DETAIL = earlier;
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER round_is_told_once BEFORE INSERT ON tables_round
        FOR EACH ROW WHEN (NEW.key IS NOT NULL) EXECUTE FUNCTION tables_round_is_told_once();
    """,
    """
    DROP TRIGGER round_is_told_once ON tables_round;
    DROP FUNCTION tables_round_is_told_once();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0034_late_by_two")]

    operations = [KEYED, ONCE]
