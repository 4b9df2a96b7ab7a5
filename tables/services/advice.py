"""Answer the advice of the yield view: done, or not now with a reason. Advice never acts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from pitboss.models import Pit
from pitboss.rules.refusal import CONFLICT, refuse
from pitboss.services import house, journal
from pitboss.services.locks import lock_request
from tables.models import AdviceAnswer, AdviceTaken
from tables.selectors.yields import advice_named

if TYPE_CHECKING:
    from tables.services.floor_log import Tap

REASON_MAX = 200


def answer_advice(
    *, pit: Pit, key: str, answer: AdviceAnswer, reason: str, hand: Tap
) -> AdviceTaken:
    """Keep what a manager says to advice that is still given. Raises Refused."""
    reason = " ".join(reason.split())[:REASON_MAX]
    if hand.device is None:
        raise refuse("no_device", "This device is not enrolled. Go to one that is.", CONFLICT)
    if answer is AdviceAnswer.NOT_NOW and not reason:
        raise refuse("reason_missing", "Enter why not now.")
    with transaction.atomic(durable=True):
        lock_request(hand.request_id)
        earlier = AdviceTaken.objects.filter(request_id=hand.request_id).first()
        if earlier is not None:
            return earlier
        now = house.now()
        advice = advice_named(pit, key, now, house.settings_at(now))
        if advice is None:
            words = "This suggestion is no longer given. Review the page."
            raise refuse("advice_gone", words, CONFLICT)
        row = AdviceTaken.objects.create(
            table=advice.table,
            what=advice.what,
            sentence=advice.sentence,
            working=[list(line) for line in advice.working],
            answer=answer.value,
            reason=reason,
            by=hand.person,
            device=hand.device,
            request_id=hand.request_id,
            gaming_day=house.period_at(now).gaming_day,
            at=now,
        )
        journal.write(
            chain=journal.HOUSE,
            kind="advice_answered",
            body={"advice": advice.sentence, "answer": answer.value},
            at=now,
            person=hand.person,
            device=hand.device,
            rows=[row],
        )
        return row
