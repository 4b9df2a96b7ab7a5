"""A round as its dealer sees it: the dealer's hand once, each seat's bets and cards, what is owed.

What lies on the felt is turned into the claims that a check judges, one for each hand of a main bet
and one for each other bet, and every one of them is judged at once. So a terminal adds nothing up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final

from pitboss.rules import facts
from pitboss.rules.cards.playing_cards import CARDS, cards
from pitboss.rules.cards.rank_cards import is_rank
from pitboss.rules.cheques.cheques import combined
from pitboss.rules.games.eligibility import side_bets_missing
from pitboss.rules.games.games import Surrender, TableRules, spoken
from pitboss.rules.games.tracked import is_tracked
from pitboss.rules.payouts.check import PayoutVerdict, TableNow, not_verified, what_is_owed
from pitboss.rules.payouts.claims import SPLIT_HANDS_MAX, Claim, read_claim
from pitboss.rules.payouts.levels import MustCheck
from pitboss.rules.payouts.outcome import hand_of, outcome_words
from pitboss.rules.refusal import Refusal, refuse
from pitboss.rules.rounds.play import shoe_faults
from pitboss.rules.rounds.reading import read_list, read_object
from pitboss.rules.rounds.told import FeltBet, FeltHand, FeltSeatTold, FeltTold, fields_of
from pitboss.rules.said import Said
from pitboss.rules.wagers.settle import WAGERS
from pitboss.rules.wagers.wager_cards import cards_of

SEATS_MOST: Final = 9
_BETS_MOST: Final = 20
_FELT: Final = fields_of(FeltTold)
_SEAT: Final = fields_of(FeltSeatTold)
_BET: Final = fields_of(FeltBet)
_HAND: Final = fields_of(FeltHand)
_INSURANCE: Final = "insurance"
_COUPON: Final = "free_bet_coupon"
_BIGGER: Final = "bet_bigger"
_STADIUM: Final = "stadium_blackjack"
# A hand of these that busts has lost, whatever the dealer makes: all that a terminal can prove by
# itself while no one answers it.
LOST_BY_BUST: Final = ("blackjack",)
_DOUBLE_FIELDS: Final = {_BIGGER: "double_cents_by_bet"}
# What is only not told yet: no fault of the hand, and nothing for the dealer to worry about.
_UNTOLD: Final = frozenset({"dealer_not_finished", "two_cards_needed"})


@dataclass(frozen=True, slots=True)
class FeltLine:
    """One bet, or one hand of it: the claim that a check would judge, and what it is owed."""

    seat: int
    wager: str
    hand: int | None
    told: Mapping[str, Any]
    claim: Claim
    verdict: PayoutVerdict
    words: str
    # What this hand alone wins, or below zero loses; none where nothing is judged.
    net_cents: int | None
    # Why nothing on this felt is verified: cards that its decks do not hold.
    faults: tuple[Refusal, ...] = ()

    @property
    def asks(self) -> str | None:
        """What the dealer still has to enter before this can be judged."""
        codes = {reason.code for reason in self.verdict.reasons}
        if "suits_needed" in codes:
            return "suits"
        return "cards" if any(_is_untold(code) for code in codes) else None

    def as_answer(self) -> dict[str, Any]:
        """Return the line as it is written on the wire."""
        return {
            "seat": self.seat,
            "wager": self.wager,
            "name": spoken(self.wager),
            "hand": self.hand,
            "stake_cents": self.claim.stake_cents,
            "asks": self.asks,
            "words": self.words,
            "net_cents": self.net_cents,
            "claim": dict(self.told),
            **self.verdict.as_answer(),
        }


def plays_of(rules: TableRules) -> list[str]:
    """Return what a hand of this table may be besides hit and stood on, for its buttons.

    >>> from pitboss.rules.games.games import table_rules
    >>> from pitboss.rules.games.printed import GAMES
    >>> plays_of(table_rules(GAMES["classic"], minimum_cents=500, maximum_cents=100_000))
    ['double', 'split', 'even_money']
    """
    game = rules.game
    if game.main_wager == _STADIUM or is_tracked(game):
        return []
    offered = {
        "double": bool(game.doubling),
        "split": bool(game.splitting),
        "surrender": rules.surrender is not Surrender.DISABLED,
        "even_money": game.insurance.even_money,
    }
    return [play for play, is_offered in offered.items() if is_offered]


def read_felt(raw: object, now: TableNow) -> list[FeltLine]:
    """Judge everything that lies on the felt. Raises Refused for what cannot be read."""
    fields = read_object(raw, "A felt", _FELT)
    dealer = _cards(fields.get("dealer", []))
    rules = now.terms.rules
    seats: dict[int, _Seat] = {}
    for entry in read_list(fields.get("seats", []), "seats", most=SEATS_MOST):
        seat = _Seat.read(entry)
        if seat.number in seats:
            raise refuse(
                "seat_twice",
                Said("Seat {number} is given twice. Send each seat once.", number=seat.number),
            )
        seats[seat.number] = seat
    lines = [
        _as_taken(_judged(claim, dealer, now), seat, now)
        for seat in seats.values()
        for claim in seat.claims(dealer, rules)
    ]
    hands = (hand["cards"] for seat in seats.values() for hand in seat.hands)
    faults = tuple(_shoe_faults(rules.decks, [*dealer, *chain.from_iterable(hands)]))
    return [_with_faults(line, faults, now) for line in lines] if faults else lines


def _as_taken(line: FeltLine, seat: _Seat, now: TableNow) -> FeltLine:
    """Return a line as it is, or unverified where its bet lies without the one that it needs."""
    beside = [str(bet.get("wager")) for bet in seat.bets]
    missing = side_bets_missing(now.terms.rules, line.wager, beside)
    return _with_faults(line, tuple(missing), now) if missing else line


def _shoe_faults(decks: int, shown: list[str]) -> Iterator[Refusal]:
    """Yield what lies on all of the felt more often than the decks hold it, told by rank or not."""
    yield from shoe_faults(decks, cards([name for name in shown if not is_rank(name)]))
    for rank, count in Counter(name[0] for name in shown).items():
        if count > 4 * decks:
            yield Refusal(
                "too_many_of_a_card",
                Said(
                    "{rank} lies on the table {count} times; the shoe has {decks}. Check the "
                    "cards. If they are right, hold them and call the supervisor.",
                    rank=rank,
                    count=count,
                    decks=4 * decks,
                ),
            )


def _with_faults(line: FeltLine, faults: tuple[Refusal, ...], now: TableNow) -> FeltLine:
    verdict = not_verified(line.claim, faults, now)
    return replace(line, verdict=verdict, words="", net_cents=None, faults=faults)


def felt_answer(lines: list[FeltLine]) -> dict[str, Any]:
    """Return the felt as its terminal shows it: by seat, with what goes out there and in all."""
    seats = []
    for number in dict.fromkeys(line.seat for line in lines):
        own = [line for line in lines if line.seat == number]
        cut = [line.verdict.cut.cheques for line in own if line.verdict.cut]
        seats.append(
            {
                "seat": number,
                "owed_cents": _owed(own),
                "cheques": {str(cents): count for cents, count in combined(*cut).items()},
                "lines": [line.as_answer() for line in own],
            }
        )
    return {"owed_cents": _owed(lines), "seats": seats}


def unchecked(lines: Iterable[FeltLine], must: MustCheck, rules: TableRules) -> list[int]:
    """Return the seats with a bet that the house wants checked, and that no one could judge."""
    return sorted(
        {
            line.seat
            for line in lines
            if line.verdict.payable_cents is None
            and (must is MustCheck.ALL or line.wager in rules.side_bets)
        }
        if must is not MustCheck.NOTHING
        else ()
    )


def _owed(lines: list[FeltLine]) -> int:
    return sum(line.verdict.payable_cents or 0 for line in lines)


def _is_untold(code: str) -> bool:
    return code in _UNTOLD or code.startswith("missing_")


@dataclass(frozen=True, slots=True)
class _Seat:
    """A seat as the terminal sends it."""

    number: int
    bets: list[Mapping[str, Any]]
    hands: list[Mapping[str, Any]]
    dealt: list[str]
    takes: Mapping[str, bool]

    @classmethod
    def read(cls, raw: object) -> _Seat:
        fields = read_object(raw, "A seat", _SEAT)
        number = facts.whole(fields, "seat", least=1, most=SEATS_MOST, default=0)
        hands = read_list(fields.get("hands", []), "hands", most=SPLIT_HANDS_MAX)
        bets = read_list(fields.get("bets", []), "bets", most=_BETS_MOST)
        wagers = [str(bet.get("wager")) for bet in bets if isinstance(bet, Mapping)]
        if len(set(wagers)) < len(wagers):
            raise refuse(
                "bet_twice",
                Said("Seat {number} has a bet twice. Send each bet once.", number=number),
            )
        takes = {name: facts.flag(fields, name) for name in ("surrender", "even_money")}
        return cls(
            number,
            [read_object(bet, "A bet", _BET) for bet in bets],
            [_read_hand(hand) for hand in hands],
            _cards(fields.get("dealt", [])),
            {name: True for name, is_taken in takes.items() if is_taken},
        )

    @property
    def first(self) -> list[str]:
        """The two cards first dealt, by which side bets go."""
        return self.dealt or (list(self.hands[0]["cards"][:2]) if self.hands else [])

    def claims(self, dealer: list[str], rules: TableRules) -> Iterator[dict[str, Any]]:
        """Yield the claim of each bet, hand by hand for the main bet."""
        main = rules.game.main_wager
        for bet in self.bets:
            wager = bet.get("wager")
            stake = {name: bet[name] for name in ("stake_cents", "bet") if name in bet}
            fields = {"wager": wager, "seat": self.number, **stake}
            if wager == main and main != _STADIUM:
                yield from self._main(fields, bet, dealer)
            elif wager == _INSURANCE:
                yield self._insurance(fields, dealer, main)
            elif wager == _COUPON:
                yield {**fields, **_of(self.hands[0]["cards"] if self.hands else []), **_by(dealer)}
            else:
                yield self._side(fields, bet, dealer)

    def _main(
        self, told: dict[str, Any], bet: Mapping[str, Any], dealer: list[str]
    ) -> Iterator[dict[str, Any]]:
        stake_cents = _stake(told)
        spots = bet.get("spots")
        extra: dict[str, Any] = {**self.takes, **({"spots": spots} if spots else {})}
        field = _DOUBLE_FIELDS.get(str(told["wager"]), "double_cents")
        doubles = [_double(hand, field, stake_cents, spots or []) for hand in self.hands]
        if len(self.hands) < 2:
            cards = self.hands[0]["cards"] if self.hands else []
            yield _with(told, {**extra, **(doubles[0] if doubles else {})}, _of(cards), _by(dealer))
            return
        split = [
            {"cards": hand["cards"], **double}
            for hand, double in zip(self.hands, doubles, strict=True)
        ]
        for number in range(1, len(split) + 1):
            more = {**extra, "split_hands": split}
            yield {**_with(told, more, _of(self.first), _by(dealer)), "hand": number}

    def _insurance(self, told: dict[str, Any], dealer: list[str], main: str) -> dict[str, Any]:
        insured = next((bet for bet in self.bets if bet.get("wager") == main), None)
        extra = {"main_stake_cents": _stake(insured)} if insured else {}
        return _with(told, extra, _of(self.first), _by(dealer[:2]))

    def _side(
        self, told: dict[str, Any], bet: Mapping[str, Any], dealer: list[str]
    ) -> dict[str, Any]:
        wager = str(told["wager"])
        if wager not in WAGERS:
            # The claim's own reading says what is wrong with it.
            return told
        needs = cards_of(wager)
        dealt = dealer if needs.dealer[0] != needs.dealer[1] else dealer[: needs.dealer[1]]
        by = {"dealer_up": dealt[0]} if dealt and needs.dealer_field == "dealer_up" else _by(dealt)
        times = facts.whole(bet, "raise_times", least=0, most=5, default=0)
        extra = {"raise_cents": times * _stake(told)} if times else {}
        suited = {"suited": bet["suited"]} if "suited" in bet else {}
        return {**_with(told, extra, _of(self.first[: needs.player[1]]), by), **suited}


def _judged(told: dict[str, Any], dealer: list[str], now: TableNow) -> FeltLine:
    claim = read_claim({**told, "paid_cents": 0})
    verdict = what_is_owed(claim, now)
    own = _of_its_hand(claim, verdict, now)
    settled = own.settlement
    return FeltLine(
        int(told["seat"]),
        claim.wager,
        claim.hand,
        told,
        claim,
        verdict,
        outcome_words(claim, own),
        settled.payout_cents if settled else None,
    )


def _of_its_hand(claim: Claim, verdict: PayoutVerdict, now: TableNow) -> PayoutVerdict:
    """Return the verdict on one hand of a split by itself: a bet's settlement adds all of them."""
    if claim.hand is None:
        return verdict
    hand = hand_of(claim)
    own = {name: value for name, value in hand.items() if name != "cards"}
    case = {
        **claim.case,
        "player_cards": hand["cards"],
        "extra": {**own, "from_split": True},
    }
    return what_is_owed(replace(claim, case=case, hand=None), now)


def _read_hand(raw: object) -> dict[str, Any]:
    hand = dict(read_object(raw, "A hand", _HAND))
    return {**hand, "cards": _cards(hand.get("cards", [])), "doubled": facts.flag(hand, "doubled")}


def _double(
    hand: Mapping[str, Any], field: str, stake_cents: int, spots: list[str]
) -> dict[str, Any]:
    """Return what a hand was doubled by: an amount, or its stake where none is said."""
    if not hand["doubled"]:
        return {}
    cents = hand.get("double_cents", stake_cents)
    if field == "double_cents":
        return {field: cents}
    return {field: dict.fromkeys(["ante", *spots], cents)}


def _stake(fields: Mapping[str, Any]) -> int:
    """Return what a bet comes to, by its amount or its cheques. Raises Refused."""
    return read_claim(
        {"wager": fields.get("wager"), "paid_cents": 0, **_staked(fields)}
    ).stake_cents


def _staked(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: fields[name] for name in ("stake_cents", "bet") if name in fields}


def _of(cards: list[str]) -> dict[str, Any]:
    return {"player_cards": list(cards)} if cards else {}


def _by(dealer: list[str]) -> dict[str, Any]:
    return {"dealer_cards": list(dealer)} if dealer else {}


def _with(
    fields: Mapping[str, Any], extra: Mapping[str, Any], *cards: Mapping[str, Any]
) -> dict[str, Any]:
    claim = dict(fields)
    for card in cards:
        claim.update(card)
    return {**claim, "extra": dict(extra)} if extra else claim


def _cards(raw: object) -> list[str]:
    """Return cards as they were told, by rank or by rank and suit. Raises Refused."""
    names = read_list(raw, "cards", most=facts.HAND_CARDS_MAX)
    for name in names:
        if not is_rank(name) and (not isinstance(name, str) or name not in CARDS):
            raise refuse("bad_card", "A card is a rank like Q, or rank and suit like Qh.")
    return names
