"""Meters: their terms in pencil, changed by approved slips alone; their figures in ink."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import F, Q

from pitboss.models.choices import choices, known
from pitboss.models.sealed import Sealed, SealedManager
from pitboss.rules.payouts.meters import FALLS, Cause, MeterSource, MeterTerms


class Meter(Sealed):
    """A jackpot that several tables may share. What it shows is the last of its entries."""

    # It follows from the meter's freezes, each of them in ink.
    PENCIL = frozenset({"epoch"})

    name = models.CharField(max_length=40, unique=True)
    wager = models.CharField(max_length=24)
    level = models.CharField(max_length=12)
    source = models.CharField(max_length=12, choices=choices(MeterSource))
    start_cents = models.PositiveBigIntegerField()
    reset_cents = models.PositiveBigIntegerField()
    rate_ppm = models.PositiveIntegerField()
    reserve_ppm = models.PositiveIntegerField()
    maximum_cents = models.PositiveBigIntegerField(null=True)
    # Advanced when a hit freezes the meter: a contribution says before or after which.
    epoch = models.PositiveIntegerField(default=0)
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="+")

    objects = SealedManager["Meter"]()

    class Meta:
        ordering = ["wager", "name"]
        constraints = [
            models.CheckConstraint(
                name="meter_source_known", condition=known("source", MeterSource)
            ),
            models.CheckConstraint(
                name="meter_takes_no_more_than_the_wager",
                condition=Q(rate_ppm__lte=1_000_000 - F("reserve_ppm")),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_posted(self) -> bool:
        return self.source == MeterSource.POSTED.value

    def terms(self) -> MeterTerms:
        """Return the terms in force."""
        return MeterTerms(
            name=self.name,
            wager=self.wager,
            level=self.level,
            source=MeterSource(self.source),
            start_cents=self.start_cents,
            reset_cents=self.reset_cents,
            rate_ppm=self.rate_ppm,
            reserve_ppm=self.reserve_ppm,
            maximum_cents=self.maximum_cents,
            tables=tuple(
                self.links.filter(until=None)
                .order_by("table__name")
                .values_list("table__name", flat=True)
            ),
        )


class MeterLink(Sealed):
    """A table that plays for a meter, from one approved slip to another."""

    meter = models.ForeignKey(Meter, on_delete=models.PROTECT, related_name="links")
    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="meter_links")
    wager = models.CharField(max_length=24)
    level = models.CharField(max_length=12)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)

    objects = SealedManager["MeterLink"]()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table", "wager", "level"],
                name="a_table_plays_for_one_meter_a_level",
                condition=Q(until=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} plays for {self.meter_id}"


# Ends the key of what is taken back when the stakes of a round went back.
BACK: Final = ":back"


class MeterContribution(models.Model):
    """What the wagers of one round at one table add. Appended while the meter's lock is shared.

    A round whose stakes went back has a second row that takes away what the first one added.
    """

    meter = models.ForeignKey(Meter, on_delete=models.PROTECT, related_name="contributions")
    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="+")
    epoch = models.PositiveIntegerField()
    wagers = models.SmallIntegerField()
    wager_cents = models.PositiveIntegerField()
    amount_microcents = models.BigIntegerField()
    reserve_microcents = models.BigIntegerField()
    gaming_day = models.DateField()
    at = models.DateTimeField()
    # Which round they were wagered in, so that it contributes once.
    key = models.CharField(max_length=80)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["meter", "key"], name="a_round_contributes_once"),
            models.CheckConstraint(
                name="contribution_adds_something",
                condition=Q(wagers__gt=0, amount_microcents__gte=0, reserve_microcents__gte=0)
                | Q(
                    wagers__lt=0,
                    amount_microcents__lte=0,
                    reserve_microcents__lte=0,
                    key__endswith=BACK,
                ),
            ),
        ]
        indexes = [
            models.Index(fields=["meter", "id"], name="contribution_of_meter"),
            models.Index(fields=["meter", "gaming_day"], name="contribution_by_day"),
        ]

    def __str__(self) -> str:
        return f"{self.wagers} wagers on {self.meter_id}"


class MeterEntry(models.Model):
    """One change of what a meter shows and of its reserve, numbered, with the figures after it."""

    meter = models.ForeignKey(Meter, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField()
    cause = models.CharField(max_length=16, choices=choices(Cause))
    amount_microcents = models.BigIntegerField()
    reserve_microcents = models.BigIntegerField(default=0)
    balance_microcents = models.BigIntegerField()
    reserve_balance_microcents = models.BigIntegerField()
    # The last contribution that the balance holds; 0 before the first.
    contributions_through = models.PositiveBigIntegerField()
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, null=True, related_name="+")
    # The round whose hits did this; none for what no hit did.
    freeze = models.ForeignKey(
        "jackpots.MeterFreeze", on_delete=models.PROTECT, null=True, related_name="entries"
    )
    gaming_day = models.DateField()
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "meter entries"
        constraints = [
            models.UniqueConstraint(fields=["meter", "number"], name="meter_entry_number_once"),
            models.CheckConstraint(name="meter_cause_known", condition=known("cause", Cause)),
            models.CheckConstraint(
                name="meter_falls_for_a_listed_reason",
                condition=Q(amount_microcents__gte=0)
                | Q(cause__in=sorted(fall.value for fall in FALLS), slip__isnull=False),
            ),
            models.CheckConstraint(
                name="meter_is_never_below_nothing", condition=Q(balance_microcents__gte=0)
            ),
        ]
        indexes = [models.Index(fields=["meter", "gaming_day"], name="meter_entry_by_day")]

    def __str__(self) -> str:
        return f"{self.meter_id} no. {self.number}: {self.cause}"


class MeterReading(models.Model):
    """What someone read on a meter, beside what wagers and slips say that it should show."""

    meter = models.ForeignKey(Meter, on_delete=models.PROTECT, related_name="readings")
    read_cents = models.PositiveBigIntegerField()
    expected_cents = models.PositiveBigIntegerField()
    read_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    gaming_day = models.DateField()
    at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    class Meta:
        indexes = [models.Index(fields=["meter", "gaming_day"], name="meter_reading_by_day")]

    def __str__(self) -> str:
        return f"{self.meter_id} read on {self.gaming_day}"

    @property
    def difference_cents(self) -> int:
        return self.read_cents - self.expected_cents
