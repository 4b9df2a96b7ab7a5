"""Outages on the screen: those declared, the forms of each as a grid, and each form's own page."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from csp.decorators import csp
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import PaperForm, Pit, Slip, Table
from pitboss.pictures import CONTENT_MAX_BYTES
from pitboss.rules.day.outages import (
    FORM_PACK,
    FORM_RETURN,
    OUTAGE,
    SHEET,
    THE_CAGE,
    FormState,
    read_form_number,
)
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.refusal import Refused
from pitboss.selectors.outages import (
    FormSeen,
    count_states,
    fallback_kinds,
    form_numbered,
    form_seen,
    forms_of,
    frame,
    number_of,
    outages,
    packs_out,
    sheets_printed,
)
from pitboss.services import house
from pitboss.services.outages import PICTURING, add_picture, print_pack, read_picture
from pitboss.slips.addresses import new_url
from pitboss.views.forms import new_request_id, pen_of
from pitboss.views.paper import PDF_POLICY, pdf_answer

_SHOWN = 30
WORDS = {
    FormState.USED: "Used",
    FormState.VOID: "Void",
    FormState.UNUSED: "Unused",
    FormState.ENTERING: "Being entered",
    FormState.MISSING: "Missing",
}


@require_GET
@page("outages")
def outage_list(request: PitRequest) -> HttpResponse:
    """Show the outages declared, and the packs that are out."""
    packs = (
        Slip.objects.filter(kind=FORM_PACK, details__has_key="code")
        .exclude(status=SlipStatus.VOIDED)
        .order_by("-id")
    )
    context = {
        "heading": "Outages",
        "outages": [_listed(slip) for slip in outages()[:_SHOWN]],
        "packs": [_pack(pack) for pack in packs.prefetch_related("forms__end__slip")[:_SHOWN]],
        "declare_url": new_url(OUTAGE) if may_open(request.role, OUTAGE) else None,
        "may_print": may_open(request.role, "form_packs"),
        "issue_url": new_url(FORM_PACK) if may_open(request.role, FORM_PACK) else None,
        "sheets": _sheets(),
    }
    return render(request, "pitboss/outages.html", context)


def _sheets() -> list[dict[str, Any]]:
    """Return the outage sheet of each place: when it was last printed, and whether it is due."""
    now, printed = house.now(), sheets_printed()
    every = timedelta(hours=house.settings_at(now)["outage.sheet_every"])
    places = [(pit.name, pit.name, {"pit": str(pit.pk)}) for pit in Pit.objects.order_by("name")]
    url = reverse("report-pdf", args=[SHEET])
    return [
        {
            "words": words,
            "at": printed.get(name),
            "is_due": name not in printed or now - printed[name] > every,
            "url": f"{url}?{urlencode(query)}",
        }
        for name, words, query in (*places, (THE_CAGE, "The cage", {"by": THE_CAGE}))
    ]


# What is done next with an outage that is not closed, by whether it has ended.
_NEXT = {False: "End the outage…", True: "Close the outage…"}


def _next(slip: Slip, *, has_ended: bool) -> dict[str, str] | None:
    if slip.status != SlipStatus.OPEN.value:
        return None
    return {"label": _NEXT[has_ended], "url": reverse("slip", args=[slip.serial])}


def _listed(slip: Slip) -> dict[str, Any]:
    seen = frame(slip)
    return {
        "serial": slip.serial,
        "url": reverse("outage", args=[slip.serial]),
        "says": dict(slip.details["says"])["Down"],
        "cause": slip.details["cause"],
        "started_at": seen.started_at,
        "ended_at": seen.ended_at,
        "word": "Closed" if seen.is_closed else "Ended" if seen.ended_at else "Down",
        "next": _next(slip, has_ended=seen.ended_at is not None),
    }


def _pack(pack: Slip) -> dict[str, Any]:
    forms = forms_of(pack)
    counts = count_states(forms)
    return {
        "serial": pack.serial,
        "url": reverse("slip", args=[pack.serial]),
        "says": dict(pack.details["says"]),
        "holder": pack.details["holder_words"],
        "is_open": pack.status == SlipStatus.OPEN.value,
        "out": counts[FormState.MISSING] + counts[FormState.ENTERING],
        "counts": _counted(counts),
        "cells": [_cell(form) for form in forms],
        "pdf_url": reverse("form-pack-pdf", args=[pack.serial]),
        "print_url": reverse("form-pack-print", args=[pack.serial]),
        "return_url": new_url(FORM_RETURN, of=pack.serial),
    }


def _counted(counts: dict[FormState, int]) -> list[dict[str, Any]]:
    return [
        {"state": state.value, "word": WORDS[state], "count": count}
        for state, count in counts.items()
        if count
    ]


def _cell(each: FormSeen) -> dict[str, str]:
    return {
        "number": each.number,
        "short": each.number[5:],
        "state": each.state.value,
        "word": WORDS[each.state],
        "url": reverse("outage-form", args=[each.number]),
    }


@require_GET
@page("outages")
def outage(request: PitRequest, serial: str) -> HttpResponse:
    """Show an outage, and each form that was out in it: used, void, unused, or missing."""
    slip = get_object_or_404(Slip, serial=serial, kind=OUTAGE)
    packs = [_pack(pack) for pack in packs_out(slip)]
    missing = [
        cell
        for pack in packs
        for cell in pack["cells"]
        if cell["state"] in (FormState.MISSING, FormState.ENTERING)
    ]
    context = {
        "heading": "Outage",
        "back": {"url": reverse("outages"), "label": "Outages"},
        "outage": _listed(slip),
        "slip_url": reverse("slip", args=[serial]),
        "packs": packs,
        "missing": missing,
        "may_return": may_open(request.role, FORM_RETURN),
    }
    return render(request, "pitboss/outage.html", context)


def _form(number: str) -> PaperForm:
    try:
        form = form_numbered(read_form_number(number))
    except Refused:
        form = None
    if form is None:
        raise Http404("Form not found.")
    return form


@require_GET
@page("outage_form")
def outage_form(request: PitRequest, number: str) -> HttpResponse:
    """Show one form: what became of it, its picture, and the way to enter it."""
    return _form_page(request, _form(number))


def _form_page(
    request: PitRequest, form: PaperForm, refused: Refused | None = None
) -> HttpResponse:
    seen, kind = form_seen(form), fallback_kinds().get(form.code)
    picture = form.pictures.order_by("-id").first()
    is_left = seen.state is FormState.MISSING
    may_enter = kind is not None and may_open(request.role, kind.kind) and is_left
    # The form of a slip that was entered from another form is entered from there.
    on_its_slip = kind is not None and kind.must_refer
    at_a_table = kind is not None and kind.at_a_table
    number = number_of(form)
    holder = form.pack.details["holder"]
    tables = Table.objects.order_by("name")
    if tables.filter(pit__name=holder).exists():
        tables = tables.filter(pit__name=holder)
    context = {
        "heading": f"Form {number}",
        "back": {"url": reverse("outages"), "label": "Outages"},
        "form": seen,
        "title": kind.on_paper.title if kind and kind.on_paper else form.code,
        "word": WORDS[seen.state],
        "pack": {
            "serial": form.pack.serial,
            "url": reverse("slip", args=[form.pack.serial]),
            "holder": form.pack.details["holder_words"],
        },
        "slip_url": reverse("slip", args=[seen.serial]) if seen.serial else "",
        "picture": {
            "url": reverse("outage-form-picture", args=[number]),
            "by": str(picture.person),
            "at": picture.at,
        }
        if picture is not None
        else None,
        "may_picture": is_left and request.role in PICTURING,
        "picture_url": reverse("outage-form-add-picture", args=[number]),
        "request_id": new_request_id(),
        "enter": {
            "url": reverse("slip-new", args=[kind.kind]),
            "tables": [table.name for table in tables] if at_a_table else [],
        }
        if may_enter and kind is not None and not on_its_slip
        else None,
        "entered_on": kind.offers if may_enter and kind is not None and on_its_slip else "",
        "refusals": refused.refusals if refused else (),
    }
    status = http_status(refused) if refused else 200
    return render(request, "pitboss/outage_form.html", context, status=status)


@require_POST
@page("outage_form")
def form_add_picture(request: PitRequest, number: str) -> HttpResponse:
    """Keep a picture of a form, with one tap."""
    form = _form(number)
    uploaded = request.FILES.get("content")
    # One byte more than allowed is enough to refuse it; the rest is never read.
    content = uploaded.read(CONTENT_MAX_BYTES + 1) if isinstance(uploaded, UploadedFile) else b""
    try:
        add_picture(
            form=form,
            content=content,
            by=request.user,
            device=request.device,
            request_id=pen_of(request).request_id,
        )
    except Refused as refused:
        return _form_page(request, form, refused)
    messages.success(request, f"Picture of {number_of(form)} added.")
    return redirect("outage-form", number=number_of(form))


@require_GET
@page("outage_form")
def form_picture(request: PitRequest, number: str) -> HttpResponse:
    """Show the newest picture of a form; the journal keeps who looked."""
    form = _form(number)
    picture = form.pictures.order_by("-id").first()
    if picture is None:
        raise Http404("This form has no picture.")
    content = read_picture(picture, by=request.user, device=request.device)
    response = HttpResponse(content, content_type=picture.content_type)
    response["Cache-Control"] = "no-store"
    response["Content-Disposition"] = "inline"
    return response


@require_GET
@csp(PDF_POLICY)
@page("outages")
def form_pack_pdf(request: PitRequest, serial: str) -> HttpResponse:
    """Show the forms of a pack, marked as no document."""
    pack = get_object_or_404(Slip, serial=serial, kind=FORM_PACK)
    pdf = print_pack(pack=pack, by=request.user, device=request.device, is_real=False)
    return pdf_answer(pdf, f"{pack.serial}-forms-viewing.pdf")


@require_POST
@csp(PDF_POLICY)
@page("form_packs")
def form_pack_print(request: PitRequest, serial: str) -> HttpResponse:
    """Print the forms of a pack that is being issued."""
    pack = get_object_or_404(Slip, serial=serial, kind=FORM_PACK)
    try:
        pdf = print_pack(pack=pack, by=request.user, device=request.device, is_real=True)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("slip", serial=serial)
    return pdf_answer(pdf, f"{pack.serial}-forms.pdf")
