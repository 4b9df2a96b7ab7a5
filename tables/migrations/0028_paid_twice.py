"""One bet that was confirmed as paid on two checks is told to the supervisor, or not stored."""

from django.db import migrations

# The same terms as `is_same_bet` and `SAME_BET_WITHIN` in pitboss/rules/payouts/mismatches.py. Two
# at once come one after the other: each locks the table before it looks.
TOLD = migrations.RunSQL(
    """
    CREATE FUNCTION tables_confirmation_is_the_first() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paid tables_payoutcheck%ROWTYPE;
    BEGIN
        SELECT * INTO paid FROM tables_payoutcheck WHERE id = NEW.check_of_id;
        IF NEW.paid_cents = 0 OR jsonb_typeof(paid.claim -> 'seat') IS DISTINCT FROM 'number' THEN
            RETURN NULL;
        END IF;
        PERFORM FROM pitboss_table WHERE id = paid.table_id FOR NO KEY UPDATE;
        IF EXISTS (
            SELECT FROM tables_payoutcheck AS before
            JOIN tables_payoutconfirmation AS said ON said.check_of_id = before.id
            WHERE before.at > NEW.at - interval '60 seconds'
              AND before.table_id = paid.table_id AND before.wager = paid.wager
              AND before.id <> paid.id AND before.id IS DISTINCT FROM paid.corrects_id
              AND before.corrects_id IS DISTINCT FROM paid.id
              AND said.paid_cents > 0
              -- Of two that are stored together the one that was confirmed first looks as well.
              AND (said.at <= NEW.at OR paid.at > said.at - interval '60 seconds')
              AND NOT EXISTS (
                SELECT FROM unnest(ARRAY[
                    'seat', 'hand', 'wager', 'stake_cents', 'player_cards', 'dealer_cards',
                    'dealer_up', 'extra']) AS asked(name)
                WHERE nullif(before.claim -> asked.name, 'null')
                    IS DISTINCT FROM nullif(paid.claim -> asked.name, 'null'))
        ) AND NOT EXISTS (
            SELECT FROM pitboss_floorexception
            WHERE table_id = paid.table_id AND code = 'paid_twice'
              AND to_jsonb(paid.id) IN (details -> 'check', details -> 'before')
        ) THEN
            RAISE EXCEPTION 'a bet that is paid twice is told to the supervisor'
                USING ERRCODE = 'check_violation', CONSTRAINT = 'a_bet_paid_twice_is_told';
        END IF;
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER confirmation_is_the_first AFTER INSERT ON tables_payoutconfirmation
        DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION tables_confirmation_is_the_first();
    """,
    """
    DROP TRIGGER confirmation_is_the_first ON tables_payoutconfirmation;
    DROP FUNCTION tables_confirmation_is_the_first();
    """,
)


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0027_pace_checks"),
        ("pitboss", "0029_webhooks"),
    ]

    operations = [TOLD]
