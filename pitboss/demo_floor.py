"""The demo's tables: each set up by two of its managers, over all seven games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pitboss.demo import demo_device, demo_pen, demo_person
from pitboss.kinds.setting import SETTING_KIND
from pitboss.kinds.table_change import TABLE_SETUP
from pitboss.rules.games.printed import GAMES
from pitboss.rules.games.setup_form import AUTO_STANDS, HOUSE_TABLE
from pitboss.rules.games.table_setup import is_stadium
from pitboss.rules.roles import Place, Role
from pitboss.services.shown import slip_shown
from pitboss.services.signing import sign
from pitboss.slips.raising import raise_kind, shown_before

# A tray's cheques by the table's minimum, in cents: what the tray should hold.
_PAR = {
    500: {100_000: 10, 50_000: 20, 10_000: 60, 2_500: 160, 500: 240, 250: 40, 100: 100},
    2_500: {100_000: 20, 50_000: 40, 10_000: 100, 2_500: 240, 500: 200, 250: 40, 100: 40},
    10_000: {500_000: 8, 100_000: 60, 50_000: 60, 10_000: 200, 2_500: 160, 500: 60},
}
# The side bets of each game, with the pay table that the demo takes. Face Up prints none for its
# bonus bets: these rows are the demo's own.
_BETS = {
    "classic": {"trilux": "MANUAL-9"},
    "double_deck": {"trilux": "DD-5:2"},
    "blazing_7s": {"blazing_7s": "A", "trilux": "MANUAL-9", "super_3": "1"},
    "bet_bigger": {"match_the_dealer": "A", "lucky_ladies": "A"},
    "raise_the_roof": {"raise_the_roof": "H17_6_8_A"},
    "face_up": {
        "two_card_bonus": "suited blackjack 15:1\nsuited pair 15:1\npair 6:1\nroyal match 5:1",
        "four_card_bonus": "four of a kind 50:1\nstraight flush 40:1\nthree of a kind 7:1\n"
        "two pair 6:1\nstraight 4:1\nflush 4:1\npair 1:2",
    },
    "stadium": {"trilux": "TRI-01", "royal_match_21": "A"},
}


# What a dealer and a supervisor cost an hour.
_LABOR = {"labor.dealer": "24", "labor.supervisor": "38"}


class _Table(NamedTuple):
    name: str
    game: str
    decks: int
    minimum_cents: int
    maximum_cents: int
    cards: str = "shuffler"


_PITS = {
    "Pit 1": (
        _Table("BJ-11", "classic", 6, 1_500, 100_000),
        _Table("BJ-12", "classic", 6, 1_500, 100_000, "continuous"),
        _Table("BJ-13", "classic", 8, 2_500, 200_000),
        _Table("BJ-14", "double_deck", 2, 5_000, 500_000),
        _Table("BJ-15", "blazing_7s", 6, 1_500, 100_000),
        _Table("BJ-16", "blazing_7s", 6, 1_500, 100_000, "continuous"),
        _Table("BJ-17", "bet_bigger", 6, 500, 1_000),
        _Table("BJ-18", "bet_bigger", 6, 500, 1_000),
        _Table("BJ-19", "raise_the_roof", 6, 1_500, 100_000),
        _Table("BJ-20", "raise_the_roof", 8, 2_500, 100_000),
        _Table("BJ-21", "face_up", 6, 2_500, 100_000),
        _Table("BJ-22", "stadium", 8, 1_000, 50_000, "none"),
    ),
    "Pit 2": (
        _Table("BJ-31", "classic", 6, 2_500, 300_000),
        _Table("BJ-32", "classic", 6, 2_500, 300_000, "continuous"),
        _Table("BJ-33", "classic", 8, 2_500, 200_000),
        _Table("BJ-34", "classic", 8, 10_000, 1_000_000),
        _Table("BJ-35", "double_deck", 2, 5_000, 500_000),
        _Table("BJ-36", "double_deck", 2, 10_000, 1_000_000),
        _Table("BJ-37", "blazing_7s", 6, 2_500, 200_000),
        _Table("BJ-38", "raise_the_roof", 2, 2_500, 100_000),
        _Table("BJ-39", "face_up", 6, 2_500, 100_000),
        _Table("BJ-40", "bet_bigger", 6, 500, 1_000),
        _Table("BJ-41", "classic", 6, 2_500, 300_000, "hand"),
        _Table("BJ-42", "stadium", 8, 1_000, 50_000, "none"),
    ),
}


def set_up_tables() -> None:
    """Let a pit manager propose each table, and a shift manager approve it."""
    office = demo_device(Place.OFFICE)
    for which, (pit, tables) in enumerate(_PITS.items()):
        proposer = demo_person(Role.PIT_MANAGER, which)
        approver = demo_person(Role.SHIFT_MANAGER, which)
        for table in tables:
            raising = TABLE_SETUP.at(set=_setup(table, pit))
            slip = raise_kind(
                raising,
                reason="The floor of this season, as filed.",
                pen=demo_pen(proposer, office),
                shown=shown_before(raising),
            )
            sign(
                slip_id=slip.pk,
                step="approved",
                pen=demo_pen(approver, office),
                shown=slip_shown(slip),
            )


def say_what_labor_costs() -> None:
    """Let two managers enter it: without it the yield view shows no net."""
    decide_settings(_LABOR, reason="What an hour of a table costs.")


def decide_settings(values: Mapping[str, str], *, reason: str) -> None:
    """Let a pit manager propose settings, and a shift manager approve each."""
    office = demo_device(Place.OFFICE)
    for key, keyed in values.items():
        raising = SETTING_KIND.at(key=key, value=keyed)
        slip = raise_kind(
            raising,
            reason=reason,
            pen=demo_pen(demo_person(Role.PIT_MANAGER), office),
            shown=shown_before(raising),
        )
        sign(
            slip_id=slip.pk,
            step="approved",
            pen=demo_pen(demo_person(Role.SHIFT_MANAGER), office),
            shown=slip_shown(slip),
        )


def _setup(table: _Table, pit: str) -> dict[str, str]:
    game = GAMES[table.game]
    keyed = {
        "name": table.name,
        "pit": pit,
        "game": game.id,
        "decks": str(table.decks),
        "soft_17": game.soft_17[0],
        "blackjack_pays": game.blackjack_pays[0],
        "minimum": str(table.minimum_cents // 100),
        "maximum": str(table.maximum_cents // 100),
        "cards": table.cards,
        **{f"par_{cents}": str(count) for cents, count in _par(table.minimum_cents).items()},
    }
    for wager, paytable in _BETS[game.id].items():
        is_own = "\n" in paytable
        keyed[f"bet_{wager}"] = HOUSE_TABLE if is_own else paytable
        keyed[f"bet_{wager}_rows"] = paytable if is_own else ""
    if game.id == "raise_the_roof" and table.decks == 2:
        keyed["bet_raise_the_roof"] = "H17_2_A"
    if is_stadium(game):
        keyed |= {"keep_standoff_bet": "disabled", "auto_stand": next(iter(AUTO_STANDS))}
    return keyed


def _par(minimum_cents: int) -> dict[int, int]:
    return next(par for least, par in sorted(_PAR.items(), reverse=True) if minimum_cents >= least)
