"""The pure rules of late entries and of a box's figures."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from pitboss.rules.day.late_papers import (
    TrayMove,
    correction_refusals,
    tray_refusals,
)
from pitboss.rules.drop.figures import (
    FIGURE_LINES,
    FIGURE_MAX,
    Documents,
    cash_cents,
    document_refusals,
    read_figures,
    read_keyed,
)
from pitboss.rules.flows.signing import figure_refusals
from pitboss.rules.refusal import Refused

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


@pytest.mark.parametrize("raw", ["F-2026-000003/Ü", "F" * 60])
def test_a_code_that_no_form_bears_is_refused(raw: str) -> None:
    with pytest.raises(Refused) as refused:
        Documents(name="documents", label="Found").read(raw)
    assert "Scan it again." in str(refused.value)


def test_only_a_closed_day_is_corrected() -> None:
    assert correction_refusals(date(2026, 5, 1), is_closed=True) == []
    open_day = correction_refusals(date(2026, 5, 1), is_closed=False)
    assert [r.code for r in open_day] == ["day_open"]


def minutes(after: int, **changes: int) -> TrayMove:
    return TrayMove(NOW + timedelta(minutes=after), {10_000: changes["blacks"]})


@pytest.mark.parametrize(
    ("wanted", "moves", "found", "codes"),
    [
        (4, [], 0, []),
        (5, [], 0, ["tray_did_not_hold"]),
        (5, [], 1, []),
        (6, [], 1, ["tray_did_not_hold"]),
        # A fill before it, at that very minute, and one after it.
        (5, [minutes(-1, blacks=1)], 0, []),
        (5, [minutes(0, blacks=1)], 0, []),
        (5, [minutes(1, blacks=1)], 0, ["tray_did_not_hold"]),
        (4, [minutes(1, blacks=-1)], 0, ["tray_does_not_hold"]),
        (3, [minutes(1, blacks=-1)], 0, []),
        (4, [minutes(1, blacks=-1)], 1, []),
        # It was not there for a while, whatever came again, and in whatever order it is told.
        (4, [minutes(2, blacks=3), minutes(1, blacks=-1)], 0, ["tray_does_not_hold"]),
        (5, [minutes(1, blacks=-1)], 0, ["tray_did_not_hold"]),
    ],
)
def test_a_tray_gives_what_it_held_then_and_ever_since(
    wanted: int, moves: list[TrayMove], found: int, codes: list[str]
) -> None:
    refusals = tray_refusals(
        {10_000: wanted},
        counted={10_000: 4, 500: 80},
        moves=moves,
        true_time=NOW,
        found={10_000: found},
    )
    assert [refusal.code for refusal in refusals] == codes
    # What the tray should hold is told to nobody who may count it next.
    assert not any("4" in refusal.message for refusal in refusals)
