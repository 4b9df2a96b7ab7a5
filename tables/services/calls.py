"""Call the supervisor to a table, and answer: on the list of whoever supervises until then."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from pitboss.models import Device, FloorException, Person
from pitboss.rules.canonical import is_plain
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, Refused, refuse
from pitboss.rules.said import Said
from pitboss.services import house
from pitboss.services.exceptions import close_exception, open_exception
from pitboss.services.explaining import refusals_to_answer
from pitboss.services.locks import lock_request, lock_table
from tables.services.terminals import Terminal

SUPERVISOR_CALLED = "supervisor_called"
WORDS_MAX = 80
ANSWERED = "Answered at the table."


@transaction.atomic(savepoint=False)
def call_supervisor(*, terminal: Terminal, about: str) -> FloorException:
    """Call the supervisor; a call that stands is not doubled. Raises Refused."""
    about = about.strip() if is_plain(about) else ""
    if len(about) > WORDS_MAX or not about.isprintable():
        raise refuse(
            "bad_about",
            Said("Use {words_max} characters or fewer, or leave it blank.", words_max=WORDS_MAX),
        )
    table = lock_table(terminal.table.pk)
    standing = FloorException.objects.filter(
        code=SUPERVISOR_CALLED, table=table, resolved_at=None
    ).first()
    if standing is not None:
        return standing
    return open_exception(
        code=SUPERVISOR_CALLED,
        sentence=f"{table} calls the supervisor{f': {about}' if about else ''}.",
        details={"terminal": terminal.device.name, "about": about},
        at=house.now(),
        person=None,
        table=table,
    )


@transaction.atomic(durable=True)
def answer_call(
    *, exception_id: int, by: Person, device: Device | None, request_id: UUID
) -> FloorException:
    """Answer a call with one tap of the person who is signed in. Raises Refused.

    It takes no PIN: nothing moves by it, and what is done at the table is signed there.
    """
    lock_request(request_id)
    call = (
        FloorException.objects.select_for_update(of=("self",), no_key=True)
        .filter(pk=exception_id, code=SUPERVISOR_CALLED)
        .select_related("table", "resolved_by")
        .first()
    )
    if call is None:
        raise refuse("unknown_exception", "Call not found. Check the board.")
    call.require_seal()
    if call.resolved_at is not None:
        if call.resolved_by_id == by.pk:
            return call  # A second tap, or a resend after a lost answer.
        raise Refused(
            [
                Refusal(
                    "already_resolved",
                    Said(
                        "{resolved_by} already answered it. Reload the page.",
                        resolved_by=call.resolved_by,
                    ),
                    CONFLICT,
                )
            ]
        )
    now = house.now()
    if refusals := [*_place_refusals(call, device), *refusals_to_answer(call, by, now)]:
        raise Refused(refusals)
    close_exception(call, ANSWERED, by, device, now)
    return call


def _place_refusals(call: FloorException, device: Device | None) -> list[Refusal]:
    if device is None:
        return [
            Refusal(
                "unknown_device", "This device isn’t enrolled. Answer on one that is.", NOT_YOURS
            )
        ]
    if call.table is not None and device.pit_id not in (None, call.table.pit_id):
        return [
            Refusal(
                "wrong_pit",
                "This call is from another pit. Answer it on a tablet there.",
                NOT_YOURS,
            )
        ]
    return []
