"""The inbox: what is for me, what comes, what I did; and exceptions explained."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_GET, require_http_methods

from pitboss.access import opens_slip, page
from pitboss.api import http_status
from pitboss.live import poll_url, polled, whole_floor
from pitboss.middleware import PitRequest
from pitboss.models import Device, FloorException, Signature
from pitboss.rules.floor.ranking import urgency_of
from pitboss.rules.floor.urgency import Urgency, in_order
from pitboss.rules.refusal import Refused
from pitboss.selectors.licences import ending_of, endings_for
from pitboss.selectors.own import own_of
from pitboss.selectors.own_work import done_in, own_open
from pitboss.selectors.people import signed_while_acting
from pitboss.selectors.waiting import is_for_you, waiting_for
from pitboss.services.acknowledging import acknowledge
from pitboss.services.exceptions import ACTING_MANAGER, ANSWERED_ON, closes_with_slip
from pitboss.services.explaining import Told, needs_notice, resolve_exception
from pitboss.services.pads import attested_by
from pitboss.services.pushing import address_of, is_on
from pitboss.slips.addresses import row_id
from pitboss.views.forms import pen_of, text
from pitboss.views.inbox_cards import answering, cards_of, item_of, own_page
from pitboss.views.pads import pad_of
from pitboss.views.told import told_look
from pitboss.web_push import house_key

FOR_YOU, COMING, DONE = "you", "coming", "done"
_TABS = {FOR_YOU: "For you", COMING: "Coming", DONE: "Done"}
_SOUGHT_MAX = 60


@require_GET
@page("inbox")
def inbox(request: PitRequest) -> HttpResponse:
    """Show what waits for the person signed in, what comes, and what they did this shift."""
    today, days = request.period.gaming_day, request.house["people.licence_reminder"]
    reminders = {
        "own_licence": ending_of(request.user, today, days),
        "licences": [
            ending
            for ending in endings_for(request.role, today, days)
            if ending.person.pk != request.user.pk
        ],
    }
    own = own_of(request.user, request.role, request.period, request.house)
    pushes = {"push_key": house_key(), "is_pushed": _is_pushed(request)} if is_on() else {}
    context = {**_context(request), **reminders, **pushes, "own": own}
    return render(request, "pitboss/inbox.html", context)


def _is_pushed(request: PitRequest) -> bool:
    return address_of(request.session.session_key) is not None


@polled(whole_floor)
@page("inbox")
def inbox_poll(request: PitRequest) -> HttpResponse:
    """Send the inbox again when something moved."""
    return render(request, "pitboss/_inbox_poll.html", _context(request))


def _context(request: PitRequest) -> dict[str, Any]:
    # Read first: what happens while the rest is read is news to the page.
    poll = poll_url(reverse("inbox-poll"), whole_floor({}))
    tab = request.GET.get("tab", "")
    tab = tab if tab in _TABS else FOR_YOU
    sought = request.GET.get("q", "").replace("\x00", "").strip()[:_SOUGHT_MAX]
    role, device = request.role, request.device
    waits = waiting_for(request.user, role)
    here = [wait for wait in waits if is_for_you(wait, role, device)]
    coming = [wait for wait in waits if wait not in here]
    request.waiting_count = len(here)
    own = own_open(request.user, role)
    done = done_in(request.user, role, request.period)
    items = _sorted(cards_of(coming if tab == COMING else here, request), device)
    items = [item for item in items if _fits(item, sought)] if tab != DONE else []
    last = Signature.objects.filter(person=request.user).order_by("-id").values("signed_at").first()
    asked = {"tab": tab, "q": sought}
    return {
        "tab": tab,
        "sought": sought,
        "tabs": [
            {
                "label": label,
                "count": count,
                "url": f"{reverse('inbox')}?{urlencode({'tab': name, 'q': sought})}",
                "is_current": name == tab,
            }
            for (name, label), count in zip(
                _TABS.items(), (len(here), len(coming) + len(own), len(done)), strict=True
            )
        ],
        "items": [item for item in items if not item.get("is_escalated")],
        "escalated": [item for item in items if item.get("is_escalated")],
        "own_open": [row for row in own if _fits(row, sought)] if tab == COMING else [],
        "done": [row for row in done if _fits(row, sought)] if tab == DONE else [],
        "waiting": len(here),
        "notices": sum(bool(item.get("is_notice")) for item in items),
        "last_signed_at": last["signed_at"] if last else None,
        "poll_url": f"{poll}&{urlencode(asked)}",
    }


def _sorted(items: list[dict[str, Any]], device: Device | None) -> list[dict[str, Any]]:
    """Return cards in the order of the board, those of this tablet's own pit first."""
    pit_id = device.pit_id if device else None
    return sorted(
        items,
        key=lambda item: (
            pit_id is not None and item["pit_id"] not in (None, pit_id),
            *in_order(item["urgency"], item["since"]),
        ),
    )


def _fits(item: Mapping[str, Any], sought: str) -> bool:
    """Tell whether what was typed stands anywhere on a card or row."""
    said = [item["title"], item.get("words", ""), item.get("serial", "")]
    said += [f"{fact['name']} {fact['value']}" for fact in item.get("facts", ())]
    return all(word in " ".join(said).casefold() for word in sought.casefold().split())


def _told(post: QueryDict) -> Told | None:
    """Return whom of the regulator someone told and when, by the property's clock."""
    try:
        at = parse_datetime(text(post, "told_at"))
    except ValueError:
        at = None
    if at is None or not timezone.is_naive(at):
        return None
    return Told(text(post, "told_whom"), timezone.make_aware(at))


def _due_at(trouble: FloorException) -> datetime | None:
    """Return by when someone outside must know."""
    due = trouble.details.get("due_at") if needs_notice(trouble) else None
    return datetime.fromisoformat(due) if due else None


@require_http_methods(["GET", "POST"])
@page("exception")
def acknowledge_ticked(request: PitRequest) -> HttpResponse:
    """Show the notices that were ticked, and take one signature for all of them."""
    given = request.POST if request.method == "POST" else request.GET
    ticked = {item for key in given.getlist("item") if (item := row_id(key)) is not None}
    refused: Refused | None = None
    if request.method == "POST":
        try:
            noted = acknowledge(wait_ids=ticked, pen=pen_of(request))
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{len(noted)} signed off.")
            return redirect("inbox")
    waits = [wait for wait in waiting_for(request.user, request.role) if wait.pk in ticked]
    if not waits and refused is None:
        messages.info(request, "Nothing to sign off. Check at least one open notice.")
        return redirect("inbox")
    context = {
        "notices": [item_of(wait) for wait in waits],
        "heading": "Sign off notices",
        "back": {"url": reverse("inbox"), "label": "Inbox"},
        "pad": pad_of(
            request,
            url=reverse("acknowledge"),
            attested=attested_by("acknowledge"),
            button="Sign for all",
            refused=refused,
            badge=request.user.badge,
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request,
        "pitboss/acknowledge.html",
        context,
        status=http_status(refused) if refused else 200,
    )


@require_http_methods(["GET", "POST"])
@page("exception")
def exception(request: PitRequest, exception_id: int) -> HttpResponse:
    """Show an exception, and take the explanation of the person who answers for it."""
    trouble = get_object_or_404(
        FloorException.objects.select_related("table", "slip", "opened_by", "resolved_by"),
        pk=exception_id,
    )
    if trouble.code in ANSWERED_ON:
        return redirect(own_page(trouble))
    refused: Refused | None = None
    if request.method == "POST":
        try:
            pen = pen_of(request)
            resolve_exception(
                exception_id=trouble.pk,
                resolution=text(request.POST, "reason"),
                badge=pen.badge,
                pin=pen.pin,
                request_id=pen.request_id,
                device=pen.device,
                told=_told(request.POST) if needs_notice(trouble) else None,
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, "Explained.")
            return redirect("inbox")
    return show_exception(request, trouble, refused)


def show_exception(
    request: PitRequest, trouble: FloorException, refused: Refused | None = None
) -> HttpResponse:
    """Show an exception, with the one tap or the pad that answers it."""
    pad = None
    inputs: tuple[dict[str, str], ...] = ({"name": "reason", "label": "Explanation"},)
    if needs_notice(trouble):
        now = timezone.localtime()
        inputs = (
            {"name": "told_whom", "label": "Agent notified (name)", "type": "text"},
            {
                "name": "told_at",
                "label": "Time notified",
                "type": "datetime-local",
                "max": f"{now:%Y-%m-%dT%H:%M}",
            },
        )
    is_call = urgency_of(code=trouble.code) is Urgency.CALL
    is_open = trouble.resolved_at is None and not closes_with_slip(trouble)
    if is_open and not is_call:
        pad = pad_of(
            request,
            url=reverse("exception", args=[trouble.pk]),
            attested=attested_by(
                "exception_notified" if needs_notice(trouble) else "exception_explained"
            ),
            button="Sign the explanation",
            refused=refused,
            badge=request.user.badge,
            inputs=inputs,
        )
    due_at = _due_at(trouble)
    context = {
        "trouble": trouble,
        "opens_slip": trouble.slip is not None and opens_slip(request, trouble.slip),
        "acts": signed_while_acting(trouble.details["acting"])
        if trouble.code == ACTING_MANAGER
        else [],
        "told": told_look(request, trouble),
        "due_at": due_at,
        "limit_seconds": int((due_at - trouble.opened_at).total_seconds()) if due_at else 0,
        "pad": pad,
        "is_call": is_call,
        "answer": answering(trouble) if is_open and is_call else None,
        "signed_on": trouble.slip if closes_with_slip(trouble) else None,
        "refusals": refused.refusals if refused else (),
        "heading": "Exception",
        "back": {"url": reverse("inbox"), "label": "Inbox"},
    }
    return render(
        request, "pitboss/exception.html", context, status=http_status(refused) if refused else 200
    )
