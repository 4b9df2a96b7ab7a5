"""Tax forms are in ink: on complete papers, for what the payment withheld; and before that, none."""

from django.db import migrations

from pitboss.ink import never_changed

# What is opened with the hit and closed by complete papers stands between it and its payment.
PAPERS_FIRST = migrations.RunSQL(
    """
    CREATE FUNCTION jackpots_papers_first() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (SELECT FROM jackpots_jackpot AS hit
                   JOIN pitboss_floorexception AS due ON due.slip_id = hit.slip_id
                   WHERE hit.id = NEW.jackpot_id AND due.code = 'tax_papers'
                     AND due.resolved_at IS NULL) THEN
            RAISE EXCEPTION 'the tax papers of this jackpot are not complete'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER papers_first BEFORE INSERT ON jackpots_jackpotpayment
        FOR EACH ROW EXECUTE FUNCTION jackpots_papers_first();
    """,
    """
    DROP TRIGGER papers_first ON jackpots_jackpotpayment;
    DROP FUNCTION jackpots_papers_first();
    """,
)


ON_COMPLETE_PAPERS = migrations.RunSQL(
    """
    CREATE FUNCTION jackpots_form_has_papers() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (SELECT FROM pitboss_slip AS papers
                       JOIN jackpots_jackpot AS hit ON hit.slip_id = papers.refers_to_id
                       JOIN jackpots_jackpotpayment AS paid ON paid.jackpot_id = hit.id
                       WHERE papers.id = NEW.papers_id AND papers.kind = 'tax_papers'
                         AND papers.status = 'done' AND hit.id = NEW.jackpot_id) THEN
            RAISE EXCEPTION 'a tax form goes out on complete papers of a paid jackpot'
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.issue <> 'original' AND NOT EXISTS (
            SELECT FROM pitboss_slip AS correction
            JOIN jackpots_taxform AS before ON before.id = NEW.replaces_id
            WHERE correction.id = NEW.slip_id AND correction.kind = 'tax_correction'
              AND correction.status = 'done'
              AND (correction.details->>'form')::bigint = NEW.replaces_id
              AND before.account = NEW.account AND before.number + 1 = NEW.number
              AND before.issue <> 'void') THEN
            RAISE EXCEPTION 'a tax form is corrected on a slip that two people signed'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER form_has_papers BEFORE INSERT ON jackpots_taxform
        FOR EACH ROW EXECUTE FUNCTION jackpots_form_has_papers();
    """,
    """
    DROP TRIGGER form_has_papers ON jackpots_taxform;
    DROP FUNCTION jackpots_form_has_papers();
    """,
)


# Looked at when the transaction ends: the payment comes first, then the forms on it.
FORMS_SAY_WHAT_IS_WITHHELD = migrations.RunSQL(
    """
    CREATE FUNCTION jackpots_forms_say_what_is_withheld() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.withheld_cents <> (
            SELECT coalesce(sum(federal_cents + state_cents), 0) FROM jackpots_taxform
            WHERE jackpot_id = NEW.jackpot_id AND issue = 'original') THEN
            RAISE EXCEPTION 'what is withheld stands on no tax form'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER forms_say_what_is_withheld
        AFTER INSERT ON jackpots_jackpotpayment DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION jackpots_forms_say_what_is_withheld();
    """,
    """
    DROP TRIGGER forms_say_what_is_withheld ON jackpots_jackpotpayment;
    DROP FUNCTION jackpots_forms_say_what_is_withheld();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("jackpots", "0003_hits")]

    operations = [
        never_changed("jackpots_taxform"),
        never_changed("jackpots_taxpdf"),
        PAPERS_FIRST,
        ON_COMPLETE_PAPERS,
        FORMS_SAY_WHAT_IS_WITHHELD,
    ]
