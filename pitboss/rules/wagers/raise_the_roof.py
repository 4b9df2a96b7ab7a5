"""Settle Raise the Roof: a bust ante, and perhaps a raise, that the dealer will bust."""

from __future__ import annotations

from typing import Final

from pitboss.rules.book.options import HouseOptions
from pitboss.rules.cards.playing_cards import check_decks, hand_total, is_blackjack, total_words
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.facts import (
    LIMITED_BET,
    Case,
    Terms,
    amount,
    choice,
    dealer_hand,
    extra_of,
    player_hand,
    stake,
    terms,
)
from pitboss.rules.games.dealer import SOFT_17, check_finished
from pitboss.rules.paytables.categories import raise_the_roof as bust_rows
from pitboss.rules.paytables.paytables import Odds, Pay, PayTable, pay_table
from pitboss.rules.refusal import refuse
from pitboss.rules.rounding import odds_cents
from pitboss.rules.said import Said
from pitboss.rules.wagers.settlement import Settlement
from pitboss.rules.wagers.working import Used, sentence, toke_notes

_EXTRA: Final = LIMITED_BET | frozenset({"raise_cents", "dealer_soft_17"})
RAISE_TIMES_MAX: Final = 5


def settle(case: Case) -> Settlement:
    """Settle the ante and the raise on the dealer's finished hand.

    >>> settle({"paytable": "H17_6_8_A", "stake_cents": 500, "extra": {"raise_cents": 1000},
    ...         "dealer_cards": ["Td", "6c", "6h"]}).working
    'Dealer busts with a 6: ante and raise pay 10 to 1, table A, hits soft 17. $15 wins $150.'
    """
    ante_cents = stake(case)
    table = pay_table("raise_the_roof", case.get("paytable"))
    extra = extra_of(case, _EXTRA)
    agreed = terms(ante_cents, extra)
    raise_cents = amount(extra.get("raise_cents", 0), "raise_cents")
    used = _check_raise(ante_cents, raise_cents, agreed.options)
    if agreed.stake_cents < ante_cents:
        # The ante is taken to the limit, and a raise is at most five times what is in action.
        raise_cents = min(raise_cents, RAISE_TIMES_MAX * agreed.stake_cents)
    soft_17 = choice(extra, "dealer_soft_17", SOFT_17)
    if table.soft_17 is None and soft_17 is None:
        raise refuse("missing_soft_17", "Enter whether this table's dealer hits a soft 17.")
    if table.soft_17 is not None and soft_17 not in (None, table.soft_17):
        raise refuse(
            "soft_17_differs",
            Said(
                "This pay table has its own soft 17 rule: {table}. Check the pay table.",
                table=table.name,
            ),
        )
    dealer = dealer_hand(case)
    check_decks(dealer, player_hand(case))
    # The dealer plays out for this bet even when every blackjack hand has ended.
    check_finished(dealer, table.soft_17 or soft_17)
    if is_blackjack(dealer):
        if raise_cents:
            raise refuse(
                "raise_against_dealer_blackjack",
                "No raise can be made once the dealer has blackjack. Check the cards.",
            )
        text = "Dealer has blackjack and does not bust: the ante is lost."
        return _lost("dealer_blackjack", text, agreed, ante_cents=agreed.stake_cents)
    if hand_total(dealer)[0] <= 21:
        both = "ante and raise are" if raise_cents else "the ante is"
        text = f"Dealer stands on {total_words(dealer)} and does not bust: {both} lost."
        in_action = agreed.stake_cents + raise_cents
        return _lost("no_bust", text, agreed, ante_cents=in_action, used=used)
    rows = bust_rows((), dealer, agreed.options)
    if {4, 5, 6, 7} <= {held.value for held in dealer}:
        used.append(("bust_4567", "R40"))
    return _won(table, rows, agreed, raise_cents, used)


def _check_raise(ante_cents: int, raise_cents: int, options: HouseOptions) -> list[Used]:
    """Refuse a raise that is not 1 to 5 times the ante."""
    if not raise_cents:
        return []
    if not ante_cents <= raise_cents <= RAISE_TIMES_MAX * ante_cents:
        raise refuse("raise_out_of_range", "A raise is 1 to 5 times the ante. Check the amount.")
    if raise_cents % ante_cents == 0:
        return []
    if options.raise_multiples == "whole":
        raise refuse(
            "raise_not_multiple",
            "A raise is 1, 2, 3, 4 or 5 times the ante exactly. Check the amount.",
        )
    return [("raise_multiples", "R41")]


def _lost(
    category: str, text: str, agreed: Terms, *, ante_cents: int, used: list[Used] | None = None
) -> Settlement:
    used = used or []
    return Settlement(
        category,
        -ante_cents,
        False,
        f"raise_the_roof.{category}",
        sentence(
            f"{text} {format_money(ante_cents)} is taken.",
            options=agreed.options,
            used=used,
            notes=agreed.notes,
        ),
        (*(reading for _, reading in used), *agreed.readings),
    )


def _won(
    table: PayTable, rows: tuple[str, ...], agreed: Terms, raise_cents: int, used: list[Used]
) -> Settlement:
    options = agreed.options
    category = table.best(rows)
    busts = f"Dealer busts with {_spoken(category)}"
    if not raise_cents:
        pay = table.ante_pays[category]
        payout_cents, used = _award([pay], agreed.stake_cents, options, used)
        text = f"{busts} and there is no raise: the ante pays {pay}."
    else:
        pays = [table.pays[category]]
        if options.awards == "cumulative" and len(rows) > 1:
            pays = [table.pays[row] for row in rows if row in table.pays]
            used = [*used, ("awards", "R02")]
        odds = " and ".join(str(pay) for pay in pays)
        if options.ante_with_raise == "table_odds":
            payout_cents, used = _award(pays, agreed.stake_cents, options, used)
            more_cents, used = _award(pays, raise_cents, options, used)
            text = f"{busts}: ante and raise pay {odds}, {table.name}."
        else:
            even = Odds(1)
            used = [*used, ("ante_with_raise", "R46")]
            payout_cents, used = _award([even], agreed.stake_cents, options, used)
            more_cents, used = _award(pays, raise_cents, options, used)
            text = f"{busts}: the ante pays {even}, the raise {odds}, {table.name}."
        payout_cents += more_cents
    staked_cents = agreed.stake_cents + raise_cents
    text += f" {format_money(staked_cents)} wins {format_money(payout_cents)}."
    notes = agreed.notes + toke_notes(agreed.is_dealer_bet, payout_cents)
    return Settlement(
        category,
        payout_cents,
        True,
        f"raise_the_roof.{category}",
        sentence(text, options=options, used=used, notes=notes),
        (*(reading for _, reading in used), *agreed.readings),
    )


def _award(
    pays: list[Pay], stake_cents: int, options: HouseOptions, used: list[Used]
) -> tuple[int, list[Used]]:
    payout_cents = 0
    rounding: Used = ("fractions_of_a_cent", "R03")
    for pay in pays:
        assert isinstance(pay, Odds)
        cents, is_rounded = odds_cents(pay, stake_cents, options.fractions_of_a_cent)
        payout_cents += cents
        if is_rounded and rounding not in used:
            used = [*used, rounding]
    return payout_cents, used


def _spoken(category: str) -> str:
    """Say a bust as it is called: "a 6", "an 8", "4-5-6-7 suited"."""
    if category.startswith("bust_4567_"):
        return f"4-5-6-7 {category.removeprefix('bust_4567_')}"
    last = category.removeprefix("bust_")
    return f"an {last}" if last == "8" else f"a {last}"
