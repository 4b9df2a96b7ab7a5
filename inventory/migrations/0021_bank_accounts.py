"""Bank accounts in ink: proposed by one, approved by another, and named by every marker as such."""

import django.db.models.deletion
from django.db import migrations, models

from pitboss.ink import never_changed

APPROVED = migrations.RunSQL(
    """
    -- The account that two people approved last: by its own slip, or with the first line.
    CREATE FUNCTION inventory_bank_account_of(of_patron bigint) RETURNS bigint
    LANGUAGE sql STABLE AS $$
        SELECT coalesce(
            (SELECT document_id FROM inventory_bankaccount
             WHERE patron_id = of_patron ORDER BY id DESC LIMIT 1),
            (SELECT bank_account_id FROM inventory_creditline
             WHERE patron_id = of_patron AND bank_account_id IS NOT NULL
             ORDER BY id DESC LIMIT 1))
    $$;
    CREATE FUNCTION inventory_is_bank_account_of(account bigint, of_patron bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
        SELECT EXISTS (SELECT FROM inventory_patrondocument WHERE id = account
                       AND patron_id = of_patron AND kind = 'bank_account')
    $$;
    CREATE FUNCTION inventory_bank_account_is_signed_for() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM FROM inventory_patron WHERE id = NEW.patron_id FOR NO KEY UPDATE;
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper
            JOIN pitboss_signature AS one ON one.slip_id = paper.id
                AND one.track = 'main' AND one.step = 'proposed'
            JOIN pitboss_signature AS other ON other.slip_id = paper.id
                AND other.track = 'main' AND other.step = 'approved'
                AND other.person_id <> one.person_id
            WHERE paper.id = NEW.slip_id AND paper.kind = 'bank_account'
              AND paper.status = 'done'
              AND paper.details->>'patron' = NEW.patron_id::text
              AND paper.details->>'document' = NEW.document_id::text
              AND (paper.details->>'instead_of')::bigint
                  IS NOT DISTINCT FROM inventory_bank_account_of(NEW.patron_id))
            OR NOT inventory_is_bank_account_of(NEW.document_id, NEW.patron_id) THEN
            RAISE EXCEPTION 'bank account refused: no slip that two signed says so'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER signed_for BEFORE INSERT ON inventory_bankaccount
        FOR EACH ROW EXECUTE FUNCTION inventory_bank_account_is_signed_for();
    CREATE FUNCTION inventory_line_names_the_account() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        approved bigint;
        told text;
    BEGIN
        IF NEW.bank_account_id IS NULL THEN
            RETURN NEW;
        END IF;
        approved := inventory_bank_account_of(NEW.patron_id);
        SELECT details->>'bank_account' INTO told FROM pitboss_slip WHERE id = NEW.slip_id;
        IF NEW.bank_account_id <> coalesce(approved, NEW.bank_account_id)
            OR told IS DISTINCT FROM NEW.bank_account_id::text
            OR NOT inventory_is_bank_account_of(NEW.bank_account_id, NEW.patron_id) THEN
            RAISE EXCEPTION 'a line changes no bank account' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER names_the_account BEFORE INSERT ON inventory_creditline
        FOR EACH ROW EXECUTE FUNCTION inventory_line_names_the_account();
    CREATE FUNCTION inventory_marker_names_the_account() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
    BEGIN
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        IF paper.kind IN ('marker', 'consolidation')
            AND (paper.details->>'bank_account')::bigint
                IS DISTINCT FROM inventory_bank_account_of(NEW.patron_id) THEN
            RAISE EXCEPTION 'marker % is drawn on an account that nobody approved', paper.serial
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER names_the_account BEFORE INSERT ON inventory_marker
        FOR EACH ROW EXECUTE FUNCTION inventory_marker_names_the_account();
    """,
    """
    DROP TRIGGER names_the_account ON inventory_marker;
    DROP FUNCTION inventory_marker_names_the_account();
    DROP TRIGGER names_the_account ON inventory_creditline;
    DROP FUNCTION inventory_line_names_the_account();
    DROP TRIGGER signed_for ON inventory_bankaccount;
    DROP FUNCTION inventory_bank_account_is_signed_for();
    DROP FUNCTION inventory_is_bank_account_of(bigint, bigint);
    DROP FUNCTION inventory_bank_account_of(bigint);
    """,
)


class Migration(migrations.Migration):
    dependencies = [("inventory", "0020_late_deposits"), ("pitboss", "0032_cheques_of_the_house")]

    operations = [
        migrations.CreateModel(
            name="BankAccount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField()),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="inventory.patrondocument",
                    ),
                ),
                (
                    "patron",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bank_accounts",
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
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["patron", "-id"], name="bank_account_latest")
                ],
            },
        ),
        APPROVED,
        never_changed("inventory_bankaccount"),
    ]
