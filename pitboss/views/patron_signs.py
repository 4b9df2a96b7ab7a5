"""The patron’s own screen: the words that they sign, a large field, and nothing else of the site.

It fills the tablet, without a rail or an inbox. Who saw the patron sign ends it with their PIN; a
patron who does not want to sign locks the tablet. The browser’s own way back is not kept from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Slip
from pitboss.paper.words import amount_in_words
from pitboss.rules.patrons.patron_reads import READS
from pitboss.rules.refusal import Refused
from pitboss.services import house
from pitboss.slips.kind import kind_named


def patron_page(
    request: PitRequest, paper: Slip, pad: Mapping[str, Any], refused: Refused | None
) -> HttpResponse:
    """Show a patron what they sign; after a refusal, what they drew is still there."""
    read, drawn_before = _read_by_patron(paper), _drawn_before(request, refused)
    own = reverse("slip", args=[paper.serial])
    context = {
        "heading": f"{paper.title} {paper.serial}",
        "payee": house.the_property().name,
        "at": paper.raised_at.astimezone(house.the_property().zone),
        "amount_cents": read["amount_cents"],
        "in_words": amount_in_words(read["amount_cents"]),
        "caption": read.get("caption", ""),
        "says": read["says"],
        "lines": read.get("lines", ()),
        "pad": {**pad, "drawing": {**pad["drawing"], "drawn": drawn_before}},
        "demo_bar_hidden": True,
        "is_with_staff": bool(drawn_before),
        "unlock_url": reverse("lock"),
        "next": own,
        "refusals": refused.refusals if refused else (),
    }
    status = http_status(refused) if refused else 200
    return render(request, "pitboss/patron_signs.html", context, status=status)


def _drawn_before(request: PitRequest, refused: Refused | None) -> str:
    """Return what was drawn before a refusal, unless the drawing itself was refused."""
    if refused is None or any(code.startswith("drawing_") for code in refused.codes):
        return ""
    return request.POST.get("drawn", "")


def _read_by_patron(paper: Slip) -> Mapping[str, Any]:
    """Return what a patron reads: what its kind says, or what the slip keeps."""
    kind = kind_named(paper.kind)
    if kind is not None and kind.reads is not None:
        return kind.reads(paper)
    # A slip of an earlier release keeps no words of its own.
    return paper.details.get(READS) or {"amount_cents": paper.total_cents, "says": []}
