"""The floor log: what terminals ask for, and what supervisors say and note, in ink."""

from django.db import migrations

from pitboss.ink import never_changed


class Migration(migrations.Migration):
    dependencies = [("tables", "0003_rounds")]

    operations = [
        never_changed("tables_floorrequest"),
        never_changed("tables_floorentry"),
        migrations.RunSQL(
            """
            CREATE FUNCTION tables_floor_entry_fits() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF NEW.answers_id IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM tables_floorrequest AS asked
                    WHERE asked.id = NEW.answers_id AND asked.table_id = NEW.table_id
                        AND asked.kind = NEW.kind AND asked.facts = NEW.facts
                ) THEN
                    RAISE EXCEPTION 'an entry answers what its own table asked'
                        USING ERRCODE = 'check_violation';
                END IF;
                IF NEW.under_id IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM tables_floorentry AS standing
                    WHERE standing.id = NEW.under_id AND standing.kind = 'standing'
                        AND standing.facts ->> 'what' = NEW.kind
                        AND standing.table_id = NEW.table_id AND standing.by_id = NEW.by_id
                        AND standing.gaming_day = NEW.gaming_day AND standing.shift = NEW.shift
                ) THEN
                    RAISE EXCEPTION 'no such instruction stands at this table in this shift'
                        USING ERRCODE = 'check_violation';
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER fits BEFORE INSERT ON tables_floorentry
                FOR EACH ROW EXECUTE FUNCTION tables_floor_entry_fits();
            """,
            """
            DROP TRIGGER fits ON tables_floorentry;
            DROP FUNCTION tables_floor_entry_fits();
            """,
        ),
    ]
