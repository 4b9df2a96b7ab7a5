"""Tax forms that went out on jackpots, and their papers as they were drawn."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import ExtractYear

from jackpots.models.hits import Jackpot
from pitboss.models.choices import choices, known
from pitboss.rules.patrons.patrons import masked
from pitboss.rules.tax.forms import Audience, FormIssue
from pitboss.rules.tax.tax import TaxFormName, Withholding


class TaxForm(models.Model):
    """One form to one winner, as it went out. A later one corrects or voids it; both are kept."""

    jackpot = models.ForeignKey(Jackpot, on_delete=models.PROTECT, related_name="tax_forms")
    # The papers that the winner was known by, and the slip on which this form went out.
    papers = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    patron = models.ForeignKey("inventory.Patron", on_delete=models.PROTECT, related_name="+")
    form = models.CharField(max_length=8, choices=choices(TaxFormName))
    issue = models.CharField(max_length=10, choices=choices(FormIssue))
    # How often the form was corrected before; the first to go out is number 0.
    number = models.PositiveSmallIntegerField(default=0)
    replaces = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, related_name="replaced_by"
    )
    # What stays the same through all corrections.
    account = models.CharField(max_length=20)
    tax_year = models.PositiveSmallIntegerField()
    paid_on = models.DateField()
    won_on = models.DateField()
    withholding = models.CharField(max_length=12, choices=choices(Withholding))
    reportable_cents = models.PositiveBigIntegerField()
    federal_cents = models.PositiveBigIntegerField()
    state = models.CharField(max_length=2, blank=True)
    state_cents = models.PositiveBigIntegerField(default=0)
    locality = models.CharField(max_length=40, blank=True, default="")
    local_cents = models.PositiveBigIntegerField(default=0)
    # What the form says, box by box, but for the numbers of a person: their ciphers, by box.
    boxes = models.JSONField()
    number_ciphers = models.JSONField()
    tin_ends = models.CharField(max_length=4, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    gaming_day = models.DateField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(name="tax_form_known", condition=known("form", TaxFormName)),
            models.CheckConstraint(name="tax_issue_known", condition=known("issue", FormIssue)),
            models.CheckConstraint(
                name="tax_year_is_that_of_the_payment",
                condition=Q(tax_year=ExtractYear("paid_on")),
            ),
            models.CheckConstraint(
                name="a_later_tax_form_says_what_it_replaces_and_why",
                condition=Q(issue=FormIssue.ORIGINAL.value, number=0, replaces=None, reason="")
                | (
                    ~Q(issue=FormIssue.ORIGINAL.value)
                    & Q(number__gt=0, replaces__isnull=False)
                    & ~Q(reason="")
                ),
            ),
            models.CheckConstraint(
                name="only_a_w2g_has_a_state_line",
                condition=Q(form=TaxFormName.W2G.value) | Q(state="", state_cents=0),
            ),
            models.CheckConstraint(
                name="only_a_w2g_has_a_local_line",
                condition=Q(form=TaxFormName.W2G.value) | Q(locality="", local_cents=0),
            ),
            models.UniqueConstraint(
                fields=["jackpot", "patron"],
                name="one_tax_form_a_winner",
                condition=Q(issue=FormIssue.ORIGINAL.value),
            ),
            models.UniqueConstraint(fields=["account", "number"], name="tax_form_number_once"),
        ]
        indexes = [models.Index(fields=["tax_year", "form", "id"], name="tax_form_by_year")]

    def __str__(self) -> str:
        return f"{self.form} {self.account}"

    @property
    def withheld_cents(self) -> int:
        return self.federal_cents + self.state_cents + self.local_cents

    @property
    def masked_tin(self) -> str:
        """Return the winner's number as lists show it."""
        return masked(f"••••{self.tin_ends}") if self.tin_ends else ""


class TaxPdf(models.Model):
    """The copies of a form for one audience, as they were drawn, in cipher."""

    form = models.ForeignKey(TaxForm, on_delete=models.PROTECT, related_name="pdfs")
    audience = models.CharField(max_length=8, choices=choices(Audience))
    content_cipher = models.TextField()
    content_hash = models.CharField(max_length=64)
    drawn_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="tax_audience_known", condition=known("audience", Audience)
            ),
            models.UniqueConstraint(fields=["form", "audience"], name="tax_form_is_drawn_once"),
        ]

    def __str__(self) -> str:
        return f"{self.form_id} {self.audience}"
