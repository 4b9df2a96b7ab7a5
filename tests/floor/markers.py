"""How the cast lends to a patron and is paid back."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from inventory.kinds.marker import MARKER, cut_of
from inventory.kinds.marker_payment import MARKER_PAYMENT, MARKER_PAYMENT_CAGE
from inventory.kinds.marker_transfer import MARKER_RECALL, MARKER_TRANSFER
from inventory.kinds.patron_credit import CREDIT_LINE, CREDIT_RESTORE, CREDIT_STOP
from inventory.models import CreditLine, Marker, Patron
from inventory.selectors.patrons import identity_documents
from inventory.services.patrons import NewDocument, add_document, add_patron
from pitboss.models import Person, Pit, Slip, Table
from pitboss.rules.flows.drawn import Drawn
from pitboss.rules.flows.flows import Track
from pitboss.rules.patrons.patrons import DocumentKind, Standing
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry, Pen
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast

TRAY = {10_000: 100, 2_500: 100}
STROKES = (
    ((100, 100), (150, 60), (200, 140), (260, 80)),
    ((300, 90), (360, 120), (420, 70), (480, 100)),
)
KEYED = {"street": "1 Ocean Ave", "city": "Atlantic City", "region": "NJ", "postal_code": "08401"}


def make_patron(cast: Cast, first: str = "Ana", last: str = "Ruiz", **keyed: str) -> Patron:
    """Put a patron on file with an address, a passport and a bank."""
    patron = add_patron(
        keyed={"first_name": first, "last_name": last, **KEYED, **keyed}, pen=cast.pen(cast.alice)
    )
    for new in (
        NewDocument(DocumentKind.PASSPORT, number="X12345678", issuer="US"),
        NewDocument(DocumentKind.BANK_ACCOUNT, number="000123456789", issuer="First Bank"),
    ):
        add_document(patron_id=patron.pk, new=new, pen=cast.pen(cast.alice))
    return patron


def propose(
    cast: Cast,
    patron: Patron,
    amount_cents: int,
    kind: CreditLine.Kind = CreditLine.Kind.PERMANENT,
    until: datetime | None = None,
    by: Person | None = None,
) -> Slip:
    """Propose a line as Erin, or as somebody else."""
    line = CREDIT_LINE.at(patron=patron, line=kind.value, amount=amount_cents, **_ends(until))
    pen = cast.pen(by or cast.erin, Place.CAGE)
    return raise_kind(line, pen=pen, shown=shown_before(line), reason="Good bank reference.")


def _ends(until: datetime | None) -> dict[str, Any]:
    return {"until": until.isoformat()} if until else {}


def grant(
    cast: Cast,
    patron: Patron,
    amount_cents: int,
    kind: CreditLine.Kind = CreditLine.Kind.PERMANENT,
    until: datetime | None = None,
) -> CreditLine:
    """Grant a line: Erin proposes, Trent approves."""
    slip = propose(cast, patron, amount_cents, kind, until)
    cast.sign(slip, "approved", cast.trent, Place.CAGE)
    return CreditLine.objects.get(slip=slip)


def stop(cast: Cast, patron: Patron, standing: Standing = Standing.SUSPENDED) -> Slip:
    stopped = CREDIT_STOP.at(patron=patron, standing=standing.value)
    pen = cast.pen(cast.trent, Place.CAGE)
    return raise_kind(stopped, pen=pen, shown=shown_before(stopped), reason="Returned by the bank.")


def restore(cast: Cast, patron: Patron) -> Slip:
    restored = CREDIT_RESTORE.at(patron=patron)
    pen = cast.pen(cast.erin, Place.CAGE)
    return raise_kind(restored, pen=pen, shown=shown_before(restored), reason="Paid in full.")


def issue(
    cast: Cast,
    patron: Patron,
    amount_cents: int,
    *,
    table: Table | None = None,
    by: Person | None = None,
    over: bool = False,
    pen: Pen | None = None,
    cheques: Mapping[int, int] | None = None,
) -> Slip:
    """Issue a marker as Alice, or as somebody else, at the first table or another."""
    table = Table.objects.get(pk=(table or cast.table).pk)
    cut = cut_of(table, amount_cents) if cheques is None else cheques
    marker = MARKER.at(table, cut, patron=patron, over=over)
    return raise_kind(marker, pen=pen or cast.pen(by or cast.alice), shown=shown_before(marker))


def drawn(slip: Slip) -> Drawn:
    """Return the patron's signature, matched with the ID on file."""
    patron = Patron.objects.get(pk=slip.details["patron"])
    today = house.period_at(house.now()).gaming_day
    return Drawn(STROKES, identity_documents(patron, today)[0].pk)


def sign_as_patron(cast: Cast, slip: Slip, by: Person | None = None) -> None:
    cast.sign(slip, "patron_signed", by or cast.alice, entry=Entry(drawn=drawn(slip)))


def authorise(cast: Cast, slip: Slip, by: Person | None = None) -> None:
    entry = Entry(reason="Known for twenty years.")
    cast.sign(slip, "authorised", by or cast.heidi, entry=entry)


def pay_out(cast: Cast, slip: Slip) -> Marker:
    """Let everybody sign a marker that was issued, until its cheques are out."""
    if any(step["name"] == "authorised" for step in slip.plan):
        authorise(cast, slip)
    sign_as_patron(cast, slip)
    cast.sign(slip, "dealer_signed", cast.dan)
    cast.sign(slip, "approved", cast.alice)
    return Marker.objects.get(slip=slip)


def lend(
    cast: Cast, patron: Patron, amount_cents: int, *, table: Table | None = None, over: bool = False
) -> Marker:
    """Issue a marker and pay it out."""
    return pay_out(cast, issue(cast, patron, amount_cents, table=table, over=over))


def void(cast: Cast, slip: Slip) -> None:
    """Void a marker: Alice, before Ivan's eyes."""
    entry = Entry(reason="The patron went home.")
    cast.sign(slip, "voided", cast.alice, entry=entry, track=Track.VOID)
    cast.sign(slip, "void_witnessed", cast.ivan, Place.SURVEILLANCE, track=Track.VOID)


def receive(
    cast: Cast,
    patron: Patron,
    *,
    cheques: Mapping[int, int] | None = None,
    cash_cents: int = 0,
    table: Table | None = None,
    at_cage: bool = False,
    first: str = "",
    waiver: str = "",
) -> Slip:
    """Take a payment as Dan at a table, or as Erin at the cage."""
    where = None if at_cage else Table.objects.get(pk=(table or cast.table).pk)
    kind = MARKER_PAYMENT_CAGE if at_cage else MARKER_PAYMENT
    paid = kind.at(where, cheques, patron=patron, cash=cash_cents, first=first, waiver=waiver)
    pen = cast.pen(cast.erin, Place.CAGE) if at_cage else cast.pen(cast.dan)
    return raise_kind(paid, pen=pen, shown=shown_before(paid))


def pay(
    cast: Cast,
    patron: Patron,
    *,
    cheques: Mapping[int, int] | None = None,
    cash_cents: int = 0,
    table: Table | None = None,
    at_cage: bool = False,
    first: str = "",
    waiver: str = "",
) -> Slip:
    """Take a payment and let the second person verify it."""
    slip = receive(
        cast,
        patron,
        cheques=cheques,
        cash_cents=cash_cents,
        table=table,
        at_cage=at_cage,
        first=first,
        waiver=waiver,
    )
    verifier, place = (cast.trent, Place.CAGE) if at_cage else (cast.alice, Place.PIT)
    cast.sign(slip, "payment_verified", verifier, place)
    slip.refresh_from_db()
    return slip


def send(cast: Cast, serials: Collection[str], pit: Pit | None = None) -> Slip:
    """Send markers of a pit to the cage, as Alice."""
    sent = MARKER_TRANSFER.at(pit=pit or cast.pit, marker=serials)
    return raise_kind(sent, pen=cast.pen(cast.alice), shown=shown_before(sent))


def transfer(cast: Cast, serials: Collection[str], pit: Pit | None = None) -> Slip:
    """Send markers to the cage, which takes them."""
    slip = send(cast, serials, pit)
    cast.sign(slip, "taken_by_cage", cast.erin, Place.CAGE)
    return slip


def recall(cast: Cast, serials: Collection[str], pit: Pit | None = None) -> Slip:
    """Bring markers from the cage back to a pit."""
    sent = MARKER_RECALL.at(pit=pit or cast.pit, marker=serials)
    slip = raise_kind(sent, pen=cast.pen(cast.erin, Place.CAGE), shown=shown_before(sent))
    cast.sign(slip, "taken_by_pit", cast.alice)
    return slip
