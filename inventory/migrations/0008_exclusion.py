"""Exclusion lists in ink, comparisons and cases under seal, and no decision that two did not sign."""

from django.db import migrations

from pitboss.ink import never_changed, sealed

# Past the service too: a list counts by a slip that all have signed about this very file, a row ends
# with a later version of its own list, and a case is decided by the slip that says so.
LISTS_HOLD = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_list_version_holds() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper JOIN inventory_listupload AS upload
              ON upload.id = NEW.upload_id AND upload.list = NEW.list
            WHERE paper.id = NEW.slip_id AND paper.kind = 'list_import' AND paper.status = 'done'
              AND (paper.details->>'upload')::bigint = NEW.upload_id
              AND paper.details->>'sha256' = upload.content_hash) THEN
            RAISE EXCEPTION 'list refused: no signed slip puts this file in force'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER list_version_holds BEFORE INSERT ON inventory_listversion
        FOR EACH ROW EXECUTE FUNCTION inventory_list_version_holds();

    CREATE FUNCTION inventory_list_row_ends() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM inventory_listrow AS row JOIN inventory_listversion AS version
              ON version.id = NEW.version_id AND version.list = row.list
            WHERE row.id = NEW.row_id AND row.version_id < version.id) THEN
            RAISE EXCEPTION 'row refused: it ends with a later version of its own list'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER list_row_ends BEFORE INSERT ON inventory_listrowend
        FOR EACH ROW EXECUTE FUNCTION inventory_list_row_ends();

    CREATE FUNCTION inventory_case_is_decided() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper
            WHERE paper.id = NEW.slip_id AND paper.status = 'done'
              AND paper.kind = 'exclusion_' || NEW.decision
              AND (paper.details->>'case')::bigint = NEW.case_id) THEN
            RAISE EXCEPTION 'case refused: no slip signed by two people decides it so'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER case_is_decided BEFORE INSERT ON inventory_caseend
        FOR EACH ROW EXECUTE FUNCTION inventory_case_is_decided();
    """,
    """
    DROP TRIGGER case_is_decided ON inventory_caseend;
    DROP FUNCTION inventory_case_is_decided();
    DROP TRIGGER list_row_ends ON inventory_listrowend;
    DROP FUNCTION inventory_list_row_ends();
    DROP TRIGGER list_version_holds ON inventory_listversion;
    DROP FUNCTION inventory_list_version_holds();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("inventory", "0007_patron_seals"), ("pitboss", "0019_beside")]

    operations = [
        LISTS_HOLD,
        never_changed("inventory_caseend"),
        never_changed("inventory_listrow"),
        never_changed("inventory_listrowend"),
        never_changed("inventory_listupload"),
        never_changed("inventory_listversion"),
        sealed("inventory_exclusioncase"),
        sealed("inventory_listcheck"),
    ]
