"""A dealer's call, answered with one tap."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from pitboss.access import page
from pitboss.middleware import PitRequest
from pitboss.models import FloorException
from pitboss.rules.refusal import Refused
from pitboss.views.door import own_address
from pitboss.views.forms import pen_of, text
from pitboss.views.inbox import show_exception
from tables.services.calls import answer_call


@require_POST
@page("floor_note")
def call_answer(request: PitRequest, exception_id: int) -> HttpResponse:
    """Answer a call, and go on where one was: the board shows the next."""
    try:
        call = answer_call(
            exception_id=exception_id,
            by=request.user,
            device=request.device,
            request_id=pen_of(request).request_id,
        )
    except Refused as refused:
        # Where it was tapped has no room for reasons; the page of the call has.
        shown = get_object_or_404(FloorException.objects.select_related("table"), pk=exception_id)
        return show_exception(request, shown, refused)
    messages.success(request, f"{call.table} answered.")
    return redirect(own_address(request, text(request.POST, "next"), "inbox"))
