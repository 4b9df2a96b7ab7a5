"""Sensitive keys, by the rules alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pitboss.rules.floor.keys import (
    KEYS,
    HookFound,
    apart_refusals,
    custodian_refusals,
    drawing_refusals,
    due_at,
    inventory_refusals,
    inventory_wrong,
    taker_refusals,
)
from pitboss.rules.roles import GUARDING, Role

SIX = datetime(2026, 5, 1, 6, tzinfo=UTC)


def test_a150_security_never_has_the_contents() -> None:
    for role in GUARDING:
        assert taker_refusals(KEYS["contents"], [], role)
        assert custodian_refusals(KEYS["contents"], role)


@pytest.mark.parametrize(
    ("key", "taken", "role", "codes"),
    [
        ("release", [], Role.SECURITY, []),
        ("release", [], Role.PIT_MANAGER, []),
        ("release", [Role.SECURITY], Role.SECURITY, ["not_a_taker"]),
        ("contents", [Role.COUNT_TEAM], Role.COUNT_TEAM, []),
        ("contents", [Role.COUNT_TEAM], Role.SUPERVISOR, ["not_a_taker"]),
        ("lids", [], Role.SUPERVISOR, []),
        ("lids", [], Role.DEALER, ["not_a_taker"]),
    ],
)
def test_a150_keys_are_taken_by_who_should(
    key: str, taken: list[Role], role: Role, codes: list[str]
) -> None:
    assert [refusal.code for refusal in taker_refusals(KEYS[key], taken, role)] == codes


def test_a150_a_key_leaves_its_hook_once_and_contents_with_a_session() -> None:
    contents = KEYS["contents"]
    assert drawing_refusals(contents, is_out="", has_session=True) == []
    found = drawing_refusals(contents, is_out="KY-2026-000001", has_session=False)
    assert [refusal.code for refusal in found] == ["key_out", "no_count_session"]
    assert drawing_refusals(KEYS["lids"], is_out="", has_session=False) == []


def test_a150_release_and_contents_are_apart_both_ways() -> None:
    for one, other in (("release", "contents"), ("contents", "release")):
        found = apart_refusals(KEYS[one], {other}, "F. Frankson")
        assert [refusal.code for refusal in found] == ["had_other_key"]
        assert apart_refusals(KEYS[one], {one, "lids"}, "F. Frankson") == []
    assert apart_refusals(KEYS["lids"], {"release"}, "F. Frankson") == []


def test_a_key_is_due_as_entered_after_its_minutes_or_with_the_shift() -> None:
    ends = SIX + timedelta(hours=8)
    assert due_at(KEYS["card_store"], SIX, ends, None) == SIX + timedelta(minutes=30)
    assert due_at(KEYS["release"], SIX, ends, None) == ends
    assert due_at(KEYS["card_store"], SIX, ends, ends) == ends


def test_an_inventory_looks_at_every_hook() -> None:
    all_here = dict.fromkeys(KEYS, HookFound.HERE.value)
    assert inventory_refusals(all_here) == []
    assert len(inventory_refusals({})) == len(KEYS)
    assert inventory_wrong(all_here, []) == []
    assert inventory_wrong(all_here, ["release"]) == ["Drop box release"]
    assert inventory_wrong({**all_here, "release": "out"}, ["release"]) == []
    assert inventory_wrong({**all_here, "release": "out"}, []) == ["Drop box release"]
    assert all(hook_found.label for hook_found in HookFound)
