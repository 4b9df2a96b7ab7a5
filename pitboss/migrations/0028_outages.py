"""Forms for outages: their numbers, how each ends, and outages that close when none is out."""

from django.db import migrations

from pitboss.ink import never_changed

# A form ends on the late slip that bears its number, or on the papers of its own pack.
FORM_ENDS = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_form_ends() RETURNS trigger
        LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS slip, pitboss_paperform AS form
            WHERE slip.id = NEW.slip_id AND form.id = NEW.form_id AND CASE NEW.how
                WHEN 'entered' THEN slip.details->>'paper_number' LIKE
                    'P-' || form.code || '-' || lpad(form.number::text, 6, '0') || '-_'
                ELSE slip.kind = 'form_return' AND slip.refers_to_id = form.pack_id
                    OR slip.kind = 'form_pack' AND slip.id = form.pack_id AND NEW.how = 'void'
            END
        ) THEN
            RAISE EXCEPTION 'form % does not end as % on slip %', NEW.form_id, NEW.how, NEW.slip_id
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER form_ends BEFORE INSERT ON pitboss_paperformend
        FOR EACH ROW EXECUTE FUNCTION pitboss_form_ends();
    """,
    """
    DROP TRIGGER form_ends ON pitboss_paperformend;
    DROP FUNCTION pitboss_form_ends();
    """,
)

# No outage closes while a form is out that one of its places had received by its end.
NONE_MISSING = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_no_form_missing() RETURNS trigger
        LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    BEGIN
        IF EXISTS (
            SELECT FROM pitboss_slip AS outage
            JOIN pitboss_signature AS ended ON ended.slip_id = outage.id AND ended.step = 'ended'
            JOIN pitboss_slip AS pack ON pack.kind = 'form_pack' AND pack.status = 'done'
                AND outage.details->'scope' ? (pack.details->>'holder')
            JOIN pitboss_signature AS received ON received.slip_id = pack.id
                AND received.step IN ('received', 'received_cage')
                AND received.signed_at <= ended.signed_at
            JOIN pitboss_paperform AS form ON form.pack_id = pack.id
            LEFT JOIN pitboss_paperformend AS home ON home.form_id = form.id
            WHERE outage.id = NEW.slip_id AND outage.kind = 'outage' AND home.form_id IS NULL
        ) THEN
            RAISE EXCEPTION 'outage % closed while forms are missing', NEW.slip_id
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER no_form_missing AFTER INSERT ON pitboss_signature
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.step = 'closed' AND NEW.track = 'main')
        EXECUTE FUNCTION pitboss_no_form_missing();
    """,
    """
    DROP TRIGGER no_form_missing ON pitboss_signature;
    DROP FUNCTION pitboss_no_form_missing();
    """,
)

# A form is entered once, on whichever kind of late slip.
ENTERED_ONCE = migrations.RunSQL(
    """
    DROP INDEX one_entry_a_paper;
    CREATE UNIQUE INDEX one_entry_a_paper ON pitboss_slip ((details->>'paper_number'))
        WHERE details->>'paper_number' IS NOT NULL AND status <> 'voided';
    """,
    """
    DROP INDEX one_entry_a_paper;
    CREATE UNIQUE INDEX one_entry_a_paper ON pitboss_slip ((details->>'paper_number'))
        WHERE kind IN ('late_fill', 'late_credit', 'correction') AND status <> 'voided';
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0027_controller_and_collector")]

    operations = [
        never_changed("pitboss_paperform"),
        never_changed("pitboss_paperformend"),
        never_changed("pitboss_paperpicture"),
        FORM_ENDS,
        NONE_MISSING,
        ENTERED_ONCE,
    ]
