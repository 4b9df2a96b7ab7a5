"""Drop boxes as things with tags, and what happens on a run: who watches, joins, and pulls what."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from pitboss.models.choices import choices, known
from pitboss.rules.drop.compartments import COMPARTMENTS_MAX, LETTERS, Turn
from pitboss.rules.drop.runs import REASON_MAX, TAG_MAX, BoxKind, BoxPlace


class DropBox(models.Model):
    """A box with a tag to scan. It is in one place, and on one table at a time."""

    tag = models.CharField(max_length=TAG_MAX, unique=True)
    kind = models.CharField(max_length=12, choices=choices(BoxKind), default=BoxKind.REGULAR.value)
    compartments = models.PositiveSmallIntegerField(default=1)
    place = models.CharField(max_length=12, choices=choices(BoxPlace), default=BoxPlace.STORE.value)
    table = models.OneToOneField(
        "pitboss.Table", on_delete=models.PROTECT, null=True, related_name="drop_box"
    )

    class Meta:
        verbose_name_plural = "drop boxes"
        constraints = [
            models.CheckConstraint(name="drop_box_kind_known", condition=known("kind", BoxKind)),
            models.CheckConstraint(name="drop_box_place_known", condition=known("place", BoxPlace)),
            models.CheckConstraint(
                name="drop_box_is_on_a_table_or_elsewhere",
                condition=Q(place=BoxPlace.TABLE.value, table__isnull=False)
                | (~Q(place=BoxPlace.TABLE.value) & Q(table=None)),
            ),
            models.CheckConstraint(
                name="drop_box_has_its_compartments",
                condition=Q(kind=BoxKind.MULTI.value, compartments__range=(2, COMPARTMENTS_MAX))
                | (~Q(kind=BoxKind.MULTI.value) & Q(compartments=1)),
            ),
        ]

    def __str__(self) -> str:
        return self.tag


class CompartmentTurn(models.Model):
    """A compartment of a box on its table was enabled, or locked on a count of the tray.

    The first one is enabled as its box goes on. A trigger holds each to the one before.
    """

    box = models.ForeignKey(DropBox, on_delete=models.PROTECT, related_name="turns")
    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="+")
    letter = models.CharField(max_length=1)
    turn = models.CharField(max_length=8, choices=choices(Turn))
    # The count that ends what is in it.
    count = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, null=True, related_name="+")
    person = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="compartment_turn_known", condition=known("turn", Turn)),
            models.CheckConstraint(
                name="compartment_letter_known", condition=Q(letter__in=list(LETTERS))
            ),
            models.CheckConstraint(
                name="compartment_is_locked_on_a_count",
                condition=Q(turn=Turn.LOCKED.value, count__isnull=False)
                | Q(turn=Turn.ENABLED.value, count=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.box_id} {self.letter} {self.turn}"


class RunWatch(models.Model):
    """Surveillance watches a run, from then on."""

    run = models.OneToOneField(
        "pitboss.Slip", on_delete=models.PROTECT, primary_key=True, related_name="run_watch"
    )
    person = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "run watches"

    def __str__(self) -> str:
        return f"{self.run_id} watched since {self.at}"


class RunPit(models.Model):
    """A supervisor joined a run for one pit, with badge and PIN: the boxes pulled there are seen.

    Anyone who joins later takes over.
    """

    run = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="run_pits")
    pit = models.ForeignKey("pitboss.Pit", on_delete=models.PROTECT, related_name="+")
    person = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    device = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    # What they read and signed.
    shown = models.TextField()
    request_id = models.UUIDField(unique=True)

    def __str__(self) -> str:
        return f"{self.run_id} joined at {self.at}"


class RunStop(models.Model):
    """What became of one table on a run: its box was pulled, or stays for a reason."""

    run = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="run_stops")
    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="+")
    pull = models.OneToOneField(
        "pitboss.Slip", on_delete=models.PROTECT, null=True, related_name="run_stop"
    )
    old_tag = models.CharField(max_length=TAG_MAX, blank=True)
    new_tag = models.CharField(max_length=TAG_MAX, blank=True)
    reason = models.CharField(max_length=REASON_MAX, blank=True)
    person = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "table"], name="one_stop_a_table_and_run"),
            models.CheckConstraint(
                name="run_stop_is_a_pull_or_a_reason",
                condition=(Q(pull__isnull=False, reason="") & ~Q(old_tag="") & ~Q(new_tag=""))
                | (Q(pull=None, old_tag="", new_tag="") & ~Q(reason="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.run_id} {self.table_id}"
