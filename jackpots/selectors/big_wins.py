"""Big wins as screens and papers show them."""

from __future__ import annotations

from typing import Any

from jackpots.models import Jackpot
from jackpots.selectors.jackpots import jackpots, payment_lines, review_words, told_of_hit
from jackpots.services.hits import newest_figure
from pitboss.models import Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.selectors.details import entered_words
from pitboss.selectors.slips import due_step


def tells_of(slip: Slip) -> dict[str, Any]:
    """Return what the slip of a big win shows besides: amount, cards, papers, and the cheques."""
    due = due_step(slip)
    return told_of_hit(slip, is_paying=due is not None and due.name == "counted_out")


def shows_of(slip: Slip) -> dict[str, Any]:
    """Return what a signer of a big win is shown besides: what it is owed, and its review."""
    figure = newest_figure(Jackpot.objects.get(slip=slip))
    return {"award_cents": figure.award_cents, "review": review_words(slip)}


def writes_of(slip: Slip) -> list[tuple[str, str]]:
    """Return what its paper says: pay table, how it comes to the amount, review and payment."""
    win = jackpots().get(slip=slip)
    table = slip.details["paytable"]
    lines = [
        *entered_words(slip),
        ("Pay table", f"{table['name']}, version {table['version']}"),
        ("Working", slip.details["working"]),
    ]
    if win.returned_cents:
        lines.append(("Stake back", format_money(win.returned_cents)))
    if win.envy_cents:
        lines.append(("Envy", format_money(win.envy_cents)))
    return lines + payment_lines(slip, win)
