"""What was paid on a check, as the dealer confirms it; and a payout that differs, settled.

Payouts move no cheques in the ledger: a count finds what they cost. So neither does a correction:
the cheques go back over the layout, and the next count sees the tray as it then is.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from pitboss.models import Device, FloorException, Person, Table
from pitboss.rules import facts
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.facts import AMOUNT_CENTS_MAX
from pitboss.rules.games.games import spoken
from pitboss.rules.payouts.claims import Claim, read_claim
from pitboss.rules.payouts.mismatches import (
    SAME_BET_WITHIN,
    MismatchDirection,
    PayoutTold,
    Settling,
    Way,
    direction_of,
    is_same_bet,
    is_same_hand,
    settling_refusals,
)
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.roles import Place
from pitboss.rules.said import Said
from pitboss.services import house, journal
from pitboss.services.exceptions import (
    PAID_TWICE,
    PAYOUT_DIFFERS,
    mark_resolved,
    open_exception,
)
from pitboss.services.locks import lock_request, lock_table
from pitboss.services.pins import demand_worth, signed_act
from pitboss.services.signing import Pen
from tables.models import Mismatch, MismatchSettlement, PayoutCheck, PayoutConfirmation, PayoutWord
from tables.services.approvals import end_wait, flag_unapproved, word_for
from tables.services.checks import judge_at, keyed_late
from tables.services.envy import envy_of_check, take_back_of_check
from tables.services.floor_log import demand_not_corrected
from tables.services.terminals import Terminal

_TOLD: Final = ("paid_cents", "paid")
_ALREADY_PAID: Final = "already_paid"
_APPROVAL: Final = "approval"
_KNOWN: Final = ", ".join((*_TOLD, _ALREADY_PAID, _APPROVAL, "keyed_at"))
_SAYS: Final = {
    MismatchDirection.OVERPAID: "overpaid by {difference}",
    MismatchDirection.UNDERPAID: "underpaid by {difference}",
    MismatchDirection.UNVERIFIED: "{paid} paid without verification",
}


@transaction.atomic(savepoint=False)
def confirm_paid(
    *, terminal: Terminal, check: PayoutCheck, told: Mapping[str, Any]
) -> dict[str, Any]:
    """Take the dealer's word for what was paid on a check; where it differs, tell the supervisor.

    Once for each check. Raises Refused.
    """
    # The table first: two confirmations of one check come one after the other.
    table = lock_table(terminal.table.pk)
    now = house.now()
    standing = PayoutConfirmation.objects.filter(check_of=check).first()
    if standing is not None:
        paid = format_money(standing.paid_cents)
        raise refuse(
            "already_confirmed",
            Said("{paid} was confirmed on this check. Check the payout again.", paid=paid),
            CONFLICT,
        )
    demand_not_corrected(check.pk)
    claim, keyed_at = _read(check, told, now)
    is_late = keyed_at is not None or check.keyed_at is not None
    word = word_for(
        check,
        claim.paid_cents,
        named=_request_named(told),
        is_out=is_late or facts.flag(told, _ALREADY_PAID),
        now=now,
    )
    confirmation = PayoutConfirmation.objects.create(
        check_of=check,
        at=now,
        keyed_at=keyed_at,
        paid_cents=claim.paid_cents,
    )
    if word.approval is not None or word.is_missing:
        PayoutWord.objects.create(confirmation=confirmation, at=now, approval=word.approval)
    if direction_of(check.payable_cents, claim.paid_cents) is not None:
        _tell(terminal, table, confirmation, claim)
    elif word.is_missing:
        flag_unapproved(confirmation)
    if word.is_missing:
        end_wait(check, now)
    envy_of_check(confirmation, stands_cents=claim.paid_cents, device=terminal.device, at=now)
    _flag_paid_twice(confirmation)
    return as_sent(confirmation)


def _flag_paid_twice(confirmation: PayoutConfirmation) -> None:
    """Tell the supervisor of a bet that was confirmed as paid on an earlier check as well.

    Both stand as they were told: each may be right by itself, and the cheques are with the player.
    """
    check = confirmation.check_of
    if not confirmation.paid_cents:
        return
    told = PayoutTold(check.at, check.keyed_at)
    lately = PayoutCheck.objects.filter(
        at__gt=told.seen_at - SAME_BET_WITHIN,
        table=check.table_id,
        wager=check.wager,
        confirmation__paid_cents__gt=0,
    ).exclude(pk__in=[check.pk, check.corrects_id or check.pk])
    before = [
        earlier
        for earlier in lately.select_related("confirmation").order_by("pk")
        if is_same_bet(check.claim, earlier.claim)
        and is_same_hand(told, confirmation.at, PayoutTold(earlier.at, earlier.keyed_at))
    ]
    if not before:
        return
    first = before[0].confirmation
    open_exception(
        code=PAID_TWICE,
        sentence=f"{check.table}: {spoken(check.wager)} at seat {check.claim['seat']} was paid "
        f"twice: {format_money(first.paid_cents)}, then {format_money(confirmation.paid_cents)}.",
        details={"check": check.pk, "before": first.check_of_id},
        at=confirmation.at,
        person=check.dealer,
        table=check.table,
    )


def _read(
    check: PayoutCheck, fields: Mapping[str, Any], now: datetime
) -> tuple[Claim, datetime | None]:
    """Return the payout as it was keyed, with what was paid on it in the end. Raises Refused."""
    body = dict(fields)
    keyed_at = keyed_late(body.pop("keyed_at", None), now)
    for name in (_ALREADY_PAID, _APPROVAL):
        body.pop(name, None)
    unknown = [name for name in body if name not in _TOLD]
    if unknown:
        raise Refused(
            Refusal("unknown_field", f"What was paid has no field {quoted(name)}. Use: {_KNOWN}.")
            for name in unknown
        )
    kept = {name: value for name, value in check.claim.items() if name not in _TOLD}
    return read_claim({**kept, **body}), keyed_at


def _request_named(fields: Mapping[str, Any]) -> int | None:
    """Return the request by whose answer a payout goes out, where the terminal names it."""
    named = fields.get(_APPROVAL)
    if named is None or (type(named) is int and 0 < named <= AMOUNT_CENTS_MAX):
        return named
    raise refuse("bad_approval", "approval must be the number of a request of this table.")


def _tell(
    terminal: Terminal, table: Table, confirmation: PayoutConfirmation, claim: Claim
) -> Mismatch:
    """Open a mismatch, and put it before the person who supervises the table."""
    check = confirmation.check_of
    take_back, add = _cheques(terminal, check, claim)
    mismatch = Mismatch.objects.create(
        confirmation=confirmation,
        table=table,
        dealer_id=check.dealer_id,
        at=confirmation.at,
        owed_cents=check.payable_cents,
        paid_cents=confirmation.paid_cents,
        take_back=take_back,
        add=add,
    )
    open_exception(
        code=PAYOUT_DIFFERS,
        sentence=f"{table}: {spoken(check.wager)} {said_of(mismatch)}.",
        details={"mismatch": mismatch.pk, "says": _facts(mismatch, check)},
        at=confirmation.at,
        person=mismatch.dealer,
        table=table,
    )
    journal.write(
        chain=journal.chain_of(table, journal.HOUSE),
        kind="payout_mismatch",
        body={"mismatch": mismatch.pk, "check": check.pk, "direction": mismatch.direction.value},
        at=confirmation.at,
        person=mismatch.dealer,
        device=terminal.device,
        rows=[mismatch],
    )
    return mismatch


def _cheques(
    terminal: Terminal, check: PayoutCheck, claim: Claim
) -> tuple[dict[str, int], dict[str, int]]:
    """Return the difference in cheques; none where the tray or the meters have moved on since."""
    found = judge_at(terminal, claim, check.keyed_at or check.at)
    if found.payable_cents != check.payable_cents:
        return {}, {}
    answer = found.as_answer()
    return answer["take_back"], answer["add"]


def said_of(mismatch: Mismatch) -> str:
    """Say in a few words how a payout differs.

    >>> said_of(Mismatch(owed_cents=45_000, paid_cents=90_000))
    'overpaid by $450'
    """
    return _SAYS[mismatch.direction].format(
        difference=format_money(abs(mismatch.difference_cents or 0)),
        paid=format_money(mismatch.paid_cents),
    )


def _facts(mismatch: Mismatch, check: PayoutCheck) -> list[dict[str, str]]:
    """Return what a card says of a mismatch before its proof is opened."""
    seat = check.claim.get("seat")
    owed_cents = mismatch.owed_cents
    facts = {
        "Paid": format_money(mismatch.paid_cents),
        "Owed": "not known" if owed_cents is None else format_money(owed_cents),
        "Stake": format_money(check.stake_cents),
        "Seat": str(seat) if seat else "",
        "Dealer": str(mismatch.dealer) if mismatch.dealer else "no dealer tapped in",
    }
    return [{"name": name, "value": value} for name, value in facts.items() if value]


def as_sent(confirmation: PayoutConfirmation) -> dict[str, Any]:
    """Return a confirmation as its terminal is told, with what became of a mismatch."""
    mismatch: Mismatch | None = getattr(confirmation, "mismatch", None)
    settlement: MismatchSettlement | None = getattr(mismatch, "settlement", None)
    keyed_at = confirmation.keyed_at
    word: PayoutWord | None = getattr(confirmation, "word", None)
    approval = word.approval if word else None
    return {
        "check": confirmation.check_of_id,
        "paid_cents": confirmation.paid_cents,
        "confirmed_at": confirmation.at.isoformat(),
        "keyed_at": keyed_at.isoformat() if keyed_at else None,
        "approved_by": str(approval.by) if approval else None,
        "is_unapproved": word is not None and approval is None,
        "envy_cents": sum(line.amount_cents for line in confirmation.check_of.envy.all()),
        "mismatch": None
        if mismatch is None
        else {
            "id": mismatch.pk,
            "direction": mismatch.direction.value,
            "owed_cents": mismatch.owed_cents,
            "difference_cents": mismatch.difference_cents,
            "take_back": mismatch.take_back,
            "add": mismatch.add,
            "settlement": None
            if settlement is None
            else {
                "way": settlement.way,
                "stands_cents": settlement.stands_cents,
                "by": str(settlement.settled_by),
                "at": settlement.settled_at.isoformat(),
            },
        },
    }


def settle_mismatch(
    *, mismatch_id: int, way: Way, reason: str, found_cents: int | None, pen: Pen
) -> MismatchSettlement:
    """Settle a payout that differs, by a supervisor's signature. Raises Refused.

    Corrected is what the rules say is owed, or what the supervisor found where they do not say;
    overridden, what was paid stands, with a reason.
    """
    with signed_act(
        act="settle_mismatch", badge=pen.badge, pin=pen.pin, device=pen.device
    ) as person:
        lock_request(pen.request_id)
        mismatch = _lock_mismatch(mismatch_id)
        now = house.now()
        standing = MismatchSettlement.objects.filter(mismatch=mismatch).first()
        if standing is not None:
            if standing.request_id == pen.request_id:
                return standing  # A second tap, or a resend after a lost answer.
            raise refuse(
                "already_settled",
                Said(
                    "{settled_by} has settled this payout. Reload the page.",
                    settled_by=standing.settled_by,
                ),
                CONFLICT,
            )
        settling = Settling(
            role=house.role_in(person, house.period_at(now)),
            place=Place(pen.device.place) if pen.device else None,
            is_their_pit=_is_at(pen.device, mismatch.table),
            is_the_dealer=mismatch.dealer_id == person.pk,
            owed_cents=mismatch.owed_cents,
            paid_cents=mismatch.paid_cents,
            way=way,
            reason=reason.strip(),
            found_cents=found_cents,
        )
        refusals = settling_refusals(settling)
        if refusals:
            raise Refused(refusals)
        amounts = (mismatch.owed_cents, mismatch.paid_cents, found_cents)
        demand_worth(person, max(amount or 0 for amount in amounts), now)
        return _settle(mismatch, settling, person, pen, now)


def _lock_mismatch(mismatch_id: int) -> Mismatch:
    """Lock a mismatch's table: its rows are in ink, and no row in ink is ever locked."""
    found = Mismatch.objects.filter(pk=mismatch_id).values_list("table_id", flat=True).first()
    if found is None:
        raise refuse("unknown_mismatch", "Payout not found. Check the list.")
    lock_table(found)
    return Mismatch.objects.select_related("table", "dealer", "confirmation").get(pk=mismatch_id)


def _is_at(device: Device | None, table: Table) -> bool:
    return device is not None and device.pit_id in (None, table.pit_id)


def _settle(
    mismatch: Mismatch, settling: Settling, person: Person, pen: Pen, now: datetime
) -> MismatchSettlement:
    assert settling.stands_cents is not None, "refused where nobody said what stands"
    settlement = MismatchSettlement.objects.create(
        mismatch=mismatch,
        way=settling.way.value,
        stands_cents=settling.stands_cents,
        reason=settling.reason,
        settled_by=person,
        settled_at=now,
        request_id=pen.request_id,
    )
    exception = _exception_of(mismatch)
    stands = format_money(settlement.stands_cents)
    words = f"{settling.way.value.capitalize()}: {stands}. {settling.reason}".strip()
    mark_resolved(exception, person, words[:500], now)
    journal.write(
        chain=journal.chain_of(mismatch.table, journal.HOUSE),
        kind="mismatch_settled",
        body={
            "mismatch": mismatch.pk,
            "check": mismatch.confirmation.check_of_id,
            "way": settling.way.value,
        },
        at=now,
        person=person,
        device=pen.device,
        rows=[settlement],
    )
    _envy_of(settlement, pen)
    return settlement


def _envy_of(settlement: MismatchSettlement, pen: Pen) -> None:
    """Let the envy follow what stands: none for a hand that won nothing."""
    confirmation, at = settlement.mismatch.confirmation, settlement.settled_at
    assert pen.device is not None, "nobody signs on no device"
    if settlement.stands_cents:
        stands_cents = settlement.stands_cents
        envy_of_check(confirmation, stands_cents=stands_cents, device=pen.device, at=at)
    else:
        take_back_of_check(confirmation.check_of, device=pen.device, at=at)


def _exception_of(mismatch: Mismatch) -> FloorException:
    still_open = FloorException.objects.filter(code=PAYOUT_DIFFERS, resolved_at=None)
    return still_open.get(table=mismatch.table, details__mismatch=mismatch.pk)
