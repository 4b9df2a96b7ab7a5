"""What dealers answer to their evaluations: once, in ink, and only to their own."""

from django.db import migrations

from pitboss.ink import never_changed


class Migration(migrations.Migration):
    dependencies = [("tables", "0018_drop_runs_and_count_sessions")]

    operations = [
        never_changed("tables_evaluationanswer"),
        migrations.RunSQL(
            """
            CREATE FUNCTION tables_own_evaluation() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF NOT EXISTS (
                    SELECT 1 FROM tables_floorentry entry JOIN pitboss_person dealer
                        ON dealer.badge = entry.facts ->> 'badge'
                    WHERE entry.id = NEW.entry_id AND entry.kind = 'evaluation'
                        AND dealer.id = NEW.dealer_id
                ) THEN
                    RAISE EXCEPTION 'only the dealer answers an evaluation'
                        USING ERRCODE = 'check_violation';
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER own_evaluation BEFORE INSERT ON tables_evaluationanswer
                FOR EACH ROW EXECUTE FUNCTION tables_own_evaluation();
            """,
            """
            DROP TRIGGER own_evaluation ON tables_evaluationanswer;
            DROP FUNCTION tables_own_evaluation();
            """,
        ),
    ]
