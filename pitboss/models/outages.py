"""Forms for outages: each number that was issued in a pack, how it ended, and its picture."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from pitboss.models.choices import choices, known
from pitboss.rules.day.outages import NUMBER_MAX, FormEnd


class PaperForm(models.Model):
    """A blank form with a number printed on it, issued in a pack."""

    pack = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="forms")
    code = models.CharField(max_length=2)
    number = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["code", "number"], name="one_form_a_number"),
            models.CheckConstraint(
                name="form_number_fits_the_form",
                condition=Q(number__gte=1, number__lte=NUMBER_MAX, code__regex="^[A-Z]{2}$"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.number}"


class PaperFormEnd(models.Model):
    """How a form ended: entered late, void, or returned unused, on a signed slip. It ends once."""

    form = models.OneToOneField(
        PaperForm, on_delete=models.PROTECT, primary_key=True, related_name="end"
    )
    how = models.CharField(max_length=8, choices=choices(FormEnd))
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="form_ends")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(name="form_end_known", condition=known("how", FormEnd)),
        ]

    def __str__(self) -> str:
        return f"{self.form_id} {self.how}"


class PaperPicture(models.Model):
    """A picture of a form that was used. Of several the newest is compared."""

    form = models.ForeignKey(PaperForm, on_delete=models.PROTECT, related_name="pictures")
    content_type = models.CharField(max_length=20)
    content_cipher = models.TextField()
    sha256 = models.CharField(max_length=64)
    person = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    def __str__(self) -> str:
        return f"{self.form_id} {self.sha256[:12]}"
