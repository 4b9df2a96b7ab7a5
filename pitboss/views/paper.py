"""Slips on paper: a look at one, and the printing that is recorded."""

from __future__ import annotations

from csp.constants import NONE
from csp.decorators import csp
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST, require_safe

from pitboss.access import page
from pitboss.middleware import PitRequest
from pitboss.models import Slip
from pitboss.rules.refusal import Refused
from pitboss.services.prints import preview_slip, print_slip

# Chromium shows a PDF in a page of its own making, inline style and all, and holds that page to the
# policy of the response. A PDF loads nothing and runs nothing of ours: it only must not be framed.
PDF_POLICY = {"frame-ancestors": [NONE]}


@require_safe
@csp(PDF_POLICY)
@page("slip")
def slip_pdf(request: PitRequest, serial: str) -> HttpResponse:
    """Show a slip as it would be printed, marked as no document. Nothing is recorded."""
    slip = get_object_or_404(Slip.objects.select_related("table__pit", "refers_to"), serial=serial)
    return pdf_answer(preview_slip(slip, actor=request.user), f"{slip.serial}-viewing.pdf")


@require_POST
@csp(PDF_POLICY)
@page("slip")
def slip_print(request: PitRequest, serial: str) -> HttpResponse:
    """Print a slip: the next copy is numbered, journalled and handed to the browser."""
    slip = get_object_or_404(Slip, serial=serial)
    try:
        printed = print_slip(slip_id=slip.pk, device=request.device, actor=request.user)
    except Refused as refused:
        # Every reason not to print is about who asks and where.
        raise PermissionDenied(str(refused)) from refused
    return pdf_answer(printed.pdf, f"{slip.serial}-copy-{printed.copy}.pdf")


def pdf_answer(pdf: bytes, filename: str) -> HttpResponse:
    """Answer with a PDF, which no cache keeps."""
    return HttpResponse(
        pdf,
        content_type="application/pdf",
        headers={
            "Content-Disposition": f'inline; filename="{filename}"',
            # A copy in a cache would be one more paper that no one counted.
            "Cache-Control": "no-store",
        },
    )
