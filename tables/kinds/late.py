"""What was done on paper while the line was down: a late fill or credit, or a day restated.

The pit works on numbered paper then. What was done is entered afterwards, with the paper's number
and the true time. Cage, security and a manager of the pit compare it before anything is posted, and
a tray gives no more than its counts and slips say that it held. Into a day that was closed nothing
is entered any more; a correction, posted today, names the day that it restates.

The cheques moved long ago. Where no count has seen them since, a transfer is all there is to post.
Where one has, it took the difference for win, or for variance: the late transfer is followed by its
opposite, back to where that count took it from, so that the tray holds what was counted and the
period is restated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any, Final

from django.db import models
from django.db.models import Q, Sum
from django.db.models.fields.json import KT

from inventory.kinds.carrying import CARRIED_PROMISES, CHEQUES
from inventory.models import CageCount, ChequeTransfer, Holder
from inventory.selectors.cheques import public_holding
from inventory.services.cage import missing_from_the_cage
from inventory.services.ledger import lock_public, move_cheques
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip, Table
from pitboss.paper.content import Note
from pitboss.paper.forms import Form, Part
from pitboss.rules.cheques.cheques import BY_CENTS, combined
from pitboss.rules.cheques.tray_counts import CLOSER
from pitboss.rules.day import late_papers
from pitboss.rules.day.late_papers import (
    LATE_KINDS,
    correction_refusals,
    outdated_refusals,
    read_paper_number,
    tray_refusals,
    true_time_refusals,
)
from pitboss.rules.floor.fields import Moment, Pick, Words, Yes
from pitboss.rules.floor.needs import high_cheques
from pitboss.rules.flows.flows import (
    BY_ANOTHER,
    Readers,
    SlipStatus,
    Step,
    holds_high_cheques,
    void_witnessed,
)
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import (
    AT_THE_CAGE,
    GUARDING,
    KEEPING_BOOKS,
    SUPERVISING,
    WATCHING,
    Place,
    Role,
)
from pitboss.services import house, journal
from pitboss.services.drafts import NewSlip
from pitboss.services.exceptions import open_exception
from pitboss.services.locks import lock_paper
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id
from tables.selectors.tray_past import (
    TrayPast,
    cage_count_since,
    found_in_the_cage,
    tray_past,
    true_time_of,
)

Cheques = dict[int, int]
FILL_PAPER: Final = "fill"
CREDIT_PAPER: Final = "credit"
_WHATS: Final = {FILL_PAPER: "Fill", CREDIT_PAPER: "Credit"}


def _table_of(raising: Raising) -> Table:
    assert raising.table is not None, "a paper is about a table"
    return raising.table


def _what(raising: Raising) -> str:
    """Return what a paper is: a correction says it, and a late slip is it."""
    own = {late_papers.LATE_FILL: FILL_PAPER, late_papers.LATE_CREDIT: CREDIT_PAPER}
    return own.get(raising.kind.kind) or raising.given.get("what", FILL_PAPER)


def _corrects(raising: Raising) -> bool:
    """Tell whether the day of a paper is closed, and this restates it."""
    return raising.kind.kind == late_papers.CORRECTION


def _true_time(raising: Raising) -> datetime:
    """Return the instant that stands on a paper, by the property's clock.

    Of an hour that comes twice the first is meant; who means the other enters it with its offset.
    """
    at = datetime.fromisoformat(raising.given["true_time"])
    return (at if at.tzinfo else at.replace(tzinfo=house.the_property().zone)).astimezone(UTC)


def _becomes(raising: Raising) -> Raising:
    """Return a paper of its kind: by what was entered that it is, and whether it corrects."""
    kind = LATE_CREDIT if raising.given.get("what") == CREDIT_PAPER else LATE_FILL
    return replace(raising, kind=CORRECTION if raising.given.get("corrects") else kind)


def _drafted(raising: Raising) -> NewSlip:
    """Draft a paper into its own day, or as a correction posted today."""
    true_time = _true_time(raising)
    details = {
        "what": _what(raising),
        "paper_number": read_paper_number(raising.given.get("paper_number", "")) or "",
        "true_time": journal.plain_time(true_time),
    }
    if _corrects(raising):
        details["restates"] = house.period_at(true_time).gaming_day.isoformat()
    return NewSlip(
        raising.kind.kind,
        _table_of(raising).pk,
        raising.cheques,
        details=details,
        happened_at=None if _corrects(raising) else true_time,
    )


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why a paper may not be entered."""
    true_time, now = _true_time(raising), house.now()
    refusals = true_time_refusals(true_time, now, house.settings_at(now)["day.late_entry"])
    if not any(raising.cheques.values()):
        refusals.append(Refusal("nothing_asked", "Enter at least one cheque from the paper slip."))
    refusals.extend(_number_refusals(raising.given.get("paper_number", "")))
    day = house.period_at(true_time).gaming_day
    if _corrects(raising):
        refusals.extend(correction_refusals(day, house.is_closed(day)))
    elif house.is_closed(day):
        refusals.append(house.day_closed_refusal(day))
    past = tray_past(_table_of(raising), true_time)
    if past.before is not None and past.before.slip.kind == CLOSER:
        refusals.append(
            Refusal(
                "table_was_closed",
                f"{raising.table} was closed at that time, by {past.before.slip.serial}. "
                "Check the paper slip.",
            )
        )
    elif _what(raising) == CREDIT_PAPER:
        refusals.extend(_not_in_the_tray(past, raising.cheques, true_time))
    return refusals


def _number_refusals(entered: str) -> list[Refusal]:
    """Return why a paper cannot have this number. One number is judged at a time."""
    number = read_paper_number(entered)
    if number is None:
        return [Refusal("paper_number_missing", "Enter the number printed on the paper slip.")]
    lock_paper(number)
    used = (
        Slip.objects.alias(paper=KT("details__paper_number"))
        .filter(kind__in=LATE_KINDS, paper=number)
        .exclude(status=SlipStatus.VOIDED)
        .first()
    )
    if used is None:
        return []
    words = f"Paper slip {number} was already entered, on {used.serial}."
    return [Refusal("paper_used", words, CONFLICT)]


def _not_in_the_tray(
    past: TrayPast, cheques: Mapping[int, int], true_time: datetime
) -> list[Refusal]:
    return tray_refusals(
        cheques,
        counted=past.counted,
        moves=past.moves,
        true_time=true_time,
        found=found_in_the_cage(cage_count_since(true_time)),
    )


def _late_posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Post what the paper moved, and undo what counts since then made of its absence."""
    assert slip.table is not None
    cheques, true_time = slip.cheques_by_cents, true_time_of(slip)
    past = tray_past(slip.table, true_time)
    lock_public()
    cage = cage_count_since(true_time)
    refusals = [*outdated_refusals(slip.plan), *_counting_refusals(cage)]
    gave, got = Holder.CAGE, Holder.TRAY
    if slip.details["what"] == CREDIT_PAPER:
        gave, got = got, gave
        # Asked again: what was there when the paper was entered may have left meanwhile.
        refusals += _not_in_the_tray(past, cheques, true_time)
    if refusals:
        raise Refused(refusals)
    gained, lost = (cage, past.after) if got == Holder.CAGE else (past.after, cage)
    rows: list[models.Model] = []
    rows += move_cheques(slip=slip, cheques=cheques, source=gave, target=got, at=at)
    # First what goes to the public, then what is taken back from it.
    if gained is not None:
        parts = _taken_for(gained.slip, cheques, gained=True)
        if isinstance(gained, CageCount):
            parts = _missing_again(slip, gained, parts, signature, at)
        for holder, part in parts.items():
            rows += move_cheques(slip=slip, cheques=part, source=got, target=holder, at=at)
    if lost is not None:
        parts = _taken_for(lost.slip, cheques, gained=False)
        for holder, part in _within_the_public(slip, parts, at).items():
            rows += move_cheques(slip=slip, cheques=part, source=holder, target=gave, at=at)
    return rows


def _counting_refusals(count: CageCount | None) -> list[Refusal]:
    """Wait for a count of the cage: what it makes of this paper's cheques is not known before."""
    if count is None or count.slip.status != SlipStatus.OPEN.value:
        return []
    sentence = f"{count.slip.serial} counts the cage. Finish or void it, then approve this."
    return [Refusal("count_under_way", sentence, CONFLICT)]


def _missing_again(
    slip: Slip, count: CageCount, parts: dict[Holder, Cheques], signature: Signature, at: datetime
) -> dict[Holder, Cheques]:
    """Ask after cheques that came to the cage by paper and that its count since did not find."""
    found, public = found_in_the_cage(count), parts[Holder.PUBLIC]
    missing = {
        cents: min(public[cents], number - found.get(cents, 0))
        for cents, number in slip.cheques_by_cents.items()
        if number > found.get(cents, 0) and cents in public
    }
    if missing_from_the_cage(slip, missing, signature.person, at) == Holder.PUBLIC:
        return parts
    return {
        Holder.VARIANCE: combined(parts[Holder.VARIANCE], missing),
        Holder.PUBLIC: combined(public, {cents: -number for cents, number in missing.items()}),
    }


def _by_cents(which: Q) -> Cheques:
    rows = ChequeTransfer.objects.filter(which).values_list("denomination_cents")
    return dict(rows.annotate(total=Sum("count")).order_by())


def _taken_for(count: Slip, cheques: Cheques, *, gained: bool) -> dict[Holder, Cheques]:
    """Part late cheques by what the first count after them took them, or their absence, for.

    A count posts what it cannot explain against variance, the rest against the public. The late
    cheques explain as much of the variance as it found in their direction.
    """
    side = Q(source=Holder.VARIANCE) if gained else Q(target=Holder.VARIANCE)
    found = _by_cents(side & Q(slip=count))
    variance = {cents: min(n, found.get(cents, 0)) for cents, n in cheques.items()}
    public = {cents: n - variance[cents] for cents, n in cheques.items()}
    return {
        Holder.VARIANCE: {cents: n for cents, n in variance.items() if n},
        Holder.PUBLIC: {cents: n for cents, n in public.items() if n},
    }


def _within_the_public(
    slip: Slip, parts: dict[Holder, Cheques], at: datetime
) -> dict[Holder, Cheques]:
    """Take back from the public no more than it holds; the rest is variance, and looked into."""
    held = public_holding()
    public = parts[Holder.PUBLIC]
    short = {
        cents: n - max(0, held.get(cents, 0))
        for cents, n in public.items()
        if n > max(0, held.get(cents, 0))
    }
    if not short:
        return parts
    open_exception(
        code="more_than_exists",
        sentence=f"{slip.serial}: the cheques this restates aren’t out anywhere. Check the "
        "counts since then.",
        details={"cheques": {str(cents): n for cents, n in short.items()}},
        at=at,
        person=None,
        table=slip.table,
        slip=slip,
    )
    return {
        Holder.VARIANCE: {
            cents: parts[Holder.VARIANCE].get(cents, 0) + short.get(cents, 0)
            for cents in parts[Holder.VARIANCE].keys() | short.keys()
        },
        Holder.PUBLIC: {
            cents: n - short.get(cents, 0) for cents, n in public.items() if n > short.get(cents, 0)
        },
    }


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page on which a paper is entered: its cheques, what it is, number and time."""
    given = request.POST if refused else request.GET
    what, corrects = given.get("what", _what(raising)), given.get("corrects") == "yes"
    return "tables/late_new.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "whats": [
            {"value": value, "label": label, "is_current": what == value}
            for value, label in _WHATS.items()
        ],
        "paper_number": given.get("paper_number", ""),
        "true_time": given.get("true_time", ""),
        "corrects": corrects,
        "day_is_closed": corrects or bool(refused and "day_closed" in refused.codes),
        "rows": [
            {"cents": cents, "value": given.get(f"cheques_{cents}", "")} for cents in BY_CENTS
        ],
    }


def _writes(slip: Slip) -> list[tuple[str, str]]:
    written = [
        ("LATE", f"Paper slip {slip.details['paper_number']}"),
        ("True time", _day_and_time(true_time_of(slip))),
        ("Entered", _day_and_time(slip.raised_at)),
    ]
    if slip.details.get("restates"):
        day = date.fromisoformat(slip.details["restates"])
        written.append(("Restates", f"gaming day {day:%a, %b %-d, %Y}"))
    return written


def _day_and_time(at: datetime) -> str:
    return f"{at.astimezone(house.the_property().zone):%a, %b %-d, %Y, %H:%M}"


def _notes(slip: Slip) -> list[Note]:
    """Say in a frame that a slip was keyed late: from which paper, and when it happened."""
    (heading, paper), *rest = _writes(slip)
    times = [f"{name}: {words}." for name, words in rest]
    return [Note(heading, " ".join([f"{paper}.", *times]), is_grave=True)]


def _tells(slip: Slip) -> dict[str, Any]:
    return {
        "template": "tables/_written.html",
        "comes_first": True,
        "is_late": True,
        "written": _writes(slip),
    }


def _review(raising: Raising, new: NewSlip) -> dict[str, Any]:
    draft = Slip(kind=new.kind, details=dict(new.details), raised_at=house.now())
    return {"panel": _tells(draft)}


_KEYED: Final = Step(
    "keyed",
    done="Entered late",
    do="Enter late",
    by=Role.SUPERVISOR,
    at=Place.PIT,
    needs_reason=True,
    reason_label="Why it was done on paper",
    attests="I certify that I entered this slip from the paper slip exactly, including the "
    "time written on it.",
)
_TOP_SIGNED: Final = Step(
    "top_signed",
    done="Top-signed",
    do="Top-sign",
    by=Role.PIT_MANAGER,
    at=None,
    when=holds_high_cheques,
    why=high_cheques,
    attests="I approve this paper slip, including the high-denomination cheques listed.",
)
_CAGE_COMPARED: Final = Step(
    "cage_compared",
    done="Compared by the cage",
    do="Compare with the cage's part",
    by=Role.CASHIER,
    at=Place.CAGE,
    attests="I certify that the cage's part of the paper slip agrees and that these cheques "
    "left the cage.",
)
_CARRIER_COMPARED: Final = Step(
    "carrier_compared",
    done="Compared by security",
    do="Compare with security's part",
    by=Role.SECURITY,
    at=None,
    attests="I certify that an officer signed the paper slip and carried these cheques, and "
    "that I compared our part.",
)
_APPROVED: Final = Step(
    "approved",
    done="Approved",
    do="Approve",
    why=BY_ANOTHER,
    by=Role.PIT_MANAGER,
    at=None,
    attests="I certify that I compared this slip with the paper slip and its signatures and "
    "that they agree.",
    then="late_posted",
)

LATE_FILL = Kind(
    late_papers.LATE_FILL,
    title="Late fill",
    series="L",
    is_late=True,
    open_to=SUPERVISING,
    lit_by="board",
    asked=(
        CHEQUES,
        Pick(name="what", label="The paper slip is a", choices=_WHATS, is_needed=False),
        Words(name="paper_number", label="Paper slip number", is_needed=False),
        Moment(name="true_time", label="Day and time on the paper slip"),
        Yes(name="corrects", label="Its day is closed: correct it, with a shift manager"),
    ),
    becomes=_becomes,
    refusals=_refusals,
    drafted=_drafted,
    steps=(_KEYED, _TOP_SIGNED, _CAGE_COMPARED, _CARRIER_COMPARED, _APPROVED),
    # Somebody of another desk may look on: the pit's managers may all have signed by then.
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            may_repeat="keyed",
            needs_reason=True,
            attests="I void this slip. I certify that it was entered wrong and that the paper "
            "slip is to be entered again on a new slip.",
        ),
        void_witnessed(
            (Role.PIT_MANAGER, Role.SECURITY, Role.SURVEILLANCE),
            attests="I certify that I compared this slip with the paper slip and witnessed it "
            "being voided.",
        ),
    ),
    effects={"late_posted": _late_posted},
    readers=Readers(SUPERVISING | AT_THE_CAGE | GUARDING | WATCHING | KEEPING_BOOKS),
    promises=CARRIED_PROMISES,
    # The paper of the outage is the document; this one says where it was keyed.
    paper=Form(
        parts=(Part("Cover", "Pinned to the paper slip it was entered from, to accounting."),)
    ),
    look=_look,
    heading=lambda raising: f"From a paper slip, {raising.table}",
    review=_review,
    raised=lambda late: f"{late.serial} entered from paper slip {late.details['paper_number']}.",
    writes=_writes,
    notes=_notes,
    tells=_tells,
)

_COMPARED_COMING_IN: Final = replace(
    _CAGE_COMPARED,
    attests="I certify that the cage's part of the paper slip agrees and that these cheques "
    "came into the cage.",
)
LATE_CREDIT = replace(
    LATE_FILL,
    kind=late_papers.LATE_CREDIT,
    title="Late credit",
    steps=(_KEYED, _TOP_SIGNED, _COMPARED_COMING_IN, _CARRIER_COMPARED, _APPROVED),
)

_COMPARED_EITHER_WAY: Final = replace(
    _CAGE_COMPARED,
    attests="I certify that the cage's part of the paper slip agrees and that these cheques "
    "left or came into the cage.",
)
_RESTATED: Final = replace(
    _APPROVED,
    by=Role.SHIFT_MANAGER,
    needs_reason=True,
    attests="The gaming day is closed. I compared this slip with the paper slip and restate "
    "the day.",
)
CORRECTION = replace(
    LATE_FILL,
    kind=late_papers.CORRECTION,
    title="Correction",
    series="K",
    steps=(_KEYED, _TOP_SIGNED, _COMPARED_EITHER_WAY, _CARRIER_COMPARED, _RESTATED),
)
