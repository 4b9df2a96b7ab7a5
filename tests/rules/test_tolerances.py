"""What follows from a variance, by jurisdiction: who is told, who reports, and by when."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from pitboss.rules.cheques.tolerances import PRESETS, VarianceTerms
from pitboss.rules.roles import Role

BOTH = (Role.SECURITY, Role.SURVEILLANCE)


@pytest.mark.parametrize(
    ("preset", "variance_cents", "reporting", "regulator"),
    [
        # New Jersey: a report above $25, the regulator from $100.
        ("NJ", 0, (), False),
        ("NJ", -2_500, (), False),
        ("NJ", -2_501, BOTH, False),
        ("NJ", 3_000, BOTH, False),
        ("NJ", 9_999, BOTH, False),
        ("NJ", -10_000, BOTH, True),
        # Kansas: no report, the regulator's agent at once from $100.
        ("KS", -9_999, (), False),
        ("KS", 10_000, (), True),
        # Washington: security signs any error, colours alone too; the regulator from $200.
        ("WA", 0, (Role.SECURITY,), False),
        ("WA", -19_999, (Role.SECURITY,), False),
        ("WA", 20_000, (Role.SECURITY,), True),
    ],
)
def test_each_preset_reports_from_its_own_amounts(
    preset: str, variance_cents: int, reporting: tuple[Role, ...], regulator: bool
) -> None:
    tolerance = PRESETS[preset]
    assert tolerance.who_reports(variance_cents) == reporting
    assert tolerance.is_told_to_regulator(variance_cents) == regulator


@pytest.mark.parametrize(
    ("preset", "variance_cents", "sentences"),
    [
        ("NJ", 500, ["The shift manager is notified immediately and signs."]),
        (
            "NJ",
            -10_000,
            [
                "The shift manager is notified immediately and signs.",
                "The security officer and surveillance officer sign a report.",
                "The regulator is notified within 24 hours.",
            ],
        ),
        (
            "KS",
            -10_000,
            [
                "The shift manager is notified immediately and signs.",
                "The regulator is notified immediately.",
            ],
        ),
        (
            "WA",
            100,
            [
                "The shift manager is notified immediately and signs.",
                "The security officer signs a report.",
            ],
        ),
    ],
)
def test_the_screen_says_what_follows(
    preset: str, variance_cents: int, sentences: list[str]
) -> None:
    terms = VarianceTerms(PRESETS[preset], is_strict=True)
    assert terms.consequences(variance_cents) == sentences


_AUTHORIZED = "The shift manager authorizes it, from any device. Then the table opens."
_NOTIFIED = "The table opens. The shift manager is notified."


@pytest.mark.parametrize(
    ("preset", "variance_cents", "hours", "sentences"),
    [
        (
            "NJ",
            -2_500,
            2,
            [_NOTIFIED, "The security officer and surveillance officer are notified."],
        ),
        (
            "NJ",
            2_501,
            2,
            [
                _AUTHORIZED,
                "The security officer and surveillance officer each owe a report within 2 hours.",
            ],
        ),
        ("KS", 2_500, 2, [_NOTIFIED]),
        ("KS", -10_000, 2, [_AUTHORIZED, "The regulator is notified immediately."]),
        ("WA", 0, 1, [_NOTIFIED, "The security officer owes a report within 1 hour."]),
    ],
)
def test_a105_a_table_that_opens_says_who_is_notified(
    preset: str, variance_cents: int, hours: int, sentences: list[str]
) -> None:
    terms = VarianceTerms(PRESETS[preset], report_due=timedelta(hours=hours))
    assert terms.consequences(variance_cents) == sentences
    assert terms.reports_first(variance_cents) == ()


def test_a105_one_who_is_only_notified_is_named_alone() -> None:
    washington = replace(PRESETS["WA"], report_from_cents=100)
    assert VarianceTerms(washington).consequences(0) == [
        _NOTIFIED,
        "The security officer is notified.",
    ]


def test_a03_under_strict_they_report_before_the_table_opens() -> None:
    terms = VarianceTerms(PRESETS["NJ"], is_strict=True)
    assert terms.is_authorized(0)
    assert terms.reports_first(3_000) == BOTH


@pytest.mark.parametrize(
    "wrong",
    [{"report_from_cents": -1}, {"regulator_from_cents": 0}, {"regulator_hours": -1}],
)
def test_a_tolerance_that_makes_no_sense_cannot_be_written(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        replace(PRESETS["NJ"], **wrong)


def test_every_preset_is_found_by_its_own_name() -> None:
    assert all(key == tolerance.id for key, tolerance in PRESETS.items())
