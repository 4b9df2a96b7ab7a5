"""A person with two files is one: in cash, play, comps and standing. Comps expire. A loyalty system
writes patrons by its scope."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction
from django.test import Client

from inventory.models import (
    CurrencyReport,
    Patron,
    SamePatron,
    Stranger,
    StrangerMatch,
)
from inventory.selectors.cash_log import latest_match
from inventory.selectors.credit import standing_of
from inventory.selectors.patrons import root_of
from inventory.services.compliance import match_stranger
from pitboss.models import Device, FloorException, Person, Slip
from pitboss.rules.canonical import digest
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.explaining import resolve_exception
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.models import CompEntry, PatronHost, PatronTier, PlayRating
from tables.services import ratings
from tables.services.comp_expiry import expire_due
from tables.services.comps import account_of, play_of, points_of
from tables.services.hosts import host_of, tier_of
from tables.services.play_watch import watch_play
from tables.services.rating_ends import end_due
from tables.services.ratings import Who, sit_down
from tests.floor.cash_log import log, log_elsewhere, match
from tests.floor.cast import Cast, ServerClock, pin_of, refused
from tests.floor.comps import after, earn, give, raise_about, relate
from tests.floor.markers import stop
from tests.floor.ratings import add_patron, know_edge, left, look, open_tables, seat, tap
from tests.floor.tablets import signed_in, words
from tests.races import at_once, hold_before

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(cast: Cast, server_clock: ServerClock) -> Patron:
    open_tables(cast.table, cast.other_table)
    know_edge(cast.table)
    return add_patron(cast, card="70014412")


@pytest.fixture
def twin(cast: Cast, ana: Patron) -> Patron:
    return add_patron(cast, "Ruiz Lopez", card="70019999")


def propose(cast: Cast, patron: Patron, other: str, **more: Any) -> Slip:
    return raise_about(
        cast, "same_patron", patron, by=cast.erin, other=other, reason="Same ID.", **more
    )


def join(cast: Cast, patron: Patron, other: Patron) -> Slip:
    slip = propose(cast, patron, other.player_card)
    cast.sign(slip, "approved", cast.petra, Place.OFFICE)
    return slip


def test_two_files_are_one_person_in_play_comps_points_and_standing(
    cast: Cast, ana: Patron, twin: Patron
) -> None:
    earn(ana, cast, 20_000)
    earn(twin, cast, 10_000)
    before = account_of(ana, house.now()).earned_cents
    slip = join(cast, twin, ana)
    for patron in (ana, twin):
        account = account_of(patron, house.now())
        assert (account.theo_cents, account.earned_cents) == (30_000, 9_000)
        assert points_of(patron)["balance"] == 300
    assert before == 6_000
    assert SamePatron.objects.get(slip=slip).same_as == ana
    stop(cast, ana, Standing.SELF_EXCLUDED)
    assert standing_of(twin) is Standing.SELF_EXCLUDED
    with pytest.raises(Refused, match="Do not deal"):
        seat(cast, twin)
    assert not PlayRating.objects.filter(ended_at=None).exists()


def test_a71_two_comps_of_one_day_to_the_patrons_two_cards_count_together(
    cast: Cast, ana: Patron, twin: Patron
) -> None:
    earn(ana, cast, 100_000)
    join(cast, twin, ana)
    give(cast, ana, 6_000)
    with refused("over_own_limit"):
        give(cast, twin, 6_000)


def test_a80_a_run_over_two_tables_a_turn_of_the_day_and_a_new_card_is_one_alert(
    cast: Cast, ana: Patron, twin: Patron, server_clock: ServerClock
) -> None:
    join(cast, twin, ana)
    server_clock.move(hours=16)  # After midnight; the gaming day turns at 06:00.
    rating = seat(cast, ana)
    server_clock.move(hours=4, minutes=50)
    look(cast, rating, 2_500)
    server_clock.move(minutes=20)
    assert end_due() == 1
    after_the_turn = PlayRating.objects.get(ended_at=None)
    assert after_the_turn.gaming_day > rating.gaming_day
    look(cast, after_the_turn, 2_500)
    server_clock.move(minutes=20)
    left(cast, after_the_turn)
    assert watch_play() == 0
    again = seat(cast, twin, table=cast.other_table)
    server_clock.move(minutes=30)
    assert watch_play() == 1
    look(cast, again, 2_500)
    left(cast, again)
    seat(cast, ana)
    server_clock.move(minutes=5)
    assert watch_play() == 0
    alert = FloorException.objects.get(code="play_time")
    assert "has played 6 h without a break" in alert.sentence
    signed: dict[str, Any] = {
        "exception_id": alert.pk,
        "badge": cast.petra.badge,
        "pin": pin_of(cast.petra.badge),
        "device": cast.devices[Place.OFFICE],
    }
    with pytest.raises(Refused):
        resolve_exception(**signed, resolution=" ", request_id=uuid4())
    said = "P. Petra spoke to her at 09:20; she rests until noon."
    assert resolve_exception(**signed, resolution=said, request_id=uuid4()).resolution == said


def test_the_database_counts_both_files_of_a_comp_and_of_a_rating(
    cast: Cast, ana: Patron, twin: Patron
) -> None:
    join(cast, twin, ana)
    seat(cast, ana)
    with refused("rated_elsewhere", journal=("rating_refused",)):
        seat(cast, twin, table=cast.other_table)
    when = house.period_at(house.now())
    with pytest.raises(DatabaseError, match="on another file"), transaction.atomic():
        PlayRating.objects.create(
            table=cast.other_table,
            patron=twin,
            began_at=house.now(),
            began_by=cast.alice,
            gaming_day=when.gaming_day,
            shift=when.shift,
        )


def test_a_relative_of_one_file_is_one_of_the_other(cast: Cast, ana: Patron, twin: Patron) -> None:
    relate(cast, ana, cast.alice)
    join(cast, twin, ana)
    with refused("related_to_patron", journal=("rating_refused",)):
        seat(cast, twin)


def test_who_was_rated_at_the_same_time_is_not_one(
    cast: Cast, ana: Patron, twin: Patron, server_clock: ServerClock
) -> None:
    seat(cast, ana)
    seat(cast, twin, table=cast.other_table)
    server_clock.move(minutes=5)
    with refused("ratings_overlap"):
        propose(cast, twin, ana.player_card)
    stranger = Stranger.objects.create(
        description="Man, fifties, gray suit",
        gaming_day=house.period_at(house.now()).gaming_day,
        described_by=cast.alice,
        described_at=house.now(),
    )
    when = house.period_at(house.now())
    PlayRating.objects.create(
        table=cast.table,
        stranger=stranger,
        began_at=house.now(),
        began_by=cast.alice,
        gaming_day=when.gaming_day,
        shift=when.shift,
    )
    server_clock.move(minutes=5)
    with refused("ratings_overlap", journal=("act_refused",)):
        match_stranger(stranger=stranger, patron=ana, reason="Showed ID.", pen=cast.pen(cast.alice))
    with pytest.raises(DatabaseError, match="not one person"), transaction.atomic():
        _match_below(stranger, ana, cast.alice)


def _match_below(stranger: Stranger, patron: Patron | None, by: Person) -> StrangerMatch:
    """Write a match past the service."""
    return StrangerMatch.objects.create(
        stranger=stranger,
        patron=patron,
        reason="Looks like it.",
        matched_by=by,
        matched_at=house.now(),
        request_id=uuid4(),
    )


def test_the_database_joins_no_two_who_were_rated_at_once(
    cast: Cast, ana: Patron, twin: Patron, server_clock: ServerClock
) -> None:
    slip = join(cast, twin, ana)
    parted = propose(cast, twin, "")
    cast.sign(parted, "approved", cast.petra, Place.OFFICE)
    seat(cast, ana)
    seat(cast, twin, table=cast.other_table)
    server_clock.move(minutes=5)
    with pytest.raises(DatabaseError, match="not one person"), transaction.atomic():
        SamePatron.objects.create(patron=twin, same_as=ana, since=house.now(), slip=slip)


def test_the_database_lets_another_manager_confirm_a_match_once(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    stranger = Stranger.objects.create(
        description="Man, fifties, gray suit",
        gaming_day=house.period_at(house.now()).gaming_day,
        described_by=cast.alice,
        described_at=house.now(),
    )
    match(cast, stranger, ana, by=cast.carol)
    for alone in (cast.carol, cast.bob):
        with pytest.raises(DatabaseError, match="by another manager"), transaction.atomic():
            _match_below(stranger, ana, alone)
    late = server_clock.now
    server_clock.move(days=2)
    with pytest.raises(DatabaseError, match="on its day"), transaction.atomic():
        _match_below(stranger, ana, cast.heidi)
    server_clock.now = late
    match(cast, stranger, ana, by=cast.heidi)
    with pytest.raises(DatabaseError, match="confirmed once"), transaction.atomic():
        _match_below(stranger, ana, cast.carol)


def test_play_of_a_stranger_counts_once_a_pit_manager_confirms_who_it_was(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    who = Who(description="Man, fifties, gray suit")
    held = sit_down(table_id=cast.table.pk, seat=2, who=who, hand=tap(cast))
    rating = held.rating
    assert rating is not None
    look(cast, rating, 10_000)
    server_clock.move(minutes=20)
    left(cast, rating)
    stranger = Stranger.objects.get()
    first = match(cast, stranger, ana)
    # One signature joins their cash at once, and their time at the tables; it earns nothing.
    assert latest_match(stranger) == first
    assert list(play_of(ana, said=True)) == [rating]
    assert not play_of(ana).exists()
    assert account_of(ana, house.now()).earned_cents == 0
    address = f"/cash-strangers/{stranger.pk}/"
    assert "Confirm…" not in words(signed_in(cast.bob, cast).get(address))
    with refused("nothing_changes", journal=("act_refused",)):
        match(cast, stranger, ana, by=cast.bob)
    client = signed_in(cast.carol, cast)
    assert f"{address}?who=p{ana.pk}" in words(client.get(address))
    sent = {
        "request_id": str(uuid4()),
        "badge": cast.carol.badge,
        "pin": cast.pen(cast.carol).pin,
        "who": f"p{ana.pk}",
        "reason": "Saw the ID too.",
    }
    assert client.post(address, sent).status_code == 302
    assert list(play_of(ana)) == [rating]
    assert account_of(ana, house.now()).earned_cents > 0
    assert "Confirmed: their ratings count" in words(client.get(address))
    with refused("nothing_changes", journal=("act_refused",)):
        match(cast, stranger, ana, by=cast.heidi)
    # Compliance parts them, and play goes with it.
    match(cast, stranger, None, by=cast.petra)
    assert not play_of(ana, said=True).exists()


def test_a_match_is_confirmed_on_its_gaming_day(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    stranger = Stranger.objects.create(
        description="Man, fifties, gray suit",
        gaming_day=house.period_at(house.now()).gaming_day,
        described_by=cast.alice,
        described_at=house.now(),
    )
    match(cast, stranger, ana, by=cast.carol)
    with refused("signed_before", journal=("act_refused",)):
        match(cast, stranger, ana, by=cast.carol)
    server_clock.move(days=1)
    with refused("match_too_late", journal=("act_refused",)):
        match(cast, stranger, ana, by=cast.heidi)


@pytest.mark.django_db(transaction=True)
def test_a62_one_patron_with_two_cards_sits_down_at_two_tables_and_one_succeeds(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_tables(cast.table, cast.other_table)
    first, second = add_patron(cast, card="70014412"), add_patron(cast, "Lopez", card="70019999")
    join(cast, second, first)
    hold_before(monkeypatch, ratings, "open_refusals")
    results = at_once(
        lambda: seat(cast, first, by=cast.alice),
        lambda: seat(cast, second, table=cast.other_table, by=cast.bob),
    )
    assert ("rated_elsewhere",) in results
    assert PlayRating.objects.filter(ended_at=None).count() == 1


def test_what_cannot_be_joined_says_why(cast: Cast, ana: Patron, twin: Patron) -> None:
    with refused("same_file"):
        propose(cast, ana, ana.player_card)
    with refused("unknown_patron"):
        propose(cast, ana, "70000000")
    with refused("nothing_changes"):
        propose(cast, ana, "")
    join(cast, twin, ana)
    with refused("nothing_changes"):
        propose(cast, ana, twin.player_card)
    third = add_patron(cast, "Ortiz", card="70017777")
    with refused("already_joined"):
        propose(cast, ana, third.player_card)
    parted = propose(cast, twin, "")
    with refused("already_proposed"):
        propose(cast, twin, "")
    cast.sign(parted, "approved", cast.petra, Place.OFFICE)
    assert root_of(twin.pk) == twin.pk
    assert propose(cast, third, str(ana.pk)).details["same_as"] == ana.pk


def test_cash_of_two_files_opens_the_report_that_both_call_for(
    cast: Cast, ana: Patron, twin: Patron
) -> None:
    log(cast, ana, 6_000)
    log_elsewhere(cast, twin, 5_000)
    assert not CurrencyReport.objects.exists()
    join(cast, twin, ana)
    assert CurrencyReport.objects.get().sum_cents == 1_100_000


def test_the_database_joins_no_files_without_a_slip(cast: Cast, ana: Patron, twin: Patron) -> None:
    slip = propose(cast, twin, ana.player_card)
    with pytest.raises(DatabaseError, match="two signed"), transaction.atomic():
        SamePatron.objects.create(patron=twin, same_as=ana, since=house.now(), slip=slip)


def test_the_card_shows_the_other_file(cast: Cast, ana: Patron, twin: Patron) -> None:
    join(cast, twin, ana)
    page = words(signed_in(cast.alice, cast).get(f"/patrons/{ana.pk}/card/"))
    assert f"Ana Ruiz Lopez, file {twin.pk}" in page


def test_a_comp_expires_once_and_what_was_left_counts_no_longer(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    earn(ana, cast, 100_000)
    slip = give(cast, ana, 6_000)
    server_clock.move(days=90)
    assert expire_due() == 0
    server_clock.move(days=1)
    assert expire_due() == 1
    assert expire_due() == 0
    entry = CompEntry.objects.get(move="expired")
    assert (entry.amount_cents, entry.comp.slip) == (6_000, slip)
    assert account_of(ana, house.now()).given_cents == 0
    with refused("comp_expired"):
        after(cast, "comp_redemption", slip, cast.erin, Place.CAGE, amount_cents=1, outlet="Bar")
    with refused("comp_expired"):
        after(cast, "comp_void", slip, cast.alice, Place.PIT)


def test_a_frozen_comp_does_not_expire(cast: Cast, ana: Patron, server_clock: ServerClock) -> None:
    earn(ana, cast, 100_000)
    slip = give(cast, ana, 6_000)
    stop(cast, ana, Standing.SELF_EXCLUDED)
    server_clock.move(days=120)
    assert expire_due() == 0
    with pytest.raises(DatabaseError, match="frozen"), transaction.atomic():
        CompEntry.objects.create(
            comp=slip.comp,
            move="expired",
            amount_cents=6_000,
            gaming_day=house.period_at(house.now()).gaming_day,
            at=house.now(),
        )


def client_of(cast: Cast) -> Client:
    device = cast.devices[Place.OFFICE]
    Device.objects.filter(pk=device.pk).update(token_hash=digest(device.name))
    return Client(headers={"authorization": f"Device {device.name}"})


def grant(cast: Cast) -> None:
    fields: dict[str, Any] = {"device": "office", "scope": "patrons.write", "change": "grant"}
    raising = the_kind("system_access").at(**fields)
    slip = raise_kind(
        raising, pen=cast.pen(cast.hanna), shown=shown_before(raising), reason="Contract."
    )
    cast.sign(slip, "approved", cast.petra, Place.OFFICE)


def put(client: Client, card: str, **said: str) -> Any:
    return client.put(f"/api/v1/patrons/{card}", said, content_type="application/json")


def test_a_loyalty_system_writes_name_tier_and_host_by_its_scope(cast: Cast, ana: Patron) -> None:
    client, names = client_of(cast), {"first_name": "Ana", "last_name": "Ruiz"}
    assert put(client, "70014412", **names).status_code == 403
    grant(cast)
    host = cast.hanna.badge
    for _ in range(2):
        answer = put(client, "70014412", **names, tier="Gold", host=host)
        assert answer.json() == {"card": "70014412", **names, "tier": "Gold", "host": host}
    assert (PatronTier.objects.count(), PatronHost.objects.count()) == (1, 1)
    assert put(client, "70014412", first_name="Anna", last_name="Ruiz").json()["tier"] == "Gold"
    ana.refresh_from_db()
    assert (ana.first_name, tier_of(ana), host_of(ana)) == ("Anna", "Gold", cast.hanna)
    new = put(client, "80000001", first_name="Leo", last_name="Park", host="")
    assert new.json()["host"] == ""
    assert Patron.objects.get(player_card="80000001").added_by is None


def test_a_wrong_host_name_or_card_is_refused_and_nothing_is_stored(
    cast: Cast, ana: Patron
) -> None:
    grant(cast)
    relate(cast, ana, cast.hanna)
    client, names = client_of(cast), {"first_name": "Ana", "last_name": "Ruiz"}
    for said, status in (
        ({**names, "host": "9999"}, 422),
        ({**names, "host": cast.hanna.badge}, 403),
        ({"first_name": "Ana"}, 422),
        ({**names, "tier": "x" * 31}, 422),
    ):
        assert put(client, "70014412", **said).status_code == status, said
    assert put(client, "!!", **names).status_code == 422
    assert not PatronHost.objects.exists()


def test_the_database_takes_tiers_and_hosts_of_granted_systems_alone(
    cast: Cast, ana: Patron
) -> None:
    device = cast.devices[Place.OFFICE]
    with pytest.raises(DatabaseError, match="not granted"), transaction.atomic():
        PatronTier.objects.create(patron=ana, tier="Gold", since=house.now(), device=device)
    with pytest.raises(DatabaseError, match="no slip signed"), transaction.atomic():
        PatronHost.objects.create(patron=ana, host=cast.hanna, since=house.now(), device=device)
