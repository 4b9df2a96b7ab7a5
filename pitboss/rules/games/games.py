"""The games of the house, and the rules in force at one table.

A game says what its document allows; a table picks one of it, with its own limits. Every fact of a
game names the paragraph it was taken from. The games themselves are in `games_printed`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from pitboss.rules.book.options import DEFAULT_OPTIONS, HouseOptions
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.payouts.envy import envy_refusals, with_envy
from pitboss.rules.paytables.pays import MeterShare, Odds, PayTable, Source
from pitboss.rules.paytables.paytables import pay_table
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.stadium.selected import stadium_rules

PIGGYBACK_ODDS_BELOW: Final = 300


class PairBy(StrEnum):
    """What two cards must share to be split."""

    VALUE = "value"
    RANK = "rank"


class Surrender(StrEnum):
    """Whether half a bet may be given up, and what a dealer's blackjack makes of it."""

    DISABLED = "disabled"
    ENABLED = "enabled"
    NOT_AGAINST_BLACKJACK = "not_against_blackjack"


@dataclass(frozen=True, slots=True)
class Doubling:
    """When a hand may be doubled: on which totals of its first two cards, and for how much."""

    totals: tuple[int, int]
    for_less: bool
    after_split: bool
    with_ace: bool
    split_aces: bool
    meets_minimum: bool


@dataclass(frozen=True, slots=True)
class Splitting:
    """What may be split, into how many hands, and what split aces receive."""

    by: PairBy
    hands_max: int
    aces_hands_max: int
    aces_one_card: bool

    @property
    def resplits_aces(self) -> bool:
        return self.aces_hands_max > 2


@dataclass(frozen=True, slots=True)
class Insurance:
    """Whether a dealer's ace may be insured against, for how much, and whether bets go together."""

    offered: bool
    even_money: bool
    covers_each_bet_equally: bool = False


@dataclass(frozen=True, slots=True)
class Hands:
    """How many hands one player may play, and how many table minimums each must then carry."""

    hands_max: int
    minimums: Mapping[int, int] = field(default_factory=dict)
    minimums_in_vip: bool = False
    adjacent: bool = False


@dataclass(frozen=True, slots=True)
class Tokes:
    """Bets for the dealer: the cap for a player at the maximum, and what they stand on."""

    percent_at_maximum: int = 10
    main_needs_own: bool = True


@dataclass(frozen=True, slots=True)
class SideBet:
    """A side bet as a document offers it. A limit that is not printed is the house's to set."""

    wager: str
    paytables: tuple[str, ...]
    needs: tuple[str, ...]
    minimum_cents: int | None = None
    maximum_cents: int | None = None
    vip_maximum_cents: int | None = None
    stakes_cents: tuple[int, ...] = ()
    # In parts of the table minimum, for bets whose least stake follows it.
    minimum_part: int | None = None
    dealer_bets: bool = True
    piggyback: bool = True


@dataclass(frozen=True, slots=True)
class Game:
    """What the documents say about one game. The first of several choices is the default."""

    id: str
    name: str
    main_wager: str
    decks: tuple[int, ...]
    soft_17: tuple[str, ...]
    blackjack_pays: tuple[str, ...]
    doubling: tuple[Doubling, ...]
    splitting: tuple[Splitting, ...]
    insurance: Insurance
    surrender: tuple[Surrender, ...]
    hands: Hands
    side_bets: tuple[SideBet, ...]
    tokes: Tokes | None
    piggyback: bool
    coupons: bool
    maximum_cents: int | None
    # Bet Bigger: further spots beside the ante, each for the ante's amount.
    spots: tuple[str, ...]
    flat_bet: bool
    peek: bool
    sources: Mapping[str, Source]
    # Side bets of other documents that a house may add: the game shows the cards that decide them.
    added: tuple[SideBet, ...] = ()

    @property
    def takes(self) -> tuple[SideBet, ...]:
        """Every side bet that a table of this game may offer, its own first."""
        return (*self.side_bets, *self.added)


@dataclass(frozen=True, slots=True)
class SideBetRules:
    """A side bet as one table takes it: its pay table and its own limits."""

    paytable: str | Mapping[str, str]
    minimum_cents: int
    maximum_cents: int
    # What the house adds to the dealers' tokes beside a row, over what is printed.
    envy_cents: Mapping[str, int] = field(default_factory=dict)

    def table(self, wager: str) -> PayTable:
        return with_envy(pay_table(wager, self.paytable), self.envy_cents)

    def settled_by(self, wager: str) -> str | Mapping[str, str] | PayTable:
        """Return the pay table as a bet is settled by it; its id alone where that says it all."""
        return self.table(wager) if self.envy_cents else self.paytable


@dataclass(frozen=True, slots=True)
class TableRules:
    """The rules in force at one table. Build it with `table_rules`, which checks it."""

    game: Game
    decks: int
    soft_17: str
    blackjack_pays: str
    minimum_cents: int
    maximum_cents: int
    is_vip: bool
    doubling: Doubling
    splitting: Splitting
    surrender: Surrender
    side_bets: Mapping[str, SideBetRules]
    offers: Mapping[str, SideBet]
    takes_dealer_bets: bool
    piggyback_needs_own_spot: bool
    options: HouseOptions
    stadium: Mapping[str, Any] | None
    # The most that all bets of a hand may come to; none where the house sets none.
    together_max_cents: int | None = None
    # The least and the most of a raise, over what its ante allows; none where the house sets none.
    raise_min_cents: int | None = None
    raise_max_cents: int | None = None
    # Seats that keep older limits, each with its minimum and maximum.
    kept: Mapping[int, tuple[int, int]] = field(default_factory=dict)

    def at_seat(self, seat: int | None) -> TableRules:
        """Return the rules for the bets of one seat: who was seated may keep older limits."""
        if seat is None or seat not in self.kept:
            return self
        least_cents, most_cents = self.kept[seat]
        return replace(self, minimum_cents=least_cents, maximum_cents=most_cents, kept={})

    def hand_minimum_cents(self, hands: int) -> int:
        """Return the least bet on each hand of a player who plays that many."""
        if self.is_vip and not self.game.hands.minimums_in_vip:
            return self.minimum_cents
        return self.minimum_cents * self.game.hands.minimums.get(hands, 1)


def table_rules(
    game: Game,
    *,
    minimum_cents: int,
    maximum_cents: int,
    decks: int | None = None,
    soft_17: str | None = None,
    blackjack_pays: str | None = None,
    is_vip: bool = False,
    doubling: Doubling | None = None,
    splitting: Splitting | None = None,
    surrender: Surrender | None = None,
    side_bets: Mapping[str, SideBetRules] | None = None,
    takes_dealer_bets: bool | None = None,
    piggyback_needs_own_spot: bool = False,
    options: HouseOptions = DEFAULT_OPTIONS,
    stadium: Mapping[str, Any] | None = None,
) -> TableRules:
    """Set up a table. Raises Refused with every choice its game does not allow.

    Without `side_bets` the table takes every side bet of its game that has a printed pay table,
    within the printed limits, or its own where none are printed.

    >>> from pitboss.rules.games.printed import GAMES
    >>> table = table_rules(GAMES["double_deck"], minimum_cents=2_500, maximum_cents=1_000_000)
    >>> table.decks, table.soft_17, table.side_bets["trilux"].maximum_cents
    (2, 'stand', 50000)
    >>> table_rules(GAMES["bet_bigger"], minimum_cents=500, maximum_cents=2_500)
    Traceback (most recent call last):
    pitboss.rules.refusal.Refused: Bet Bigger takes at most $10. Lower the table maximum.
    """
    decks = game.decks[0] if decks is None else decks
    soft_17 = game.soft_17[0] if soft_17 is None else soft_17
    rules = TableRules(
        game=game,
        decks=decks,
        soft_17=soft_17,
        blackjack_pays=blackjack_pays or game.blackjack_pays[0],
        minimum_cents=minimum_cents,
        maximum_cents=maximum_cents,
        is_vip=is_vip,
        doubling=doubling or game.doubling[0],
        splitting=splitting or game.splitting[0],
        surrender=surrender or game.surrender[0],
        side_bets=(
            side_bets
            if side_bets is not None
            else default_side_bets(
                game,
                decks=decks,
                soft_17=soft_17,
                minimum_cents=minimum_cents,
                maximum_cents=maximum_cents,
                is_vip=is_vip,
            )
        ),
        offers={bet.wager: bet for bet in game.takes},
        takes_dealer_bets=game.tokes is not None
        if takes_dealer_bets is None
        else takes_dealer_bets,
        piggyback_needs_own_spot=piggyback_needs_own_spot,
        options=options,
        stadium=stadium,
    )
    refusals = [
        *_choice_refusals(rules),
        *_limit_refusals(rules),
        *_side_bet_refusals(rules),
        *_stadium_refusals(rules),
    ]
    if refusals:
        raise Refused(refusals)
    return rules


def default_side_bets(
    game: Game,
    *,
    decks: int,
    soft_17: str,
    minimum_cents: int,
    maximum_cents: int,
    is_vip: bool = False,
) -> dict[str, SideBetRules]:
    """Return the side bets of a game with the first printed pay table that fits the shoe."""
    offered = {}
    for bet in game.side_bets:
        fitting = [id for id in bet.paytables if not _shoe_refusal(bet.wager, id, decks, soft_17)]
        if fitting:
            maximum = (bet.vip_maximum_cents if is_vip else None) or bet.maximum_cents
            offered[bet.wager] = SideBetRules(
                paytable=fitting[0],
                minimum_cents=side_bet_minimum_cents(bet, minimum_cents),
                maximum_cents=maximum or maximum_cents,
            )
    return offered


def side_bet_minimum_cents(bet: SideBet, table_minimum_cents: int) -> int:
    """Return the least stake: printed, a part of the table's minimum, or the table's minimum."""
    if bet.minimum_part is not None:
        return -(-table_minimum_cents // bet.minimum_part)
    return bet.minimum_cents or table_minimum_cents


def _choice_refusals(rules: TableRules) -> list[Refusal]:
    game = rules.game
    choices: list[tuple[str, object, tuple[Any, ...]]] = [
        ("decks", rules.decks, game.decks),
        ("soft_17", rules.soft_17, game.soft_17),
        ("blackjack_pays", rules.blackjack_pays, game.blackjack_pays),
        ("doubling", rules.doubling, game.doubling),
        ("splitting", rules.splitting, game.splitting),
        ("surrender", rules.surrender, game.surrender),
    ]
    refusals = [
        Refusal(
            f"bad_{name}",
            f"{game.name} does not allow {name} {value}. "
            f"Choose from: {', '.join(map(str, allowed))}.",
        )
        for name, value, allowed in choices
        if value not in allowed
    ]
    if rules.takes_dealer_bets and game.tokes is None:
        refusals.append(
            Refusal("dealer_bets_not_taken", f"{game.name} has no bets for the dealer. Clear them.")
        )
    return refusals


def _limit_refusals(rules: TableRules) -> list[Refusal]:
    refusals = []
    if not 0 < rules.minimum_cents <= rules.maximum_cents:
        refusals.append(
            Refusal(
                "bad_limits", "The minimum is more than $0 and at most the maximum. Enter it again."
            )
        )
    cap_cents = rules.game.maximum_cents
    if cap_cents is not None and rules.maximum_cents > cap_cents:
        refusals.append(
            Refusal(
                "over_game_maximum",
                f"{rules.game.name} takes at most {format_money(cap_cents)}. "
                "Lower the table maximum.",
            )
        )
    return refusals


def _side_bet_refusals(rules: TableRules) -> list[Refusal]:
    game = rules.game
    refusals = []
    for wager, terms in rules.side_bets.items():
        bet = rules.offers.get(wager)
        if bet is None:
            refusals.append(
                Refusal(
                    "wager_not_offered", f"{game.name} doesn’t offer {spoken(wager)}. Leave it out."
                )
            )
            continue
        if not 0 < terms.minimum_cents <= terms.maximum_cents:
            refusals.append(
                Refusal(
                    "bad_limits",
                    f"{spoken(wager)}: the minimum is at most the maximum. Enter it again.",
                )
            )
        refusals += [
            Refusal(
                "wager_needs_another",
                f"{spoken(wager)} is only taken with {spoken(need)}. Add that bet, "
                "or leave this one out.",
            )
            for need in bet.needs
            if need != game.main_wager and need not in rules.side_bets
        ]
        try:
            table = terms.table(wager)
        except Refused as refused:
            refusals += refused.refusals
            continue
        if not table.is_house_defined and table.id not in bet.paytables:
            refusals.append(
                Refusal(
                    "bad_paytable",
                    f"{spoken(wager)} {table.name} isn’t for {game.name}. Choose "
                    "another pay table.",
                )
            )
        refusals += envy_refusals(table, terms.envy_cents)
        misfit = _shoe_refusal(wager, terms.paytable, rules.decks, rules.soft_17)
        if misfit:
            refusals.append(_none_printed(bet, rules) or misfit)
    return refusals


def stadium_settings(rules: TableRules) -> dict[str, Any]:
    """Return the configuration of a stadium, as its settlement reads it."""
    return {
        "dealer_soft_17": rules.soft_17,
        "surrender": rules.surrender.value,
        "double_totals": list(rules.doubling.totals),
        "double_after_split": rules.doubling.after_split,
        "max_split_hands": rules.splitting.hands_max,
        "decks": rules.decks,
        **(rules.stadium or {}),
    }


def _stadium_refusals(rules: TableRules) -> tuple[Refusal, ...]:
    if rules.game.main_wager != "stadium_blackjack":
        if rules.stadium is None:
            return ()
        return (
            Refusal("not_a_stadium", f"{rules.game.name} has no stadium settings. Clear them."),
        )
    try:
        stadium_rules(stadium_settings(rules))
    except Refused as refused:
        return refused.refusals
    return ()


def _shoe_refusal(
    wager: str, paytable: str | Mapping[str, str], decks: int, soft_17: str
) -> Refusal | None:
    """A Raise the Roof table is printed for a number of decks and a rule on soft 17."""
    table = pay_table(wager, paytable)
    fits_decks = not table.decks or decks in table.decks
    fits_rule = table.soft_17 in (None, soft_17)
    if fits_decks and fits_rule:
        return None
    return Refusal(
        "paytable_misfits_shoe",
        f"{spoken(wager)}, {table.name}, is not for {decks} decks with a dealer who "
        f"{soft_17}s on soft 17. Choose another pay table.",
    )


def _none_printed(bet: SideBet, rules: TableRules) -> Refusal | None:
    """Say that no printed pay table of a side bet is for this shoe, where none is (R45)."""
    decks, soft_17 = rules.decks, rules.soft_17
    if not all(_shoe_refusal(bet.wager, id, decks, soft_17) for id in bet.paytables):
        return None
    return Refusal(
        "no_pay_table",
        f"No {spoken(bet.wager)} pay table is printed for {decks} decks with a dealer who "
        f"{soft_17}s on soft 17. Enter the house’s own rows.",
    )


def longest_odds(table: PayTable) -> int | None:
    """Return the longest odds of a table, to one; None when a row pays from a meter."""
    longest = 0
    for pay in table.pays.values():
        if isinstance(pay, MeterShare):
            return None
        if isinstance(pay, Odds):
            longest = max(longest, -(-pay.to // pay.per))
        else:
            awards = pay.cents_by_stake.items()
            longest = max(longest, *(-(-award // stake) for stake, award in awards))
    return longest


SPOKEN: Final[Mapping[str, str]] = {
    "blackjack": "blackjack",
    "stadium_blackjack": "blackjack",
    "bet_bigger": "the ante",
    "raise_the_roof": "Bust Ante",
    "bet_the_set_21": "Bet the Set 21",
    "royal_match_21": "Royal Match 21",
    "trilux": "TriLux",
    "super_3": "Super 3",
    "match_the_dealer": "Match the Dealer",
    "perfect_pair": "Perfect Pair",
    "lucky_ladies": "Lucky Ladies",
    "blazing_7s": "Blazing 7's",
    "two_card_bonus": "2-Card Bonus",
    "four_card_bonus": "4-Card Bonus",
    "free_bet_coupon": "free bet coupon",
}


def spoken(wager: str) -> str:
    """Name a wager as the floor does.

    >>> spoken("super_3"), spoken("red_dog")
    ('Super 3', 'red_dog')
    """
    return SPOKEN.get(wager, wager[:40])
