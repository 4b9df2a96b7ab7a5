"""Limits of one person, and two signers behind every value that the house sets."""

import django.db.models.deletion
from django.db import migrations, models

from pitboss.ink import never_changed

# Whoever writes past the service can give a slip a plan of their own, so the plan is not asked: two
# people must have signed, and their paper must say what is written.
TWO_PEOPLE_SIGNED = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_two_people_signed(paper_id bigint, holds_from timestamptz)
    RETURNS boolean LANGUAGE sql STABLE AS $$
        SELECT paper.status = 'done' AND count(DISTINCT s.person_id) >= 2
           AND holds_from
               = coalesce((paper.details->>'holds_from')::timestamptz, max(s.signed_at))
           AND holds_from >= max(s.signed_at)
        FROM pitboss_slip AS paper
        JOIN pitboss_signature AS s ON s.slip_id = paper.id AND s.track = 'main'
        WHERE paper.id = paper_id
        GROUP BY paper.id
    $$;
    CREATE OR REPLACE FUNCTION pitboss_setting_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
    BEGIN
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        IF paper.kind = 'setting_change' AND paper.details->>'key' = NEW.key
           AND paper.details ? 'value'
           AND pitboss_two_people_signed(NEW.slip_id, NEW.holds_from) THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'setting % refused: no slip signed by two people says this', NEW.key
            USING ERRCODE = 'restrict_violation';
    END $$;
    CREATE FUNCTION pitboss_limit_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
    BEGIN
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        IF paper.kind = 'limit_change' AND paper.details->>'kind' = NEW.kind
           AND (paper.details->>'person')::bigint = NEW.person_id
           AND (paper.details->>'most_cents')::bigint IS NOT DISTINCT FROM NEW.most_cents
           AND pitboss_two_people_signed(NEW.slip_id, NEW.holds_from) THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'limit of % refused: no slip signed by two people says this', NEW.person_id
            USING ERRCODE = 'restrict_violation';
    END $$;
    CREATE TRIGGER limit_is_signed BEFORE INSERT ON pitboss_personlimit
        FOR EACH ROW EXECUTE FUNCTION pitboss_limit_is_signed();
    """,
    """
    DROP TRIGGER limit_is_signed ON pitboss_personlimit;
    DROP FUNCTION pitboss_limit_is_signed();
    CREATE OR REPLACE FUNCTION pitboss_setting_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
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
    DROP FUNCTION pitboss_two_people_signed(bigint, timestamptz);
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0007_shifts")]

    operations = [
        migrations.CreateModel(
            name="PersonLimit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                ("most_cents", models.PositiveBigIntegerField(null=True)),
                ("holds_from", models.DateTimeField()),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="limits",
                        to="pitboss.person",
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
            options={"ordering": ["id"]},
        ),
        TWO_PEOPLE_SIGNED,
        never_changed("pitboss_personlimit"),
    ]
