"""How the cast sends cheques to the cage and back, and works in the cage."""

from __future__ import annotations

from collections.abc import Mapping

from inventory.services.cage import count_the_cage, new_cage_slip, receive_house_cheques
from inventory.services.credits import (
    new_credit,
    new_credit_return,
    request_credit,
    send_credit_back,
)
from pitboss.models import Person, Slip, Table
from pitboss.rules.cage_flows import CAGE_COUNT, HOUSE_RECEIPT
from pitboss.rules.roles import Place
from pitboss.services.shown import request_shown
from pitboss.services.signing import Entry
from tests.cast import Cast

IN_TRAY = {500_000: 4, 10_000: 100, 2_500: 100}
GREENS = {2_500: 40}


def open_with(cast: Cast, cheques: Mapping[int, int] = IN_TRAY) -> None:
    """Open the first table on a tray that was filled."""
    cast.deliver(cast.ask(cheques))
    cast.open_table(cheques)


def ask_credit(
    cast: Cast,
    cheques: Mapping[int, int] = GREENS,
    by: Person | None = None,
    *,
    replaces: Slip | None = None,
    shown: str | None = None,
) -> Slip:
    """Ask for a credit as Alice, or as somebody else."""
    table = Table.objects.get(pk=cast.table.pk)
    return request_credit(
        table=table,
        cheques=cheques,
        pen=cast.pen(by or cast.alice),
        shown=request_shown(new_credit(table, cheques, replaces), table)
        if shown is None
        else shown,
        replaces=replaces,
    )


def prove(cast: Cast, credit: Slip) -> None:
    if any(step["name"] == "top_signed" for step in credit.plan):
        cast.sign(credit, "top_signed", cast.carol)
    cast.sign(credit, "proved", cast.dan, entry=Entry(counted=credit.cheques_by_cents))


def carry_off(cast: Cast, credit: Slip) -> None:
    prove(cast, credit)
    cast.sign(credit, "carried", cast.frank)


def acknowledge(cast: Cast, credit: Slip, counted: Mapping[int, int] | None = None) -> None:
    entry = cast.agreement(credit, counted)
    cast.sign(credit, "acknowledged", cast.erin, Place.CAGE, entry=entry)


def match(cast: Cast, credit: Slip, counted: Mapping[int, int] | None = None) -> None:
    cast.sign(credit, "matched", cast.alice, entry=cast.agreement(credit, counted))


def send_credit(cast: Cast, cheques: Mapping[int, int] = GREENS) -> Slip:
    """Send a credit all the way to the cage, and match its acknowledgment."""
    credit = ask_credit(cast, cheques)
    carry_off(cast, credit)
    acknowledge(cast, credit)
    match(cast, credit)
    return credit


def refuse_at_the_cage(
    cast: Cast, credit: Slip, reason: str = "Greens are short.", by: Person | None = None
) -> Slip:
    """Send a credit back from the cage as Erin, or as somebody else."""
    credit = Slip.objects.get(pk=credit.pk)
    table = Table.objects.get(pk=cast.table.pk)
    return send_credit_back(
        credit=credit,
        reason=reason,
        pen=cast.pen(by or cast.erin, Place.CAGE),
        shown=request_shown(new_credit_return(credit), table),
    )


def bring_back(cast: Cast, back: Slip, counted: Mapping[int, int]) -> None:
    cast.sign(back, "carried_back", cast.frank)
    cast.sign(back, "recounted", cast.dan, entry=Entry(counted=counted))
    cast.sign(back, "counted_in", cast.bob, entry=Entry(counted=counted))


def begin_cage_count(cast: Cast, counted: Mapping[int, int], by: Person | None = None) -> Slip:
    return count_the_cage(
        counted=counted,
        pen=cast.pen(by or cast.erin, Place.CAGE),
        shown=request_shown(new_cage_slip(CAGE_COUNT, counted), None),
    )


def count_cage(cast: Cast, counted: Mapping[int, int]) -> Slip:
    """Count the cage as Erin, verified by Trent."""
    count = begin_cage_count(cast, counted)
    cast.sign(count, "verified", cast.trent, Place.CAGE, entry=Entry(counted=counted))
    count.refresh_from_db()
    return count


def receive(cast: Cast, cheques: Mapping[int, int]) -> Slip:
    """Receive house cheques from the maker: Erin counts, Frank counts too."""
    receipt = receive_house_cheques(
        counted=cheques,
        maker="Blue Ridge Cheques, invoice 4471",
        pen=cast.pen(cast.erin, Place.CAGE),
        shown=request_shown(new_cage_slip(HOUSE_RECEIPT, cheques), None),
    )
    cast.sign(receipt, "taken_in", cast.frank, Place.CAGE, entry=Entry(counted=cheques))
    receipt.refresh_from_db()
    return receipt
