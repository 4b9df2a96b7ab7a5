"""Markers, and what became of each: an append-only ledger of what patrons owe."""

from __future__ import annotations

from enum import StrEnum, unique
from typing import Final

from django.db import models
from django.db.models import F, Q

from pitboss.models.choices import choices, known


@unique
class MarkerMove(StrEnum):
    """What can happen to a marker. The line is taken when it is reserved, not when it is issued."""

    RESERVED = "reserved"
    ISSUED = "issued"
    PAID = "paid"
    # A check that paid it came back from the bank: it is owed again.
    RETURNED = "returned"
    VOIDED = "voided"
    TO_CAGE = "to_cage"
    TO_PIT = "to_pit"
    # It went to the bank: no longer owed unless it comes back.
    DEPOSITED = "deposited"
    # One check replaces several: these are given back, that one is owed.
    REPLACED = "replaced"
    REPLACES = "replaces"
    # No one expects it any more; what is paid all the same is a recovery.
    WRITTEN_OFF = "written_off"
    RECOVERED = "recovered"
    # It was issued to the wrong patron or for a wrong amount: the whole of it is taken back.
    CORRECTED = "corrected"
    # A payment on it was wrong: what it took off is owed again, until it is applied as it was.
    REVERSED = "reversed"


# What takes from what is owed on a marker; what gives it back; how it came to be owed.
TAKES: Final = (
    MarkerMove.VOIDED,
    MarkerMove.PAID,
    MarkerMove.DEPOSITED,
    MarkerMove.REPLACED,
    MarkerMove.WRITTEN_OFF,
    MarkerMove.CORRECTED,
)
GIVES_BACK: Final = (MarkerMove.RETURNED, MarkerMove.REVERSED)
LENDS: Final = (MarkerMove.ISSUED, MarkerMove.REPLACES)
# Done at the cage: no pit has it in its log.
_AT_THE_CAGE: Final = [
    "paid",
    "returned",
    "deposited",
    "replaced",
    "written_off",
    "recovered",
    "reversed",
]


class Marker(models.Model):
    """Money lent to a patron at a table, on the slip that they signed."""

    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="marker")
    patron = models.ForeignKey("inventory.Patron", on_delete=models.PROTECT, related_name="markers")
    amount_cents = models.PositiveBigIntegerField()
    # The line when it was issued, by how much it passes what remained, and what remained after.
    line_cents = models.PositiveBigIntegerField()
    over_line_cents = models.PositiveBigIntegerField(default=0)
    remaining_cents = models.PositiveBigIntegerField()
    issued_at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="a_marker_lends_something", condition=Q(amount_cents__gt=0)
            ),
            models.CheckConstraint(
                name="a_marker_passes_the_line_by_no_more_than_itself",
                condition=Q(over_line_cents__lte=F("amount_cents")),
            ),
        ]
        indexes = [models.Index(fields=["patron", "-id"], name="marker_by_patron")]

    def __str__(self) -> str:
        return str(self.slip)


class MarkerEntry(models.Model):
    """One thing that happened to a marker. What is owed on it is a sum over these."""

    marker = models.ForeignKey(Marker, on_delete=models.PROTECT, related_name="entries")
    move = models.CharField(max_length=12, choices=choices(MarkerMove))
    amount_cents = models.PositiveBigIntegerField()
    # How much of a payment was cash; the rest was cheques.
    cash_cents = models.PositiveBigIntegerField(default=0)
    # The pit in whose log it stands; none for what was paid at the cage.
    pit = models.ForeignKey("pitboss.Pit", on_delete=models.PROTECT, null=True, related_name="+")
    # Where a payment was taken, when that was a table.
    table = models.ForeignKey(
        "pitboss.Table", on_delete=models.PROTECT, null=True, related_name="+"
    )
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    gaming_day = models.DateField()
    shift = models.CharField(max_length=20)
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "marker entries"
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                name="marker_entry_move_known", condition=known("move", MarkerMove)
            ),
            models.CheckConstraint(
                name="marker_entry_moves_something", condition=Q(amount_cents__gt=0)
            ),
            models.CheckConstraint(
                name="only_a_payment_has_cash",
                condition=Q(cash_cents=0) | Q(move="paid", cash_cents__lte=F("amount_cents")),
            ),
            models.CheckConstraint(
                name="a_marker_is_in_the_log_of_a_pit",
                condition=Q(move__in=_AT_THE_CAGE) | Q(pit__isnull=False),
            ),
            # The line is taken once and given back once.
            *(
                models.UniqueConstraint(
                    fields=["marker"], name=f"a_marker_is_{move}_once", condition=Q(move=move)
                )
                for move in ("reserved", "issued", "voided", "replaced", "replaces", "corrected")
            ),
            models.UniqueConstraint(
                fields=["marker", "slip", "move"], name="a_slip_moves_a_marker_once"
            ),
        ]
        indexes = [
            models.Index(fields=["pit", "gaming_day"], name="marker_entry_by_pit_and_day"),
            models.Index(fields=["gaming_day", "move"], name="marker_entry_by_day"),
        ]

    def __str__(self) -> str:
        return f"{self.marker_id} {self.move} {self.amount_cents}"
