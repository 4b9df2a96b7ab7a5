"""Tax papers in tests: winners on file, papers that the cast prepares, and a payer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from inventory.models import Patron
from inventory.selectors.patrons import identity_documents
from inventory.services.patrons import NewDocument, add_document, add_patron
from jackpots.kinds.tax_papers import TAX_PAPERS_KIND
from jackpots.models import Jackpot
from jackpots.services.hits import newest_figure
from jackpots.services.tax_papers import WinnerClaim
from pitboss.models import Person, Slip
from pitboss.rules.flows.drawn import Drawn
from pitboss.rules.patrons.patrons import DocumentKind
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast
from tests.floor.house import change
from tests.floor.markers import KEYED, STROKES

PAYER = "\n".join(
    (
        "Name: Tide Casino LLC",
        "Street: 500 Boardwalk",
        "City: Atlantic City",
        "State: NJ",
        "ZIP: 08401",
        "Phone: 609-555-0100",
        "TIN: 12-3456789",
        "State id: 123-456-789",
    )
)
SSN = "123-45-6789"
IDS = (
    NewDocument(DocumentKind.DRIVING_LICENCE, number="S12345678901234", issuer="NJ"),
    NewDocument(DocumentKind.OTHER_ID, number="A-99-77665", issuer="Voter card"),
)


def name_payer(cast: Cast) -> None:
    """Let two managers enter who the payer is."""
    change(cast, "tax.payer", PAYER)


def make_winner(
    cast: Cast,
    first: str = "Ana",
    last: str = "Ruiz",
    ids: tuple[NewDocument, ...] = IDS,
    **keyed: str,
) -> Patron:
    """Put a winner on file with an address, a number and two IDs."""
    fields = {"tax_id": SSN, "born_on": "1980-02-03", **KEYED, **keyed}
    patron = add_patron(
        keyed={"first_name": first, "last_name": last, **fields}, pen=cast.pen(cast.alice)
    )
    for new in ids:
        add_document(patron_id=patron.pk, new=new, pen=cast.pen(cast.alice))
    return patron


def claim(slip: Slip, patron: Patron, **change: Any) -> WinnerClaim:
    """Return a winner who takes all of a jackpot and shows every ID on file."""
    jackpot = Jackpot.objects.get(slip=slip)
    today = house.now().date()
    return WinnerClaim(
        **{
            "patron_id": patron.pk,
            "share_cents": newest_figure(jackpot).award_cents,
            "document_ids": tuple(
                identity_documents(patron, today).order_by("pk").values_list("pk", flat=True)
            ),
            **change,
        }
    )


def prepare(
    cast: Cast,
    slip: Slip,
    *claims: WinnerClaim,
    by: Person | None = None,
    also: Sequence[Slip] = (),
) -> Slip:
    """Prepare the papers of a jackpot as Alice, or as somebody else."""
    jackpot = Jackpot.objects.select_related("slip__table").get(slip=slip)
    others = list(Jackpot.objects.select_related("slip").filter(slip__in=also))
    raising = TAX_PAPERS_KIND.at(
        jackpot.slip.table, original=jackpot.slip, win=jackpot, claims=claims, same=others
    )
    return raise_kind(
        raising,
        pen=cast.pen(by or cast.alice),
        shown=shown_before(raising),
    )


def winner_signs(cast: Cast, papers: Slip, by: Person | None = None) -> None:
    """Let the winner sign on the tablet before Alice, or before somebody else."""
    papers.refresh_from_db()
    document = papers.details["winners"][0]["documents"][0]
    entry = Entry(drawn=Drawn(STROKES, document))
    cast.sign(papers, "winner_signed", by or cast.alice, Place.PIT, entry=entry)


def complete(cast: Cast, slip: Slip, patron: Patron, **change: Any) -> Slip:
    """Prepare the papers of a jackpot and let the winner sign where that is due."""
    papers = prepare(cast, slip, claim(slip, patron, **change))
    if any(step["name"] == "winner_signed" for step in papers.plan):
        winner_signs(cast, papers)
    papers.refresh_from_db()
    return papers
