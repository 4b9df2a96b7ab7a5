"""How payouts were made, for coaching: caught, overpaid, underpaid, by dealer, wager and table."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from pitboss.reports.book import BOOK
from pitboss.reports.report import ReportChoice
from pitboss.rules.payouts.mismatches import Way
from pitboss.rules.roles import Place
from tables.selectors.payout_stats import PayoutTally, payout_stats
from tables.services.mismatches import settle_mismatch
from tests.floor.cast import Cast, ServerClock
from tests.floor.payouts import SUPER_3, UNKNOWN, checked, open_with_terminal, paid
from tests.floor.tablets import period_now, signed_in, words
from tests.floor.terminals import TerminalClient

pytestmark = pytest.mark.django_db

TRILUX = SUPER_3 | {"wager": "trilux", "stake_cents": 500, "paid_cents": 4_500}


@pytest.fixture
def terminal(cast: Cast, server_clock: ServerClock) -> TerminalClient:
    """Let Dan pay right, be caught both ways, and pay wrong; then Dora, right."""
    terminal = open_with_terminal(cast)
    checked(terminal)
    checked(terminal, paid_cents=90_000)
    checked(terminal, paid_cents=100)
    over = paid(terminal, paid_cents=90_000)
    paid(terminal, TRILUX, paid_cents=4_000)
    paid(terminal, UNKNOWN, paid_cents=2_500)
    settle_mismatch(
        mismatch_id=over.pk,
        way=Way.CORRECTED,
        reason="",
        found_cents=None,
        pen=cast.pen(cast.alice),
    )
    pen = cast.pen(cast.dora)
    terminal.post("dealer/in", {"badge": pen.badge, "pin": pen.pin})
    checked(terminal, TRILUX)
    return terminal


def test_payouts_are_told_in_both_directions_by_dealer_wager_and_table(
    cast: Cast, terminal: TerminalClient, django_assert_num_queries: Any
) -> None:
    today = period_now().gaming_day
    # The house's clock at both ends, the checks, the people, the tables.
    with django_assert_num_queries(5):
        stats = payout_stats(today, today)
    dan = PayoutTally(
        checks=6,
        caught_over=1,
        caught_under=1,
        unverified=1,
        overpaid=1,
        overpaid_cents=45_000,
        underpaid=1,
        underpaid_cents=500,
        paid_unverified=1,
        corrected=1,
    )
    assert [(row.name, row.key) for row in stats.dealers] == [
        (str(cast.dan), cast.dan.badge),
        (str(cast.dora), cast.dora.badge),
    ]
    assert stats.dealers[0].tally == dan
    assert stats.total == dan + PayoutTally(checks=1)
    assert (dan.wrong_per_thousand, PayoutTally().wrong_per_thousand) == (333, 0)
    assert not dan.is_settled
    wagers = {row.key: row.tally for row in stats.wagers}
    assert (wagers["super_3"].overpaid, wagers["trilux"].underpaid_cents) == (1, 500)
    assert [row.name for row in stats.tables] == [cast.table.name]
    assert payout_stats(today, today, dealer=cast.dora).total == PayoutTally(checks=1)
    assert payout_stats(today, today, table=cast.other_table).total == PayoutTally()
    yesterday = today - timedelta(days=1)
    assert payout_stats(yesterday, yesterday).total == PayoutTally()


def test_a_dealer_sees_their_own_payouts_and_nobody_elses(
    cast: Cast, terminal: TerminalClient
) -> None:
    dan = signed_in(cast.dan, cast)
    page = words(dan.get("/payouts/own/"))
    assert ("overpaid by $450" in page, "$450" in page, str(cast.dora) in page) == (
        True,
        True,
        False,
    )
    asked = words(dan.get(f"/payouts/own/?dealer={cast.dora.badge}"))
    assert "overpaid by $450" in asked
    assert dan.get("/payouts/").status_code == 403
    dora = words(signed_in(cast.dora, cast).get("/payouts/own/"))
    assert "overpaid" not in dora


def test_supervisors_read_of_everybody_of_one_dealer_and_of_one_table(
    cast: Cast, terminal: TerminalClient
) -> None:
    alice = signed_in(cast.alice, cast)
    page = words(alice.get("/payouts/"))
    assert (str(cast.dan) in page, str(cast.dora) in page, "Left as paid" in page) == (True,) * 3
    of_dora = words(alice.get(f"/payouts/?dealer={cast.dora.badge}"))
    assert (f"Payouts of {cast.dora}" in of_dora, "overpaid" in of_dora) == (True, False)
    assert "No payouts checked" in words(
        alice.get(f"/tables/{cast.other_table.name}/payouts/?from=2026-04-01&to=nonsense")
    )
    auditor = signed_in(cast.olga, cast, Place.OFFICE)
    assert auditor.get(f"/tables/{cast.table.name}/payouts/").status_code == 200
    assert signed_in(cast.erin, cast, Place.CAGE).get("/payouts/").status_code == 403


def test_the_report_of_mismatches_tells_each_and_how_it_ended(
    cast: Cast, terminal: TerminalClient
) -> None:
    today = period_now().gaming_day
    report = BOOK["mismatches"].make(ReportChoice(today, today, by="dealer"))
    tallied, wrong = (
        [[cell.value for cell in row.cells] for row in section.rows] for section in report.sections
    )
    assert tallied[0] == [str(cast.dan), 6, 2, 1, 45_000, 1, 500, 1, 1, 0]
    assert report.finding is not None
    assert report.finding.words == "Payout mismatches not settled: 2."
    # Newest first: what could not be verified, what was too little, what was too much.
    assert [row[6] for row in wrong] == [None, -500, 45_000]
    assert str(wrong[-1][7]).endswith(f"by {cast.alice}")
    opened = BOOK["mismatches"].make(ReportChoice(today, today, by="wager", of="underpaid: trilux"))
    assert [row.cells[6].value for row in opened.sections[0].rows] == [-500]
    client = signed_in(cast.heidi, cast)
    for by in ("dealer", "wager", "table"):
        page = client.get(f"/reports/mismatches/?by={by}")
        links = [
            cell["url"] for s in page.context["sections"] for r in s["rows"] for cell in r["cells"]
        ]
        assert all(client.get(link).status_code == 200 for link in {*links} - {""})
