"""What the manual has recorded at a table, and job cards where they are needed."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from pitboss.models import Table
from pitboss.rules.roles import Place
from pitboss.services.signing import Pen
from tests.floor.cast import Cast, pin_of, refused
from tests.floor.tablets import signed_in, words
from tests.floor.terminals import TerminalClient
from tests.tables.test_floor_log import ask
from tests.tables.test_incidents import COUNTED, deal, note, waits_for
from tests.tables.test_incidents import floor as floor
from tests.tables.test_incidents import terminal as terminal

pytestmark = pytest.mark.django_db
GOOD = {"courtesy": "SP", "procedure": "ME", "protection": "OP"}


def pen(cast: Cast) -> Pen:
    return Pen(cast.alice.badge, pin_of(cast.alice.badge), cast.devices[Place.PIT], uuid4())


def test_records_are_lines_of_the_log(floor: Cast) -> None:
    assert note(floor, "shuffled", reason="cut_card", how="machine").sentence == (
        "Shuffle: why The cut card came out; how By machine."
    )
    with refused("not_for_a_player", journal=()):
        note(floor, "shuffled", reason="player", how="machine")
    assert note(floor, "new_cards", reason="worn").outcome == "noted"
    assert note(floor, "washed", rotations=8, empty=True).outcome == "noted"
    assert note(floor, "tray_ready", clean=True, lammered=True).outcome == "noted"
    assert note(floor, "roll_call", expected=4, present=4).outcome == "noted"
    assert note(floor, "equipment", what="chain").outcome == "noted"
    posted = {"version": "12", "approved_by": "Lottery Commission", "dated": "2026-01-02"}
    assert "12" in note(floor, "house_rules", **posted).sentence


def test_a_dealer_who_is_named_is_a_dealer(floor: Cast) -> None:
    for code, facts in (("evaluation", GOOD), ("toke_count", {"cheques": {"2500": 4}})):
        for badge in (floor.alice.badge, "999999"):
            with refused("unknown_dealer", journal=("act_refused",)):
                note(floor, code, pen(floor), badge=badge, **facts)
        entry = note(floor, code, pen(floor), badge=floor.dan.badge, **facts)
        assert entry.is_signed
    with refused("unknown_dealer", journal=()):
        note(floor, "early_out", badge="999999", why="asked")
    assert note(floor, "early_out", badge=floor.dan.badge, why="asked").outcome == "noted"
    with refused("signature_missing", journal=()):
        note(floor, "evaluation", badge=floor.dan.badge, **GOOD)


def test_suspected_cheating_and_threats_reach_who_must_know(floor: Cast) -> None:
    note(floor, "abuse", what="complaint", note="Slow drinks.")
    assert waits_for() == set()
    note(floor, "cheating_suspected", what="past_post", seat=3, note="After the first card.")
    note(floor, "abuse", what="threat", note="Raised a hand.")
    assert waits_for() == {
        ("cheating_suspected", "surveillance"),
        ("cheating_suspected", "shift_manager"),
        ("player_threatens", "security"),
        ("player_threatens", "shift_manager"),
    }


def test_job_cards_are_shown_at_the_table_in_the_drills_and_on_the_approval(
    floor: Cast, terminal: TerminalClient
) -> None:
    tablet = signed_in(floor.alice, floor)
    page = words(tablet.get(reverse("reference", args=[floor.table.name])))
    assert "How the job is done" in page
    assert "Laying out bills" in page
    assert "Basic strategy" in page
    assert "Tray order and lammers" in words(tablet.get(reverse("drills")))
    body = ask(terminal, facts={"amount_cents": 100_000}).json()["request"]
    assert "rows of five" in words(tablet.get(reverse("floor-request", args=[body])))
    shown = {
        "buy_in": "rows of five",
        "cheque_change": "Break the player’s cheques down at the left",
        "colour_up": "every cheque that comes in for color",
        "coupon": "pays even money, never odds",
        "toke_box": "The supervisor verifies every color change",
        "dealer_cut": "Offer the cut to the player who got the cut card",
        "dead_spread": "two half circles",
        "touch_tray": "Work from the outside tubes in",
        "shuffled": "Never because a player asks",
        "washed": "at least 8 rotations",
        "tray_ready": "lammer off black and higher",
        "dispute": "comes off the top",
        "counterfeit_bill": "Don’t drop it and don’t return it",
    }
    for code, fact in shown.items():
        form = reverse("floor-enter", args=[floor.table.name, code])
        assert fact in words(tablet.get(form)), code


def test_who_signs_for_a_tray_or_a_fill_has_the_card_of_it(cast: Cast) -> None:
    tablet = signed_in(cast.alice, cast)
    name = cast.table.name
    assert "to prove 20" in words(tablet.get(f"/slips/new/opener/?table={name}"))
    fill = cast.ask(COUNTED)
    assert "points to it" not in words(tablet.get(f"/slips/{fill.serial}/")), "the cage signs next"
    cast.carry(fill)
    assert "points to it" in words(tablet.get(f"/slips/{fill.serial}/"))
    cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill))
    cast.sign(fill, "received", cast.alice)
    assert "points to it" not in words(tablet.get(f"/slips/{fill.serial}/"))
    cast.open_table(COUNTED)
    assert "upper left" in words(tablet.get(f"/slips/new/closer/?table={name}"))
    assert "How the job is done" not in words(tablet.get(f"/slips/new/count/?table={name}"))


def test_the_cards_of_a_table_are_those_of_its_game(floor: Cast) -> None:
    tablet = signed_in(floor.alice, floor)
    url = reverse("reference", args=[floor.table.name])
    deal(floor, "double_deck", decks=2)
    assert "Never show the burn card on double deck." in words(tablet.get(url))
    Table.objects.filter(pk=floor.table.pk).update(game="face_up", decks=6, setup={})
    page = words(tablet.get(url))
    assert "Both are seen at this game." in page
    assert "Split 2" not in page


def test_a_terminal_reads_the_cards_of_its_table(floor: Cast, terminal: TerminalClient) -> None:
    cards = {item["job"]: item for item in terminal.get("job-cards").json()}
    assert cards["bills"]["title"] == "Laying out bills"
    assert cards["bills"]["part"] == "Cheques and money"
    assert "lines 449-529" in cards["bills"]["written_in"]
    kinds = {item["kind"]: item for item in terminal.get("requests/kinds").json()}
    assert [card["job"] for card in kinds["buy_in"]["cards"]] == ["bills"]
    assert kinds["dealer_cut"]["guide"] == ["Each player was offered the cut, clockwise."]
