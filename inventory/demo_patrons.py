"""Patrons of the demo: some with lines, one who owes, and a marker that waits for its patron."""

from __future__ import annotations

import math

from django.db import transaction

from inventory.kinds.marker import MARKER, cut_of
from inventory.kinds.marker_payment import MARKER_PAYMENT
from inventory.kinds.patron_credit import CREDIT_LINE
from inventory.models import Patron
from inventory.selectors.patrons import identity_documents
from inventory.services.patrons import NewDocument, add_document, add_patron, put_patron
from pitboss.demo import demo_device, demo_pen, demo_person, demo_signer
from pitboss.models import Device, Pit, Slip, Table
from pitboss.rules.flows.drawn import Drawn
from pitboss.rules.patrons.patrons import DocumentKind
from pitboss.rules.roles import Place, Role
from pitboss.selectors.slips import due_step
from pitboss.services import house
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry, sign
from pitboss.slips.raising import raise_kind, shown_before

# First and last name, town, player card, tax id, and line in dollars.
_PATRONS = (
    ("Elena", "Marchetti", "Newark", "70014412", "212-07-4410", 10_000),
    ("Desmond", "Achebe", "Trenton", "70018830", "311-52-9087", 25_000),
    ("Ruth", "Lindgren", "Camden", "70020177", "140-66-2251", 5_000),
    ("Walter", "Ozawa", "Hoboken", "70021956", "", 0),
    ("Viktor", "Halloran", "Paterson", "70023304", "208-41-7733", 5_000),
    ("Naomi", "Petit", "Bayonne", "70024871", "133-90-5518", 10_000),
)
# Who has a card of the loyalty club and no line: its own system puts them on file.
_CLUB = (
    "Grace Adeyemi, Tomas Beck, Ines Carvalho, Hal Dorsey, Mei Feng, Paulo Gomes, "
    "Nora Haddad, Otis Ingram, Priya Joshi, Karl Keller, Lucia Lombardi, Sean Murphy, "
    "Aiko Nakata, Victor Olsen, Rosa Pinto, Hugo Quist, Farah Rahman, Ivan Sokolov, "
    "Maya Torres, Emil Urban, Clara Vance, Jonas Weiss, Zoe Yates, Adam Zielinski"
)
_CLUB_CARD = 70_030_000
# A wave with two loops: enough of a hand to look at.
_HAND = tuple(
    (80 + 14 * step, 150 + round(70 * math.sin(step / 3) * math.cos(step / 11)))
    for step in range(55)
)


def file_patrons() -> None:
    """Put patrons on file, with their papers and their lines."""
    for index in range(len(_PATRONS)):
        _patron(index)
    club = demo_device(Place.OFFICE)
    with transaction.atomic():
        for number, name in enumerate(_CLUB.split(", ")):
            first, last = name.split()
            keyed = {
                "first_name": first,
                "last_name": last,
                "player_card": str(_CLUB_CARD + number),
            }
            put_patron(keyed=keyed, device=club)


def club_cards() -> list[str]:
    """Return the cards of the loyalty club's patrons."""
    return [str(_CLUB_CARD + number) for number in range(len(_CLUB.split(", ")))]


def lend_to_patrons() -> None:
    """Let two patrons borrow, and one of them pay some of it back."""
    tables = {table.name: table for table in Table.objects.select_related("pit")}
    first, second = patron_on_file(0), patron_on_file(1)
    _sign_to_the_end(_issue(tables["BJ-11"], first, 300_000))
    _sign_to_the_end(_issue(tables["BJ-14"], second, 1_000_000))
    _sign_to_the_end(_pay(tables["BJ-14"], second, 250_000))


def leave_markers(pit: Pit) -> None:
    """Leave a marker that waits for its patron, and one for someone who lets it pass the line."""
    for name, index, amount_cents, over in (
        ("BJ-16", 0, 200_000, False),
        ("BJ-36", 2, 600_000, True),
    ):
        table = Table.objects.filter(name=name, pit=pit).select_related("pit").first()
        if table is not None:
            _issue(table, patron_on_file(index), amount_cents, over=over)


def borrow(table: Table, patron: Patron, amount_cents: int) -> None:
    """Let a patron borrow at a table, until everyone has signed."""
    _sign_to_the_end(_issue(table, patron, amount_cents))


def patron_on_file(index: int) -> Patron:
    """Return one of the demo's patrons."""
    return Patron.objects.get(player_card=_PATRONS[index][3])


def _patron(index: int) -> Patron:
    first, last, city, card, tax_id, line = _PATRONS[index]
    pen = demo_pen(demo_person(Role.CASHIER), demo_device(Place.CAGE))
    patron = add_patron(
        keyed={
            "first_name": first,
            "last_name": last,
            "street": f"{12 + index} Harbour Street",
            "city": city,
            "region": "NJ",
            "postal_code": f"0{7100 + index}",
            "born_on": f"{1961 + 5 * index}-03-14",
            "player_card": card,
            "tax_id": tax_id,
        },
        pen=pen,
    )
    if not line:
        return patron
    for new in (
        NewDocument(DocumentKind.DRIVING_LICENCE, number=f"M4{city.upper()}{card}", issuer="NJ"),
        NewDocument(DocumentKind.BANK_ACCOUNT, number=f"0044{card}", issuer="Garden State Bank"),
    ):
        add_document(
            patron_id=patron.pk,
            new=new,
            pen=demo_pen(demo_person(Role.CASHIER), demo_device(Place.CAGE)),
        )
    raising = CREDIT_LINE.at(patron=patron, line="permanent", amount=line * 100)
    proposed = raise_kind(
        raising,
        reason="Bank reference and two years of play.",
        pen=demo_pen(demo_person(Role.CASHIER), demo_device(Place.CAGE)),
        shown=shown_before(raising),
    )
    sign(
        slip_id=proposed.pk,
        step="approved",
        pen=demo_pen(demo_person(Role.CAGE_MANAGER), demo_device(Place.CAGE)),
        shown=slip_shown(proposed),
    )
    return patron


def _issue(table: Table, patron: Patron, amount_cents: int, *, over: bool = False) -> Slip:
    table.refresh_from_db()
    marker = MARKER.at(table, cut_of(table, amount_cents), patron=patron, over=over)
    pen = demo_pen(demo_person(Role.SUPERVISOR), _tablet(table.pit))
    return raise_kind(marker, pen=pen, shown=shown_before(marker))


def _pay(table: Table, patron: Patron, cash_cents: int) -> Slip:
    table.refresh_from_db()
    payment = MARKER_PAYMENT.at(table, patron=patron, cash=cash_cents)
    pen = demo_pen(demo_signer(Role.DEALER, table), _tablet(table.pit))
    return raise_kind(payment, pen=pen, shown=shown_before(payment))


def _sign_to_the_end(slip: Slip) -> None:
    """Let the demo's people sign a marker or a payment."""
    while (due := due_step(slip)) is not None:
        assert slip.table is not None
        entry = patron_signs(slip) if due.drawn else Entry()
        sign(
            slip_id=slip.pk,
            step=due.name,
            pen=demo_pen(demo_signer(due.by[0], slip.table), _tablet(slip.table.pit)),
            shown=slip_shown(slip),
            entry=entry,
        )
        slip = Slip.objects.select_related("table__pit").get(pk=slip.pk)


def patron_signs(slip: Slip) -> Entry:
    """Return what the patron of a slip draws on the tablet, with the paper they showed."""
    patron = Patron.objects.get(pk=slip.details["patron"])
    today = house.period_at(house.now()).gaming_day
    return Entry(drawn=Drawn((_HAND,), identity_documents(patron, today)[0].pk))


def _tablet(pit: Pit) -> Device:
    return demo_device(Place.PIT, pit)
