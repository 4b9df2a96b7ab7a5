"""Orders of a supervisor and keys of a pit: in pencil for their end alone."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tables", "0004_floor_log")]

    operations = [
        migrations.RunSQL(
            """
            CREATE FUNCTION tables_only_ends() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF to_jsonb(OLD) - TG_ARGV[0]::text[] <> to_jsonb(NEW) - TG_ARGV[0]::text[]
                    OR to_jsonb(OLD) ->> TG_ARGV[1] IS NOT NULL
                THEN
                    RAISE EXCEPTION 'a row of % only ever ends, once', TG_TABLE_NAME
                        USING ERRCODE = 'check_violation';
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER only_ends BEFORE UPDATE ON tables_tableorder FOR EACH ROW
                EXECUTE FUNCTION tables_only_ends('{ended_at,end}', 'ended_at');
            CREATE TRIGGER only_ends BEFORE UPDATE ON tables_keyloan FOR EACH ROW
                EXECUTE FUNCTION tables_only_ends('{returned_id}', 'returned_id');
            CREATE TRIGGER never_goes BEFORE DELETE ON tables_tableorder FOR EACH ROW
                EXECUTE FUNCTION pitboss_never_changed();
            CREATE TRIGGER never_goes BEFORE DELETE ON tables_keyloan FOR EACH ROW
                EXECUTE FUNCTION pitboss_never_changed();
            CREATE TRIGGER never_emptied BEFORE TRUNCATE ON tables_tableorder
                FOR EACH STATEMENT EXECUTE FUNCTION pitboss_never_changed();
            CREATE TRIGGER never_emptied BEFORE TRUNCATE ON tables_keyloan
                FOR EACH STATEMENT EXECUTE FUNCTION pitboss_never_changed();
            """,
            """
            DROP TRIGGER only_ends ON tables_tableorder;
            DROP TRIGGER only_ends ON tables_keyloan;
            DROP TRIGGER never_goes ON tables_tableorder;
            DROP TRIGGER never_goes ON tables_keyloan;
            DROP TRIGGER never_emptied ON tables_tableorder;
            DROP TRIGGER never_emptied ON tables_keyloan;
            DROP FUNCTION tables_only_ends();
            """,
        ),
    ]
