"""Tax lines that the house keeps back for its state and city, each signed by two."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from pitboss.models.choices import choices, known
from pitboss.rules.tax import lines
from pitboss.rules.tax.lines import LineLevel, LineTrigger, WithheldFrom
from pitboss.rules.tax.tables import Base


class TaxLine(models.Model):
    """One line, in ink, from a slip that two people signed. A later one takes its place.

    A line that no one confirmed is never stored: it could withhold something.
    """

    place = models.CharField(max_length=lines.PLACE_MAX)
    level = models.CharField(max_length=8, choices=choices(LineLevel))
    basis_points = models.PositiveIntegerField()
    trigger = models.CharField(max_length=20, choices=choices(LineTrigger))
    base = models.CharField(max_length=8, choices=choices(Base))
    who = models.CharField(max_length=14, choices=choices(WithheldFrom))
    threshold = models.PositiveBigIntegerField(default=0)
    payer_number = models.CharField(max_length=20, blank=True)
    paid_from = models.DateField()
    paid_until = models.DateField(null=True, blank=True)
    source = models.CharField(max_length=200)
    confirmed_by = models.CharField(max_length=80)
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="tax_line_level_known", condition=known("level", LineLevel)
            ),
            models.CheckConstraint(name="tax_line_is_confirmed", condition=~Q(confirmed_by="")),
            models.CheckConstraint(
                name="tax_line_rate_in_range", condition=Q(basis_points__lte=5_000)
            ),
            models.CheckConstraint(
                name="tax_line_ends_after_it_began",
                condition=Q(paid_until=None) | Q(paid_until__gte=F("paid_from")),
            ),
        ]
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.place} from {self.paid_from}"

    def as_rule(self) -> lines.TaxLineTerms:
        """Return the line as the rules see it."""
        return lines.TaxLineTerms(
            place=self.place,
            level=LineLevel(self.level),
            basis_points=self.basis_points,
            trigger=LineTrigger(self.trigger),
            paid_from=self.paid_from,
            source=self.source,
            base=Base(self.base),
            who=WithheldFrom(self.who),
            threshold=self.threshold,
            paid_until=self.paid_until,
            payer_number=self.payer_number,
            confirmed_by=self.confirmed_by,
        )
