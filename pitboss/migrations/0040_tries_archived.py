"""Let tries at PINs go once they are archived, and none that is younger than a year."""

from django.db import migrations

# The service asks for the house's own time, and for the archive that has the try. What can be
# seen here is seen again: that it is a year old.
GOES = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_attempt_goes() RETURNS trigger
        LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    BEGIN
        IF OLD.at > now() - interval '365 days' THEN
            RAISE EXCEPTION 'attempt % is not a year old', OLD.id
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN OLD;
    END $$;
    CREATE TRIGGER attempt_goes BEFORE DELETE ON pitboss_attempt
        FOR EACH ROW EXECUTE FUNCTION pitboss_attempt_goes();
    """,
    """
    DROP TRIGGER attempt_goes ON pitboss_attempt;
    DROP FUNCTION pitboss_attempt_goes();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0039_plural_names")]

    operations = [GOES]
