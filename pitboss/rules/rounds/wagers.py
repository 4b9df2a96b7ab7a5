"""Turn the bets of a seat into cases, settle them, and share the meters several seats have hit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pitboss.rules.cards.playing_cards import Card
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.facts import Terms
from pitboss.rules.games.eligibility import Bet, Whose
from pitboss.rules.games.games import Surrender, TableRules, stadium_settings
from pitboss.rules.payouts.envy import add_envy
from pitboss.rules.paytables.pays import MeterShare, PayTable
from pitboss.rules.paytables.paytables import pay_table
from pitboss.rules.refusal import refuse
from pitboss.rules.rounds.play import MAIN
from pitboss.rules.rounds.seats import DealtRound, Hand, Phase, Seat, WagerLine
from pitboss.rules.wagers.blackjack import RESPLIT_ACES
from pitboss.rules.wagers.main_game import DealerHand, PlayerHand
from pitboss.rules.wagers.main_wagers import Play, PlayedHand, settle_play
from pitboss.rules.wagers.settle import SETTLERS
from pitboss.rules.wagers.settlement import Settlement

METERED: Final = ("lucky_ladies", "blazing_7s")
LADIES_METERS: Final = ("MEGA", "MAJOR", "MINOR")

# A progressive is paid before the side bets of a hand; then those in the order of their documents.
SIDE_BET_ORDER: Final = {
    wager: place
    for place, wager in enumerate(
        (
            "blazing_7s",
            "lucky_ladies",
            "perfect_pair",
            "match_the_dealer",
            "two_card_bonus",
            "four_card_bonus",
            "bet_the_set_21",
            "royal_match_21",
            "trilux",
            "super_3",
        )
    )
}
# A player's own bet, then those who ride on it, then the dealer's.
WHOSE_ORDER: Final = {Whose.PLAYER: 0, Whose.PIGGYBACK: 1, Whose.DEALER: 2}
ENDED_BEFORE_DEALER: Final = frozenset(
    {"player_blackjack", "player_bust", "even_money", "surrender", "bust", "blackjack"}
)

Case = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wagers:
    """Settles the wagers of one round at one table."""

    table: TableRules
    round: DealtRound
    dealer: DealerHand
    main_pays: PayTable
    # What the house reads otherwise than by default, as each case carries it.
    options: Mapping[str, str]

    @classmethod
    def of(cls, table: TableRules, round_: DealtRound) -> Wagers:
        return cls(
            table,
            round_,
            DealerHand(round_.dealer, table.soft_17, round_.hole_card_shown),
            pay_table(table.game.main_wager, table.blackjack_pays),
            table.options.changed(),
        )

    def lines(self, seat: Seat, bet: Bet) -> list[WagerLine]:
        """Return a bet settled, in several lines where it rode on several hands.

        Raises Refused for one that cannot be.
        """
        if bet.wager != self.table.game.main_wager:
            return [self._side_line(seat, bet)]
        if _is_plain(seat, bet) and not self.round.blackjack_found_late:
            return [self._plain_line(seat, bet)]
        return self._main_lines(seat, bet)

    def settle_side(self, seat: Seat, bet: Bet, more: Mapping[str, Any]) -> Settlement:
        """Settle a side bet, with what its meters or other winners add."""
        case: Case = {
            "wager": bet.wager,
            "paytable": self.table.side_bets[bet.wager].settled_by(bet.wager),
            "stake_cents": bet.stake_cents,
            "player_cards": _names(seat.cards),
            "extra": {**self._common(bet), **more},
        }
        if bet.wager == "raise_the_roof":
            case["player_cards"] = []
            case["dealer_cards"] = _names(self.round.dealer)
            case["extra"]["raise_cents"] = bet.raise_cents
            case["extra"]["dealer_soft_17"] = self.table.soft_17
        elif bet.wager == "four_card_bonus":
            case["dealer_cards"] = _names(self.round.dealer[:2])
        else:
            case["dealer_up"] = self.round.dealer[0].name
        settled = add_envy(case, SETTLERS[bet.wager](case))
        return _as_coupon(settled, bet) if bet.is_coupon else settled

    def _side_line(self, seat: Seat, bet: Bet) -> WagerLine:
        roof = bet.wager == "raise_the_roof"
        return WagerLine(
            seat.number,
            bet.wager,
            bet.whose,
            bet.stake_cents + bet.raise_cents,
            self.settle_side(seat, bet, self.meters(bet.wager)),
            Phase.AFTER_DEALER if roof else Phase.SIDE_BETS,
        )

    def meters(self, wager: str) -> dict[str, Any]:
        """Return the meters a wager is paid from, as its case carries them."""
        posted = self.round.meters
        if wager == "lucky_ladies":
            return {
                "jackpots_cents": {name: posted[name] for name in LADIES_METERS if name in posted}
            }
        if wager == "blazing_7s" and "JACKPOT" in posted:
            return {"jackpot_cents": posted["JACKPOT"]}
        return {}

    def _main_lines(self, seat: Seat, bet: Bet) -> list[WagerLine]:
        wager = self.table.game.main_wager
        if wager == "stadium_blackjack":
            cases = [self._stadium_case(seat, bet)]
        elif bet.whose is Whose.PLAYER and not bet.is_coupon:
            cases = [self._own_case(seat, bet)]
        else:
            cases = list(self._riding_cases(seat, bet))
        lines = []
        for case in cases:
            settled = SETTLERS[case["wager"]](case)
            staked_cents = _staked_cents(case, bet, seat)
            phase = self._phase(settled.category)
            lines.append(WagerLine(seat.number, wager, bet.whose, staked_cents, settled, phase))
        return lines

    def _plain_line(self, seat: Seat, bet: Bet) -> WagerLine:
        """Settle a bet on one hand, doubled or not: nearly every bet there is.

        Its cards and amounts are read and checked already, so no case is written out for it.
        """
        hand = seat.played[0]
        double_cents = hand.doubles.get(MAIN, 0)
        played = PlayedHand(
            PlayerHand(hand.cards, is_doubled=bool(double_cents)),
            {MAIN: double_cents} if double_cents else {},
        )
        settled = settle_play(
            Play(
                wager="blackjack",
                table=self.main_pays,
                terms=Terms(bet.stake_cents, self.table.options, False, (), ()),
                bets={MAIN: bet.stake_cents},
                hands=(played,),
                dealer=self.dealer,
            )
        )
        staked_cents = bet.stake_cents + double_cents
        phase = self._phase(settled.category)
        return WagerLine(seat.number, bet.wager, bet.whose, staked_cents, settled, phase)

    def _phase(self, category: str) -> Phase:
        ended = category in ENDED_BEFORE_DEALER and not self.round.blackjack_found_late
        return Phase.PLAYER_ACTION if ended else Phase.AFTER_DEALER

    def _common(self, bet: Bet) -> dict[str, Any]:
        extra: dict[str, Any] = {}
        if self.options:
            extra["options"] = dict(self.options)
        if bet.whose is Whose.DEALER:
            extra["dealer_bet"] = True
        return extra

    def _main_extra(self, bet: Bet) -> dict[str, Any]:
        extra = self._common(bet)
        extra["dealer_soft_17"] = self.table.soft_17
        if self.round.hole_card_shown:
            extra["dealer_bj_is_21"] = True
        return extra

    def _case(self, wager: str, bet: Bet, cards: Sequence[Card], extra: dict[str, Any]) -> Case:
        return {
            "wager": wager,
            "paytable": self.table.blackjack_pays,
            "stake_cents": bet.stake_cents,
            "player_cards": _names(cards),
            "dealer_cards": _names(self.round.dealer),
            "extra": extra,
        }

    def _own_case(self, seat: Seat, bet: Bet) -> Case:
        """Build the case of the player's own bet: all hands, doubles, insurance and choices."""
        bigger = bet.wager == "bet_bigger"
        double_field = "double_cents_by_bet" if bigger else "double_cents"
        extra = self._main_extra(bet)
        if bigger and bet.spots:
            extra["spots"] = list(bet.spots)
        if seat.insurance_cents:
            extra["insurance_each_cents" if bigger else "insurance_cents"] = seat.insurance_cents
        if seat.takes_even_money:
            extra["even_money"] = True
        extra.update(self._given_up(seat))
        if self.round.blackjack_found_late and seat.has_blackjack and not bigger:
            extra["blackjack_already_paid"] = True
        if seat.is_split:
            if not bigger and self.table.splitting.resplits_aces:
                extra[RESPLIT_ACES] = True
            extra["split_hands"] = [
                {"cards": _names(hand.cards), **_doubles(hand, double_field)} for hand in seat.hands
            ]
            return self._case(bet.wager, bet, seat.cards, extra)
        hand = seat.played[0]
        extra.update(_doubles(hand, double_field))
        return self._case(bet.wager, bet, hand.cards, extra)

    def _given_up(self, seat: Seat) -> dict[str, Any]:
        """Return that a hand was given up, with all that rides on it, and by which rule."""
        if not seat.surrenders:
            return {}
        early = self.table.surrender is Surrender.ENABLED
        return {"surrender": True, "surrender_mode": "early" if early else "late"}

    def _riding_cases(self, seat: Seat, bet: Bet) -> Iterator[Case]:
        """Build the cases of a bet that rides on the player's hands: a toke, a guest, a coupon.

        On a split it stays with the left hand unless more was put on the others.
        """
        if bet.is_coupon and any(hand.doubles for hand in seat.hands):
            raise refuse(
                "coupon_doubled", "A coupon can’t be doubled. Enter the added cash as its own bet."
            )
        if bet.is_coupon and (seat.insurance_cents or seat.takes_even_money or seat.surrenders):
            raise refuse(
                "coupon_decided",
                "A coupon can’t be insured, paid early, or surrendered. Play the hand out.",
            )
        wager = "free_bet_coupon" if bet.is_coupon else bet.wager
        is_toke = bet.whose is Whose.DEALER
        for number, hand in enumerate(seat.played):
            stake_cents = bet.stake_cents if number == 0 else hand.toke_cents if is_toke else 0
            if stake_cents:
                extra = self._main_extra(bet)
                if seat.is_split:
                    extra["from_split"] = True
                if not bet.is_coupon:
                    extra.update(self._given_up(seat))
                if is_toke:
                    extra.update(_toke_choices(seat, hand, number))
                yield self._case(wager, replace(bet, stake_cents=stake_cents), hand.cards, extra)

    def _stadium_case(self, seat: Seat, bet: Bet) -> Case:
        decisions = seat.decisions
        if bet.whose is Whose.DEALER:
            if seat.toke_decisions is not None:
                decisions = seat.toke_decisions
            elif "double" in decisions or "split" in decisions:
                raise refuse(
                    "toke_decisions_missing",
                    "Enter whether the dealer bet was also doubled or split.",
                )
        return {
            "wager": "stadium_blackjack",
            "paytable": self.table.blackjack_pays,
            "stake_cents": bet.stake_cents,
            "player_cards": _names(seat.cards),
            "dealer_up": self.round.dealer[0].name,
            "extra": {
                "community": _names(self.round.community),
                "decisions": list(decisions),
                "insurance_cents": seat.insurance_cents if bet.whose is Whose.PLAYER else 0,
                "rules": stadium_settings(self.table),
            },
        }


def share_meters(
    wagers: Wagers, settled: Sequence[tuple[Seat, Bet, WagerLine]]
) -> dict[int, Settlement]:
    """Settle again, by place in the list, the meter wins that others of the round also hit.

    The list runs in the order of payment, right to left (manual, Blazing 7's, Supervisor 3).
    """
    again: dict[int, Settlement] = {}
    meter_hits = [
        (place, seat, bet, line)
        for place, (seat, bet, line) in enumerate(settled)
        if bet.wager in METERED and _is_meter_win(wagers.table, line)
    ]
    for place, seat, bet, line in meter_hits:
        category = line.settlement.category
        same = [hit for hit in meter_hits if hit[3].settlement.category == category]
        more = wagers.meters(bet.wager)
        if bet.wager == "lucky_ladies":
            more["other_winner_stakes_cents"] = [
                other.stake_cents for at, _, other, _ in same if at != place
            ]
        else:
            more["winners_same_hand"] = len(same)
            more["winner_number"] = 1 + [at for at, *_ in same].index(place)
            others_cents = sum(
                (again.get(at) or hit.settlement).payout_cents
                for at, _, _, hit in meter_hits
                if at < place and hit.settlement.category != category
            )
            more["taken_before_cents"] = others_cents
        again[place] = wagers.settle_side(seat, bet, more)
    return again


def _is_meter_win(table: TableRules, line: WagerLine) -> bool:
    pays = table.side_bets[line.wager].table(line.wager).pays
    return isinstance(pays.get(line.settlement.category), MeterShare)


def _toke_choices(seat: Seat, hand: Hand, number: int) -> dict[str, Any]:
    """Return what was decided for the dealer bet, which follows the player's rules (Tokes 5)."""
    chosen: dict[str, Any] = {}
    if hand.toke_double_cents:
        chosen["double_cents"] = hand.toke_double_cents
    if seat.toke_insurance_cents and number == 0:
        chosen["insurance_cents"] = seat.toke_insurance_cents
    if seat.toke_takes_even_money:
        chosen["even_money"] = True
    return chosen


def _is_plain(seat: Seat, bet: Bet) -> bool:
    return (
        bet.wager == "blackjack"
        and bet.whose is Whose.PLAYER
        and not bet.is_coupon
        and not seat.is_split
        and not seat.insurance_cents
        and not seat.takes_even_money
        and not seat.surrenders
    )


def _names(cards: Sequence[Card]) -> list[str]:
    return [card.name for card in cards]


def _doubles(hand: Hand, double_field: str) -> dict[str, Any]:
    if not hand.doubles:
        return {}
    if double_field == "double_cents":
        return {double_field: hand.doubles.get(MAIN, 0)}
    return {
        double_field: {
            "ante" if spot == MAIN else spot: cents for spot, cents in hand.doubles.items()
        }
    }


def _staked_cents(case: Case, bet: Bet, seat: Seat) -> int:
    """Return all that lay on the table for this wager, doubles, splits and insurance included."""
    extra = case["extra"]
    if bet.wager == "stadium_blackjack":
        return bet.stake_cents + int(extra["insurance_cents"])
    if bet.whose is not Whose.PLAYER or bet.is_coupon:
        return sum(
            (case["stake_cents"], extra.get("double_cents", 0), extra.get("insurance_cents", 0))
        )
    spots_cents = sum(bet.spots.values())
    hands_cents = (bet.stake_cents + spots_cents) * len(seat.played)
    doubles_cents = sum(sum(hand.doubles.values()) for hand in seat.played)
    return hands_cents + doubles_cents + seat.insurance_cents * (1 + len(bet.spots))


def _as_coupon(settled: Settlement, bet: Bet) -> Settlement:
    """Pay a coupon on a side bet even money, whatever the bet's own odds (Free Bet Coupons 1)."""
    won = settled.payout_cents > 0
    face = format_money(bet.stake_cents)
    sentence = (
        f"a coupon is only ever paid even money, {face}." if won else "the coupon is collected."
    )
    return settled._replace(
        category="coupon_win" if won else "coupon_lose",
        payout_cents=bet.stake_cents if won else 0,
        stake_returned=False,
        rule=f"free_bet_coupon.{'coupon_win' if won else 'coupon_lose'}",
        working=f"{settled.working} It was a coupon: {sentence}",
        readings=(*settled.readings, "R33"),
    )
