"""The manual in the product: whole, searchable, linked from every page, and true to its labels."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from pitboss.rules.book.manual_places import JOBS, PARTS, job_of
from pitboss.rules.roles import Role
from pitboss.selectors.manual import FOLDER, found_in_manual, manual
from tests.floor.cast import Cast
from tests.floor.tablets import signed_in, words
from tests.visible import PROJECT, visible

_LABEL = re.compile(r"\*\*(.+?)\*\*")


def test_every_role_has_its_page_and_every_page_is_a_job() -> None:
    assert {job_of(role) for role in Role} <= set(JOBS)
    assert {path.stem for path in FOLDER.glob("*.md")} == set(JOBS)


def test_every_part_that_a_page_opens_is_there() -> None:
    for job, places in PARTS.items():
        anchors = {part.anchor for part in manual()[job].parts}
        assert set(places.values()) <= anchors, job


def test_anchors_are_told_apart_and_pictures_exist() -> None:
    for job in manual().values():
        anchors = [part.anchor for part in job.parts]
        assert len(anchors) == len(set(anchors)), job.name
    for path in FOLDER.glob("*.md"):
        for picture in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", path.read_text()):
            assert (path.parent / picture).exists(), f"{path.name}: {picture}"


def test_every_label_that_the_manual_names_is_on_a_screen() -> None:
    said = {text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'") for _, text in visible()}
    templates = "\n".join(
        path.read_text() for path in sorted((PROJECT / "templates").rglob("*.html"))
    )
    scripts = "\n".join(
        path.read_text() for path in sorted((PROJECT / "static" / "pitboss").rglob("*.js"))
    )
    for path in sorted(FOLDER.glob("*.md")):
        for label in _LABEL.findall(path.read_text()):
            plain = label.removesuffix("…")
            assert any(plain in text for text in said) or plain in templates or plain in scripts, (
                f"{path.name} names “{label}”, which no screen shows"
            )


def test_words_are_found_in_headings_first() -> None:
    found = found_in_manual("drop run")
    assert (found[0].job, found[0].anchor) == ("security", "drop-run")
    assert all("drop" in f"{part.title} {part.text}".casefold() for part in found)
    assert found_in_manual("  ") == []
    assert found_in_manual("roulette in the moonlight") == []


@pytest.mark.django_db
class TestPages:
    def test_the_question_mark_opens_the_part_about_the_page(self, cast: Cast) -> None:
        board = words(signed_in(cast.alice, cast).get(reverse("board"), follow=True))
        address = f"{reverse('manual-job', args=['supervisor'])}#start-of-your-shift"
        assert f'href="{address}"' in board

    def test_every_job_is_read_by_everyone(self, cast: Cast) -> None:
        client = signed_in(cast.dan, cast)
        for job in manual().values():
            page = words(client.get(job.url))
            assert all(f'id="{part.anchor}"' in page for part in job.parts)
        assert client.get(reverse("manual-job", args=["nobody"])).status_code == 404

    def test_the_first_page_has_the_readers_own_job_first(self, cast: Cast) -> None:
        page = words(signed_in(cast.dan, cast).get(reverse("manual")))
        titles = [job.title for job in manual().values()]
        assert min(titles, key=lambda title: page.index(f"<h2>{title}")) == "Dealer"

    def test_what_is_looked_for_is_found_or_said_not_to_be(self, cast: Cast) -> None:
        client = signed_in(cast.alice, cast)
        page = words(client.get(reverse("manual"), {"q": "already paid"}))
        assert f"{reverse('manual-job', args=['dealer'])}#payouts-that-wait" in page
        nothing = client.get(reverse("manual"), {"q": "<b>zebra</b>"}).content.decode()
        assert "Nothing in the manual has all of these words." in nothing
        assert "<b>zebra" not in nothing

    def test_search_everywhere_finds_headings_of_the_manual(self, cast: Cast) -> None:
        page = words(signed_in(cast.alice, cast).get(reverse("search"), {"q": "rate players"}))
        assert f"{reverse('manual-job', args=['supervisor'])}#rate-players" in page
