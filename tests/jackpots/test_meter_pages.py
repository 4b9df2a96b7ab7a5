"""The meters on the screens, from a keyed start to the wall that patrons read."""

from __future__ import annotations

from html import unescape
from uuid import uuid4

import pytest
from django.test import Client

from jackpots.models import Meter
from jackpots.selectors.meters import roll_forward
from jackpots.services.contributions import roll_up_all
from pitboss.models import Slip
from pitboss.rules.payouts.meters import Cause
from pitboss.rules.roles import Place
from pitboss.services import house
from tests.floor.cast import Cast, ServerClock
from tests.floor.meters import SEVENS, adjust, approve, play, read, sevens, shows, wager
from tests.floor.tablets import words
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db(transaction=True)


def signed(cast: Cast, shown: str, **more: str) -> dict[str, str]:
    pen = cast.pen(cast.carol, Place.OFFICE)
    return {
        "badge": pen.badge,
        "pin": pen.pin,
        "request_id": str(uuid4()),
        "shown": shown,
        **more,
    }


def shown_in(page: str) -> str:
    return unescape(page.split('name="shown" value="')[1].split('"')[0])


def test_a_meter_is_started_on_the_screens(cast: Cast) -> None:
    play("blazing_7s", cast.table, cast.other_table)
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    address = "/slips/new/meter_change/"
    assert "No meter runs" in words(client.get("/meters/"))
    moved = client.get("/meters/new/")
    assert (moved.status_code, moved["Location"]) == (308, f"{address}?")
    assert "BJ-11" in words(client.get(address))
    wrong = client.post(address, SEVENS | {"rate": "a lot"})
    assert wrong.status_code == 422
    assert "isn’t a valid rate" in words(wrong)
    looked = words(client.post(address, SEVENS))
    assert "20% on the meter" in looked
    assert "the regulator must approve it" in looked
    posted = SEVENS | signed(cast, shown_in(looked), reason="New.")
    assert client.post(address, posted | {"pin": "0"}).status_code == 422
    assert client.post(address, posted).status_code == 302
    approve(cast, Slip.objects.get(kind="meter_change"))
    meter = Meter.objects.get()
    page = words(client.get("/meters/"))
    assert "$24,310.55" in page
    assert "Controller: needs approval" in page
    own = words(client.get(f"/meters/{meter.pk}/"))
    assert "The regulator must approve it" in own
    terms = client.get(f"/meters/{meter.pk}/terms/")["Location"]
    assert 'value="20%"' in words(client.get(terms))


def test_an_amount_is_proposed_on_the_screens(cast: Cast) -> None:
    meter = sevens(cast)
    client = signed_in(cast.ruth, cast.devices[Place.OFFICE])
    address = f"/slips/new/meter_adjustment/?meter={meter.pk}"
    assert client.get(f"/meters/{meter.pk}/amount/")["Location"] == address
    assert "a malfunction corrected" in words(client.get(address))
    for wrong in ({"cause": "spite"}, {"amount": "x"}):
        keyed = {"amount": "24,000", "cause": "malfunction"} | wrong
        assert client.post(address, keyed).status_code == 422
    keyed = {"amount": "24,000", "cause": "malfunction"}
    looked = words(client.post(address, keyed))
    posted = keyed | signed(cast, shown_in(looked), reason="It jumped.")
    assert client.post(address, posted).status_code == 302
    approve(cast, Slip.objects.get(kind="meter_adjustment"))
    assert shows(meter) == 2_400_000


def test_a_reading_is_taken_blind_and_compared_afterwards(cast: Cast) -> None:
    meter = sevens(cast)
    client = signed_in(cast.alice, cast.devices[Place.PIT])
    wager(cast.table)
    address = f"/meters/{meter.pk}/read/"
    assert "24,311.55" not in words(client.get(address))
    pen = cast.pen(cast.alice)
    posted = {"badge": pen.badge, "pin": pen.pin, "request_id": str(uuid4())}
    assert client.post(address, posted | {"shows": "lots"}).status_code == 422
    for shown in ("24,311.55", "24,300"):
        posted["request_id"] = str(uuid4())
        assert client.post(address, posted | {"shows": shown}).status_code == 302
    page = words(client.get(f"/meters/{meter.pk}/"))
    assert "−$11.55" in page


def test_the_wall_needs_nobody_and_changes_with_each_wager(cast: Cast) -> None:
    sevens(cast)
    wall = Client()
    page = words(wall.get("/meters/display/"))
    assert "$24,310.55" in page
    poll = page.split('hx-get="')[1].split('"')[0].replace("&amp;", "&")
    assert wall.get(poll).status_code == 204
    wager(cast.table)
    assert "$24,311.55" in words(wall.get(poll))


def test_the_meters_page_asks_for_news(cast: Cast) -> None:
    sevens(cast)
    client = signed_in(cast.alice, cast.devices[Place.PIT])
    page = words(client.get("/meters/"))
    poll = page.split('hx-get="/meters/poll')[1].split('"')[0]
    assert client.get(f"/meters/poll{poll}").status_code == 204
    wager(cast.table)
    assert "$24,311.55" in words(client.get(f"/meters/poll{poll}"))


def test_the_roll_forward_ends_where_the_next_day_begins(
    cast: Cast, server_clock: ServerClock
) -> None:
    meter = sevens(cast, rate="0.0333%")
    first = house.period_at(house.now()).gaming_day
    for _ in range(7):
        wager(cast.table)
    approve(cast, adjust(cast, meter, Cause.RESERVE, 2_400_000))
    wager(cast.table)
    # Wagered before the day turned, rolled up after.
    server_clock.move(hours=24)
    roll_up_all()
    wager(cast.table, 3)
    read(cast, meter, shows(meter))
    second = house.period_at(house.now()).gaming_day
    day_one, day_two = roll_forward(meter, first, first), roll_forward(meter, second, second)
    both = roll_forward(meter, first, second)
    assert day_one.opening_cents == 0
    assert day_one.closing.shown == day_two.opening.shown
    assert day_one.by_cause[Cause.CONTRIBUTED] == 8 * 500 * 333
    assert day_two.by_cause[Cause.CONTRIBUTED] == 3 * 500 * 333
    assert both.closing.shown == day_two.closing.shown
    assert both.closing_cents == shows(meter)
    assert day_two.readings[0].difference_cents == 0
    client = signed_in(cast.olga, cast.devices[Place.OFFICE])
    report = client.get("/meters/report/", {"from": first.isoformat(), "to": "nonsense"})
    assert "Blazing 7" in words(report)
