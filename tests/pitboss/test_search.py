"""Search everywhere: what a role may open is found, and nothing hints at the rest."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from pitboss.models import Person
from pitboss.rules.flows.reading import may_read
from pitboss.rules.roles import Place, Role
from pitboss.selectors.search import FOUND_MAX
from pitboss.services.floor import add_table
from tests.floor.cards import in_pit
from tests.floor.cast import Cast
from tests.floor.markers import make_patron
from tests.floor.tablets import signed_in, words
from tests.test_access import someone
from tests.test_who_reads_what import bare

pytestmark = pytest.mark.django_db


def found(cast: Cast, person: Person, sought: str, place: Place = Place.OFFICE) -> str:
    """Return the results that somebody sees, without what was typed."""
    client = signed_in(person, cast, place)
    page = words(client.get(reverse("search"), {"q": sought}, headers={"HX-Request": "true"}))
    return page[page.index('id="found"') :].partition("</main>")[0]


@pytest.mark.parametrize("role", list(Role))
def test_a_slip_is_found_by_who_reads_its_kind_and_for_others_does_not_exist(
    cast: Cast, role: Role
) -> None:
    person = someone(cast, role)
    nothing = found(cast, person, "Z-2031-999999")
    for kind, slip in bare("fill", "marker", "setting_change", "jackpot").items():
        answer = found(cast, person, slip.serial[:-1])
        if may_read(kind, role) and role is not Role.ADMINISTRATOR:
            assert slip.serial in answer
        else:
            assert answer == nothing, "not even a count tells that it exists"


def test_each_thing_is_found_by_those_who_may_open_it(cast: Cast) -> None:
    patron = make_patron(cast)
    (card_set,) = in_pit(cast)
    hits = {
        "BJ-1": ("BJ-11", cast.alice, cast.erin),
        cast.dan.last_name: (cast.dan.badge, cast.carol, cast.alice),
        patron.last_name: (patron.full_name, cast.alice, cast.frank),
        "06-": (card_set, cast.frank, cast.erin),
        "idle tablet": ("Time after which an idle tablet locks", cast.carol, cast.alice),
        "one device": ("Signatures on one device", cast.olga, cast.erin),
        "drills": ("Drills", cast.dan, cast.judy),
    }
    for sought, (title, reader, other) in hits.items():
        assert title in found(cast, reader, sought), sought
        assert title not in found(cast, other, sought), sought


def test_the_running_number_alone_finds_a_slip_and_its_whole_number_opens_it(cast: Cast) -> None:
    slip = cast.ask()
    client = signed_in(cast.alice, cast)
    assert slip.serial in found(cast, cast.alice, str(slip.number), Place.PIT)
    opened = client.get(reverse("search"), {"q": slip.serial.lower()})
    assert opened.headers["Location"] == reverse("slip", args=[slip.serial])
    opened = client.get(reverse("search"), {"q": "bj-11"})
    assert opened.headers["Location"] == reverse("table", args=["BJ-11"])
    # As one types nothing opens by itself.
    typed = client.get(
        reverse("search"),
        {"q": "BJ-11"},
        headers={"HX-Request": "true", "HX-Target": "found"},
    )
    assert typed.status_code == 200
    assert "<html" not in typed.content.decode()


def test_what_is_empty_or_malformed_finds_nothing_and_breaks_nothing(cast: Cast) -> None:
    client = signed_in(cast.alice, cast)
    assert "No match" not in words(client.get(reverse("search")))
    for sought in ("%", "'", "９９", "1" * 500, "F-", "-"):
        page = client.get(reverse("search"), {"q": sought})
        assert page.status_code == 200, sought
    assert re.search("No match", words(client.get(reverse("search"), {"q": "zzzz"})))


def test_a_long_list_says_that_there_are_more(cast: Cast) -> None:
    assert "There are more" not in found(cast, cast.alice, "BJ-")
    for number in range(31, 31 + FOUND_MAX):
        add_table(
            name=f"BJ-{number}",
            pit=cast.pit,
            game="classic",
            minimum_cents=2_500,
            maximum_cents=50_000,
            par={},
        )
    answer = found(cast, cast.alice, "BJ-")
    assert answer.count('href="/tables/') == FOUND_MAX
    assert "There are more. Enter more of the name or number." in answer
    assert "There are more" not in found(cast, cast.alice, "BJ-3")
