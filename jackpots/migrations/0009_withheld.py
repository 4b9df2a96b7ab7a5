"""Withheld winnings in ink: by a receipt of two about this win, and an outcome that two have signed."""

from django.db import migrations

from pitboss.ink import never_changed

WITHHELD_HOLDS = migrations.RunSQL(
    """
    CREATE FUNCTION jackpots_withheld_holds() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        problem text;
    BEGIN
        SELECT CASE
            WHEN receipt.kind IS DISTINCT FROM 'withheld_win' OR receipt.status <> 'done'
                 OR receipt.refers_to_id IS DISTINCT FROM hit.slip_id
                THEN 'no signed receipt is about this win'
            WHEN won.status <> 'withheld' THEN 'the win has not ended so'
            WHEN NEW.amount_cents IS DISTINCT FROM (
                SELECT award_cents FROM jackpots_jackpotfigure
                WHERE jackpot_id = hit.id ORDER BY number DESC LIMIT 1)
                THEN 'it is not what the win is owed'
            WHEN NOT EXISTS (SELECT FROM inventory_caseend AS decided
                             WHERE decided.case_id = NEW.case_id
                               AND decided.decision = 'confirmed')
                THEN 'nobody confirmed who the winner is'
            WHEN EXISTS (SELECT FROM jackpots_jackpotpayment AS paid
                         WHERE paid.jackpot_id = hit.id) THEN 'it was paid'
        END INTO problem
        FROM jackpots_jackpot AS hit JOIN pitboss_slip AS won ON won.id = hit.slip_id
        LEFT JOIN pitboss_slip AS receipt ON receipt.id = NEW.slip_id
        WHERE hit.id = NEW.jackpot_id;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'withheld win refused: %', problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER withheld_holds BEFORE INSERT ON jackpots_withheldwin
        FOR EACH ROW EXECUTE FUNCTION jackpots_withheld_holds();

    CREATE FUNCTION jackpots_withheld_ends() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper
            WHERE paper.id = NEW.slip_id AND paper.kind = 'withheld_outcome'
              AND paper.status = 'done' AND (paper.details->>'withheld')::bigint = NEW.withheld_id
              AND paper.details->>'ending' = NEW.ending AND paper.details->>'to' = NEW."to") THEN
            RAISE EXCEPTION 'outcome refused: no slip signed by two people says so'
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF (NEW.ending = 'blocked') IS DISTINCT FROM EXISTS (
            SELECT FROM jackpots_withheldwin AS kept
            JOIN inventory_exclusioncase AS found ON found.id = kept.case_id
            JOIN inventory_listrow AS listed ON listed.id = found.row_id
            WHERE kept.id = NEW.withheld_id AND listed.list = 'ofac') THEN
            RAISE EXCEPTION 'outcome refused: what OFAC blocks is blocked, and nothing else'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER withheld_ends BEFORE INSERT ON jackpots_withheldend
        FOR EACH ROW EXECUTE FUNCTION jackpots_withheld_ends();
    """,
    """
    DROP TRIGGER withheld_ends ON jackpots_withheldend;
    DROP FUNCTION jackpots_withheld_ends();
    DROP TRIGGER withheld_holds ON jackpots_withheldwin;
    DROP FUNCTION jackpots_withheld_holds();
    """,
)


class Migration(migrations.Migration):
    dependencies = [
        ("jackpots", "0008_big_wins"),
        ("pitboss", "0021_withheld"),
        ("inventory", "0008_exclusion"),
    ]

    operations = [
        WITHHELD_HOLDS,
        never_changed("jackpots_withheldend"),
        never_changed("jackpots_withheldwin"),
    ]
