"""Settle any wager: one case in, one verdict out, or every reason why the case cannot be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pitboss.rules.games.game_modules import game_modules
from pitboss.rules.payouts.envy import add_envy
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refused, refuse
from pitboss.rules.stadium import stadium
from pitboss.rules.wagers import bet_bigger, blackjack, progressives, raise_the_roof, side_bets
from pitboss.rules.wagers.settlement import Settlement

SETTLERS: Final[Mapping[str, Callable[[Mapping[str, Any]], Settlement]]] = {
    "blackjack": blackjack.settle,
    "insurance": blackjack.settle_insurance,
    "free_bet_coupon": blackjack.settle_coupon,
    "bet_bigger": bet_bigger.settle,
    "raise_the_roof": raise_the_roof.settle,
    "bet_the_set_21": side_bets.settle,
    "royal_match_21": side_bets.settle,
    "trilux": side_bets.settle,
    "super_3": side_bets.settle,
    "match_the_dealer": side_bets.settle,
    "perfect_pair": side_bets.settle,
    "two_card_bonus": side_bets.settle,
    "four_card_bonus": side_bets.settle,
    "lucky_ladies": progressives.settle_lucky_ladies,
    "blazing_7s": progressives.settle_blazing_7s,
    "stadium_blackjack": stadium.settle,
}
WAGERS: Final = tuple(SETTLERS)

_INPUT: Final = frozenset(
    {
        "wager",
        "paytable",
        "stake_cents",
        "player_cards",
        "dealer_cards",
        "dealer_up",
        "extra",
    }
)
# A stored case may carry its name, remarks, and the answer it was once given: they decide nothing.
_REMARKS: Final = frozenset(
    {
        "id",
        "note",
        "why",
        "source",
        "reading",
        "reject",
        "category",
        "payout_cents",
        "stake_returned",
        "net_cents",
        "envy_cents",
        "alt_payout_cents",
        "rule",
        "working",
        "readings",
        "detail",
    }
)
_MAY_BE_LEFT_OUT: Final = frozenset({"dealer_cards", "dealer_up", "extra"})
_FIELDS: Final = _INPUT | _REMARKS
_KNOWN: Final = ", ".join(sorted(_INPUT))


def settle(case: Mapping[str, Any]) -> Settlement:
    """Return the verdict on one wager; raise `Refused` for a case that cannot be.

    >>> settle({"wager": "perfect_pair", "paytable": "A", "stake_cents": 500,
    ...         "player_cards": ["Tc", "Ts"]}).working
    'Pair of two suits (10♣ 10♠): Perfect Pair pays 10 to 1, table A. $5 wins $50.'
    """
    # The exact type is asked first: it is the common one, and asking is ten times as quick.
    if type(case) is not dict and not isinstance(case, Mapping):
        raise refuse("bad_case", "A case is an object with a wager, its cards and its stake.")
    if not case.keys() <= _FIELDS:
        unknown = next(name for name in case if name not in _FIELDS)
        raise refuse("unknown_field", f"A case has no field {quoted(unknown)}. Use: {_KNOWN}.")
    if None in case.values():
        # Many writers of JSON send null for what they leave out.
        case = {k: v for k, v in case.items() if v is not None or k not in _MAY_BE_LEFT_OUT}
    wager = case.get("wager")
    settler = SETTLERS.get(wager) if isinstance(wager, str) else None
    if settler is None:
        return _settle_in_a_module(wager, case)
    return add_envy(case, settler(case))


def _settle_in_a_module(wager: object, case: Mapping[str, Any]) -> Settlement:
    """Settle a bet of a game that is a module of its own. Raises Refused."""
    games = game_modules()
    if isinstance(wager, str) and wager in games:
        return games[wager].settle(case)
    known = ", ".join((*WAGERS, *games))
    raise refuse("unknown_wager", f"Wager {quoted(wager)} not found. Wagers: {known}.")


def settle_case(case: Any) -> dict[str, Any]:
    """Return the answer to one case as it is written on the wire. Never raises for a bad case.

    >>> settle_case({"wager": "keno"})["error"]["code"]
    'unknown_wager'
    """
    try:
        return dict(settle(case).as_answer())
    except Refused as refused:
        return refusal_answer(refused)


def refusal_answer(refused: Refused) -> dict[str, Any]:
    """Return a refusal as it is written on the wire: the first code, and every reason."""
    first = refused.refusals[0]
    error: dict[str, Any] = {"code": first.code, "message": str(refused)}
    if len(refused.refusals) > 1:
        error["reasons"] = [
            {"code": reason.code, "message": reason.message} for reason in refused.refusals
        ]
    return {"error": error}
