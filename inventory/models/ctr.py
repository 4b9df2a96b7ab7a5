"""FinCEN Form 112: on whose behalf cash was brought, the forms, and the batches they leave in."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q


class CashBehalf(models.Model):
    """On whose behalf someone brought or took cash. The newest row of an entry holds.

    One without a patron says that it was the person's own after all.
    """

    entry = models.ForeignKey(
        "inventory.CashEntry", on_delete=models.PROTECT, related_name="behalves"
    )
    patron = models.ForeignKey(
        "inventory.Patron", on_delete=models.PROTECT, null=True, related_name="+"
    )
    told_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    told_at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    class Meta:
        verbose_name_plural = "cash on behalf of others"
        indexes = [models.Index(fields=["entry", "-id"], name="behalf_latest")]

    def __str__(self) -> str:
        return f"{self.entry_id} for {self.patron_id}"


class CashTold(models.Model):
    """What a kind of cash asks in words: which country's currency, or what it was for."""

    entry = models.OneToOneField(
        "inventory.CashEntry", on_delete=models.PROTECT, related_name="told"
    )
    words = models.CharField(max_length=50)

    class Meta:
        verbose_name_plural = "words of cash"
        constraints = [
            models.CheckConstraint(name="told_cash_has_words", condition=~Q(words="")),
        ]

    def __str__(self) -> str:
        return self.words


class CtrForm(models.Model):
    """A currency report written out, in cipher. It counts once two people have signed it."""

    report = models.ForeignKey(
        "inventory.CurrencyReport", on_delete=models.PROTECT, related_name="forms"
    )
    # The report on the other direction of the same day, where both are over the limit.
    other = models.ForeignKey(
        "inventory.CurrencyReport", on_delete=models.PROTECT, null=True, related_name="+"
    )
    content_cipher = models.TextField()
    content_hash = models.CharField(max_length=64)
    # What cash it is about: another entry, and it no longer holds.
    moves_digest = models.CharField(max_length=64)
    in_dollars = models.PositiveBigIntegerField()
    out_dollars = models.PositiveBigIntegerField()
    prior_bsa_id = models.CharField(max_length=14, blank=True)
    saved_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    saved_at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="a_ctr_form_covers_two_reports_at_most",
                condition=Q(other=None) | ~Q(other=F("report")),
            ),
            models.CheckConstraint(
                name="a_prior_bsa_id_has_14_digits",
                condition=Q(prior_bsa_id="") | Q(prior_bsa_id__regex=r"^[0-9]{14}$"),
            ),
        ]

    def __str__(self) -> str:
        return f"Form 112 no. {self.pk}"


class CtrBatch(models.Model):
    """A file of reports as it was given out for filing, in cipher."""

    content_cipher = models.TextField()
    # Shown, so that the person who files it can compare.
    file_sha256 = models.CharField(max_length=64)
    filing_on = models.DateField()
    made_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    class Meta:
        verbose_name_plural = "ctr batches"

    def __str__(self) -> str:
        return f"batch {self.pk}"


class CtrBatchForm(models.Model):
    """One report of a batch. A report leaves in one batch only."""

    batch = models.ForeignKey(CtrBatch, on_delete=models.PROTECT, related_name="forms")
    form = models.OneToOneField(CtrForm, on_delete=models.PROTECT, related_name="exported")
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.form_id} in {self.batch_id}"


class CtrFiling(models.Model):
    """By which form a report was filed."""

    closing = models.OneToOneField(
        "inventory.CurrencyReportClosing", on_delete=models.PROTECT, related_name="filing"
    )
    form = models.ForeignKey(CtrForm, on_delete=models.PROTECT, related_name="filings")

    def __str__(self) -> str:
        return f"{self.closing_id} by {self.form_id}"
