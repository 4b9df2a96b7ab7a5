"""Who a winner is, compared with the lists before anything is paid; and what stops a win."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime

from django.db import transaction

from inventory.models import ExclusionCase, ListCheck, Patron
from inventory.services.exclusion import Compared, keep_comparison, stop_refusals
from pitboss.models import Device, Person, Slip
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.patrons.exclusion import CaseDecision, Moment
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.roles import Role
from pitboss.services import house, journal
from pitboss.services.afterward import keep_what_was_left
from pitboss.services.locks import lock_slip_and_table


def _compared(
    slip: Slip, patrons: Collection[int], moment: Moment, at: datetime
) -> Iterator[Compared]:
    """Yield everyone who is named as the winner of a slip, by the day of the win.

    What was owed before someone joined a list is paid as usual.
    """
    named = set(ListCheck.objects.filter(slip=slip).values_list("patron", flat=True))
    for patron in Patron.objects.filter(pk__in={*patrons, *named}).order_by("pk"):
        yield Compared(patron, moment, at, slip.table, slip, slip.gaming_day)


def win_refusals(
    slip: Slip,
    patrons: Collection[int],
    moment: Moment,
    at: datetime,
    role: Role | None = None,
) -> list[Refusal]:
    """Return that nothing is paid on a win, when someone named as its winner is on a list."""
    stops = [
        refusal
        for compared in _compared(slip, patrons, moment, at)
        for refusal in stop_refusals(compared, role)
    ]
    return stops[:1]


def keep_winners(slip: Slip, patrons: Collection[int], moment: Moment, at: datetime) -> None:
    """Keep that winners were compared, in an act that goes on and before its journal entry."""
    for compared in _compared(slip, patrons, moment, at):
        keep_comparison(compared)


def name_winner(
    *, slip: Slip, patron: Patron, person: Person, device: Device | None, role: Role
) -> None:
    """Say who won, by a tap once the ID is seen, and compare them. Raises Refused."""
    try:
        with transaction.atomic(durable=True):
            slip = lock_slip_and_table(slip)
            if slip.status != SlipStatus.OPEN.value:
                raise refuse("slip_closed", f"{slip} is no longer open. Check the win.", CONFLICT)
            now = house.now()
            stops = win_refusals(slip, {patron.pk}, Moment.WIN, now, role)
            if stops:
                raise Refused(stops)
            keep_winners(slip, {patron.pk}, Moment.WIN, now)
            journal.write(
                chain=journal.chain_of(slip.table, journal.CAGE),
                kind="winner_named",
                body={"patron": patron.pk},
                at=now,
                person=person,
                device=device,
                slip=slip,
            )
    except Refused:
        keep_what_was_left()
        raise


def stopping_check(slip: Slip) -> ListCheck | None:
    """Return the newest comparison that stops a win and was not cleared since."""
    checks = ListCheck.objects.filter(slip=slip, stopped=True).select_related("case")
    return checks.exclude(case__end__decision=CaseDecision.CLEARED.value).order_by("-pk").first()


def confirmed_case(slip: Slip) -> ExclusionCase | None:
    """Return the case by which a win is withheld: two people confirmed who the winner is."""
    cases = ExclusionCase.objects.filter(
        checks__slip=slip, checks__stopped=True, end__decision=CaseDecision.CONFIRMED.value
    )
    return cases.select_related("row", "patron").order_by("-checks__pk").first()


def named_winner(slip: Slip) -> Patron | None:
    """Return who was named last as the winner of a slip."""
    check = ListCheck.objects.filter(slip=slip).select_related("patron").order_by("-pk").first()
    return check.patron if check is not None else None
