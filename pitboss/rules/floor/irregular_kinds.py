"""The manual's irregularities as entries of the floor log, each with its card."""

from __future__ import annotations

from typing import Any, Final

from pitboss.rules.book.jobs.card import Job
from pitboss.rules.floor.fields import Facts, Field, Pick, SeatNumber, Seats
from pitboss.rules.floor.irregularities import (
    GUIDES,
    Guide,
    Irregular,
    Ruling,
    game_refusals,
    read_ruling,
)
from pitboss.rules.floor.log import FloorKind, Ground, LogGroup
from pitboss.rules.games.games import Game
from pitboss.rules.games.table_orders import OrderKind
from pitboss.rules.refusal import Refusal

HAND_OVER: Final = "irregular_hand_over"
_PREFIX: Final = "irregular_"


def ruling_in(game: Game, code: str, facts: Facts) -> Ruling:
    """Return what an entry decided. Raises Refused."""
    guide = GUIDES[Irregular(code.removeprefix(_PREFIX))]
    return read_ruling(
        game,
        irregular=guide.code.value,
        decision=facts.get("decision", guide.decisions[0].code if guide.is_prescribed else ""),
        seat=facts.get("seat"),
        out=facts.get("out", ()),
    )


def _asks(guide: Guide) -> tuple[Field, ...]:
    asks: list[Field] = []
    if guide.needs_seat:
        asks.append(SeatNumber(name="seat", label="Whose hand"))
    if not guide.is_prescribed:
        choices = {decision.code: decision.label for decision in guide.decisions}
        asks.append(Pick(name="decision", label="How the hand goes on", choices=choices))
    if guide.offers_out:
        hint = "Their bets are returned. If no one is checked, everyone stays in."
        asks.append(Seats(name="out", label="Who steps out", hint=hint))
    return tuple(asks)


def _kind(guide: Guide) -> FloorKind:
    def barred(ground: Ground) -> list[Refusal]:
        return game_refusals(guide, ground.game)

    def says(facts: Facts) -> str:
        return _sentence(guide, facts)

    return FloorKind(
        code=f"{_PREFIX}{guide.code.value}",
        title=guide.title,
        group=LogGroup.IRREGULARITY,
        asks=_asks(guide),
        says=says,
        barred=barred,
        is_approval=False,
        guide=guide.steps,
        say=guide.say,
        teaches=(Job.IRREGULAR,),
        words=guide.source.paragraph.partition(";")[0],
    )


def _sentence(guide: Guide, facts: dict[str, Any] | Facts) -> str:
    decided = guide.decision(facts.get("decision")) or guide.decisions[0]
    at = f" at seat {facts['seat']}" if "seat" in facts else ""
    sentence = f"{guide.title}{at}: {decided.label[0].lower()}{decided.label[1:]}"
    if out := facts.get("out"):
        sentence += f"; seat{'s' if len(out) > 1 else ''} {', '.join(map(str, out))} out"
    return f"{sentence}."


def _judge_hand_over(_: Facts, ground: Ground) -> list[Refusal]:
    if OrderKind.RULING in ground.standing:
        return []
    return [
        Refusal(
            "no_ruling_stands",
            f"No irregular hand is open at {ground.table}. There is nothing to end.",
        )
    ]


_HAND_OVER: Final = FloorKind(
    code=HAND_OVER,
    title="The hand is over",
    group=LogGroup.IRREGULARITY,
    says=lambda facts: "The irregular hand is over; the next is settled as always.",
    judge=_judge_hand_over,
    is_asked=False,
    is_approval=False,
    words="settle as always",
)
IRREGULARITIES: Final = (*(_kind(guide) for guide in GUIDES.values()), _HAND_OVER)
