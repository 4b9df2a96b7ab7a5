"""Baccarat: the third-card table, every bet, and odds by enumeration against a second opinion."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.baccarat.counting import both_pairs_chance, outcomes, pair_chance
from pitboss.rules.baccarat.drawing import Coup, banker_draws, player_draws
from pitboss.rules.baccarat.game import GAME, STYLES
from pitboss.rules.cards.playing_cards import CARDS
from pitboss.rules.odds.odds import answer, odds_of
from pitboss.rules.refusal import Refused
from pitboss.rules.wagers.settle import settle, settle_case


def coup(
    bet: str, player: str, banker: str, paytable: str = "commission", **more: Any
) -> dict[str, Any]:
    stake_cents = more.pop("stake_cents", 10_000)
    return {
        "wager": "baccarat",
        "paytable": paytable,
        "stake_cents": stake_cents,
        "player_cards": player.split(),
        "dealer_cards": banker.split(),
        "extra": {"bet": bet, **more},
    }


# ------------------------------------------------------------------ the third card

# As it hangs at every table: by the banker's total, the player's third cards on which they draw.
POSTED = {
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}


@pytest.mark.parametrize("banker", range(8))
def test_the_banker_draws_by_the_posted_table(banker: int) -> None:
    drawn = "".join(str(third) for third in range(10) if banker_draws(0, banker, third))
    assert drawn == POSTED[banker]
    assert banker_draws(6, banker, None) == (banker <= 5)


def test_a_natural_on_either_side_ends_it() -> None:
    for player, banker in product(range(10), (8, 9)):
        assert not player_draws(player, banker)
        assert not banker_draws(player, banker, None)
        assert not banker_draws(banker, player, None)


@pytest.mark.parametrize(
    ("player", "banker", "code"),
    [
        ("2c 3d", "Kh 7s", "third_card_missing"),
        ("2c 3d 4h", "Kh 3s", "third_card_missing"),
        ("2c 4d 4h", "Kh 7s", "third_card_extra"),
        ("2c 3d 8h", "Kh 3s 2d", "third_card_extra"),
        ("9c Kd", "Kh 3s 2d", "third_card_extra"),
        ("2c", "Kh 3s", "bad_cards"),
        ("2c 2d 2h 2s", "Kh 3s", "bad_cards"),
        ("2c 4d", "Kh", "bad_cards"),
        ("2c zz", "Kh 7s", "bad_card"),
    ],
)
def test_cards_that_were_not_drawn_by_the_table_are_refused(
    player: str, banker: str, code: str
) -> None:
    assert settle_case(coup("player", player, banker))["error"]["code"] == code


# ------------------------------------------------------------------ every bet


@pytest.mark.parametrize(
    ("bet", "player", "banker", "paytable", "category", "payout_cents"),
    [
        ("player", "Kh 9d", "2c 5s", "commission", "player", 10_000),
        ("player", "Kh 6d", "2c 5s", "commission", "lose", -10_000),
        ("player", "Kh 7d", "2c 5s", "commission", "push", 0),
        ("banker", "Kh 6d", "2c 5s", "commission", "banker", 9_500),
        ("banker", "Kh 7d", "2c 4s", "commission", "lose", -10_000),
        ("banker", "Kh 7d", "2c 5s", "commission", "push", 0),
        ("banker", "Kh 6d", "2c 5s", "ez", "banker", 10_000),
        ("banker", "Kh 6d", "2c 3s 2h", "ez", "banker_7", 0),
        ("dragon_7", "Kh 6d", "2c 3s 2h", "ez", "dragon_7", 400_000),
        ("dragon_7", "Kh 6d", "2c 5s", "ez", "lose", -10_000),
        ("panda_8", "Kh 3d 5h", "2c 5s", "ez", "panda_8", 250_000),
        ("panda_8", "Kh 8d", "2c 5s", "ez", "lose", -10_000),
        ("banker", "Kh 2d 3h", "Kc 6s", "half_on_6", "banker_6", 5_000),
        ("banker", "Kh 6d", "2c 5s", "half_on_6", "banker", 10_000),
        ("tie", "Kh 7d", "2c 5s", "commission", "tie", 80_000),
        ("tie", "Kh 6d", "2c 5s", "commission", "lose", -10_000),
        ("player_pair", "7h 7d 2s", "2c 5s", "commission", "player_pair", 110_000),
        ("player_pair", "3h 3d", "2c 5s", "commission", "player_pair", 110_000),
        ("player_pair", "Kh 6d", "2c 5s", "commission", "lose", -10_000),
        ("player_pair", "Kh Qd 6c", "2c 5s", "commission", "lose", -10_000),
        ("banker_pair", "Kh 6d", "Qc Qs 7h", "commission", "banker_pair", 110_000),
        ("either_pair", "3h 3d", "Qc Qs 7h", "commission", "either_pair", 50_000),
        ("either_pair", "Kh 6d", "2c 5s", "commission", "lose", -10_000),
        ("dragon_player", "Kh 9d", "2c 6s", "commission", "natural", 10_000),
        ("dragon_player", "Kh 9d", "4c 5s", "commission", "push", 0),
        ("dragon_player", "Kh 8d", "4c 5s", "commission", "lose", -10_000),
        ("dragon_player", "4h 5c", "Kd Qs", "commission", "natural", 10_000),
        ("dragon_banker", "Kh Qd Jc", "Kd Qs 9h", "commission", "by_9", 300_000),
        ("dragon_player", "Kh 2d 7c", "Kd 3s 8h", "commission", "by_8", 100_000),
        ("dragon_player", "Kh 6d", "2c 3s 5h", "commission", "by_6", 40_000),
        ("dragon_player", "Kh 6d", "2c 5s", "commission", "lose", -10_000),
        ("dragon_banker", "Kh 6d", "2c 5s", "commission", "lose", -10_000),
    ],
)
def test_a_coup_pays_what_its_table_says(
    bet: str, player: str, banker: str, paytable: str, category: str, payout_cents: int
) -> None:
    case = coup(bet, player, banker, paytable)
    verdict = settle(case)
    assert (verdict.category, verdict.payout_cents) == (category, payout_cents)
    assert verdict.stake_returned is (payout_cents >= 0)
    assert verdict.rule == f"baccarat.{bet}"


def test_the_sentence_and_the_proof() -> None:
    verdict = settle(coup("banker", "Kh 6d", "2c 3s 2h", "ez"))
    assert verdict.working == (
        "Player 6, banker 7. Banker pushes, EZ, no commission. $100 is a push."
    )
    assert verdict.detail["proof"] == [
        "Player: Kh 6d is 6.",
        "Banker: 2c 3s is 5.",
        "Player stands on 6.",
        "Banker draws on 5: 2h, 2, makes 7.",
        "Player 6, banker 7.",
    ]
    lost = settle(coup("player", "Kh 6d", "2c 5s"))
    assert lost.working == "Player 6, banker 7. Player loses. $100 is taken."
    natural = settle(coup("player", "Kh 9d", "2c 5s"))
    assert natural.detail["proof"][-1] == "A natural: no one draws."


def test_a_commission_of_less_than_a_cent_is_rounded_as_the_house_says() -> None:
    verdict = settle(coup("banker", "Kh 6d", "2c 5s", stake_cents=10))
    assert (verdict.payout_cents, verdict.readings) == (9, ("R03",))
    up: dict[str, Any] = {"options": {"fractions_of_a_cent": "up"}}
    assert settle(coup("banker", "Kh 6d", "2c 5s", stake_cents=10, **up)).payout_cents == 10


@pytest.mark.parametrize(
    ("case", "code"),
    [
        (coup("dragon_7", "Kh 6d", "2c 5s"), "bet_not_offered"),
        (coup("super_6", "Kh 6d", "2c 5s"), "unknown_bet"),
        (coup("banker", "Kh 6d", "2c 5s", "free"), "unknown_paytable"),
        (coup("banker", "Kh 6d", "2c 5s", squeeze=True), "unknown_field"),
    ],
)
def test_a_bet_that_the_table_has_not_is_refused(case: dict[str, Any], code: str) -> None:
    assert settle_case(case)["error"]["code"] == code


# ------------------------------------------------------------------ odds

# Published to so many digits for a full shoe: what the house keeps, in percent.
PUBLISHED = {
    (8, "commission", "banker"): "1.0579",
    (8, "commission", "player"): "1.2351",
    (8, "commission", "tie"): "14.3596",
    (6, "commission", "banker"): "1.0558",
    (6, "commission", "player"): "1.2374",
    (6, "commission", "tie"): "14.4382",
    (8, "ez", "banker"): "1.0183",
    (8, "ez", "dragon_7"): "7.6113",
    (8, "half_on_6", "banker"): "1.4581",
    (8, "commission", "dragon_player"): "2.6517",
    (8, "commission", "dragon_banker"): "9.3731",
    (8, "commission", "player_pair"): "10.3614",
}


@pytest.mark.parametrize(("asked", "percent"), PUBLISHED.items())
def test_the_edges_are_those_that_are_published(asked: tuple[int, str, str], percent: str) -> None:
    decks, paytable, bet = asked
    case = {"wager": "baccarat", "paytable": paytable, "decks": decks, "extra": {"bet": bet}}
    assert f"{float(odds_of(case).edge) * 100:.4f}" == percent


def second_opinion() -> dict[Coup, Fraction]:
    """Deal every order of six cards of one deck by what they count, card after card."""
    left = {0: 16, **dict.fromkeys(range(1, 10), 4)}
    found: dict[Coup, Fraction] = defaultdict(Fraction)

    def deal(dealt: tuple[int, ...], chance: Fraction) -> None:
        if len(dealt) < 4:
            follow(dealt, chance)
            return
        player, banker = (dealt[0] + dealt[2]) % 10, (dealt[1] + dealt[3]) % 10
        third = dealt[4] if len(dealt) > 4 else None
        if player_draws(player, banker) and third is None:
            follow(dealt, chance)
            return
        if player_draws(player, banker):
            assert third is not None
            final, drawn = (player + third) % 10, 5
        else:
            final, drawn, third = player, 4, None
        if not banker_draws(player, banker, third):
            found[Coup(final, banker, drawn - 2, 2)] += chance
        elif len(dealt) == drawn:
            follow(dealt, chance)
        else:
            found[Coup(final, (banker + dealt[drawn]) % 10, drawn - 2, 3)] += chance

    def follow(dealt: tuple[int, ...], chance: Fraction) -> None:
        for value in range(10):
            have = left[value] - dealt.count(value)
            if have:
                deal((*dealt, value), chance * have / (52 - len(dealt)))

    deal((), Fraction(1))
    return found


def test_the_enumeration_agrees_with_dealing_every_card_of_one_deck() -> None:
    assert second_opinion() == dict(outcomes(1))


def test_pairs_are_counted_as_a_second_opinion_counts_them() -> None:
    ranks = 4 * 2
    cards = 52 * 2
    assert pair_chance(2) == Fraction(13 * ranks * (ranks - 1), cards * (cards - 1))
    both = Fraction(0)
    for one, other in product(range(13), repeat=2):
        second = ranks - 2 if one == other else ranks
        ways = ranks * (ranks - 1) * second * (second - 1)
        both += Fraction(ways, cards * (cards - 1) * (cards - 2) * (cards - 3))
    assert both_pairs_chance(2) == both


@pytest.mark.parametrize("paytable", STYLES)
@pytest.mark.parametrize("decks", [6, 8])
def test_the_rows_of_every_bet_come_to_one(paytable: str, decks: int) -> None:
    for bet in STYLES[paytable].bets:
        case = {"wager": "baccarat", "paytable": paytable, "decks": decks, "extra": {"bet": bet}}
        found = odds_of(case)
        assert sum(row.probability for row in found.rows.values()) == 1
        assert 0 < found.edge < Fraction(1, 4)
        assert answer(case)["warnings"] == []


@pytest.mark.parametrize("decks", [0, 9, "8", None, True])
def test_odds_are_of_a_shoe_that_there_is(decks: object) -> None:
    with pytest.raises(Refused, match="decks must be"):
        odds_of(
            {"wager": "baccarat", "paytable": "commission", "decks": decks, "extra": {"bet": "tie"}}
        )


def dealt(cards: list[str]) -> tuple[list[str], list[str]]:
    """Deal a coup off the top, by the table."""
    worth = [CARDS[card].value % 10 for card in cards]
    player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
    first, other = (worth[0] + worth[2]) % 10, (worth[1] + worth[3]) % 10
    third, top = None, 4
    if player_draws(first, other):
        player.append(cards[top])
        third, top = worth[top], 5
    if banker_draws(first, other, third):
        banker.append(cards[top])
    return player, banker


@given(
    st.lists(st.sampled_from(sorted(CARDS)), min_size=6, max_size=6),
    st.sampled_from([(key, bet) for key, style in STYLES.items() for bet in sorted(style.bets)]),
    st.integers(1, 1_000_000).map(lambda dollars: dollars * 100),
)
def test_whatever_is_dealt_is_settled_once(
    cards: list[str], asked: tuple[str, str], stake_cents: int
) -> None:
    paytable, bet = asked
    player, banker = dealt(cards)
    verdict = settle(
        coup(bet, " ".join(player), " ".join(banker), paytable, stake_cents=stake_cents)
    )
    assert -stake_cents <= verdict.payout_cents <= 40 * stake_cents
    assert (verdict.payout_cents < 0) == (verdict.category == "lose")
    assert verdict.detail["proof"][0].startswith("Player: ")


def test_the_game_names_a_rule_for_every_bet() -> None:
    assert set(GAME.bets) == set().union(*(style.bets for style in STYLES.values()))
