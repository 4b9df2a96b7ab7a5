"""The string of a pit: call a dealer in, send one to relieve a table, send one home."""

from __future__ import annotations

from django.db import transaction

from pitboss.models import Device, Person, Pit, Table
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, Refused, refuse
from pitboss.rules.roles import Role
from pitboss.services import house, journal
from pitboss.services.locks import lock_person
from pitboss.services.pins import clean_badge
from pitboss.services.signers import held_at
from tables.models import Call, Dealing, StringCall
from tables.services.dealers import held_refusal


@transaction.atomic(durable=True)
def call_dealer(
    call: Call,
    *,
    pit: Pit,
    badge: str,
    by: Person,
    device: Device | None,
    table: Table | None = None,
) -> StringCall:
    """Say to a dealer where the string wants them. Raises Refused.

    It moves no one: a dealer comes to a table, or leaves it, by tapping there.
    """
    assert (table is not None) == (call is Call.RELIEVE), "only a relief names a table"
    dealer = Person.objects.filter(badge=clean_badge(badge)).first()
    if dealer is None:
        raise refuse("unknown_badge", f"Badge {badge} not found. Scan it again.")
    lock_person(dealer.pk)
    now = house.now()
    when = house.period_at(now)
    newest = (
        StringCall.objects.filter(dealer=dealer, gaming_day=when.gaming_day, shift=when.shift)
        .order_by("-id")
        .first()
    )
    if newest is not None and (newest.call, newest.pit_id, newest.table_id) == (
        call.value,
        pit.pk,
        table.pk if table else None,
    ):
        return newest  # A second tap, or a resend after a lost answer.
    if refusals := _refusals(call, pit, dealer, by, table):
        raise Refused(refusals)
    said = StringCall.objects.create(
        pit=pit,
        dealer=dealer,
        call=call.value,
        table=table,
        gaming_day=when.gaming_day,
        shift=when.shift,
        called_by=by,
        at=now,
    )
    journal.write(
        chain=journal.chain_of(table, journal.HOUSE),
        kind=f"string_{call.value}",
        body={"dealer": dealer.badge, "pit": pit.name},
        at=now,
        person=by,
        device=device,
        rows=[said],
    )
    return said


def _refusals(
    call: Call, pit: Pit, dealer: Person, by: Person, table: Table | None
) -> list[Refusal]:
    """Return why the string cannot want this of this dealer."""
    refusals = []
    when = house.period_at(house.now())
    if dealer.pk == by.pk:
        refusals.append(Refusal("calls_self", "You can’t assign yourself. Ask someone else."))
    if house.role_in(dealer, when) != Role.DEALER:
        refusals.append(
            Refusal(
                "wrong_role",
                f"{dealer} isn’t working as a dealer this shift. Choose another dealer.",
                NOT_YOURS,
            )
        )
    elif not house.may_work(dealer, when):
        refusals.append(
            Refusal(
                "not_employed", f"{dealer} can’t work today. Call the shift manager.", NOT_YOURS
            )
        )
    held = held_at(dealer)
    if held:
        refusals.append(held_refusal(dealer, held))
    dealing = Dealing.objects.filter(dealer=dealer, ended_at=None).select_related("table").first()
    if dealing is not None and call is not Call.JOIN:
        refusals.append(
            Refusal("dealer_elsewhere", f"{dealer} deals at {dealing.table}. Tap out there first.")
        )
    if table is not None and table.pit_id != pit.pk:
        refusals.append(
            Refusal("wrong_pit", f"{table} is in another pit. Choose one of this pit.", NOT_YOURS)
        )
    if table is not None and not table.is_open:
        refusals.append(
            Refusal(
                "table_closed",
                f"{table} is closed, so no one can be relieved there. Choose another table.",
                CONFLICT,
            )
        )
    return refusals
