"""How the cast sends cheques to the cage and back, and works in the cage."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Exists, OuterRef, QuerySet

from inventory.kinds.cage_count import CAGE_COUNT
from inventory.kinds.credit import CREDIT, CREDIT_RETURN
from inventory.kinds.house_cheques import HOUSE_DESTRUCTION, HOUSE_RECEIPT
from inventory.models import ChequeTransfer, Holder
from inventory.selectors.cheques import slips_under_way
from pitboss.models import Person, Slip, Table
from pitboss.rules.roles import Place
from pitboss.services.signing import Entry
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast

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
    credit = CREDIT.at(table, cheques, replaces)
    return raise_kind(
        credit,
        pen=cast.pen(by or cast.alice),
        shown=shown_before(credit) if shown is None else shown,
    )


def credits_in_transit() -> QuerySet[Slip]:
    """Return the credits whose cheques have left a tray and are not yet matched, oldest first."""
    left = ChequeTransfer.objects.filter(
        slip=OuterRef("pk"), source=Holder.TRAY, target=Holder.CARRIER
    )
    return slips_under_way([CREDIT.kind]).filter(Exists(left))


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
    back = CREDIT_RETURN.at(table, original=credit)
    return raise_kind(
        back, pen=cast.pen(by or cast.erin, Place.CAGE), shown=shown_before(back), reason=reason
    )


def bring_back(cast: Cast, back: Slip, counted: Mapping[int, int]) -> None:
    cast.sign(back, "carried_back", cast.frank)
    cast.sign(back, "recounted", cast.dan, entry=Entry(counted=counted))
    cast.sign(back, "counted_in", cast.bob, entry=Entry(counted=counted))


def begin_cage_count(cast: Cast, counted: Mapping[int, int], by: Person | None = None) -> Slip:
    count = CAGE_COUNT.at(cheques=counted)
    return raise_kind(count, pen=cast.pen(by or cast.erin, Place.CAGE), shown=shown_before(count))


def count_cage(cast: Cast, counted: Mapping[int, int]) -> Slip:
    """Count the cage as Erin, verified by Trent."""
    count = begin_cage_count(cast, counted)
    cast.sign(count, "verified", cast.trent, Place.CAGE, entry=Entry(counted=counted))
    count.refresh_from_db()
    return count


def begin_receipt(
    cast: Cast,
    cheques: Mapping[int, int],
    maker: str = "Blue Ridge Cheques, invoice 4471",
    by: Person | None = None,
    place: Place = Place.CAGE,
) -> Slip:
    """Count house cheques in as Erin, or as somebody else."""
    receipt = HOUSE_RECEIPT.at(cheques=cheques)
    pen = cast.pen(by or cast.erin, place)
    return raise_kind(receipt, pen=pen, shown=shown_before(receipt), reason=maker)


def begin_destruction(
    cast: Cast,
    cheques: Mapping[int, int],
    reason: str = "Worn out.",
    by: Person | None = None,
) -> Slip:
    """Count house cheques out of the cage as Trent, or as somebody else."""
    gone = HOUSE_DESTRUCTION.at(cheques=cheques)
    pen = cast.pen(by or cast.trent, Place.CAGE)
    return raise_kind(gone, pen=pen, shown=shown_before(gone), reason=reason)


def receive(cast: Cast, cheques: Mapping[int, int]) -> Slip:
    """Receive house cheques from the maker: Erin counts, Frank counts too."""
    receipt = begin_receipt(cast, cheques)
    cast.sign(receipt, "taken_in", cast.frank, Place.CAGE, entry=Entry(counted=cheques))
    receipt.refresh_from_db()
    return receipt
