"""The inbox: what waits for me, since when, why, and the way to it; and exceptions explained."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_GET, require_http_methods

from pitboss.access import page
from pitboss.api import http_status
from pitboss.live import poll_url, polled, whole_floor
from pitboss.middleware import PitRequest
from pitboss.models import FloorException, Property, Signature, Slip, Waiting
from pitboss.rules.acknowledging import is_notice
from pitboss.rules.cheques import ordered
from pitboss.rules.needs import need_of
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Role
from pitboss.rules.settings_book import BOOK
from pitboss.rules.tray_flows import VARIANCE_STEPS
from pitboss.selectors.licences import ending_of, endings_for
from pitboss.selectors.own import own_of
from pitboss.selectors.slips import TO_DO, heading_of, says_of
from pitboss.selectors.waiting import waiting_for
from pitboss.services import house
from pitboss.services.acknowledging import acknowledge
from pitboss.services.exceptions import (
    ANSWERED_ON,
    CURRENCY_REPORT,
    FLOOR_REQUEST,
    PAYOUT_DIFFERS,
    TAX_PAPERS,
    TRAY_VARIANCE,
    Told,
    closes_with_slip,
    needs_notice,
    resolve_exception,
)
from pitboss.views.forms import pen_of, text
from pitboss.views.pads import pad_of
from pitboss.views.slips import ways_out


@require_GET
@page("inbox")
def inbox(request: PitRequest) -> HttpResponse:
    """Show what waits for the person signed in, longest first, and whose licence ends soon."""
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
    return render(request, "pitboss/inbox.html", {**_context(request), **reminders, "own": own})


@polled(whole_floor)
@page("inbox")
def inbox_poll(request: PitRequest) -> HttpResponse:
    """Send the inbox again when something moved."""
    return render(request, "pitboss/_inbox_poll.html", _context(request))


def _context(request: PitRequest) -> dict[str, Any]:
    last = Signature.objects.filter(person=request.user).order_by("-id").values("signed_at").first()
    waits = waiting_for(request.user, request.role)
    found = _variances_of(waits)
    the_property = house.the_property()
    items = [
        item_of(wait, found.get(wait.slip_id))
        | _reasons(wait, found.get(wait.slip_id), the_property)
        | _escalated(wait, request.role)
        for wait in waits
    ]
    return {
        "items": items,
        "waiting": len(items),
        "notices": sum(bool(item.get("is_notice")) for item in items),
        "last_signed_at": last["signed_at"] if last else None,
        "poll_url": poll_url(reverse("inbox-poll"), whole_floor({})),
    }


def _variances_of(waits: Sequence[Waiting]) -> dict[int | None, str]:
    """Return what was found at the trays whose variance somebody is asked to sign off."""
    slips = [wait.slip_id for wait in waits if wait.step in VARIANCE_STEPS]
    found = FloorException.objects.filter(code=TRAY_VARIANCE, slip__in=slips, resolved_at=None)
    return dict(found.values_list("slip_id", "sentence")) if slips else {}


def item_of(wait: Waiting, variance: str | None = None) -> dict[str, Any]:
    """Return one waiting thing as a card shows it, with the variance that its step looks into."""
    if wait.exception is not None:
        exception = wait.exception
        if exception.code in _ASKING:
            return _asking_item(wait, exception)
        if exception.code == CURRENCY_REPORT:
            return _report_item(wait, exception)
        if exception.code == PAYOUT_DIFFERS:
            return _payout_item(wait, exception)
        return {
            "id": wait.pk,
            "title": exception.sentence,
            "state": {"kind": "bad", "word": "Exception"},
            "tone": "bad",
            "since": wait.since,
            "limit_seconds": wait.limit_seconds,
            "facts": [{"name": "Table", "value": str(exception.table or "none")}],
            "why": "Needs you: somebody of your rank explains it.",
            "act": {"url": reverse("exception", args=[exception.pk]), "label": "Explain…"},
            "is_notice": is_notice(exception.code),
        }
    assert wait.slip is not None
    slip = wait.slip
    cheques = slip.cheques_by_cents
    tone = "bad" if variance else "wait"
    return {
        "id": wait.pk,
        "title": " · ".join(filter(None, (_about(slip), heading_of(slip)))),
        "state": {"kind": tone, "word": "Variance" if variance else TO_DO[wait.step]},
        "tone": tone,
        "since": wait.since,
        "limit_seconds": wait.limit_seconds,
        "lines": [{"cents": cents, "count": cheques[cents]} for cents in ordered(cheques)],
        "facts": [
            {"name": "Slip", "value": slip.serial},
            *([{"name": "Pit", "value": str(slip.table.pit)}] if slip.table else []),
            *says_of(slip),
            {"name": "Last signed", "value": _last_signer(slip)},
        ],
        "act": {"url": reverse("slip", args=[slip.serial]), "label": "Open and sign"},
    }


def _reasons(wait: Waiting, variance: str | None, the_property: Property) -> dict[str, Any]:
    """Return why a slip's step needs just this person, and the way to say no to it."""
    slip = wait.slip
    if slip is None:
        return {}
    need = need_of(
        wait.step,
        kind=slip.kind,
        cheques=slip.cheques_by_cents,
        details=slip.details,
        # As the house had it when the slip was raised.
        top_sign_from_cents=the_property.settings_at(slip.raised_at)["approval.top_sign_from"],
    )
    why = f"Needs you: {need.sentence}"
    if variance is not None:
        why = f"{variance} The table stays shut until this is signed off."
    return {
        "why": why,
        "rule": BOOK[need.setting].title if need.setting else "",
        "refuse": next(iter(ways_out(slip)), None),
    }


def _escalated(wait: Waiting, role: Role) -> dict[str, Any]:
    """Return what a card says to whoever is told because nobody came."""
    if role.value in wait.by:
        return {}
    asked = " or ".join(Role(each).label for each in wait.by)
    return {
        "why": f"You are told because no {asked} came in time. See to it that one does.",
        "rule": BOOK["waiting.escalate"].title,
        "refuse": None,
    }


def _report_item(wait: Waiting, exception: FloorException) -> dict[str, Any]:
    """Return the card of what is answered on a page of its own, by a day that it is due."""
    due_on = date.fromisoformat(exception.details["due_on"])
    return {
        "id": wait.pk,
        "title": exception.sentence,
        "state": {"kind": "wait", "word": "Report due"},
        "tone": "wait",
        "since": wait.since,
        "limit_seconds": wait.limit_seconds,
        "facts": [{"name": "Due on", "value": f"{due_on:%a %d %b %Y}"}],
        "why": "Needs you: it is filed, then closed with its reference.",
        "act": {"url": _own_page(exception), "label": "Open"},
    }


# What is answered on a page of its own and now: the word for it, why it needs somebody, the button.
_ASKING = {
    FLOOR_REQUEST: ("Asks", "Needs you: the dealer waits for a word.", "Answer"),
    TAX_PAPERS: ("Papers due", "Needs you: nothing is paid before.", "Prepare them"),
}


def _asking_item(wait: Waiting, exception: FloorException) -> dict[str, Any]:
    """Return the card of what a terminal asks for, or a jackpot waits for."""
    word, why, label = _ASKING[exception.code]
    return {
        "id": wait.pk,
        "title": exception.sentence,
        "state": {"kind": "wait", "word": word},
        "tone": "wait",
        "since": wait.since,
        "limit_seconds": wait.limit_seconds,
        "facts": [{"name": "Table", "value": str(exception.table or "none")}],
        "why": why,
        "act": {"url": _own_page(exception), "label": label},
    }


def _payout_item(wait: Waiting, exception: FloorException) -> dict[str, Any]:
    """Return the card of a payout that differs; its proof is one tap away."""
    return {
        "id": wait.pk,
        "title": exception.sentence,
        "state": {"kind": "bad", "word": "Payout"},
        "tone": "bad",
        "since": wait.since,
        "limit_seconds": wait.limit_seconds,
        "facts": exception.details["says"],
        "why": "Needs you: put it right at the table, or let it stand and say why.",
        "act": {"url": _own_page(exception), "label": "See the proof"},
    }


def _own_page(exception: FloorException) -> str:
    address, number = ANSWERED_ON[exception.code]
    return reverse(address, args=[exception.details[number]])


def _about(slip: Slip) -> str:
    """Return the table that a slip is about, or the box, or nothing for a slip of the house."""
    return str(slip.table or slip.details.get("box", ""))


def _last_signer(slip: Any) -> str:
    signatures = list(slip.signatures.all())
    return str(signatures[-1].signed_as) if signatures else "nobody"


def _told(post: QueryDict) -> Told | None:
    """Return whom of the regulator somebody told and when, by the property's clock."""
    try:
        at = parse_datetime(text(post, "told_at"))
    except ValueError:
        at = None
    if at is None or not timezone.is_naive(at):
        return None
    return Told(text(post, "told_whom"), timezone.make_aware(at))


def _due_at(trouble: FloorException) -> datetime | None:
    """Return by when somebody outside must know."""
    due = trouble.details.get("due_at") if needs_notice(trouble) else None
    return datetime.fromisoformat(due) if due else None


@require_http_methods(["GET", "POST"])
@page("exception")
def acknowledge_ticked(request: PitRequest) -> HttpResponse:
    """Show the notices that were ticked, and take one signature for all of them."""
    given = request.POST if request.method == "POST" else request.GET
    ticked = {int(key) for key in given.getlist("item") if key.isascii() and key.isdecimal()}
    refused: Refused | None = None
    if request.method == "POST":
        try:
            noted = acknowledge(wait_ids=ticked, pen=pen_of(request))
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{len(noted)} read and noted.")
            return redirect("inbox")
    waits = [wait for wait in waiting_for(request.user, request.role) if wait.pk in ticked]
    if not waits and refused is None:
        messages.info(request, "Nothing is ticked that still waits for you.")
        return redirect("inbox")
    context = {
        "notices": [item_of(wait) for wait in waits],
        "heading": "Read and noted",
        "back": {"url": reverse("inbox"), "label": "Inbox"},
        "pad": pad_of(
            request,
            url=reverse("acknowledge"),
            sentence="I have read each of these, and nothing more is to be done about them.",
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
    """Show an exception, and take the explanation of whoever answers for it."""
    trouble = get_object_or_404(
        FloorException.objects.select_related("table", "slip", "opened_by", "resolved_by"),
        pk=exception_id,
    )
    if trouble.code in ANSWERED_ON:
        return redirect(_own_page(trouble))
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
    pad = None
    inputs: tuple[dict[str, str], ...] = ({"name": "reason", "label": "Explanation"},)
    if needs_notice(trouble):
        now = timezone.localtime()
        inputs = (
            {"name": "told_whom", "label": "Told whom (name of the agent)", "type": "text"},
            {
                "name": "told_at",
                "label": "Told when",
                "type": "datetime-local",
                "max": f"{now:%Y-%m-%dT%H:%M}",
            },
        )
    if trouble.resolved_at is None and not closes_with_slip(trouble):
        pad = pad_of(
            request,
            url=reverse("exception", args=[trouble.pk]),
            sentence="I looked into this, and the explanation is true.",
            button="Sign the explanation",
            refused=refused,
            inputs=inputs,
        )
    due_at = _due_at(trouble)
    context = {
        "trouble": trouble,
        "due_at": due_at,
        "limit_seconds": int((due_at - trouble.opened_at).total_seconds()) if due_at else 0,
        "pad": pad,
        "signed_on": trouble.slip if closes_with_slip(trouble) else None,
        "refusals": refused.refusals if refused else (),
        "heading": "Exception",
        "back": {"url": reverse("inbox"), "label": "Inbox"},
    }
    return render(
        request, "pitboss/exception.html", context, status=http_status(refused) if refused else 200
    )
