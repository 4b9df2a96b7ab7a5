"""What every correction of a finished slip shares: who may sign it, its steps, page, and paper.

A correction keeps in its details what it changes, line by line in words: `lines`, and `restated`
for the sums that follow from them. So every kind is shown, printed, and listed in one way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.db import models
from django.urls import reverse

from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.content import Note
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.cheques.cheques import BY_CENTS, format_money, ordered, total_cents
from pitboss.rules.cheques.keys import worth_of
from pitboss.rules.floor.fields import Field
from pitboss.rules.flows.corrections import (
    CLOSED_DAY,
    is_of_a_closed_day,
    signer_refusals,
    standing_refusals,
    unchanged_refusals,
)
from pitboss.rules.flows.flows import Need, PlanFacts, Promise, SlipStatus, Step
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.slips.addresses import own_url
from pitboss.slips.fields import drawn
from pitboss.slips.kind import Kind, Look, Raising, kind_named
from pitboss.views.forms import new_request_id

# One line that a correction changes: its title, what it says, and what it should say.
Line = tuple[str, str, str]
CHECKED: Final = "correction_checked"


def is_correction(slip: Slip) -> bool:
    """Tell whether a slip corrects another in the way that is the same for all."""
    kind = kind_named(slip.kind)
    return kind is not None and kind.corrects


def original_of(raising: Raising) -> Slip:
    assert raising.original is not None, "a correction is of a finished slip"
    return raising.original


def _back_from(slip: Slip) -> list[Slip]:
    """Return a slip and all that it corrects, the newest first."""
    chain = [slip]
    while is_correction(chain[-1]) and chain[-1].refers_to is not None:
        chain.append(chain[-1].refers_to)
    return chain


def root_of(slip: Slip) -> Slip:
    """Return the document at the beginning of a chain of corrections."""
    return _back_from(slip)[-1]


def correction_of(slip: Slip) -> Slip | None:
    """Return what corrects a slip and was not declined; none if nothing does."""
    later = slip.referred_by.exclude(status=SlipStatus.VOIDED).order_by("id")
    return next((item for item in later if is_correction(item)), None)


def chain_of(slip: Slip) -> list[Slip]:
    """Return a document with all its corrections, in their order; itself alone without any."""
    chain = list(reversed(_back_from(slip)))
    while (later := correction_of(chain[-1])) is not None:
        chain.append(later)
    return chain


def signed_by(original: Slip) -> dict[str, str]:
    """Return who signed what is corrected, back to the document at the beginning, by badge."""
    papers = [slip.pk for slip in _back_from(original)]
    signatures = Signature.objects.filter(slip__in=papers).select_related("person", "slip")
    return {
        signature.person.badge: signature.slip.serial
        for signature in signatures.order_by("-slip_id")
    }


def refusals_of(raising: Raising, lines: Sequence[Line]) -> list[Refusal]:
    """Return why a slip is not corrected in this way by this person, whatever kind it is of."""
    original = original_of(raising)
    later = correction_of(original)
    return [
        *signer_refusals(raising.badge, signed_by(original)),
        *standing_refusals(
            original.serial, original.status, (later.serial, later.status) if later else None
        ),
        *unchanged_refusals(lines),
    ]


def checked(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let no one sign who signed what is corrected. Raises Refused."""
    assert slip.refers_to is not None, "a correction is of a finished slip"
    refusals = signer_refusals(signature.person.badge, signed_by(slip.refers_to))
    if refusals:
        raise Refused(refusals)
    return []


def facts_of(days: Iterable[date]) -> PlanFacts:
    """Return what decides the steps: whether one of the days that it restates is closed."""
    is_closed = any(house.is_closed(day) for day in days)
    return PlanFacts({}, marks=frozenset({CLOSED_DAY}) if is_closed else frozenset())


def days_of(raising: Raising) -> list[date]:
    """Return the gaming days that a drafted correction restates."""
    return [date.fromisoformat(day) for day in raising.new().details["days"]]


def details_of(
    raising: Raising,
    lines: Sequence[Line],
    days: Sequence[date],
    restated: Sequence[Line] = (),
) -> dict[str, Any]:
    """Return what every correction keeps of what it changes."""
    original = original_of(raising)
    return {
        "corrects": original.serial,
        "root": root_of(original).serial,
        "lines": [list(line) for line in lines],
        "restated": [list(line) for line in restated],
        "days": [day.isoformat() for day in sorted(set(days))],
        **({"restates": min(days).isoformat()} if days else {}),
    }


def cheque_lines(was: Mapping[int, int], now: Mapping[int, int]) -> list[Line]:
    """Return how many cheques of each denomination a slip has, and should have, and their sum."""
    every = ordered({*was, *now})
    counts = [(BY_CENTS[c].name, str(was.get(c, 0)), str(now.get(c, 0))) for c in every]
    return [*counts, ("Total", format_money(total_cents(was)), format_money(total_cents(now)))]


def signed_money(cents: int) -> str:
    """Return an amount with its sign.

    >>> signed_money(-7_500), signed_money(0)
    ('−$75', '+$0')
    """
    return f"{'−' if cents < 0 else '+'}{format_money(abs(cents))}"


@dataclass(frozen=True, slots=True)
class CorrectionForm:
    """What the page of a correction asks: a line for each figure, and fields besides."""

    about: str
    approves: str
    # The name of the field, its title, whether it is money (none for words), and what it says now.
    lines: Sequence[tuple[str, str, bool | None, str]] = ()
    fields: Sequence[Field] = ()
    values: Mapping[str, object] | None = None
    # A way to correct it otherwise: {url, label}.
    other: Mapping[str, str] | None = None


def correction_page(
    request: PitRequest, raising: Raising, refused: Refused | None, asked: CorrectionForm
) -> Look:
    """Return the page on which each line is put right, beside what it says now."""
    given = request.POST if refused else request.GET
    original = original_of(raising)
    fields: Mapping[str, object] = given if refused else {**(asked.values or {}), **given.dict()}
    return "pitboss/correction_new.html", {
        "url": own_url(raising),
        "keep": f"correct-{original.serial}",
        "request_id": new_request_id(),
        "original": original,
        "about": asked.about,
        "approves": asked.approves,
        "other": asked.other,
        "lines": [
            {
                "name": name,
                "title": title,
                "is_money": bool(is_money),
                "is_words": is_money is None,
                "was": was,
                "value": given.get(name, "" if was in ("0", "$0") else was),
            }
            for name, title, is_money, was in asked.lines
        ],
        "fields": [drawn(field, fields) for field in asked.fields],
    }


def panel_of(details: Mapping[str, Any], about: str) -> dict[str, Any]:
    """Return what a correction changes, as its page and its review show it."""
    return {
        "template": "pitboss/_corrected.html",
        "has_lines": True,
        "about": about,
        "lines": [
            {"title": title, "was": was, "now": now, "changes": was != now}
            for title, was, now in details["lines"]
        ],
        "restated": [
            {"title": title, "was": was, "now": now} for title, was, now in details["restated"]
        ],
    }


def tells_of(slip: Slip) -> dict[str, Any]:
    """Return what the page of a correction shows: before and after, and the whole chain."""
    later = correction_of(slip)
    return {
        **panel_of(slip.details, slip.details["corrects"]),
        "chain": [
            {"serial": item.serial, "is_this": item.pk == slip.pk} for item in chain_of(slip)
        ],
        "corrected_on": later.serial if later else "",
    }


def writes_of(slip: Slip) -> list[tuple[str, str]]:
    """Return what a correction says on paper: what it changes, what follows, and the chain."""
    changes = [
        (title, f"{was}, corrected to {now}")
        for title, was, now in (*slip.details["lines"], *slip.details["restated"])
        if was != now
    ]
    chain = " → ".join(item.serial for item in _back_from(slip)[::-1])
    return [("Corrections", chain), *changes]


def _notes(slip: Slip) -> list[Note]:
    heading, words = writes_of(slip)[0]
    return [Note(heading, words)]


def steps_of(
    proposes: Role | tuple[Role, ...],
    approves: Role,
    *,
    at: Place | None,
    more: Sequence[Step] = (),
) -> tuple[Step, ...]:
    """Return who signs a correction: one proposes it, another approves, a shift manager restates.

    Where a shift manager approves, the same one may restate the closed day.
    """
    return (
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=proposes,
            at=at,
            needs_reason=True,
            reason_label="What is wrong, and the evidence",
            attests="I certify that I signed nothing on the slip this corrects, that it is wrong, "
            "and that the corrected lines are right by the evidence I entered.",
        ),
        *more,
        Step(
            "approved",
            done="Approved",
            do="Approve",
            by=approves,
            at=None,
            why=Need("A finished slip is corrected by two people who did not sign it."),
            attests="I signed nothing on the slip this corrects. I reviewed the evidence and "
            "approve this correction. The original stays on record.",
            then=CHECKED,
        ),
        Step(
            "restated",
            done="Restated",
            do="Restate the day",
            by=Role.SHIFT_MANAGER,
            at=None,
            when=is_of_a_closed_day,
            may_repeat="approved" if approves is Role.SHIFT_MANAGER else None,
            why=Need("The gaming day is closed. A shift manager must restate it."),
            attests="The gaming day is closed. I reviewed this correction and restate the day.",
            then=CHECKED,
        ),
    )


def declined_by(*roles: Role) -> tuple[Step, ...]:
    """Return the way out of a correction: the proposer withdraws it, or someone declines it."""
    return (
        Step(
            "refused",
            done="Declined",
            do="Decline",
            by=roles,
            at=None,
            may_repeat="proposed",
            needs_reason=True,
            attests="I decline this correction for the reason I entered. The original record stays "
            "in effect.",
            then="slip_voided",
        ),
    )


def promises_of(approves: Role, *, departments: int = 1) -> tuple[Promise, ...]:
    """Return how many people finish a correction at least."""
    third = 2 if approves is Role.SHIFT_MANAGER else 3
    return (
        Promise(2, departments),
        Promise(third, departments, having="restated"),
    )


PAPER: Final = Form(
    parts=(Part("Original", "To accounting with the slip that it corrects."),),
    original_at=None,
    shows=Shows.FACTS,
    reason_as="Evidence",
)


def heading_of(raising: Raising) -> str:
    return f"Correct {original_of(raising).serial}"


def back_of(raising: Raising) -> dict[str, str]:
    """Return the way back: to what is corrected."""
    original = original_of(raising)
    return {"url": reverse("slip", args=[original.serial]), "label": original.title}


def review_of(raising: Raising, new: Any) -> dict[str, Any]:
    """Return what the proposer reads before they sign: before and after."""
    return {
        "panel": panel_of(new.details, original_of(raising).serial),
        "inputs": ({"name": "reason", "label": "What is wrong, and the evidence"},),
    }


# What every kind that corrects in this way says alike; `replace` adds what it does.
COMMON: Final[Mapping[str, Any]] = {
    "series": "K",
    "corrects": True,
    "must_refer": True,
    "offers": "Correct…",
    "shows_unneeded": False,
    "paper": PAPER,
    "heading": heading_of,
    "back": back_of,
    "review": review_of,
    "writes": writes_of,
    "notes": _notes,
    "tells": tells_of,
}


def correcting_kind(kind: str, **said: Any) -> Kind:
    """Return a kind that corrects finished slips: what all say alike, and what this one says."""
    return Kind(kind, **{**COMMON, **said})


def cheques_asked(was: Mapping[int, int]) -> list[tuple[str, str, bool | None, str]]:
    """Return a line for the cheques of each denomination."""
    return [
        (f"cheques_{cents}", BY_CENTS[cents].name, False, str(was.get(cents, 0)))
        for cents in house.cheques_now().begun
        if cents in was or worth_of(cents)
    ]


def cheques_refused(raising: Raising) -> list[Refusal]:
    """Return why the cheques of a slip may not be put right so."""
    was, now = original_of(raising).cheques_by_cents, dict(raising.cheques)
    return refusals_of(raising, cheque_lines(was, now))


def cheques_corrected(approves: str) -> Callable[[PitRequest, Raising, Refused | None], Look]:
    """Return the page on which the cheques of a slip of a table are put right."""

    def look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
        original = original_of(raising)
        correction_form = CorrectionForm(
            about=f"{original.title}, {original.table}",
            approves=approves,
            lines=cheques_asked(original.cheques_by_cents),
        )
        return correction_page(request, raising, refused, correction_form)

    return look
