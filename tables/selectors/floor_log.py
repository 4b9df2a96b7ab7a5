"""Read the floor log: what waits for a word, and what was said, by table, pit and shift."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum, unique
from typing import Annotated, Any, TypedDict, TypeVar
from uuid import uuid4

from django.db.models import QuerySet
from django.urls import reverse

from pitboss.models import Pit, Table, Waiting
from pitboss.rules.book.jobs.card import JobCard
from pitboss.rules.book.teaching import TaughtAt, cards_of
from pitboss.rules.cheques.cheques import ordered
from pitboss.rules.floor.book import FLOOR_KINDS
from pitboss.rules.floor.fields import cheques_of, told
from pitboss.rules.floor.log import FloorKind, LogOutcome
from pitboss.rules.floor.nods import PAYOUT
from pitboss.services import house
from pitboss.services.exceptions import FLOOR_REQUEST
from tables.models import FloorEntry, FloorRequest, PayoutCheck, PayoutConfirmation

Row = TypeVar("Row", FloorEntry, FloorRequest)

LATEST_MAX = 10


@unique
class RequestState(StrEnum):
    """How a request stands."""

    WAITING = "waiting"
    GRANTED = LogOutcome.GRANTED.value
    DECLINED = LogOutcome.DECLINED.value
    NOTED = LogOutcome.NOTED.value
    WITHDRAWN = "withdrawn"


# What an answer still helps.
_OPEN = FloorRequest.objects.filter(answer=None, withdrawal=None)
_TONES = {LogOutcome.GRANTED: "open", LogOutcome.DECLINED: "bad", LogOutcome.NOTED: "half"}


@dataclass(frozen=True, slots=True)
class LogScope:
    """Which lines of the log: of gaming days, and within them of a shift, a pit or a table."""

    first: date
    last: date
    shift: str = ""
    pit: Pit | None = None
    table: Table | None = None

    def within(self, rows: QuerySet[Row]) -> QuerySet[Row]:
        """Return those entries or requests that are in the scope, in the order of time."""
        rows = rows.filter(gaming_day__range=(self.first, self.last))
        if self.shift:
            rows = rows.filter(shift=self.shift)
        if self.table is not None:
            rows = rows.filter(table=self.table)
        elif self.pit is not None:
            rows = rows.filter(table__pit=self.pit)
        return rows.order_by("id")


def entries_in(scope: LogScope) -> QuerySet[FloorEntry]:
    """Return the lines of the log in a scope, in the order in which they were written."""
    entries = FloorEntry.objects.select_related("table__pit", "by", "answers", "under", "patron")
    return scope.within(entries)


def line_of(entry: FloorEntry) -> dict[str, Any]:
    """Return one line of the log as a page shows it."""
    outcome = LogOutcome(entry.outcome)
    return {
        "at": entry.at,
        "table": entry.table.name,
        "url": reverse("table", args=[entry.table.name]),
        "title": entry.title,
        "sentence": entry.sentence,
        "reason": entry.reason,
        "chip": {"kind": _TONES[outcome], "word": outcome.value.capitalize()},
        "by": entry.signed_as,
        "how": how_of(entry),
        "patron": str(entry.patron) if entry.patron else "",
        "sends": sends_of(entry),
    }


def how_of(entry: FloorEntry) -> str:
    """Say how an entry came about: asked from the table, under an instruction, signed."""
    parts = [
        "standing approval" if entry.under_id else "asked" if entry.answers_id else "",
        "signed" if entry.is_signed else "",
    ]
    return ", ".join(part for part in parts if part)


def sends_of(entry: FloorEntry) -> list[dict[str, int]]:
    """Return the cheques that were shown to be sent, highest first."""
    cheques = cheques_of(entry.sends)
    return [{"cents": cents, "count": cheques[cents]} for cents in ordered(cheques)]


def requests_at(table: Table) -> list[FloorRequest]:
    """Return what a table's terminal asked for and no one has answered, oldest first."""
    return _waiting(_OPEN.filter(table=table))


def _waiting(unanswered: QuerySet[FloorRequest]) -> list[FloorRequest]:
    """Return those that an answer still helps: no payout that went out, or that was corrected."""
    waiting = list(unanswered.order_by("id"))
    checks = [
        floor_request.facts["check"]
        for floor_request in waiting
        if floor_request.kind == PAYOUT.code
    ]
    out = PayoutConfirmation.objects.filter(check_of__in=checks) if checks else ()
    corrected = PayoutCheck.objects.filter(corrects__in=checks) if checks else ()
    over = {payout_confirmation.check_of_id for payout_confirmation in out} | {
        payout_check.corrects_id for payout_check in corrected
    }
    return [
        floor_request
        for floor_request in waiting
        if floor_request.kind != PAYOUT.code or floor_request.facts["check"] not in over
    ]


def requests_unanswered(scope: LogScope) -> QuerySet[FloorRequest]:
    """Return what terminals asked for in a scope and no one has answered."""
    return scope.within(_OPEN.select_related("table"))


def requests_withdrawn(scope: LogScope) -> QuerySet[FloorRequest]:
    """Return what terminals asked for in a scope and took back."""
    withdrawn = FloorRequest.objects.filter(withdrawal__isnull=False)
    return scope.within(withdrawn.select_related("table", "withdrawal__by"))


def request_card(asked: FloorRequest) -> dict[str, Any]:
    """Return a request as the table's page shows it; a payout is approved there by one tap."""
    kind = FLOOR_KINDS[asked.kind]
    is_tapped = kind is PAYOUT and not kind.needs_signature(
        asked.facts, house.settings_at(house.now())
    )
    return {
        "sentence": asked.sentence,
        "url": reverse("floor-request", args=[asked.pk]),
        "request_id": uuid4() if is_tapped else None,
        "number": asked.pk,
        "amount_cents": kind.amount(asked.facts),
    }


def asked_of(table: Table) -> dict[str, Any]:
    """Return what a table's page shows of its requests, and those that one tap approves at once."""
    return _cards(table, requests_at(table))


def asked_in_pit(waits: Iterable[Waiting]) -> list[dict[str, Any]]:
    """Return what the tables of a pit ask for, table by table: whoever asked first comes first.

    Nothing is read where no one asks, and that is nearly always.
    """
    numbers = {
        wait.exception.details["request"]
        for wait in waits
        if wait.exception is not None and wait.exception.code == FLOOR_REQUEST
    }
    if not numbers:
        return []
    fields: dict[int, list[FloorRequest]] = {}
    unanswered = _OPEN.filter(pk__in=numbers)
    for floor_request in _waiting(unanswered.select_related("table")):
        fields.setdefault(floor_request.table_id, []).append(floor_request)
    return [
        {"table": of_table[0].table.name, "since": of_table[0].at}
        | _cards(of_table[0].table, of_table)
        for of_table in fields.values()
    ]


def _cards(table: Table, waiting: Iterable[FloorRequest]) -> dict[str, Any]:
    cards = [request_card(floor_request) for floor_request in waiting]
    tapped = [card for card in cards if card["request_id"]]
    together = None
    if len(tapped) > 1:
        together = {
            "url": reverse("approve-all", args=[table.name]),
            "request_id": uuid4(),
            "numbers": [item["number"] for item in tapped],
            "amount_cents": sum(item["amount_cents"] for item in tapped),
        }
    return {"asked": cards, "asked_together": together}


def facts_of(kind_code: str, facts: dict[str, Any]) -> list[dict[str, str]]:
    """Return what was asked or noted, answer by answer, in words."""
    kind = FLOOR_KINDS[kind_code]
    return [{"name": label, "value": words} for label, words in told(kind.asks, facts)]


def latest_requests(table: Table) -> list[FloorRequest]:
    """Return what a table's terminal asked for in this gaming day, newest first."""
    day = house.period_at(house.now()).gaming_day
    asked = FloorRequest.objects.filter(table=table, gaming_day=day)
    return list(asked.select_related("answer__by", "withdrawal").order_by("-id")[:LATEST_MAX])


def card_as_sent(card: JobCard) -> dict[str, Any]:
    """Return a job card as a terminal reads it."""
    return {
        "job": card.job.value,
        "part": card.job.part.value,
        "title": card.title,
        "lines": list(card.lines),
        "written_in": str(card.source),
    }


def kind_as_sent(kind: FloorKind, at: TaughtAt) -> dict[str, Any]:
    """Return a kind as a terminal reads it, to draw its form and what it teaches there."""
    return {
        "kind": kind.code,
        "title": kind.title,
        "words": kind.words,
        "group": kind.group.value,
        "heading": kind.group.heading,
        "is_approval": kind.is_approval,
        "guide": list(kind.guide),
        "cards": [card_as_sent(card) for card in cards_of(at, kind.teaches)],
        "asks": [
            {
                "name": field.name,
                "title": field.label,
                "shape": field.shape,
                "is_needed": field.is_needed,
                "choices": [
                    {"value": value, "words": words}
                    for value, words in getattr(field, "choices", {}).items()
                ],
            }
            for field in kind.asks
        ],
    }


class RequestAnswer(TypedDict):
    """A request as it stands."""

    request: int
    kind: str
    facts: Annotated[dict[str, Any], "What was asked, as its kind has it."]
    sentence: str
    asked_at: str
    state: Annotated[str, RequestState]
    answered_by: str | None
    answered_at: str | None
    reason: Annotated[str, "Why not, when it was declined."]
    cheques: Annotated[dict[str, int], "Cheques to send, by denomination in cents."]
    is_standing: Annotated[bool, "Granted immediately by a standing approval."]


def as_sent(asked: FloorRequest) -> RequestAnswer:
    """Return a request as its terminal reads it."""
    entry: FloorEntry | None = getattr(asked, "answer", None)
    is_withdrawn = entry is None and hasattr(asked, "withdrawal")
    unanswered = RequestState.WITHDRAWN if is_withdrawn else RequestState.WAITING
    return {
        "request": asked.pk,
        "kind": asked.kind,
        "facts": asked.facts,
        "sentence": asked.sentence,
        "asked_at": asked.at.isoformat(),
        "state": entry.outcome if entry else unanswered.value,
        "answered_by": str(entry.by) if entry else None,
        "answered_at": entry.at.isoformat() if entry else None,
        "reason": entry.reason if entry else "",
        "cheques": entry.sends if entry else {},
        "is_standing": entry is not None and entry.under_id is not None,
    }
