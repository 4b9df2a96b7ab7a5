"""What a session of the count team keeps besides its slip: counts of boxes, who is in the room."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from pitboss.rules.drop.sessions import FIRST, SECOND, ColumnMap


class BoxTally(models.Model):
    """One member's count of one box. Of several first counts the newest holds.

    A second count is kept only when it finds the same; a trigger holds it to that too.
    """

    session = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="tallies")
    pull = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    turn = models.PositiveSmallIntegerField()
    figures = models.JSONField()
    documents = models.JSONField(default=list)
    unreadable = models.PositiveSmallIntegerField(default=0)
    # The file of a counting machine that it came from.
    file = models.ForeignKey("CountFile", on_delete=models.PROTECT, null=True, related_name="+")
    person = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    request_id = models.UUIDField()

    class Meta:
        verbose_name_plural = "box tallies"
        constraints = [
            models.UniqueConstraint(fields=["request_id", "pull"], name="one_tally_a_request"),
            models.UniqueConstraint(
                fields=["session", "pull"],
                condition=Q(turn=SECOND),
                name="one_second_count_a_box",
            ),
            models.CheckConstraint(
                name="tally_is_first_or_second", condition=Q(turn__in=[FIRST, SECOND])
            ),
        ]
        indexes = [models.Index(fields=["session", "pull"], name="tally_by_session_and_box")]

    def __str__(self) -> str:
        return f"{self.session_id} {self.pull_id} {self.turn}"


class CountFile(models.Model):
    """A counting machine's file that was taken into a session, whole or not at all."""

    session = models.ForeignKey(
        "pitboss.Slip", on_delete=models.PROTECT, related_name="count_files"
    )
    name = models.CharField(max_length=120)
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64, unique=True)
    person = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    def __str__(self) -> str:
        return self.name


class MachineMap(models.Model):
    """What a counting machine calls its columns. Of several with one name the newest holds."""

    name = models.CharField(max_length=40)
    box_tag = models.CharField(max_length=40)
    compartment = models.CharField(max_length=40, blank=True)
    denomination = models.CharField(max_length=40)
    pieces = models.CharField(max_length=40)
    in_dollars = models.BooleanField()
    person = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    def __str__(self) -> str:
        return self.name

    @property
    def columns(self) -> ColumnMap:
        return ColumnMap(
            self.box_tag, self.compartment, self.denomination, self.pieces, self.in_dollars
        )


class RoomMove(models.Model):
    """A member left the count room, or came back, with badge and PIN."""

    session = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="room_moves")
    person = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    is_back = models.BooleanField()
    at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    def __str__(self) -> str:
        return f"{self.person_id} {'back' if self.is_back else 'left'}"
