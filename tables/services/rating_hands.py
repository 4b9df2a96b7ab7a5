"""In whose hand a rating is kept: a supervisor's tap or signature, or the table's terminal.

One act opens its transaction and its locks here, is known when it is sent again, and leaves a trace
when it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import models, transaction

from pitboss.models import Device, Person, Table
from pitboss.models.plain import Statement
from pitboss.rules.canonical import canonical, digest
from pitboss.rules.floor.log import wrong_hand
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refused, refuse
from pitboss.rules.roles import Role
from pitboss.services import house, journal
from pitboss.services.locks import lock_request, lock_table, lock_table_and_read
from pitboss.services.signing import Pen
from tables.models import PlayRating, SeatHeld
from tables.services.floor_log import Tap, by_of, in_hand
from tables.services.terminals import Terminal


@dataclass(frozen=True, slots=True)
class AtTerminal:
    """The terminal of a table, which sees its own table alone and has no one's hand.

    What it does stands in the transaction of its answer.
    """

    device: Device
    request_id: UUID = field(default_factory=uuid4)
    # With the versions of what its table is judged by, for an act that is judged by them.
    terminal: Terminal | None = None


Hand = Tap | Pen | AtTerminal


@dataclass(slots=True)
class RatingAct:
    """A tap under the locks: who, where, when, and the rows that its entry vouches for."""

    # None where the table's terminal does it.
    person: Person | None
    device: Device
    hand: Hand
    tables: dict[int, Table]
    now: datetime
    rows: list[models.Model] = field(default_factory=list)
    # What was asked under the lock of the one table.
    read: Sequence[Sequence[tuple[Any, ...]]] = ()

    def tell(
        self,
        table: Table,
        kind: str,
        body: Mapping[str, Any],
        *,
        before: Sequence[Statement] = (),
        head_rows: Sequence[tuple[Any, ...]] | None = None,
    ) -> None:
        journal.write(
            chain=journal.chain_of(table, journal.HOUSE),
            kind=kind,
            body=body,
            at=self.now,
            person=self.person,
            device=self.device,
            rows=self.rows,
            before=before,
            head_rows=head_rows,
        )
        self.rows = []


@contextmanager
def acting(
    act: str, hand: Hand, *table_ids: int, asked: Sequence[Statement] = ()
) -> Iterator[RatingAct]:
    """Open the transaction of one act under its locks; keep what was refused. Raises Refused.

    What is asked besides is read in one trip with the lock of the act's one table.
    """
    if isinstance(hand, AtTerminal):
        if {hand.device.table_id} != {*table_ids}:
            raise refuse(
                "not_your_table",
                "This rating is at another table. Use the terminal there.",
                NOT_YOURS,
            )
        tables, read = _locked(table_ids, asked)
        yield RatingAct(None, hand.device, hand, tables, house.now(), read=read)
        return
    try:
        with in_hand(hand) as person:
            lock_request(hand.request_id)
            tables, read = _locked(sorted(set(table_ids)), asked)
            now = house.now()
            refusals = [
                refusal
                for table in tables.values()
                for refusal in wrong_hand(by_of(person, hand, table, now), Role.SUPERVISOR)
            ]
            if refusals:
                raise Refused(dict.fromkeys(refusals))
            assert hand.device is not None, "a tap without a device is refused"
            yield RatingAct(person, hand.device, hand, tables, now, read=read)
    except Refused as refused:
        if isinstance(hand, Tap):
            keep_refusal(act, hand, table_ids[0], refused)
        raise


def _locked(
    table_ids: Sequence[int], asked: Sequence[Statement]
) -> tuple[dict[int, Table], Sequence[Sequence[tuple[Any, ...]]]]:
    if not asked:
        return {table_id: lock_table(table_id) for table_id in table_ids}, ()
    (table_id,) = table_ids
    table, read = lock_table_and_read(table_id, *asked)
    return {table_id: table}, read


def demand_open(rating: PlayRating) -> None:
    """Refuse what comes after the end of a rating. Raises Refused."""
    rating.require_seal()
    if rating.ended_at is not None:
        raise refuse("rating_ended", "This rating has ended. Review the table.", CONFLICT)


def keep_refusal(act: str, hand: Tap | AtTerminal, table_id: int, refused: Refused) -> None:
    """Note in the journal what was refused: who tries to rate a friend leaves a trace."""
    with transaction.atomic(durable=True):
        journal.write(
            chain=journal.chain_of(Table.objects.get(pk=table_id), journal.HOUSE),
            kind="rating_refused",
            body={"act": act, "codes": list(refused.codes)},
            at=house.now(),
            person=hand.person if isinstance(hand, Tap) else None,
            device=hand.device,
        )


def whose_tap(hand: Hand) -> int | None:
    """Return whose tap it is, as its form is known by: none of a terminal or a signature."""
    return hand.person.pk if isinstance(hand, Tap) else None


def form_hash(act: str, **said: Any) -> str:
    return digest(canonical({"act": act, **said}))


def held_by(hand: Hand, request_hash: str) -> SeatHeld | None:
    """Return the seat that this form took when it was sent before. Raises Refused."""
    held = SeatHeld.objects.filter(request_id=hand.request_id).select_related("rating").first()
    if held is not None and held.request_hash != request_hash:
        raise reused()
    return held


def reused() -> Refused:
    return refuse(
        "request_reused",
        "This form was already sent with something else in it. Reload the page.",
        CONFLICT,
    )
