"""A kind of slip is one module: here one is made up, and nothing else of the site is touched."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

import inventory.kinds
from pitboss.flow_book_rows import TABLE, book_rows
from pitboss.models import JournalEntry, Slip
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flow_proof import prove
from pitboss.rules.roles import Place
from pitboss.services.verification import verify
from pitboss.slips.addresses import new_url
from pitboss.slips.kind import Kind, find_kinds, kind_named
from tests.floor.cast import Cast, pin_of
from tests.floor.prints import printed
from tests.floor.tablets import signed_in, words

MODULE = '''
"""A chair that is broken: the supervisor says which, and security takes it away."""

from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.floor.fields import Words
from pitboss.rules.flows.flows import Promise, Readers, Step
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import GUARDING, KEEPING_BOOKS, SUPERVISING, Place, Role
from pitboss.slips.kind import Kind


def _refusals(raising):
    if raising.given["chair"] == "none":
        return [Refusal("no_chair", "Say which chair is broken.")]
    return []


TAKEN = []


def _taken(slip, signature, at):
    TAKEN.append(slip.details["chair"])
    return []


CHAIR = Kind(
    "chair",
    title="Broken chair",
    series="CH",
    open_to=SUPERVISING,
    lit_by="board",
    asked=(Words(name="chair", label="Which chair", most=40),),
    refusals=_refusals,
    steps=(
        Step("seen", done="Seen", do="See", by=Role.SUPERVISOR, at=Place.PIT,
             attests="I saw that it is broken."),
        Step("fetched", done="Fetched", do="Fetch", by=Role.SECURITY, at=Place.PIT,
             attests="I take it away.", then="chair_taken"),
    ),
    effects={"chair_taken": _taken},
    readers=Readers(SUPERVISING | GUARDING | KEEPING_BOOKS),
    promises=(Promise(2, 2),),
    paper=Form(parts=(Part("Original", "To the carpenter."),), shows=Shows.FACTS),
)
'''


@pytest.fixture
def chair(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cast: Cast,
    owner_connection: psycopg.Connection[tuple[object, ...]],
) -> Iterator[Kind]:
    """Put the module where kinds are found, and do what a start does: look for it, migrate."""
    (tmp_path / "chair.py").write_text(MODULE)
    monkeypatch.setattr(inventory.kinds, "__path__", [*inventory.kinds.__path__, str(tmp_path)])
    find_kinds()
    rows = [row for row in book_rows() if row[0] == "chair"]
    with owner_connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {TABLE} (kind, position, step, is_always, follows)"
            " VALUES (%s, %s, %s, %s, %s)",
            rows,
        )
    kind = kind_named("chair")
    assert kind is not None
    yield kind
    del FLOWS["chair"], sys.modules["inventory.kinds.chair"]


def shown_on(page: str) -> str:
    found = re.search(r'name="shown" value="([^"]*)"', page)
    assert found is not None, "there is no pad"
    return found[1].replace("&quot;", '"')


@pytest.mark.django_db(transaction=True)
def test_a_kind_in_a_module_of_its_own_is_raised_signed_printed_and_audited(
    cast: Cast, chair: Kind
) -> None:
    tablet, url = signed_in(cast.alice, cast), new_url("chair", table=cast.table.name)
    assert 'name="chair"' in words(tablet.get(url))
    nothing = tablet.post(url, {"chair": ""})
    assert (nothing.status_code, "Which chair" in words(nothing)) == (422, True)
    against = tablet.post(url, {"chair": "none"})
    assert "Say which chair is broken." in words(against)

    pad = words(tablet.post(url, {"chair": "Third from the left"}))
    assert "I saw that it is broken." in pad
    signature = {
        "request_id": str(uuid4()),
        "badge": cast.alice.badge,
        "pin": pin_of(cast.alice.badge),
        "shown": shown_on(pad),
    }
    raised = tablet.post(url, {"chair": "Third from the left", **signature})
    slip = Slip.objects.get(kind="chair")
    assert raised.headers["Location"] == f"/slips/{slip.serial}/"
    assert slip.serial.startswith("CH-")

    page = words(tablet.get(raised.headers["Location"]))
    assert "Seen" in page
    assert "Third from the left" in page
    assert "Fetch" in words(signed_in(cast.frank, cast).get("/inbox/"))
    cast.sign(slip, "fetched", cast.frank)
    assert sys.modules["inventory.kinds.chair"].TAKEN == ["Third from the left"]

    paper = printed(cast, slip, Place.PIT, cast.alice)
    assert "BROKEN CHAIR" in paper
    assert "Which chair Third from the left" in paper
    assert "Original: To the carpenter." in paper
    slip.refresh_from_db()
    assert slip.status == "done"
    kept = JournalEntry.objects.filter(kind__startswith="chair.").order_by("pk")
    assert [journal_entry.kind for journal_entry in kept] == [
        "chair.seen",
        "chair.fetched",
        "chair.printed",
    ]
    assert verify().is_sound
    assert not prove(chair, FLOWS).findings


@pytest.mark.django_db(transaction=True)
def test_a_kind_is_open_to_whom_it_says_and_to_nobody_else(cast: Cast, chair: Kind) -> None:
    url = new_url("chair", table=cast.table.name)
    assert signed_in(cast.erin, cast, Place.CAGE).get(url).status_code == 403
    assert signed_in(cast.bob, cast).get(new_url("sofa")).status_code == 404
    assert signed_in(cast.bob, cast).get(new_url("chair", table="BJ-99")).status_code == 404


def test_two_kinds_of_one_name_stop_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fill_again.py").write_text(MODULE.replace('"chair",', '"fill",', 1))
    monkeypatch.setattr(inventory.kinds, "__path__", [*inventory.kinds.__path__, str(tmp_path)])
    with pytest.raises(AssertionError, match="two kinds of slip called fill"):
        find_kinds()
    del sys.modules["inventory.kinds.fill_again"]
