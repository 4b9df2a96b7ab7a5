"""A chain's head goes one entry on at a time, to an entry that is there, and never back."""

from django.db import migrations

HEAD_ONLY_ADVANCES = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_head_begins_at_nothing() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.head_number <> 0 OR NEW.head_link <> '' THEN
            RAISE EXCEPTION 'chain % begins with no entry', NEW.name
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE FUNCTION pitboss_head_only_advances() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF (NEW.id, NEW.name, NEW.table_id) IS DISTINCT FROM (OLD.id, OLD.name, OLD.table_id) THEN
            RAISE EXCEPTION 'chain % keeps its name and its table', OLD.name
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.head_number <> OLD.head_number + 1 THEN
            RAISE EXCEPTION 'the head of chain % goes from % to %, not to %',
                OLD.name, OLD.head_number, OLD.head_number + 1, NEW.head_number
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF NOT EXISTS (
            SELECT FROM pitboss_journalentry AS entry
            WHERE entry.chain_id = NEW.id AND entry.number = NEW.head_number
              AND entry.link = NEW.head_link
        ) THEN
            RAISE EXCEPTION 'the head of chain % is no entry of it', OLD.name
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER begins_at_nothing BEFORE INSERT ON pitboss_journalchain
        FOR EACH ROW EXECUTE FUNCTION pitboss_head_begins_at_nothing();
    CREATE TRIGGER only_advances BEFORE UPDATE ON pitboss_journalchain
        FOR EACH ROW EXECUTE FUNCTION pitboss_head_only_advances();
    CREATE TRIGGER never_deleted BEFORE DELETE ON pitboss_journalchain
        FOR EACH ROW EXECUTE FUNCTION pitboss_never_changed();
    CREATE TRIGGER never_emptied BEFORE TRUNCATE ON pitboss_journalchain
        FOR EACH STATEMENT EXECUTE FUNCTION pitboss_never_changed();
    """,
    """
    DROP TRIGGER begins_at_nothing ON pitboss_journalchain;
    DROP TRIGGER only_advances ON pitboss_journalchain;
    DROP TRIGGER never_deleted ON pitboss_journalchain;
    DROP TRIGGER never_emptied ON pitboss_journalchain;
    DROP FUNCTION pitboss_head_begins_at_nothing();
    DROP FUNCTION pitboss_head_only_advances();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0005_shifts")]

    operations = [
        HEAD_ONLY_ADVANCES,
    ]
