"""The ledger knows sets: promotional cheques lie in no tray, others only at the tables of their set.

A cheque is set and denomination in one number, set * 100,000,000 + cents, so every row from before
is of set 0, main, and no row changes.
"""

from django.db import migrations, models

# What a set is stands on the slip of its newest row that holds by then. Of the main set there is
# none until it is withdrawn. Tournament and non-value sets begin with number 8.
SET_IS_IN_PLAY = """
    CREATE FUNCTION inventory_set_is_in_play() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        of_set int := NEW.denomination_cents / 100000000;
        said jsonb;
    BEGIN
        SELECT paper.details->'value' INTO said
        FROM pitboss_settingvalue AS changed JOIN pitboss_slip AS paper ON paper.id = changed.slip_id
        WHERE changed.key = 'cheques.set.' || of_set AND changed.holds_from <= NEW.at
        ORDER BY changed.holds_from DESC, changed.id DESC LIMIT 1;
        IF NEW.source = 'cage' AND NEW.target = 'carrier' AND NOT coalesce(
            (said->>'in_play')::boolean, of_set = 0) THEN
            RAISE EXCEPTION 'set % is out of play: no fill ships it', of_set
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF of_set >= 8 AND NEW.table_id IS NOT NULL AND NOT coalesce(said->'tables' ? (
            SELECT name FROM pitboss_table WHERE id = NEW.table_id), false) THEN
            RAISE EXCEPTION 'set % is not of this table', of_set
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER set_is_in_play BEFORE INSERT ON inventory_chequetransfer FOR EACH ROW
        WHEN (NEW.source = 'cage' AND NEW.target = 'carrier' OR NEW.denomination_cents >= 800000000)
        EXECUTE FUNCTION inventory_set_is_in_play();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0017_slip_first_credits"),
        ("pitboss", "0032_cheques_of_the_house"),
    ]

    operations = [
        migrations.AddConstraint(
            model_name="chequetransfer",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("denomination_cents__gte", 500000000),
                    ("denomination_cents__lt", 800000000),
                    models.Q(
                        ("source__in", ("tray", "carrier")),
                        ("target__in", ("tray", "carrier")),
                        _connector="OR",
                    ),
                    _negated=True,
                ),
                name="promotional_in_no_tray",
            ),
        ),
        migrations.RunSQL(
            SET_IS_IN_PLAY,
            """
            DROP TRIGGER set_is_in_play ON inventory_chequetransfer;
            DROP FUNCTION inventory_set_is_in_play();
            """,
        ),
    ]
