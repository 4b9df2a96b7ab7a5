"""Boxes with compartments: one is locked before the next one is enabled."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import never_changed

# As in `pitboss/rules/drop/compartments.py`: the first is enabled as the box goes on its table, a
# compartment is locked while it is in use, and the next one is enabled once it is locked.
IN_TURN = migrations.RunSQL(
    """
    CREATE FUNCTION tables_compartments_in_turn() RETURNS trigger
        LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    DECLARE
        on_table tables_dropbox;
        earlier tables_compartmentturn;
        problem text;
    BEGIN
        SELECT * INTO on_table FROM tables_dropbox WHERE id = NEW.box_id;
        SELECT * INTO earlier FROM tables_compartmentturn
        WHERE box_id = NEW.box_id ORDER BY id DESC LIMIT 1;
        problem := CASE
            WHEN on_table.table_id IS DISTINCT FROM NEW.table_id THEN 'its box is not on the table'
            WHEN ascii(NEW.letter) - ascii('A') >= on_table.compartments
                THEN 'its box has fewer compartments'
            WHEN NEW.letter = 'A' AND NEW.turn = 'enabled' THEN NULL
            WHEN earlier.table_id IS DISTINCT FROM NEW.table_id THEN 'it was not put on the table'
            WHEN NEW.turn = 'locked' AND (earlier.letter, earlier.turn) IS DISTINCT FROM
                (NEW.letter, 'enabled') THEN 'it is not in use'
            WHEN NEW.turn = 'enabled' AND (earlier.letter, earlier.turn) IS DISTINCT FROM
                (chr(ascii(NEW.letter) - 1), 'locked') THEN 'the one before is not locked'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'compartment % refused: %', NEW.letter, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER compartments_in_turn BEFORE INSERT ON tables_compartmentturn
        FOR EACH ROW EXECUTE FUNCTION tables_compartments_in_turn();
    """,
    """
    DROP TRIGGER compartments_in_turn ON tables_compartmentturn;
    DROP FUNCTION tables_compartments_in_turn();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0025_incidents"), ("pitboss", "0029_webhooks")]

    operations = [
        migrations.RemoveConstraint(model_name="dropbox", name="drop_box_kind_known"),
        migrations.AddField(
            model_name="dropbox",
            name="compartments",
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AlterField(
            model_name="dropbox",
            name="kind",
            field=models.CharField(
                choices=[("regular", "Regular"), ("emergency", "Emergency"), ("multi", "Multi")],
                default="regular",
                max_length=12,
            ),
        ),
        migrations.AddConstraint(
            model_name="dropbox",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["regular", "emergency", "multi"])),
                name="drop_box_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="dropbox",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("compartments__range", (2, 6)), ("kind", "multi")),
                    models.Q(models.Q(("kind", "multi"), _negated=True), ("compartments", 1)),
                    _connector="OR",
                ),
                name="drop_box_has_its_compartments",
            ),
        ),
        migrations.CreateModel(
            name="CompartmentTurn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("letter", models.CharField(max_length=1)),
                (
                    "turn",
                    models.CharField(
                        choices=[("enabled", "Enabled"), ("locked", "Locked")], max_length=8
                    ),
                ),
                ("at", models.DateTimeField()),
                ("request_id", models.UUIDField(unique=True)),
                (
                    "box",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="turns",
                        to="tables.dropbox",
                    ),
                ),
                (
                    "count",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="pitboss.slip",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="pitboss.table",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("turn__in", ["enabled", "locked"])),
                        name="compartment_turn_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("letter__in", ["A", "B", "C", "D", "E", "F"])),
                        name="compartment_letter_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("count__isnull", False), ("turn", "locked")),
                            models.Q(("count", None), ("turn", "enabled")),
                            _connector="OR",
                        ),
                        name="compartment_is_locked_on_a_count",
                    ),
                ],
            },
        ),
        never_changed("tables_compartmentturn"),
        IN_TURN,
    ]
