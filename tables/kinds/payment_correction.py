"""A finished marker payment put right: who paid, how much of it in cash, and in which cheques.

What it took off the markers is owed again, and what was paid is applied to the newest first. Its
cash goes from the log of one person to that of the other, on the day on which it was paid. A check,
a wire or front money goes from one patron to the other in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.db import models

from inventory.kinds.carrying import CHEQUES
from inventory.kinds.marker import OWED_READERS
from inventory.kinds.of_a_patron import DollarAmount
from inventory.models import CashEntry, Holder, MarkerEntry, MarkerMove, Patron
from inventory.selectors.credit import Outstanding, as_they_lie, credit_of, outstanding
from inventory.services.cash_log import log_cash, reverse_cash
from inventory.services.ledger import lock_public
from inventory.services.marker_payments import paying_order
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.rules.cheques.cheques import format_money, total_cents
from pitboss.rules.day.late_papers import LATE_PAYMENT
from pitboss.rules.flows.corrections import PAYMENT_CORRECTION as CORRECTION_OF_A_PAYMENT
from pitboss.rules.flows.corrections import PaymentFacts, parted, payment_refusals
from pitboss.rules.flows.flows import Promise
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.patrons.credit_line import AMOUNT_MAX_CENTS, Owed, redeemed
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.roles import AT_THE_CAGE, Place, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.slips.correcting import (
    CHECKED,
    CorrectionForm,
    Line,
    chain_of,
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
from pitboss.slips.late import true_time_of
from tables.kinds.on_another_patron import (
    begun,
    lock_both,
    locked,
    other_patron,
    right_patron,
    search,
)
from tables.selectors.tray_past import cage_count_after, count_that_saw, place_in_tray
from tables.services.deposit_changes import deposit_lines, deposits_changed
from tables.services.instrument_changes import (
    BY_MEANS,
    front_money_changes,
    instrument_changed,
    instrument_refusals,
    means_of,
)
from tables.services.restated import figures_of, restated_days, win_change, win_lines
from tables.services.restating import Since, counting_refusals, post_restated

_GONE_ON: Final = (MarkerMove.DEPOSITED, MarkerMove.REPLACED, MarkerMove.WRITTEN_OFF)


def _says(slip: Slip) -> Patron:
    """Return who paid, as a payment or its correction says."""
    return Patron.objects.get(pk=slip.details["patron"])


def _patron(raising: Raising) -> Patron:
    return right_patron(raising, _says)


def _locked(raising: Raising) -> Raising:
    return locked(raising, _patron(raising), _says(original_of(raising)))


def _paid(slip: Slip) -> list[MarkerEntry]:
    """Return what a payment or its correction took off which marker."""
    rows = MarkerEntry.objects.filter(slip=slip, move=MarkerMove.PAID)
    return list(rows.select_related("marker__slip").order_by("id"))


def _paid_at(root: Slip) -> datetime:
    """Return when the payment was taken: by its form, or when its second person verified it."""
    if root.kind == LATE_PAYMENT:
        return true_time_of(root)
    return root.signatures.latest("id").signed_at


def _parts(
    patron: Patron, paid_at: datetime, back: Mapping[int, int], cents: int
) -> list[tuple[Owed, int]]:
    """Return what a payment takes off a patron's markers, the newest of its time first.

    What was lent since comes last. `back` is what is owed again and not yet written so.
    """
    today = house.period_at(house.now()).gaming_day
    owed = {item.marker.pk: item for item in outstanding(today, patron)}
    owed |= {
        pk: item for pk, item in as_they_lie(back, today).items() if item.marker.patron == patron
    }
    lent = ((item.marker.issued_at, _with(item, back)) for item in owed.values())
    return redeemed(paying_order(lent, paid_at), cents)


def _with(each: Outstanding, back: Mapping[int, int]) -> Owed:
    owed = each.owed
    cents = owed.balance_cents + back.get(owed.marker_id, 0)
    return Owed(owed.marker_id, owed.serial, cents, owed.issued_on, owed.order)


def _cash_logged(original: Slip) -> CashEntry | None:
    """Return the entry of the cash log that the payment stands in now."""
    return (
        CashEntry.objects.filter(slip__in=chain_of(original), kind=CashKind.MARKER_PAYMENT)
        .filter(reverses=None, reversed_by=None)
        .select_related("patron", "stranger", "table")
        .last()
    )


def _is_by_means(raising: Raising) -> bool:
    return root_of(original_of(raising)).kind in BY_MEANS


def _cheques(raising: Raising) -> dict[int, int]:
    return {} if _is_by_means(raising) else dict(raising.cheques)


def _cash(raising: Raising) -> int:
    return 0 if _is_by_means(raising) else int(raising.given.get("cash", 0))


def _amount(raising: Raising) -> int:
    if _is_by_means(raising):
        return int(raising.given.get("amount", original_of(raising).details["amount_cents"]))
    return total_cents(raising.cheques) + max(0, _cash(raising))


def _lines(raising: Raising) -> list[Line]:
    original = original_of(raising)
    was, now = original.details["amount_cents"], _amount(raising)
    patron: Line = ("Patron", str(_says(original)), str(_patron(raising)))
    total: Line = ("Total", format_money(was), format_money(now))
    if _is_by_means(raising):
        return [patron, total]
    *cheques, _ = cheque_lines(original.cheques_by_cents, dict(raising.cheques))
    in_cash = format_money(original.details["cash_cents"])
    return [patron, *cheques, ("Cash", in_cash, format_money(_cash(raising))), total]


def _owed_lines(raising: Raising, parts: list[tuple[Owed, int]]) -> list[Line]:
    """Return what each patron owes before and after, and what each marker has left to pay."""
    original, right = original_of(raising), _patron(raising)
    wrong, now = _says(original), house.now()
    change = {wrong: original.details["amount_cents"]}
    change[right] = change.get(right, 0) - _amount(raising)
    lines = []
    for patron, cents in change.items():
        owes = credit_of(patron, now).outstanding_cents
        lines.append((f"{patron} owes", format_money(owes), format_money(owes + cents)))
    moves: dict[int, int] = {}
    for entry in _paid(original):
        moves[entry.marker_id] = entry.amount_cents
    for owed, cents in parts:
        moves[owed.marker_id] = moves.get(owed.marker_id, 0) - cents
    lying = as_they_lie(moves, house.period_at(now).gaming_day)
    for pk, cents in moves.items():
        left = lying[pk].balance_cents
        line = (f"Left of {lying[pk].marker}", format_money(left), format_money(left + cents))
        lines.append(line)
    return lines


def _drafted(raising: Raising) -> NewSlip:
    original, right = original_of(raising), _patron(raising)
    root, table, cash = root_of(original), original.table, _cash(raising)
    was, now = original.details["amount_cents"], _amount(raising)
    back = {entry.marker_id: entry.amount_cents for entry in _paid(original)}
    parts = _parts(right, _paid_at(root), back, now)
    restated, days, more = _owed_lines(raising, parts), [root.gaming_day], dict[str, Any]()
    if root.kind in BY_MEANS:
        entries = front_money_changes(root, (_says(original), was), (right, now))
        restated += deposit_lines(entries)
        more = {**means_of(root), "entries": entries}
    if table is not None:
        changes = {
            "marker_payments": now - was,
            "marker_cash": cash - original.details["cash_cents"],
        }
        days = restated_days(table, root, place_in_tray(root))
        restated += win_lines(table, dict.fromkeys(days, win_change(changes)))
        more = figures_of(table, root, changes)
    logged = _cash_logged(original)
    is_same = logged is not None and (logged.patron, logged.amount_cents) == (right, cash)
    return NewSlip(
        raising.kind.kind,
        table.pk if table else None,
        _cheques(raising),
        original.pk,
        details={
            **details_of(raising, _lines(raising), days, restated),
            **more,
            "patron": right.pk,
            "patron_name": right.full_name,
            "cash_cents": cash,
            "amount_cents": now,
            "parts": [[owed.marker_id, owed.serial, cents] for owed, cents in parts],
            "logs_cash": bool(cash) and not is_same,
            "entry": logged.pk if logged is not None and not is_same else None,
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    if not 0 <= _cash(raising) <= AMOUNT_MAX_CENTS:
        return [Refusal("bad_amount", "Enter the cash that was paid, $0 or more.")]
    if not 0 <= _amount(raising) <= AMOUNT_MAX_CENTS:
        return [Refusal("bad_amount", "Enter what was paid, $0 or more.")]
    return [*refusals_of(raising, _lines(raising)), *_standing_refusals(raising)]


def _standing_refusals(raising: Raising) -> list[Refusal]:
    paid = _paid(original_of(raising))
    back = {entry.marker_id: entry.amount_cents for entry in paid}
    gone = MarkerEntry.objects.filter(marker__in=back, move__in=_GONE_ON)
    gone_on = set(gone.values_list("marker", flat=True))
    paid_at = _paid_at(root_of(original_of(raising)))
    every = _parts(_patron(raising), paid_at, back, AMOUNT_MAX_CENTS)
    facts = PaymentFacts(
        patron=str(_patron(raising)),
        amount_cents=_amount(raising),
        owed_cents=sum(cents for _, cents in every),
        gone=[str(entry.marker) for entry in paid if entry.marker_id in gone_on],
    )
    refusals = payment_refusals(facts)
    if _is_by_means(raising):
        refusals += instrument_refusals(original_of(raising), house.now())
    return refusals


def _posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take back what the payment took, apply what was paid, and move cash and cheques with it."""
    checked(slip, signature, at)
    assert slip.refers_to is not None, "a correction is of a finished slip"
    original = slip.refers_to
    wrong = _says(original)
    patrons = lock_both(slip.details["patron"], wrong)
    if root_of(slip).kind in BY_MEANS:
        if refusals := instrument_refusals(original, at):
            raise Refused(refusals)
        return [
            *_reapplied(slip, original, patrons[slip.details["patron"]], at),
            *instrument_changed(slip, original, patrons[slip.details["patron"]], slip.details, at),
            *deposits_changed(slip, patrons, at, at),
        ]
    return [
        *_reapplied(slip, original, patrons[slip.details["patron"]], at),
        *_cash_moved(slip, patrons[slip.details["patron"]], signature, at),
        *_cheques_moved(slip, original, signature, at),
    ]


def _reapplied(slip: Slip, original: Slip, patron: Patron, at: datetime) -> list[models.Model]:
    today = house.period_at(at).gaming_day
    paid = _paid(original)
    lying = as_they_lie([entry.marker_id for entry in paid], today)
    rows: list[models.Model] = [
        _entry(lying[entry.marker_id], MarkerMove.REVERSED, entry.amount_cents, 0, slip, at)
        for entry in paid
    ]
    parts = _parts(patron, _paid_at(root_of(slip)), {}, slip.details["amount_cents"])
    if [[owed.marker_id, owed.serial, cents] for owed, cents in parts] != slip.details["parts"]:
        raise refuse(
            "balance_changed",
            "The markers were paid or moved since this was proposed. Decline it and propose it "
            "again.",
        )
    lying = as_they_lie([owed.marker_id for owed, _ in parts], today)
    cash = slip.details["cash_cents"]
    for owed, cents in parts:
        in_cash = min(cash, cents)
        cash -= in_cash
        rows.append(_entry(lying[owed.marker_id], MarkerMove.PAID, cents, in_cash, slip, at))
    return rows


def _entry(
    lying: Outstanding, move: MarkerMove, cents: int, cash: int, slip: Slip, at: datetime
) -> MarkerEntry:
    """Write what happened to a marker in the log of the pit that has it, on the day of this."""
    when = house.period_at(at)
    return MarkerEntry.objects.create(
        marker=lying.marker,
        move=move.value,
        amount_cents=cents,
        cash_cents=cash,
        pit=None if lying.at_cage else lying.pit,
        table=slip.table,
        slip=slip,
        gaming_day=when.gaming_day,
        shift=when.shift,
        at=at,
    )


def _cash_moved(
    slip: Slip, patron: Patron, signature: Signature, at: datetime
) -> list[models.Model]:
    """Reverse the cash that was logged wrong, and log it as it was paid, on its own day."""
    rows: list[models.Model] = []
    if slip.details["entry"] is not None:
        entries = CashEntry.objects.select_related("patron", "stranger", "table")
        rows += reverse_cash(entries.get(pk=slip.details["entry"]), slip, signature, at)
    if slip.details["logs_cash"]:
        rows += log_cash(
            patron=patron,
            kind=CashKind.MARKER_PAYMENT,
            amount_cents=slip.details["cash_cents"],
            slip=slip,
            signature=signature,
            at=_paid_at(root_of(slip)),
        )
    return rows


def _cheques_moved(
    slip: Slip, original: Slip, signature: Signature, at: datetime
) -> list[models.Model]:
    root, table = root_of(slip), slip.table
    if table is not None:
        since = Since(count_that_saw(table, root))
    else:
        since = Since(cage=cage_count_after(root))
    if refusals := counting_refusals(since.cage):
        raise Refused(refusals)
    lock_public()
    more, less = parted(original.cheques_by_cents, slip.cheques_by_cents)
    public, taker = Holder.PUBLIC, Holder.TRAY if table is not None else Holder.CAGE
    return [
        *post_restated(slip, more, public, taker, since=since, signature=signature, at=at),
        *post_restated(slip, less, taker, public, since=since, signature=signature, at=at),
    ]


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    original = original_of(raising)
    details = original.details
    asked = CorrectionForm(
        about=f"{original.title}, {_patron(raising)}",
        approves="The cage manager approves it.",
        lines=[("amount", "Amount", True, format_money(details["amount_cents"]))]
        if _is_by_means(raising)
        else [
            *cheques_asked(original.cheques_by_cents),
            ("cash", "Cash", True, format_money(details["cash_cents"])),
        ],
        other=other_patron(raising),
    )
    return correction_page(request, raising, refused, asked)


PAYMENT_CORRECTION = correcting_kind(
    CORRECTION_OF_A_PAYMENT,
    title="Marker payment correction",
    at_a_table=False,
    open_to=AT_THE_CAGE,
    lit_by="patrons",
    refers_to=(
        "marker_payment",
        "marker_payment_cage",
        LATE_PAYMENT,
        *BY_MEANS,
        CORRECTION_OF_A_PAYMENT,
    ),
    asked=(
        CHEQUES,
        DollarAmount(name="cash", label="Cash in dollars", is_needed=False),
        DollarAmount(name="amount", label="Amount ($)", is_needed=False),
    ),
    begins=lambda request, raising: begun(request, raising, _says),
    chooses=search,
    locks=_locked,
    facts=lambda raising: facts_of(days_of(raising)),
    refusals=_refusals,
    drafted=_drafted,
    steps=steps_of(Role.CASHIER, Role.CAGE_MANAGER, at=Place.CAGE),
    void=declined_by(Role.CAGE_MANAGER, Role.CASHIER),
    at_end="payment_correction_posted",
    effects={CHECKED: checked, "payment_correction_posted": _posted},
    readers=OWED_READERS,
    promises=(
        Promise(2, 1),
        # A shift manager of the pit stands beside the cage manager.
        Promise(3, 2, having="restated"),
    ),
    look=_look,
    raised=lambda slip: f"{slip.serial} proposed. The cage manager approves it.",
)
