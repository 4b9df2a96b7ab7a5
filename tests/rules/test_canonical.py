"""One text for one value."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.canonical import canonical, digest, is_plain

plain_text = st.text(st.characters(exclude_categories=["Cs"]))
plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | plain_text,
    lambda inner: st.lists(inner) | st.dictionaries(plain_text, inner),
    max_leaves=12,
)


@given(plain_values)
def test_every_plain_value_has_a_text_that_can_be_hashed(value: Any) -> None:
    assert len(digest(canonical(value))) == 64


@given(st.dictionaries(plain_text, st.integers()))
def test_the_order_in_which_a_value_was_written_does_not_show(value: dict[str, int]) -> None:
    assert canonical(dict(reversed(value.items()))) == canonical(value)


@pytest.mark.parametrize("value", [1.0, [1.5], {"a": {"b": (0.1,)}}])
def test_a_float_is_refused_wherever_it_hides(value: Any) -> None:
    with pytest.raises(TypeError, match="float"):
        canonical(value)


@pytest.mark.parametrize("value", [{1: "a"}, [{None: 2}]])
def test_a_key_that_is_no_text_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="key"):
        canonical(value)


class Name(StrEnum):
    """A key that is more than text, as roles and places are."""

    TABLE = "table"


def test_a_key_of_a_kind_of_text_is_written_as_that_text() -> None:
    assert canonical({Name.TABLE: 1, "at": 2}) == canonical({"table": 1, "at": 2})


@given(st.text())
def test_a_text_is_plain_exactly_when_it_can_be_stored(text: str) -> None:
    try:
        storable = b"\x00" not in text.encode()
    except UnicodeEncodeError:
        storable = False
    assert is_plain(text) is storable


def test_what_is_no_text_is_not_plain() -> None:
    assert not any(map(is_plain, (None, 7, b"bytes", ["a"])))
