"""The board: a fixed number of queries, and the words and shapes of each state."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from inventory.kinds.fill import FILL
from inventory.models import TrayCount
from pitboss.models import Device, Person, Slip, Table, Waiting
from pitboss.rules.flows.flows import PlanFacts
from pitboss.rules.roles import Place, Role
from pitboss.selectors.waiting import waiting_around
from pitboss.services import house
from pitboss.services.exceptions import open_exception
from pitboss.services.signing import Entry
from tables.models import Dealing
from tables.selectors.board import tiles_of
from tables.selectors.board_items import strip_of
from tests.floor.cage import open_with, send_credit
from tests.floor.cast import Cast, ServerClock
from tests.floor.house import keep_shut
from tests.floor.jackpots import hit, open_tables
from tests.floor.payouts import open_with_terminal, paid
from tests.floor.tablets import period_now, signed_in, words

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 40}


def a_floor_of(tables: int, cast: Cast) -> None:
    """Fill the first pit with tables in every state; rows alone, for the board only reads them."""
    now, when = house.now(), period_now()
    made = Table.objects.bulk_create(
        Table(
            name=f"X-{index}",
            pit=cast.pit,
            game="classic",
            minimum_cents=2_500,
            maximum_cents=300_000,
            par={"2500": 100},
            is_open=index % 3 > 0,
            tray_sequence=1,
        )
        for index in range(tables)
    )
    slips = Slip.objects.bulk_create(
        Slip(
            kind="fill",
            series="X",
            year=2026,
            number=index,
            serial=f"X-2026-{index}",
            table=table,
            gaming_day=when.gaming_day,
            shift=when.shift,
            raised_at=now,
            cheques={"2500": 5},
            total_cents=12_500,
            plan=FILL.plan(PlanFacts({2_500: 5})),
        )
        for index, table in enumerate(made)
    )
    TrayCount.objects.bulk_create(
        TrayCount(table=slip.table, slip=slip, tray_sequence=1, cheques={"2500": 5}, at=now)
        for slip in slips
    )
    Waiting.objects.bulk_create(
        Waiting(
            slip=slip,
            step="received",
            by=["supervisor"],
            place="pit",
            pit=cast.pit,
            table=slip.table,
            since=now,
        )
        for slip in slips[::2]
    )
    Dealing.objects.create(table=made[1], dealer=cast.dan, began_at=now)


def strip(
    cast: Cast, person: Person, role: Role, device: Device | None = None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return what the strip over the board of the first pit shows somebody on its tablet."""
    at_tables, for_person = waiting_around(cast.pit, person, role)
    return strip_of(
        of_pit=at_tables,
        for_person=for_person,
        tiles=tiles_of(cast.pit, period_now()),
        role=role,
        device=device or cast.devices[Place.PIT],
    )


# What every page asks before its own reads: who is looking, on what, and the badge of the inbox.
AROUND = ("django_session", "pitboss_property", "pitboss_actingrole", "pitboss_device")


def own_queries(captured: CaptureQueriesContext) -> list[str]:
    """Return the queries of a page besides those of the session, the person and the shell."""
    asked = [item["sql"] for item in captured]
    return [
        sql
        for sql in asked
        if not any(f'FROM "{table}"' in sql for table in AROUND)
        and "FROM pitboss_person person WHERE person.id" not in sql
        and not sql.startswith(("SAVEPOINT", "RELEASE"))
    ]


def test_the_tiles_of_two_hundred_tables_cost_three_queries(
    cast: Cast, django_assert_num_queries: Any
) -> None:
    a_floor_of(200, cast)
    when = period_now()
    with django_assert_num_queries(3):
        tiles = tiles_of(cast.pit, when)
    assert len(tiles) == 202
    assert sum(tile["waits"] is not None for tile in tiles) == 166
    assert sum(tile["state"]["word"] == "No dealer" for tile in tiles) == 132
    assert sum(tile["dealer"] is not None for tile in tiles) == 1


def test_the_board_of_two_hundred_tables_asks_eight_queries_besides_who_is_looking(
    cast: Cast,
) -> None:
    client = signed_in(cast.alice, cast)
    url = reverse("pit-board", args=[cast.pit.pk])
    client.get(url)
    a_floor_of(200, cast)
    with CaptureQueriesContext(connection) as captured:
        page = client.get(url)
    text = words(page)
    assert text.count('<article class="tile') == 202
    assert "232</b> Waiting for you" in text, "100 slips, and 132 tables without a dealer"
    asked = own_queries(captured)
    assert len(asked) <= 8, "\n".join(sql[:160] for sql in asked)


def test_a_tables_page_asks_as_much_with_ten_slips_as_with_one(cast: Cast) -> None:
    client = signed_in(cast.alice, cast)
    url = reverse("table", args=["BJ-11"])
    cast.ask({2_500: 20})
    with CaptureQueriesContext(connection) as few:
        client.get(url)
    for _ in range(9):
        cast.ask({2_500: 20})
    with CaptureQueriesContext(connection) as many:
        client.get(url)
    assert len(many) <= len(few)


def test_a_tray_that_gave_more_than_its_last_count_asks_to_be_counted(cast: Cast) -> None:
    client, url = signed_in(cast.alice, cast), reverse("table", args=["BJ-11"])
    open_with(cast, {2_500: 40, 500: 60})
    send_credit(cast, {2_500: 40})
    assert "Count the tray." not in words(client.get(url))
    send_credit(cast, {2_500: 20})
    assert "More $25 green went out than the last count showed." in words(client.get(url))


def test_the_board_says_each_state_by_shape_and_word(cast: Cast) -> None:
    keep_shut(cast)

    def tile() -> dict[str, Any]:
        return next(t for t in tiles_of(cast.pit, period_now()) if t["name"] == "BJ-11")

    assert (tile()["state"]["word"], tile()["nobody"]) == ("Closed", "Never opened")
    cast.deliver(cast.ask(TRAY))
    opener = cast.count("opener", TRAY | {2_500: 37})
    blind = tile()
    assert (blind["state"], blind["tone"]) == ({"kind": "half", "word": "Opening"}, "wait")
    assert blind["held"] is None, "the book is not shown to a blind count"
    cast.sign(opener, "verified", cast.alice, entry=Entry(counted=TRAY | {2_500: 37}))
    found = tile()
    assert (found["tone"], found["held"]) == ("bad", TRAY)
    assert (found["waits"]["title"], found["waits"]["words"]) == (
        "Opener −$75",
        "on shift manager",
    )
    mine, _ = strip(cast, cast.heidi, Role.SHIFT_MANAGER)
    assert mine[0]["table"] == "BJ-11"
    because = Entry(reason="Three green are gone.")
    cast.sign(opener, "accepted", cast.heidi, entry=because)
    cast.sign(opener, "security_reported", cast.frank, entry=because)
    cast.sign(opener, "surveillance_reported", cast.ivan, entry=because)
    opened = tile()
    assert (opened["state"], opened["tone"]) == ({"kind": "open", "word": "Open"}, "")
    assert opened["dealer"]["name"] == "D. Danson"
    cast.ask({2_500: 20})
    assert tile()["state"] == {"kind": "wait", "word": "Fill"}


def test_a_tray_with_other_colours_but_the_same_total_says_so_on_the_board(cast: Cast) -> None:
    keep_shut(cast)
    cast.deliver(cast.ask(TRAY))
    swapped = {10_000: 21, 2_500: 36}
    opener = cast.count("opener", swapped)
    cast.sign(opener, "verified", cast.alice, entry=Entry(counted=swapped))
    tile = next(t for t in tiles_of(cast.pit, period_now()) if t["name"] == "BJ-11")
    assert tile["waits"]["title"] == "Opener Colors don’t match"


@pytest.fixture
def floor(cast: Cast) -> Cast:
    """One table of the cast, open and dealt."""
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    return cast


def tile_of(cast: Cast, name: str = "BJ-11") -> dict[str, Any]:
    return next(t for t in tiles_of(cast.pit, period_now()) if t["name"] == name)


def call(cast: Cast, words: str = "") -> None:
    open_exception(
        code="supervisor_called",
        sentence=f"BJ-11 calls the supervisor: {words}."
        if words
        else "BJ-11 calls the supervisor.",
        details={"about": words},
        at=house.now(),
        person=None,
        table=cast.table,
    )


def test_a_call_a_jackpot_and_a_missing_dealer_each_have_a_state_of_their_own(
    cast: Cast, server_clock: ServerClock
) -> None:
    open_tables(cast)
    jackpot = hit(cast)
    found = tile_of(cast)
    assert (found["state"], found["tone"]) == ({"kind": "jack", "word": "PENDING"}, "jack")
    assert jackpot.serial in found["waits"]["url"]
    call(cast, "dispute at seat 3")
    calling = tile_of(cast)
    assert (calling["state"], calling["tone"]) == ({"kind": "call", "word": "Calling"}, "bad")
    assert calling["waits"]["words"] == "Dispute at seat 3"
    assert calling["more"] == 2, "the jackpot, and its tax forms"
    Dealing.objects.filter(table=cast.other_table).update(ended_at=house.now())
    server_clock.move(minutes=4)
    alone = tile_of(cast, cast.other_table.name)
    assert alone["state"] == {"kind": "nobody", "word": "No dealer"}
    assert (alone["tone"], alone["waits"]["title"]) == ("nobody", "Send a dealer")
    assert alone["waits"]["since"] == house.now() - timedelta(minutes=4)
    page = words(signed_in(cast.alice, cast).get(reverse("pit-board", args=[cast.pit.pk])))
    assert '<span class="chip chip--call">Calling' in page
    assert '<span class="chip chip--nobody">No dealer' in page
    strip_words = page[page.index('id="mine"') : page.index('id="board"')]
    titles = [strip_words.index(title) for title in ("Answer call", "Jackpot", "Send a dealer")]
    assert titles == sorted(titles)


def test_the_board_shows_a_payout_that_differs_and_leads_to_its_proof(cast: Cast) -> None:
    terminal = open_with_terminal(cast)
    mismatch = paid(terminal, paid_cents=90_000)
    client, url = signed_in(cast.alice, cast), reverse("pit-board", args=[cast.pit.pk])
    for answer in (client.get(url), client.get(f"{url}poll?v=0")):
        assert answer.status_code == 200
        page = words(answer)
        assert '<span class="chip chip--bad">Exception' in page
        assert "Mismatch" in page
    item = tile_of(cast)["waits"]
    assert client.get(item["url"])["Location"] == reverse("mismatch", args=[mismatch.pk])


def test_the_newest_of_a_rank_comes_first_on_the_tile_and_in_the_strip(
    floor: Cast, server_clock: ServerClock
) -> None:
    floor.ask({2_500: 20})
    server_clock.move(minutes=1)
    newer = floor.ask({2_500: 40})
    tile = tile_of(floor)
    assert newer.serial in tile["waits"]["url"]
    assert tile["more"] == 1


def test_the_strip_counts_what_this_person_can_do_on_this_tablet(floor: Cast) -> None:
    floor.ask({2_500: 20})
    mine, elsewhere = strip(floor, floor.alice, Role.SUPERVISOR)
    assert (mine, [item["words"] for item in elsewhere]) == ([], ["Waiting for cashier"])
    call(floor)
    mine, elsewhere = strip(floor, floor.alice, Role.SUPERVISOR)
    assert ([item["title"] for item in mine], len(elsewhere)) == (["Dealer calling"], 1)
    # The call is answered where the table stands.
    mine, elsewhere = strip(floor, floor.alice, Role.SUPERVISOR, floor.other_pit_tablet)
    assert mine == []
    assert elsewhere[0]["title"] == "Dealer calling"
    page = words(signed_in(floor.alice, floor).get(reverse("pit-board", args=[floor.pit.pk])))
    assert "1</b> Waiting for you" in page
    assert "1</b> Elsewhere" in page


def test_a_relief_that_is_due_waits_at_its_table_and_for_who_sends_dealers(
    floor: Cast, server_clock: ServerClock
) -> None:
    server_clock.move(minutes=63)
    tile = tile_of(floor)
    assert (tile["state"]["word"], tile["tone"]) == ("Open", "wait")
    assert (tile["waits"]["title"], tile["waits"]["words"]) == ("Relief due", "D. Danson, 63 min")
    mine, elsewhere = strip(floor, floor.alice, Role.SUPERVISOR)
    assert [item["title"] for item in mine] == ["Relief due"]
    mine, elsewhere = strip(floor, floor.frank, Role.SECURITY)
    assert (mine, [item["title"] for item in elsewhere]) == ([], ["Relief due"])
