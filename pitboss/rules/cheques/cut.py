"""The `cut` question, as it comes over the wire: which cheques to hand over, from which tray.

JSON of any kind goes in; an answer or `{"error": {"code", "message"}}` comes out, never an
exception. The typed functions behind it are re-exported for the site.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pitboss.rules.cheques.buy_ins import cut_buy_in
from pitboss.rules.cheques.cheques import BY_CENTS, ordered, parse_cheques
from pitboss.rules.cheques.cutting import (
    Breakage,
    Cut,
    CutOptions,
    TrayShort,
    cut_converted_bet,
    cut_payout,
)
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.wagers.settle import refusal_answer

__all__ = [
    "Breakage",
    "Cut",
    "CutOptions",
    "TrayShort",
    "answer",
    "cut_buy_in",
    "cut_converted_bet",
    "cut_payout",
]


def answer(case: object) -> dict[str, Any]:
    """Cut one case; a case that cannot be is answered with its reasons.

    >>> case = {"amount_cents": 17_500, "tray": {"10000": 20, "2500": 60}, "bet": {"2500": 7},
    ...         "table_minimum_cents": 2_500}
    >>> answer(case)["cheques"], answer({**case, "colour_up": True})["cheques"]
    ({'2500': 7}, {'10000': 1, '2500': 3})
    >>> answer({"amount_cents": -1, "tray": {}})["error"]["code"]
    'bad_amount'
    """
    try:
        return _as_json(_cut(case))
    except TrayShort as short:
        return {**refusal_answer(short), "fill": _keyed(short.fill)}
    except Refused as refused:
        return refusal_answer(refused)


def _cut(case: object) -> Cut:
    if not isinstance(case, Mapping):
        raise refuse("bad_case", "A case is an object with amount_cents and tray.")
    reader = _Reader(case)
    amount_cents = reader.cents("amount_cents", required=True)
    tray = reader.cheques("tray", required=True)
    bet = reader.cheques("bet")
    table_minimum_cents = reader.cents("table_minimum_cents")
    colour_up = reader.colour_up()
    options = reader.options()
    is_buy_in = reader.flag("buy_in")
    converts_bet = reader.flag("convert_bet")
    instructed = reader.flag("instructed")
    if is_buy_in and (bet or converts_bet or colour_up):
        reader.refusals.append(
            Refusal("buy_in_has_no_bet", "A buy-in pays no bet. Leave out the bet and its wishes.")
        )
    if is_buy_in and "table_minimum_cents" not in case:
        reader.refusals.append(
            Refusal("table_minimum_missing", "A buy-in is cut by the table's minimum. Add it.")
        )
    if reader.refusals:
        raise Refused(reader.refusals)
    if is_buy_in:
        return cut_buy_in(
            amount_cents=amount_cents,
            tray=tray,
            table_minimum_cents=table_minimum_cents,
            options=options,
        )
    if converts_bet:
        return cut_converted_bet(
            amount_cents=amount_cents,
            tray=tray,
            bet=bet,
            table_minimum_cents=table_minimum_cents,
            colour_up=colour_up or True,
            instructed=instructed,
            options=options,
        )
    return cut_payout(
        amount_cents=amount_cents,
        tray=tray,
        bet=bet,
        table_minimum_cents=table_minimum_cents,
        colour_up=colour_up,
        options=options,
    )


class _Reader:
    """Reads the fields of a case and gathers every reason why it cannot be read."""

    def __init__(self, case: Mapping[Any, Any]) -> None:
        self.case = case
        self.refusals: list[Refusal] = []

    def cents(self, name: str, *, required: bool = False) -> int:
        value = self.case.get(name, None if required else 0)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        self.refusals.append(
            Refusal(
                f"bad_{name.removesuffix('_cents')}",
                f"{name} must be a whole number of cents, 0 or more.",
            )
        )
        return 0

    def cheques(self, name: str, *, required: bool = False) -> dict[int, int]:
        raw = self.case.get(name)
        if raw is None and not required:
            return {}
        if raw is None:
            self.refusals.append(Refusal(f"bad_{name}", f"{name} must list cheques. Add it."))
            return {}
        try:
            held = parse_cheques(raw)
        except Refused as refused:
            self.refusals.extend(refused.refusals)
            return {}
        # An empty tube is still a color this table carries, so quarters are not breakage there.
        return held if 25 in held or "25" not in map(str, raw) else {**held, 25: 0}

    def flag(self, name: str) -> bool:
        value = self.case.get(name, False)
        if not isinstance(value, bool):
            self.refusals.append(Refusal(f"bad_{name}", f"{name} must be true or false."))
        return value is True

    def colour_up(self) -> bool | int:
        value = self.case.get("colour_up", False)
        if isinstance(value, bool) or (isinstance(value, int) and value in BY_CENTS):
            return value
        self.refusals.append(
            Refusal("bad_colour_up", "colour_up must be true, false, or a denomination in cents.")
        )
        return False

    def options(self) -> CutOptions:
        breakage = self.case.get("breakage", Breakage.DOWN.value)
        if breakage not in tuple(Breakage):
            self.refusals.append(Refusal("bad_breakage", "breakage must be down or up."))
            breakage = Breakage.DOWN.value
        smallest_cents = self.case.get("smallest_cheque_cents")
        if smallest_cents is not None and (
            not isinstance(smallest_cents, int) or smallest_cents not in BY_CENTS
        ):
            self.refusals.append(
                Refusal(
                    "bad_smallest_cheque",
                    "smallest_cheque_cents must be a denomination of the house.",
                )
            )
            smallest_cents = None
        return CutOptions(breakage=Breakage(breakage), smallest_cheque_cents=smallest_cents)


def _as_json(cut: Cut) -> dict[str, Any]:
    answered: dict[str, Any] = {
        "cheques": _keyed(cut.cheques),
        "approval": list(cut.approval),
        "approval_reasons": [
            {"code": reason.code, "message": reason.message} for reason in cut.reasons
        ],
        "stacks": {str(cents): list(heights) for cents, heights in cut.stacks.items()},
        "breakage_cents": cut.breakage_cents,
        "working": cut.working,
    }
    if cut.taken:
        answered["bet_taken"] = _keyed(cut.taken)
    return answered


def _keyed(cheques: Mapping[int, int]) -> dict[str, int]:
    return {str(cents): cheques[cents] for cents in ordered(cheques)}
