"""Withdrawn requests in ink: a request is answered or withdrawn, never both."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import never_changed

# The service holds the table; whoever writes past it waits here for the other.
ONE_OF_BOTH = migrations.RunSQL(
    """
    CREATE FUNCTION tables_answered_or_withdrawn() RETURNS trigger
        LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    DECLARE
        request bigint;
    BEGIN
        request := CASE TG_TABLE_NAME
            WHEN 'tables_floorentry' THEN to_jsonb(NEW)->>'answers_id'
            ELSE to_jsonb(NEW)->>'asked_id' END;
        PERFORM pg_advisory_xact_lock(hashtextextended('request:' || request, 0));
        IF TG_TABLE_NAME = 'tables_floorentry' AND EXISTS (
            SELECT FROM tables_requestwithdrawal WHERE asked_id = request)
        THEN
            RAISE EXCEPTION 'answer refused: request % was withdrawn', request
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF TG_TABLE_NAME = 'tables_requestwithdrawal' AND EXISTS (
            SELECT FROM tables_floorentry WHERE answers_id = request)
        THEN
            RAISE EXCEPTION 'withdrawal refused: request % was answered', request
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER answered_or_withdrawn BEFORE INSERT ON tables_floorentry
        FOR EACH ROW WHEN (NEW.answers_id IS NOT NULL)
        EXECUTE FUNCTION tables_answered_or_withdrawn();
    CREATE TRIGGER answered_or_withdrawn BEFORE INSERT ON tables_requestwithdrawal
        FOR EACH ROW EXECUTE FUNCTION tables_answered_or_withdrawn();
    """,
    """
    DROP TRIGGER answered_or_withdrawn ON tables_floorentry;
    DROP TRIGGER answered_or_withdrawn ON tables_requestwithdrawal;
    DROP FUNCTION tables_answered_or_withdrawn();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0028_paid_twice")]

    operations = [
        migrations.CreateModel(
            name="RequestWithdrawal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "asked",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawal",
                        to="tables.floorrequest",
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "terminal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="pitboss.device",
                    ),
                ),
            ],
        ),
        never_changed("tables_requestwithdrawal"),
        ONE_OF_BOTH,
    ]
