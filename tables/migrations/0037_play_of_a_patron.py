"""Ratings that end because the player is barred, cheques walked with by color, own loss limits."""

import django.db.models.deletion
from django.db import migrations, models

from pitboss.ink import never_changed

ENDS = ["left", "moved", "table_closed", "unattended", "day_turned", "barred"]
# A cheque's key is its set times a hundred million and its cents; sets from the fifth on are no money.
FITS = migrations.RunSQL(
    """
    CREATE FUNCTION tables_walked_adds_up() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.cheques <> '{}' AND NEW.amount_cents <> (
            SELECT sum(CASE WHEN key::bigint < 500000000 THEN key::bigint % 100000000 ELSE 0 END
                       * value::bigint)
            FROM jsonb_each_text(NEW.cheques)) THEN
            RAISE EXCEPTION 'what was walked with adds up to another amount'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER adds_up BEFORE INSERT ON tables_ratingmoney
        FOR EACH ROW EXECUTE FUNCTION tables_walked_adds_up();

    CREATE FUNCTION tables_loss_limit_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
        standing bigint;
        needed text := 'confirmed';
    BEGIN
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        SELECT loss_cents INTO standing FROM tables_losslimit
        WHERE patron_id = NEW.patron_id ORDER BY id DESC LIMIT 1;
        -- What stops a patron earlier counts from the first signature.
        IF NEW.loss_cents IS NOT NULL AND (standing IS NULL OR NEW.loss_cents < standing) THEN
            needed := 'entered';
        END IF;
        IF paper.kind <> 'loss_limit' OR (paper.details->>'patron')::bigint <> NEW.patron_id
           OR (paper.details->>'loss_cents')::bigint IS DISTINCT FROM NEW.loss_cents
           OR NOT EXISTS (SELECT FROM pitboss_signature WHERE slip_id = NEW.slip_id
                          AND track = 'main' AND step = needed) THEN
            RAISE EXCEPTION 'loss limit refused: no slip signed for it says this'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER signed BEFORE INSERT ON tables_losslimit
        FOR EACH ROW EXECUTE FUNCTION tables_loss_limit_is_signed();
    """,
    """
    DROP TRIGGER signed ON tables_losslimit;
    DROP TRIGGER adds_up ON tables_ratingmoney;
    DROP FUNCTION tables_loss_limit_is_signed();
    DROP FUNCTION tables_walked_adds_up();
    """,
)


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0017_slip_first_credits"),
        ("pitboss", "0034_rounds_told"),
        ("tables", "0036_calls_of_systems"),
    ]

    operations = [
        migrations.CreateModel(
            name="LossLimit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("loss_cents", models.PositiveBigIntegerField(null=True)),
                ("since", models.DateTimeField()),
                (
                    "patron",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="loss_limits",
                        to="inventory.patron",
                    ),
                ),
                (
                    "slip",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="pitboss.slip",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [models.Index(fields=["patron", "-id"], name="loss_limit_latest")],
                "constraints": [
                    models.CheckConstraint(
                        name="a_loss_limit_is_an_amount",
                        condition=models.Q(("loss_cents", None), ("loss_cents__gt", 0), _connector="OR"),
                    ),
                ],
            },
        ),
        never_changed("tables_losslimit"),
        migrations.AddField(
            model_name="ratingmoney",
            name="cheques",
            field=models.JSONField(default=dict),
        ),
        migrations.AddConstraint(
            model_name="ratingmoney",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind", "walked"), ("cheques", {}), _connector="OR"),
                name="only_what_was_walked_with_is_counted_by_color",
            ),
        ),
        migrations.RemoveConstraint(model_name="playrating", name="a_rating_ends_after_it_began"),
        migrations.AlterField(
            model_name="playrating",
            name="end",
            field=models.CharField(
                blank=True,
                choices=[
                    ("left", "Left"),
                    ("moved", "Moved"),
                    ("table_closed", "Table closed"),
                    ("unattended", "Unattended"),
                    ("day_turned", "Day turned"),
                    ("barred", "Barred"),
                ],
                default="",
                max_length=12,
            ),
        ),
        migrations.AddConstraint(
            model_name="playrating",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("end", ""), ("ended_at", None), ("ended_by", None), ("is_signed", False)
                    ),
                    models.Q(
                        ("ended_at__gte", models.F("began_at")),
                        ("end__in", ENDS),
                    ),
                    _connector="OR",
                ),
                name="a_rating_ends_after_it_began",
            ),
        ),
        FITS,
    ]
