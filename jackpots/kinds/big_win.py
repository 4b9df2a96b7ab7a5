"""A big win: a payout without a meter that needs a slip, from its check to the winner's hands.

The dealer enters what the check found; a supervisor compares it with the layout; surveillance and
the pit manager look at what is long odds or much; the payer counts it out; a supervisor sees the
winner paid. Tax papers run beside it, and nothing is counted out before they are complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.db import models

from jackpots.kinds.entering import big_win_look
from jackpots.kinds.jackpot import JACKPOT_KIND
from jackpots.models import Because, Jackpot, JackpotFigure
from jackpots.selectors.big_wins import shows_of, tells_of, writes_of
from jackpots.services.big_wins import (
    columns_of,
    drafted_big_win,
    entry_refusals,
    identical_to,
    is_counted_out,
    plan_facts,
)
from jackpots.services.hits import newest_figure
from jackpots.services.papers import papers_of
from jackpots.services.payments import (
    ask_for_count,
    cheque_refusals,
    counted_on,
    pay_out,
    shortfall,
    stops_of_payment,
)
from jackpots.services.tax_papers import close_due, covered_by, open_papers, watch_papers
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, InBox, Part, Shows
from pitboss.rules.cheques.cheques import format_cheques
from pitboss.rules.day.win import PayoutSource
from pitboss.rules.floor.fields import Money, Number, SeatNumber, Words
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.flows.flows import Need, PlanFacts, Promise, Readers, SlipStatus, Step
from pitboss.rules.payouts.big_wins import (
    BIG_WIN,
    is_to_release,
    reviewed_by_phone,
    reviewed_on_screen,
)
from pitboss.rules.payouts.jackpot_flows import CONFIRMS
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, Refused, refuse
from pitboss.rules.roles import (
    AT_THE_CAGE,
    KEEPING_BOOKS,
    SUPERVISING,
    WATCHING,
    Place,
    Role,
    department,
)
from pitboss.rules.tax.papers import TAX_PAPERS
from pitboss.rules.wagers.wager_cards import HAND_MOST
from pitboss.selectors.slips import signed_of
from pitboss.services.drafts import NewSlip
from pitboss.services.standing import set_status
from pitboss.slips.kind import Kind, Raising

_SIDES: Final = {
    side: tuple(f"{side}_{place}" for place in range(1, HAND_MOST + 1))
    for side in ("player", "dealer")
}
_ASKED: Final = (
    Number(name="check", label="Check", most=10**12, is_needed=False),
    SeatNumber(name="seat", label="Seat", is_needed=False),
    Words(name="wager", label="Bet", most=24, is_needed=False),
    Money(name="stake", label="Stake", is_needed=False),
    Money(name="raise", label="Raise", is_needed=False),
    Money(name="amount", label="Wins", is_needed=False),
    Words(name="hand", label="Hand in words", most=200, is_needed=False),
    *(
        Words(name=name, label=name.replace("_", " ").capitalize(), most=3, is_needed=False)
        for names in _SIDES.values()
        for name in names
    ),
)


# Of a game without rules here: what people saw, and what it wins.
_IN_WORDS: Final = {"amount": "amount_cents", "hand": "hand"}


def _given(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was entered as a check, or as a hand with its bet."""
    if "check" in given:
        return {name: given[name] for name in ("check", "seat") if name in given}
    cards = {
        side: [given[name] for name in names if name in given] for side, names in _SIDES.items()
    }
    return {
        "wager": given.get("wager"),
        "stake_cents": given.get("stake"),
        "seat": given.get("seat"),
        **{f"{side}_cards": dealt for side, dealt in cards.items() if dealt},
        **({"extra": {"raise_cents": given["raise"]}} if "raise" in given else {}),
        **{field: given[name] for name, field in _IN_WORDS.items() if name in given},
    }


def _drafted(raising: Raising) -> NewSlip:
    assert raising.table is not None, "a big win without a table"
    return drafted_big_win(raising.table, _given(raising.given))


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why a big win may not be entered, what cannot be read included."""
    assert raising.table is not None, "a big win without a table"
    try:
        return entry_refusals(raising.new().details, raising.table)
    except Refused as refused:
        return list(refused.refusals)


def _facts(raising: Raising) -> PlanFacts:
    try:
        return plan_facts(raising.new().details)
    except Refused:
        # What cannot be read is refused with its reasons, and has no plan.
        return PlanFacts({})


def _win_of(slip: Slip) -> Jackpot:
    win = Jackpot.objects.get(slip=slip)
    # Its table as it was read under lock.
    win.slip = slip
    return win


def _entered(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Keep the hand and what it is owed."""
    win = Jackpot.objects.create(slip=slip, freeze=None, **columns_of(slip))
    figure = JackpotFigure.objects.create(
        jackpot=win,
        number=1,
        award_cents=slip.details["amount_cents"],
        because=Because.ENTERED.value,
        working=slip.details["working"],
        slip=slip,
        at=at,
    )
    return [win, figure]


def _verified(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Put the tax papers on the list, those of other bets that may be the same wager included."""
    assert slip.table is not None
    waiting = [
        jackpot for jackpot in identical_to(_win_of(slip)) if not is_counted_out(jackpot.slip)
    ]
    watch_papers(waiting, slip.table, at)
    return []


def _counted_out(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let the payer count out what the winner gets. What the tray pays moves in the ledger."""
    win = _win_of(slip)
    owed = newest_figure(win).award_cents
    papers = papers_of(win, owed, at)
    source = PayoutSource(signature.facts["said"]["source"])
    cheques = counted_on(signature)
    refusals = [
        *stops_of_payment(slip, papers, signature, at),
        *papers.refusals,
        *_payer_refusals(signature, source),
        *cheque_refusals(win, source, cheques, owed - papers.withheld_cents, at),
    ]
    short = shortfall(slip.table, cheques) if slip.table and source is PayoutSource.TRAY else {}
    if short and not refusals:
        refusals += _unconfirmed(signature, short)
    if refusals:
        raise Refused(refusals)
    rows = pay_out(win, signature, papers, owed, at)
    if short:
        ask_for_count(slip, short, at)
    return rows


def _payer_refusals(signature: Signature, source: PayoutSource) -> list[Refusal]:
    """Return why this person at this place cannot pay from there."""
    is_cage = Role(signature.role) in department(Role.CASHIER)
    if source is PayoutSource.TRAY and (is_cage or signature.place != Place.PIT.value):
        return [
            Refusal(
                "wrong_place",
                "The dealer counts out what the tray pays. Sign on a tablet in the pit.",
                NOT_YOURS,
            )
        ]
    if source is not PayoutSource.TRAY and (not is_cage or signature.place != Place.CAGE.value):
        return [
            Refusal(
                "wrong_place",
                "A cashier counts out what the cage pays. Sign at the cage.",
                NOT_YOURS,
            )
        ]
    return []


def _unconfirmed(signature: Signature, short: Mapping[int, int]) -> list[Refusal]:
    """Return that no one confirmed that the tray holds more than it was expected to.

    One tap does. A slip of an earlier release does not ask.
    """
    if signature.facts["said"].get("short", "yes") == "yes":
        return []
    return [
        Refusal(
            "short_unconfirmed",
            f"The tray was expected to hold {format_cheques(short)} less. Count again. If the tray "
            "has what you counted out, confirm it and sign.",
            CONFLICT,
        )
    ]


def _paid(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let no one call it paid while papers about it wait for a signature."""
    waiting = open_papers(slip)
    if waiting is not None:
        raise refuse(
            "tax_papers_incomplete",
            f"{waiting} isn’t fully signed. Sign or void it first.",
            CONFLICT,
        )
    return []


def _rejected(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Pay nothing on it. Papers that it shares with a win that was paid stay as they are."""
    shared = [
        papers
        for papers in Slip.objects.filter(
            kind=TAX_PAPERS,
            status=SlipStatus.DONE.value,
            refers_to__table=slip.table,
            details__covers__contains=slip.pk,
        ).select_related("refers_to")
        if papers.refers_to is not None and is_counted_out(papers.refers_to)
    ]
    shared += [
        papers
        for papers in slip.referred_by.filter(kind=TAX_PAPERS, status=SlipStatus.DONE.value)
        if any(is_counted_out(paper.slip) for paper in covered_by(papers))
    ]
    if shared:
        raise refuse(
            "papers_used",
            f"{shared[0]} is about this win and another that was paid. Pay it, or hold it.",
            CONFLICT,
        )
    set_status(slip, SlipStatus.VOIDED)
    close_due(slip, signature.person, "The big win was rejected.", at)
    return []


def _hold_begun(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Hold only what is known to be won, and not yet counted out."""
    if is_counted_out(slip):
        raise refuse("already_counted_out", "It was counted out. Pay the winner.", CONFLICT)
    signed = signed_of(list(slip.signatures.all()))
    needed = ["verified", *(step["name"] for step in slip.plan if step["name"] in CONFIRMS)]
    if any(("main", name) not in signed for name in needed):
        raise refuse(
            "not_confirmed",
            "This hand is not verified and confirmed. Wait for that first.",
            CONFLICT,
        )
    return []


def _entered_words(slip: Slip) -> str:
    return f"{slip.serial} is entered. Call the supervisor."


# As with a jackpot: the same people, in the words of a big win.
_HELD, _HELD_WITNESSED = JACKPOT_KIND.relief

BIG_WIN_KIND = Kind(
    BIG_WIN,
    title="Big win",
    series="BW",
    open_to=SUPERVISING,
    lit_by="board",
    asked=_ASKED,
    refusals=_refusals,
    facts=_facts,
    drafted=_drafted,
    look=big_win_look,
    shows_unneeded=False,
    urgency=Urgency.PAYOUT,
    steps=(
        Step(
            "entered",
            done="Entered",
            do="Enter",
            by=Role.DEALER,
            at=Place.PIT,
            attests="I certify that this seat has the hand entered and that the bet was in "
            "place before the deal.",
            then="big_win_entered",
        ),
        Step(
            "verified",
            done="Verified",
            do="Verify",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I certify that I compared the layout with this slip and that the bet, "
            "cards, and amount are correct.",
            then="big_win_verified",
        ),
        Step(
            "confirmed",
            done="Confirmed",
            do="Confirm",
            by=Role.SURVEILLANCE,
            at=Place.SURVEILLANCE,
            when=reviewed_on_screen,
            why=Need(
                "Surveillance must confirm a win of these odds or this amount.",
                "bigwin.review_from",
            ),
            asks=("review",),
            attests="I reviewed the recorded coverage and certify that the bet, the deal, and "
            "the hand are as entered.",
        ),
        Step(
            "phone_confirmed",
            done="Confirmed by phone",
            do="Confirm by phone",
            by=Role.SHIFT_MANAGER,
            at=None,
            when=reviewed_by_phone,
            why=Need(
                "Surveillance must confirm a win of these odds or this amount.",
                "bigwin.review_from",
            ),
            asks=("officer", "review"),
            may_repeat="released",
            attests="I certify that surveillance confirmed this to me by phone after reviewing "
            "the recorded coverage.",
        ),
        Step(
            "released",
            done="Released",
            do="Release",
            by=Role.PIT_MANAGER,
            at=None,
            when=is_to_release,
            why=Need("A pit manager must release a win of this amount.", "bigwin.release_from"),
            may_repeat="phone_confirmed",
            beside=CONFIRMS,
            attests="I release this win for payment. I certify that I did not verify it.",
        ),
        Step(
            "counted_out",
            done="Counted out",
            do="Count out",
            by=(Role.DEALER, Role.CASHIER),
            at=None,
            may_repeat="entered",
            asks=("source", "short"),
            attests="I certify that I counted out the amount the winner receives.",
            then="big_win_counted_out",
            dispatches=True,
        ),
        Step(
            "paid",
            done="Paid",
            do="See it paid",
            by=Role.SUPERVISOR,
            at=None,
            may_repeat="verified",
            attests="I certify that I saw the winner paid the amount on this slip and that the "
            "duplicate was dropped.",
            then="big_win_paid",
        ),
    ),
    void=(
        Step(
            "rejected",
            done="Rejected",
            do="Reject",
            by=Role.SUPERVISOR,
            at=None,
            may_repeat="verified",
            needs_reason=True,
            attests="I reject this entry. No payment is to be made on it.",
        ),
        Step(
            "reject_agreed",
            done="Rejection agreed",
            do="Agree to the rejection",
            why=Need("Rejecting a big win needs two signatures. One is done."),
            by=(Role.PIT_MANAGER, Role.SURVEILLANCE, Role.CAGE_MANAGER),
            at=None,
            attests="I investigated the reason and confirm that no payment is to be made on "
            "this slip.",
            then="big_win_rejected",
        ),
    ),
    relief=(
        Step(
            "held",
            done="Held",
            do="Hold",
            by=_HELD.by,
            at=None,
            may_repeat=("phone_confirmed", "released"),
            needs_reason=True,
            asks=_HELD.asks,
            attests="I certify that the winner cannot be paid now and that the casino still "
            "owes this amount.",
            then="big_win_hold_begun",
        ),
        Step(
            "held_witnessed",
            done="Hold witnessed",
            do="Witness the hold",
            why=Need("Holding a big win needs two signatures. One is done."),
            by=_HELD_WITNESSED.by,
            at=None,
            attests="I certify that I was told why this win is on hold.",
        ),
    ),
    effects={
        "big_win_entered": _entered,
        "big_win_verified": _verified,
        "big_win_counted_out": _counted_out,
        "big_win_paid": _paid,
        "big_win_rejected": _rejected,
        "big_win_hold_begun": _hold_begun,
    },
    readers=Readers(
        SUPERVISING | AT_THE_CAGE | WATCHING | KEEPING_BOOKS | {Role.COMPLIANCE},
        frozenset({Place.CAGE}),
        at_terminal=True,
    ),
    promises=(
        Promise(2, 1),
        Promise(3, 1, having="released"),
        Promise(3, 1, having="phone_confirmed"),
        Promise(3, 2, having="confirmed"),
    ),
    paper=Form(
        parts=(
            Part("Original", "To accounting, with any tax forms."),
            Part(
                "Duplicate",
                "Into the table's drop box by the dealer, once it is paid.",
                box=InBox.ON_TABLE,
            ),
        ),
        shows=Shows.FACTS,
        title="Big win payout slip",
        caption="Payouts",
    ),
    void_label="Reject…",
    relief_label="Hold it…",
    writes=writes_of,
    shows=shows_of,
    tells=tells_of,
    heading=lambda raising: f"Big win at {raising.table}",
    raised=_entered_words,
)
