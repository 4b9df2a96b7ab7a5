"""A deposit, a withdrawal or a draw that was wrong is put right by an entry that a correction says."""

from django.db import migrations, models

from inventory.models import DepositMove
from pitboss.ink import altered
from pitboss.models.choices import choices, known

_HOLDS = [
    ("WHEN entry.move <> 'deposited' THEN", "WHEN entry.move NOT IN ('deposited', 'raised') THEN"),
    (
        "problem := CASE",
        """IF paper.kind = 'deposit_correction' THEN
            IF paper.status <> 'done' OR NEW.move NOT IN ('raised', 'lowered')
                OR NOT paper.details->'entries' @> jsonb_build_array(jsonb_build_object(
                    'patron', NEW.patron_id, 'account', NEW.account, 'move', NEW.move,
                    'amount_cents', NEW.amount_cents)) THEN
                RAISE EXCEPTION 'deposit % refused: its correction does not say so', paper.serial
                    USING ERRCODE = 'restrict_violation';
            END IF;
            RETURN NEW;
        END IF;
        problem := CASE
            WHEN NEW.move IN ('raised', 'lowered') THEN 'its slip is no correction'""",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("inventory", "0024_late_cards")]

    operations = [
        migrations.AlterField(
            model_name="depositentry",
            name="move",
            field=models.CharField(choices=choices(DepositMove), max_length=12),
        ),
        migrations.RemoveConstraint(model_name="depositentry", name="deposit_move_known"),
        migrations.AddConstraint(
            model_name="depositentry",
            constraint=models.CheckConstraint(
                condition=known("move", DepositMove), name="deposit_move_known"
            ),
        ),
        altered("inventory_deposit_holds", _HOLDS),
        altered(
            "inventory_cash_entry_holds",
            [
                (
                    "('cash_correction', 'payment_correction') OR",
                    "('cash_correction', 'payment_correction', 'deposit_correction') OR",
                )
            ],
        ),
    ]
