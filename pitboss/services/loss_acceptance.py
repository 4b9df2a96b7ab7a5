"""Accept that the database was set back: an auditor and surveillance sign together.

What was lost stays lost. The journal says which seals saw it, how many entries of which chain, and
who accepted that; from then on verification knows of the gap and is green around it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from pitboss.models import Device, FloorException, JournalEntry, JournalSeal
from pitboss.rules.refusal import refuse
from pitboss.services import house, journal
from pitboss.services.exceptions import RECORD_LOST, close_exception
from pitboss.services.losses import LOSS_ACCEPTED, Loss, LostChain, loss_in, lost_chains
from pitboss.services.pin_offers import Witness
from pitboss.services.seals import known_heads
from pitboss.services.watchers import reason_given, signed_by_both


@dataclass(frozen=True, slots=True)
class FoundLoss:
    """A loss that a seal tells of, and what it means for each chain."""

    seal: int
    loss: Loss
    chains: tuple[LostChain, ...]


def losses_to_accept() -> list[FoundLoss]:
    """Return every loss that a seal tells of and no one has accepted."""
    accepted = {
        json.loads(text)["body"]["seal"]
        for text in JournalEntry.objects.filter(
            chain__name=journal.PEOPLE, kind=LOSS_ACCEPTED
        ).values_list("text", flat=True)
    }
    telling = JournalSeal.objects.filter(text__contains='"lost":').order_by("number")
    return [
        _found(seal.number, loss)
        for seal in telling.exclude(number__in=accepted)
        if (loss := loss_in(json.loads(seal.text))) is not None
    ]


def _found(seal: int, loss: Loss) -> FoundLoss:
    before = JournalSeal.objects.filter(number=loss.first - 1).first()
    known, _ = known_heads(before)
    return FoundLoss(seal, loss, tuple(lost_chains(loss, known)))


def accept_loss(
    *, reason: str, auditor: Witness, watcher: Witness, device: Device | None
) -> list[FoundLoss]:
    """Accept every loss that is not accepted yet, and end the exception. Raises Refused."""
    both = signed_by_both(act="accept_loss", auditor=auditor, watcher=watcher, device=device)
    with both as (first, second):
        reason = reason_given(reason, "Enter what happened to the database.")
        exceptions = list(
            FloorException.objects.select_for_update(of=("self",), no_key=True)
            .filter(code=RECORD_LOST, resolved_at=None)
            .order_by("pk")
        )
        found = losses_to_accept()
        if not found:
            raise refuse(
                "nothing_to_accept",
                "The database has everything its seals saw. There is nothing to accept.",
            )
        now = house.now()
        for found_loss in found:
            journal.write(
                chain=journal.PEOPLE,
                kind=LOSS_ACCEPTED,
                body={
                    "seal": found_loss.seal,
                    "first": found_loss.loss.first,
                    "last": found_loss.loss.last,
                    "since": found_loss.loss.since,
                    "until": found_loss.loss.until,
                    "chains": {chain.name: [chain.kept, chain.last] for chain in found_loss.chains},
                    "reason": reason,
                    "second": second.signs_as,
                },
                at=now,
                person=first,
                device=device,
            )
        for exception in exceptions:
            close_exception(exception, reason, first, device, now)
        return found
