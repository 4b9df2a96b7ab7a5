"""Loyalty and hotel systems do what their scopes say; a comp is redeemed once, within its value."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction
from django.test import Client

from inventory.models import ExclusionCase, ListCheck, Patron
from pitboss.models import Device, JournalEntry
from pitboss.rules.canonical import digest
from pitboss.rules.roles import Place
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.models import CompEntry, SystemScope
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.comps import earn, give
from tests.floor.exclusion import RUIZ, clear, put_on
from tests.floor.markers import make_patron
from tests.floor.ratings import add_patron, know_edge, left, look, open_tables, seat

pytestmark = pytest.mark.django_db
CARD = "70014412"


@pytest.fixture
def ana(cast: Cast, server_clock: ServerClock) -> Patron:
    open_tables(cast.table)
    patron = add_patron(cast, card=CARD)
    earn(patron, cast, 33_334)
    return patron


def grant(cast: Cast, scope: str, change: str = "grant") -> None:
    fields: dict[str, Any] = {"device": "office", "scope": scope, "change": change}
    raising = the_kind("system_access").at(**fields)
    slip = raise_kind(
        raising, pen=cast.pen(cast.hanna), shown=shown_before(raising), reason="Contract."
    )
    cast.sign(slip, "approved", cast.petra, Place.OFFICE)


def client_of(cast: Cast) -> Client:
    device = cast.devices[Place.OFFICE]
    Device.objects.filter(pk=device.pk).update(token_hash=digest(device.name))
    return Client(headers={"authorization": f"Device {device.name}"})


def redeem(client: Client, serial: str, cents: int, key: str | None = None) -> Any:
    return client.post(
        f"/api/v1/comps/{serial}/redeem",
        {"amount_cents": cents, "outlet": "Steakhouse"},
        content_type="application/json",
        headers={"Idempotency-Key": key or str(uuid4())},
    )


def test_a77_a_hotel_redeems_a_comp_once_and_never_above_its_value(cast: Cast, ana: Patron) -> None:
    serial, client = give(cast, ana, 6_000).serial, client_of(cast)
    assert redeem(client, serial, 1).status_code == 403
    grant(cast, "comps.redeem")
    key = str(uuid4())
    first, again = redeem(client, serial, 4_000, key), redeem(client, serial, 4_000, key)
    assert first.status_code == again.status_code == 200
    assert again.headers["Idempotent-Replayed"] == "true"
    assert first.json()["left_cents"] == 2_000
    over = redeem(client, serial, 2_001)
    assert over.status_code == 409
    assert over.json()["refusals"][0]["code"] == "over_value"
    assert CompEntry.objects.filter(move="redeemed").count() == 1
    assert JournalEntry.objects.filter(kind="redemption_refused").count() == 1
    assert redeem(client, "CO-2026-999999", 1).status_code == 404
    grant(cast, "comps.redeem", "remove")
    assert redeem(client, serial, 1).status_code == 403


@pytest.mark.django_db(transaction=True)
def test_a147_a_hotel_redeems_nothing_of_who_is_on_a_list_and_the_check_is_kept(
    cast: Cast, server_clock: ServerClock
) -> None:
    open_tables(cast.table)
    ana = make_patron(cast, born_on="1980-02-03")
    earn(ana, cast, 33_334)
    serial, client = give(cast, ana, 6_000).serial, client_of(cast)
    grant(cast, "comps.redeem")
    put_on(cast, RUIZ)
    answer = redeem(client, serial, 1_000)
    assert answer.status_code == 409
    assert [refusal["code"] for refusal in answer.json()["refusals"]] == ["exclusion_stop"]
    assert "xclu" not in answer.json()["refusals"][0]["message"]
    assert not CompEntry.objects.filter(move="redeemed").exists()
    check = ListCheck.objects.latest("pk")
    assert (check.moment, check.stopped, check.patron) == ("comp", True, ana)
    assert JournalEntry.objects.filter(kind="patron_stopped").count() == 1
    assert JournalEntry.objects.filter(kind="redemption_refused").count() == 1
    # Two people find that it is somebody else: the same comp is redeemed.
    clear(cast, ExclusionCase.objects.get(patron=ana))
    assert redeem(client, serial, 1_000).status_code == 200


def test_values_are_of_comps_and_points_alone(cast: Cast, ana: Patron) -> None:
    give(cast, ana, 6_000)
    client, url = client_of(cast), f"/api/v1/patrons/{CARD}/values"
    assert client.get(url).status_code == 403
    grant(cast, "comps.read")
    values = {value["name"]: value["value"] for value in client.get(url).json()["values"]}
    assert values == {"comps_left_cents": 4_000, "comps_to_redeem_cents": 6_000, "points": 333}
    assert client.get("/api/v1/patrons/1/values").status_code == 404
    assert client.get("/api/v1/feed").status_code == 403


def test_the_feed_has_ended_ratings_with_the_link_of_their_entry(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    know_edge(cast.table)
    server_clock.move(minutes=1)
    rating = seat(cast, ana)
    look(cast, rating, 5_000)
    server_clock.move(minutes=20)
    left(cast, rating)
    grant(cast, "ratings.read")
    client = client_of(cast)
    answer = client.get("/api/v1/feed?after=0").json()
    (item,) = answer["items"]
    entry = JournalEntry.objects.get(kind="rating_ended")
    assert (item["rating"], item["card"], item["link"]) == (rating.pk, CARD, entry.link)
    assert client.get(f"/api/v1/feed?after={answer['next']}").json()["items"] == []
    assert client.get("/api/v1/feed?after=x").status_code == 400


def test_a_scope_takes_two_departments_and_the_database_demands_the_slip(cast: Cast) -> None:
    fields: dict[str, Any] = {"device": "office", "scope": "comps.read", "change": "grant"}
    raising = the_kind("system_access").at(**fields)
    slip = raise_kind(
        raising, pen=cast.pen(cast.heidi), shown=shown_before(raising), reason="Contract."
    )
    with refused("wrong_role"):
        cast.sign(slip, "approved", cast.hanna, Place.OFFICE)
    with pytest.raises(DatabaseError, match="no slip"), transaction.atomic():
        SystemScope.objects.create(
            device=cast.devices[Place.OFFICE],
            scope="comps.read",
            granted=True,
            since=slip.raised_at,
            slip=slip,
        )
