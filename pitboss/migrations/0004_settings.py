"""Settings of the house: values with a date, each on a slip that two people signed."""

import django.db.models.deletion
from django.db import migrations, models

from pitboss.ink import never_changed

# Whoever writes a value past the service needs a slip that is signed through, says the same, and does
# not reach back: what held yesterday held.
VALUE_IS_SIGNED = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_setting_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
        approved_at timestamptz;
    BEGIN
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        SELECT max(s.signed_at) INTO approved_at
        FROM pitboss_signature AS s WHERE s.slip_id = NEW.slip_id AND s.track = 'main';
        IF paper.kind IS DISTINCT FROM 'setting_change' OR paper.status <> 'done'
           OR paper.details->>'key' IS DISTINCT FROM NEW.key
           OR NOT paper.details ? 'value'
           OR NEW.holds_from <> coalesce((paper.details->>'holds_from')::timestamptz, approved_at)
           OR NEW.holds_from < approved_at THEN
            RAISE EXCEPTION 'setting % refused: no slip signed by two people says this', NEW.key
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER setting_is_signed BEFORE INSERT ON pitboss_settingvalue
        FOR EACH ROW EXECUTE FUNCTION pitboss_setting_is_signed();
    """,
    """
    DROP TRIGGER setting_is_signed ON pitboss_settingvalue;
    DROP FUNCTION pitboss_setting_is_signed();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0003_days")]

    operations = [
        migrations.RemoveField(model_name="property", name="late_entry_days"),
        migrations.RemoveField(model_name="property", name="pull_within_minutes"),
        migrations.CreateModel(
            name="SettingValue",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=60)),
                ("holds_from", models.DateTimeField()),
                (
                    "slip",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="pitboss.slip",
                    ),
                ),
            ],
            options={"ordering": ["id"]},
        ),
        VALUE_IS_SIGNED,
        never_changed("pitboss_settingvalue"),
    ]
