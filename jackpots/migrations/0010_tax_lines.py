"""Tax lines in ink, confirmed and signed by two; a local line on the W-2G."""

from django.db import migrations

from pitboss.ink import never_changed

BY_TWO = migrations.RunSQL(
    """
    CREATE FUNCTION jackpots_tax_line_by_two() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper JOIN pitboss_signature AS s ON s.slip_id = paper.id
            WHERE paper.id = NEW.slip_id AND paper.kind = 'tax_line' AND s.track = 'main'
              AND paper.details->'line'->>'place' = NEW.place
              AND (paper.details->'line'->>'rate')::integer = NEW.basis_points
            HAVING count(DISTINCT s.person_id) >= 2)
        THEN
            RAISE EXCEPTION 'tax line of % refused: two people sign for it', NEW.place
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER tax_line_by_two BEFORE INSERT ON jackpots_taxline
        FOR EACH ROW EXECUTE FUNCTION jackpots_tax_line_by_two();
    """,
    """
    DROP TRIGGER tax_line_by_two ON jackpots_taxline;
    DROP FUNCTION jackpots_tax_line_by_two();
    """,
)
# As in 0004_tax, and what is kept for a city.
_WITHHELD = """
    CREATE OR REPLACE FUNCTION jackpots_forms_say_what_is_withheld() RETURNS trigger
    LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.withheld_cents <> (
            SELECT coalesce(sum(federal_cents + state_cents@LOCAL@), 0) FROM jackpots_taxform
            WHERE jackpot_id = NEW.jackpot_id AND issue = 'original') THEN
            RAISE EXCEPTION 'what is withheld stands on no tax form'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NULL;
    END $$;
"""
WITHHELD_FOR_ALL = migrations.RunSQL(
    _WITHHELD.replace("@LOCAL@", " + local_cents"), _WITHHELD.replace("@LOCAL@", "")
)


class Migration(migrations.Migration):
    dependencies = [
        ("jackpots", "0009_withheld"),
        ("pitboss", "0025_accounts"),
        ("inventory", "0009_credit_in_full"),
    ]

    operations = [
        never_changed("jackpots_taxline"),
        BY_TWO,
        WITHHELD_FOR_ALL,
    ]
