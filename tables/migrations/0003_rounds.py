"""Rounds: in pencil while they are dealt, in ink once they have ended."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tables", "0002_ink")]

    operations = [
        migrations.RunSQL(
            """
            CREATE TRIGGER ended_round_stays BEFORE UPDATE ON tables_round
                FOR EACH ROW WHEN (OLD.ended_at IS NOT NULL)
                EXECUTE FUNCTION pitboss_never_changed();
            CREATE TRIGGER no_round_goes BEFORE DELETE ON tables_round
                FOR EACH ROW EXECUTE FUNCTION pitboss_never_changed();
            CREATE TRIGGER never_emptied BEFORE TRUNCATE ON tables_round
                FOR EACH STATEMENT EXECUTE FUNCTION pitboss_never_changed();
            """,
            """
            DROP TRIGGER ended_round_stays ON tables_round;
            DROP TRIGGER no_round_goes ON tables_round;
            DROP TRIGGER never_emptied ON tables_round;
            """,
        ),
    ]
