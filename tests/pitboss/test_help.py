"""Help in the product: a question mark on each page, and the terms of the floor."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from pitboss.rules.book.glossary import GLOSSARY
from pitboss.rules.book.page_help import LINES_MAX, help_for
from tests.floor.cast import Cast
from tests.floor.tablets import signed_in, words
from tests.test_access import OPEN, is_api, routes

pytestmark = pytest.mark.django_db


def test_every_page_says_what_it_is_for_in_three_lines_at_most() -> None:
    for path, pattern in routes():
        if is_api(pattern) or pattern.name in OPEN:
            continue
        lines = help_for(str(pattern.name), getattr(pattern.callback, "page", ""))
        # What ends a session or answers a script is no page to be on.
        if not lines and getattr(pattern.callback, "page", "") == "own":
            assert pattern.name in {
                "awake",
                "badge-name",
                "lock",
                "logout",
                "passkey-remove",
                "request-outcome",
                "session-end",
                "unlock",
            }, f"{path} says nothing of itself"
            continue
        assert lines, f"{path} says nothing of itself"
        assert len(lines) <= LINES_MAX
        assert all(line.endswith(".") and len(line) <= 100 for line in lines), path


def test_a_page_has_its_question_mark_and_the_way_to_the_terms(cast: Cast) -> None:
    board = words(signed_in(cast.alice, cast).get(reverse("board"), follow=True))
    assert "About this page" in board
    assert "Tap a table to work at it." in board
    assert f'href="{reverse("glossary")}"' in board


def test_the_door_has_none(cast: Cast) -> None:
    assert "About this page" not in words(Client().get(reverse("login")))


def test_everyone_reads_the_terms_of_the_floor(cast: Cast) -> None:
    for person in (cast.dan, cast.alice, cast.heidi):
        page = words(signed_in(person, cast).get(reverse("glossary")))
        assert all(term.meaning in page for term in GLOSSARY)


def test_search_finds_a_term_by_the_name_the_floor_uses(cast: Cast) -> None:
    page = words(signed_in(cast.alice, cast).get(reverse("search"), {"q": "chip"}))
    assert "Cheque" in page
    assert f"{reverse('glossary')}#cheque" in page
