"""What the API says a wager may carry is what the settlers take: no more, no less."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pitboss.rules.paytables.printed import PAY_TABLES
from pitboss.rules.refusal import Refused
from pitboss.rules.wagers.extras import EXAMPLES, FIELDS, extra_page, extra_schema
from pitboss.rules.wagers.settle import WAGERS, settle

# What a settler takes too, but a terminal never says: the table decides it.
OF_THE_TABLE = {
    "options",
    "dealer_soft_17",
    "table_max_cents",
    "surrender_mode",
    "rules",
    "jackpots_cents",
    "jackpot_cents",
}
EVERY = sorted({field.name for fields in FIELDS.values() for field in fields})


def is_known(wager: str, name: str) -> bool:
    """Tell whether a settler reads a field, right or wrong."""
    case: dict[str, Any] = {
        "wager": wager,
        # The bonuses of Face Up have no printed table: a house writes its own.
        "paytable": next(iter(PAY_TABLES[wager])) if wager in PAY_TABLES else {"pair": "2:1"},
        "stake_cents": 500,
        "player_cards": ["8h", "8d"],
        "dealer_cards": ["6c"],
        "extra": {name: object()},
    }
    try:
        settle(case)
    except Refused as refused:
        return not any(
            refusal.code == "unknown_field" and name in refusal.message
            for refusal in refused.refusals
        )
    return True


@pytest.mark.parametrize("wager", WAGERS)
def test_a_wager_takes_the_fields_that_are_said_and_no_others(wager: str) -> None:
    taken = {name for name in EVERY if is_known(wager, name)}
    assert taken == {field.name for field in FIELDS[wager]}
    assert not taken & OF_THE_TABLE


@pytest.mark.parametrize("wager", WAGERS)
def test_a_schema_names_every_field_and_closes(wager: str) -> None:
    schema = extra_schema(wager)
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]) == {field.name for field in FIELDS[wager]}
    assert all(field["description"] for field in schema["properties"].values())


@pytest.mark.parametrize("wager", EXAMPLES)
def test_an_example_has_only_fields_of_its_wager(wager: str) -> None:
    assert EXAMPLES[wager].keys() <= {field.name for field in FIELDS[wager]}
    assert all(is_known(wager, name) for name in EXAMPLES[wager])


def test_the_page_has_a_line_for_each_field_and_one_for_what_most_share() -> None:
    page = extra_page()
    assert "| `raise_the_roof` | `raise_cents` | the raise; the stake is the ante |" in page
    assert "`trilux`, `super_3`" in page


def test_the_api_page_prints_this_very_table() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "api.md"
    assert extra_page() in page.read_text()


def test_an_unknown_field_is_refused_with_the_fields_that_exist() -> None:
    with pytest.raises(Refused) as refused:
        settle(
            {
                "wager": "raise_the_roof",
                "paytable": next(iter(PAY_TABLES["raise_the_roof"])),
                "stake_cents": 1000,
                "dealer_cards": ["6h", "4h", "5h", "7h"],
                "extra": {"raise": 5000},
            }
        )
    (refusal,) = refused.value.refusals
    assert refusal.code == "unknown_field"
    assert "raise_cents" in refusal.message
