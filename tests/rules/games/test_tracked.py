"""Games without rules here: set up like the others, and never judged."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from pitboss.rules.baccarat.game import GAME
from pitboss.rules.floor.acknowledging import is_notice
from pitboss.rules.games.printed import GAMES
from pitboss.rules.games.setup_form import rows_keyed
from pitboss.rules.games.table_setup import (
    CardProfile,
    TableSetup,
    keyed_setup,
    profiles_of,
    read_setup,
    stored_setup,
    verified_by,
)
from pitboss.rules.games.tracked import TABLE_GAMES, TRACKED_GAMES, has_cards, is_tracked
from pitboss.rules.payouts.check import TableNow, TableTerms, check_payout
from pitboss.rules.payouts.claims import read_claim
from pitboss.rules.payouts.levels import LevelTerms
from pitboss.rules.payouts.outcome import outcome_sentence
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Role, may_grant, naming_refusals
from pitboss.rules.rounds.felt import plays_of
from pitboss.rules.settings.floor import STRICT
from pitboss.rules.settings.in_force import SettingsInForce

RO_1 = {"name": "RO-1", "pit": "Pit 1", "minimum": "15", "maximum": "2,000"}

GAME_BY_ONE_BET = replace(GAME, main_bet="")


def set_up(game: str, **asked: str) -> TableSetup:
    return read_setup({**RO_1, "game": game, **asked})


@pytest.mark.parametrize("game", TRACKED_GAMES.values(), ids=list(TRACKED_GAMES))
def test_each_is_set_up_with_its_cards_alone(game: object) -> None:
    named = next(tracked_game for tracked_game in TRACKED_GAMES.values() if tracked_game is game)
    fields = {"cards": "shuffler"} if has_cards(named) else {}
    if len(named.decks) > 1:
        fields["decks"] = str(named.decks[-1])
    setup = set_up(named.id, **fields)
    assert setup.cards is (CardProfile.SHUFFLER if has_cards(named) else CardProfile.NONE)
    assert setup.decks in named.decks
    assert setup.words()["Game"] == f"{named.name}, tracked without verdicts"
    assert setup.term_words() == {"VIP": "no"}
    assert stored_setup(setup.stored()) == setup
    assert set_up(named.id, **fields, is_vip="yes").term_words() == {"VIP": "yes"}
    assert read_setup(keyed_setup(setup.stored())) == setup
    assert TableTerms.of(setup.rules()).paytables == {}
    assert plays_of(setup.rules()) == []


def test_a_game_of_cards_is_shuffled_somehow_and_a_wheel_is_not() -> None:
    assert profiles_of(TABLE_GAMES["roulette"]) == (CardProfile.NONE,)
    assert profiles_of(TABLE_GAMES["classic"]) == tuple(CardProfile)
    with pytest.raises(Refused) as refused:
        set_up("baccarat", cards="shuffler")
    assert refused.value.codes == ("choice_unknown",), "six decks or eight"


def test_no_game_of_the_manual_is_tracked() -> None:
    assert not any(is_tracked(game) for game in GAMES.values())
    assert set(TABLE_GAMES) == {*GAMES, *TRACKED_GAMES}


@pytest.mark.parametrize("wager", ["roulette", "blackjack"])
def test_a103_a_payout_there_cannot_be_verified(wager: str) -> None:
    terms = TableTerms.of(set_up("roulette").rules())
    now = TableNow(terms, {2_500: 100}, date(2026, 5, 1))
    claim = read_claim({"wager": wager, "stake_cents": 500, "paid_cents": 17_500})
    found = check_payout(claim, now)
    assert (found.verdict.value, [reason.code for reason in found.reasons]) == (
        "cannot_verify",
        ["no_rules_for_game"],
    )


def test_baccarat_is_judged_by_ranks_and_the_pay_table_of_the_table() -> None:
    setup = set_up("baccarat", decks="8", blackjack_pays="ez", cards="none")
    assert setup.words()["Game"] == "Baccarat, EZ, no commission"
    assert setup.term_words()["Pay table"] == "EZ, no commission"
    now = TableNow(TableTerms.of(setup.rules()), {10_000: 100}, date(2026, 5, 1))
    coup = {
        "wager": "baccarat",
        "stake_cents": 10_000,
        "player_cards": ["K", "6"],
        "dealer_cards": ["2", "5"],
        "extra": {"bet": "banker"},
        "paid_cents": 10_000,
    }
    right = check_payout(read_claim(coup), now)
    assert (right.verdict.value, right.settlement and right.settlement.rule) == (
        "right",
        "baccarat.banker",
    )
    # Its working is the words of the game itself.
    assert outcome_sentence(read_claim(coup), right) == right.working
    drawn = {**coup, "dealer_cards": ["2", "5", "9"]}
    assert check_payout(read_claim(drawn), now).verdict.value == "cannot_verify"
    other = read_claim({**coup, "wager": "roulette"})
    assert [reason.code for reason in check_payout(other, now).reasons] == ["wager_not_offered"]


def test_long_odds_of_a_module_are_confirmed_by_surveillance() -> None:
    setup = set_up("roulette", blackjack_pays="single_zero")
    levels = LevelTerms(long_odds_from=30)
    now = TableNow(TableTerms.of(setup.rules()), {10_000: 100}, date(2026, 5, 1), levels=levels)
    straight = {"bet": "straight", "numbers": ["0"], "result": "0"}
    bet = {"wager": "roulette", "stake_cents": 1_500, "paid_cents": 52_500, "extra": straight}
    codes = [approval.code for approval in check_payout(read_claim(bet), now).approvals]
    assert "long_odds" in codes
    red = {**bet, "extra": {"bet": "red", "result": "1"}, "paid_cents": 1_500}
    assert not check_payout(read_claim(red), now).approvals


def test_the_set_up_says_how_payouts_of_other_games_are_verified() -> None:
    assert list(verified_by(TABLE_GAMES["craps"])) == ["tracked"]
    assert verified_by(TABLE_GAMES["baccarat"])["ez"].startswith("EZ, no commission, banker 1.02%")
    assert GAME_BY_ONE_BET.compared_by.id == "player"
    with pytest.raises(Refused) as refused:
        set_up("roulette", blackjack_pays="triple_zero")
    assert refused.value.codes == ("choice_unknown",)


def test_a_wager_of_no_game_is_unknown() -> None:
    with pytest.raises(Refused) as refused:
        read_claim({"wager": "keno", "stake_cents": 500, "paid_cents": 0})
    assert refused.value.codes == ("unknown_wager",)


# ------------------------------------------------------------------ rows of a pay table


def test_rows_are_chosen_one_by_one_or_kept_a_line_each() -> None:
    chosen = {"bet_trilux_row1": "flush", "bet_trilux_odds1": "5:1", "bet_trilux_odds2": "3:1"}
    assert rows_keyed("trilux", chosen) == [("flush", "5:1"), ("", "3:1")]
    kept = {"bet_trilux_rows": "straight flush 9:1\n\nflush 5:1"}
    assert rows_keyed("trilux", kept) == [("straight_flush", "9:1"), ("flush", "5:1")]


# ------------------------------------------------------------------ who opens, and who acts


def test_a105_the_house_says_whether_a_table_with_a_variance_waits() -> None:
    settings = SettingsInForce({"count.report_due": 4, "count.open_alone_to": 5_000})
    terms = settings.variance_terms(settings.tolerance)
    assert (terms.is_strict, terms.report_due) == (False, timedelta(hours=4))
    assert not terms.is_authorized(-5_000)
    strict = SettingsInForce({"count.open_with_variance": STRICT})
    assert strict.variance_terms(strict.tolerance).is_authorized(0)


def test_a105_a_variance_is_a_notice_only_where_it_says_so() -> None:
    assert is_notice("variance_security", {"is_notice": True})
    assert not is_notice("variance_security", {"is_notice": False})
    assert not is_notice("count_differs", {"is_notice": True})
    assert is_notice("badge_locked", {})


@pytest.mark.parametrize(
    ("granter", "person", "role", "may"),
    [
        (Role.PIT_MANAGER, Role.DEALER, Role.SUPERVISOR, True),
        (Role.PIT_MANAGER, Role.SUPERVISOR, Role.DEALER, True),
        (Role.PIT_MANAGER, Role.SUPERVISOR, Role.PIT_MANAGER, False),
        (Role.PIT_MANAGER, Role.CASHIER, Role.CAGE_MANAGER, False),
        (Role.SHIFT_MANAGER, Role.SUPERVISOR, Role.PIT_MANAGER, True),
        (Role.SHIFT_MANAGER, Role.CASHIER, Role.CAGE_MANAGER, True),
        (Role.SHIFT_MANAGER, Role.SURVEILLANCE, Role.SURVEILLANCE_MANAGER, False),
        (Role.SURVEILLANCE_MANAGER, Role.SURVEILLANCE, Role.SURVEILLANCE_MANAGER, True),
        (Role.SUPERVISOR, Role.DEALER, Role.SUPERVISOR, False),
    ],
)
def test_a106_rank_is_granted_within_reach(
    granter: Role, person: Role, role: Role, may: bool
) -> None:
    assert may_grant(granter, person, role) is may


def test_a107_two_departments_name_an_acting_shift_manager() -> None:
    assert naming_refusals(Role.SECURITY_MANAGER, Role.CAGE_MANAGER) == []
    (refusal,) = naming_refusals(Role.SURVEILLANCE_MANAGER, Role.SURVEILLANCE_MANAGER)
    assert refusal.code == "same_department"
