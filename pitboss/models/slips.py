"""Slips and the signatures on them, in ink: the database refuses to change what is signed."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from pitboss.models.choices import choices, known
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import SlipStatus, Track
from pitboss.rules.roles import Place, Role


class SeriesCounter(models.Model):
    """The last number given in a series and year. Advanced in the transaction that uses it."""

    series = models.CharField(max_length=4)
    year = models.PositiveSmallIntegerField()
    last_number = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["series", "year"], name="one_counter_a_series_and_year")
        ]

    def __str__(self) -> str:
        return f"{self.series}-{self.year}: {self.last_number}"


class Slip(models.Model):
    """A numbered document about one table in one gaming day and shift."""

    kind = models.CharField(max_length=24)
    series = models.CharField(max_length=4)
    year = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    serial = models.CharField(max_length=20, unique=True)
    table = models.ForeignKey(
        "pitboss.Table", on_delete=models.PROTECT, null=True, related_name="slips"
    )
    gaming_day = models.DateField()
    shift = models.CharField(max_length=20)
    raised_at = models.DateTimeField()
    # {"2500": 40}: cheques by denomination in cents, and what they are worth together.
    cheques = models.JSONField(default=dict)
    total_cents = models.PositiveBigIntegerField()
    reason = models.CharField(max_length=500, blank=True)
    # What a kind of slip says besides cheques: a box's number, a paper's, slips outside a count.
    details = models.JSONField(default=dict)
    # The tray's sequence when its count began; none for slips that count no tray.
    tray_sequence = models.PositiveBigIntegerField(null=True)
    # The steps that this slip needs, resolved from its flow when it was raised.
    plan = models.JSONField()
    refers_to = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="referred_by"
    )
    status = models.CharField(
        max_length=12, choices=choices(SlipStatus), default=SlipStatus.OPEN.value
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["series", "year", "number"], name="slip_number_used_once"
            ),
            models.CheckConstraint(name="slip_status_known", condition=known("status", SlipStatus)),
        ]
        indexes = [
            models.Index(
                fields=["table"],
                name="slip_under_way",
                condition=Q(status__in=[SlipStatus.OPEN.value, SlipStatus.RETURNING.value]),
            ),
            models.Index(fields=["table", "gaming_day"], name="slip_by_table_and_day"),
            models.Index(fields=["gaming_day", "kind"], name="slip_by_day_and_kind"),
        ]

    def __str__(self) -> str:
        return self.serial

    @property
    def title(self) -> str:
        return FLOWS[self.kind].title

    @property
    def cheques_by_cents(self) -> dict[int, int]:
        return {int(cents): count for cents, count in self.cheques.items()}


class Signature(models.Model):
    """One person's signature on one step, with what they were shown. Never changed."""

    slip = models.ForeignKey(Slip, on_delete=models.PROTECT, related_name="signatures")
    track = models.CharField(max_length=8, choices=choices(Track))
    step = models.CharField(max_length=24)
    person = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    # As the person was known when they signed: names and licenses change, signatures do not.
    signed_as = models.CharField(max_length=110)
    role = models.CharField(max_length=24, choices=choices(Role))
    device = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, related_name="+")
    place = models.CharField(max_length=16, choices=choices(Place))
    signed_at = models.DateTimeField()
    shown = models.TextField()
    shown_hash = models.CharField(max_length=64)
    counted = models.JSONField(null=True)
    facts = models.JSONField(default=dict)
    reason = models.CharField(max_length=500, blank=True)
    request_id = models.UUIDField(unique=True)
    request_hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["slip", "track", "step"], name="step_signed_once"),
            models.CheckConstraint(name="signature_role_known", condition=known("role", Role)),
            models.CheckConstraint(name="signature_track_known", condition=known("track", Track)),
            models.CheckConstraint(
                name="administrators_sign_nothing",
                condition=~Q(role=Role.ADMINISTRATOR.value),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.step} by {self.signed_as}"


class SlipPrint(models.Model):
    """One printing of a part of a slip. Every one after the first says REPRINT."""

    slip = models.ForeignKey(Slip, on_delete=models.PROTECT, related_name="prints")
    copy = models.PositiveSmallIntegerField()
    printed_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    printed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["slip", "copy"], name="one_print_a_copy_number")
        ]

    def __str__(self) -> str:
        return f"{self.slip_id} copy {self.copy}"


class Waiting(models.Model):
    """What waits for whom, and since when. One row an open step or exception; kept when it ends."""

    slip = models.ForeignKey(Slip, on_delete=models.PROTECT, null=True, related_name="waits")
    exception = models.ForeignKey(
        "pitboss.FloorException", on_delete=models.PROTECT, null=True, related_name="waits"
    )
    step = models.CharField(max_length=24)
    # The roles that the step names; anyone who outranks them on their ladder may sign as well.
    by = ArrayField(models.CharField(max_length=24))
    place = models.CharField(max_length=16, choices=choices(Place), blank=True)
    pit = models.ForeignKey("pitboss.Pit", on_delete=models.PROTECT, null=True)
    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, null=True)
    since = models.DateTimeField()
    # After so long its clock is full, as the house had set it when the wait began.
    limit_seconds = models.PositiveIntegerField(default=300)
    until = models.DateTimeField(null=True, blank=True)
    # Ranks that were told because no one came, and when the last of them was.
    escalated_to = ArrayField(models.CharField(max_length=24), default=list)
    escalated_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="waiting_on_one_thing",
                condition=Q(slip__isnull=False, exception=None)
                | Q(slip=None, exception__isnull=False),
            ),
        ]
        indexes = [
            # The inbox, the board's badges and escalation all ask for what waits now.
            models.Index(fields=["since"], name="waiting_now", condition=Q(until=None)),
        ]

    def __str__(self) -> str:
        return f"{self.step} since {self.since}"
