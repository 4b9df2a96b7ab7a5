"""A marker on paper: three parts, the amount in words, the patron's hand, and who let it pass."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from pypdf import PageObject, PdfReader

from inventory.models import Patron
from pitboss.models import Slip
from pitboss.paper.content import Issue
from pitboss.paper.slip import draw_slip
from pitboss.selectors.slip_papers import slip_paper
from pitboss.services import house
from tests.floor.cage import open_with
from tests.floor.cast import Cast
from tests.floor.markers import (
    TRAY,
    grant,
    issue,
    lend,
    make_patron,
    pay,
    propose,
    sign_as_patron,
    stop,
    transfer,
    void,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(cast: Cast) -> Patron:
    open_with(cast, TRAY)
    patron = make_patron(cast, player_card="PC-1001")
    grant(cast, patron, 1_000_000)
    return patron


def words_of(slip: Slip) -> str:
    """Return the words of all the parts that a slip can have now."""
    slip = Slip.objects.get(pk=slip.pk)
    pdf = draw_slip(slip_paper(slip, Issue("B. Fontaine CG-50316", house.now(), 1)))
    pages = PdfReader(BytesIO(pdf)).pages
    return " ".join(" ".join(page.extract_text().split()) for page in pages)


def _operations(page: PageObject) -> list[tuple[Any, bytes]]:
    contents = page.get_contents()
    assert contents is not None
    return contents.operations


def test_a_marker_has_three_parts_that_say_whose_and_how_much(cast: Cast, ana: Patron) -> None:
    words = words_of(lend(cast, ana, 300_000).slip)
    for part in ("ORIGINAL", "ISSUE SLIP", "PAYMENT SLIP"):
        assert part in words
    assert "Three thousand dollars" in words
    assert "Ana Ruiz, card PC-1001" in words
    assert "$10,000, $7,000 remains after it" in words
    assert "First Bank …6789" in words
    assert "matched with passport …5678" in words


@pytest.mark.parametrize("over", [False, True])
def test_what_the_patron_promises_is_set_in_lines_and_never_squeezed(
    cast: Cast, ana: Patron, over: bool
) -> None:
    slip = lend(cast, ana, 1_200_000 if over else 300_000, over=over).slip
    promise = Slip.objects.get(pk=slip.pk).details["reads"]["says"][0]
    assert promise.startswith("I promise to pay")
    assert promise in words_of(slip)
    paper = slip_paper(Slip.objects.get(pk=slip.pk), Issue("B. Fontaine", house.now(), 1))
    for page in PdfReader(BytesIO(draw_slip(paper))).pages:
        # Tz sets how narrow letters are, in percent.
        scales = [operands[0] for operands, name in _operations(page) if name == b"Tz"]
        assert min(scales) > 70


def test_what_the_patron_drew_is_drawn_on_each_part(cast: Cast, ana: Patron) -> None:
    slip = issue(cast, ana, 300_000)
    before = draw_slip(slip_paper(slip, Issue("", house.now(), None)))
    assert "signs here" in words_of(slip)
    sign_as_patron(cast, slip)
    slip = Slip.objects.get(pk=slip.pk)
    paper = slip_paper(slip, Issue("", house.now(), None))
    assert paper.patron is not None
    assert paper.patron.strokes[0][:2] == ((100, 100), (150, 60))
    assert len(draw_slip(paper)) > len(before)


def test_above_the_line_the_paper_names_who_let_it_pass(cast: Cast, ana: Patron) -> None:
    words = words_of(lend(cast, ana, 1_200_000, over=True).slip)
    assert "Above the line $2,000" in words
    assert "Authorized over the line Known for twenty years." in words


def test_a_voided_marker_says_so_on_every_part(cast: Cast, ana: Patron) -> None:
    slip = issue(cast, ana, 300_000)
    void(cast, slip)
    words = words_of(slip)
    assert words.count("VOID") >= 3
    assert "The patron went home." in words


def test_payments_transfers_and_lines_have_papers_of_their_own(cast: Cast, ana: Patron) -> None:
    marker = lend(cast, ana, 300_000)
    paid = words_of(pay(cast, ana, cash_cents=100_000))
    assert "$1,000 of it, $2,000 still owed" in paid
    assert "RECEIPT" in paid
    sent = words_of(transfer(cast, [str(marker)]))
    assert f"{marker} Ana Ruiz, $2,000" in sent
    assert "$5,000, permanent" in words_of(propose(cast, ana, 500_000))
    assert "suspended from credit" in words_of(stop(cast, ana))
