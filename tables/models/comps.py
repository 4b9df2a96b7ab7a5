"""Comps: what a patron was given on their play, what became of each, and points by hand."""

from __future__ import annotations

from enum import StrEnum, unique

from django.db import models
from django.db.models import F, Q

from pitboss.models.choices import choices, known


@unique
class CompKind(StrEnum):
    """What is given free or below its price. The values are stored."""

    MEAL = "meal"
    ROOM = "room"
    SHOW = "show"
    TRAVEL = "travel"
    GIFT = "gift"
    # Paid at the cage by two, never from a tray.
    CASH = "cash"

    @property
    def label(self) -> str:
        return self.value.capitalize()


@unique
class ValuedBy(StrEnum):
    """What a comp is worth by: its price where it is sold here, else what it costs the house."""

    RETAIL = "retail"
    COST = "cost"


@unique
class CompMove(StrEnum):
    """What can happen to a comp. It counts as given from when it is reserved until it is voided."""

    RESERVED = "reserved"
    ISSUED = "issued"
    REDEEMED = "redeemed"
    VOIDED = "voided"
    # What was not redeemed in time was not given.
    EXPIRED = "expired"


class Comp(models.Model):
    """Something given to a patron, on the slip that its issuer signed. Never changed."""

    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="comp")
    patron = models.ForeignKey("inventory.Patron", on_delete=models.PROTECT, related_name="comps")
    kind = models.CharField(max_length=8, choices=choices(CompKind))
    value_cents = models.PositiveBigIntegerField()
    valued_by = models.CharField(max_length=6, choices=choices(ValuedBy))
    issuer = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    # The first gaming day of the trip that it is drawn on, and what that had earned and given.
    trip_began = models.DateField()
    earned_cents = models.PositiveBigIntegerField()
    given_cents = models.PositiveBigIntegerField()
    gaming_day = models.DateField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(name="comp_kind_known", condition=known("kind", CompKind)),
            models.CheckConstraint(
                name="comp_valued_by_known", condition=known("valued_by", ValuedBy)
            ),
            models.CheckConstraint(name="a_comp_gives_something", condition=Q(value_cents__gt=0)),
            models.CheckConstraint(
                name="a_comp_is_drawn_on_a_trip_that_began",
                condition=Q(trip_began__lte=F("gaming_day")),
            ),
        ]
        indexes = [
            models.Index(fields=["patron", "-trip_began"], name="comp_by_trip"),
            models.Index(fields=["gaming_day", "patron"], name="comp_by_day"),
        ]

    def __str__(self) -> str:
        return f"{CompKind(self.kind).label} {self.slip}"


class CompEntry(models.Model):
    """One thing that happened to a comp. Never changed."""

    comp = models.ForeignKey(Comp, on_delete=models.PROTECT, related_name="entries")
    move = models.CharField(max_length=8, choices=choices(CompMove))
    amount_cents = models.PositiveBigIntegerField()
    # Where it was redeemed.
    outlet = models.CharField(max_length=60, blank=True, default="")
    # The slip that did it; none for what another system redeems.
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, null=True, related_name="+")
    device = models.ForeignKey(
        "pitboss.Device", on_delete=models.PROTECT, null=True, related_name="+"
    )
    request_id = models.UUIDField(null=True, unique=True)
    gaming_day = models.DateField()
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "comp entries"
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(name="comp_move_known", condition=known("move", CompMove)),
            models.CheckConstraint(
                name="a_comp_entry_moves_something", condition=Q(amount_cents__gt=0)
            ),
            models.CheckConstraint(
                name="a_comp_is_redeemed_somewhere",
                condition=(Q(move="redeemed") & ~Q(outlet=""))
                | (~Q(move="redeemed") & Q(outlet="")),
            ),
            models.CheckConstraint(
                name="only_a_redemption_has_no_slip",
                condition=Q(slip__isnull=False, request_id=None)
                | Q(move="redeemed", device__isnull=False, request_id__isnull=False)
                | Q(move="expired", slip=None, device=None, request_id=None),
            ),
            *(
                models.UniqueConstraint(
                    fields=["comp"], name=f"a_comp_is_{move}_once", condition=Q(move=move)
                )
                for move in ("reserved", "issued", "voided", "expired")
            ),
        ]
        indexes = [models.Index(fields=["gaming_day", "move"], name="comp_entry_by_day")]

    def __str__(self) -> str:
        return f"{self.comp_id} {self.move} {self.amount_cents}"


class PointsEntry(models.Model):
    """Points that two people of two departments added or took. Points of play are never typed."""

    patron = models.ForeignKey("inventory.Patron", on_delete=models.PROTECT, related_name="points")
    points = models.BigIntegerField()
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    gaming_day = models.DateField()
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "points entries"
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(name="points_change_something", condition=~Q(points=0)),
        ]

    def __str__(self) -> str:
        return f"{self.points} points of {self.patron_id}"


class PatronHost(models.Model):
    """Who looks after a patron, from an instant on. The newest row holds; none: no one does."""

    patron = models.ForeignKey("inventory.Patron", on_delete=models.PROTECT, related_name="hosts")
    host = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+"
    )
    since = models.DateTimeField()
    # The slip that assigned them, or the loyalty system that did.
    slip = models.OneToOneField(
        "pitboss.Slip", on_delete=models.PROTECT, null=True, related_name="+"
    )
    device = models.ForeignKey(
        "pitboss.Device", on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                name="a_host_is_assigned_by_a_slip_or_a_system",
                condition=Q(slip__isnull=False, device=None) | Q(slip=None, device__isnull=False),
            ),
        ]
        indexes = [
            models.Index(fields=["patron", "-id"], name="host_latest"),
            models.Index(fields=["host", "-id"], name="host_patrons"),
        ]

    def __str__(self) -> str:
        return f"host of {self.patron_id}"


class PatronTier(models.Model):
    """Which tier of the loyalty club a patron has, as its own system says. The newest row holds."""

    patron = models.ForeignKey("inventory.Patron", on_delete=models.PROTECT, related_name="tiers")
    tier = models.CharField(max_length=30)
    since = models.DateTimeField()
    device = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["patron", "-id"], name="tier_latest")]

    def __str__(self) -> str:
        return f"{self.tier} of {self.patron_id}"


class Relation(models.Model):
    """Someone who works here is related to a patron, as confirmed. They rate and comp them never.

    One that ended is the next row.
    """

    person = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    patron = models.ForeignKey(
        "inventory.Patron", on_delete=models.PROTECT, related_name="relations"
    )
    ended = models.BooleanField(default=False)
    since = models.DateTimeField()
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["patron", "person", "-id"], name="relation_latest")]

    def __str__(self) -> str:
        return f"{self.person_id} and {self.patron_id}"


class LossLimit(models.Model):
    """What a patron asked to be spoken to at: a loss in one gaming day. The newest counts.

    Without an amount they have none of their own; the house's stays.
    """

    patron = models.ForeignKey(
        "inventory.Patron", on_delete=models.PROTECT, related_name="loss_limits"
    )
    loss_cents = models.PositiveBigIntegerField(null=True)
    since = models.DateTimeField()
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                name="a_loss_limit_is_an_amount", condition=Q(loss_cents=None) | Q(loss_cents__gt=0)
            ),
        ]
        indexes = [models.Index(fields=["patron", "-id"], name="loss_limit_latest")]

    def __str__(self) -> str:
        return f"{self.patron_id} {self.loss_cents}"
