"""A slip on the screen: how it stands, and the pad for whoever signs next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import FloorException, Slip
from pitboss.rules import drawn
from pitboss.rules.asks import ASKS, Ask
from pitboss.rules.card_flows import CARD_KINDS
from pitboss.rules.cheques import BY_CENTS
from pitboss.rules.flows import SlipStatus, Track, is_dispatched, track_steps
from pitboss.rules.house_flows import REFUSED
from pitboss.rules.jackpot_flows import JACKPOT
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.rules.signing import relieves_a_carrier
from pitboss.selectors.slip_papers import game_of
from pitboss.selectors.slips import (
    TITLES,
    due_step,
    heading_of,
    lines_of,
    role_words,
    says_of,
    sign_words,
    signed_of,
    steps_of,
    told_of,
)
from pitboss.services import house
from pitboss.services.shown import slip_shown
from pitboss.services.signing import sign
from pitboss.views.forms import entry_of, pen_of, text
from pitboss.views.pads import pad_of


def _slip(serial: str) -> Slip:
    slips = Slip.objects.select_related("table__pit", "refers_to").prefetch_related("signatures")
    return get_object_or_404(slips, serial=serial)


def _id_of(serial: str) -> int:
    return get_object_or_404(Slip.objects.only("pk"), serial=serial).pk


@require_GET
@page("slip")
def slip(request: PitRequest, serial: str) -> HttpResponse:
    """Show a slip, and the pad when its next signature is taken on this device."""
    paper = _slip(serial)
    # A way out that was begun comes first; another may be chosen by its link.
    due = due_step(paper)
    track = Track(due["track"]) if due else Track.MAIN
    if request.GET.get("track") in (Track.VOID.value, Track.RELIEF.value):
        track = Track(request.GET["track"])
    return _render(request, paper, track, differs="differs" in request.GET)


@require_POST
@page("slip")
def slip_sign(request: PitRequest, serial: str, track: str, step: str) -> HttpResponse:
    """Sign one step with the badge and PIN on the pad."""
    if track not in (t.value for t in Track):
        return _render(request, _slip(serial), Track.MAIN)
    try:
        signature = sign(
            slip_id=_id_of(serial),
            step=step,
            track=Track(track),
            pen=pen_of(request),
            shown=text(request.POST, "shown"),
            entry=entry_of(request.POST),
        )
    except Refused as refused:
        return _render(request, _slip(serial), Track(track), refused=refused)
    messages.success(request, f"{TITLES[step]}: {signature.signed_as}.")
    paper = signature.slip
    if paper.kind in CARD_KINDS and paper.status != SlipStatus.OPEN.value:
        # A paper of cards is one step among several: on with the next.
        return redirect(_back(request, paper)["url"])
    return redirect("slip", serial=serial)


def _render(
    request: PitRequest,
    paper: Slip,
    track: Track,
    *,
    differs: bool = False,
    refused: Refused | None = None,
) -> HttpResponse:
    codes = set(refused.codes) if refused else set()
    heading = paper.title if _is_blind(paper) else heading_of(paper)
    context = {
        "heading": f"{heading} for {paper.table}" if paper.table else heading,
        "back": _back(request, paper),
        "slip": _shown(paper, request.POST, differs=differs),
        "pad": _pad(request, paper, track, differs=differs, refused=refused),
        "refusals": refused.refusals if refused else (),
        "quicker": bool(codes & {"already_signed", "stale_screen", "slip_closed"}),
    }
    return render(
        request, "inventory/slip.html", context, status=http_status(refused) if refused else 200
    )


def _back(request: PitRequest, paper: Slip) -> dict[str, str]:
    place = Place(request.device.place) if request.device else None
    if place == Place.CAGE and may_open(request.role, "cage"):
        return {"url": reverse("cage"), "label": "Cage"}
    if place == Place.SECURITY and may_open(request.role, "security"):
        return {"url": reverse("security"), "label": "Security"}
    if paper.kind in CARD_KINDS and may_open(request.role, "cards"):
        if paper.table:
            return {"url": reverse("table-cards", args=[paper.table.name]), "label": "Cards"}
        return {"url": reverse("cards"), "label": "Cards"}
    if paper.table and may_open(request.role, "table"):
        return {"url": reverse("table", args=[paper.table.name]), "label": paper.table.name}
    return {"url": reverse("inbox"), "label": "Inbox"}


def _shown(paper: Slip, posted: QueryDict, *, differs: bool) -> dict[str, Any]:
    due = due_step(paper)
    counted = _counted_otherwise(paper)
    wait = paper.waits.filter(until=None).first()
    is_blind = _is_blind(paper)
    return {
        "title": paper.title,
        "number": paper.serial,
        "facts": _facts(paper),
        "lines": [] if is_blind else lines_of(paper, counted, _colours(paper)),
        "says": says_of(paper),
        "is_blind": is_blind,
        "total_cents": paper.total_cents,
        "total_count": sum(paper.cheques_by_cents.values()),
        "steps": steps_of(paper),
        "panel": _panel(paper, posted),
        "since": wait.since if wait else None,
        "limit_seconds": wait.limit_seconds if wait else None,
        "note": _note(paper),
        "preview_url": reverse("slip-pdf", args=[paper.serial]),
        "print_url": reverse("slip-print", args=[paper.serial]),
        "agree": bool(due and due["counts"]) and not differs and not is_blind,
        "key_counts": is_blind or bool(due and (due["records"] or (due["counts"] and differs))),
        "count_lines": [
            {"cents": cents, "value": posted.get(f"counted_{cents}", "")} for cents in BY_CENTS
        ],
        "waits": f"Waits for a {role_words(due)}" if due else f"This slip is {paper.status}",
        "waits_words": _where_words(paper, due) if due else "Nobody signs it any more.",
        "ways_out": ways_out(paper),
    }


def _panel(paper: Slip, posted: QueryDict) -> dict[str, Any] | None:
    """Return what a kind of slip tells besides; figures keyed and refused stay where they were."""
    panel = told_of(paper)
    for line in panel.get("key_lines", ()) if panel else ():
        line["value"] = posted.get(line["name"], "")
    return panel


def _colours(paper: Slip) -> list[int]:
    """Return the colours that a slip has a line for although it holds none: counted tubes."""
    if paper.table is None or paper.tray_sequence is None:
        return []
    return list(paper.table.par_cheques)


def _is_blind(paper: Slip) -> bool:
    """Tell whether whoever signs next counts without being shown what the slip says."""
    due = due_step(paper)
    # Slips of an earlier release have steps that say nothing of it.
    return bool(due and due.get("blind"))


def _facts(paper: Slip) -> list[dict[str, str]]:
    asked_at = paper.raised_at.astimezone(house.the_property().zone)
    facts = [
        {"name": "Gaming day", "value": f"{paper.gaming_day:%a %d %b %Y}"},
        {"name": "Time", "value": f"{asked_at:%H:%M}"},
        {"name": "Shift", "value": paper.shift},
    ]
    if paper.table:
        facts.insert(0, {"name": "Table", "value": f"{paper.table}, {paper.table.pit}"})
    if game := game_of(paper):
        facts.insert(1, {"name": "Game", "value": game})
    if paper.refers_to:
        facts.append({"name": "Refers to", "value": paper.refers_to.serial})
    if paper.details.get("sequence"):
        facts.append({"name": "Opening of the day", "value": str(paper.details["sequence"])})
    if paper.details.get("outside"):
        facts.append({"name": "Outside the count", "value": ", ".join(paper.details["outside"])})
    return facts


def _counted_otherwise(paper: Slip) -> dict[int, int] | None:
    """Return the latest count that differed from the slip, while it is still unexplained."""
    exception = (
        FloorException.objects.filter(slip=paper, code="count_differs", resolved_at=None)
        .order_by("-id")
        .first()
    )
    if exception is None:
        return None
    return {int(cents): count for cents, count in exception.details["counted"].items()}


def _note(paper: Slip) -> dict[str, str] | None:
    if paper.status == SlipStatus.DONE.value:
        return {"tone": "good", "bold": "All have signed.", "text": "Nothing more is due."}
    if paper.status == SlipStatus.VOIDED.value:
        return {"tone": "bad", "bold": "Void.", "text": "Its number stays used."}
    back = _WAYS_BACK.get(paper.kind)
    if paper.status == SlipStatus.RETURNING.value and back:
        return {"tone": "bad", "bold": "On its way back.", "text": back.nothing}
    if paper.status == SlipStatus.RETURNED.value and back:
        return {"tone": "bad", "bold": "Went back.", "text": back.can_replace}
    return None


@dataclass(frozen=True, slots=True)
class _WayBack:
    """How a kind of slip goes back and is replaced; its addresses by name, of the app it is of."""

    return_url: str
    # The steps at which it can still be sent back: somebody else has the cheques to count.
    while_due: frozenset[str]
    nothing: str
    replace_url: str
    replace_label: str
    can_replace: str


_WAYS_BACK = {
    "fill": _WayBack(
        return_url="fill-return",
        while_due=frozenset({"agreed", "received"}),
        nothing="Nothing entered the tray.",
        replace_url="fill-new",
        replace_label="Ask for a new fill",
        can_replace="A new fill can replace it.",
    ),
    "credit": _WayBack(
        return_url="credit-return",
        while_due=frozenset({"acknowledged"}),
        nothing="The cage took nothing in.",
        replace_url="credit-new",
        replace_label="Send a corrected credit",
        can_replace="A corrected credit can replace it.",
    ),
}


# What the ways out are called where they are not the usual ones.
_VOID_WORDS = {JACKPOT.kind: "Reject…"}
_RELIEF_WORDS = {JACKPOT.kind: "Hold it…"}


def _send_back(paper: Slip) -> dict[str, str] | None:
    """Return the way to send a slip's cheques back, while they can go."""
    back, due = _WAYS_BACK.get(paper.kind), due_step(paper)
    if back is None or due is None or due["name"] not in back.while_due:
        return None
    return {"url": reverse(back.return_url, args=[paper.serial]), "label": "Send it back…"}


def ways_out(paper: Slip) -> list[dict[str, str]]:
    """Return what can be done when a slip cannot go on: void, send back, relieve its carrier."""
    if paper.status != SlipStatus.OPEN.value:
        back = _WAYS_BACK.get(paper.kind)
        if paper.kind == JACKPOT.kind and paper.status == SlipStatus.VOIDED.value and paper.table:
            url = reverse("jackpot-new", args=[paper.table.name])
            return [{"url": f"{url}?replaces={paper.serial}", "label": "Enter the corrected hit…"}]
        if paper.status == SlipStatus.RETURNED.value and paper.table and back:
            url = reverse(back.replace_url, args=[paper.table.name])
            return [{"url": f"{url}?replaces={paper.serial}", "label": back.replace_label}]
        return []
    own = reverse("slip", args=[paper.serial])
    dispatched = is_dispatched(paper.plan, signed_of(list(paper.signatures.all())))
    ways = []
    if track_steps(paper.plan, Track.VOID) and not dispatched:
        # No cheque hangs on these: they are refused rather than voided.
        refused = REFUSED[0].name
        is_refused = any(step["name"] == refused for step in track_steps(paper.plan, Track.VOID))
        word = "Refuse…" if is_refused else _VOID_WORDS.get(paper.kind, "Void…")
        ways.append({"url": f"{own}?track=void", "label": word})
    send_back = _send_back(paper)
    if send_back is not None:
        ways.append(send_back)
    relief = track_steps(paper.plan, Track.RELIEF)
    if relief and not relieves_a_carrier(relief):
        label = _RELIEF_WORDS.get(paper.kind, "Let the dealer go…")
        ways.append({"url": f"{own}?track=relief", "label": label})
    elif relief and (dispatched or paper.refers_to_id):
        ways.append({"url": f"{own}?track=relief", "label": "Relieve the officer…"})
    return ways


def _way_back(paper: Slip) -> dict[str, str]:
    """Return what is done when a count differs from the slip: nobody signs it as it is."""
    send_back = _send_back(paper)
    if send_back is not None:
        return send_back
    own = reverse("slip", args=[paper.serial])
    if is_dispatched(paper.plan, signed_of(list(paper.signatures.all()))):
        return {"url": f"{own}?differs", "label": "A line differs…"}
    return {"url": f"{own}?track=void", "label": "Void it, count again…"}


def _is_signed_here(request: PitRequest, paper: Slip, due: Mapping[str, Any]) -> bool:
    """Tell whether a signature is taken on this device: of its place, and of the slip's pit."""
    device = request.device
    if due["at"] is None or device is None:
        return due["at"] is None
    is_elsewhere = paper.table is not None and device.pit_id not in (None, paper.table.pit_id)
    return due["at"] == device.place and not (device.place == Place.PIT and is_elsewhere)


def _where_words(paper: Slip, due: Mapping[str, Any]) -> str:
    if due["at"] == Place.PIT and paper.table is not None:
        return f"Signed on a tablet of {paper.table.pit}."
    return f"Signed at the {due['at']}." if due["at"] else ""


def _pad(
    request: PitRequest,
    paper: Slip,
    track: Track,
    *,
    differs: bool,
    refused: Refused | None,
) -> dict[str, Any] | None:
    """Return the pad for the next signature of a track, or None when it is not taken here."""
    if paper.status != SlipStatus.OPEN.value:
        return None
    signed = signed_of(list(paper.signatures.all()))
    due = next(
        (s for s in track_steps(paper.plan, track) if (track, s["name"]) not in signed), None
    )
    if due is None or not _is_signed_here(request, paper, due):
        return None
    inputs = []
    if due["in_presence_of"]:
        inputs.append({"name": "officer_badge", "label": "Badge of the officer who carried it"})
    if due["needs_reason"]:
        inputs.append({"name": "reason", "label": "Reason"})
    # Slips of an earlier release have steps that ask nothing.
    asked = {name: ASKS[name] for name in due.get("asks", ())}
    inputs += [
        {"name": f"said_{name}", "label": ask.label, "type": "text"}
        for name, ask in asked.items()
        if ask.choices is None
    ]
    own = reverse("slip", args=[paper.serial])
    refuse = None
    if due["counts"] and track == Track.MAIN and not _is_blind(paper):
        refuse = {"url": f"{own}?differs", "label": "A line differs…"}
        if refused and "count_differs" in refused.codes:
            refuse = _way_back(paper)
    return pad_of(
        request,
        url=reverse("slip-sign", args=[paper.serial, track.value, due["name"]]),
        sentence=due["attests"],
        button=sign_words([Role(value) for value in due["by"]]),
        refused=refused,
        inputs=tuple(inputs),
        shown=slip_shown(paper),
        refuse=refuse,
        drawing=_drawing(paper) if due.get("drawn") else None,
        select=_select(request, asked),
    )


def _drawing(paper: Slip) -> dict[str, Any]:
    """Return who signs by hand, and the papers on file to compare them with."""
    panel = told_of(paper) or {}
    return {
        "name": paper.details["patron_name"],
        "documents": panel.get("documents", ()),
        "width": drawn.WIDTH,
        "height": drawn.HEIGHT,
    }


def _select(request: PitRequest, asked: dict[str, Ask]) -> dict[str, Any] | None:
    """Return the one question of a step that has answers to choose from, or none."""
    for name, ask in asked.items():
        if ask.choices is not None:
            chosen = request.POST.get(f"said_{name}")
            choices = [
                {"value": value, "label": label, "is_chosen": value == chosen}
                for value, label in ask.choices.items()
            ]
            return {"name": f"said_{name}", "label": ask.label, "choices": choices}
    return None
