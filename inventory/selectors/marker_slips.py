"""What the slip of a marker tells besides its cheques: patron, line, hand, and IDs to compare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse

from inventory.models import Patron
from inventory.selectors.patrons import identity_documents, newest_document
from pitboss.models import Slip
from pitboss.rules.marker_flows import MARKER
from pitboss.rules.patrons import DocumentKind
from pitboss.selectors.hands import hand_on
from pitboss.selectors.slips import told_with
from pitboss.services import house


def marker_panel(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a marker says of its patron and line, before and after it is issued."""
    return {
        "template": "inventory/_marker_panel.html",
        "comes_first": True,
        "name": details["patron_name"],
        "player_card": details["player_card"],
        "bank": details["bank"],
        "line_cents": details["line_cents"],
        "left_cents": max(0, details["remaining_cents"] - details["amount_cents"]),
        "over_line_cents": details["over_line_cents"],
        "patron_url": reverse("patron", args=[details["patron"]]),
    }


@told_with(MARKER.kind)
def _marker_told(slip: Slip) -> dict[str, Any]:
    patron = Patron.objects.get(pk=slip.details["patron"])
    signatures = list(slip.signatures.all())
    hand = hand_on(signatures)
    authority = next((each for each in signatures if each.step == "authorised"), None)
    today = house.period_at(house.now()).gaming_day
    looks = [newest_document(patron, kind) for kind in (DocumentKind.PHOTO, DocumentKind.SIGNATURE)]
    return {
        **marker_panel(slip.details),
        "hand": hand,
        "authority": authority,
        "documents": [
            {"id": document.pk, "label": str(document).capitalize()}
            for document in identity_documents(patron, today)
        ],
        # Each look at one of these is kept in the journal, so nobody is shown them unasked.
        "looks": [
            {
                "label": DocumentKind(document.kind).label.capitalize(),
                "url": reverse("patron-document", args=[patron.pk, document.pk]),
            }
            for document in (*looks, *identity_documents(patron, today)[:2])
            if document is not None and document.content_cipher
        ]
        if hand is None
        else [],
    }
