"""A tray that differs from its last count: what is opened, who closes it, and the report of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from pitboss.models import FloorException, JournalEntry, Slip, Waiting
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place, Role
from pitboss.selectors.waiting import waiting_for
from pitboss.services import house
from pitboss.services.explaining import Told, resolve_exception
from pitboss.services.signing import Entry
from tables.selectors.variances import Pair, pairs_between
from tables.services.open_items import open_items
from tests.floor.cast import Cast, ServerClock, pin_of, refused
from tests.floor.days import hand_over
from tests.floor.house import change, keep_shut
from tests.floor.tablets import period_now, signed_in, signing, words

pytestmark = pytest.mark.django_db
BOOK = {500: 100}
BECAUSE = Entry(reason="Counted twice.")


@pytest.fixture(autouse=True)
def strict(cast: Cast) -> None:
    """Keep tables shut here; how they open with a variance: test_opening_with_variance.py."""
    keep_shut(cast)


def found(cast: Cast, counted: dict[int, int], kind: str = "opener") -> Slip:
    """Find a tray that was closed on a hundred red to hold something else."""
    if not Slip.objects.filter(kind="closer").exists():
        cast.deliver(cast.ask(BOOK))
        cast.open_table(BOOK)
        cast.close_table(BOOK)
    slip = cast.count(kind, counted)
    cast.sign(slip, "verified", cast.alice, entry=Entry(counted=counted))
    slip.refresh_from_db()
    return slip


def variance_of(slip: Slip) -> FloorException:
    return FloorException.objects.get(slip=slip, code="tray_variance")


def sign_off(cast: Cast, slip: Slip) -> None:
    steps = {step["name"] for step in slip.plan}
    cast.sign(slip, "accepted", cast.heidi, entry=BECAUSE)
    if "security_reported" in steps:
        cast.sign(slip, "security_reported", cast.frank, Place.SECURITY, entry=BECAUSE)
    if "surveillance_reported" in steps:
        cast.sign(slip, "surveillance_reported", cast.ivan, Place.SURVEILLANCE, entry=BECAUSE)


def explain(cast: Cast, trouble: FloorException, told: Told | None = None) -> None:
    resolve_exception(
        exception_id=trouble.pk,
        resolution="A black lay under the green.",
        badge=cast.heidi.badge,
        pin=pin_of(cast.heidi.badge),
        request_id=uuid4(),
        device=cast.devices[Place.OFFICE],
        told=told,
    )


def void(cast: Cast, slip: Slip) -> None:
    cast.sign(slip, "voided", cast.alice, entry=BECAUSE, track=Track.VOID)
    cast.sign(slip, "void_witnessed", cast.carol, track=Track.VOID)


def pairs() -> list[Pair]:
    today = period_now().gaming_day
    return pairs_between(today, today)


# ------------------------------------------------------------------ what is opened and closed


def test_an_opener_that_agrees_opens_no_exception(cast: Cast) -> None:
    found(cast, BOOK)
    assert not FloorException.objects.exists()


def test_a02_colours_alone_open_a_variance_of_no_dollars(cast: Cast) -> None:
    opener = found(cast, {500: 95, 2_500: 1})
    variance = variance_of(opener)
    closer = Slip.objects.get(kind="closer")
    assert variance.sentence == (
        f"BJ-11: {opener.serial} doesn’t have the same colors as {closer.serial}."
    )
    assert variance.details == {
        "variance_cents": 0,
        "against": closer.serial,
        "expected": {"500": 100},
        "counted": {"2500": 1, "500": 95},
        "tolerance": "NJ",
        "is_notice": False,
    }


@pytest.mark.parametrize("kind", ["opener", "recount"])
def test_a03_thirty_dollars_short_is_open_until_the_last_has_signed(cast: Cast, kind: str) -> None:
    slip = found(cast, {500: 94}, kind)
    variance = variance_of(slip)
    assert "is $30 short of C-2026-000001" in variance.sentence
    cast.sign(slip, "accepted", cast.heidi, entry=BECAUSE)
    cast.sign(slip, "security_reported", cast.frank, Place.SECURITY, entry=BECAUSE)
    assert variance_of(slip).resolved_at is None
    cast.sign(slip, "surveillance_reported", cast.ivan, Place.SURVEILLANCE, entry=BECAUSE)
    variance.refresh_from_db()
    assert (variance.resolved_at, variance.resolved_by) == (
        slip.signatures.get(step="surveillance_reported").signed_at,
        cast.ivan,
    )
    assert variance.resolution == (
        f"Signed off on {slip.serial}. H. Heidison TG-108: Counted twice."
    )
    assert "exception_resolved" in JournalEntry.objects.values_list("kind", flat=True)


def test_the_words_of_a_long_reason_are_kept_as_far_as_the_record_holds(cast: Cast) -> None:
    slip = found(cast, {500: 99})
    cast.sign(slip, "accepted", cast.heidi, entry=Entry(reason="x" * 500))
    assert len(variance_of(slip).resolution) == 500


def test_a_variance_is_one_thing_on_the_shift_managers_list_and_no_one_elses(cast: Cast) -> None:
    slip = found(cast, {500: 94})
    assert [wait.slip for wait in waiting_for(cast.heidi, Role.SHIFT_MANAGER)] == [slip]
    assert not Waiting.objects.filter(exception__code="tray_variance").exists()
    inbox = words(signed_in(cast.heidi, cast).get(reverse("inbox")))
    assert "chip--bad" in inbox
    assert f"BJ-11: {slip.serial} is $30 short of C-2026-000001." in inbox
    assert "BJ-11" not in words(signed_in(cast.bob, cast).get(reverse("inbox")))


def test_nobody_explains_a_variance_away_while_its_slip_is_open(cast: Cast) -> None:
    variance = variance_of(found(cast, {500: 94}))
    with refused("sign_the_slip", journal=["act_refused"]):
        explain(cast, variance)
    page = words(signed_in(cast.heidi, cast).get(reverse("exception", args=[variance.pk])))
    assert "It closes with the signatures on O-2026-000002" in page
    assert "sign-pad" not in page


def test_a_variance_does_not_vanish_with_a_void_count(cast: Cast) -> None:
    slip = found(cast, {500: 94})
    void(cast, slip)
    variance = variance_of(slip)
    assert variance.resolved_at is None
    assert [wait.exception for wait in waiting_for(cast.heidi, Role.SHIFT_MANAGER)] == [variance]
    explain(cast, variance)
    variance.refresh_from_db()
    assert variance.resolution == "A black lay under the green."
    assert not Waiting.objects.filter(until=None).exists()
    assert (pairs()[0].state, pairs()[0].is_open) == ("void", False)


def test_a_void_count_that_agreed_asks_nobody_anything(cast: Cast) -> None:
    cast.deliver(cast.ask(BOOK))
    slip = cast.count("opener", BOOK)
    void(cast, slip)
    assert not FloorException.objects.exists()
    slip.refresh_from_db()
    assert slip.status == "voided"


def test_a_closer_keeps_its_way_to_be_void(cast: Cast) -> None:
    cast.deliver(cast.ask(BOOK))
    cast.open_table(BOOK)
    closer = cast.count("closer", BOOK)
    void(cast, closer)
    closer.refresh_from_db()
    assert closer.status == "voided"


def test_a04_the_regulators_clock_on_the_list_is_the_jurisdictions(cast: Cast) -> None:
    slip = found(cast, {500: 80})
    wait = Waiting.objects.get(exception__code="regulator_notice")
    assert (wait.exception and wait.exception.slip) == slip
    assert wait.limit_seconds == 24 * 3600


def test_a04_at_once_is_as_long_as_the_house_lets_anything_wait(cast: Cast) -> None:
    change(cast, "count.tolerance", "KS")
    found(cast, {500: 80})
    limit = house.settings_at(house.now()).wait_limit_seconds
    assert Waiting.objects.get(exception__code="regulator_notice").limit_seconds == limit


def test_a_variance_stops_the_close_of_its_day_until_it_is_signed_off(
    cast: Cast, server_clock: ServerClock
) -> None:
    slip = found(cast, {500: 99})
    day = period_now().gaming_day
    server_clock.move(days=1)
    variance = variance_of(slip)
    assert [item.key for item in open_items(day)] == [
        f"slip:{slip.serial}",
        f"exception:{variance.pk}",
    ]
    # Naming the slip alone does not take the variance over.
    with refused("exception_open"):
        hand_over(cast, day, [f"slip:{slip.serial}"])
    sign_off(cast, slip)
    assert open_items(day) == []
    hand_over(cast, day)


# ------------------------------------------------------------------ the report


def test_the_report_pairs_every_opener_with_the_closer_before_it(cast: Cast) -> None:
    opener = found(cast, {500: 94})
    sign_off(cast, opener)
    latest, first = pairs()
    closer = Slip.objects.get(kind="closer")
    assert (latest.slip, latest.slip.refers_to) == (opener, closer)
    assert (latest.closer_cents, latest.moved_cents) == (50_000, 0)
    assert (latest.variance_cents, latest.state) == (-3_000, "signed off")
    assert [(line.cents, line.expected, line.counted) for line in latest.lines] == [(500, 100, 94)]
    # The first opener came from no closer: a fill stocked its tray.
    assert (first.closer_cents, first.moved_cents, first.variance_cents) == (None, 50_000, 0)
    assert (first.state, list(first.lines)) == ("equal", [])


def test_the_report_says_who_was_told_when_and_what_they_signed(
    cast: Cast, server_clock: ServerClock
) -> None:
    opener = found(cast, {500: 94})
    told = server_clock.now
    server_clock.move(minutes=4)
    cast.sign(opener, "accepted", cast.heidi, entry=BECAUSE)
    manager, security = pairs()[0].called
    assert (manager.role, manager.told_at, manager.signed_at) == (
        "shift manager",
        told,
        server_clock.now,
    )
    assert (manager.signed_as, manager.words) == ("H. Heidison TG-108", "Counted twice.")
    assert (security.role, security.told_at, security.signed_at) == (
        "security officer",
        server_clock.now,
        None,
    )


def test_the_report_says_when_the_regulator_was_told(cast: Cast, server_clock: ServerClock) -> None:
    opener = found(cast, {500: 80})
    sign_off(cast, opener)
    (pair, _) = pairs()
    assert pair.is_open, "signed off, but the regulator does not know"
    assert pair.notice_due_at == server_clock.now + timedelta(hours=24)
    page = words(signed_in(cast.olga, cast).get(reverse("variances")))
    assert "1 of 1 not closed." in page
    assert "not notified yet" in page
    assert pair.notice is not None
    explain(cast, pair.notice, Told("Agent Ruiz", server_clock.now))
    page = words(signed_in(cast.olga, cast).get(reverse("variances")))
    assert "Notified Agent Ruiz at 09:00 on May 1, 2026." in page
    assert "1 variance, all signed off." in page


def test_the_report_tells_nothing_of_a_count_that_only_one_has_signed(cast: Cast) -> None:
    cast.deliver(cast.ask(BOOK))
    slip = cast.count("opener", {500: 94})
    assert pairs() == []
    assert slip.serial not in words(signed_in(cast.heidi, cast).get(reverse("variances")))


def test_the_report_is_of_the_days_asked_for_and_of_a_quarter_at_most(
    cast: Cast, server_clock: ServerClock
) -> None:
    opener = found(cast, {500: 99})
    client = signed_in(cast.heidi, cast)

    def asked(**period: str) -> str:
        return words(client.get(reverse("variances"), period))

    assert opener.serial in asked()
    assert opener.serial in asked(**{"from": "2026-05-01", "to": "2026-05-01"})
    assert opener.serial not in asked(**{"from": "2026-04-01", "to": "2026-04-30"})
    assert 'value="2026-01-30"' in asked(**{"from": "2020-01-01", "to": "2026-05-01"})
    assert opener.serial in asked(**{"from": "nonsense", "to": "2026-05-01"})
    # Days the wrong way round are one day.
    assert opener.serial in asked(**{"from": "2026-05-09", "to": "2026-05-01"})


def test_the_report_costs_the_same_for_many_openers(
    cast: Cast, django_assert_num_queries: Any
) -> None:
    opener = found(cast, {500: 99})
    day = period_now().gaming_day
    with django_assert_num_queries(4):
        pairs_between(day, day)
    sign_off(cast, opener)
    for _ in range(3):
        cast.close_table({500: 98})
        sign_off(cast, found(cast, {500: 97}))
    with django_assert_num_queries(4):
        assert len(pairs_between(day, day)) == 5


def test_the_slip_leads_to_what_was_opened_for_it(cast: Cast) -> None:
    slip = found(cast, {500: 80})
    page = words(signed_in(cast.heidi, cast).get(reverse("slip", args=[slip.serial])))
    assert "Variance open" in page
    assert "Regulator not notified" in page
    sign_off(cast, slip)
    page = words(signed_in(cast.heidi, cast).get(reverse("slip", args=[slip.serial])))
    assert "Variance signed off" in page


def test_a_shift_manager_signs_the_variance_on_the_slip_that_the_inbox_leads_to(
    cast: Cast,
) -> None:
    slip = found(cast, {500: 99})
    client = signed_in(cast.heidi, cast)
    url = reverse("slip", args=[slip.serial])
    assert f'href="{url}"' in words(client.get(reverse("inbox")))
    page = words(client.get(url))
    client.post(
        reverse("slip-sign", args=[slip.serial, "main", "accepted"]),
        signing(page, cast.heidi, reason="Counted twice."),
    )
    assert variance_of(slip).resolved_by == cast.heidi
    assert "all signed off" in words(client.get(reverse("variances")))
