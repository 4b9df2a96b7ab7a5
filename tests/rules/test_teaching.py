"""Job cards: each table has those of its own game, decks and shuffler."""

from __future__ import annotations

from datetime import date

import pytest

from pitboss.rules.book.teaching import (
    Job,
    JobCard,
    TaughtAt,
    cards_for,
    cards_of,
    cut_of,
    has_strategy,
)
from pitboss.rules.floor.book import FLOOR_KINDS
from pitboss.rules.floor.log import Ground
from pitboss.rules.games.printed import GAMES
from pitboss.rules.games.table_setup import CardProfile
from pitboss.rules.settings.in_force import SettingsInForce


def card(job: Job, game: str = "classic", decks: int = 6, cards: str = "shuffler") -> JobCard:
    at = TaughtAt(GAMES[game], decks, CardProfile(cards))
    (found,) = cards_of(at, (job,))
    return found


def words(job: Job, *at: str) -> str:
    game, cards = (
        (*at, "classic", "shuffler")[:2] if len(at) == 2 else ((*at, "classic")[0], "shuffler")
    )
    return " ".join(card(job, game, cards=cards).lines)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("cards", CardProfile)
def test_every_table_has_each_card_once_and_says_where_it_comes_from(
    game: str, cards: CardProfile
) -> None:
    found = cards_for(TaughtAt(GAMES[game], 6, cards))
    assert len({each.job for each in found}) == len(found)
    assert all("line" in str(each.source) for each in found)
    assert all(line.endswith((".", "”.")) for each in found for line in each.lines)
    assert bool(found) == (cards is not CardProfile.NONE)


def test_the_regulation_shuffle_is_taught_where_cards_are_shuffled_by_hand() -> None:
    by_hand = words(Job.SHUFFLE, "classic", "hand")
    for step in ("Slug", "two equal stacks", "180 degrees", "Riffle", "strip", "Rolling"):
        assert step in by_hand
    assert "do nothing else until the shuffle is over" in by_hand
    assert "Riffle" not in words(Job.SHUFFLE)
    assert "face up" in words(Job.SHUFFLE, "classic", "continuous")


def test_the_wash_takes_eight_rotations_and_nobody_sits() -> None:
    assert "at least 8 rotations" in words(Job.WASH)
    assert "No player is seated" in words(Job.WASH)


def test_cards_are_cut_as_deep_as_the_game_says() -> None:
    assert (cut_of(GAMES["classic"], 8).player, cut_of(GAMES["classic"], 8).back) == (
        "one deck",
        "1.5 to 2 decks",
    )
    for step in ("clockwise", "left hand", "load them without showing", "Never bang"):
        assert step in words(Job.CUT)
    assert "20 cards" in words(Job.CUT, "double_deck")
    assert "half a deck" in words(Job.CUT, "double_deck")
    assert "about one deck" in words(Job.CUT, "bet_bigger")
    assert "supervisor orders" in " ".join(card(Job.CUT, decks=2).lines)


def test_the_burn_card_is_shown_on_request_but_not_on_double_deck() -> None:
    assert "if a player asks" in words(Job.BURN)
    assert "Never show the burn card" in words(Job.BURN, "double_deck")


def test_a_dead_game_is_spread_unless_a_continuous_shuffler_keeps_the_cards() -> None:
    assert "shuffle by hand" in words(Job.DEAD_GAME)
    for game in ("double_deck", "blazing_7s"):
        assert "shuffle by hand" not in words(Job.DEAD_GAME, game)
    assert "Nothing is spread" in words(Job.DEAD_GAME, "classic", "continuous")


def test_bills_the_tray_the_shoe_and_tokes_are_taught_everywhere() -> None:
    assert "rows of four" in words(Job.BILLS)
    assert "$2,500 in $100" in words(Job.BILLS)
    for rule in ("outside tubes in", "Space grey", "No lammers", "with one hand only"):
        assert rule in words(Job.TRAY)
    assert "lammer off black" in words(Job.TAP_OUT)
    assert "without its chain" in words(Job.SHOE)
    assert "cheques play" in words(Job.PROTECTION)
    assert "every color" in words(Job.TOKES)


def test_the_games_own_particulars_are_taught_there_alone() -> None:
    assert "split once" in words(Job.DOUBLE_DECK, "double_deck")
    assert "machine only" in words(Job.BLAZING, "blazing_7s")
    jobs = {each.job for each in cards_for(TaughtAt(GAMES["classic"], 6, CardProfile.SHUFFLER))}
    assert not jobs & {Job.DOUBLE_DECK, Job.BLAZING}


def test_strategy_for_one_dealer_card_is_not_taught_where_both_are_seen() -> None:
    taught = card(Job.FUNDAMENTALS).lines
    for line, about in zip(taught, ("eights", "fives", "10 or 11", "17", "bust"), strict=True):
        assert about in line
    assert not has_strategy(GAMES["face_up"])
    at = TaughtAt(GAMES["face_up"], 6, CardProfile.SHUFFLER)
    assert cards_of(at, (Job.FUNDAMENTALS,)) == ()


def test_irregularities_are_those_of_the_game() -> None:
    assert len(card(Job.IRREGULAR, "blazing_7s").lines) >= len(card(Job.IRREGULAR, "face_up").lines)
    assert "No dealer decides" in words(Job.IRREGULAR)


def test_an_approval_has_the_card_of_its_job() -> None:
    taught = {code: kind.teaches for code, kind in FLOOR_KINDS.items() if kind.teaches}
    assert taught["buy_in"] == (Job.BILLS,)
    assert taught["dealer_cut"] == (Job.CUT,)
    assert taught["dead_spread"] == (Job.DEAD_GAME,)
    assert taught["irregular_too_few_cards"] == (Job.IRREGULAR,)


def test_what_is_taught_goes_by_the_game_the_shoe_and_the_shuffle_of_a_table() -> None:
    ground = Ground("BJ-11", True, 2_500, date(2026, 5, 1), SettingsInForce({}), decks=8)
    assert ground.taught_at == TaughtAt(GAMES["classic"], 8, CardProfile.SHUFFLER)
