"""What the manual has recorded besides approvals: shuffles, new cards, the wash, the string, tokes.

Each is an entry of the floor log. What the manual forbids is refused with its line.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from pitboss.rules.book.jobs.card import Job
from pitboss.rules.cards.change_days import CHANGE_DAYS, is_change_day
from pitboss.rules.cheques.cheques import format_cheques, total_cents
from pitboss.rules.floor.fields import (
    Cheques,
    Day,
    Facts,
    Field,
    Number,
    Pick,
    Words,
    Yes,
    cheques_of,
)
from pitboss.rules.floor.irregularities import SEATS_AT_A_TABLE
from pitboss.rules.floor.log import FloorKind, Ground, LogGroup, SignedWhen
from pitboss.rules.floor.standards import Rating, per_hour
from pitboss.rules.games.table_setup import MACHINE_ONLY, CardProfile
from pitboss.rules.refusal import CONFLICT, Refusal

EVALUATION: Final = "evaluation"
TOKE_COUNT: Final = "toke_count"
EARLY_OUT: Final = "early_out"
PACE_CHECK: Final = "pace_check"
HOUSE_RULES: Final = "house_rules"
ROTATIONS_LEAST: Final = 8
_NOTE: Final = Words(name="note", label="In a few words", is_needed=False)
_BADGE: Final = Words(name="badge", label="Badge of the dealer", most=12)


# Shuffles and cards


def _no_shoe(ground: Ground) -> list[Refusal]:
    if ground.cards in (CardProfile.SHUFFLER, CardProfile.HAND):
        return []
    return [Refusal("no_shoe", f"{ground.table} has no shoe to shuffle. Choose another entry.")]


def _judge_shuffle(facts: Facts, ground: Ground) -> list[Refusal]:
    refusals = []
    if facts["reason"] == "player":
        refusals.append(
            Refusal(
                "not_for_a_player",
                "The dealer never shuffles because a player asks (manual, line 147). Deal on.",
            )
        )
    if facts["how"] == "hand" and ground.game.id in MACHINE_ONLY:
        line = 1070 if ground.game.id == "double_deck" else 1097
        refusals.append(
            Refusal(
                "machine_only",
                f"{ground.game.name} is never shuffled by hand (manual, line {line}). "
                "Use the machine, or close the table.",
            )
        )
    return refusals


def _judge_new_cards(facts: Facts, ground: Ground) -> list[Refusal]:
    schedule = ground.settings["cards.change_day"]
    if facts["reason"] != "change_day" or is_change_day(schedule, ground.gaming_day):
        return []
    return [
        Refusal(
            "no_change_day",
            f"Cards are changed on schedule on {CHANGE_DAYS[schedule]}, and "
            f"{ground.gaming_day:%b %-d} is another day. Choose the reason why they are new.",
        )
    ]


def _judge_wash(facts: Facts, _: Ground) -> list[Refusal]:
    refusals = []
    if not facts.get("empty"):
        refusals.append(
            Refusal(
                "players_seated",
                "No player is seated during the wash (manual, line 127). Clear the table first.",
                CONFLICT,
            )
        )
    if facts["rotations"] < ROTATIONS_LEAST:
        refusals.append(
            Refusal(
                "wash_too_short",
                f"Wash the cards for at least {ROTATIONS_LEAST} rotations (manual, line 127).",
            )
        )
    return refusals


# Dealers


def _judge_tray_ready(facts: Facts, _: Ground) -> list[Refusal]:
    if facts.get("clean") and facts.get("lammered"):
        return []
    return [
        Refusal(
            "tray_not_ready",
            "Have the tray cleaned, and black and higher lammered off, before the dealer taps out "
            "(manual, line 877).",
        )
    ]


def _judge_roll_call(facts: Facts, _: Ground) -> list[Refusal]:
    if facts["present"] > facts["expected"]:
        return [Refusal("too_many", "More dealers are present than expected. Count again.")]
    if facts["present"] < facts["expected"] and not facts.get("note"):
        return [Refusal("missing_unnamed", "Someone is missing. Enter who, then send for them.")]
    return []


def _say_roll_call(facts: Facts) -> str:
    missing = f", missing: {facts['note']}" if facts.get("note") else ""
    return f"Roll call: {facts['present']} of {facts['expected']} dealers{missing}."


_RATINGS: Final = {rating.value: rating.label for rating in Rating}
_PARTS: Final[Mapping[str, str]] = {
    "courtesy": "Courtesy",
    "procedure": "Procedure",
    "protection": "Game protection",
    "mix": "Mix of the cards",
}


def _judge_evaluation(facts: Facts, _: Ground) -> list[Refusal]:
    worst = Rating.NEEDS_IMPROVEMENT.value
    if facts.get("note") or worst not in (facts.get(part) for part in _PARTS):
        return []
    return [
        Refusal(
            "improvement_unexplained",
            "Enter what the dealer can improve. The dealer reads it and can answer.",
        )
    ]


def _say_evaluation(facts: Facts) -> str:
    rated = ", ".join(
        f"{label.lower()} {facts[part]}" for part, label in _PARTS.items() if facts.get(part)
    )
    note = f". {facts['note']}" if facts.get("note") else ""
    return f"Evaluation of badge {facts['badge']}: {rated}{note}."


def _judge_pace(facts: Facts, _: Ground) -> list[Refusal]:
    if per_hour(facts["rounds"], timedelta(minutes=facts["minutes"])) is not None:
        return []
    return [Refusal("counted_too_short", "Count for at least 5 minutes, or the pace says nothing.")]


def _say_pace(facts: Facts) -> str:
    rounds, players = facts["rounds"], facts["players"]
    hourly = per_hour(rounds, timedelta(minutes=facts["minutes"])) or 0
    return (
        f"Pace of badge {facts['badge']}: {rounds} rounds in {facts['minutes']} min with "
        f"{players} {'player' if players == 1 else 'players'}, {hourly} rounds and "
        f"{hourly * players} hands an hour."
    )


def _record(code: str, title: str, asks: tuple[Field, ...], words: str, **more: Any) -> FloorKind:
    return FloorKind(
        code=code,
        title=title,
        group=more.pop("group", LogGroup.STANDARD),
        asks=asks,
        is_approval=False,
        words=words,
        **more,
    )


RECORDS: Final = (
    _record(
        "shuffled",
        "Shuffle",
        (
            Pick(
                name="reason",
                label="Why",
                choices={
                    "cut_card": "The cut card came out",
                    "new_set": "A new set is in play",
                    "dead_game": "The game went dead",
                    "mishandled": "Cards were dropped or mishandled",
                    "ordered": "A supervisor ordered it",
                    "player": "A player asked for it",
                },
            ),
            Pick(
                name="how",
                label="How",
                choices={"machine": "By machine", "hand": "By hand"},
            ),
            Pick(
                name="mix",
                label="Mix",
                is_needed=False,
                choices={"even": "Evenly mixed", "clumps": "Clumps, shuffled again"},
            ),
        ),
        "and why",
        barred=_no_shoe,
        judge=_judge_shuffle,
        teaches=(Job.SHUFFLE, Job.CUT, Job.BURN),
    ),
    _record(
        "new_cards",
        "New cards",
        (
            Pick(
                name="reason",
                label="Why",
                choices={
                    "change_day": "Scheduled change day",
                    "worn": "Dirty or hard to handle",
                    "ordered": "A supervisor found it necessary",
                },
            ),
            _NOTE,
        ),
        "and why",
        judge=_judge_new_cards,
        at_closed_table=True,
        is_asked=False,
        teaches=(Job.WASH, Job.CARD_CHANGE),
    ),
    _record(
        "washed",
        "Wash",
        (
            Number(name="rotations", label="Rotations", least=1, most=99),
            Yes(name="empty", label="No player is seated"),
        ),
        "8 rotations",
        judge=_judge_wash,
        is_asked=False,
        at_closed_table=True,
        teaches=(Job.WASH, Job.SHUFFLE),
    ),
    _record(
        "tray_ready",
        "Tray before tap-out",
        (
            Yes(name="clean", label="The tray is clean and can be verified"),
            Yes(name="lammered", label="Black and higher are lammered off"),
        ),
        "clean, lammered",
        judge=_judge_tray_ready,
        is_asked=False,
        teaches=(Job.TAP_OUT, Job.TRAY),
    ),
    _record(
        "roll_call",
        "Roll call",
        (
            Number(name="expected", label="Dealers of the string", least=1, most=60),
            Number(name="present", label="Present five minutes before", least=0, most=60),
            Words(name="note", label="Who is missing", is_needed=False),
        ),
        "before the first break",
        says=_say_roll_call,
        judge=_judge_roll_call,
        is_asked=False,
        at_closed_table=True,
        guide=(
            "Every dealer is at the table five minutes before the start.",
            "The relief dealer leaves for the first break when the string is complete.",
        ),
        teaches=(Job.CONDUCT,),
    ),
    _record(
        EARLY_OUT,
        "Early out",
        (
            _BADGE,
            Pick(
                name="why",
                label="Why",
                choices={"asked": "The dealer asked", "slow": "Too many dealers", "ill": "Ill"},
            ),
        ),
        "leaves before the end",
        is_asked=False,
        at_closed_table=True,
    ),
    _record(
        EVALUATION,
        "Dealer evaluation",
        (
            _BADGE,
            *(
                Pick(
                    name=part,
                    label=label,
                    choices=_RATINGS,
                    is_needed=part != "mix",
                    starts_empty=True,
                )
                for part, label in _PARTS.items()
            ),
            Words(name="note", label="What was seen", is_needed=False),
        ),
        "the dealer reads it",
        says=_say_evaluation,
        judge=_judge_evaluation,
        is_asked=False,
        signed=SignedWhen.ALWAYS,
        guide=("The dealer sees this evaluation and can answer it.",),
        teaches=(Job.PLAYERS, Job.PROTECTION, Job.DEALING),
    ),
    _record(
        PACE_CHECK,
        "Pace check",
        (
            _BADGE,
            Number(name="rounds", label="Rounds counted", least=1, most=300),
            Number(name="minutes", label="Minutes", least=1, most=60),
            Number(name="players", label="Players seated", least=1, most=SEATS_AT_A_TABLE),
        ),
        "rounds an hour",
        says=_say_pace,
        judge=_judge_pace,
        is_asked=False,
        guide=("For tables whose terminal isn’t sent every round.",),
    ),
    _record(
        TOKE_COUNT,
        "Toke box count",
        (Cheques(name="cheques", label="In the toke box"), _BADGE),
        "into the tip pool",
        says=lambda facts: (
            f"Toke box counted with badge {facts['badge']}: "
            f"{format_cheques(cheques_of(facts['cheques']))}."
        ),
        amount=lambda facts: total_cents(cheques_of(facts["cheques"])),
        is_asked=False,
        signed=SignedWhen.ALWAYS,
        at_closed_table=True,
        guide=("A dealer counts the box with you. Both counts agree before you sign.",),
        teaches=(Job.TOKES,),
    ),
    _record(
        HOUSE_RULES,
        "House rules posted",
        (
            Words(name="version", label="Version on the sign", most=40),
            Words(name="approved_by", label="Approved by", most=80),
            Day(name="dated", label="Approved on"),
        ),
        "version, approval",
        group=LogGroup.TABLE,
        is_asked=False,
        at_closed_table=True,
    ),
)
