"""Papers of a drop box: which belong, in which of two boxes near a pull, and what is said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pitboss.rules.drop.box_papers import (
    Around,
    BoxPapers,
    BoxPulled,
    DroppedCopy,
    expected_copies,
    judge_papers,
)

NEAR = timedelta(minutes=10)
LAST = datetime(2026, 5, 1, 5, tzinfo=UTC)
PULL = LAST + timedelta(hours=8)
NEXT = PULL + timedelta(hours=8)
BOX = BoxPulled("BJ-11", LAST, PULL)
BEFORE = BoxPulled("BJ-11", None, LAST)
FOLLOWING = BoxPulled("BJ-11", PULL, NEXT)


def copy(
    code: str = "F-2026-000001/D", minutes: float = -60, *, table: str = "BJ-11", **more: bool
) -> DroppedCopy:
    return DroppedCopy(code, "fill, duplicate", table, PULL + timedelta(minutes=minutes), **more)


def judged(copies: list[DroppedCopy], found: list[str], around: Around | None = None) -> BoxPapers:
    return judge_papers(BOX, copies, found, around or Around(NEAR))


def test_a_box_expects_what_was_dropped_while_it_was_on_its_table() -> None:
    late, early = copy(minutes=-1), copy("F-2026-000002/D", -400)
    others = [
        copy("A/D", 1),
        copy("B/D", -8 * 60),
        copy("C/D", table="BJ-12"),
        copy("E/D", is_optional=True),
        DroppedCopy("G/O", "fill, original", "BJ-11", None),
    ]
    assert expected_copies(BOX, [late, *others, early]) == [early, late]
    assert expected_copies(BEFORE, others) == [others[1]]


def test_all_found_is_right_and_what_is_not_is_named() -> None:
    assert judged([copy()], ["F-2026-000001/D"]).is_right
    papers = judged([copy()], [])
    assert papers.missing == ("F-2026-000001/D",)
    titles = {"F-2026-000001/D": "fill, duplicate"}
    assert papers.words(titles) == "F-2026-000001/D (fill, duplicate) is missing"


def test_a_bare_number_stands_for_the_part_that_goes_into_the_box() -> None:
    parts = [
        DroppedCopy("C-2026-000001/O", "credit, original", "BJ-11", None),
        copy("C-2026-000001/D"),
        copy("C-2026-000001/A"),
    ]
    assert judged(parts, ["C-2026-000001", "C-2026-000001"]).is_right
    assert judged(parts, ["C-2026-000001"]).missing == ("C-2026-000001/A",)
    thrice = judged(parts, ["C-2026-000001"] * 3)
    assert thrice.double == (("C-2026-000001/D", ""),)
    only_kept = judged(parts[:1], ["C-2026-000001"])
    assert only_kept.foreign == (("C-2026-000001", "is not on file"),)


@pytest.mark.parametrize(
    ("strange", "where"),
    [
        (copy(table="BJ-12"), "belongs to BJ-12"),
        (copy(minutes=-9 * 60), "belongs in another box of BJ-11"),
        (DroppedCopy("F-2026-000001/D", "", "BJ-11", None), "does not go into a drop box"),
        (copy("F-2026-000002/D"), "is not on file"),
        (copy(minutes=3, is_tied=True), "belongs in another box of BJ-11"),
        (copy(table="BJ-12", is_optional=True), "belongs to BJ-12"),
    ],
)
def test_a_paper_that_does_not_belong_says_where_it_does(strange: DroppedCopy, where: str) -> None:
    papers = judged([strange], ["F-2026-000001/D"])
    assert papers.foreign == (("F-2026-000001/D", where),)
    assert f"F-2026-000001/D {where}" in papers.words({})


@pytest.mark.parametrize("optional", [copy(is_optional=True), copy(table="", is_optional=True)])
def test_a_paper_that_may_be_there_is_neither_missed_nor_strange(optional: DroppedCopy) -> None:
    assert judged([optional], []).is_right
    assert judged([optional], [optional.code]).here == (optional.code,)


def test_a_paper_seen_twice_is_named_with_the_other_count() -> None:
    twice = judged([copy()], ["F-2026-000001/D"] * 2)
    assert twice.words({}) == "F-2026-000001/D was found twice"
    around = Around(NEAR, elsewhere={"F-2026-000001/D": "DC-2026-000009"})
    other = judged([copy()], ["F-2026-000001/D"], around)
    assert other.words({}) == "F-2026-000001/D was also found on DC-2026-000009"


def test_what_no_one_can_read_is_counted() -> None:
    papers = judge_papers(BOX, [], [], Around(NEAR), unreadable=2)
    assert (papers.is_right, papers.words({})) == (False, "2 unreadable")


def in_box(box: BoxPulled, *found: str) -> BoxPulled:
    return BoxPulled(box.table, box.after, box.until, found)


def test_a_copy_near_the_pull_may_be_in_the_next_box_and_is_missed_once_both_are_posted() -> None:
    near, far = copy(minutes=-4), copy(minutes=-20)
    code = near.code
    # The next box is on the table, or not posted: it may still turn up.
    assert judged([near], []).is_right
    assert judged([near], [], Around(NEAR, following=FOLLOWING)).is_right
    assert judged([near], [], Around(NEAR, following=in_box(FOLLOWING, code))).is_right
    assert judged([near], [], Around(NEAR, following=in_box(FOLLOWING))).missing == (code,)
    assert judged([far], [], Around(NEAR, following=in_box(FOLLOWING))).missing == (code,)
    # And so from the next box's side.
    around = Around(NEAR, before=in_box(BOX))
    posted_later = judge_papers(FOLLOWING, [near], [], around)
    assert posted_later.missing == (code,)
    assert judge_papers(FOLLOWING, [near], [], Around(NEAR, before=BOX)).is_right
    assert judge_papers(FOLLOWING, [near], [], Around(NEAR, before=in_box(BOX, code))).is_right
    assert judge_papers(FOLLOWING, [near], [code], around).notes == (code,)
    strange = judge_papers(FOLLOWING, [far], [code], around)
    assert strange.foreign == ((code, "belongs in another box of BJ-11"),)
    assert judge_papers(FOLLOWING, [far], [], around).is_right, "the other box named it"


def test_a_copy_just_after_the_pull_may_be_in_the_box_that_left() -> None:
    near, code = copy(minutes=4), "F-2026-000001/D"
    assert judged([near], [code]).notes == (code,)
    assert judged([near], [code], Around(NEAR, following=FOLLOWING)).notes == (code,)
    assert judged([near], [], Around(NEAR, following=FOLLOWING)).is_right
    assert judged([near], [], Around(NEAR, following=in_box(FOLLOWING))).missing == (code,)
    around = Around(NEAR, before=in_box(BOX, code))
    assert judge_papers(FOLLOWING, [near], [], around).is_right
    assert judge_papers(FOLLOWING, [near], [], Around(NEAR, before=in_box(BOX))).missing == (code,)
    assert judge_papers(FOLLOWING, [near], [], Around(NEAR, before=BOX)).is_right
    assert judged([copy(minutes=10)], [code]).notes == (code,)
    far = copy(minutes=10.1)
    assert judged([far], [code]).foreign[0][1] == "belongs in another box of BJ-11"
