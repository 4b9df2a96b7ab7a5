"""What a slip says on paper, put together from its row, its signatures and its details."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from pitboss.models import Signature, Slip
from pitboss.paper.content import (
    Figure,
    Issue,
    Note,
    PatronHand,
    SignatureGroup,
    SignatureLine,
    SlipPaper,
    written_at,
)
from pitboss.paper.forms import Part, Shows
from pitboss.rules.cheques.cheques import difference, format_money, total_cents
from pitboss.rules.cheques.tray_counts import COMPARED_COUNTS
from pitboss.rules.drop.figures import FIGURE_LINES, cash_cents, lines_in
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.drawn import DRAWN
from pitboss.rules.flows.flows import SlipStatus, Track, track_steps
from pitboss.rules.games.tracked import TABLE_GAMES
from pitboss.rules.roles import Role
from pitboss.selectors.details import written_of
from pitboss.selectors.slips import by_tap, step_title
from pitboss.services import house
from pitboss.services.exceptions import TRAY_VARIANCE
from pitboss.services.shown import FIGURES, STOOD, has_unseen_figures, slip_shown
from pitboss.slips.kind import form_of, kind_named

_MARKS = {
    SlipStatus.VOIDED: "VOID",
    SlipStatus.RETURNING: "GOING BACK",
    SlipStatus.RETURNED: "RETURNED",
    SlipStatus.WITHHELD: "WITHHELD",
}
_LATE_MARK = "LATE"
_HEADINGS = {
    Track.MAIN: "Signatures",
    Track.VOID: "Void",
    Track.RELIEF: "Relieved",
}
# Whose words about a variance stand on the paper, and under which heading.
_REPORTS = {
    "accepted": "Shift manager",
    "security_reported": "Security reports",
    "surveillance_reported": "Surveillance reports",
    "authorised": "Authorized over the line",
}
Signed = Mapping[tuple[str, str], Signature]


def slip_paper(slip: Slip, issue: Issue, parts: Sequence[Part] | None = None) -> SlipPaper:
    """Return all that a slip says on paper, its times by the property's clock.

    All parts that its signatures allow, unless told which.
    """
    the_property = house.the_property()
    zone = the_property.clock.zone
    signatures = list(slip.signatures.order_by("id"))
    signed = {(signature.track, signature.step): signature for signature in signatures}
    form = form_of(slip.kind)
    main = track_steps(slip.plan, Track.MAIN)
    table = slip.table
    stood = slip.details.get(STOOD, {})
    is_late = FLOWS[slip.kind].is_late
    expected = _expected(slip, signatures)
    return SlipPaper(
        form=form,
        parts=tuple(parts) if parts is not None else parts_of(slip, signatures),
        title=form.title or slip.title,
        property_name=the_property.name,
        serial=slip.serial,
        gaming_day=slip.gaming_day,
        raised_at=slip.raised_at.astimezone(zone),
        shift=slip.shift,
        pit=stood.get("pit", ""),
        table=table.name if table else "",
        game=game_of(slip),
        cheques=slip.cheques_by_cents,
        counted=_recorded(main, signed),
        has_count=any(step["records"] for step in main),
        groups=tuple(_groups(slip, signed, zone)),
        notes=tuple(_notes(slip, signatures, expected)),
        mark=_MARKS.get(SlipStatus(slip.status), _LATE_MARK if is_late else ""),
        issue=replace(issue, at=issue.at.astimezone(zone)),
        opening=slip.details.get("sequence"),
        expected=expected,
        colours=tuple(table.par_cheques) if table and form.shows is Shows.TRAY else (),
        figures=_figures(slip) if form.shows is Shows.FIGURES else (),
        facts=tuple(_facts(slip)) if form.shows is Shows.FACTS else (),
        part_notes=_part_notes(slip, signed, zone),
        is_late=is_late,
        patron=_patron(slip, signatures),
    )


def _patron(slip: Slip, signatures: Sequence[Signature]) -> PatronHand | None:
    """Return who signs a slip by hand, and what they drew once they did."""
    if not any(step.get("drawn") for step in slip.plan):
        return None
    name = slip.details["patron_name"]
    drawn = next(
        (signature.facts[DRAWN] for signature in signatures if DRAWN in signature.facts), None
    )
    if drawn is None:
        return PatronHand(name)
    strokes = tuple(tuple((x, y) for x, y in stroke) for stroke in drawn["strokes"])
    return PatronHand(name, strokes, drawn["matched_with"])


def parts_of(slip: Slip, signatures: Sequence[Signature]) -> tuple[Part, ...]:
    """Return the parts of a slip's form that its signatures allow to be made."""
    signed = {signature.step for signature in signatures if signature.track == Track.MAIN.value}
    return form_of(slip.kind).parts_after(signed)


def _part_notes(slip: Slip, signed: Signed, zone: ZoneInfo) -> dict[str, Note]:
    """Return what a part says that is made after a signature: what was attested, by whom, when."""
    attests = {step["name"]: step["attests"] for step in track_steps(slip.plan, Track.MAIN)}
    notes = {}
    for part in form_of(slip.kind).parts:
        signature = signed.get((Track.MAIN.value, part.after))
        if signature is not None:
            when = written_at(signature.signed_at.astimezone(zone))
            words = f"{attests[part.after]} {signature.signed_as}, {when}."
            heading = step_title(slip.kind, part.after).upper()
            notes[part.name] = Note(heading, words, is_grave=True)
    return notes


def game_of(slip: Slip) -> str:
    """Return the game that was dealt at the table when the slip was raised; none of the cage's."""
    if STOOD not in slip.details:
        return ""
    # A slip is printed even when its game is no longer among those of the house.
    game = TABLE_GAMES.get(slip.details[STOOD]["game"])
    return game.name if game else str(slip.details[STOOD]["game"])


def _cheques(raw: Mapping[str, int]) -> dict[int, int]:
    return {int(cents): count for cents, count in raw.items()}


def _recorded(steps: Sequence[Mapping[str, Any]], signed: Signed) -> dict[int, int] | None:
    """Return what was counted at the last step that recorded a count, once one did."""
    for step in reversed(steps):
        signature = signed.get((step["track"], step["name"]))
        if step["records"] and signature is not None and signature.counted is not None:
            return _cheques(signature.counted)
    return None


def _expected(slip: Slip, signatures: Sequence[Signature]) -> dict[int, int] | None:
    """Return what a locked tray should have held, as its signers saw it; none before two counted.

    Whoever signed after the count was shown the figure, and that stands in ink. While no one has,
    it is what the next signer is shown.
    """
    if slip.kind not in COMPARED_COUNTS or not any(
        signature.step == "verified" for signature in signatures
    ):
        return None
    shown = [signature.shown for signature in reversed(signatures)]
    if slip.status == SlipStatus.OPEN.value:
        shown.insert(0, slip_shown(slip))
    for text in shown:
        expected = json.loads(text).get("expected")
        if expected is not None:
            return _cheques(expected)
    # No one else had to sign: the tray held what it should, or opened with a variance on the list.
    found = slip.floorexception_set.filter(code=TRAY_VARIANCE).first()
    return _cheques(found.details["expected"]) if found else slip.cheques_by_cents


def _groups(slip: Slip, signed: Signed, zone: ZoneInfo) -> list[SignatureGroup]:
    """Return the lines of the slip's own track, and of a way out that someone has taken."""
    groups = []
    untold = FLOWS[slip.kind].untold_steps(signed.keys())
    for track, heading in _HEADINGS.items():
        steps = track_steps(slip.plan, track)
        if track != Track.MAIN and not any((track.value, s["name"]) in signed for s in steps):
            continue
        lines = []
        for step in steps:
            if step["name"] in untold:
                continue
            signature = signed.get((track.value, step["name"]))
            name = step_title(slip.kind, step["name"])
            if signature is None:
                roles = " or ".join(Role(value).label for value in step["by"])
                is_closed = slip.status != SlipStatus.OPEN.value
                lines.append(SignatureLine(name, roles, is_closed=is_closed))
            else:
                lines.append(
                    SignatureLine(
                        name,
                        f"{Role(signature.role).label}{by_tap(signature)}",
                        signed_as=signature.signed_as,
                        signed_at=signature.signed_at.astimezone(zone),
                        shown_hash=signature.shown_hash,
                    )
                )
        groups.append(SignatureGroup(heading, tuple(lines)))
    return groups


def _notes(
    slip: Slip, signatures: Sequence[Signature], expected: Mapping[int, int] | None
) -> list[Note]:
    """Return what is written beneath: slips that belong together, variance, and reasons."""
    notes = []
    void = [signature for signature in signatures if signature.track == Track.VOID.value]
    if slip.status == SlipStatus.VOIDED.value:
        signers = " and ".join(signature.signed_as for signature in void)
        reasons = " ".join(signature.reason for signature in void if signature.reason)
        notes.append(Note("VOID", f"{reasons} Signed by {signers}.", is_grave=True))
    if expected is not None:
        notes.append(_compared(slip, expected))
    if slip.refers_to is not None:
        notes.append(Note(form_of(slip.kind).refers_as, slip.refers_to.serial))
    notes.extend(_referred(slip))
    if slip.details.get("outside"):
        notes.append(Note("Outside the count", ", ".join(slip.details["outside"])))
    notes.extend(_own_notes(slip))
    if slip.reason:
        notes.append(Note(form_of(slip.kind).reason_as, slip.reason))
    notes.extend(
        Note(_REPORTS[signature.step], signature.reason)
        for signature in signatures
        if signature.step in _REPORTS and signature.reason
    )
    approved = (
        signature for signature in signatures if signature.step == "approved" and signature.reason
    )
    notes.extend(Note("Approved", signature.reason) for signature in approved)
    notes.extend(
        Note(
            "Officer relieved" if signature.step == "relieved" else "Dealer released",
            signature.reason,
        )
        for signature in signatures
        if signature.track == Track.RELIEF.value and signature.reason
    )
    return notes


def _referred(slip: Slip) -> list[Note]:
    """Name the slips that refer to this one. What corrects it stands out, once it is approved."""
    notes = []
    for other in slip.referred_by.order_by("id"):
        kind = kind_named(other.kind)
        corrects = kind is not None and kind.corrects
        if not corrects:
            notes.append(Note(form_of(other.kind).referred_as, other.serial))
        elif other.status == SlipStatus.DONE.value:
            notes.append(Note("CORRECTED BY", f"{other.serial}.", is_grave=True))
    return notes


def _compared(slip: Slip, expected: Mapping[int, int]) -> Note:
    counted = slip.cheques_by_cents
    if not difference(expected, counted):
        return Note("Compared", "every denomination is what the tray should hold.")
    off_cents = slip.total_cents - total_cents(expected)
    way = "over" if off_cents > 0 else "short"
    words = f"{format_money(abs(off_cents))} {way}" if off_cents else "none in value, in colors"
    return Note(
        "Variance",
        f"Expected {format_money(total_cents(expected))}. Counted "
        f"{format_money(slip.total_cents)}. Difference: {words}.",
        is_grave=True,
    )


def _own_notes(slip: Slip) -> list[Note]:
    kind = kind_named(slip.kind)
    return kind.notes(slip) if kind is not None and kind.notes is not None else []


def _figures(slip: Slip) -> tuple[Figure, ...]:
    """Return what a box held: bills and their sum, and below it what is no cash."""
    if has_unseen_figures(slip):
        return tuple(Figure(line.title) for line in FIGURE_LINES)
    counted = slip.details[FIGURES]
    bills, others = [], []
    for line in lines_in(counted):
        figure = counted[line.key]
        if line.key.startswith("cash_"):
            bills.append(Figure(line.title, figure // line.unit_cents, figure))
        elif line.is_money:
            others.append(Figure(line.title, amount_cents=figure))
        else:
            others.append(Figure(line.title, figure))
    cash = Figure("Cash", amount_cents=cash_cents(counted), is_sum=True)
    return (*bills, cash, *others)


def _facts(slip: Slip) -> list[Note]:
    own = [note.heading for note in _own_notes(slip)]
    return [
        Note(heading, words)
        for heading, words in written_of(slip)
        if not any(item.startswith(heading) for item in own)
    ]
