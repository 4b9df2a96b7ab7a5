"""A finished marker put right: to whom it was issued, for how much, and in which cheques.

It is reversed once on the patron who did not sign it and issued on the one who did, with their own
signed paper. Without such a paper no one owes a marker: the cage manager looks for the money.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from django.db import models

from inventory.kinds.carrying import CHEQUES
from inventory.kinds.marker import OWED_READERS
from inventory.models import Holder, Marker, MarkerEntry, MarkerMove, Patron
from inventory.selectors.credit import credit_of, with_balance
from inventory.services.ledger import lock_public
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip, Table
from pitboss.rules.cheques.cheques import format_money, total_cents
from pitboss.rules.day.late_papers import LATE_MARKER
from pitboss.rules.floor.fields import Words, Yes
from pitboss.rules.flows.corrections import MARKER_CORRECTION as CORRECTION_OF_A_MARKER
from pitboss.rules.flows.corrections import MarkerFacts, marker_refusals, parted
from pitboss.rules.flows.flows import Need, PlanFacts, Promise, Step
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import AT_THE_CAGE, SUPERVISING, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.exceptions import MARKER_RECEIVABLE, open_exception
from pitboss.slips.correcting import (
    CHECKED,
    CorrectionForm,
    Line,
    checked,
    cheque_lines,
    cheques_asked,
    correcting_kind,
    correction_page,
    days_of,
    declined_by,
    details_of,
    facts_of,
    original_of,
    refusals_of,
    root_of,
    steps_of,
)
from pitboss.slips.kind import Look, Raising
from tables.kinds.on_another_patron import (
    begun,
    lock_both,
    locked,
    other_patron,
    right_patron,
    search,
)
from tables.selectors.tray_past import count_that_saw, place_in_tray
from tables.services.restated import figures_of, restated_days, win_change, win_lines
from tables.services.restating import Since, post_restated

if TYPE_CHECKING:
    from inventory.selectors.credit import WithBalance

_NOBODY: Final = "no one signed for it"


def _marker_of(slip: Slip) -> WithBalance | None:
    """Return the marker of a slip, with its balance; none where no one signed for it."""
    return with_balance(Marker.objects.filter(slip=slip).select_related("patron")).first()


def _says(slip: Slip) -> Patron:
    """Return who owes the marker of a slip; where no one signed for it, whom it was issued to."""
    marker = _marker_of(slip)
    return marker.patron if marker else Patron.objects.get(pk=root_of(slip).details["patron"])


def _locked(raising: Raising) -> Raising:
    wrong = _marker_of(original_of(raising))
    return locked(raising, _patron(raising), wrong.patron if wrong else None)


def _patron(raising: Raising) -> Patron:
    return right_patron(raising, _says)


def _table_of(slip: Slip) -> Table:
    assert slip.table is not None, "a marker is issued at a table"
    return slip.table


def _lines(raising: Raising) -> list[Line]:
    original, right = original_of(raising), _patron(raising)
    marker = _marker_of(original)
    was, now = original.cheques_by_cents, dict(raising.cheques)
    signed = raising.given.get("signed", False)
    return [
        (
            "Patron",
            str(marker.patron) if marker else _NOBODY,
            str(right) if signed else _NOBODY,
        ),
        *cheque_lines(was, now),
    ]


def _over_cents(raising: Raising) -> int:
    """Return by how much the right patron passes their line: what is reversed is back by then."""
    right, marker = _patron(raising), _marker_of(original_of(raising))
    back = marker.amount_cents if marker and marker.patron_id == right.pk else 0
    credit = credit_of(right, house.now())
    return max(0, total_cents(raising.cheques) - max(0, credit.remaining_cents + back))


def _drafted(raising: Raising) -> NewSlip:
    original, right = original_of(raising), _patron(raising)
    root, table = root_of(original), _table_of(original)
    was, now = original.cheques_by_cents, dict(raising.cheques)
    figures = {"markers": total_cents(now) - total_cents(was)}
    days = restated_days(table, root, place_in_tray(root))
    marker, signed = _marker_of(original), bool(raising.given.get("signed"))
    over = _over_cents(raising) if signed else 0
    return NewSlip(
        raising.kind.kind,
        table.pk,
        now,
        original.pk,
        details={
            **details_of(
                raising,
                _lines(raising),
                days,
                [
                    *_owed_lines(marker, right if signed else None, total_cents(now)),
                    *win_lines(table, dict.fromkeys(days, win_change(figures))),
                ],
            ),
            **figures_of(table, root, figures),
            "patron": right.pk,
            "patron_name": right.full_name,
            "amount_cents": total_cents(now),
            "over_line_cents": over,
            "signed": signed,
            "paper": raising.given.get("paper", ""),
            "dated": root.gaming_day.isoformat(),
        },
    )


def _owed_lines(marker: Marker | None, right: Patron | None, amount_cents: int) -> list[Line]:
    """Return what each patron owes before and after."""
    now = house.now()
    owes: dict[int, tuple[Patron, int, int]] = {}
    for patron, change in (
        (marker.patron if marker else None, -marker.amount_cents if marker else 0),
        (right, amount_cents),
    ):
        if patron is None:
            continue
        before = credit_of(patron, now).outstanding_cents
        _, _, so_far = owes.get(patron.pk, (patron, before, before))
        owes[patron.pk] = (patron, before, so_far + change)
    return [
        (f"{patron} owes", format_money(before), format_money(after))
        for patron, before, after in owes.values()
    ]


def _standing_facts(original: Slip, right: Patron, amount_cents: int) -> MarkerFacts:
    """Return what decides whether the marker of a slip is corrected, as it is now."""
    marker = _marker_of(original)
    return MarkerFacts(
        serial=original.serial,
        patron=str(right),
        paid_cents=marker.amount_cents - marker.balance_cents if marker else 0,
        amount_cents=amount_cents,
        is_at_cage=marker is not None and marker.last_move == MarkerMove.TO_CAGE,
    )


def _refusals(raising: Raising) -> list[Refusal]:
    right, signed = _patron(raising), bool(raising.given.get("signed"))
    facts = replace(
        _standing_facts(original_of(raising), right, total_cents(raising.cheques)),
        is_signed=signed,
        is_stopped=credit_of(right, house.now()).standing is not Standing.CLEAR,
    )
    return [*refusals_of(raising, _lines(raising)), *marker_refusals(facts)]


def _facts(raising: Raising) -> PlanFacts:
    facts = facts_of(days_of(raising))
    return replace(facts, over_line=bool(raising.new().details["over_line_cents"]))


def _posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Reverse the marker on the wrong patron, issue it on the right one, and move the cheques."""
    checked(slip, signature, at)
    assert slip.refers_to is not None, "a correction is of a finished slip"
    original, table, root = slip.refers_to, _table_of(slip), root_of(slip)
    wrong = _marker_of(original)
    patrons = lock_both(slip.details["patron"], wrong.patron if wrong else None)
    rows: list[models.Model] = []
    if wrong is not None:
        _demand_unpaid(original, wrong.patron)
        rows.append(_entry(wrong, MarkerMove.CORRECTED, slip, at))
    if slip.details["signed"] and slip.total_cents:
        rows += _issued(slip, patrons[slip.details["patron"]], at)
    elif slip.total_cents:
        _ask_for_the_money(slip, root, at)
    lock_public()
    since = Since(count_that_saw(table, root))
    more, less = parted(original.cheques_by_cents, slip.cheques_by_cents)
    tray, public = Holder.TRAY, Holder.PUBLIC
    return [
        *rows,
        *post_restated(slip, more, tray, public, since=since, signature=signature, at=at),
        *post_restated(slip, less, public, tray, since=since, signature=signature, at=at),
    ]


def _demand_unpaid(original: Slip, patron: Patron) -> None:
    """Refuse where the marker was paid or moved while this waited. Raises Refused."""
    refusals = marker_refusals(_standing_facts(original, patron, original.total_cents))
    if refusals:
        raise Refused(refusals)


def _issued(slip: Slip, patron: Patron, at: datetime) -> list[models.Model]:
    """Issue the marker on the patron who signed for it. Their line is taken from now on."""
    credit = credit_of(patron, at)
    marker = Marker.objects.create(
        slip=slip,
        patron=patron,
        amount_cents=slip.total_cents,
        line_cents=credit.line_cents,
        over_line_cents=credit.over_line_cents(slip.total_cents),
        remaining_cents=max(0, credit.remaining_cents - slip.total_cents),
        issued_at=at,
    )
    return [
        marker,
        _entry(marker, MarkerMove.RESERVED, slip, at),
        _entry(marker, MarkerMove.ISSUED, slip, at),
    ]


def _entry(marker: Marker, move: MarkerMove, slip: Slip, at: datetime) -> MarkerEntry:
    """Write what happened to a marker in the log of its pit, on the day that it is corrected."""
    when = house.period_at(at)
    return MarkerEntry.objects.create(
        marker=marker,
        move=move.value,
        amount_cents=marker.amount_cents,
        pit=_table_of(slip).pit,
        table=_table_of(slip),
        slip=slip,
        gaming_day=when.gaming_day,
        shift=when.shift,
        at=at,
    )


def _ask_for_the_money(slip: Slip, root: Slip, at: datetime) -> None:
    """Ask the cage manager after cheques that left the tray and that no one signed for."""
    open_exception(
        code=MARKER_RECEIVABLE,
        sentence=f"{slip.serial}: {format_money(slip.total_cents)} of {root.serial} left the tray "
        "and no one signed for it. Find who received it, and record what was done.",
        details={"amount_cents": slip.total_cents},
        at=at,
        person=None,
        table=slip.table,
        slip=slip,
    )


_FIELDS: Final = (
    Yes(name="signed", label="This patron signed the marker"),
    Words(
        name="paper",
        label="Where the signed marker is",
        most=80,
        is_needed=False,
        hint="If no one signed, no one owes a marker. The cage manager follows it up.",
    ),
)


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    original = original_of(raising)
    asked = CorrectionForm(
        about=f"{original.title}, {_patron(raising)}",
        approves="The cage manager approves it.",
        lines=cheques_asked(original.cheques_by_cents),
        fields=_FIELDS,
        values={"signed": "yes"},
        other=other_patron(raising),
    )
    return correction_page(request, raising, refused, asked)


_AUTHORIZED: Final = Step(
    "authorised",
    done="Authorized",
    do="Authorize",
    by=Role.SHIFT_MANAGER,
    at=None,
    when=lambda facts: facts.over_line,
    why=Need("This marker is over the patron’s credit line. A shift manager must authorize it."),
    needs_reason=True,
    attests="I know this patron’s outstanding balance and authorize this marker over the line.",
    then=CHECKED,
)


MARKER_CORRECTION = correcting_kind(
    CORRECTION_OF_A_MARKER,
    title="Marker correction",
    open_to=SUPERVISING | AT_THE_CAGE,
    lit_by="patrons",
    refers_to=("marker", LATE_MARKER, CORRECTION_OF_A_MARKER),
    asked=(*_FIELDS, CHEQUES),
    begins=lambda request, raising: begun(request, raising, _says),
    chooses=search,
    locks=_locked,
    facts=_facts,
    refusals=_refusals,
    drafted=_drafted,
    steps=steps_of(
        (Role.SUPERVISOR, Role.CASHIER), Role.CAGE_MANAGER, at=None, more=(_AUTHORIZED,)
    ),
    void=declined_by(Role.CAGE_MANAGER, Role.SUPERVISOR, Role.CASHIER),
    at_end="marker_correction_posted",
    effects={CHECKED: checked, "marker_correction_posted": _posted},
    readers=OWED_READERS,
    promises=(
        Promise(2, 1),
        # A shift manager of the pit stands beside the cage manager.
        Promise(3, 2, having="restated"),
        Promise(3, 2, having="authorised"),
    ),
    look=_look,
    raised=lambda slip: f"{slip.serial} proposed. The cage manager approves it.",
)
