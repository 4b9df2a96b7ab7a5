"""The pure rules of late entries and of a box's figures."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from pitboss.rules.drop_flows import (
    FIGURE_LINES,
    FIGURE_MAX,
    cash_cents,
    document_refusals,
    read_figures,
    read_keyed,
)
from pitboss.rules.late_flows import (
    correction_refusals,
    read_paper_number,
    true_time_refusals,
)
from pitboss.rules.refusal import Refused
from pitboss.rules.signing import figure_refusals

NOW = datetime(2026, 5, 1, 13, tzinfo=UTC)


def test_every_line_of_a_box_is_there_and_empty_lines_are_nothing() -> None:
    figures = read_figures({"cash_100": 700, "documents": 3})
    assert list(figures) == [line.key for line in FIGURE_LINES]
    assert cash_cents(figures) == 700
    assert figures["documents"] == 3


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ({"cash_2500": 2_500}, "figure_unknown"),
        ({"cash_10000": 10_050}, "not_a_multiple"),
        ({"coupons": -1}, "figure_malformed"),
        ({"coupons": "12"}, "figure_malformed"),
        ({"coupons": True}, "figure_malformed"),
        ({"coupons": FIGURE_MAX + 1}, "figure_malformed"),
    ],
)
def test_a_figure_that_cannot_be_is_refused(raw: dict[str, object], code: str) -> None:
    with pytest.raises(Refused) as caught:
        read_figures(raw)
    assert caught.value.codes == (code,)


def test_every_wrong_figure_is_named_at_once() -> None:
    with pytest.raises(Refused) as caught:
        read_figures({"cash_10000": 50, "cash_500": 499, "coupons": -5})
    assert sorted(caught.value.codes) == ["figure_malformed", "not_a_multiple", "not_a_multiple"]


@pytest.mark.parametrize(
    ("line", "words"),
    [("coupons", "12.5"), ("coupons", "twelve"), ("coupons", "-3"), ("documents", "1.00")],
)
def test_words_that_are_no_figure_are_refused(line: str, words: str) -> None:
    with pytest.raises(Refused) as caught:
        read_keyed({line: words})
    assert caught.value.codes == ("figure_malformed",)


def test_a_line_that_differs_is_named_without_its_figure() -> None:
    (refusal,) = figure_refusals({"cash_10000": 90_000}, {"cash_10000": 80_000})
    assert refusal.code == "figures_differ"
    assert "900" not in refusal.message


def test_papers_are_named_one_by_one() -> None:
    figures = read_figures({"documents": 1})
    assert document_refusals(figures, ("F-2026-000001",)) == []
    assert [r.code for r in document_refusals(figures, ())] == ["documents_differ"]


def test_a_true_time_is_past_and_within_the_days_of_the_house() -> None:
    assert true_time_refusals(NOW, NOW, 7) == []
    assert true_time_refusals(NOW - timedelta(days=7), NOW, 7) == []
    ahead = true_time_refusals(NOW + timedelta(microseconds=1), NOW, 7)
    assert [r.code for r in ahead] == ["true_time_ahead"]
    old = true_time_refusals(NOW - timedelta(days=7, microseconds=1), NOW, 7)
    assert [r.code for r in old] == ["true_time_too_old"]


@pytest.mark.parametrize("keyed", ["", "  ", "no number", "M_31", "-31", "M" * 21, "Ｍ-1"])
def test_a_paper_number_that_no_paper_bears_is_none(keyed: str) -> None:
    assert read_paper_number(keyed) is None


def test_only_a_closed_day_is_corrected() -> None:
    assert correction_refusals(date(2026, 5, 1), is_closed=True) == []
    open_day = correction_refusals(date(2026, 5, 1), is_closed=False)
    assert [r.code for r in open_day] == ["day_open"]
