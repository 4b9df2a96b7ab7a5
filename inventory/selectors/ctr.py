"""Which currency reports are written out, signed, exported and filed."""

from __future__ import annotations

from django.db.models import BigIntegerField, Exists, OuterRef, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from inventory.models import CtrBatch, CtrBatchForm, CtrForm, CurrencyReport
from inventory.selectors.cash_log import DayPerson, reports_of
from pitboss.models import Slip
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.patrons.cash_log import Direction

KIND = "ctr"


def sibling_of(report: CurrencyReport, who: DayPerson) -> CurrencyReport | None:
    """Return the open report on the other direction of the same day, which one form covers too."""
    other = Direction.OUT if report.direction == Direction.IN.value else Direction.IN
    return reports_of(who, report.gaming_day, other).filter(closing=None).first()


def slips_of(status: SlipStatus) -> QuerySet[Slip]:
    """Return the slips on which reports are signed."""
    return Slip.objects.filter(kind=KIND, status=status.value).order_by("id")


def forms_to_export() -> QuerySet[Slip]:
    """Return the approved reports that left in no batch yet and are not closed."""
    form = Cast(KT("details__form"), BigIntegerField())
    gone = CtrBatchForm.objects.filter(slip=OuterRef("pk"))
    closed = CtrForm.objects.filter(pk=OuterRef("form"), report__closing__isnull=False)
    return slips_of(SlipStatus.DONE).alias(form=form).filter(~Exists(gone), ~Exists(closed))


def slip_of(report: CurrencyReport) -> Slip | None:
    """Return the slip that stands for a report: the newest that was not declined."""
    wanted = (SlipStatus.OPEN.value, SlipStatus.DONE.value)
    forms = covering(report).values_list("pk", flat=True)
    found = Slip.objects.filter(kind=KIND, status__in=wanted, details__form__in=list(forms))
    return found.order_by("-id").first()


def covering(report: CurrencyReport) -> QuerySet[CtrForm]:
    """Return the forms that cover a report."""
    return CtrForm.objects.filter(report=report) | CtrForm.objects.filter(other=report)


def batches() -> QuerySet[CtrBatch]:
    """Return the batches that were given out, the newest first."""
    return (
        CtrBatch.objects.select_related("made_by")
        .prefetch_related(
            "forms__slip",
            "forms__form__report__patron",
            "forms__form__report__stranger",
            "forms__form__filings__closing",
        )
        .order_by("-pk")
    )
