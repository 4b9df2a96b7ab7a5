"""Tax papers as screens show them: on a jackpot, and on their own slip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jackpots.models import Jackpot
from jackpots.services.hits import newest_figure
from jackpots.services.papers import papers_of
from jackpots.services.tax_papers import open_papers
from pitboss.models import Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.refusal import Refused
from pitboss.rules.tax.papers import Declaration
from pitboss.selectors.hands import hand_on
from pitboss.selectors.slips import due_step, role_words
from pitboss.services import house


@dataclass(frozen=True, slots=True)
class PapersShown:
    """How the tax papers of an open jackpot stand, in words, and what the winner gets."""

    tone: str
    words: str
    # The papers to look at, or none: then they are to be prepared.
    slip: Slip | None
    withheld_cents: int
    winner_cents: int

    @property
    def are_complete(self) -> bool:
        return self.tone == "good"


def papers_standing(jackpot: Jackpot) -> PapersShown | None:
    """Return how the papers of a jackpot stand; none when it owes none or is closed."""
    if jackpot.slip.status != SlipStatus.OPEN.value:
        return None
    award_cents = newest_figure(jackpot).award_cents
    try:
        papers = papers_of(jackpot, award_cents, house.now())
    except Refused as refused:
        return PapersShown("bad", str(refused), None, 0, award_cents)
    if papers.slip is not None:
        kept = papers.withheld_cents
        return PapersShown("good", "complete", papers.slip, kept, award_cents - kept)
    if not papers.refusals:
        return None
    waiting = open_papers(jackpot.slip)
    if waiting is not None:
        due = due_step(waiting)
        words = f"wait for a {role_words(due)}" if due else "wait"
        return PapersShown("wait", words, waiting, 0, award_cents)
    return PapersShown("wait", papers.refusals[0].message, None, 0, award_cents)


def tax_panel(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return what papers say of the winners and of what they declare, before and after signing."""
    winners = details["winners"]
    withheld_cents = sum(
        winner["federal_cents"] + winner["state_cents"] + winner.get("local_cents", 0)
        for winner in winners
    )
    return {
        "template": "jackpots/_tax_panel.html",
        # In place of the lines of cheques that papers have not.
        "has_lines": True,
        "winners": winners,
        "is_shared": len(winners) > 1,
        "award_cents": details["award_cents"],
        "withheld_cents": withheld_cents,
        "winner_cents": details["award_cents"] - withheld_cents,
        "declarations": [Declaration(declaration) for declaration in details["declarations"]],
    }


def writes_of(slip: Slip) -> list[tuple[str, str]]:
    """Return papers in lines, as they are printed."""
    panel = tax_panel(slip.details)
    lines = [("Win", format_money(panel["award_cents"]))]
    for winner in panel["winners"]:
        lines += _shared_line(winner) if panel["is_shared"] else _winner_lines(winner)
    lines.append(("Goes to the winner", format_money(panel["winner_cents"])))
    return [
        *lines,
        *((declaration.form_name, declaration.text) for declaration in panel["declarations"]),
    ]


def _winner_lines(winner: Mapping[str, Any]) -> list[tuple[str, str]]:
    shown = [*winner["ids"], *(["W-9"] if winner["w9"] else [])]
    return [
        ("Winner", winner["name"]),
        ("Address", ", ".join(winner["address"])),
        ("Taxpayer number", winner["tin"] or "none given"),
        ("Identification", ", ".join(shown)),
        (winner["form"] or "No form", _withheld_words(winner)),
    ]


def _shared_line(winner: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return one of several winners on one line, as Form 5754 has them."""
    parts = (
        winner["name"],
        ", ".join(winner["address"]),
        winner["tin"] or "no taxpayer number",
        f"part {format_money(winner['share_cents'])}",
        winner["form"] or "no form",
        _withheld_words(winner),
    )
    return [("Winner", "; ".join(part for part in parts if part))]


def _withheld_words(winner: Mapping[str, Any]) -> str:
    words = f"{format_money(winner['federal_cents'])} withheld"
    if winner["state"]:
        words += f", {format_money(winner['state_cents'])} for {winner['state']}"
    if winner.get("locality"):
        words += f", {format_money(winner['local_cents'])} for {winner['locality']}"
    return words


def tells_of(slip: Slip) -> dict[str, Any]:
    """Return what papers show on their own page: the winners, and the hand that signed."""
    paid = slip.details["winners"][0]
    return {
        **tax_panel(slip.details),
        "name": slip.details["patron_name"],
        "hand": hand_on(slip.signatures.all()),
        "documents": [
            {"id": pk, "label": words.capitalize()}
            for pk, words in zip(paid["documents"], paid["ids"], strict=True)
        ],
    }
