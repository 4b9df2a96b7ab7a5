"""What stands at a table until its end: a supervisor's orders, and keys that someone has."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from pitboss.models.choices import choices, known
from pitboss.rules.floor.incidents import PIT_KEYS
from pitboss.rules.games.table_orders import OrderEnd, OrderKind


class TableOrder(models.Model):
    """An order that payout checks follow, from its entry in the floor log to its end.

    In pencil for its end alone; a trigger keeps the rest.
    """

    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=8, choices=choices(OrderKind))
    entry = models.OneToOneField("tables.FloorEntry", on_delete=models.PROTECT, related_name="+")
    seat = models.PositiveSmallIntegerField(null=True)
    facts = models.JSONField()
    began_at = models.DateTimeField()
    # An irregular hand that no one ended is over by then.
    holds_until = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    end = models.CharField(max_length=12, blank=True, choices=choices(OrderEnd))

    class Meta:
        constraints = [
            models.CheckConstraint(name="order_kind_known", condition=known("kind", OrderKind)),
            models.CheckConstraint(
                name="order_ends_after_it_began_and_says_why",
                condition=Q(ended_at=None, end="")
                | (Q(ended_at__isnull=False, ended_at__gte=F("began_at")) & known("end", OrderEnd)),
            ),
            models.CheckConstraint(
                name="flat_bet_is_of_a_seat", condition=~Q(kind="flat_bet") | Q(seat__isnull=False)
            ),
            models.UniqueConstraint(
                fields=["table", "seat"],
                condition=Q(kind="flat_bet", ended_at=None),
                name="one_flat_bet_a_seat",
            ),
        ]
        indexes = [
            models.Index(fields=["table"], name="order_standing", condition=Q(ended_at=None)),
            models.Index(fields=["table", "began_at"], name="order_by_table_and_time"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} at {self.table_id}"


class KeyLoan(models.Model):
    """Keys of a pit in someone's hand, from signing them out to signing them in."""

    pit = models.ForeignKey("pitboss.Pit", on_delete=models.PROTECT, related_name="+")
    key = models.CharField(max_length=20)
    taken = models.OneToOneField("tables.FloorEntry", on_delete=models.PROTECT, related_name="+")
    returned = models.OneToOneField(
        "tables.FloorEntry", on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(name="pit_key_known", condition=Q(key__in=list(PIT_KEYS))),
            models.UniqueConstraint(
                fields=["pit", "key"], condition=Q(returned=None), name="keys_in_one_hand"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key} of pit {self.pit_id}"
