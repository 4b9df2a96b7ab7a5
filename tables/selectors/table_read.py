"""A table as its terminal reads it: the game, its rules and pay tables, who deals, what is open."""

from __future__ import annotations

from typing import Any

from pitboss.models import FloorException
from pitboss.rules.cheques.cheques import BY_CENTS
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.games.games import spoken
from pitboss.rules.games.tracked import module_of
from pitboss.rules.payouts.check import TableTerms
from pitboss.rules.payouts.jackpots import is_entered
from pitboss.rules.paytables.pays import PayTable
from pitboss.rules.rounds.felt import LOST_BY_BUST, plays_of
from pitboss.rules.rounds.wagers import SIDE_BET_ORDER
from pitboss.rules.said import Said
from pitboss.rules.wagers.extras import FIELDS
from pitboss.rules.wagers.wager_cards import cards_of
from pitboss.rules.wagers.working import row_words
from pitboss.services import house
from pitboss.services.pads import attested_by, attested_first
from tables.models import Dealing, Round
from tables.selectors.live_changes import coming_words
from tables.services.calls import SUPERVISOR_CALLED
from tables.services.floor_log import closing_notice_of
from tables.services.in_force import meters_of, settings_of, terms_of
from tables.services.live_changes import coming_at
from tables.services.terminals import Terminal

# What is paid last, once the dealer has played.
_AFTER_DEALER = "raise_the_roof"


def attests_at(table: str) -> dict[str, dict[str, str]]:
    """Return what a dealer attests at a terminal, by act and language."""
    acts = {
        "tap_in": attested_by("tap_in", table=table),
        "tap_out": attested_by("tap_out", table=table),
        # Kinds of the app above this one: whether there are such bets, the table's wagers say.
        "jackpot": attested_first(FLOWS["jackpot"]),
        "big_win": attested_first(FLOWS["big_win"]),
    }
    return {act: attests.in_each() for act, attests in acts.items()}


def read_table(terminal: Terminal) -> dict[str, Any]:
    """Return what a terminal shows of its table. Never what the tray holds: counts are blind.

    Raises Refused where the table is set up against its own game.
    """
    table, now = terminal.table, house.now()
    in_force = settings_of(terminal, now)
    terms = terms_of(terminal, in_force)
    rules = terms.rules
    dealing = Dealing.objects.filter(table=table, ended_at=None).select_related("dealer").first()
    call = FloorException.objects.filter(
        code=SUPERVISOR_CALLED, table=table, resolved_at=None
    ).first()
    closing = closing_notice_of(table)
    coming = coming_at(table, now)
    return {
        "table": table.name,
        "terminal": terminal.device.name,
        "is_open": table.is_open,
        "game": {"id": rules.game.id, "name": rules.game.name},
        "decks": rules.decks,
        "soft_17": rules.soft_17,
        "blackjack_pays": rules.blackjack_pays,
        "minimum_cents": rules.minimum_cents,
        "maximum_cents": rules.maximum_cents,
        "coming": None
        if coming is None
        else {
            "minimum_cents": coming.slip.details["is"]["minimum_cents"],
            "maximum_cents": coming.slip.details["is"]["maximum_cents"],
            "from_at": coming.from_at.isoformat() if coming.from_at else None,
            "words": coming_words(coming),
        },
        "kept": [
            {"seat": seat, "minimum_cents": least, "maximum_cents": most}
            for seat, (least, most) in sorted(rules.kept.items())
        ],
        "attests": attests_at(table.name),
        "options": dict(terms.options),
        "wagers": wagers_of(terms),
        "plays": plays_of(rules),
        "felt": {
            "shows": in_force["felt.shows"],
            "must_check": in_force["felt.must_check"],
            "lost_by_bust": list(LOST_BY_BUST),
        },
        "cheques": [
            {
                "cents": denomination.key,
                "face": denomination.label,
                "colour": denomination.colour,
                "letters": denomination.mark,
                "spots": denomination.spots,
            }
            for denomination in map(BY_CENTS.__getitem__, in_force.cheques.bet_at(table.name))
        ],
        "meters": meters_of(table),
        "dealer": None
        if dealing is None
        else {
            "badge": dealing.dealer.badge,
            "name": str(dealing.dealer),
            "since": dealing.began_at.isoformat(),
        },
        "closing_after_shoe_since": closing.at.isoformat() if closing else None,
        "round": Round.objects.filter(table=table, ended_at=None)
        .values_list("pk", flat=True)
        .first(),
        "supervisor_called_since": call.opened_at.isoformat() if call else None,
        "at": now.isoformat(),
    }


def wagers_of(terms: TableTerms) -> list[dict[str, Any]]:
    """Return the wagers of a table, their limits and what they pay, in the order of paying."""
    return [_wager(terms, wager) for wager in _in_order_of_paying(terms)]


def _in_order_of_paying(terms: TableTerms) -> list[str]:
    """Return the wagers as the dealer settles them: side bets, the main bets, then the roof."""
    wagers = list(terms.paytables)
    last = len(SIDE_BET_ORDER)

    def place(wager: str) -> tuple[int, int]:
        if wager == _AFTER_DEALER:
            return 2, 0
        return (0, SIDE_BET_ORDER[wager]) if wager in SIDE_BET_ORDER else (1, last)

    return sorted(wagers, key=place)


def _wager(terms: TableTerms, wager: str) -> dict[str, Any]:
    offer = terms.rules.side_bets.get(wager)
    table, cards = terms.paytables[wager], cards_of(wager)
    return {
        "wager": wager,
        "name": spoken(wager),
        "is_side_bet": offer is not None,
        "minimum_cents": offer.minimum_cents if offer else terms.rules.minimum_cents,
        "maximum_cents": terms.maximum_cents(wager),
        "stakes_cents": list(table.stakes_cents),
        "cards": {
            "player_least": cards.player[0],
            "player_most": cards.player[1],
            "dealer_least": cards.dealer[0],
            "dealer_most": cards.dealer[1],
            "dealer_field": cards.dealer_field,
        },
        "bets": _bets(terms, wager),
        "has_result": any(field.name == "result" for field in FIELDS[wager]),
        "paytable": _paytable(table),
    }


def _bets(terms: TableTerms, wager: str) -> list[dict[str, Any]]:
    """Return the bets among which a wager chooses: those of a game that is a module."""
    module = module_of(terms.rules)
    if module is None or module.id != wager:
        return []
    return [
        {
            "bet": bet_rule.id,
            "name": bet_rule.name,
            "numbers": bet_rule.numbers,
            "which": bet_rule.which,
        }
        for bet_rule in module.offered(terms.rules.blackjack_pays)
    ]


def _paytable(table: PayTable) -> dict[str, Any]:
    return {
        "id": table.id,
        "name": table.name,
        "version": table.version,
        "printed_in": str(table.source),
        "rows": [
            {
                "row": row,
                "name": Said(row_words(row)),
                "pays": pay.said,
                "envy_cents": table.envy_cents.get(row, 0),
                "is_jackpot": is_entered(table, row),
            }
            for row, pay in table.pays.items()
        ],
    }
