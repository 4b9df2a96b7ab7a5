"""Carry a request out once, however often it is sent: its answer is kept beside what it did.

The answer is stored in the transaction of the act, so a server that dies in between leaves both or
neither. Only what succeeded is kept: a refusal is judged again when it is sent again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import psycopg
from django.db import IntegrityError, transaction

from pitboss.models import Device, RequestMark, StoredAnswer
from pitboss.models.plain import Statement, in_one_trip, inserting
from pitboss.rules.people.languages import ENGLISH
from pitboss.rules.refusal import CONFLICT, Refused, refuse
from pitboss.services import house
from pitboss.translating import in_language

KEPT = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class RequestKey:
    """Which request this is: whose, under which key, and a hash of all it asks for.

    Its answer is in the language that was asked for first. What it leaves behind is in
    English.
    """

    device: Device
    key: str
    request_hash: str
    language: str = ENGLISH


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """What a request is answered: its status and its text, now or as it was the first time."""

    status: int
    text: str
    is_replay: bool = False


def answer_once(
    asked: RequestKey, act: Callable[[], Mapping[str, Any]], *, status: int = 200
) -> GivenAnswer:
    """Do it and answer, or give the answer again that it had. Raises Refused."""

    def act_and_keep() -> GivenAnswer:
        with transaction.atomic(durable=True):
            return keep_answer(asked, in_language(act(), asked.language), status=status)

    return replayed(asked, act_and_keep)


# Makes the statement that keeps an answer.
Keeping = Callable[[Mapping[str, Any]], Statement]


def answer_in_one_go(
    asked: RequestKey, act: Callable[[Keeping], object], *, status: int = 200
) -> GivenAnswer:
    """Do what keeps its answer by a statement of its own last trip. Raises Refused.

    For what a terminal does all day: it is a trip less.
    """
    kept: list[GivenAnswer] = []

    def keeping(answer: Mapping[str, Any]) -> Statement:
        statement, made = _keeping(asked, in_language(answer, asked.language), status=status)
        kept.append(made)
        return statement

    def act_and_keep() -> GivenAnswer:
        with transaction.atomic(durable=True):
            act(keeping)
        (made,) = kept
        return made

    return replayed(asked, act_and_keep)


def replayed(asked: RequestKey, act: Callable[[], GivenAnswer]) -> GivenAnswer:
    """Let an act store itself and its answer in one transaction, or give the answer it had.

    The act runs first and the key decides: of two that are sent at once, the second waits for the
    first at the key, is rolled back, and gets the answer of the first. Raises Refused.
    """
    try:
        return act()
    except Refused:
        # What was done before cannot be done again; that is no reason to deny it.
        stored = stored_answer(asked)
        if stored is None:
            raise
        return stored
    except IntegrityError as error:
        return _answer_of_the_first(asked, error)


Keep = Callable[[Mapping[str, Any]], None]


def answer_signed_once(asked: RequestKey, act: Callable[[Keep], object]) -> GivenAnswer:
    """Do what owns its transaction, and let it keep its answer there. Raises Refused.

    For acts that prove a PIN: each try counts, so an answer that is kept is looked for first.
    """
    stored = stored_answer(asked)
    if stored is not None:
        return stored
    kept: list[GivenAnswer] = []
    try:
        act(lambda answer: kept.append(keep_answer(asked, answer)))
    except IntegrityError as error:
        return _answer_of_the_first(asked, error)
    return kept[0]


def _answer_of_the_first(asked: RequestKey, error: IntegrityError) -> GivenAnswer:
    stored = stored_answer(asked) if _is_key_taken(error) else None
    if stored is None:
        raise error
    return stored


def stored_answer(asked: RequestKey) -> GivenAnswer | None:
    """Return the answer that was kept under this key. Raises Refused for another request."""
    kept = StoredAnswer.objects.filter(device=asked.device, key=asked.key).first()
    if kept is None:
        return None
    if kept.request_hash != asked.request_hash:
        raise refuse(
            "key_reused",
            "This Idempotency-Key was used for a different request. Make a new key for "
            "each request.",
            CONFLICT,
        )
    return GivenAnswer(kept.status, kept.answer, is_replay=True)


def keep_answer(asked: RequestKey, answer: Mapping[str, Any], *, status: int = 200) -> GivenAnswer:
    """Keep an answer in the transaction of what it answers for."""
    statement, kept = _keeping(asked, answer, status=status)
    in_one_trip(statement)
    return kept


def _keeping(
    asked: RequestKey, answer: Mapping[str, Any], *, status: int
) -> tuple[Statement, GivenAnswer]:
    """Return what keeps an answer, and the answer."""
    text = as_text(answer)
    kept = StoredAnswer(
        device=asked.device,
        key=asked.key,
        request_hash=asked.request_hash,
        status=status,
        answer=text,
        at=house.now(),
    )
    return inserting(kept), GivenAnswer(status, text)


def as_text(answer: Mapping[str, Any]) -> str:
    """Return an answer as it is sent."""
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


@transaction.atomic(durable=True)
def sweep_answers(*, now: datetime) -> int:
    """Forget the answers and marks that no one will ask for again; return how many answers."""
    RequestMark.objects.filter(at__lt=now - KEPT).delete()
    swept, _ = StoredAnswer.objects.filter(at__lt=now - KEPT).delete()
    return swept


def _is_key_taken(error: IntegrityError) -> bool:
    cause = error.__cause__
    return (
        isinstance(cause, psycopg.errors.UniqueViolation)
        and cause.diag.constraint_name == "one_answer_a_key"
    )
