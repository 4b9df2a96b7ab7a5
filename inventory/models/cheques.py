"""The cheque ledger: transfers between places, append-only, and the counts between them."""

from __future__ import annotations

from enum import StrEnum, unique
from typing import Final

from django.db import models
from django.db.models import F, Q

from pitboss.models.choices import choices, known
from pitboss.rules.cheques.keys import NUMBERS, SET_STEP, SetKind


@unique
class Holder(StrEnum):
    """Where cheques can be. Outside is no place of the house: the maker, and the destroyer."""

    CAGE = "cage"
    TRAY = "tray"
    CARRIER = "carrier"
    PUBLIC = "public"
    VARIANCE = "variance"
    OUTSIDE = "outside"


_PROMOTIONAL: Final = NUMBERS[SetKind.PROMOTIONAL]
_ON_THE_FLOOR: Final = (Holder.TRAY.value, Holder.CARRIER.value)


class ChequeTransfer(models.Model):
    """Cheques of one set and denomination going from one place to another on one slip."""

    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="transfers")
    # Set and denomination in one number (`keys`); of the main set, the cents alone.
    denomination_cents = models.PositiveIntegerField()
    count = models.PositiveIntegerField()
    source = models.CharField(max_length=10, choices=choices(Holder))
    target = models.CharField(max_length=10, choices=choices(Holder))
    # Set exactly when a tray gives or takes: the table, and the tray's sequence after it.
    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, null=True)
    tray_sequence = models.PositiveBigIntegerField(null=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(name="transfer_moves_something", condition=Q(count__gt=0)),
            models.CheckConstraint(
                name="transfer_goes_elsewhere", condition=~Q(source=F("target"))
            ),
            models.CheckConstraint(name="transfer_source_known", condition=known("source", Holder)),
            models.CheckConstraint(name="transfer_target_known", condition=known("target", Holder)),
            models.CheckConstraint(
                name="transfer_of_a_tray_names_it",
                condition=(
                    (Q(source="tray") | Q(target="tray"))
                    & Q(table__isnull=False, tray_sequence__isnull=False)
                )
                | (~Q(source="tray") & ~Q(target="tray") & Q(table=None, tray_sequence=None)),
            ),
            # A promotional cheque goes from the player into the drop box and back to the cage.
            models.CheckConstraint(
                name="promotional_in_no_tray",
                condition=~(
                    Q(denomination_cents__gte=_PROMOTIONAL.start * SET_STEP)
                    & Q(denomination_cents__lt=_PROMOTIONAL.stop * SET_STEP)
                    & (Q(source__in=_ON_THE_FLOOR) | Q(target__in=_ON_THE_FLOOR))
                ),
            ),
            models.UniqueConstraint(
                fields=["table", "tray_sequence"], name="one_transfer_a_tray_sequence"
            ),
            models.UniqueConstraint(
                fields=["slip", "denomination_cents", "source", "target"],
                name="a_slip_moves_its_cheques_once",
            ),
        ]
        indexes = [
            # The cage's holding reads what came after its last count; it never looks further back.
            models.Index(
                fields=["id"],
                name="transfer_of_the_cage",
                condition=Q(source="cage") | Q(target="cage"),
            ),
            # So does the public's, from the last closed day; fills and credits never touch it.
            models.Index(
                fields=["id"],
                name="transfer_of_the_public",
                condition=Q(source="public") | Q(target="public"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.count} × {self.denomination_cents} {self.source}→{self.target}"


class TrayCount(models.Model):
    """A verified count of a tray, and the sequence that the tray had when it was counted."""

    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="counts")
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    tray_sequence = models.PositiveBigIntegerField()
    cheques = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["slip"], name="one_tray_count_a_slip"),
        ]
        indexes = [models.Index(fields=["table", "-tray_sequence", "-id"], name="count_latest")]

    def __str__(self) -> str:
        return f"{self.table_id} at {self.tray_sequence}"


class CageCount(models.Model):
    """What someone counted in the cage, and the last transfer that the count had seen.

    It stands once its slip is done: a second person found the same. Cheques go in and out of the
    cage all the while, so the count names its place in the ledger and waits for no one.
    """

    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    # The newest transfer of the cage when it was counted; 0 when there was none.
    after_transfer = models.PositiveBigIntegerField()
    cheques = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["slip"], name="one_cage_count_a_slip"),
        ]

    def __str__(self) -> str:
        return f"the cage after transfer {self.after_transfer}"


class PublicBalance(models.Model):
    """What the public held when a gaming day was closed, and the last transfer that is in it.

    No one can count the public, so nothing else ends its sum: without this every count would add
    up all that it ever won and lost.
    """

    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    # The newest transfer of the public when the day was closed; 0 when there was none.
    after_transfer = models.PositiveBigIntegerField()
    cheques = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["slip"], name="one_public_balance_a_slip"),
        ]

    def __str__(self) -> str:
        return f"the public after transfer {self.after_transfer}"
