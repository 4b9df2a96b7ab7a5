"""Envy for the tip pool, line by line in ink; and checks that correct another one."""

from django.db import migrations

from pitboss.ink import never_changed

# What the services judge, the database judges too: envy is what a confirmed check, a round that
# ended or a tap has found at the same table, and what takes it back is just that much.
TRUE = migrations.RunSQL(
    """
    CREATE FUNCTION tables_envy_is_true() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.reverses_id IS NOT NULL THEN
            IF NOT EXISTS (
                SELECT FROM tables_envyline AS paid
                WHERE paid.id = NEW.reverses_id AND paid.reverses_id IS NULL
                  AND paid.table_id = NEW.table_id AND paid.amount_cents = -NEW.amount_cents
                  AND paid.wager = NEW.wager AND paid.row = NEW.row
                  AND paid.check_of_id IS NOT DISTINCT FROM NEW.check_of_id
                  AND paid.round_id IS NOT DISTINCT FROM NEW.round_id) THEN
                RAISE EXCEPTION 'envy is taken back as it was paid'
                    USING ERRCODE = 'check_violation', CONSTRAINT = 'envy_is_true';
            END IF;
        ELSIF NEW.check_of_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM tables_payoutcheck AS judged
            JOIN tables_payoutconfirmation AS said ON said.check_of_id = judged.id
            WHERE judged.id = NEW.check_of_id AND judged.table_id = NEW.table_id
              AND judged.wager = NEW.wager
              AND judged.answer->'envy_cents' = to_jsonb(NEW.amount_cents)) THEN
            RAISE EXCEPTION 'envy is what a confirmed check found'
                USING ERRCODE = 'check_violation', CONSTRAINT = 'envy_is_true';
        ELSIF NEW.round_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM tables_round AS dealt
            WHERE dealt.id = NEW.round_id AND dealt.table_id = NEW.table_id
              AND dealt.ended_at IS NOT NULL) THEN
            RAISE EXCEPTION 'envy is of a round that ended at this table'
                USING ERRCODE = 'check_violation', CONSTRAINT = 'envy_is_true';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER envy_is_true BEFORE INSERT ON tables_envyline
        FOR EACH ROW EXECUTE FUNCTION tables_envy_is_true();

    CREATE FUNCTION tables_corrects_its_own() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM tables_payoutcheck
            WHERE id = NEW.corrects_id AND table_id = NEW.table_id AND wager = NEW.wager) THEN
            RAISE EXCEPTION 'a check corrects one of its own table and bet'
                USING ERRCODE = 'check_violation', CONSTRAINT = 'corrects_its_own';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER corrects_its_own BEFORE INSERT ON tables_payoutcheck
        FOR EACH ROW WHEN (NEW.corrects_id IS NOT NULL)
        EXECUTE FUNCTION tables_corrects_its_own();
    """,
    """
    DROP TRIGGER corrects_its_own ON tables_payoutcheck;
    DROP TRIGGER envy_is_true ON tables_envyline;
    DROP FUNCTION tables_corrects_its_own();
    DROP FUNCTION tables_envy_is_true();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0013_ratings"), ("pitboss", "0020_rules_versions")]

    operations = [
        TRUE,
        never_changed("tables_envyline"),
    ]
