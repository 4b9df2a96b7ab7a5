"""Whoever signs by hand is matched with a paper on file, by the app that keeps the file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pitboss.models import Slip
from pitboss.rules.drawn import Drawn

# Given the slip and the number of a paper on file: that paper in words, or nothing if it is not
# one of whoever signs.
Matcher = Callable[[Slip, int], str]

_MATCHERS: dict[str, Matcher] = {}


def matches_id(kind: str) -> Callable[[Matcher], Matcher]:
    """Register how the hand on a kind of slip is matched with an ID."""

    def register(function: Matcher) -> Matcher:
        assert kind not in _MATCHERS, f"{kind} is matched twice"
        _MATCHERS[kind] = function
        return function

    return register


def matched(slip: Slip, drawn: Drawn) -> Drawn:
    """Return a drawing with the ID that it was matched with, as the file says, whoever asks."""
    if drawn.document_id is None or slip.kind not in _MATCHERS:
        return replace(drawn, matched_with="")
    return replace(drawn, matched_with=_MATCHERS[slip.kind](slip, drawn.document_id))
