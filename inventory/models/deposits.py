"""Money that patrons keep at the cage, and the checks and wires that paid their markers."""

from __future__ import annotations

from enum import StrEnum, unique

from django.db import models
from django.db.models import Q

from pitboss.models.choices import choices, known
from pitboss.rules.patrons.collecting import ContactBy
from pitboss.rules.patrons.payment_means import Means


@unique
class DepositAccount(StrEnum):
    """What a patron’s money at the cage is for. Safekeeping is never played."""

    FRONT_MONEY = "front_money"
    SAFEKEEPING = "safekeeping"

    @property
    def label(self) -> str:
        return self.value.replace("_", " ")


@unique
class DepositMove(StrEnum):
    """What can happen to a deposit."""

    DEPOSITED = "deposited"
    WITHDRAWN = "withdrawn"
    # Paid a marker: no cash left the cage.
    PAID_MARKER = "paid_marker"
    # Played at a table: set aside when it is requested, and given back when that is voided.
    DRAWN = "drawn"
    PUT_BACK = "put_back"
    # A correction found that there should be more, or less.
    RAISED = "raised"
    LOWERED = "lowered"


class DepositEntry(models.Model):
    """One thing that happened to a patron’s deposit. What they have is a sum over these."""

    patron = models.ForeignKey(
        "inventory.Patron", on_delete=models.PROTECT, related_name="deposit_entries"
    )
    account = models.CharField(max_length=12, choices=choices(DepositAccount))
    move = models.CharField(max_length=12, choices=choices(DepositMove))
    amount_cents = models.PositiveBigIntegerField()
    # A check that was deposited can be used when it has cleared.
    usable_at = models.DateTimeField()
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    gaming_day = models.DateField()
    shift = models.CharField(max_length=20)
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "deposit entries"
        constraints = [
            models.UniqueConstraint(fields=["slip", "move"], name="a_slip_moves_a_deposit_once"),
            models.CheckConstraint(
                name="deposit_account_known", condition=known("account", DepositAccount)
            ),
            models.CheckConstraint(name="deposit_move_known", condition=known("move", DepositMove)),
            models.CheckConstraint(
                name="a_deposit_entry_moves_something", condition=Q(amount_cents__gt=0)
            ),
            models.CheckConstraint(
                name="only_front_money_is_played",
                condition=~Q(move__in=["paid_marker", "drawn", "put_back"])
                | Q(account="front_money"),
            ),
        ]
        indexes = [models.Index(fields=["patron", "account"], name="deposit_by_patron")]

    def __str__(self) -> str:
        return f"{self.patron_id} {self.account} {self.move} {self.amount_cents}"


class PaymentInstrument(models.Model):
    """A check, wire or the like that paid markers, and when the credit line is free of it."""

    patron = models.ForeignKey(
        "inventory.Patron", on_delete=models.PROTECT, related_name="instruments"
    )
    means = models.CharField(max_length=16, choices=choices(Means))
    amount_cents = models.PositiveBigIntegerField()
    # The bank or maker, and the number of the check, order or wire.
    issuer = models.CharField(max_length=60, blank=True)
    reference = models.CharField(max_length=60, blank=True)
    free_at = models.DateTimeField()
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="instrument")
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(name="payment_means_known", condition=known("means", Means)),
            models.CheckConstraint(
                name="an_instrument_is_an_amount", condition=Q(amount_cents__gt=0)
            ),
            models.CheckConstraint(
                name="a_check_or_wire_is_named",
                condition=Q(means__in=["front_money", "set_off"])
                | (~Q(issuer="") & ~Q(reference="")),
            ),
            models.CheckConstraint(
                name="only_a_personal_check_clears_later",
                condition=Q(means="personal_check", free_at__gte=models.F("at"))
                | Q(free_at=models.F("at")),
            ),
        ]
        indexes = [models.Index(fields=["patron", "free_at"], name="instrument_by_patron")]

    def __str__(self) -> str:
        return f"{self.means} {self.amount_cents} on {self.slip_id}"


class CheckDeposit(models.Model):
    """One check that went to the bank in a batch: a marker, or a check that paid markers."""

    marker = models.ForeignKey(
        "inventory.Marker", on_delete=models.PROTECT, null=True, related_name="bank_deposits"
    )
    instrument = models.ForeignKey(
        PaymentInstrument, on_delete=models.PROTECT, null=True, related_name="bank_deposits"
    )
    patron = models.ForeignKey(
        "inventory.Patron", on_delete=models.PROTECT, related_name="bank_deposits"
    )
    amount_cents = models.PositiveBigIntegerField()
    # The first time, or once more after it came back.
    attempt = models.PositiveSmallIntegerField()
    # When the credit line is free of it.
    free_at = models.DateTimeField()
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="bank_deposits")
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                name="a_bank_deposit_is_of_one_check",
                condition=Q(marker=None, instrument__isnull=False)
                | Q(marker__isnull=False, instrument=None),
            ),
            models.CheckConstraint(
                name="a_bank_deposit_is_an_amount", condition=Q(amount_cents__gt=0)
            ),
            models.CheckConstraint(
                name="a_check_is_deposited_twice_at_most", condition=Q(attempt__in=[1, 2])
            ),
            models.UniqueConstraint(
                fields=["marker", "attempt"], name="a_marker_is_deposited_once_a_time"
            ),
            models.UniqueConstraint(
                fields=["instrument", "attempt"], name="an_instrument_is_deposited_once_a_time"
            ),
        ]
        indexes = [models.Index(fields=["patron", "free_at"], name="bank_deposit_by_patron")]

    def __str__(self) -> str:
        return f"{self.marker_id or self.instrument_id} deposited on {self.slip_id}"


class ReturnedCheck(models.Model):
    """A check that the bank did not pay. What it had paid is owed again."""

    instrument = models.OneToOneField(
        PaymentInstrument, on_delete=models.PROTECT, related_name="returned"
    )
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.instrument_id} returned"


class ReturnedDeposit(models.Model):
    """A marker that the bank did not pay, or another check that it returned a second time."""

    deposit = models.OneToOneField(CheckDeposit, on_delete=models.PROTECT, related_name="returned")
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.deposit_id} returned"


class CollectionContact(models.Model):
    """One time that someone talked to a patron about what they owe, or tried to."""

    patron = models.ForeignKey(
        "inventory.Patron", on_delete=models.PROTECT, related_name="collection_contacts"
    )
    how = models.CharField(max_length=16, choices=choices(ContactBy))
    says = models.CharField(max_length=500)
    # When someone asks again, or the patron promised to pay.
    next_on = models.DateField(null=True)
    made_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(name="contact_way_known", condition=known("how", ContactBy)),
            models.CheckConstraint(name="a_contact_says_something", condition=~Q(says="")),
        ]
        indexes = [models.Index(fields=["patron", "-id"], name="contact_by_patron")]

    def __str__(self) -> str:
        return f"{self.patron_id} {self.how} {self.at}"
