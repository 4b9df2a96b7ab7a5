"""A dealer answers an evaluation, once, in their own words."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.db import transaction

from pitboss.models import Device, Person
from pitboss.rules.canonical import is_plain
from pitboss.rules.floor.records import EVALUATION
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.services import house, journal
from pitboss.services.locks import lock_request, lock_table
from tables.models import EvaluationAnswer, FloorEntry

WORDS_MAX: Final = 500


@transaction.atomic(durable=True)
def answer_evaluation(
    *, dealer: Person, device: Device | None, entry_id: int, words: str, request_id: UUID
) -> EvaluationAnswer:
    """Store what a dealer says to their own evaluation. Raises Refused."""
    lock_request(request_id)
    earlier = EvaluationAnswer.objects.filter(request_id=request_id, dealer=dealer).first()
    if earlier is not None:
        return earlier
    entry = FloorEntry.objects.filter(
        pk=entry_id, kind=EVALUATION, facts__badge=dealer.badge
    ).first()
    if entry is None:
        raise refuse("unknown_evaluation", "Evaluation not found. You can answer only your own.")
    table = lock_table(entry.table_id)
    said = " ".join(words.split()) if is_plain(words) else ""
    refusals = []
    if EvaluationAnswer.objects.filter(entry=entry).exists():
        refusals.append(
            Refusal(
                "already_answered",
                "You already answered this evaluation. Nothing more is needed.",
                CONFLICT,
            )
        )
    if not said or len(said) > WORDS_MAX or not said.isprintable():
        refusals.append(
            Refusal("answer_malformed", f"Enter your answer in up to {WORDS_MAX} characters.")
        )
    if refusals:
        raise Refused(refusals)
    now = house.now()
    answer = EvaluationAnswer.objects.create(
        entry=entry, dealer=dealer, words=said, at=now, request_id=request_id
    )
    journal.write(
        chain=journal.chain_of(table, journal.HOUSE),
        kind="evaluation_answered",
        body={"entry": entry.pk, "words": said},
        at=now,
        person=dealer,
        device=device,
        rows=[answer],
    )
    return answer
