"""Incidents in ink: what was saved, and its one report."""

from django.db import migrations

from pitboss.ink import never_changed

# The slip of a report is about that very incident.
REPORT_IS_OF_IT = migrations.RunSQL(
    """
    CREATE FUNCTION tables_report_is_of_incident() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper
            WHERE paper.id = NEW.slip_id AND paper.kind = 'incident_report'
              AND (paper.details->>'incident')::bigint = NEW.incident_id)
        THEN
            RAISE EXCEPTION 'report of incident % refused: its slip is about another', NEW.incident_id
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER report_is_of_incident BEFORE INSERT ON tables_incidentreport
        FOR EACH ROW EXECUTE FUNCTION tables_report_is_of_incident();
    """,
    """
    DROP TRIGGER report_is_of_incident ON tables_incidentreport;
    DROP FUNCTION tables_report_is_of_incident();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0024_comp_expiry_and_tiers"), ("pitboss", "0025_accounts")]

    operations = [
        never_changed("tables_incident"),
        never_changed("tables_incidentreport"),
        REPORT_IS_OF_IT,
    ]
