"""A seal or a bag that was written down wrong is corrected on a step of its own."""

from django.db import migrations

from pitboss.ink import altered

_STAYS = (
    "received",
    "vaulted",
    "in_pit",
    "spare",
    "shuffler",
    "in_play",
    "removed",
    "bagged_uncancelled",
    "collected_uncancelled",
    "cancelled",
    "bagged",
    "collected",
    "held",
)
_ROWS = ", ".join(f"('corrected', '{state}', '{state}')" for state in _STAYS)


class Migration(migrations.Migration):
    dependencies = [("inventory", "0015_payment_corrections")]

    operations = [
        altered(
            "inventory_card_step_follows_the_life",
            [
                (
                    "('vaulted', 'received', 'vaulted')",
                    f"('vaulted', 'received', 'vaulted'), {_ROWS}",
                ),
                (
                    "WHEN NEW.act = 'to_table' AND NEW.seal <> here.seal THEN 'the seal is another'",
                    """WHEN NEW.act = 'to_table' AND NEW.seal <> here.seal THEN 'the seal is another'
            WHEN NEW.act = 'corrected' AND EXISTS (
                SELECT FROM inventory_cardmove AS other
                WHERE other.card_set_id <> NEW.card_set_id
                  AND (NEW.seal <> '' AND other.seal = NEW.seal
                    OR NEW.bag <> '' AND other.bag = NEW.bag))
                THEN 'that number is of another set'""",
                ),
            ],
        ),
        # It lies where it lay, since it was put there: how long it is kept does not begin again.
        altered(
            "inventory_card_place_follows_the_step",
            [
                (
                    "since = NEW.at,",
                    "since = CASE WHEN NEW.act = 'corrected' THEN here.since ELSE NEW.at END,",
                )
            ],
        ),
        altered(
            "inventory_card_place_is_kept",
            [
                (
                    "AND newest.at = NEW.since",
                    "AND (newest.at = NEW.since OR newest.act = 'corrected')",
                )
            ],
        ),
    ]
