"""Currency reports as forms in ink, and cases that only compliance knows of."""

from django.db import migrations

from pitboss.ink import never_changed

# Past the service too: a report leaves by the slip that two people signed about this very form, it
# is filed by a form that left, and a decision of a SAR case has two people.
HOLDS = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_ctr_leaves_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper JOIN inventory_ctrform AS form
              ON form.id = NEW.form_id AND paper.details->>'sha256' = form.content_hash
            WHERE paper.id = NEW.slip_id AND paper.kind = 'ctr'
              AND paper.status = 'done' AND (paper.details->>'form')::bigint = NEW.form_id) THEN
            RAISE EXCEPTION 'batch refused: no slip signed by two people approves this form'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER ctr_leaves_signed BEFORE INSERT ON inventory_ctrbatchform
        FOR EACH ROW EXECUTE FUNCTION inventory_ctr_leaves_signed();

    CREATE FUNCTION inventory_ctr_is_filed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.outcome = 'filed' AND NOT EXISTS (
            SELECT FROM inventory_ctrfiling AS filing
              JOIN inventory_ctrform AS form ON form.id = filing.form_id
              JOIN inventory_ctrbatchform AS inside ON inside.form_id = form.id
            WHERE filing.closing_id = NEW.id AND NEW.reference ~ '^[0-9]{14}$'
              AND NEW.report_id IN (form.report_id, form.other_id)) THEN
            RAISE EXCEPTION 'report refused: it is filed by a form that was exported, with its BSA ID'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER ctr_is_filed AFTER INSERT ON inventory_currencyreportclosing
        DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION inventory_ctr_is_filed();

    CREATE FUNCTION inventory_sar_takes_two() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.answers_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM inventory_sarstep AS proposal
            WHERE proposal.id = NEW.answers_id AND proposal.kind = 'proposed'
              AND proposal.case_id = NEW.case_id
              AND (NEW.kind = 'withdrawn' OR proposal.taken_by_id <> NEW.taken_by_id)) THEN
            RAISE EXCEPTION 'case refused: a proposal is agreed to by another person'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER sar_takes_two BEFORE INSERT ON inventory_sarstep
        FOR EACH ROW EXECUTE FUNCTION inventory_sar_takes_two();
    """,
    """
    DROP TRIGGER sar_takes_two ON inventory_sarstep;
    DROP FUNCTION inventory_sar_takes_two();
    DROP TRIGGER ctr_is_filed ON inventory_currencyreportclosing;
    DROP FUNCTION inventory_ctr_is_filed();
    DROP TRIGGER ctr_leaves_signed ON inventory_ctrbatchform;
    DROP FUNCTION inventory_ctr_leaves_signed();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("inventory", "0013_late_markers"), ("pitboss", "0024_dual_rates")]

    operations = [
        HOLDS,
        never_changed("inventory_cashbehalf"),
        never_changed("inventory_cashtold"),
        never_changed("inventory_ctrbatch"),
        never_changed("inventory_ctrbatchform"),
        never_changed("inventory_ctrfiling"),
        never_changed("inventory_ctrform"),
        never_changed("inventory_sarcase"),
        never_changed("inventory_sarreading"),
        never_changed("inventory_sarstep"),
    ]
