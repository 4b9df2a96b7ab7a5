"""Incidents of a table as entries of the floor log: what is seen, who is told, what is ordered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pitboss.rules.book.jobs.card import Job
from pitboss.rules.floor.fields import (
    Facts,
    Field,
    Money,
    Number,
    Pick,
    SeatNumber,
    Seats,
    Words,
    Yes,
)
from pitboss.rules.floor.log import FloorKind, Ground, LogGroup, SignedWhen
from pitboss.rules.games.games import Game
from pitboss.rules.games.table_orders import FlatBet, read_flat_bet
from pitboss.rules.refusal import Refusal

FLAT_BET: Final = "flat_bet"
FLAT_BET_END: Final = "flat_bet_end"
KEYS_TAKEN: Final = "keys_taken"
KEYS_RETURNED: Final = "keys_returned"
COUNTERFEIT: Final = "counterfeit_bill"
SENSOR_DARK: Final = "sensor_dark"
CARDS_DEFECTIVE: Final = "cards_defective"
DISPUTE: Final = "dispute"
CHEATING: Final = "cheating_suspected"
ABUSE: Final = "abuse"

_SEAT: Final = SeatNumber(name="seat", label="Seat")
_ANY_SEAT: Final = SeatNumber(name="seat", label="Seat", is_needed=False)
_NOTE: Final = Words(name="note", label="In a few words", is_needed=False)
_SEEN: Final = Words(name="note", label="What was seen")
_TOLD: Final = Yes(name="told", label="The player was notified")
# What a house keeps under lock in a pit.
PIT_KEYS: Final[Mapping[str, str]] = {
    "tray_lids": "Tray lids",
    "card_cabinet": "Card cabinet",
    "shufflers": "Shufflers",
    "toke_boxes": "Toke boxes",
    "podium": "Podium",
}
_WHICH: Final = Pick(name="key", label="Which keys", choices=PIT_KEYS)


def _judge_counterfeit(facts: Facts, ground: Ground) -> list[Refusal]:
    is_kept = facts["bill"] == "kept" and facts["cheques"] == "none"
    if is_kept or facts.get("note"):
        return []
    return [
        Refusal(
            "lapse_unexplained",
            "The bill stays out of the box and out of the player's hand, and buys no "
            "cheques. If something else happened, enter what.",
        )
    ]


def _judge_dropped(facts: Facts, ground: Ground) -> list[Refusal]:
    if facts.get("shuffled"):
        return []
    return [Refusal("shuffle_first", "Cards were dropped. Have the dealer shuffle them first.")]


def _judge_defective(facts: Facts, ground: Ground) -> list[Refusal]:
    if facts["fault"] != "tampered" or facts["remedy"] == "held":
        return []
    return [
        Refusal(
            "hold_the_cards",
            "Cards that may have been tampered with are held as they are. Take the set out of "
            "play, quietly.",
        )
    ]


def _no_sensors(ground: Ground) -> list[Refusal]:
    if any(bet.wager == "blazing_7s" for bet in ground.game.side_bets):
        return []
    return [
        Refusal(
            "no_sensors",
            f"{ground.game.name} has no bet with a sensor. Choose what happened from the list.",
        )
    ]


def _judge_told(facts: Facts, ground: Ground) -> list[Refusal]:
    if facts.get("told"):
        return []
    return [
        Refusal(
            "player_not_told",
            "It takes effect once the player is notified. Notify the player first.",
        )
    ]


def _judge_one_hand(facts: Facts, ground: Ground) -> list[Refusal]:
    refusals = _judge_told(facts, ground)
    if facts["seat"] in facts.get("gives_up", ()):
        refusals.append(
            Refusal("keeps_one_spot", "A player keeps the first spot. Take it off the others.")
        )
    return refusals


def flat_bet_in(game: Game, facts: Facts) -> FlatBet:
    """Return the order that an entry gives. Raises Refused."""
    spots = {spot: facts["stake_cents"] for spot in game.spots if facts.get(f"spot_{spot}")}
    ante = {"wager": game.main_wager, "stake_cents": facts["stake_cents"], "spots": spots}
    side = [
        {"wager": wager, "stake_cents": facts[f"{wager}_cents"]}
        for wager in _SIDE_BETS
        if f"{wager}_cents" in facts
    ]
    return read_flat_bet(game, seat=facts["seat"], bets=[ante, *side])


def _no_flat_bet(ground: Ground) -> list[Refusal]:
    if ground.game.flat_bet:
        return []
    return [
        Refusal("no_flat_bet", f"{ground.game.name} has no flat-bet order. Don’t order one here.")
    ]


# The bets of the one game whose rules know the order, beside its ante.
_SIDE_BETS: Final = {
    "lucky_ladies": "Lucky Ladies",
    "match_the_dealer": "Match the Dealer",
    "perfect_pair": "Perfect Pair",
}
_FLAT_ASKS: Final[tuple[Field, ...]] = (
    _SEAT,
    Money(name="stake_cents", label="Ante on the first hand of the shoe"),
    *(Yes(name=f"spot_{spot}", label=f"With Bet Bigger {spot}") for spot in ("2x", "3x", "4x")),
    *(
        Money(name=f"{wager}_cents", label=label, is_needed=False)
        for wager, label in _SIDE_BETS.items()
    ),
    _TOLD,
)


def _incident(code: str, title: str, asks: tuple[Field, ...], words: str, **more: Any) -> FloorKind:
    return FloorKind(
        code=code,
        title=title,
        group=more.pop("group", LogGroup.INCIDENT),
        asks=asks,
        is_approval=False,
        words=words,
        **more,
    )


INCIDENTS: Final = (
    _incident(
        COUNTERFEIT,
        "Suspected counterfeit bill",
        (
            Pick(
                name="worth",
                label="Bill",
                choices={item: f"${item}" for item in ("100", "50", "20", "10", "5", "1")},
            ),
            Pick(
                name="bill",
                label="Where it is",
                choices={"kept": "Kept on the table", "dropped": "Dropped", "returned": "Returned"},
            ),
            Pick(
                name="cheques",
                label="Cheques for it",
                choices={"none": "None sent", "sent": "Sent out"},
            ),
            _ANY_SEAT,
            _NOTE,
        ),
        "shift manager is notified",
        judge=_judge_counterfeit,
        guide=(
            "Send no cheques for it.",
            "Do not drop the bill, and do not give it back.",
            "This entry notifies the shift manager.",
        ),
        teaches=(Job.BILLS,),
    ),
    _incident(
        "cards_dropped",
        "Cards dropped",
        (Yes(name="shuffled", label="The decks are shuffled"), _NOTE),
        "or mishandled",
        judge=_judge_dropped,
        guide=("Decks that were dropped or mishandled are shuffled before the next hand.",),
    ),
    _incident(
        CARDS_DEFECTIVE,
        "Cards defective",
        (
            Pick(
                name="fault",
                label="What is wrong",
                choices={
                    "worn": "Worn, dirty or sticky",
                    "damaged": "Bent, torn or crimped",
                    "count": "One too many or too few",
                    "tampered": "Perhaps tampered with",
                },
            ),
            Pick(
                name="remedy",
                label="What is done",
                choices={
                    "card": "That card replaced by its like",
                    "set": "New set brought",
                    "held": "Set held as evidence",
                },
            ),
            _NOTE,
        ),
        "worn, bent, marked",
        judge=_judge_defective,
        guide=(
            "A bad card is replaced with one of the same value, suit, and color.",
            "If the card may have been tampered with, say nothing at the table and keep the set.",
        ),
    ),
    _incident(
        SENSOR_DARK,
        "Sensor not lit",
        (_SEAT, _NOTE),
        "surveillance is notified",
        barred=_no_sensors,
        guide=(
            "This entry notifies surveillance and the shift manager.",
            "Do not start the round before they have answered.",
        ),
    ),
    _incident(
        DISPUTE,
        "Dispute",
        (
            _SEAT,
            Words(name="claim", label="What the player says"),
            Number(
                name="round",
                label="Round that was proved",
                hint="Its number, where rounds are stored.",
                is_needed=False,
                least=1,
                most=999_999_999,
            ),
            Pick(
                name="decision",
                label="Decision",
                choices={
                    "stands": "Leave as dealt",
                    "corrected": "Corrected",
                    "gesture": "Release it",
                },
            ),
            _NOTE,
        ),
        "prove the hand",
        guide=(
            "Have the cards backed up from the top of the rack: the dealer's hand, then the hands "
            "from the right until the one in question.",
        ),
        teaches=(Job.PICKUP,),
    ),
    _incident(
        CHEATING,
        "Suspected cheating",
        (
            Pick(
                name="what",
                label="What was seen",
                choices={
                    "past_post": "Past posting",
                    "cap": "Capping",
                    "pinch": "Pinching",
                    "marked": "Marked or bent cards",
                    "switched": "Cards switched or touched",
                    "hands": "Hands near bets, tray, or discard rack",
                    "collusion": "Dealer and player together",
                },
            ),
            _ANY_SEAT,
            _SEEN,
        ),
        "surveillance is notified",
        guide=(
            "Stay calm and accuse no one.",
            "This entry notifies surveillance and the shift manager.",
        ),
        teaches=(Job.PROTECTION,),
    ),
    _incident(
        ABUSE,
        "Abuse or complaint",
        (
            Pick(
                name="what",
                label="What it is",
                choices={
                    "complaint": "A complaint",
                    "abusive": "Abusive words",
                    "threat": "A threat or violence",
                    "asked_to_leave": "Asked to leave",
                },
            ),
            _ANY_SEAT,
            _SEEN,
        ),
        "the supervisor takes over",
        guide=(
            "The supervisor, not the dealer, speaks with the player. No one argues.",
            "A threat, or a player who was asked to leave, notifies security.",
        ),
        teaches=(Job.PLAYERS,),
    ),
    _incident(
        "equipment",
        "Equipment failure",
        (
            Pick(
                name="what",
                label="What failed",
                choices={
                    "chain": "Shoe chain missing or not hooked up",
                    "shoe": "Shoe",
                    "shuffler": "Shuffler",
                    "ace_finder": "Ace finder",
                    "paddle": "Paddle or drop slot",
                    "lock": "Lid, lock, or key",
                },
            ),
            _NOTE,
        ),
        "shoe, shuffler, lid",
        teaches=(Job.SHOE,),
    ),
    _incident("counting_suspected", "Suspected counting", (_SEAT, _SEEN), "for surveillance"),
    _incident(
        "sits_out",
        "Sits out often",
        (_SEAT, Number(name="hands", label="Hands sat out", is_needed=False, most=500), _NOTE),
        "frequent sit-outs",
    ),
    _incident(
        "one_hand",
        "One hand only",
        (_SEAT, Seats(name="gives_up", label="Spots given up"), _TOLD),
        "or spots given up",
        judge=_judge_one_hand,
        is_asked=False,
    ),
    _incident(
        "knows_dealer",
        "Friend or relative",
        (
            Pick(
                name="who",
                label="Who plays",
                choices={"friend": "A friend of the dealer", "relative": "A relative"},
            ),
            Pick(
                name="remedy",
                label="What is done",
                choices={
                    "dealer_moved": "Dealer moved",
                    "player_moved": "Player asked to move",
                    "watched": "Stays, watched",
                },
            ),
            _ANY_SEAT,
            _NOTE,
        ),
        "of the dealer",
    ),
)
ORDERS: Final = (
    _incident(
        FLAT_BET,
        "Flat bet",
        _FLAT_ASKS,
        "until the shoe ends",
        judge=_judge_told,
        barred=_no_flat_bet,
        is_asked=False,
        guide=(
            "Notify the player: every hand of this shoe must carry the same bets as "
            "its first hand.",
            "Checks of another bet at this seat say so until the shoe ends.",
        ),
    ),
    _incident(
        FLAT_BET_END,
        "Flat bet lifted",
        (_SEAT,),
        "before the shoe ends",
        barred=_no_flat_bet,
        is_asked=False,
    ),
)
KEYS: Final = (
    _incident(
        KEYS_TAKEN,
        "Keys issued",
        (_WHICH,),
        "sign them out",
        group=LogGroup.TABLE,
        signed=SignedWhen.ALWAYS,
        is_asked=False,
        at_closed_table=True,
    ),
    _incident(
        KEYS_RETURNED,
        "Keys returned",
        (_WHICH,),
        "sign them in",
        group=LogGroup.TABLE,
        signed=SignedWhen.ALWAYS,
        is_asked=False,
        at_closed_table=True,
    ),
)
