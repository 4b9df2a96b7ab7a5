"""A payout that waits for a word goes out on one that is its own, or is stored as without it."""

from django.db import migrations

from pitboss.ink import never_changed

ON_A_WORD = migrations.RunSQL(
    """
    CREATE FUNCTION tables_paid_on_a_word() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (
            SELECT FROM tables_payoutcheck
            WHERE id = NEW.check_of_id AND answer->>'level' IN ('approval', 'big_win'))
        AND NOT EXISTS (SELECT FROM tables_payoutword WHERE confirmation_id = NEW.id) THEN
            RAISE EXCEPTION 'nobody approved this payout' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE CONSTRAINT TRIGGER paid_on_a_word AFTER INSERT ON tables_payoutconfirmation
        DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION tables_paid_on_a_word();

    CREATE FUNCTION tables_word_is_its_own() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.approval_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM tables_payoutconfirmation AS paid
            JOIN tables_floorentry AS said ON said.id = NEW.approval_id
            JOIN tables_floorrequest AS asked ON asked.id = said.answers_id
            WHERE paid.id = NEW.confirmation_id
              AND said.outcome = 'granted' AND asked.kind = 'payout'
              AND asked.facts->'check' = to_jsonb(paid.check_of_id)
              AND asked.facts->'amount_cents' = to_jsonb(paid.paid_cents)) THEN
            RAISE EXCEPTION 'nobody approved this payout' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER word_is_its_own BEFORE INSERT ON tables_payoutword
        FOR EACH ROW EXECUTE FUNCTION tables_word_is_its_own();
    """,
    """
    DROP TRIGGER word_is_its_own ON tables_payoutword;
    DROP TRIGGER paid_on_a_word ON tables_payoutconfirmation;
    DROP FUNCTION tables_word_is_its_own();
    DROP FUNCTION tables_paid_on_a_word();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0008_summarize")]

    operations = [
        ON_A_WORD,
        never_changed("tables_payoutword"),
    ]
