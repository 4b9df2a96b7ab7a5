"""Big wins: what their check found, once, counted out on a signature, and no tax form before it."""

from django.db import migrations

# A big win is entered from its check, and says what the check found; a jackpot has no check.
FROM_ITS_CHECK = migrations.RunSQL(
    """
    CREATE FUNCTION jackpots_big_win_holds() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
        checked tables_payoutcheck;
        problem text;
    BEGIN
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        SELECT * INTO checked FROM tables_payoutcheck WHERE id = NEW.check_of_id;
        problem := CASE
            WHEN paper.kind <> 'big_win' AND (
                NEW.check_of_id IS NOT NULL OR NEW.raise_cents <> 0 OR NEW.returned_cents <> 0)
                THEN 'only a big win has a check or a raise'
            WHEN paper.kind <> 'big_win' THEN NULL
            WHEN NEW.freeze_id IS NOT NULL THEN 'a big win takes nothing of a meter'
            WHEN NEW.round_key = '' THEN 'a big win is of a round'
            WHEN checked.id IS NOT NULL AND (
                checked.table_id <> paper.table_id OR checked.wager <> NEW.wager
                OR checked.stake_cents <> NEW.stake_cents
                OR checked.answer->>'level' IS DISTINCT FROM 'big_win')
                THEN 'its check says otherwise'
            WHEN EXISTS (
                SELECT FROM jackpots_jackpot AS other
                JOIN pitboss_slip AS entered ON entered.id = other.slip_id
                WHERE entered.kind = 'big_win' AND entered.table_id = paper.table_id
                  AND entered.status <> 'voided' AND other.round_key = NEW.round_key
                  AND other.seat = NEW.seat AND other.wager = NEW.wager)
                THEN 'this bet was entered'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'big win % refused: %', paper.serial, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER big_win_holds BEFORE INSERT ON jackpots_jackpot
        FOR EACH ROW EXECUTE FUNCTION jackpots_big_win_holds();

    CREATE FUNCTION jackpots_figure_of_the_check() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (SELECT FROM jackpots_jackpot AS hit
                   JOIN tables_payoutcheck AS checked ON checked.id = hit.check_of_id
                   WHERE hit.id = NEW.jackpot_id
                     AND checked.payable_cents IS DISTINCT FROM NEW.award_cents) THEN
            RAISE EXCEPTION 'a big win is owed what its check found'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER figure_of_the_check BEFORE INSERT ON jackpots_jackpotfigure
        FOR EACH ROW EXECUTE FUNCTION jackpots_figure_of_the_check();
    """,
    """
    DROP TRIGGER figure_of_the_check ON jackpots_jackpotfigure;
    DROP FUNCTION jackpots_figure_of_the_check();
    DROP TRIGGER big_win_holds ON jackpots_jackpot;
    DROP FUNCTION jackpots_big_win_holds();
    """,
)


def _payment_is_signed(signed: str) -> str:
    return f"""
    CREATE OR REPLACE FUNCTION jackpots_payment_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (SELECT FROM jackpots_jackpot AS hit
                       JOIN pitboss_slip AS paper ON paper.id = hit.slip_id
                       JOIN pitboss_signature AS s ON s.slip_id = paper.id
                       WHERE hit.id = NEW.jackpot_id AND {signed}
                         AND s.facts->'said'->>'source' = NEW.source) THEN
            RAISE EXCEPTION 'nobody signed that this jackpot was paid so'
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.award_cents <> (SELECT award_cents FROM jackpots_jackpotfigure
                               WHERE jackpot_id = NEW.jackpot_id ORDER BY number DESC LIMIT 1) THEN
            RAISE EXCEPTION 'this is not what the jackpot is owed'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    """


_PAID = "paper.status = 'done' AND s.step = 'paid'"
# The cheques of a big win leave when they are counted out; a supervisor then sees the winner paid.
PAYMENT_IS_SIGNED = migrations.RunSQL(
    _payment_is_signed(
        f"(paper.kind <> 'big_win' AND {_PAID}"
        " OR paper.kind = 'big_win' AND paper.status = 'open' AND s.step = 'counted_out')"
    ),
    _payment_is_signed(_PAID),
)


class Migration(migrations.Migration):
    dependencies = [("jackpots", "0007_stakes_back"), ("tables", "0010_approvals")]

    operations = [
        FROM_ITS_CHECK,
        PAYMENT_IS_SIGNED,
    ]
