"""The book of settings: what may be keyed, what goes together, and from when it holds."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pitboss.rules.book.options import DEFAULT_OPTIONS, OPTIONS
from pitboss.rules.cheques.tolerances import PRESETS
from pitboss.rules.day.gaming_day import gaming_day
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.rules.settings.book import BOOK, by_subject, change_refusals
from pitboss.rules.settings.in_force import (
    DatedValue,
    SettingsInForce,
    day_change,
    in_force,
    period_at,
)
from pitboss.rules.settings.kinds import SHIFTS_MAX, ShiftList, clock_of
from pitboss.rules.settings.page import settings_page
from pitboss.rules.settings.yields import TargetList

NEW_YORK = ZoneInfo("America/New_York")
DEFAULTS = SettingsInForce({})
MAY_1 = datetime(2026, 5, 1, 13, tzinfo=UTC)


def test_the_page_of_settings_is_what_the_book_says() -> None:
    written = Path("docs/settings.md").read_text()
    assert written == settings_page(), "run: python -m pitboss.rules settings > docs/settings.md"


@pytest.mark.parametrize("setting", BOOK.values(), ids=lambda setting: setting.key)
def test_every_default_is_a_value_that_could_be_keyed(setting: Any) -> None:
    assert setting.kind.read(setting.kind.text(setting.default)) == setting.default
    assert setting.words(setting.default)
    assert setting.kind.hint.endswith(".")
    assert setting.title
    assert setting.changes.endswith(".")


def test_the_book_knows_every_series_and_every_option() -> None:
    assert {f"papers.series.{flow.series}" for flow in FLOWS.values()} <= BOOK.keys()
    assert {f"reading.{option.name}" for option in OPTIONS} <= BOOK.keys()
    assert sum(map(len, by_subject(BOOK.values()).values())) == len(BOOK)


@pytest.mark.parametrize(
    ("key", "keyed", "code"),
    [
        ("approval.top_sign_from", "five grand", "amount_malformed"),
        ("approval.top_sign_from", "", "amount_malformed"),
        ("approval.top_sign_from", "-5", "amount_malformed"),
        ("approval.top_sign_from", "0.50", "amount_out_of_range"),
        ("approval.top_sign_from", "900000000", "amount_out_of_range"),
        ("limit.fill.supervisor", "lots", "amount_malformed"),
        ("people.locked_for", "1.5", "number_malformed"),
        ("yield.step", "half", "number_malformed"),
        ("yield.step", "5.01", "number_out_of_range"),
        ("people.locked_for", "0", "number_out_of_range"),
        ("people.locked_for", "241", "number_out_of_range"),
        ("paytable.edge_least", "two", "percent_malformed"),
        ("paytable.edge_most", "100.01", "percent_out_of_range"),
        ("reading.pair_by", "colour", "choice_unknown"),
        ("papers.series.F", "F1", "prefix_malformed"),
        ("papers.series.F", "FILLS", "prefix_malformed"),
        ("day.shifts", "", "shifts_malformed"),
        ("day.shifts", "\n".join(f"{hour:02}:00 {hour}" for hour in range(SHIFTS_MAX + 1)),
         "shifts_malformed"),
        ("day.shifts", "Day", "shifts_malformed"),
        ("day.shifts", "24:00 Day", "shifts_malformed"),
        ("day.shifts", "06:60 Day", "shifts_malformed"),
        ("day.shifts", "06:00 " + "x" * 21, "shifts_malformed"),
        ("day.shifts", "06:00 Day\n05:00 Late\n07:00 Early", "shifts_out_of_order"),
        ("day.shifts", "06:00 Day\n18:00 Day", "shifts_out_of_order"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_what_can(key: str, keyed: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        BOOK[key].kind.read(keyed)
    assert set(refused.value.codes) == {code}
    assert BOOK[key].kind.hint in str(refused.value)


def test_every_wrong_line_of_the_shifts_is_named() -> None:
    with pytest.raises(Refused) as refused:
        ShiftList().read("06:00 Day\nnoon\n25:00 Night")
    assert [r.message[:6] for r in refused.value.refusals] == ["Line 2", "Line 3"]


@pytest.mark.parametrize(
    ("key", "keyed", "words"),
    [
        ("limit.fill.supervisor", "none", "no limit"),
        ("limit.fill.supervisor", "$5,000.50", "$5,000.50"),
        ("people.wrong_on_device", "5", "5 tries"),
        ("people.licence_reminder", "1", "1 day"),
        ("people.licence_reminder", "14", "14 days"),
        ("paytable.edge_least", "0.25%", "0.25%"),
        ("paytable.edge_least", "3", "3%"),
        ("papers.series.F", "fl", "FL"),
        ("signing.fill_agreement", "blind", "blind, the count is entered"),
        ("day.shifts", "4:00 Day", "Day from 04:00"),
    ],
)
def test_a_value_is_said_in_words(key: str, keyed: str, words: str) -> None:
    assert BOOK[key].words(BOOK[key].kind.read(keyed)) == words


@pytest.mark.parametrize(
    ("key", "value", "codes"),
    [
        ("people.locked_for", 20, []),
        ("people.locked_for", 15, ["nothing_changes"]),
        ("papers.series.F", "FL", []),
        ("papers.series.F", "CR", ["prefix_taken"]),
        ("people.wrong_on_device", 10, []),
        ("people.wrong_anywhere", 4, ["wrong_tries_out_of_order"]),
        ("paytable.edge_least", 2_501, ["band_out_of_order"]),
        ("paytable.edge_most", 100, []),
    ],
)
def test_a_value_must_go_with_the_others(key: str, value: Any, codes: list[str]) -> None:
    refusals = change_refusals(key, value, DEFAULTS.everything())
    assert [refusal.code for refusal in refusals] == codes


def test_a_value_holds_from_its_time_on_and_the_last_approved_wins() -> None:
    values = [
        DatedValue("waiting.limit", 10, MAY_1 + timedelta(days=2)),
        DatedValue("waiting.limit", 7, MAY_1),
        DatedValue("waiting.limit", 8, MAY_1),
        DatedValue("of_another_release", 1, MAY_1),
    ]
    assert in_force(values, MAY_1 - timedelta(seconds=1))["waiting.limit"] == 5
    assert in_force(values, MAY_1)["waiting.limit"] == 8
    assert in_force(values, MAY_1 + timedelta(days=2)).wait_limit_seconds == 600
    assert "of_another_release" not in in_force(values, MAY_1).chosen


def test_what_the_rest_of_the_site_asks_for() -> None:
    assert DEFAULTS.tolerance == PRESETS["NJ"]
    assert DEFAULTS.options == DEFAULT_OPTIONS
    assert DEFAULTS.lockout.wrong_on_device == 5
    assert DEFAULTS.cut_options.approval_from_cents == 30_000
    assert DEFAULTS.cut_options.smallest_cheque_cents is None
    assert DEFAULTS.series("F") == "F"
    assert not DEFAULTS.agrees_blind("fill")
    assert not DEFAULTS.agrees_blind("closer")
    own = SettingsInForce(
        {
            "count.tolerance": "own",
            "count.report_from": 5_000,
            "payout.smallest_cheque": "500",
            "signing.fill_agreement": "blind",
            "count.verify": "independent",
            "papers.series.F": "FL",
        }
    )
    assert own.tolerance.report_from_cents == 5_000
    assert own.tolerance.regulator_from_cents == 10_000
    assert own.cut_options.smallest_cheque_cents == 500
    assert own.agrees_blind("fill")
    assert own.agrees_blind("closer")
    assert own.series("F") == "FL"


def test_a_limit_is_of_a_rank_and_a_kind() -> None:
    limited = SettingsInForce({"limit.fill.supervisor": 100_000})
    assert limited.limit_refusals("fill", Role.SUPERVISOR, 100_000) == []
    over = limited.limit_refusals("fill", Role.SUPERVISOR, 100_100)
    assert [refusal.code for refusal in over] == ["over_limit_of_rank"]
    assert limited.limit_refusals("fill", Role.PIT_MANAGER, 100_100) == []
    assert limited.limit_refusals("credit", Role.SUPERVISOR, 100_100) == []
    assert limited.limit_refusals("opener", Role.DEALER, 100_100) == []


@pytest.mark.parametrize("starts", ["04:00", "08:00"])
def test_no_gaming_day_is_cut_in_two_when_its_start_moves(starts: str) -> None:
    """Walk through the turn minute by minute: the day only ever moves on, and never skips one."""
    shifts = [{"name": "Day", "starts": starts}, {"name": "Night", "starts": "18:00"}]
    old, new = DEFAULTS.clock(NEW_YORK), clock_of(shifts, NEW_YORK)
    turn = day_change(old, new, date(2026, 5, 10))
    values = [DatedValue("day.shifts", shifts, turn)]
    at = datetime(2026, 5, 9, 9, tzinfo=NEW_YORK)
    days = []
    while at < datetime(2026, 5, 11, 12, tzinfo=NEW_YORK):
        when = period_at(values, NEW_YORK, at)
        assert when.began <= at or when.gaming_day == date(2026, 5, 9)
        assert at < when.ends
        days.append(when.gaming_day)
        at += timedelta(minutes=10)
    assert days == sorted(days)
    assert sorted(set(days)) == [date(2026, 5, 9), date(2026, 5, 10), date(2026, 5, 11)]
    hour = datetime(2026, 5, 10, int(starts[:2]), tzinfo=NEW_YORK)
    assert period_at(values, NEW_YORK, hour).gaming_day == date(2026, 5, 10)
    before = hour - timedelta(minutes=1)
    assert period_at(values, NEW_YORK, before).gaming_day == date(2026, 5, 9)
    assert gaming_day(old, datetime(2026, 5, 8, 12, tzinfo=NEW_YORK)) == date(2026, 5, 8)


def test_a_shift_ends_where_other_shifts_begin_to_hold() -> None:
    noon = datetime(2026, 5, 9, 12, tzinfo=NEW_YORK)
    whole = period_at([], NEW_YORK, noon - timedelta(hours=1)).ends
    shifts = [{"name": "Day", "starts": "06:00"}]
    for key, value, ends in (("day.shifts", shifts, noon), ("waiting.limit", 3, whole)):
        values = [DatedValue(key, value, noon)]
        assert period_at(values, NEW_YORK, noon - timedelta(hours=1)).ends == ends
    late = [DatedValue("day.shifts", shifts, whole + timedelta(hours=1))]
    assert period_at(late, NEW_YORK, noon).ends == whole


def test_what_is_derived_from_settings_follows_them() -> None:
    cash = {
        "cash.log_from": 250_000,
        "cash.near": 800_000,
        "cash.report_over": 900_000,
        "cash.report_days": 10,
    }
    house = SettingsInForce({**cash, "waiting.escalate": 7, "waiting.limit": 3})
    policy = house.cash_policy
    assert (policy.log_from_cents, policy.near_cents) == (250_000, 800_000)
    assert (policy.report_over_cents, policy.report_days) == (900_000, 10)
    assert house.escalates_after == timedelta(minutes=7)
    assert house.wait_limit_seconds == 180


def test_a_board_stays_readable_where_the_house_wants_it() -> None:
    assert {place for place in Place if DEFAULTS.board_stays(place)} == {
        Place.PIT,
        Place.SURVEILLANCE,
    }
    assert not DEFAULTS.board_stays(None)
    own = SettingsInForce({"people.idle_pit": "lock", "people.idle_office": "board"})
    assert {place for place in Place if own.board_stays(place)} == {
        Place.SURVEILLANCE,
        Place.OFFICE,
    }


@pytest.mark.parametrize("keyed", ["", "x", "5;4", "5, 4, 3,", "-1"])
def test_a_list_of_targets_that_cannot_be_read_is_refused(keyed: str) -> None:
    with pytest.raises(Refused) as caught:
        TargetList().read(keyed)
    assert caught.value.codes == ("targets_malformed",)
