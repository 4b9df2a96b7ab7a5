"""What a table chooses within its game reaches every judge, and no table that chose nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import product
from typing import Any

import pytest

from pitboss.rules.book.options import DEFAULT_OPTIONS
from pitboss.rules.cards.playing_cards import card, cards
from pitboss.rules.games.decisions import Decision, Situation, decision_refusals
from pitboss.rules.games.eligibility import Bet, RoundMoment, Whose, judge_wagers
from pitboss.rules.games.games import TableRules, table_rules
from pitboss.rules.games.play_options import (
    as_played,
    blackjack_pays_of,
    decks_of,
    not_printed,
    option_words,
    options_of,
    soft_17_of,
)
from pitboss.rules.games.printed import GAMES
from pitboss.rules.games.setup_form import STADIUM_READINGS
from pitboss.rules.games.table_setup import (
    PAYTABLE_5,
    TableSetup,
    edges_of,
    keyed_setup,
    read_setup,
    stored_setup,
)
from pitboss.rules.odds.odds import odds_of
from pitboss.rules.payouts.check import PayoutVerdict, TableNow, TableTerms, check_payout
from pitboss.rules.payouts.claims import read_claim
from pitboss.rules.refusal import Refused
from pitboss.rules.rounds.round import DealtRound, Hand, Seat, settle_round
from pitboss.rules.stadium.selected import stadium_rules
from tests.rules.test_table_setup import BJ_50, STADIUM

TRAY = {10_000: 40, 2_500: 80, 500: 100, 100: 40}


def setup(keyed: dict[str, str] = BJ_50, **changes: str) -> TableSetup:
    return read_setup({**keyed, **changes})


def checked(rules: TableRules, **told: Any) -> PayoutVerdict:
    now = TableNow(TableTerms.of(rules), TRAY, date(2026, 5, 1))
    return check_payout(read_claim(told), now)


def stadium_check(rules: TableRules, decisions: list[str], player: list[str]) -> PayoutVerdict:
    return checked(
        rules, wager="stadium_blackjack", stake_cents=10_000, player_cards=player, dealer_up="9s",
        extra={"community": ["8h", "Tc", "Ts", "7d", "6h", "5c"], "decisions": decisions},
        paid_cents=0,
    )  # fmt: skip


def test_a97_a_stadium_on_paytable_5_with_surrender_and_another_that_keeps_its_own() -> None:
    five = setup(STADIUM, **PAYTABLE_5, surrender="enabled").rules()
    other = setup(STADIUM).rules()
    verdict = stadium_check(five, ["surrender"], ["Th", "6d"])
    assert verdict.settlement is not None
    assert verdict.settlement.payout_cents == -5_000
    for decisions, player in (
        (["double"], ["5h", "4d"]),
        (["split", "split", "stand", "stand", "stand"], ["8h", "8d"]),
    ):
        assert stadium_check(five, decisions, player).settlement is None
        assert stadium_check(other, decisions, player).settlement is not None
    assert stadium_check(other, ["surrender"], ["Th", "6d"]).settlement is None


def test_a99_match_the_dealer_is_added_to_a_classic_table_with_its_limits_and_edge() -> None:
    limits: dict[str, Any] = {
        "bet_match_the_dealer_minimum": "5",
        "bet_match_the_dealer_maximum": "100",
    }
    own = setup(bet_match_the_dealer="A", **limits)
    bet = {"wager": "match_the_dealer", "player_cards": ["9d", "7c"], "dealer_up": "7c"}
    assert checked(own.rules(), **bet, stake_cents=1_000, paid_cents=11_000).verdict == "right"
    over = checked(own.rules(), **bet, stake_cents=20_000, paid_cents=220_000)
    assert [warning.code for warning in over.warnings] == ["over_maximum"]
    edges, refusals = edges_of(own, DEFAULT_OPTIONS, 0, 10_000)
    edge = next(item for item in edges if item.wager == "match_the_dealer")
    case = {"wager": "match_the_dealer", "paytable": "A", "decks": own.decks}
    assert (edge.edge, refusals) == (odds_of(case).edge, [])
    printed = checked(setup().rules(), **bet, stake_cents=1_000, paid_cents=11_000)
    assert [reason.code for reason in printed.reasons] == ["wager_not_offered"]
    with pytest.raises(Refused) as refused:
        setup(game="double_deck", decks="2", soft_17="stand", bet_raise_the_roof="H17_2_A")
    assert "no_pay_table" in refused.value.codes
    with pytest.raises(Refused) as refused:
        setup(bet_raise_the_roof="H17_2_A")
    assert "paytable_misfits_shoe" in refused.value.codes


def test_a98_one_deck_hit_soft_17_6_to_5_with_late_surrender() -> None:
    own = setup(
        decks="1", soft_17="hit", blackjack_pays="6:5", surrender="not_against_blackjack"
    ).rules()
    hand = {"wager": "blackjack", "stake_cents": 2_000, "paid_cents": 2_400}
    blackjack = {"player_cards": ["Ah", "Kd"], "dealer_cards": ["Tc", "8d"]}
    assert checked(own, **hand, **blackjack).verdict == "right"
    printed = setup().rules()
    assert checked(printed, **hand, **blackjack).verdict == "underpaid"
    given_up = {
        "wager": "blackjack", "stake_cents": 2_000, "player_cards": ["Th", "6d"],
        "dealer_cards": ["Tc", "9d"], "paid_cents": 0, "extra": {"surrender": True},
    }  # fmt: skip
    verdict = checked(own, **given_up)
    assert verdict.settlement is not None
    assert verdict.settlement.payout_cents == -1_000
    assert {reason.code for reason in checked(printed, **given_up).reasons} == {
        "surrender_disabled"
    }
    # A dealer who hits soft 17 has not stood on it.
    soft = {**hand, "player_cards": ["Th", "8d"], "dealer_cards": ["Ac", "6d"]}
    stopped = checked(own, **{**soft, "paid_cents": 2_000})
    assert [reason.code for reason in stopped.reasons] == ["dealer_not_finished"]
    assert checked(printed, **{**soft, "paid_cents": 2_000}).verdict == "right"
    # Two aces of spades are no hand of one deck.
    twice = {**hand, "player_cards": ["As", "As", "9d"], "dealer_cards": ["Tc", "8d"]}
    assert checked(own, **{**twice, "paid_cents": 2_000}).verdict == "cannot_verify"


@pytest.mark.parametrize("game", ["classic", "double_deck", "stadium"])
def test_every_choice_of_every_option_can_be_set_up_stored_and_said(game: str) -> None:
    base = {**(STADIUM if game == "stadium" else BJ_50), "game": game, "bet_trilux": ""}
    base["decks"] = str(GAMES[game].decks[0])
    for name, choices in options_of(GAMES[game]).items():
        for choice in choices:
            own = setup(base, **{name: choice})
            assert own.play == ({} if choice == next(iter(choices)) else {name: choice})
            assert stored_setup(own.stored()) == own == read_setup(keyed_setup(own.stored()))
            assert own.rules().game.id == game
            assert set(option_words(GAMES[game], own.play).values()) <= set(own.words().values())


def test_a_house_pays_a_blackjack_even_money_where_it_says_so() -> None:
    own = setup(blackjack_pays="1:1").rules()
    hand = {"wager": "blackjack", "stake_cents": 2_000, "dealer_cards": ["Tc", "8d"]}
    blackjack = {**hand, "player_cards": ["Ah", "Kd"]}
    assert checked(own, **blackjack, paid_cents=2_000).verdict == "right"
    assert checked(own, **blackjack, paid_cents=3_000).verdict == "overpaid"
    tie = {**hand, "player_cards": ["Th", "8c"]}
    pushed = checked(own, **tie, paid_cents=0).settlement
    assert pushed is not None
    assert pushed.category == "push", "a tie is lost at Face Up alone"
    coupon = {**blackjack, "wager": "free_bet_coupon"}
    assert checked(own, **coupon, paid_cents=2_000).verdict == "right"


def test_even_money_is_the_houses_to_offer_beside_insurance() -> None:
    none, bare = setup(even_money="no").rules(), setup(insurance="no").rules()
    claim = {
        "wager": "blackjack", "stake_cents": 2_000, "player_cards": ["Ah", "Kd"],
        "dealer_cards": ["As"], "extra": {"even_money": True}, "paid_cents": 2_000,
    }  # fmt: skip
    assert checked(setup().rules(), **claim).verdict == "right"
    assert [reason.code for reason in checked(none, **claim).reasons] == ["even_money_not_offered"]
    assert [reason.code for reason in checked(bare, **claim).reasons] == ["insurance_not_offered"]
    assert "insurance" in TableTerms.of(none).paytables


def test_a_table_sets_amounts_over_its_games_own() -> None:
    roof = {"game": "raise_the_roof", "soft_17": "hit", "bet_raise_the_roof": "H17_6_8_A"}
    own = setup(BJ_50, **roof, raise_minimum="10", raise_maximum="50", together_maximum="1,000")
    assert stored_setup(own.stored()) == own == read_setup(keyed_setup(own.stored()))
    assert own.words()["Largest raise"] == "$50"
    raised = Bet("raise_the_roof", 2_500, raise_cents=12_500)
    verdict = judge_wagers(
        own.rules(), [Bet("blackjack", 90_000), raised], moment=RoundMoment.AFTER_DEAL
    )
    assert [flag.code for flag in verdict.flags] == ["raise_over_maximum", "over_together"]
    small = judge_wagers(
        own.rules(),
        [Bet("blackjack", 2_500), Bet("raise_the_roof", 500, raise_cents=500)],
        moment=RoundMoment.AFTER_DEAL,
    )
    assert "raise_under_minimum" in [flag.code for flag in small.flags]
    assert "bounds" not in setup().stored(), "what chose nothing is stored as it always was"
    with pytest.raises(Refused) as refused:
        setup(BJ_50, **roof, raise_minimum="60", raise_maximum="50")
    assert refused.value.codes == ("bad_limits",)
    # Where there is no raise no one is asked for its limits.
    assert setup(STADIUM, raise_maximum="50").bounds == {}


def test_how_many_hands_one_player_plays_and_for_how_much_is_the_houses_to_say() -> None:
    def judged(hands: int, stake_cents: int, **play: str) -> list[str]:
        rules = setup(BJ_50, **play).rules()
        return [
            refusal.code
            for refusal in judge_wagers(
                rules, [Bet("blackjack", stake_cents)], hands=hands
            ).refusals
        ]

    least = setup().minimum_cents
    assert judged(2, least) == ["under_minimum"]
    assert judged(2, 2 * least) == judged(3, 5 * least) == []
    assert judged(2, least, hands_minimum="one") == []
    assert judged(3, 5 * least, hands_each="2") == ["too_many_hands"]
    assert judged(2, 2 * least, hands_each="1") == ["too_many_hands"]
    assert judged(2, 2 * least, hands_each="2") == []


def test_a_house_deals_one_to_eight_decks_and_pays_3_to_2_6_to_5_or_1_to_1() -> None:
    game = GAMES["classic"]
    assert decks_of(game) == (6, 8, 1, 2, 3, 4, 5, 7)
    for decks, soft_17, pays in product(decks_of(game), soft_17_of(game), blackjack_pays_of(game)):
        rules = setup(decks=str(decks), soft_17=soft_17, blackjack_pays=pays).rules()
        assert (rules.decks, rules.soft_17, rules.blackjack_pays) == (decks, soft_17, pays)
    roof = GAMES["raise_the_roof"]
    assert (decks_of(roof), soft_17_of(roof)) == (roof.decks, roof.soft_17)
    assert blackjack_pays_of(roof) == roof.blackjack_pays


def refused(rules: TableRules, decision: Decision, **more: Any) -> list[str]:
    facts = {
        "stake_cents": 5_000, "cards": cards(more.pop("cards")), "dealer_up": card("As"),
        "added_cents": 5_000, **more,
    }  # fmt: skip
    return [refusal.code for refusal in decision_refusals(rules, decision, Situation(**facts))]


def test_doubling_and_splitting_are_judged_as_the_table_chose() -> None:
    ten_eleven = setup(doubles="10-11", double_for_less="no", double_after_split="no").rules()
    doubling = ten_eleven.doubling
    assert (doubling.totals, doubling.for_less, doubling.after_split) == ((10, 11), False, False)
    assert refused(ten_eleven, Decision.DOUBLE, cards=["5h", "4d"]) != []
    assert refused(ten_eleven, Decision.DOUBLE, cards=["6h", "5d"]) == []
    assert refused(setup().rules(), Decision.DOUBLE, cards=["5h", "4d"]) == []
    twice = setup(split_hands="3", resplit_aces="yes").rules().splitting
    assert (twice.hands_max, twice.aces_hands_max) == (3, 3)
    once = setup(split_hands="2").rules().splitting
    assert (once.hands_max, once.aces_hands_max) == (2, 2)


def test_aces_that_a_table_splits_again_are_paid_in_a_check_and_in_a_round() -> None:
    hands = [["As", "9c"], ["Ad", "9d"], ["Ac", "6h"]]
    claim: dict[str, Any] = {
        "wager": "blackjack", "stake_cents": 5_000, "player_cards": ["As", "Ad"],
        "dealer_cards": ["Ts", "8c"], "paid_cents": 10_000,
        "extra": {"split_hands": [{"cards": hand} for hand in hands]},
    }  # fmt: skip
    again, once = setup(resplit_aces="yes").rules(), setup().rules()
    assert checked(again, **claim).verdict == "right"
    assert checked(once, **claim).verdict == "cannot_verify"
    fields = {**claim, "extra": {**claim["extra"], "resplit_aces": True}}
    assert "table_decides" in [reason.code for reason in checked(once, **fields).reasons]
    hit = [["As", "2c", "9c"], *hands[1:]]
    drew = {**claim, "extra": {"split_hands": [{"cards": hand} for hand in hit]}}
    assert "split_ace_drew" in [reason.code for reason in checked(again, **drew).reasons]
    seat = Seat(
        4,
        (Bet("blackjack", 5_000),),
        cards(["As", "Ad"]),
        hands=tuple(Hand(cards(hand)) for hand in hands),
    )
    round_ = DealtRound((seat,), cards(["Ts", "8c"]))
    (line,) = settle_round(again, round_).lines
    assert line.settlement.pushes == (5_000, 5_000, 0)
    with pytest.raises(Refused):
        settle_round(once, round_)


def test_insurance_coupons_guests_and_tokes_are_the_houses_to_offer() -> None:
    bare = setup(insurance="no", coupons="no", own_spot="yes", dealer_bets="no").rules()
    terms, printed = TableTerms.of(bare), TableTerms.of(setup().rules())
    assert {"insurance", "free_bet_coupon"} <= set(printed.paytables)
    assert not {"insurance", "free_bet_coupon"} & set(terms.paytables)
    assert (bare.takes_dealer_bets, bare.piggyback_needs_own_spot) == (False, True)
    assert printed.rules.takes_dealer_bets


def test_a_stadium_reads_what_its_document_leaves_open() -> None:
    for reading in STADIUM_READINGS:
        for choice in reading.choices:
            own = setup(STADIUM, **{reading.name: str(choice)})
            read = stadium_rules(dict(TableTerms.of(own.rules()).stadium))
            assert getattr(read, reading.name) == choice
            assert own.words()[reading.question] == reading.choices[choice]
            assert read_setup(keyed_setup(own.stored())) == own


def test_a_house_may_take_dealer_bets_where_the_document_says_nothing_of_them() -> None:
    own, dealers = Bet("bet_bigger", 500), Bet("bet_bigger", 500, whose=Whose.DEALER)
    ladies = Bet("lucky_ladies", 500)

    def judged(choice: str, *bets: Bet) -> list[str]:
        game, told = as_played(GAMES["bet_bigger"], {"dealer_bets": choice})
        rules = table_rules(game, minimum_cents=500, maximum_cents=1_000, decks=6, **told)
        return [refusal.code for refusal in judge_wagers(rules, bets).refusals]

    assert judged("no", own, dealers) == ["dealer_bet_not_taken"]
    assert judged("yes", dealers) == ["toke_needs_own_bet"]
    assert judged("yes", own, dealers) == judged("yes", own, ladies) == []
    of_the_dealer = replace(ladies, whose=Whose.DEALER)
    assert judged("yes", own, ladies, of_the_dealer) == ["dealer_bet_not_taken"]


def test_what_is_printed_is_not_stored() -> None:
    assert not_printed(GAMES["classic"], {"doubles": "2-20", "surrender": "enabled"}) == {
        "surrender": "enabled"
    }
    assert "play" not in setup().stored()
    assert options_of(GAMES["bet_bigger"]).keys() == {"surrender", "dealer_bets"}
