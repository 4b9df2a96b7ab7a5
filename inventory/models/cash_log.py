"""The day's cash: who brought or took how much, whom strangers turned out to be, and reports."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from pitboss.models.choices import choices, known
from pitboss.rules.patrons.cash_log import CashKind, Direction
from pitboss.rules.patrons.compliance import ReportOutcome
from pitboss.rules.roles import Place

_IN = [kind.value for kind in CashKind if kind.direction == Direction.IN]
_OUT = [kind.value for kind in CashKind if kind.direction == Direction.OUT]
# Written by the act that moves the cash, whose slip they name.
_BY_SLIP = [
    CashKind.MARKER_PAYMENT.value,
    CashKind.JACKPOT.value,
    CashKind.DEPOSIT.value,
    CashKind.WITHDRAWAL.value,
    CashKind.COMP.value,
]
_PATRON_OR_STRANGER = Q(patron__isnull=False, stranger=None) | Q(
    patron=None, stranger__isnull=False
)


class Stranger(models.Model):
    """Someone unknown, described so that others know them again in the same gaming day."""

    description = models.CharField(max_length=300)
    gaming_day = models.DateField()
    described_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    described_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(name="a_stranger_is_described", condition=~Q(description=""))
        ]
        indexes = [models.Index(fields=["gaming_day"], name="stranger_by_day")]

    def __str__(self) -> str:
        return self.description


class StrangerMatch(models.Model):
    """Who a stranger turned out to be. The newest row holds; one without a patron parts them."""

    stranger = models.ForeignKey(Stranger, on_delete=models.PROTECT, related_name="matches")
    patron = models.ForeignKey(
        "inventory.Patron", on_delete=models.PROTECT, null=True, related_name="+"
    )
    reason = models.CharField(max_length=500)
    matched_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    matched_at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    class Meta:
        verbose_name_plural = "stranger matches"
        constraints = [
            models.CheckConstraint(name="a_match_says_why", condition=~Q(reason="")),
        ]
        indexes = [models.Index(fields=["stranger", "-id"], name="match_latest")]

    def __str__(self) -> str:
        return f"{self.stranger_id} is {self.patron_id}"


class CashEntry(models.Model):
    """Cash that changed hands once, or the reversal of an entry that was wrong. Never changed."""

    kind = models.CharField(max_length=16, choices=choices(CashKind))
    direction = models.CharField(max_length=3, choices=choices(Direction))
    amount_cents = models.PositiveBigIntegerField()
    patron = models.ForeignKey(
        "inventory.Patron", on_delete=models.PROTECT, null=True, related_name="cash_entries"
    )
    stranger = models.ForeignKey(
        Stranger, on_delete=models.PROTECT, null=True, related_name="cash_entries"
    )
    place = models.CharField(max_length=16, choices=choices(Place))
    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, null=True)
    gaming_day = models.DateField()
    shift = models.CharField(max_length=20)
    at = models.DateTimeField()
    # As the recorder was known when they signed: name and licence.
    signed_as = models.CharField(max_length=110)
    keyed_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    device = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, related_name="+")
    # What the person's day came to with this entry in it, and whether a warning was confirmed.
    day_sum_cents = models.PositiveBigIntegerField()
    was_warned = models.BooleanField(default=False)
    # The slip that moved the cash, or that takes an entry back.
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, null=True, related_name="+")
    reverses = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, related_name="reversed_by"
    )
    reason = models.CharField(max_length=500, blank=True)
    seconded_by = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+"
    )
    # Set for what someone keyed, so that a second tap is recognized.
    request_id = models.UUIDField(unique=True, null=True)
    request_hash = models.CharField(max_length=64, blank=True)

    class Meta:
        verbose_name_plural = "cash entries"
        constraints = [
            models.CheckConstraint(name="cash_is_an_amount", condition=Q(amount_cents__gt=0)),
            models.CheckConstraint(name="cash_is_somebodys", condition=_PATRON_OR_STRANGER),
            models.CheckConstraint(
                name="cash_goes_the_way_of_its_kind",
                condition=Q(kind__in=_IN, direction=Direction.IN.value)
                | Q(kind__in=_OUT, direction=Direction.OUT.value),
            ),
            models.CheckConstraint(
                name="cash_of_a_table_is_of_the_pit",
                condition=Q(place=Place.PIT.value, table__isnull=False)
                | Q(place=Place.CAGE.value, table=None),
            ),
            models.CheckConstraint(
                name="cash_that_a_slip_moves_names_it",
                condition=~Q(kind__in=_BY_SLIP) | Q(slip__isnull=False),
            ),
            models.CheckConstraint(
                name="a_reversal_takes_a_slip_and_two_people",
                condition=Q(reverses=None, seconded_by=None, reason="")
                | (
                    Q(reverses__isnull=False, slip__isnull=False, seconded_by__isnull=False)
                    & ~Q(reason="")
                    & ~Q(seconded_by=F("keyed_by"))
                ),
            ),
            models.UniqueConstraint(
                fields=["slip", "kind"],
                name="cash_of_a_slip_is_logged_once",
                condition=Q(reverses=None),
            ),
        ]
        indexes = [
            models.Index(fields=["gaming_day", "id"], name="cash_by_day"),
            models.Index(fields=["patron", "gaming_day"], name="cash_by_patron_and_day"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount_cents} on {self.gaming_day}"

    @property
    def signed_cents(self) -> int:
        """What the entry adds to its day's sum; a reversal takes away."""
        return self.amount_cents if self.reverses_id is None else -self.amount_cents


class CurrencyReport(models.Model):
    """A report that a person's cash of one day and one direction calls for."""

    patron = models.ForeignKey(
        "inventory.Patron", on_delete=models.PROTECT, null=True, related_name="currency_reports"
    )
    stranger = models.ForeignKey(
        Stranger, on_delete=models.PROTECT, null=True, related_name="currency_reports"
    )
    gaming_day = models.DateField()
    direction = models.CharField(max_length=3, choices=choices(Direction))
    # The day's sum and the limit that it was over when the report was opened.
    sum_cents = models.PositiveBigIntegerField()
    limit_cents = models.PositiveBigIntegerField()
    due_on = models.DateField()
    opened_at = models.DateTimeField()
    # The closed report that another sum of the same day puts right.
    amends = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, related_name="amended_by"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="a_report_is_about_somebody", condition=_PATRON_OR_STRANGER
            ),
            models.CheckConstraint(
                # What was filed is amended too when the day came to less after all.
                name="a_report_is_over_the_limit",
                condition=Q(sum_cents__gt=F("limit_cents")) | Q(amends__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["patron", "gaming_day", "direction"],
                name="one_report_a_patron_day_and_way",
                condition=Q(amends=None),
            ),
            models.UniqueConstraint(
                fields=["stranger", "gaming_day", "direction"],
                name="one_report_a_stranger_day_and_way",
                condition=Q(amends=None),
            ),
        ]
        indexes = [models.Index(fields=["gaming_day"], name="currency_report_by_day")]

    def __str__(self) -> str:
        return f"currency report {self.pk} on {self.gaming_day}"


class CurrencyReportClosing(models.Model):
    """How a currency report ended: filed by whom, when and under which number, or why it is not."""

    report = models.OneToOneField(CurrencyReport, on_delete=models.PROTECT, related_name="closing")
    outcome = models.CharField(max_length=8, choices=choices(ReportOutcome))
    filer = models.CharField(max_length=80, blank=True)
    filed_on = models.DateField(null=True)
    reference = models.CharField(max_length=80, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    # What the day came to when it was closed: another sum later calls for another report.
    sum_cents = models.PositiveBigIntegerField()
    closed_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    closed_at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="a_closed_report_is_filed_or_explained",
                condition=(
                    Q(outcome=ReportOutcome.FILED.value, filed_on__isnull=False)
                    & ~Q(filer="")
                    & ~Q(reference="")
                )
                | (
                    Q(outcome=ReportOutcome.NOT_DUE.value, filer="", filed_on=None, reference="")
                    & ~Q(reason="")
                ),
            ),
            models.CheckConstraint(
                name="report_outcome_known", condition=known("outcome", ReportOutcome)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.report_id} {self.outcome}"


class SuspicionNote(models.Model):
    """What someone of the pit saw and compliance alone reads. Its words stand here in cipher."""

    text_cipher = models.TextField()
    patron = models.ForeignKey(
        "inventory.Patron", on_delete=models.PROTECT, null=True, related_name="+"
    )
    stranger = models.ForeignKey(Stranger, on_delete=models.PROTECT, null=True, related_name="+")
    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, null=True)
    gaming_day = models.DateField()
    written_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    written_at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="a_note_says_something", condition=~Q(text_cipher="")),
            models.CheckConstraint(
                name="a_note_is_about_one_person_at_most",
                condition=Q(patron=None) | Q(stranger=None),
            ),
        ]

    def __str__(self) -> str:
        return f"note {self.pk}"


class NoteReading(models.Model):
    """One reading of a note, by whom and when."""

    note = models.ForeignKey(SuspicionNote, on_delete=models.PROTECT, related_name="readings")
    read_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    read_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.note_id} read at {self.read_at}"
