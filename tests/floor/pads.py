"""Pads for forms that a test writes by hand: a page would have carried one, sealed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from pitboss.models import Slip
from pitboss.rules.flows.attesting import step_id
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import Track
from pitboss.services.pads import Attested, Pad

_SENTENCE = "I read this in a test."
_PINS = ("pin", "old_pin")
_SIGNING = re.compile(r"/slips/([^/]+)/sign/(\w+)/(\w+)$")
_RAISING = re.compile(r"/slips/new/(\w+)/")


def sealed_for(url: str, posted: Mapping[str, Any]) -> str:
    """Return the pad that a page would have shown for a form."""
    shown = posted.get("shown", "")
    attested = Attested(_which(url, shown), 1, "en", _SENTENCE, _SENTENCE)
    return Pad(attested, url, shown=shown, act=posted.get("act", "")).sealed()


def _which(url: str, shown: str) -> str:
    """Return what a form signs: a step of the slip that was shown, or what an address does."""
    signing, raising = _SIGNING.search(url), _RAISING.search(url)
    try:
        kind = json.loads(shown)["kind"]
    except (ValueError, KeyError, TypeError, RecursionError):
        kind = raising[1] if raising else _kind_of(signing[1]) if signing else ""
    if signing:
        return step_id(kind, signing[2], signing[3])
    if kind not in FLOWS:
        return "act.test"
    return step_id(kind, Track.MAIN.value, FLOWS[kind].steps[0].name)


def _kind_of(serial: str) -> str:
    return Slip.objects.filter(serial=serial).values_list("kind", flat=True).first() or ""


@pytest.fixture(autouse=True, scope="session")
def pads_by_hand() -> None:
    """Let a form with a PIN that a test writes by hand bring a pad, unless it says which."""
    post = Client.post

    def with_pad(self: Client, path: str, data: Any = None, *args: Any, **kwargs: Any) -> Any:
        is_form = isinstance(data, Mapping) and "content_type" not in kwargs
        if is_form and "pad" not in data and any(pin in data for pin in _PINS):
            data = {**data, "pad": sealed_for(path, data)}
        return post(self, path, data, *args, **kwargs)

    Client.post = with_pad  # type: ignore[method-assign, assignment]
