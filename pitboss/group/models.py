"""What the desk keeps: its houses and their keys, every statement as it was signed, its readers."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import models
from django.db.models import Q
from django.utils.crypto import constant_time_compare, salted_hmac

from pitboss.rules.canonical import canonical

# The sums that the desk shows side by side.
SUMS: Final = (
    "win_cents",
    "drop_cents",
    "statistical_drop_cents",
    "fills_cents",
    "credits_cents",
    "markers_cents",
    "jackpots_cents",
)
_MARKED: Final = (
    "house_id",
    "number",
    "digest",
    "version",
    "tables",
    "open_tables",
    *SUMS,
    "exceptions",
    "carried_over",
)


class Reader(AbstractBaseUser):
    """Someone who may read the desk. Nothing on it can be changed by anyone who signs in."""

    name = models.CharField(max_length=60, unique=True)
    is_active = models.BooleanField(default=True)
    # Wrong passwords in a row, and until when no other is tried.
    failures = models.PositiveSmallIntegerField(default=0)
    locked_until = models.DateTimeField(null=True)

    USERNAME_FIELD = "name"

    def __str__(self) -> str:
        return self.name


class House(models.Model):
    """One property of the group: where it is reached, and how it was when it was last asked."""

    name = models.CharField(max_length=80, unique=True)
    address = models.CharField(max_length=200, unique=True)
    # What the desk is known by there. The house rotates it; a new one is stored before it is used.
    token_cipher = models.TextField()
    token_at = models.DateTimeField()
    added_at = models.DateTimeField()
    # How the last pull went: empty words where it went well.
    tried_at = models.DateTimeField(null=True)
    reached_at = models.DateTimeField(null=True)
    trouble = models.CharField(max_length=300, blank=True)
    # Whether what it sent could not be proved, rather than that nothing came.
    is_doubted = models.BooleanField(default=False)
    # What the house said of itself. Nothing of it is signed, so no figure comes from it.
    said_newest = models.PositiveIntegerField(default=0)
    said_gaming_day = models.DateField(null=True)
    said_closed_to = models.DateField(null=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class HouseKey(models.Model):
    """A key that a house signs with, as someone compared it with the house. Never changed."""

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="keys")
    mark = models.CharField(max_length=16)
    public_key = models.CharField(max_length=64)
    added_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["house", "mark"], name="key_added_once")]

    def __str__(self) -> str:
        return self.mark


class Statement(models.Model):
    """One statement of a house, whole, and its sums. It was proved when it came. Never changed."""

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="statements")
    number = models.PositiveIntegerField()
    previous = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64)
    gaming_day = models.DateField()
    version = models.PositiveSmallIntegerField()
    signer = models.CharField(max_length=200)
    seal_number = models.BigIntegerField()
    seal_link = models.CharField(max_length=200)
    text = models.TextField()
    key_mark = models.CharField(max_length=16)
    signature = models.CharField(max_length=128)
    received_at = models.DateTimeField()
    # Sums of its tables: what a page of many houses is made of.
    tables = models.PositiveIntegerField()
    open_tables = models.PositiveIntegerField()
    win_cents = models.BigIntegerField()
    drop_cents = models.BigIntegerField()
    statistical_drop_cents = models.BigIntegerField()
    fills_cents = models.BigIntegerField()
    credits_cents = models.BigIntegerField()
    markers_cents = models.BigIntegerField()
    jackpots_cents = models.BigIntegerField()
    exceptions = models.PositiveIntegerField()
    carried_over = models.PositiveIntegerField()
    # By the desk's own key, over the sums and the digest: a row that was changed shows no figure.
    mark = models.CharField(max_length=64)

    class Meta:
        ordering = ["house", "number"]
        constraints = [
            models.UniqueConstraint(fields=["house", "number"], name="statement_kept_once"),
            models.UniqueConstraint(
                fields=["house", "gaming_day", "version"], name="version_kept_once"
            ),
            models.CheckConstraint(
                name="statement_is_numbered", condition=Q(number__gt=0, version__gt=0)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.house_id} {self.number}"

    @property
    def has_final(self) -> bool:
        """Whether any table's win is known: where none is, a sum of nothing is no figure."""
        return self.open_tables < self.tables or not self.tables

    @property
    def is_as_kept(self) -> bool:
        """Whether its sums are those that the desk wrote."""
        return constant_time_compare(self.mark, self.made_mark())

    def made_mark(self) -> str:
        """Return the mark that its sums have by the desk's own key."""
        said = [self.gaming_day.isoformat(), *(getattr(self, name) for name in _MARKED)]
        text = canonical(said)
        return salted_hmac("group.statement", text, algorithm="sha256").hexdigest()


class Doubt(models.Model):
    """What a house sent and the desk could not prove: kept, shown, and no figure. Never changed."""

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="doubts")
    digest = models.CharField(max_length=64)
    codes = models.CharField(max_length=200)
    sentence = models.TextField()
    text = models.TextField()
    key_mark = models.CharField(max_length=200)
    signature = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["house", "digest", "codes"], name="doubt_kept_once")
        ]

    def __str__(self) -> str:
        return f"{self.house_id} {self.codes}"
