"""The floor: one property, its pits and tables, and the devices that are bound to places."""

from __future__ import annotations

import json
from datetime import date, datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models import Q
from django.db.models.functions import JSONObject
from django.utils import timezone
from django.utils.functional import cached_property

from pitboss.models.choices import choices, known
from pitboss.models.house import SettingValue
from pitboss.models.sealed import Sealed, SealedManager
from pitboss.rules.cheques.sets import is_of_cheques, learn_cheque
from pitboss.rules.day.gaming_day import Clock, Period, day_start
from pitboss.rules.games.table_setup import CardProfile
from pitboss.rules.roles import Place, Role
from pitboss.rules.settings.in_force import DatedValue, SettingsInForce, in_force, period_at


class PropertyManager(models.Manager["Property"]):
    """Reads the property and, in the same query, every value of its settings."""

    def get_queryset(self) -> models.QuerySet[Property]:
        values = SettingValue.objects.order_by("id").values(
            row=JSONObject(key="key", value="slip__details__value", holds_from="holds_from")
        )
        return super().get_queryset().annotate(setting_rows=ArraySubquery(values))

    def the_one(self) -> Property:
        """Return the property. Every act asks for it, so its statement is composed only once."""
        try:
            here = Property._base_manager.raw(*_statement())[0]
        except IndexError:
            raise Property.DoesNotExist from None
        # No one reads what a raw statement adds to a row: JSON comes as its text.
        vars(here)["setting_rows"] = [json.loads(row) for row in vars(here)["setting_rows"]]
        return here


@cache
def _statement() -> tuple[str, tuple[Any, ...]]:
    statement: tuple[str, tuple[Any, ...]] = Property.objects.filter(pk=1).query.sql_with_params()
    return statement


class Property(models.Model):
    """The house itself. One installation runs one property; what it may set is in its settings."""

    name = models.CharField(max_length=80)
    time_zone = models.CharField(max_length=64, default="America/New_York")
    # Its PINs and passwords are printed on the door: production refuses to start on it.
    is_demo = models.BooleanField(default=False)

    objects = PropertyManager()

    class Meta:
        verbose_name_plural = "properties"
        constraints = [
            models.CheckConstraint(name="there_is_one_property", condition=Q(id=1)),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    @cached_property
    def setting_values(self) -> list[DatedValue]:
        """Every value that was ever approved, in that order."""
        values = [
            DatedValue(row["key"], row["value"], datetime.fromisoformat(row["holds_from"]))
            # Read along by the manager.
            for row in vars(self)["setting_rows"]
        ]
        for value in values:
            if is_of_cheques(value.key):
                learn_cheque(value.key, value.value)
        return values

    def settings_at(self, now: datetime) -> SettingsInForce:
        """Return the settings that hold at an instant."""
        return in_force(self.setting_values, now)

    def clock_at(self, now: datetime) -> Clock:
        """Return how the house divides time at an instant."""
        return self.settings_at(now).clock(self.zone)

    @property
    def clock(self) -> Clock:
        """How the house divides time now."""
        return self.clock_at(timezone.now())

    def settings_of(self, day: date) -> SettingsInForce:
        """Return the settings with which a gaming day began: those that hold by the day."""
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=self.zone)
        return self.settings_at(day_start(self.clock_at(noon), day))

    def shifts_on(self, day: date) -> list[str]:
        """Return the names of the shifts of a gaming day, past ones as they were then."""
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=self.zone)
        return [shift.name for shift in self.clock_at(noon).shifts]

    def period_at(self, now: datetime) -> Period:
        """Return the gaming day and shift of an instant."""
        return period_at(self.setting_values, self.zone, now)


class Pit(models.Model):
    """A group of tables under one pit manager."""

    name = models.CharField(max_length=40, unique=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Table(Sealed):
    """A table and its tray. Its row is the lock under which its cheques move."""

    # Whether it is open follows from its openers and closers, the sequence from its transfers.
    PENCIL = frozenset({"is_open", "tray_sequence"})

    name = models.CharField(max_length=12, unique=True)
    pit = models.ForeignKey(Pit, on_delete=models.PROTECT, related_name="tables")
    game = models.CharField(max_length=40)
    decks = models.PositiveSmallIntegerField(default=6)
    minimum_cents = models.PositiveBigIntegerField()
    maximum_cents = models.PositiveBigIntegerField()
    # Cheques by denomination, in cents, that the tray should hold: {"2500": 100, …}.
    par = models.JSONField(default=dict)
    cards = models.CharField(
        max_length=12, choices=choices(CardProfile), default=CardProfile.SHUFFLER.value
    )
    # The setup that two people approved and on which the table was last opened, as its slip has it;
    # empty for a table that stands on the printed rules of its game.
    setup = models.JSONField(default=dict)
    is_open = models.BooleanField(default=False)
    # Advanced by every transfer into or out of the tray. A count names the number that it saw.
    tray_sequence = models.PositiveBigIntegerField(default=0)

    objects = SealedManager["Table"]()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                name="table_limits_in_order",
                condition=Q(minimum_cents__gt=0, maximum_cents__gte=models.F("minimum_cents")),
            ),
            models.CheckConstraint(name="table_cards_known", condition=known("cards", CardProfile)),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def par_cheques(self) -> dict[int, int]:
        return {int(cents): count for cents, count in self.par.items()}


class Device(Sealed):
    """A tablet, a desk screen or a table's terminal, bound to a place. It alone knows its token."""

    PENCIL = frozenset({"last_seen_at"})

    name = models.CharField(max_length=40, unique=True)
    place = models.CharField(max_length=16, choices=choices(Place))
    pit = models.ForeignKey(Pit, on_delete=models.PROTECT, null=True, blank=True)
    # Set for a terminal: it reads and acts on this table and on no other.
    table = models.ForeignKey(
        Table, on_delete=models.PROTECT, null=True, blank=True, related_name="terminals"
    )
    token_hash = models.CharField(max_length=64, unique=True)
    token_made_at = models.DateTimeField(null=True)
    # A token without an end opens nothing.
    token_ends_at = models.DateTimeField(null=True)
    # The token that follows: from its first use on it is the token, and the old one ends.
    next_token_hash = models.CharField(max_length=64, unique=True, null=True, blank=True)
    next_token_at = models.DateTimeField(null=True, blank=True)
    # Requests that were on their way with the old token still arrive.
    old_token_hash = models.CharField(max_length=64, blank=True)
    old_token_until = models.DateTimeField(null=True, blank=True)
    # The two who let it in: none for the first device of a property.
    enrolled_by = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+"
    )
    let_in_by = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+"
    )
    enrolled_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    # Of a terminal, to the minute.
    last_seen_at = models.DateTimeField(null=True, blank=True)

    objects = SealedManager["Device"]()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(name="device_place_known", condition=known("place", Place)),
            models.CheckConstraint(
                name="device_only_of_the_pit_has_a_pit", condition=Q(pit=None) | Q(place="pit")
            ),
            # A table may move to another pit; its terminal goes with it.
            models.CheckConstraint(
                name="terminal_stands_at_its_table_alone",
                condition=Q(table=None) | Q(place="pit", pit=None),
            ),
            models.CheckConstraint(
                name="device_let_in_by_two",
                condition=Q(let_in_by=None) | ~Q(let_in_by=models.F("enrolled_by")),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def where(self) -> dict[str, Any]:
        """Return where the device is, as the journal records it."""
        where: dict[str, Any] = {"device": self.name, "place": self.place, "pit": self.pit_id}
        return where if self.table_id is None else {**where, "table": self.table_id}


class RoundsTold(models.Model):
    """Whether a terminal reports every round of its table, as a manager said. The newest counts.

    Until someone says so it does not: where a round may be missing, bets are looked at.
    """

    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="rounds_told")
    tells_every_round = models.BooleanField()
    since = models.DateTimeField()
    by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name_plural = "rounds told"
        ordering = ["id"]
        indexes = [models.Index(fields=["device", "-id"], name="rounds_told_latest")]

    def __str__(self) -> str:
        return f"{self.device_id} {'every' if self.tells_every_round else 'some'} rounds"


class DeviceEnrolment(Sealed):
    """Leave for a device to enroll itself, or to get a new token, by a one-time code.

    One person asks for it. The code is made when another has signed, and is told to that one.
    """

    code_hash = models.CharField(max_length=64, unique=True, null=True, blank=True)
    name = models.CharField(max_length=40)
    place = models.CharField(max_length=16, choices=choices(Place))
    pit = models.ForeignKey(Pit, on_delete=models.PROTECT, null=True, blank=True)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, null=True, blank=True)
    # The device that gets a new token in place of its old one; none for a new device.
    renews = models.ForeignKey(Device, on_delete=models.PROTECT, null=True, related_name="+")
    offered_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    offered_as = models.CharField(max_length=24, choices=choices(Role), blank=True)
    offered_at = models.DateTimeField()
    let_in_by = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+"
    )
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    objects = SealedManager["DeviceEnrolment"]()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="code_of_a_device_takes_two_people",
                condition=Q(code_hash=None)
                | Q(let_in_by__isnull=False) & ~Q(let_in_by=models.F("offered_by")),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class WorkerHeartbeat(models.Model):
    """When each background worker was last seen alive."""

    name = models.CharField(max_length=40, primary_key=True)
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
