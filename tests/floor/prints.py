"""Slips on paper, as their words read."""

from __future__ import annotations

from io import BytesIO

from pypdf import PdfReader

from pitboss.models import Person, Slip
from pitboss.rules.roles import Place
from pitboss.services.prints import print_slip
from tests.floor.cast import Cast

PARTS = 2


def words_of(pdf: bytes) -> str:
    """Return the text of all pages, each stretch of white as one blank."""
    pages = PdfReader(BytesIO(pdf)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def printed(cast: Cast, slip: Slip, place: Place = Place.CAGE, by: Person | None = None) -> str:
    """Print a slip and return its words."""
    device = cast.devices[place]
    return words_of(print_slip(slip_id=slip.pk, device=device, actor=by or cast.erin).pdf)
