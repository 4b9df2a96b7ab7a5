"""May this bet be placed at this table? Every reason why not.

Before the first card a forbidden bet is refused. Once cards are out a bet under or over the limit
is played and flagged; over the limit, when "pay or take to the limit" was called, only the limit is
in action (manual, "Minimum and Maximum Wagers"; R35).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, NamedTuple

from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.games.games import (
    PIGGYBACK_ODDS_BELOW,
    SideBet,
    TableRules,
    longest_odds,
    spoken,
)
from pitboss.rules.refusal import Refusal
from pitboss.rules.said import Said, joined

RAISE_MULTIPLE_MAX: Final = 5


class RoundMoment(StrEnum):
    """Whether the first card of the round has left the shoe."""

    BEFORE_DEAL = "before_deal"
    AFTER_DEAL = "after_deal"


class Whose(StrEnum):
    """For whom a bet is made."""

    PLAYER = "player"
    DEALER = "dealer"
    PIGGYBACK = "piggyback"


WHOSE: Final = tuple(item.value for item in Whose)


@dataclass(frozen=True, slots=True)
class Bet:
    """One bet on one hand.

    `spots` are the further spots of Bet Bigger with what lies on each; `raise_cents` is a raise on
    a Bust Ante.
    """

    wager: str
    stake_cents: int
    whose: Whose = Whose.PLAYER
    is_coupon: bool = False
    raise_cents: int = 0
    spots: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WagerVerdict:
    """What is refused, what is played all the same but flagged, and what is then in action."""

    refusals: tuple[Refusal, ...]
    flags: tuple[Refusal, ...]
    in_action: tuple[Bet, ...]


def judge_wagers(
    table: TableRules,
    bets: Sequence[Bet],
    *,
    hands: int = 1,
    moment: RoundMoment = RoundMoment.BEFORE_DEAL,
    limit_called: bool = False,
    first_bets: Sequence[Bet] | None = None,
    coupon_approved: bool = False,
    has_own_spot: bool = True,
    beside: Collection[str] = (),
) -> WagerVerdict:
    """Judge all bets on one hand of a player who plays `hands` of them.

    `beside` are wagers of the player that lie there too, and are not told. `first_bets` are those
    of the player's first hand of the shoe when a flat-bet order is in force.

    >>> from pitboss.rules.games.games import table_rules
    >>> from pitboss.rules.games.printed import GAMES
    >>> table = table_rules(GAMES["classic"], minimum_cents=2_500, maximum_cents=200_000)
    >>> verdict = judge_wagers(table, [Bet("blackjack", 500), Bet("super_3", 500)])
    >>> [refusal.code for refusal in verdict.refusals]
    ['needs_trilux', 'under_minimum']
    """
    refusals = _hand_refusals(table, hands)
    if len({(bet.wager, bet.whose) for bet in bets}) < len(bets):
        refusals += _twice_refusals(bets)
    limits: list[Refusal] = []
    in_action = []
    own: dict[str, Bet | None] = dict.fromkeys(beside)
    own |= {bet.wager: bet for bet in bets if bet.whose is Whose.PLAYER}
    to_limit = limit_called and table.options.over_limit == "to_the_limit"
    for bet in bets:
        limit = _limit(table, bet, hands)
        if limit is None:
            refusals.append(
                Refusal(
                    "wager_not_offered",
                    Said(
                        "{wager} isn’t offered at this table. Return the bet.",
                        wager=Said(spoken(bet.wager)),
                    ),
                )
            )
            continue
        if _is_usual(bet, limit, own):
            in_action.append(bet)
            continue
        if bet.stake_cents <= 0 or min(bet.spots.values(), default=1) <= 0 or bet.raise_cents < 0:
            refusals.append(
                Refusal(
                    "bad_stake",
                    Said(
                        "{wager}: a bet must be more than $0. Enter it again.",
                        wager=Said(spoken(bet.wager)),
                    ),
                )
            )
            continue
        refusals += _need_refusals(table, bet, limit, own)
        refusals += _stake_refusals(table, bet, limit)
        if bet.whose is Whose.DEALER:
            refusals += _toke_refusals(table, bet, limit, own)
        elif bet.whose is Whose.PIGGYBACK:
            refusals += _piggyback_refusals(table, bet, limit, has_own_spot=has_own_spot)
        if bet.is_coupon:
            refusals += _coupon_refusals(table, bet, approved=coupon_approved)
        if bet.raise_cents:
            refusals += raise_refusals(table, bet, moment)
            limits += _raise_limit_refusals(table, bet)
        limits += _limit_refusals(bet, limit)
        in_action.append(_up_to_limit(bet, limit.most_cents) if to_limit else bet)
    if table.together_max_cents is not None:
        limits += _together_refusals(bets, table.together_max_cents)
    if first_bets is not None:
        refusals += _flat_bet_refusals(table, bets, first_bets)
    if moment is RoundMoment.BEFORE_DEAL:
        return WagerVerdict((*refusals, *limits), (), tuple(bets))
    return WagerVerdict(tuple(refusals), tuple(limits), tuple(in_action))


class _Limit(NamedTuple):
    """What a table takes of one bet; the main wager has no offer."""

    offer: SideBet | None
    least_cents: int
    most_cents: int


def _is_usual(bet: Bet, limit: _Limit, own: Mapping[str, Bet | None]) -> bool:
    """Tell at a glance a player's plain bet with nothing against it, as nearly all are."""
    if not limit.least_cents <= bet.stake_cents <= limit.most_cents:
        return False
    if bet.whose is not Whose.PLAYER or bet.is_coupon or bet.raise_cents or bet.spots:
        return False
    offer = limit.offer
    return offer is None or (
        all(map(own.__contains__, offer.needs))
        and (not offer.stakes_cents or bet.stake_cents in offer.stakes_cents)
    )


def _limit(table: TableRules, bet: Bet, hands: int) -> _Limit | None:
    """Return the limits of a bet, or None when it is not offered."""
    # Dealer bets are taken in any denomination, also where the player's is limited.
    is_toke = bet.whose is Whose.DEALER
    if bet.wager == table.game.main_wager:
        least_cents = 1 if is_toke else table.hand_minimum_cents(hands)
        return _Limit(None, least_cents, table.maximum_cents)
    terms = table.side_bets.get(bet.wager)
    if terms is None:
        # A module's: the least of its bets may lie on several of them together.
        is_own = bet.wager == table.game.id
        return _Limit(None, 1, table.maximum_cents) if is_own else None
    least_cents = 1 if is_toke else terms.minimum_cents
    return _Limit(table.offers[bet.wager], least_cents, terms.maximum_cents)


def _hand_refusals(table: TableRules, hands: int) -> list[Refusal]:
    most = table.game.hands.hands_max
    if 1 <= hands <= most:
        return []
    return [
        Refusal(
            "too_many_hands",
            Said(
                "A player can play 1 hand of {game}, not {hands}. Return the other bets."
                if most == 1
                else "A player can play at most {most} hands of {game}, not {hands}. Return the "
                "other bets.",
                game=table.game.name,
                most=most,
                hands=hands,
            ),
        )
    ]


def _twice_refusals(bets: Sequence[Bet]) -> Iterator[Refusal]:
    # Several guests may ride on one bet; no one has two bets of their own on one spot.
    seen = set()
    for bet in bets:
        key = (bet.wager, bet.whose)
        if key in seen and bet.whose is not Whose.PIGGYBACK:
            yield Refusal(
                "wager_twice",
                Said("{wager} is entered twice. Combine the bets.", wager=Said(spoken(bet.wager))),
            )
        seen.add(key)


def _need_refusals(
    table: TableRules, bet: Bet, limit: _Limit, own: Mapping[str, Bet | None]
) -> list[Refusal]:
    if bet.whose is not Whose.PLAYER or limit.offer is None:
        return []
    return [_needed(table, bet.wager, need) for need in limit.offer.needs if need not in own]


def _needed(table: TableRules, wager: str, need: str) -> Refusal:
    return Refusal(
        "needs_main_wager" if need == table.game.main_wager else f"needs_{need}",
        Said(
            "{wager} is only taken with a bet on {needed}. Place that first.",
            wager=Said(spoken(wager)),
            needed=Said(spoken(need)),
        ),
    )


def side_bets_missing(table: TableRules, wager: str, beside: Collection[str]) -> list[Refusal]:
    """Return which side bets a bet is only taken with, and that do not lie beside it.

    Of the main bet nothing is said: where only side bets are checked it is not entered.

    >>> from pitboss.rules.games.games import table_rules
    >>> from pitboss.rules.games.printed import GAMES
    >>> table = table_rules(GAMES["classic"], minimum_cents=2_500, maximum_cents=200_000)
    >>> [refusal.code for refusal in side_bets_missing(table, "super_3", ["super_3"])]
    ['needs_trilux']
    >>> side_bets_missing(table, "super_3", ["trilux", "super_3"])
    []
    """
    offer = table.offers.get(wager)
    needs = offer.needs if offer is not None else ()
    return [
        _needed(table, wager, need)
        for need in needs
        if need != table.game.main_wager and need not in beside
    ]


def _stake_refusals(table: TableRules, bet: Bet, limit: _Limit) -> list[Refusal]:
    refusals = []
    offer = limit.offer
    if offer is not None and offer.stakes_cents and bet.stake_cents not in offer.stakes_cents:
        stakes = joined(map(format_money, offer.stakes_cents), " or ")
        refusals.append(
            Refusal(
                "stake_not_taken",
                Said(
                    "{wager} is {stakes}, not {stake_cents}. Ask the player to correct it.",
                    wager=Said(spoken(bet.wager)),
                    stakes=stakes,
                    stake_cents=bet.stake_cents,
                ),
            )
        )
    known = table.game.spots if offer is None else ()
    for spot, spot_cents in bet.spots.items():
        if spot not in known:
            refusals.append(
                Refusal(
                    "unknown_spot",
                    Said(
                        "{wager} has no {spot} spot. Return the bet.",
                        wager=Said(spoken(bet.wager)),
                        spot=spot[:20],
                    ),
                )
            )
            continue
        multiple = table.options.bet_bigger_spot == "multiple"
        owed_cents = bet.stake_cents * (int(spot.removesuffix("x")) if multiple else 1)
        if spot_cents != owed_cents:
            refusals.append(
                Refusal(
                    "spot_differs_from_ante",
                    Said(
                        "The {spot} spot goes with the ante: {owed_cents}, not {spot_cents}. Ask "
                        "the player to match it.",
                        spot=spot,
                        owed_cents=owed_cents,
                        spot_cents=spot_cents,
                    ),
                )
            )
    return refusals


def _limit_refusals(bet: Bet, limit: _Limit) -> list[Refusal]:
    if bet.stake_cents < limit.least_cents:
        return [
            Refusal(
                "under_minimum",
                Said(
                    "{wager} minimum here is {least_cents}, not {stake_cents}. Notify the player.",
                    wager=Said(spoken(bet.wager)),
                    least_cents=limit.least_cents,
                    stake_cents=bet.stake_cents,
                ),
            )
        ]
    if bet.stake_cents > limit.most_cents:
        return [
            Refusal(
                "over_maximum",
                Said(
                    "{wager} maximum here is {most_cents}, not {stake_cents}. Call the supervisor.",
                    wager=Said(spoken(bet.wager)),
                    most_cents=limit.most_cents,
                    stake_cents=bet.stake_cents,
                ),
            )
        ]
    return []


def _together_refusals(bets: Sequence[Bet], most_cents: int) -> list[Refusal]:
    """Return why a player's bets on one hand are too much together, each within its own limit."""
    laid_cents = sum(
        bet.stake_cents + bet.raise_cents + sum(bet.spots.values())
        for bet in bets
        if bet.whose is Whose.PLAYER
    )
    if laid_cents <= most_cents:
        return []
    return [
        Refusal(
            "over_together",
            Said(
                "The bets on this hand total {laid_cents}. The table maximum for one hand is "
                "{most_cents}. Call the supervisor.",
                laid_cents=laid_cents,
                most_cents=most_cents,
            ),
        )
    ]


def _up_to_limit(bet: Bet, most_cents: int) -> Bet:
    """Leave in action only what is within the limit; raise and spots follow the ante down."""
    if bet.stake_cents <= most_cents:
        return bet
    return replace(
        bet,
        stake_cents=most_cents,
        raise_cents=bet.raise_cents * most_cents // bet.stake_cents,
        spots={spot: cents * most_cents // bet.stake_cents for spot, cents in bet.spots.items()},
    )


def _toke_refusals(
    table: TableRules,
    bet: Bet,
    limit: _Limit,
    own: Mapping[str, Bet | None],
) -> Iterator[Refusal]:
    offer, _, most_cents = limit
    name = spoken(bet.wager)
    tokes = table.game.tokes
    if tokes is None or not table.takes_dealer_bets or (offer and not offer.dealer_bets):
        yield Refusal(
            "dealer_bet_not_taken",
            Said("{name} takes no bets for the dealer here. Return the bet.", name=name),
        )
        return
    own_bet = own.get(bet.wager)
    if offer is None and tokes.main_needs_own and own_bet is None:
        yield Refusal(
            "toke_needs_own_bet",
            "A bet for the dealer needs the player's own bet next to it. Ask for one, or return "
            "it.",
        )
    own_cents = own_bet.stake_cents if own_bet else 0
    # At the maximum a tenth of it may be added; below, both together stay within the maximum.
    if own_cents >= most_cents:
        cap_cents = most_cents * tokes.percent_at_maximum // 100
    else:
        cap_cents = most_cents - own_cents
    if bet.stake_cents > cap_cents:
        yield Refusal(
            "toke_over_cap",
            Said(
                "A dealer bet of {stake_cents} on {name} is over the {cap_cents} limit. Return "
                "the extra.",
                stake_cents=bet.stake_cents,
                name=name,
                cap_cents=cap_cents,
            ),
        )


def _piggyback_refusals(
    table: TableRules, bet: Bet, limit: _Limit, *, has_own_spot: bool
) -> Iterator[Refusal]:
    name = spoken(bet.wager)
    offer = limit.offer
    if not table.game.piggyback or (offer is not None and not offer.piggyback):
        yield Refusal(
            "piggyback_not_allowed",
            Said("{name} takes no bets on another player's bet. Return the bet.", name=name),
        )
        return
    if offer is not None:
        longest = longest_odds(table.side_bets[bet.wager].table(bet.wager))
        if longest is None or longest >= PIGGYBACK_ODDS_BELOW:
            yield Refusal(
                "piggyback_odds",
                Said(
                    "{name} can’t take a backed bet: it pays {odds} to 1 or more, or from a "
                    "meter. Return the bet.",
                    name=name,
                    odds=PIGGYBACK_ODDS_BELOW,
                ),
            )
    if table.piggyback_needs_own_spot and not has_own_spot:
        yield Refusal(
            "piggyback_needs_own_spot",
            "At this table only a player with a spot may ride along. Return the bet.",
        )


def _coupon_refusals(table: TableRules, bet: Bet, *, approved: bool) -> Iterator[Refusal]:
    if not table.game.coupons:
        yield Refusal(
            "coupon_not_taken",
            Said("{game} takes no free bet coupons. Return the coupon.", game=table.game.name),
        )
    elif bet.wager != table.game.main_wager and not approved:
        yield Refusal(
            "coupon_needs_approval",
            Said(
                "A coupon on {wager} needs the supervisor. The supervisor explains to the "
                "player that it pays even money.",
                wager=Said(spoken(bet.wager)),
            ),
        )


def raise_refusals(table: TableRules, bet: Bet, moment: RoundMoment) -> Iterator[Refusal]:
    """Yield every reason why this raise may not lie beside its Bust Ante."""
    if bet.wager != "raise_the_roof":
        yield Refusal(
            "raise_not_offered",
            Said("{wager} can’t be raised. Return the raise.", wager=Said(spoken(bet.wager))),
        )
        return
    if moment is RoundMoment.BEFORE_DEAL:
        yield Refusal(
            "raise_too_early", "Wait for the dealer to check for blackjack before the raise."
        )
    multiple, rest = divmod(bet.raise_cents, bet.stake_cents)
    whole_only = table.options.raise_multiples == "whole"
    if multiple < 1 or (rest and whole_only):
        yield Refusal(
            "raise_not_multiple",
            Said(
                "A raise of {raise_cents} is not 1 to {most} times the ante of {stake_cents}. "
                "Ask the player to correct it.",
                raise_cents=bet.raise_cents,
                most=RAISE_MULTIPLE_MAX,
                stake_cents=bet.stake_cents,
            ),
        )
    if bet.raise_cents > RAISE_MULTIPLE_MAX * bet.stake_cents:
        yield Refusal(
            "raise_out_of_range",
            Said(
                "A raise is at most {most} times the ante: {most_cents}. Return the rest.",
                most=RAISE_MULTIPLE_MAX,
                most_cents=RAISE_MULTIPLE_MAX * bet.stake_cents,
            ),
        )


def _raise_limit_refusals(table: TableRules, bet: Bet) -> Iterator[Refusal]:
    """Yield why a raise is outside the house's own limits of raises."""
    least, most = table.raise_min_cents, table.raise_max_cents
    if least is not None and bet.raise_cents < least:
        yield Refusal(
            "raise_under_minimum",
            Said(
                "A raise is at least {least_cents} here. Ask the player for more, or return it.",
                least_cents=least,
            ),
        )
    if most is not None and bet.raise_cents > most:
        yield Refusal(
            "raise_over_maximum",
            Said("A raise is at most {most_cents} here. Return the rest.", most_cents=most),
        )


def _flat_bet_refusals(
    table: TableRules, bets: Iterable[Bet], first_bets: Iterable[Bet]
) -> Iterator[Refusal]:
    if not table.game.flat_bet:
        yield Refusal(
            "no_flat_bet",
            Said("{game} has no flat-bet order. Don’t order one here.", game=table.game.name),
        )
    elif layout(bets) != layout(first_bets):
        yield Refusal(
            "flat_bet_differs",
            "This player is flat bet: every hand of the shoe carries the bets of the first one. "
            "Ask for those bets.",
        )


def layout(bets: Iterable[Bet]) -> set[tuple[str, Whose, str, int]]:
    """Return what lies where, spot by spot. A raise is no bet of the first hand."""
    layout = set()
    for bet in bets:
        layout.add((bet.wager, bet.whose, "", bet.stake_cents))
        layout |= {(bet.wager, bet.whose, spot, cents) for spot, cents in bet.spots.items()}
    return layout
