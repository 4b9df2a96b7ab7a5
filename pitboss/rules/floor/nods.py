"""Approvals: what a dealer waits for before cheques, tokes or coupons move, and before cards do.

From the manual's chapters on money handling, cheque change, conversions, coupons, tokes, shuffling
and dead games. Below the manual's amounts a dealer needs no nod, and is told so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any, Final

from pitboss.rules.book.jobs.card import Job
from pitboss.rules.cheques.buy_ins import cut_buy_in
from pitboss.rules.cheques.change import make_change, up_to
from pitboss.rules.cheques.cheques import (
    BY_CENTS,
    cheques_said,
    format_cheques,
    format_money,
    total_cents,
)
from pitboss.rules.cheques.cutting import (
    DOLLAR,
    TrayShort,
    by_face,
    from_sets,
    ladder,
    plenty,
)
from pitboss.rules.cheques.keys import SET_STEP, worth_of
from pitboss.rules.floor.card_nods import CARD_NODS, DEAD_SPREAD, DEALER_CUT
from pitboss.rules.floor.fields import (
    Cheques,
    Day,
    Facts,
    Money,
    Number,
    Pick,
    SeatNumber,
    Words,
    Yes,
    cheques_of,
)
from pitboss.rules.floor.log import FloorKind, Ground, LogGroup, SignedWhen
from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.rules.roles import Role, may_act_as
from pitboss.rules.said import Said

STANDING: Final = "standing"
STANDING_END: Final = "standing_end"
WHAT: Final = "what"
UP_TO: Final = "up_to_cents"
MINUTES: Final = "minutes"


def _not_needed(limit: Said) -> Refusal:
    return Refusal("nod_not_needed", Said("No approval needed {limit}. Go on.", limit=limit))


def _amount(facts: Facts) -> int:
    return int(facts["amount_cents"])


def _total(name: str) -> Any:
    """Return how an entry is weighed: by its cheques under a name."""
    return lambda facts: total_cents(cheques_of(facts[name]))


def _holds(cheques: Mapping[int, int], from_cents: int) -> bool:
    return max(map(worth_of, cheques)) >= from_cents


# Buy-in and change


def _judge_buy_in(facts: Facts, ground: Ground) -> list[Refusal]:
    from_cents = ground.settings["approval.send_out_from"]
    if _amount(facts) % DOLLAR:
        return [Refusal("odd_cents", "Bills make whole dollars. Count the money again.")]
    if _amount(facts) < from_cents:
        return [_not_needed(Said("below {from_cents}", from_cents=from_cents))]
    return []


def _send_buy_in(facts: Facts, ground: Ground) -> Mapping[int, int]:
    """Cut by the guide for the table's minimum; the book may not know all that the tray holds."""
    options = ground.settings.cut_options
    cut = partial(
        cut_buy_in,
        amount_cents=_amount(facts),
        table_minimum_cents=ground.minimum_cents,
        options=options,
    )
    try:
        return cut(tray=ground.tray).cheques
    except TrayShort:
        return cut(tray=plenty(options.denominations)).cheques


# Cheque change


def _unequal(facts: Facts, ground: Ground) -> list[Refusal]:
    taken, sent = cheques_of(facts["taken"]), cheques_of(facts["sent"])
    house = ground.settings.cheques
    if not_here := [*house.redeemed_at_cage(taken), *house.redeemed_at_cage(sent)]:
        return not_here
    if total_cents(taken) != total_cents(sent):
        return [
            Refusal(
                "change_unequal",
                Said(
                    "{taken_cents} comes in and {sent_cents} goes out. Count both again.",
                    taken_cents=total_cents(taken),
                    sent_cents=total_cents(sent),
                ),
            )
        ]
    if taken == sent:
        return [Refusal("nothing_changes", "The same cheques go out as come in. Enter the change.")]
    return []


def _judge_cheque_change(facts: Facts, ground: Ground) -> list[Refusal]:
    taken, sent = cheques_of(facts["taken"]), cheques_of(facts["sent"])
    from_cents = ground.settings["approval.send_out_from"]
    cheque_cents = ground.settings["approval.cheque_from"]
    refusals = _unequal(facts, ground)
    if (
        max(total_cents(taken), total_cents(sent)) < from_cents
        and not _holds(taken, cheque_cents)
        and not _holds(sent, cheque_cents)
    ):
        refusals.append(
            _not_needed(
                Said(
                    "below {from_cents} without a {cheque_cents} cheque",
                    from_cents=from_cents,
                    cheque_cents=cheque_cents,
                )
            )
        )
    return refusals


def _send_change(facts: Facts, _: Ground) -> Mapping[int, int]:
    return cheques_of(facts["sent"])


# Coloring up


class _Colours(Mapping[str, str]):
    """The colors to be raised to: every one that is known and played in, but the lowest."""

    def __iter__(self) -> Iterator[str]:
        return (
            str(cents) for cents in ladder(tuple(key for key in BY_CENTS if key < SET_STEP))[1:]
        )

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __getitem__(self, key: str) -> str:
        if key not in list(iter(self)):
            raise KeyError(key)
        return BY_CENTS[int(key)].name


def _send_colour_up(facts: Facts, ground: Ground) -> Mapping[int, int]:
    """Return the fewest cheques, the wished color and what is below it."""
    amount_cents = total_cents(cheques_of(facts["taken"]))
    ceiling = int(facts["colour"])
    options = ground.settings.cut_options
    for supply in (by_face(ground.tray, options.sets), plenty(options.denominations)):
        way = make_change(amount_cents, up_to(supply, ceiling))
        if way is not None and ceiling in way:
            return from_sets(way, ground.tray, options.sets)
    return {}


def _judge_colour_up(facts: Facts, ground: Ground) -> list[Refusal]:
    """Every cheque that comes in for color has a verbal okay (manual, line 464)."""
    colour = int(facts["colour"])
    taken = cheques_of(facts["taken"])
    refusals = ground.settings.cheques.redeemed_at_cage(taken)
    if colour not in ground.settings.cut_options.denominations:
        refusals.append(
            Refusal(
                "out_of_play",
                Said(
                    "{cheque} is out of play. Use another denomination.",
                    cheque=Said(BY_CENTS[colour].name),
                ),
            )
        )
    if total_cents(taken) < colour:
        refusals.append(
            Refusal(
                "too_little_for_colour",
                Said(
                    "{taken_cents} isn’t enough for a {cheque} cheque. Choose a lower "
                    "denomination.",
                    taken_cents=total_cents(taken),
                    cheque=Said(BY_CENTS[colour].name),
                ),
            )
        )
    if max(map(worth_of, taken)) >= colour:
        refusals.append(
            Refusal(
                "no_colour_up",
                Said(
                    "{taken} isn’t below {colour}. Enter it as a cheque change.",
                    taken=cheques_said(taken),
                    colour=Said(BY_CENTS[colour].colour),
                ),
            )
        )
    return refusals


# Tokes


def _judge_toke_box(facts: Facts, ground: Ground) -> list[Refusal]:
    cheque_cents = ground.settings["approval.cheque_from"]
    if not _holds(cheques_of(facts["cheques"]), cheque_cents):
        return [
            _not_needed(Said("for tokes below a {cheque_cents} cheque", cheque_cents=cheque_cents))
        ]
    return []


def _judge_toke_change(facts: Facts, ground: Ground) -> list[Refusal]:
    """Every color change of tokes is verified, of any amount (manual, line 997)."""
    return _unequal(facts, ground)


# Coupons


def _judge_coupon(facts: Facts, ground: Ground) -> list[Refusal]:
    """A coupon bears initials, a badge and this gaming day; an earlier day is written anew."""
    refusals = []
    dated = date.fromisoformat(facts["dated"])
    if not facts["coupon_initials"].isalpha() or len(facts["coupon_initials"]) < 2:
        refusals.append(
            Refusal(
                "coupon_initials_malformed", "Initials are two to four letters. Read them again."
            )
        )
    if not facts["coupon_badge"].isascii() or not facts["coupon_badge"].replace("-", "").isalnum():
        refusals.append(
            Refusal("coupon_badge_malformed", "A badge is letters and digits. Read it again.")
        )
    if dated > ground.gaming_day:
        refusals.append(
            Refusal(
                "coupon_dated_ahead",
                Said(
                    "It is dated {dated_on}. The gaming day is {gaming_day_on}. Do not accept it.",
                    dated_on=dated,
                    gaming_day_on=ground.gaming_day,
                ),
            )
        )
    elif dated < ground.gaming_day and not facts.get("redated"):
        refusals.append(
            Refusal(
                "coupon_not_redated",
                Said(
                    "It is dated {dated_on}. Write {gaming_day_on} on it, then check that the date "
                    "is corrected.",
                    dated_on=dated,
                    gaming_day_on=ground.gaming_day,
                ),
            )
        )
    return refusals


def _say_coupon(facts: Facts) -> str:
    dated = date.fromisoformat(facts["dated"])
    anew = ", date corrected" if facts.get("redated") else ""
    on = "" if facts["bet"] == "even" else " on a bet that pays odds, at even money"
    return (
        f"Coupon of {format_money(facts['face_cents'])}{on}: "
        f"{facts['coupon_initials']}, badge {facts['coupon_badge']}, {dated:%b %-d, %Y}{anew}."
    )


# Standing instructions


def _judge_standing(facts: Facts, ground: Ground) -> list[Refusal]:
    kind = _MAY_STAND[facts[WHAT]]
    if kind.signed is SignedWhen.FROM_AMOUNT and UP_TO not in facts:
        return [Refusal("up_to_missing", "Enter the highest amount this standing approval covers.")]
    return []


def _standing_ceiling(facts: Facts, ground: Ground, role: Role) -> list[Refusal]:
    """A supervisor's covers what is not signed; a pit manager signs for more, up to a limit."""
    signed_from, up_to_cents = ground.settings["nod.signed_from"], facts.get(UP_TO, 0)
    most_cents = ground.settings["approval.standing_max"]
    if up_to_cents > most_cents:
        message = Said(
            "A standing approval is at most {most_cents}. Enter less.", most_cents=most_cents
        )
        return [Refusal("standing_too_high", message)]
    is_signed = signed_from is not None and up_to_cents >= signed_from
    if is_signed and not may_act_as(role, Role.PIT_MANAGER):
        return [
            Refusal(
                "standing_too_high",
                Said(
                    "Each approval of {signed_from_cents} or more is signed. Enter a lower amount, "
                    "or call the pit manager.",
                    signed_from_cents=signed_from,
                ),
            )
        ]
    return []


def _judge_standing_end(facts: Facts, ground: Ground) -> list[Refusal]:
    if facts[WHAT] in ground.standing:
        return []
    return [
        Refusal(
            "nothing_stands",
            Said(
                "No standing approval is in effect here: {title}.",
                title=Said(_MAY_STAND[facts[WHAT]].title),
            ),
            CONFLICT,
        )
    ]


def _say_standing(facts: Facts) -> str:
    up_to_words = f" up to {format_money(facts[UP_TO])}" if UP_TO in facts else ""
    title = _MAY_STAND[facts[WHAT]].title
    until = f"for {facts[MINUTES]} minutes" if MINUTES in facts else "until the shift ends"
    return f"{title}{up_to_words} needs no word {until}."


def _say_standing_end(facts: Facts) -> str:
    return f"{_MAY_STAND[facts[WHAT]].title} needs a word again."


def _at_seat(facts: Facts) -> str:
    return f", seat {facts['seat']}" if "seat" in facts else ""


_TAKEN: Final = Cheques(name="taken", label="Comes in")
_SENT: Final = Cheques(name="sent", label="Goes out")

BUY_IN: Final = FloorKind(
    code="buy_in",
    title="Buy-in or change",
    words="cash for cheques",
    group=LogGroup.NOD,
    asks=(
        Money(name="amount_cents", label="Cash, $"),
        SeatNumber(name="seat", label="Seat", is_needed=False),
    ),
    says=lambda facts: f"Buy-in or change of {format_money(_amount(facts))}{_at_seat(facts)}.",
    judge=_judge_buy_in,
    amount=_amount,
    sends=_send_buy_in,
    signed=SignedWhen.FROM_AMOUNT,
    may_stand=True,
    names_patron=True,
    teaches=(Job.BILLS,),
)
CHEQUE_CHANGE: Final = FloorKind(
    code="cheque_change",
    title="Cheque change",
    words="cheques for cheques",
    group=LogGroup.NOD,
    asks=(_TAKEN, _SENT),
    says=lambda facts: (
        f"Cheque change: {_TAKEN.words(facts['taken'])} for "
        f"{format_cheques(cheques_of(facts['sent']))}."
    ),
    judge=_judge_cheque_change,
    amount=_total("taken"),
    sends=_send_change,
    signed=SignedWhen.FROM_AMOUNT,
    may_stand=True,
    teaches=(Job.CHANGE,),
)
COLOUR_UP: Final = FloorKind(
    code="colour_up",
    title="Color up",
    words="cheques come in",
    group=LogGroup.NOD,
    asks=(
        _TAKEN,
        Pick(name="colour", label="To", choices=_Colours()),
    ),
    says=lambda facts: (
        f"Color up: {_TAKEN.words(facts['taken'])} to {BY_CENTS[int(facts['colour'])].colour}."
    ),
    judge=_judge_colour_up,
    amount=_total("taken"),
    sends=_send_colour_up,
    signed=SignedWhen.FROM_AMOUNT,
    may_stand=True,
    teaches=(Job.CHANGE,),
)
TOKE_BOX: Final = FloorKind(
    code="toke_box",
    title="Toke into the box",
    words="black and higher",
    group=LogGroup.NOD,
    asks=(Cheques(name="cheques", label="Into the toke box"),),
    says=lambda facts: f"Toke into the box: {format_cheques(cheques_of(facts['cheques']))}.",
    judge=_judge_toke_box,
    amount=_total("cheques"),
    signed=SignedWhen.FROM_AMOUNT,
    teaches=(Job.TOKES,),
)
TOKE_CHANGE: Final = FloorKind(
    code="toke_change",
    title="Toke color change",
    words="verify it",
    group=LogGroup.NOD,
    asks=(_TAKEN, _SENT),
    says=lambda facts: (
        f"Toke color change: {_TAKEN.words(facts['taken'])} for "
        f"{format_cheques(cheques_of(facts['sent']))}."
    ),
    judge=_judge_toke_change,
    amount=_total("taken"),
    sends=_send_change,
    signed=SignedWhen.FROM_AMOUNT,
    teaches=(Job.TOKES,),
)
COUPON: Final = FloorKind(
    code="coupon",
    title="Coupon",
    words="initials, badge, day",
    group=LogGroup.NOD,
    asks=(
        Money(name="face_cents", label="Worth, $"),
        Words(name="coupon_initials", label="Initials on it", most=4),
        Words(name="coupon_badge", label="Badge on it", most=12),
        Day(name="dated", label="Dated"),
        Pick(
            name="bet",
            label="Placed on",
            choices={
                "even": "a bet at even money",
                "odds": "another bet; the player knows it pays even money",
            },
        ),
        Yes(name="redated", label="I wrote this gaming day on it"),
    ),
    says=_say_coupon,
    judge=_judge_coupon,
    amount=lambda facts: int(facts["face_cents"]),
    signed=SignedWhen.FROM_AMOUNT,
    teaches=(Job.COUPONS,),
)


def _say_payout(facts: Facts) -> str:
    return f"Payout of {format_money(_amount(facts))} on {facts['bet']}{_at_seat(facts)}."


PAYOUT: Final = FloorKind(
    code="payout",
    title="Payout",
    words="before cheques go out",
    group=LogGroup.NOD,
    # The check says all of this; no one keys it.
    asks=(
        Number(name="check", label="Check", least=1, most=2**53),
        Money(name="amount_cents", label="Amount, $"),
        Words(name="bet", label="Bet", most=40),
        Number(name="seat", label="Seat", least=1, is_needed=False),
        Cheques(name="cheques", label="Goes out", is_needed=False),
    ),
    says=_say_payout,
    amount=_amount,
    sends=lambda facts, _: cheques_of(facts["cheques"]) if "cheques" in facts else {},
    signed=SignedWhen.FROM_AMOUNT,
    is_asked=False,
    is_entered=False,
    may_stand=True,
    teaches=(Job.PAYING,),
)
_MAY_STAND: Final[Mapping[str, FloorKind]] = {
    kind.code: kind for kind in (BUY_IN, CHEQUE_CHANGE, COLOUR_UP, PAYOUT, DEALER_CUT, DEAD_SPREAD)
}
_WHAT: Final = Pick(
    name=WHAT, label="On", choices={kind.code: kind.title for kind in _MAY_STAND.values()}
)
STANDING_INSTRUCTION: Final = FloorKind(
    code=STANDING,
    title="Standing instruction",
    words="until the shift ends",
    group=LogGroup.TABLE,
    asks=(
        _WHAT,
        Money(name=UP_TO, label="Up to, $", is_needed=False),
        Number(name=MINUTES, label="For, minutes", least=1, most=720, is_needed=False),
    ),
    says=_say_standing,
    judge=_judge_standing,
    ceiling=_standing_ceiling,
    amount=lambda facts: facts.get(UP_TO),
    signed=SignedWhen.FROM_AMOUNT,
    is_asked=False,
    is_approval=False,
)
STANDING_TAKEN_BACK: Final = FloorKind(
    code=STANDING_END,
    title="Take an instruction back",
    words="ask me again",
    group=LogGroup.TABLE,
    asks=(_WHAT,),
    says=_say_standing_end,
    judge=_judge_standing_end,
    is_asked=False,
    is_approval=False,
)

NODS: Final = (
    PAYOUT,
    BUY_IN,
    CHEQUE_CHANGE,
    COLOUR_UP,
    TOKE_BOX,
    TOKE_CHANGE,
    COUPON,
    *CARD_NODS,
    STANDING_INSTRUCTION,
    STANDING_TAKEN_BACK,
)


def still_stands(instruction: Facts, given_at: datetime, now: datetime) -> bool:
    """Tell whether an instruction for so many minutes still holds; else it does all shift."""
    minutes = instruction.get(MINUTES)
    return minutes is None or now < given_at + timedelta(minutes=minutes)


def covers(kind: FloorKind, facts: Facts, instruction: Facts) -> bool:
    """Tell whether a standing approval of this kind covers an entry with these facts.

    >>> covers(BUY_IN, {"amount_cents": 50_000}, {"what": "buy_in", "up_to_cents": 50_000})
    True
    >>> covers(BUY_IN, {"amount_cents": 50_001}, {"what": "buy_in", "up_to_cents": 50_000})
    False
    """
    amount_cents = kind.amount(facts)
    return amount_cents is None or amount_cents <= instruction[UP_TO]
