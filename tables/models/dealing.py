"""Who deals where, and since when."""

from __future__ import annotations

from enum import StrEnum, unique

from django.db import models
from django.db.models import F, Q

from pitboss.models.choices import choices, known


class Dealing(models.Model):
    """One dealer at one table, from tapping in to tapping out."""

    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="dealings")
    dealer = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="dealings")
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(ended_at=None), name="one_dealer_a_table"
            ),
            models.UniqueConstraint(
                fields=["dealer"], condition=Q(ended_at=None), name="one_table_a_dealer"
            ),
            models.CheckConstraint(
                name="dealing_ends_after_it_began",
                condition=Q(ended_at=None) | Q(ended_at__gte=F("began_at")),
            ),
        ]
        # Who rests is asked of this shift alone.
        indexes = [models.Index(fields=["ended_at"], name="dealing_by_end")]

    def __str__(self) -> str:
        return f"{self.dealer_id} at {self.table_id}"


@unique
class Call(StrEnum):
    """What a supervisor says to a dealer of the string."""

    JOIN = "join"
    RELIEVE = "relieve"
    LEAVE = "leave"


class StringCall(models.Model):
    """A dealer is called into a pit's string, sent to relieve a table, or sent home. Kept as said.

    The newest of a dealer and shift counts; tapping in and out is what happens in the end.
    """

    pit = models.ForeignKey("pitboss.Pit", on_delete=models.PROTECT, related_name="+")
    dealer = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    call = models.CharField(max_length=8, choices=choices(Call))
    table = models.ForeignKey(
        "pitboss.Table", on_delete=models.PROTECT, null=True, related_name="+"
    )
    gaming_day = models.DateField()
    shift = models.CharField(max_length=20)
    called_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(name="string_call_known", condition=known("call", Call)),
            models.CheckConstraint(
                name="only_a_relief_names_a_table",
                condition=Q(call="relieve", table__isnull=False)
                | (~Q(call="relieve") & Q(table=None)),
            ),
            models.CheckConstraint(
                name="nobody_calls_themselves", condition=~Q(called_by=F("dealer"))
            ),
        ]
        indexes = [models.Index(fields=["gaming_day", "shift", "pit"], name="call_by_shift")]

    def __str__(self) -> str:
        return f"{self.dealer_id}: {self.call}"
