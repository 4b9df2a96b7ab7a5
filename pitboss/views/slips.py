"""A slip on the screen: how it stands, and the pad for the person who signs next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from pitboss.access import may_open, opens_slip, page
from pitboss.api import http_status
from pitboss.middleware import HANDED, PitRequest, open_when_handed
from pitboss.models import FloorException, Signature, Slip
from pitboss.rules.cheques.cheques import BY_CENTS, ordered
from pitboss.rules.floor.urgency import in_order
from pitboss.rules.flows import drawn
from pitboss.rules.flows.asks import ASKS, Ask
from pitboss.rules.flows.book import FLOWS, kinds_of_desk, proved_by_signing
from pitboss.rules.flows.flows import (
    SlipStatus,
    Track,
    is_dispatched,
    repeatable,
    track_steps,
)
from pitboss.rules.flows.house_flows import REFUSED
from pitboss.rules.flows.signing import relieves_a_carrier
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import GUARDING, Place, Role
from pitboss.selectors.people import dealers_badge, lately_signed_in
from pitboss.selectors.slip_papers import game_of
from pitboss.selectors.slips import (
    due_step,
    heading_of,
    headline_of,
    lines_of,
    role_words,
    says_of,
    sign_words,
    signed_of,
    step_title,
    steps_of,
    told_of,
)
from pitboss.selectors.teaching import taught_with
from pitboss.selectors.waiting import is_done_here, rank_of, waiting_for
from pitboss.services import house
from pitboss.services.journal import CARDS
from pitboss.services.pads import attested_at
from pitboss.services.shown import slip_shown
from pitboss.services.signing import sign
from pitboss.slips.addresses import new_url
from pitboss.slips.correcting import correction_of, is_correction
from pitboss.slips.kind import kind_named, kinds
from pitboss.slips.plan import Plan, PlannedStep
from pitboss.views.forms import entry_of, text
from pitboss.views.pads import pad_of, read_on
from pitboss.views.patron_signs import patron_page, reading_of
from pitboss.views.taps import followed, keep_signed, pen_or_tap


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
    track = due.track if due else Track.MAIN
    if request.GET.get("track") in (Track.VOID.value, Track.RELIEF.value):
        track = Track(request.GET["track"])
    is_handed = "hand" in request.GET
    return _render(request, paper, track, differs="differs" in request.GET, is_handed=is_handed)


@open_when_handed
@require_POST
@page("slip")
def slip_sign(request: PitRequest, serial: str, track: str, step: str) -> HttpResponse:
    """Sign one step with the badge and PIN on the pad, or by a tap after one."""
    if track not in (t.value for t in Track):
        return _render(request, _slip(serial), Track.MAIN)
    try:
        pen = pen_or_tap(request)
        signature = sign(
            slip_id=_id_of(serial),
            step=step,
            track=Track(track),
            pen=pen,
            shown=text(request.POST, "shown"),
            entry=entry_of(request.POST),
        )
    except Refused as refused:
        # What a patron drew is still there when the PIN was wrong.
        paper, is_handed = _slip(serial), "drawn" in request.POST
        return _render(request, paper, Track(track), refused=refused, is_handed=is_handed)
    if pen.follows is None:
        # Only a PIN takes the tablet back from a patron.
        request.session.pop(HANDED, None)
    keep_signed(request, signature)
    messages.success(request, f"{step_title(signature.slip.kind, step)}: {signature.signed_as}.")
    paper = signature.slip
    if paper.kind in kinds_of_desk(CARDS) and paper.status != SlipStatus.OPEN.value:
        # A paper of cards is one step among several: on with the next.
        return redirect(_back(request, paper)["url"])
    # Anyone who read it because it waited for them has read it.
    return redirect("slip", serial=serial) if opens_slip(request, paper) else redirect("inbox")


def _render(
    request: PitRequest,
    paper: Slip,
    track: Track,
    *,
    differs: bool = False,
    refused: Refused | None = None,
    is_handed: bool = False,
) -> HttpResponse:
    codes = set(refused.codes) if refused else set()
    heading = paper.title if _is_blind(paper) else heading_of(paper)
    shown = _shown(paper, request.POST, differs=differs)
    pad = _pad(request, paper, track, shown, refused)
    hand_url = ""
    if pad is not None and pad["drawing"] is not None:
        if is_handed:
            return patron_page(request, paper, pad, refused)
        # A patron signs on a screen of their own.
        pad, hand_url = None, f"{reverse('slip', args=[paper.serial])}?hand"
    request.session.pop(HANDED, None)
    context = {
        "heading": f"{heading} for {paper.table}" if paper.table else heading,
        "back": _back(request, paper),
        "slip": shown,
        "taught": taught_with(paper.kind, paper.table) if pad else (),
        "pad": pad,
        "hand_url": hand_url,
        "next_steps": [] if pad or hand_url else _next_steps(request, paper),
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
    if paper.kind in kinds_of_desk(CARDS) and may_open(request.role, "cards"):
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
        "agree": bool(due and due.counts) and not differs and not is_blind,
        "key_counts": is_blind or bool(due and (due.records or (due.counts and differs))),
        "count_lines": [
            {"cents": cents, "value": posted.get(f"counted_{cents}", "")}
            for cents in ordered(BY_CENTS)
        ],
        "waits": f"Waiting for {role_words(due)}" if due else f"This slip is {paper.status}",
        "waits_words": _where_words(paper, due) if due else "No more signatures are needed.",
        "ways_out": ways_out(paper),
    }


def _panel(paper: Slip, posted: QueryDict) -> dict[str, Any] | None:
    """Return what a kind of slip tells besides; figures keyed and refused stay where they were."""
    panel = told_of(paper)
    for line in panel.get("key_lines", ()) if panel else ():
        line["value"] = posted.get(line["name"], "")
    return panel


def _colours(paper: Slip) -> list[int]:
    """Return the colors that a slip has a line for although it holds none: counted tubes."""
    if paper.table is None or paper.tray_sequence is None:
        return []
    return list(paper.table.par_cheques)


def _is_blind(paper: Slip) -> bool:
    """Tell whether whoever signs next counts without being shown what the slip says."""
    due = due_step(paper)
    return bool(due and due.blind)


def _facts(paper: Slip) -> list[dict[str, str]]:
    asked_at = paper.raised_at.astimezone(house.the_property().zone)
    facts = [
        {"name": "Gaming day", "value": f"{paper.gaming_day:%a, %b %-d, %Y}"},
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
    if (later := correction_of(paper)) is not None and not is_correction(paper):
        is_open = later.status == SlipStatus.OPEN.value
        return {
            "tone": "wait",
            "bold": "Correction pending:" if is_open else "Corrected by",
            "url": reverse("slip", args=[later.serial]),
            "text": later.serial,
        }
    if paper.status == SlipStatus.DONE.value:
        return {"tone": "good", "bold": "All signatures complete.", "text": "Nothing left to do."}
    if paper.status == SlipStatus.VOIDED.value:
        return {"tone": "bad", "bold": "Void.", "text": "The number won’t be reused."}
    if paper.status == SlipStatus.WITHHELD.value:
        return {"tone": "bad", "bold": "Withheld.", "text": "Nothing is paid on this slip."}
    back = FLOWS[paper.kind].sent_back
    if paper.status == SlipStatus.RETURNING.value and back:
        return {"tone": "bad", "bold": "On its way back.", "text": back.nothing}
    if paper.status == SlipStatus.RETURNED.value and back:
        return {"tone": "bad", "bold": "Returned.", "text": back.can_replace}
    return None


def _send_back(paper: Slip) -> dict[str, str] | None:
    """Return the way to send a slip's cheques back, while they can go."""
    back, due = FLOWS[paper.kind].sent_back, due_step(paper)
    if back is None or due is None or due.name not in back.while_due:
        return None
    return {"url": new_url(back.by, of=paper.serial), "label": "Send it back…"}


def _offered(paper: Slip) -> list[dict[str, str]]:
    """Return the kinds that correct a done slip, until one of theirs does."""
    offering = [kind for kind in kinds() if kind.offers and paper.kind in kind.refers_to]
    if not offering:
        return []
    standing = paper.referred_by.exclude(status=SlipStatus.VOIDED)
    has = set(standing.values_list("kind", flat=True))
    return [
        {"url": new_url(kind.kind, of=paper.serial), "label": kind.offers}
        for kind in offering
        if kind.comes_again or kind.kind not in has
    ]


def _withdrawn(paper: Slip) -> list[dict[str, str]]:
    """Return the way to take back a request that no one has acted on yet."""
    signed = list(paper.signatures.all())
    return [
        {"url": new_url(kind.kind, of=paper.serial), "label": "Cancel…"}
        for kind in kinds()
        if kind.withdraws
        and paper.kind in kind.refers_to
        and all(
            signature.track == Track.MAIN.value and signature.step in kind.withdraws
            for signature in signed
        )
    ]


def ways_out(paper: Slip) -> list[dict[str, str]]:
    """Return what can be done when a slip cannot go on: void, send back, relieve its carrier."""
    kind = kind_named(paper.kind)
    if paper.status != SlipStatus.OPEN.value:
        back = FLOWS[paper.kind].sent_back
        corrected = kind.corrected_label if kind else ""
        if paper.status == SlipStatus.VOIDED.value and corrected:
            return [{"url": new_url(paper.kind, of=paper.serial), "label": corrected}]
        if paper.status == SlipStatus.RETURNED.value and paper.table and back:
            url = new_url(paper.kind, table=paper.table.name, of=paper.serial)
            return [{"url": url, "label": back.replace_label}]
        return _offered(paper) if paper.status == SlipStatus.DONE.value else []
    own = reverse("slip", args=[paper.serial])
    dispatched = is_dispatched(paper.plan, signed_of(list(paper.signatures.all())))
    ways: list[dict[str, str]] = []
    if track_steps(paper.plan, Track.VOID) and not dispatched:
        # No cheque hangs on these: they are refused rather than voided.
        refused = REFUSED[0].name
        is_refused = any(step["name"] == refused for step in track_steps(paper.plan, Track.VOID))
        word = "Refuse…" if is_refused else kind.void_label if kind else "Void…"
        ways.append({"url": f"{own}?track=void", "label": word})
    ways += _withdrawn(paper)
    if kind is not None and kind.ways is not None:
        ways += kind.ways(paper)
    send_back = _send_back(paper)
    if send_back is not None:
        ways.append(send_back)
    relief = track_steps(paper.plan, Track.RELIEF)
    if relief and not relieves_a_carrier(relief) and kind is not None:
        ways.append({"url": f"{own}?track=relief", "label": kind.relief_label})
    elif relief and (dispatched or (kind is not None and kind.must_refer)):
        ways.append({"url": f"{own}?track=relief", "label": "Relieve the officer…"})
    return ways


def _way_back(paper: Slip) -> dict[str, str]:
    """Return what is done when a count differs from the slip: no one signs it as it is."""
    send_back = _send_back(paper)
    if send_back is not None:
        return send_back
    own = reverse("slip", args=[paper.serial])
    if is_dispatched(paper.plan, signed_of(list(paper.signatures.all()))):
        return {"url": f"{own}?differs", "label": "A line doesn’t match…"}
    return {"url": f"{own}?track=void", "label": "Void and recount…"}


def _is_signed_here(request: PitRequest, paper: Slip, due: PlannedStep) -> bool:
    """Tell whether a signature is taken on this device: of its place, and of the slip's pit."""
    device = request.device
    if due.at is None or device is None:
        return due.at is None
    is_elsewhere = paper.table is not None and device.pit_id not in (None, paper.table.pit_id)
    return due.at == device.place and not (device.place == Place.PIT and is_elsewhere)


def _due_here(request: PitRequest, paper: Slip, due: Sequence[PlannedStep]) -> PlannedStep | None:
    """Return the step of those due that is signed here, this person's own before another's."""
    here = [step for step in due if _is_signed_here(request, paper, step)]
    own = [step for step in here if request.role in step.roles]
    return next(iter([*own, *here]), None)


def _where_words(paper: Slip, due: PlannedStep) -> str:
    if due.at == Place.PIT and paper.table is not None:
        return f"Sign this on a tablet in {paper.table.pit}."
    return f"Sign this at the {due.at}." if due.at else ""


def _pad(
    request: PitRequest,
    paper: Slip,
    track: Track,
    shown: Mapping[str, Any],
    refused: Refused | None,
) -> dict[str, Any] | None:
    """Return the pad for the next signature of a track, or None when it is not taken here."""
    if paper.status != SlipStatus.OPEN.value:
        return None
    signed = signed_of(list(paper.signatures.all()))
    due = _due_here(request, paper, Plan(paper.plan).open(signed, track))
    if due is None:
        return None
    inputs: list[dict[str, Any]] = []
    if due.in_presence_of:
        inputs.append(
            {
                "name": "officer_badge",
                "label": ("Badge of the officer who carried the cheques"),
                "names": lately_signed_in(GUARDING),
            }
        )
    if due.needs_reason:
        step = FLOWS[paper.kind].step_named(due.name)
        inputs.append({"name": "reason", "label": step.reason_label if step else "Reason"})
    asked = {name: ASKS[name] for name in due.asks}
    inputs += [
        {"name": f"said_{name}", "label": ask.label, "type": "text"}
        for name, ask in asked.items()
        if ask.choices is None
    ]
    own = reverse("slip", args=[paper.serial])
    refuse = None
    if due.counts and track == Track.MAIN and not _is_blind(paper):
        refuse = {"url": f"{own}?differs", "label": "A line doesn’t match…"}
        if refused and "count_differs" in refused.codes:
            refuse = _way_back(paper)
    badge = _own_badge(request, paper, due)
    # Someone else signs by badge and PIN: they ask for the pad that has both.
    before = followed(request, paper, due) if badge == request.user.badge else None
    if refused is not None or "pin" in request.GET:
        before = None
    return pad_of(
        request,
        follows=_follows(paper, track, before) if before else None,
        passkey="prove" if proved_by_signing(paper.kind) else "",
        url=reverse("slip-sign", args=[paper.serial, track.value, due.name]),
        attested=attested_at(paper.kind, due.track.value, due.name, due.attests),
        says=list(reading_of(request, paper).says() if due.drawn else read_on(shown)),
        button=sign_words(due.by),
        refused=refused,
        badge=badge,
        names=lately_signed_in(due.roles) if not badge else (),
        inputs=tuple(inputs),
        shown=slip_shown(paper),
        refuse=refuse,
        drawing=_drawing(paper) if due.drawn else None,
        select=_select(request, asked),
        confirm=_confirm(asked, refused),
    )


def _follows(paper: Slip, track: Track, before: Signature) -> dict[str, Any]:
    """Return which signature the next one follows by a tap, and where a PIN is entered instead."""
    return {
        "signature": before.pk,
        "at": before.signed_at,
        "pin_url": f"{reverse('slip', args=[paper.serial])}?track={track.value}&pin",
    }


def _own_badge(request: PitRequest, paper: Slip, due: PlannedStep) -> str:
    """Return the badge of who signs next, as far as this device knows; a scan replaces it.

    It is that of who is signed in where the step may be theirs, and a dealer's at their own table.
    """
    own = {
        signature.step
        for signature in paper.signatures.all()
        if signature.person_id == request.user.pk
    }
    if request.role in due.roles and own <= repeatable(due.stored()):
        return request.user.badge
    if paper.table is not None and due.by == (Role.DEALER,):
        return dealers_badge(paper.table)
    return ""


def _next_steps(request: PitRequest, paper: Slip) -> list[dict[str, str]]:
    """Return where to go on from a slip that needs nothing more here: the next, and the table."""
    steps = []
    waits = [
        wait
        for wait in waiting_for(request.user, request.role)
        if wait.slip_id != paper.pk and is_done_here(wait, request.role, request.device)
    ]
    if waits:
        first = min(waits, key=lambda wait: in_order(rank_of(wait), wait.since))
        about = f"{first.table} · " if first.table else ""
        if first.slip is not None:
            label = f"Next: {about}{headline_of(first.slip)}"
            steps.append({"url": reverse("slip", args=[first.slip.serial]), "label": label})
        else:
            steps.append({"url": reverse("inbox"), "label": f"Next: {about}inbox"})
    back = _back(request, paper)
    return [*steps, {"url": back["url"], "label": f"Back to {back['label']}"}]


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
        if ask.choices is not None and not ask.otherwise:
            chosen = request.POST.get(f"said_{name}")
            choices = [
                {"value": value, "label": label, "is_chosen": value == chosen}
                for value, label in ask.choices.items()
            ]
            return {"name": f"said_{name}", "label": ask.label, "choices": choices}
    return None


def _confirm(asked: dict[str, Ask], refused: Refused | None) -> dict[str, Any] | None:
    """Return the box for a question that what was entered brought up, or none."""
    for name, ask in asked.items():
        if ask.otherwise and refused is not None and f"{name}_unconfirmed" in refused.codes:
            return {"name": f"said_{name}", "label": ask.label}
    return None
