"""Help in the product: the floor's terms, by letter."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from pitboss.access import page
from pitboss.middleware import PitRequest
from pitboss.rules.book.glossary import by_letter


@require_GET
@page("own")
def glossary(request: PitRequest) -> HttpResponse:
    """Show every term of the floor, under the letter that it begins with."""
    context = {"heading": "Floor terms", "letters": by_letter()}
    return render(request, "pitboss/glossary.html", context)
