"""Outages and their forms: what is down, which packs are out, and what became of each number."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max, QuerySet
from django.db.models.fields.json import KT

from pitboss.models import JournalEntry, PaperForm, Pit, Signature, Slip
from pitboss.rules.day.outages import (
    FORM_PACK,
    OUTAGE,
    SHEET_PRINTED,
    THE_CAGE,
    FormEnd,
    FormNumber,
    FormState,
    Frame,
    form_number,
)
from pitboss.rules.flows.book import late_kinds
from pitboss.rules.flows.flows import SlipStatus
from pitboss.services import house
from pitboss.slips.kind import Kind, kinds

# Longer than any house lets a form wait.
_LOOKED_BACK = timedelta(days=90)
_SHEETS_READ = 200
_ENDED = {
    FormEnd.ENTERED.value: FormState.USED,
    FormEnd.VOID.value: FormState.VOID,
    FormEnd.UNUSED.value: FormState.UNUSED,
}


@dataclass(frozen=True, slots=True)
class FormSeen:
    """One form of a pack, and what became of it."""

    form: PaperForm
    state: FormState
    # The slip on which it ended, or on which it is being entered.
    serial: str = ""

    @property
    def number(self) -> str:
        return number_of(self.form)


def number_of(form: PaperForm) -> str:
    """Return the number that is printed on a form."""
    return form_number(form.code, form.number)


def fallback_kinds() -> dict[str, Kind]:
    """Return every kind that is entered from a form, by the form's code."""
    found = {kind.on_paper.code: kind for kind in kinds() if kind.on_paper is not None}
    return dict(sorted(found.items()))


def holders() -> list[tuple[str, str]]:
    """Return who may hold a pack: every pit, and the cage; each with what it is called."""
    pits = Pit.objects.order_by("name").values_list("name", flat=True)
    return [*((name, name) for name in pits), (THE_CAGE, "The cage")]


def holder_words(holder: str) -> str:
    return "the cage" if holder == THE_CAGE else holder


def outages() -> QuerySet[Slip]:
    """Return the outages that were not voided, newest first."""
    declared = Slip.objects.filter(kind=OUTAGE, details__has_key="scope")
    return declared.exclude(status=SlipStatus.VOIDED).order_by("-id")


def frame(outage: Slip) -> Frame:
    """Return an outage as late entries see it."""
    return frames([outage])[0]


def frames(slips: Iterable[Slip] | None = None) -> list[Frame]:
    """Return outages as late entries see them: those of the last weeks unless told which."""
    if slips is None:
        slips = outages().filter(raised_at__gte=house.now() - _LOOKED_BACK)
    found = list(slips)
    ended = dict(
        Signature.objects.filter(slip__in=found, step="ended").values_list("slip", "signed_at")
    )
    return [
        Frame(
            serial=slip.serial,
            scope=tuple(slip.details["scope"]),
            started_at=datetime.fromisoformat(slip.details["started_at"]),
            ended_at=ended.get(slip.pk),
            is_closed=slip.status == SlipStatus.DONE.value,
        )
        for slip in found
    ]


def down_now() -> list[tuple[str, str]]:
    """Return every place that is down, with its outage."""
    return [
        (name, item.serial)
        for item in frames(outages().filter(status=SlipStatus.OPEN))
        for name in item.scope
        if item.ended_at is None
    ]


def sheets_printed() -> dict[str, datetime]:
    """Return when each pit and the cage last printed their outage sheet."""
    printed: dict[str, datetime] = {}
    names = [name for name, _ in holders()]
    entries = JournalEntry.objects.filter(kind=SHEET_PRINTED).order_by("-id")
    for entry in entries[:_SHEETS_READ]:
        body = json.loads(entry.text)["body"]
        for name in names:
            if (name == THE_CAGE) == (body["by"] == THE_CAGE) and body["pit"] in ("", name):
                printed.setdefault(name, entry.at)
    return printed


def next_number(code: str) -> int:
    """Return the first number of a form that no pack has."""
    last = PaperForm.objects.filter(code=code).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def packs_out(outage: Slip) -> list[Slip]:
    """Return the packs of those who were in an outage, that have come home after it at the most."""
    seen = frame(outage)
    packs = Slip.objects.filter(kind=FORM_PACK, status=SlipStatus.DONE)
    received = dict(
        Signature.objects.filter(slip__in=packs, step__startswith="received").values_list(
            "slip", "signed_at"
        )
    )
    return [
        pack
        for pack in packs.order_by("id").prefetch_related("forms__end__slip")
        if pack.details["holder"] in seen.scope
        and (seen.ended_at is None or received[pack.pk] <= seen.ended_at)
        and any(_is_of(form, seen) for form in pack.forms.all())
    ]


def _is_of(form: PaperForm, seen: Frame) -> bool:
    """Tell whether a form was still out when an outage began."""
    end = getattr(form, "end", None)
    return end is None or end.at >= seen.started_at


def forms_of(pack: Slip) -> list[FormSeen]:
    """Return the forms of a pack in their order, with what became of each."""
    entering = _entering()
    return [_seen(form, entering) for form in sorted(pack.forms.all(), key=lambda f: f.number)]


def form_seen(form: PaperForm) -> FormSeen:
    return _seen(form, _entering())


def _seen(form: PaperForm, entering: dict[str, str]) -> FormSeen:
    end = getattr(form, "end", None)
    if end is not None:
        return FormSeen(form, _ENDED[end.how], end.slip.serial)
    serial = entering.get(number_of(form), "")
    return FormSeen(form, FormState.ENTERING if serial else FormState.MISSING, serial)


def _entering() -> dict[str, str]:
    """Return the slips on which forms are being entered, by the form's number."""
    slips = Slip.objects.filter(kind__in=late_kinds(), status=SlipStatus.OPEN)
    return {slip.details.get("paper_number", ""): slip.serial for slip in slips}


def missing_of(outage: Slip) -> list[str]:
    """Return the numbers that an outage waits for: nothing has ended them."""
    return [
        form.number
        for pack in packs_out(outage)
        for form in forms_of(pack)
        if form.state in (FormState.MISSING, FormState.ENTERING)
    ]


def form_numbered(number: FormNumber) -> PaperForm | None:
    """Return the form that bears a number, if one was ever issued."""
    forms = PaperForm.objects.select_related("pack", "end__slip")
    return forms.filter(code=number.code, number=number.number).first()


def entry_of(number: str) -> Slip | None:
    """Return the slip on which a form was entered or is being entered."""
    return (
        Slip.objects.alias(paper=KT("details__paper_number"))
        .filter(kind__in=late_kinds(), paper=number)
        .exclude(status=SlipStatus.VOIDED)
        .first()
    )


def count_states(forms: Sequence[FormSeen]) -> dict[FormState, int]:
    """Return how many forms are in each state."""
    return {state: sum(form.state is state for form in forms) for state in FormState}
