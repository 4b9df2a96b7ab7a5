"""What follows from a variance, by jurisdiction: who is told, who reports, and by when."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pitboss.rules.roles import Role
from pitboss.rules.tolerances import PRESETS, Tolerance

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
    assert PRESETS[preset].consequences(variance_cents) == sentences


@pytest.mark.parametrize(
    "wrong",
    [{"report_from_cents": -1}, {"regulator_from_cents": 0}, {"regulator_hours": -1}],
)
def test_a_tolerance_that_makes_no_sense_cannot_be_written(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        replace(PRESETS["NJ"], **wrong)


def test_every_preset_is_found_by_its_own_name() -> None:
    assert all(isinstance(each, Tolerance) and key == each.id for key, each in PRESETS.items())
