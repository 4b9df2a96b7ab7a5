"""The journal: chains of entries that cannot be altered without it showing."""

from __future__ import annotations

from django.contrib.postgres.indexes import BrinIndex
from django.db import models


class JournalChain(models.Model):
    """One chain: a table's, or a desk's. Its head is read and advanced under its row lock."""

    name = models.CharField(max_length=40, unique=True)
    table = models.OneToOneField("pitboss.Table", on_delete=models.PROTECT, null=True)
    head_number = models.PositiveBigIntegerField(default=0)
    head_link = models.CharField(max_length=64, blank=True)
    # When its newest entry is of, kept by a trigger: no entry after it is of an earlier time.
    head_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name


class JournalEntry(models.Model):
    """One act, or one refused attempt to sign. `text` is what the link is made over."""

    # No index of its own: that of its number begins with the chain.
    chain = models.ForeignKey(
        JournalChain, on_delete=models.PROTECT, related_name="entries", db_index=False
    )
    number = models.PositiveBigIntegerField()
    at = models.DateTimeField()
    kind = models.CharField(max_length=40)
    person = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+"
    )
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, null=True, related_name="+")
    text = models.TextField()
    key_name = models.CharField(max_length=40)
    link = models.CharField(max_length=64)

    class Meta:
        verbose_name_plural = "journal entries"
        constraints = [
            models.UniqueConstraint(fields=["chain", "number"], name="one_entry_a_number")
        ]
        indexes = [
            models.Index(fields=["slip"], name="entry_by_slip"),
            # Entries come in the order of time: a day of many years is a few pages.
            BrinIndex(fields=["at"], name="entry_by_time", autosummarize=True),
        ]

    def __str__(self) -> str:
        return f"{self.chain_id}/{self.number} {self.kind}"


class JournalSeal(models.Model):
    """The heads of all chains at one moment, itself chained, written to a file as well."""

    number = models.PositiveBigIntegerField(unique=True)
    at = models.DateTimeField()
    text = models.TextField()
    key_name = models.CharField(max_length=40)
    link = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"seal {self.number}"
