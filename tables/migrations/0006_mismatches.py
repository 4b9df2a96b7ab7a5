"""What was paid on a check, the mismatch where it differs, and its settlement: in ink."""

from django.db import migrations

from pitboss.ink import never_changed

# What the services judge, the database judges too: a confirmation that differs from its check has a
# mismatch in the same transaction; a mismatch says what its check and its confirmation say; and a
# settlement is another person's than the dealer's, and puts right what the rules say is owed.
COMPARED = migrations.RunSQL(
    """
    CREATE FUNCTION tables_confirmation_is_compared() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM tables_payoutcheck
            WHERE id = NEW.check_of_id AND payable_cents = NEW.paid_cents
        ) AND NOT EXISTS (SELECT FROM tables_mismatch WHERE confirmation_id = NEW.id) THEN
            RAISE EXCEPTION 'a payout that differs has a mismatch'
                USING ERRCODE = 'check_violation', CONSTRAINT = 'a_payout_that_differs_is_told';
        END IF;
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER confirmation_is_compared AFTER INSERT ON tables_payoutconfirmation
        DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION tables_confirmation_is_compared();

    CREATE FUNCTION tables_mismatch_is_true() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM tables_payoutconfirmation AS said
            JOIN tables_payoutcheck AS judged ON judged.id = said.check_of_id
            WHERE said.id = NEW.confirmation_id
              AND said.paid_cents = NEW.paid_cents
              AND judged.payable_cents IS NOT DISTINCT FROM NEW.owed_cents
              AND judged.table_id = NEW.table_id
              AND judged.dealer_id IS NOT DISTINCT FROM NEW.dealer_id
        ) THEN
            RAISE EXCEPTION 'a mismatch says what its check says'
                USING ERRCODE = 'check_violation', CONSTRAINT = 'a_mismatch_is_true';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER mismatch_is_true BEFORE INSERT ON tables_mismatch
        FOR EACH ROW EXECUTE FUNCTION tables_mismatch_is_true();

    CREATE FUNCTION tables_settlement_holds() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        told tables_mismatch%ROWTYPE;
    BEGIN
        SELECT * INTO told FROM tables_mismatch WHERE id = NEW.mismatch_id;
        IF told.dealer_id = NEW.settled_by_id THEN
            RAISE EXCEPTION 'the dealer settles no mismatch'
                USING ERRCODE = 'check_violation', CONSTRAINT = 'a_mismatch_takes_two_people';
        END IF;
        IF (NEW.way = 'overridden' AND NEW.stands_cents <> told.paid_cents)
            OR (NEW.way = 'corrected' AND NEW.stands_cents = told.paid_cents)
            OR (NEW.way = 'corrected' AND NEW.stands_cents <> told.owed_cents)
            OR (told.owed_cents IS NULL AND NEW.reason = '') THEN
            RAISE EXCEPTION 'a settlement lets stand what was paid, or what is owed'
                USING ERRCODE = 'check_violation', CONSTRAINT = 'a_settlement_holds';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER settlement_holds BEFORE INSERT ON tables_mismatchsettlement
        FOR EACH ROW EXECUTE FUNCTION tables_settlement_holds();
    """,
    """
    DROP TRIGGER settlement_holds ON tables_mismatchsettlement;
    DROP TRIGGER mismatch_is_true ON tables_mismatch;
    DROP TRIGGER confirmation_is_compared ON tables_payoutconfirmation;
    DROP FUNCTION tables_settlement_holds();
    DROP FUNCTION tables_mismatch_is_true();
    DROP FUNCTION tables_confirmation_is_compared();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0005_table_orders")]

    operations = [
        COMPARED,
        never_changed("tables_payoutconfirmation"),
        never_changed("tables_mismatch"),
        never_changed("tables_mismatchsettlement"),
    ]
