"""A meter is what its entries add up to, and falls only by signed slips: the database holds to it."""

from django.db import migrations

from pitboss.ink import never_changed

# A contribution shares the meter's lock and every entry holds it alone, whoever writes them: so no
# freeze misses a contribution, and none is counted in the wrong epoch.
CONTRIBUTION = migrations.RunSQL(
    """
    CREATE FUNCTION jackpots_contribution_fits() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        meter jackpots_meter;
    BEGIN
        PERFORM pg_advisory_xact_lock_shared(hashtextextended('meter:' || NEW.meter_id, 0));
        SELECT * INTO meter FROM jackpots_meter WHERE id = NEW.meter_id;
        IF NEW.epoch <> meter.epoch THEN
            RAISE EXCEPTION 'contribution to % is of epoch %, not %', meter.name, NEW.epoch, meter.epoch
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.amount_microcents <> NEW.wagers::bigint * NEW.wager_cents * meter.rate_ppm
           OR NEW.reserve_microcents <> NEW.wagers::bigint * NEW.wager_cents * meter.reserve_ppm THEN
            RAISE EXCEPTION 'contribution to % is not what its wagers add', meter.name
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF NOT EXISTS (SELECT FROM jackpots_meterlink AS link
                       WHERE link.meter_id = NEW.meter_id AND link.table_id = NEW.table_id
                         AND link.until IS NULL) THEN
            RAISE EXCEPTION 'the table does not play for %', meter.name
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER contribution_fits BEFORE INSERT ON jackpots_metercontribution
        FOR EACH ROW EXECUTE FUNCTION jackpots_contribution_fits();
    """,
    """
    DROP TRIGGER contribution_fits ON jackpots_metercontribution;
    DROP FUNCTION jackpots_contribution_fits();
    """,
)


ENTRY = migrations.RunSQL(
    """
    CREATE FUNCTION jackpots_entry_follows() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        last jackpots_meterentry;
        signers integer;
        paper text;
        added bigint;
        problem text;
    BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('meter:' || NEW.meter_id, 0));
        SELECT * INTO last FROM jackpots_meterentry
        WHERE meter_id = NEW.meter_id ORDER BY number DESC LIMIT 1;
        SELECT count(DISTINCT person_id) INTO signers FROM pitboss_signature
        WHERE slip_id = NEW.slip_id;
        SELECT kind INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        SELECT coalesce(sum(amount_microcents + reserve_microcents), 0) INTO added
        FROM jackpots_metercontribution
        WHERE meter_id = NEW.meter_id AND id > coalesce(last.contributions_through, 0)
          AND id <= NEW.contributions_through;
        problem := CASE
            WHEN NEW.number <> coalesce(last.number, 0) + 1 THEN 'it is not the next'
            WHEN NEW.balance_microcents
                 <> coalesce(last.balance_microcents, 0) + NEW.amount_microcents
                 OR NEW.reserve_balance_microcents
                 <> coalesce(last.reserve_balance_microcents, 0) + NEW.reserve_microcents
                THEN 'its figures do not follow'
            WHEN (NEW.cause = 'started') <> (last.id IS NULL) THEN 'a meter starts once'
            WHEN NEW.contributions_through < coalesce(last.contributions_through, 0)
                 OR NEW.cause <> 'contributed'
                    AND NEW.contributions_through <> coalesce(last.contributions_through, 0)
                 OR NEW.cause = 'contributed'
                    AND (NEW.amount_microcents + NEW.reserve_microcents <> added
                         OR NOT EXISTS (
                             SELECT FROM jackpots_metercontribution AS newest
                             WHERE newest.id = NEW.contributions_through
                               AND newest.meter_id = NEW.meter_id))
                THEN 'it does not add up its contributions'
            WHEN NEW.cause <> 'contributed' AND signers = 0 THEN 'nobody signed for it'
            WHEN NEW.cause IN ('correction', 'malfunction', 'over_maximum', 'reserve', 'posted')
                 AND (paper IS DISTINCT FROM 'meter_adjustment' OR signers < 2)
                THEN 'two people sign for it'
            WHEN NEW.cause IN ('won', 'restored', 'read') AND paper IS DISTINCT FROM 'jackpot'
                THEN 'no jackpot stands behind it'
            WHEN NEW.cause IN ('seeded', 'seed_recovery') AND paper IS DISTINCT FROM 'jackpot'
                 AND (paper IS DISTINCT FROM 'meter_adjustment' OR signers < 2)
                THEN 'no jackpot and no two people stand behind it'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'entry % of meter % refused: %', NEW.cause, NEW.meter_id, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER entry_follows BEFORE INSERT ON jackpots_meterentry
        FOR EACH ROW EXECUTE FUNCTION jackpots_entry_follows();
    """,
    """
    DROP TRIGGER entry_follows ON jackpots_meterentry;
    DROP FUNCTION jackpots_entry_follows();
    """,
)


# The terms are in pencil, and the pencil is held by a slip that two people signed to its end.
TERMS = migrations.RunSQL(
    """
    CREATE FUNCTION jackpots_terms_are_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - 'epoch' IS NOT DISTINCT FROM to_jsonb(OLD) - 'epoch'
        THEN
            RETURN NEW;
        END IF;
        IF TG_OP = 'UPDATE' AND NEW.slip_id = OLD.slip_id OR NOT EXISTS (
            SELECT FROM pitboss_slip AS s
            WHERE s.id = NEW.slip_id AND s.kind = 'meter_change' AND s.status = 'done'
              AND s.details->'is'->>'name' = NEW.name
              AND (s.details->'is'->>'rate_ppm')::bigint = NEW.rate_ppm
              AND (s.details->'is'->>'reserve_ppm')::bigint = NEW.reserve_ppm
              AND (s.details->'is'->>'reset_cents')::bigint = NEW.reset_cents) THEN
            RAISE EXCEPTION 'nobody approved these terms of meter %', NEW.name
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER terms_are_signed BEFORE INSERT OR UPDATE ON jackpots_meter
        FOR EACH ROW EXECUTE FUNCTION jackpots_terms_are_signed();
    CREATE TRIGGER never_deleted BEFORE DELETE ON jackpots_meter
        FOR EACH ROW EXECUTE FUNCTION pitboss_never_changed();
    """,
    """
    DROP TRIGGER terms_are_signed ON jackpots_meter;
    DROP TRIGGER never_deleted ON jackpots_meter;
    DROP FUNCTION jackpots_terms_are_signed();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("jackpots", "0001_initial"), ("pitboss", "0006_journal_heads")]

    operations = [
        never_changed("jackpots_metercontribution"),
        never_changed("jackpots_meterentry"),
        never_changed("jackpots_meterreading"),
        CONTRIBUTION,
        ENTRY,
        TERMS,
    ]
