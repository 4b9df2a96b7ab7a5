"""Which program runs here: version and hash, on paper and on one page, approved by two managers."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.urls import reverse

from pitboss import build
from pitboss.build import Build, hash_of, this_build
from pitboss.kinds import build_approval
from pitboss.kinds.build_approval import BUILD_APPROVAL
from pitboss.models import Slip
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place
from pitboss.services.signing import Entry
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast, refused
from tests.floor.prints import words_of
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db


def propose(cast: Cast) -> Slip:
    raising = BUILD_APPROVAL.at()
    return raise_kind(raising, pen=cast.pen(cast.carol, Place.OFFICE), shown=shown_before(raising))


def test_the_hash_is_of_every_file_that_runs(tmp_path: Path) -> None:
    for name in ("pitboss/a.py", "templates/b.html", "tests/test_c.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("one")
    before = hash_of(tmp_path)
    (tmp_path / "tests/test_c.py").write_text("two")
    cached = tmp_path / "pitboss" / "__pycache__"
    cached.mkdir()
    (cached / "a.pyc").write_text("two")
    assert hash_of(tmp_path) == before
    (tmp_path / "pitboss/a.py").write_text("two")
    assert hash_of(tmp_path) != before


def test_two_managers_approve_the_program_and_the_page_compares(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = signed_in(cast.heidi, cast)
    page = words(client.get(reverse("build")))
    assert this_build().sha256 in page
    assert "No one approved this program yet." in page
    slip = propose(cast)
    with refused("already_proposed"):
        propose(cast)
    with refused("signed_before"):
        cast.sign(slip, "approved", cast.carol, Place.OFFICE)
    cast.sign(slip, "approved", cast.heidi, Place.OFFICE)
    page = words(client.get(reverse("build")))
    assert "This is the program that two managers approved." in page
    other = Build("1.0.1", "f" * 64)
    monkeypatch.setattr("pitboss.views.builds.this_build", lambda: other)
    page = words(client.get(reverse("build")))
    assert "This isn’t the program that was approved." in page
    assert "Approve this program…" in page


def test_a_program_that_changed_since_is_not_approved(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    slip = propose(cast)
    monkeypatch.setattr(build_approval, "this_build", lambda: Build("1.0.1", "f" * 64))
    with refused("build_changed"):
        cast.sign(slip, "approved", cast.heidi, Place.OFFICE)
    entry = Entry(reason="Another build runs.")
    cast.sign(slip, "refused", cast.heidi, Place.OFFICE, entry=entry, track=Track.VOID)
    assert build.this_build().version


def test_reports_and_the_shift_name_the_build(cast: Cast) -> None:
    client = signed_in(cast.heidi, cast)
    assert this_build().words in words(client.get(reverse("house-shift")))
    assert this_build().words in words(client.get(reverse("report", args=["minutes-lost"])))
    assert (
        this_build().words
        in client.get(reverse("report-csv", args=["minutes-lost"])).content.decode()
    )
    paper = client.get(reverse("report-pdf", args=["minutes-lost"]))
    assert this_build().words in words_of(paper.content)
