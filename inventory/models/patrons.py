"""Patrons: who they are, what is on file of them, and how much they may borrow."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Upper

from pitboss.models.choices import choices, known
from pitboss.models.sealed import Sealed, SealedManager
from pitboss.rules.patrons.patrons import DocumentKind, Standing, TaxIdKind, masked


class Patron(Sealed):
    """Someone who plays here. Their tax id stands here in cipher, and is found by its index."""

    first_name = models.CharField(max_length=40, blank=True)
    middle_name = models.CharField(max_length=40, blank=True)
    # Of a company or trust that someone acts for, its legal name.
    last_name = models.CharField(max_length=120)
    is_entity = models.BooleanField(default=False)
    name_suffix = models.CharField(max_length=10, blank=True)
    street = models.CharField(max_length=80, blank=True)
    street_more = models.CharField(max_length=80, blank=True)
    city = models.CharField(max_length=60, blank=True)
    region = models.CharField(max_length=40, blank=True)
    postal_code = models.CharField(max_length=16, blank=True)
    country = models.CharField(max_length=2, default="US")
    born_on = models.DateField(null=True, blank=True)
    player_card = models.CharField(max_length=20, blank=True)
    tax_id_kind = models.CharField(max_length=8, choices=choices(TaxIdKind), blank=True)
    tax_id_cipher = models.TextField(blank=True)
    tax_id_index = models.CharField(max_length=64, blank=True)
    # What screens show of it.
    tax_id_ends = models.CharField(max_length=4, blank=True)
    tax_country = models.CharField(max_length=2, default="US")
    # The language that they read what they sign in; English unless they ask for another.
    language = models.CharField(max_length=5, blank=True, default="")
    added_at = models.DateTimeField()
    # None where a loyalty system put them on file.
    added_by = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+"
    )
    request_id = models.UUIDField(unique=True)

    objects = SealedManager["Patron"]()

    class Meta:
        ordering = ["last_name", "first_name", "id"]
        constraints = [
            # One person twice on file would have two lines of credit.
            models.UniqueConstraint(
                fields=["tax_id_index"],
                name="a_tax_id_is_one_patron",
                condition=~Q(tax_id_index=""),
            ),
            models.UniqueConstraint(
                fields=["player_card"],
                name="a_player_card_is_one_patron",
                condition=~Q(player_card=""),
            ),
            models.CheckConstraint(
                name="a_tax_id_is_in_cipher_and_indexed",
                condition=Q(tax_id_cipher="", tax_id_index="", tax_id_kind="", tax_id_ends="")
                | (~Q(tax_id_cipher="") & ~Q(tax_id_index="") & known("tax_id_kind", TaxIdKind)),
            ),
        ]
        indexes = [models.Index(Upper("last_name"), Upper("first_name"), name="patron_by_name")]

    def __str__(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def full_name(self) -> str:
        parts = (self.first_name, self.middle_name, self.last_name, self.name_suffix)
        return " ".join(part for part in parts if part)

    @property
    def masked_tax_id(self) -> str:
        """Return the tax id as screens show it."""
        return masked(f"••••{self.tax_id_ends}") if self.tax_id_kind else ""

    @property
    def address_lines(self) -> list[str]:
        """Return the address as an envelope has it."""
        town = " ".join(part for part in (self.region, self.postal_code) if part)
        place = ", ".join(part for part in (self.city, town) if part)
        lines = (self.street, self.street_more, place, self.country if place else "")
        return [line for line in lines if line]


class PatronDocument(models.Model):
    """One paper on file of a patron, in cipher: a photo, an ID, the signature to compare with."""

    patron = models.ForeignKey(Patron, on_delete=models.PROTECT, related_name="documents")
    kind = models.CharField(max_length=16, choices=choices(DocumentKind))
    # The number of an ID, in cipher, and its last signs as screens show them.
    number_cipher = models.TextField(blank=True)
    number_ends = models.CharField(max_length=4, blank=True)
    issuer = models.CharField(max_length=60, blank=True)
    expires_on = models.DateField(null=True, blank=True)
    media_type = models.CharField(max_length=20, blank=True)
    content_cipher = models.TextField(blank=True)
    added_at = models.DateTimeField()
    added_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    request_id = models.UUIDField(unique=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="patron_document_kind_known", condition=known("kind", DocumentKind)
            ),
            models.CheckConstraint(
                name="patron_document_holds_something",
                condition=~Q(number_cipher="") | ~Q(content_cipher=""),
            ),
        ]

    def __str__(self) -> str:
        ends = f" …{self.number_ends}" if self.number_ends else ""
        return f"{DocumentKind(self.kind).label}{ends}"


class PatronStanding(models.Model):
    """From when on a patron may, or may not, have credit. The newest row holds."""

    patron = models.ForeignKey(Patron, on_delete=models.PROTECT, related_name="standings")
    standing = models.CharField(max_length=16, choices=choices(Standing))
    since = models.DateTimeField()
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="patron_standing_known", condition=known("standing", Standing)
            ),
        ]
        indexes = [models.Index(fields=["patron", "-id"], name="standing_latest")]

    def __str__(self) -> str:
        return f"{self.patron_id} {self.standing} since {self.since}"


class SamePatron(models.Model):
    """A patron who was put on file twice: both stay, one points to the other. Newest holds.

    Without `same_as` the two are parted again.
    """

    patron = models.ForeignKey(Patron, on_delete=models.PROTECT, related_name="+")
    same_as = models.ForeignKey(Patron, on_delete=models.PROTECT, null=True, related_name="+")
    since = models.DateTimeField()
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                name="a_patron_is_the_same_as_another",
                condition=Q(same_as=None) | ~Q(same_as=models.F("patron")),
            ),
        ]
        indexes = [models.Index(fields=["patron", "-id"], name="same_patron_latest")]

    def __str__(self) -> str:
        return f"{self.patron_id} is {self.same_as_id}"


class BankAccount(models.Model):
    """The account that a patron's markers are drawn on from when two approved it. Newest holds.

    The first one is approved with the first credit line and has no row here.
    """

    patron = models.ForeignKey(Patron, on_delete=models.PROTECT, related_name="bank_accounts")
    document = models.ForeignKey(PatronDocument, on_delete=models.PROTECT, related_name="+")
    since = models.DateTimeField()
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["patron", "-id"], name="bank_account_latest")]

    def __str__(self) -> str:
        return f"{self.patron_id} since {self.since}"


class CreditLine(models.Model):
    """How much a patron may owe, as two people granted it. The newest row of each kind counts.

    A temporary line is lent on top of the permanent one until it ends.
    """

    class Kind(models.TextChoices):
        PERMANENT = "permanent"
        TEMPORARY = "temporary"

    patron = models.ForeignKey(Patron, on_delete=models.PROTECT, related_name="credit_lines")
    kind = models.CharField(max_length=10, choices=Kind)
    amount_cents = models.PositiveBigIntegerField()
    holds_from = models.DateTimeField()
    holds_until = models.DateTimeField(null=True)
    # The account that a counter check is drawn on, as it stands on file.
    bank_account = models.ForeignKey(
        PatronDocument, on_delete=models.PROTECT, null=True, related_name="+"
    )
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="credit_line_kind_known", condition=Q(kind__in=["permanent", "temporary"])
            ),
            models.CheckConstraint(
                name="only_a_temporary_line_ends",
                condition=Q(kind="permanent", holds_until=None)
                | Q(kind="temporary", holds_until__gt=models.F("holds_from")),
            ),
        ]
        indexes = [models.Index(fields=["patron", "kind", "-id"], name="credit_line_latest")]

    def __str__(self) -> str:
        return f"{self.patron_id} {self.kind} {self.amount_cents}"
