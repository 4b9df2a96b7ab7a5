"""What a group takes for a statement of a house, and every reason why it does not."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from pitboss.rules.canonical import canonical
from pitboss.rules.group.signing import Purpose, mark_of, public_key, sign_text
from pitboss.rules.group.statements import (
    CHARACTERS_MAX,
    NOTHING_HELD,
    Held,
    SealMark,
    Statement,
    TableLine,
    digest_of,
    proof_refusals,
    read_statement,
    seals_digest,
)
from pitboss.rules.refusal import Refused

SEED = "07" * 32
KEY = public_key(SEED)
KEYS = {mark_of(KEY): KEY}
AT = datetime(2026, 5, 3, 9, tzinfo=UTC)
LINE = TableLine(
    table="BJ-01",
    pit="Pit 1",
    game="blackjack",
    opening_cents=1_000_000,
    closing_cents=900_000,
    fills_cents=200_000,
    credits_cents=50_000,
    markers_cents=30_000,
    marker_payments_cents=10_000,
    marker_cash_cents=5_000,
    jackpots_cents=0,
    estimated_cents=100_000,
    drop_cents=500_000,
    statistical_drop_cents=525_000,
    win_cents=270_000,
)
OPEN = replace(LINE, table="BJ-02", drop_cents=None, statistical_drop_cents=None, win_cents=None)
FIRST = Statement(
    house="Lakeside",
    number=1,
    previous="",
    gaming_day=date(2026, 5, 2),
    version=1,
    closed_on="DC-1",
    closed_at=AT,
    stated_at=AT,
    seal=SealMark(7, "77"),
    sealed_at=AT,
    since=None,
    seals_digest="",
    exceptions=3,
    carried_over=1,
    tables=(LINE, OPEN),
)
HELD = Held(1, digest_of(FIRST), "Lakeside", SealMark(7, "77"))
SECOND = replace(
    FIRST,
    number=2,
    previous=digest_of(FIRST),
    gaming_day=date(2026, 5, 3),
    seal=SealMark(9, "99"),
    since=SealMark(7, "77"),
    seals_digest=seals_digest(["88", "99"]),
)


def refused(
    statement: Statement, held: Held = HELD, *, seed: str = SEED, key_mark: str = mark_of(KEY)
) -> list[str]:
    signature = sign_text(seed, Purpose.STATEMENT, statement.text)
    found = proof_refusals(statement, key_mark=key_mark, signature=signature, keys=KEYS, held=held)
    return [each.code for each in found]


def test_a_statement_is_read_as_it_was_signed() -> None:
    assert read_statement(FIRST.text) == FIRST
    assert read_statement(SECOND.text) == SECOND
    assert not FIRST.is_final
    assert replace(FIRST, tables=(LINE,)).is_final


def test_the_next_statement_of_a_house_has_its_proof() -> None:
    assert refused(FIRST, NOTHING_HELD) == []
    assert refused(SECOND) == []
    restated = replace(SECOND, gaming_day=FIRST.gaming_day, version=2)
    assert refused(restated, replace(HELD, version=1)) == []


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"house": "Seaside"}, "other_property"),
        ({"number": 3}, "chain_broken"),
        ({"previous": "00"}, "chain_broken"),
        ({"version": 2}, "version_wrong"),
        ({"since": SealMark(7, "78")}, "seals_broken"),
        ({"since": None}, "seals_broken"),
        ({"seal": SealMark(6, "66")}, "seals_broken"),
        ({"tables": (replace(LINE, win_cents=270_001),)}, "figures_wrong"),
        ({"tables": (replace(LINE, statistical_drop_cents=1),)}, "figures_wrong"),
        ({"tables": (replace(OPEN, win_cents=1),)}, "figures_wrong"),
        ({"tables": (LINE, LINE)}, "figures_wrong"),
    ],
)
def test_each_thing_that_does_not_fit_is_named(changed: dict[str, object], code: str) -> None:
    assert refused(replace(SECOND, **changed)) == [code]  # type: ignore[arg-type]


def test_only_a_key_on_file_proves_a_statement() -> None:
    assert refused(SECOND, seed="08" * 32) == ["signature_wrong"]
    assert refused(SECOND, key_mark="0" * 16) == ["unknown_key"]
    listed = sign_text(SEED, Purpose.LIST, SECOND.text)
    found = proof_refusals(SECOND, key_mark=mark_of(KEY), signature=listed, keys=KEYS, held=HELD)
    assert [each.code for each in found] == ["signature_wrong"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        json.dumps(json.loads(FIRST.text)),
        canonical(json.loads(FIRST.text) | {"more": 1}),
        canonical(json.loads(FIRST.text) | {"number": True}),
        canonical(json.loads(FIRST.text) | {"number": 2**60}),
        canonical(json.loads(FIRST.text) | {"property": ""}),
        canonical(json.loads(FIRST.text) | {"closed_at": "2026-05-03T09:00:00"}),
        FIRST.text.replace('"win_cents":270000', '"win_cents":2.7e5'),
        FIRST.text.replace('"fills_cents":200000', '"fills_cents":"200000"'),
        " " * (CHARACTERS_MAX + 1),
        "\x00",
    ],
)
def test_what_is_no_statement_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_statement(text)
    assert list(refusal.value.codes) == ["statement_malformed"]


def test_a_statement_of_a_format_to_come_says_to_update_the_desk() -> None:
    with pytest.raises(Refused) as refusal:
        read_statement(FIRST.text.replace("statement/1", "statement/2"))
    assert list(refusal.value.codes) == ["statement_format"]
