"""What a winner reads before they sign: what they get comes first, then the win and its tax."""

from __future__ import annotations

import pytest

from jackpots.kinds.tax_papers import TAX_PAPERS_KIND
from pitboss.models import Slip
from pitboss.rules.tax.papers import Declaration

pytestmark = pytest.mark.django_db


def papers(federal_cents: int, state_cents: int) -> Slip:
    paid = {"share_cents": 3_000_000, "federal_cents": federal_cents, "state_cents": state_cents}
    # No one on file, who could have chosen a language.
    paid["patron"] = 0
    return Slip(details={"winners": [paid], "declarations": [Declaration.W2G.value]})


def test_the_net_amount_is_the_headline_where_tax_is_withheld() -> None:
    assert TAX_PAPERS_KIND.reads is not None
    read = TAX_PAPERS_KIND.reads(papers(720_000, 82_500))
    assert (read["amount_cents"], read["caption"]) == (2_197_500, "You receive")
    assert read["lines"] == [
        ("Win", 3_000_000),
        ("Federal tax withheld", 720_000),
        ("State tax withheld", 82_500),
    ]
    assert read["says"] == [Declaration.W2G.text]


def test_where_nothing_is_withheld_the_win_is_what_they_get() -> None:
    assert TAX_PAPERS_KIND.reads is not None
    read = TAX_PAPERS_KIND.reads(papers(0, 0))
    assert read["amount_cents"] == 3_000_000
    assert read["lines"] == [("Win", 3_000_000)]
