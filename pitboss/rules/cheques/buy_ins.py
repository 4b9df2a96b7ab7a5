"""In which cheques a buy-in is handed over: the manual's guides for its three kinds of game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from pitboss.rules.cheques.change import RED, holds, make_change, up_to
from pitboss.rules.cheques.cheques import combined, format_cheques, format_money, total_cents
from pitboss.rules.cheques.cutting import (
    BLACK,
    DEFAULT_OPTIONS,
    GREEN,
    Cut,
    CutOptions,
    TrayShort,
    approval_reasons,
    check_amount,
    cut_in_sets,
    ladder,
    plenty,
    to_fill,
)
from pitboss.rules.refusal import refuse
from pitboss.rules.said import Said

PURPLE = 50_000


def cut_buy_in(
    *,
    amount_cents: int,
    tray: Mapping[int, int],
    table_minimum_cents: int,
    options: CutOptions = DEFAULT_OPTIONS,
) -> Cut:
    """Cut a buy-in by the manual's guide for the game, with discretion where the tray is short.

    >>> tray = {50_000: 20, 10_000: 60, 2_500: 60, 500: 80}
    >>> cut_buy_in(amount_cents=500_000, tray=tray, table_minimum_cents=10_000).cheques
    {50000: 6, 10000: 20}
    >>> cut_buy_in(amount_cents=20_000, tray=tray, table_minimum_cents=500).cheques
    {2500: 4, 500: 20}
    """
    check_amount(amount_cents)
    if amount_cents == 0:
        raise refuse("bad_amount", "A buy-in must be more than $0. Count the money again.")
    if options.sets:
        plain = partial(
            cut_buy_in,
            amount_cents=amount_cents,
            table_minimum_cents=table_minimum_cents,
            options=replace(options, sets=()),
        )
        return cut_in_sets(plain, tray, options.sets)
    guide = _buy_in_guide(amount_cents, table_minimum_cents, options)
    cheques = guide if holds(tray, guide) else _nearest_to_guide(amount_cents, tray, guide, options)
    reasons = approval_reasons(
        cheques,
        table_minimum_cents=table_minimum_cents,
        raised=False,
        sent_out=True,
        options=options,
    )
    return Cut(
        cheques=cheques,
        breakage_cents=0,
        reasons=tuple(reasons),
        working=f"Changing {format_money(amount_cents)}: {format_cheques(cheques)}.",
    )


def _buy_in_guide(
    amount_cents: int, table_minimum_cents: int, options: CutOptions
) -> dict[int, int]:
    """Return the manual's cheques for a buy-in ("Buy-Ins on a $5, $10 and $15 Game" and after)."""
    if table_minimum_cents < GREEN:
        base_colour, base_cents, main_colour = RED, 10_000, GREEN
    elif table_minimum_cents < BLACK:
        base_colour, base_cents, main_colour = GREEN, 50_000, BLACK
    else:
        # Up to $3,000 all black; above, one stack of black and the rest purple ($5,000: 3 and 2).
        base_colour, main_colour = BLACK, PURPLE
        base_cents = 300_000 if amount_cents <= 300_000 else 200_000
    base = min(amount_cents, base_cents) // base_colour
    main = max(0, amount_cents - base_cents) // main_colour
    rest = amount_cents - base * base_colour - main * main_colour
    change = make_change(rest, up_to(plenty(options.denominations), base_colour))
    if change is None:
        raise refuse(
            "not_payable",
            Said(
                "{amount_cents} can’t be made in cheques. Return the odd cents.",
                amount_cents=amount_cents,
            ),
        )
    return combined({base_colour: base, main_colour: main}, change)


def _nearest_to_guide(
    amount_cents: int, tray: Mapping[int, int], guide: Mapping[int, int], options: CutOptions
) -> dict[int, int]:
    """Keep what the guide asks for and the tray holds; make up the rest, lowest colors first."""
    kept = {cents: min(count, tray.get(cents, 0)) for cents, count in guide.items()}
    left = {cents: count - kept.get(cents, 0) for cents, count in tray.items()}
    missing_cents = amount_cents - total_cents(kept)
    for ceiling_cents in ladder(options.denominations):
        extra = make_change(missing_cents, up_to(left, ceiling_cents))
        if ceiling_cents >= max(guide) and extra is not None:
            return combined(kept, extra)
    # What was kept may leave an amount that the rest cannot make: then any exact way will do.
    way = make_change(amount_cents, tray)
    if way is None:
        raise TrayShort(amount_cents, to_fill(guide, tray))
    return way
