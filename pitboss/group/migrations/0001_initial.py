"""What the desk keeps. What came from a house is in ink, and follows without a gap."""

import django.db.models.deletion
from django.db import migrations, models

from pitboss.ink import never_changed

NEVER_CHANGED = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_never_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation';
    END $$;
    """,
    "DROP FUNCTION pitboss_never_changed();",
)
FOLLOWS = migrations.RunSQL(
    """
    CREATE FUNCTION group_statement_follows() RETURNS trigger
        LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    DECLARE
        last record;
    BEGIN
        PERFORM pg_advisory_xact_lock(1346982921, NEW.house_id::integer);
        SELECT number, digest, seal_number INTO last FROM group_statement
        WHERE house_id = NEW.house_id ORDER BY number DESC LIMIT 1;
        IF NEW.number <> coalesce(last.number, 0) + 1
           OR NEW.previous <> coalesce(last.digest, '')
           OR NEW.seal_number < coalesce(last.seal_number, 0) THEN
            RAISE EXCEPTION 'statement % does not follow', NEW.number
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER follows BEFORE INSERT ON group_statement
        FOR EACH ROW EXECUTE FUNCTION group_statement_follows();
    """,
    """
    DROP TRIGGER follows ON group_statement;
    DROP FUNCTION group_statement_follows();
    """,
)


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Reader",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                (
                    "last_login",
                    models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                ),
                ("name", models.CharField(max_length=60, unique=True)),
                ("is_active", models.BooleanField(default=True)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("locked_until", models.DateTimeField(null=True)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="House",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80, unique=True)),
                ("address", models.CharField(max_length=200, unique=True)),
                ("token_cipher", models.TextField()),
                ("token_at", models.DateTimeField()),
                ("added_at", models.DateTimeField()),
                ("tried_at", models.DateTimeField(null=True)),
                ("reached_at", models.DateTimeField(null=True)),
                ("trouble", models.CharField(blank=True, max_length=300)),
                ("is_doubted", models.BooleanField(default=False)),
                ("said_newest", models.PositiveIntegerField(default=0)),
                ("said_gaming_day", models.DateField(null=True)),
                ("said_closed_to", models.DateField(null=True)),
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="Doubt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
                ("codes", models.CharField(max_length=200)),
                ("sentence", models.TextField()),
                ("text", models.TextField()),
                ("key_mark", models.CharField(max_length=200)),
                ("signature", models.CharField(max_length=200)),
                ("at", models.DateTimeField()),
                (
                    "house",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="doubts",
                        to="group.house",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("house", "digest", "codes"), name="doubt_kept_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="HouseKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("mark", models.CharField(max_length=16)),
                ("public_key", models.CharField(max_length=64)),
                ("added_at", models.DateTimeField()),
                (
                    "house",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="keys",
                        to="group.house",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(fields=("house", "mark"), name="key_added_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Statement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("previous", models.CharField(blank=True, max_length=64)),
                ("digest", models.CharField(max_length=64)),
                ("gaming_day", models.DateField()),
                ("version", models.PositiveSmallIntegerField()),
                ("signer", models.CharField(max_length=200)),
                ("seal_number", models.BigIntegerField()),
                ("seal_link", models.CharField(max_length=200)),
                ("text", models.TextField()),
                ("key_mark", models.CharField(max_length=16)),
                ("signature", models.CharField(max_length=128)),
                ("received_at", models.DateTimeField()),
                ("tables", models.PositiveIntegerField()),
                ("open_tables", models.PositiveIntegerField()),
                ("win_cents", models.BigIntegerField()),
                ("drop_cents", models.BigIntegerField()),
                ("statistical_drop_cents", models.BigIntegerField()),
                ("fills_cents", models.BigIntegerField()),
                ("credits_cents", models.BigIntegerField()),
                ("markers_cents", models.BigIntegerField()),
                ("jackpots_cents", models.BigIntegerField()),
                ("exceptions", models.PositiveIntegerField()),
                ("carried_over", models.PositiveIntegerField()),
                ("mark", models.CharField(max_length=64)),
                (
                    "house",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="statements",
                        to="group.house",
                    ),
                ),
            ],
            options={
                "ordering": ["house", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("house", "number"), name="statement_kept_once"),
                    models.UniqueConstraint(
                        fields=("house", "gaming_day", "version"), name="version_kept_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__gt", 0), ("version__gt", 0)),
                        name="statement_is_numbered",
                    ),
                ],
            },
        ),
        NEVER_CHANGED,
        never_changed("group_housekey"),
        never_changed("group_statement"),
        never_changed("group_doubt"),
        FOLLOWS,
    ]
