"""Cards of one table on the screen: its slots, the change of its day, bags and waivers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from inventory.models import CardPlace
from inventory.selectors.cards import (
    Guide,
    GuideStep,
    cabinet_of,
    cards_at_table,
    change_guide,
    is_closing,
    is_on_the_game,
    open_card_slips,
    slots_of,
)
from inventory.services.card_accounts import (
    CLOSING,
    OPENING,
    cards_refusals,
    is_waived,
    new_waiver,
    waive_cards,
)
from inventory.services.card_table import (
    Brought,
    bring_to_table,
    new_bringing,
    new_replacement,
    new_unused,
    put_spare_back,
    replace_card,
)
from inventory.services.cards import place_of
from inventory.views.card_store import whole_number
from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Slip, Table
from pitboss.rules.card_sets import CardState, clean_mark
from pitboss.rules.cards import RANKS, SUITS
from pitboss.rules.refusal import Refused, refuse
from pitboss.rules.table_setup import CardProfile
from pitboss.selectors.slips import due_step, heading_of, role_words
from pitboss.services.signing import NewSlip
from pitboss.views.forms import pen_of, text
from pitboss.views.raising import raise_page, table_named

SLOT_WORDS = {
    CardState.SHUFFLER: "Shuffler",
    CardState.IN_PLAY: "In play",
    CardState.SPARE: "Spare",
}
_SUIT_WORDS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


@require_GET
@page("cards")
def table_cards(request: PitRequest, name: str) -> HttpResponse:
    """Show what lies in a table's slots, and the next step of its change of day."""
    table = table_named(name)
    places = cards_at_table(table)
    here = {CardState(place.state): place for place in places}
    guide = change_guide(table)
    may_act = may_open(request.role, "card_table")
    door = CLOSING if table.is_open else OPENING
    waived = is_waived(table, door)
    # On a game that goes on, cards at the table are nothing to speak of.
    at_the_door = not table.is_open or is_closing(table)
    context = {
        "heading": f"Cards of {table.name}",
        "back": {"url": reverse("table", args=[table.name]), "label": table.name},
        "table": table,
        "profile": CardProfile(table.cards).label,
        "slots": [
            {
                "name": SLOT_WORDS[slot],
                "place": here.get(slot),
                "acts": _slot_acts(table, slot, here.get(slot)) if may_act else [],
            }
            for slot in slots_of(table)
        ],
        "off": [
            {
                "place": place,
                "url": _url("table-cards-bag", table, set=place.card_set.number),
            }
            for place in places
            if not is_on_the_game(place)
        ],
        "slips": [_slip_row(slip) for slip in open_card_slips(table)],
        "guide": _guide(table, guide) if table.is_open and may_act and places else None,
        "door": door,
        "door_refusals": [] if waived or not at_the_door else cards_refusals(table, door),
        "is_waived": waived,
        "waive_url": _url("table-cards-waive", table, door=door)
        if may_open(request.role, "card_waiver")
        else "",
        "may_act": may_act,
    }
    return render(request, "inventory/cards/table.html", context)


def _url(name: str, table: Table, **query: Any) -> str:
    own = reverse(name, args=[table.name])
    asked = "&".join(f"{key}={value}" for key, value in query.items())
    return f"{own}?{asked}" if asked else own


def _slot_acts(table: Table, slot: CardState, place: CardPlace | None) -> list[dict[str, str]]:
    """Return what can be done with one slot."""
    if place is None:
        return [{"label": "Bring a set", "url": _url("table-cards-bring", table, slot=slot.value)}]
    number = place.card_set.number
    if slot == CardState.SPARE:
        opened = CardState.IN_PLAY if CardState.IN_PLAY in slots_of(table) else CardState.SHUFFLER
        return [
            {
                "label": "Open it",
                "url": _url("table-cards-bring", table, slot=opened.value, set=number),
            },
            {"label": "Back to the cabinet", "url": _url("table-cards-spare", table, set=number)},
        ]
    return [
        {"label": "Count off, bag…", "url": _url("table-cards-bag", table, set=number)},
        {"label": "Replace a card…", "url": _url("table-cards-replace", table, set=number)},
        {"label": "Hold it…", "url": reverse("card-hold", args=[number])},
    ]


def _slip_row(slip: Slip) -> dict[str, str]:
    due = due_step(slip)
    return {
        "serial": slip.serial,
        "title": heading_of(slip),
        "waits": f"waits for a {role_words(due)}" if due else "",
    }


def _guide(table: Table, guide: Guide) -> dict[str, Any]:
    now = guide.now
    return {
        "steps": guide.steps,
        "is_begun": guide.is_begun,
        "is_done": now is None,
        "act": _guide_act(table, now) if now else None,
        "again": _url("table-cards-bring", table, half=1),
    }


def _guide_act(table: Table, step: GuideStep) -> dict[str, str]:
    """Return the one thing to do next: sign what waits, bring a set, or bag one."""
    if step.slip:
        return {"label": f"Sign {step.slip}", "url": reverse("slip", args=[step.slip])}
    if step.half:
        return {"label": step.title, "url": _url("table-cards-bring", table, half=step.half)}
    return {
        "label": f"Bag {step.number}",
        "url": _url("table-cards-bag", table, set=step.number),
    }


# A set comes in


@require_http_methods(["GET", "POST"])
@page("card_table")
def table_cards_bring(request: PitRequest, name: str) -> HttpResponse:
    """Scan or pick a set and its seal; then the supervisor signs who brought it."""
    table = table_named(name)
    refused: Refused | None = None
    if request.method == "POST":
        try:
            return _bring_pad(request, table, _brought(request, table))
        except Refused as error:
            refused = error
    return _bring_form(request, table, refused)


def _bring_form(request: PitRequest, table: Table, refused: Refused | None) -> HttpResponse:
    asked = request.POST if request.method == "POST" else request.GET
    half = asked.get("half", "")
    here = {CardState(place.state): place for place in cards_at_table(table)}
    on_game = [place for place in here.values() if is_on_the_game(place)]
    slot = _slot(asked.get("slot", ""), table, half)
    profile = CardProfile(table.cards)
    spare = here.get(CardState.SPARE)
    candidates = [place for place in cabinet_of(table.pit) if place.card_set.decks == table.decks]
    if spare is not None and slot != CardState.SPARE:
        candidates.insert(0, spare)
    stays = _staying(here, half, profile)
    context = {
        "heading": f"Cards to {table.name}",
        "back": {"url": reverse("table-cards", args=[table.name]), "label": "Cards"},
        "table": table,
        "url": reverse("table-cards-bring", args=[table.name]),
        "half": half,
        "slot": slot,
        "slot_words": SLOT_WORDS[slot],
        "slots": [(each.value, SLOT_WORDS[each]) for each in slots_of(table)],
        "candidates": [
            {
                "place": place,
                "number": place.card_set.number,
                "colour": place.colour,
                "why_not": "Same colour as what stays." if place.colour in stays else "",
            }
            for place in candidates
        ],
        "chosen": asked.get("set", ""),
        "seal": asked.get("seal", ""),
        "counted": asked.get("counted", ""),
        "must_count": profile == CardProfile.HAND and slot == CardState.IN_PLAY,
        "leaving": [
            {"number": place.card_set.number, "colour": place.colour, "state": place.state}
            for place in on_game
            if place.state != CardState.SPARE.value
        ]
        if half
        else [],
        "leaves": asked.get("takes_out") or _leaves(here, half, profile),
        "refusals": refused.refusals if refused else (),
    }
    status = http_status(refused) if refused else 200
    return render(request, "inventory/cards/bring.html", context, status=status)


def _slot(keyed: str, table: Table, half: str) -> CardState:
    """Return the slot that a set is brought into: as asked, else as the change wants it."""
    slots = slots_of(table)
    if not slots:
        raise Http404("This table has no cards of its own.")
    if half:
        return slots[0]
    return next((slot for slot in slots if slot.value == keyed), slots[0])


def _leaves(here: Mapping[CardState, CardPlace], half: str, profile: CardProfile) -> str:
    """Return the set that the records let come out in this half of a change."""
    slot = CardState.IN_PLAY if half == "2" or profile == CardProfile.HAND else CardState.SHUFFLER
    place = here.get(slot)
    return place.card_set.number if place else ""


def _staying(here: Mapping[CardState, CardPlace], half: str, profile: CardProfile) -> set[str]:
    leaves = _leaves(here, half, profile) if half else ""
    return {
        place.colour
        for place in here.values()
        if is_on_the_game(place) and place.card_set.number != leaves
    }


def _brought(request: PitRequest, table: Table) -> Brought:
    """Return what was scanned and keyed. Raises Refused."""
    post = request.POST
    half = text(post, "half")
    profile = CardProfile(table.cards)
    slot = _slot(text(post, "slot"), table, half)
    number = clean_mark(text(post, "scanned") or text(post, "set"))
    if not number:
        raise refuse("set_missing", "Scan the label of the set, or pick one.")
    if text(post, "whole") not in ("yes", "no"):
        raise refuse("seal_not_said", "Say whether the seal is whole or broken.")
    takes_out, taken_from, brings_out = "", None, ""
    if half:
        takes_out = clean_mark(text(post, "takes_out"))
        taken_from = (
            CardState.IN_PLAY if half == "2" or profile == CardProfile.HAND else CardState.SHUFFLER
        )
        if half == "2":
            others = [
                place.card_set.number
                for place in cards_at_table(table)
                if place.state in (CardState.SHUFFLER.value, CardState.IN_PLAY.value)
                and place.card_set.number != takes_out
            ]
            brings_out = others[0] if others else ""
    return Brought(
        number=number,
        seal=text(post, "seal"),
        slot=slot,
        seal_is_whole=text(post, "whole") == "yes",
        counted=whole_number(post, "counted"),
        takes_out=takes_out,
        taken_from=taken_from,
        brings_out=brings_out,
    )


@require_POST
@page("card_table")
def table_cards_bring_sign(request: PitRequest, name: str) -> HttpResponse:
    """Raise the slip with the supervisor's badge and PIN."""
    table = table_named(name)
    try:
        brought = _brought(request, table)
    except Refused as refused:
        return _bring_form(request, table, refused)
    try:
        slip = bring_to_table(
            table, brought, pen=pen_of(request), shown=text(request.POST, "shown")
        )
    except Refused as refused:
        return _bring_pad(request, table_named(name), brought, refused)
    messages.success(request, f"{slip.serial}: set {slip.details['set']} is at {table}.")
    return redirect("slip", serial=slip.serial)


def _bring_pad(
    request: PitRequest, table: Table, brought: Brought, refused: Refused | None = None
) -> HttpResponse:
    half = text(request.POST, "half")
    return raise_page(
        request,
        new_bringing(table, brought),
        table,
        heading=f"Cards to {table.name}",
        url=reverse("table-cards-bring-sign", args=[table.name]),
        fields={
            "set": brought.number,
            "seal": brought.seal,
            "slot": brought.slot.value,
            "whole": "yes" if brought.seal_is_whole else "no",
            "counted": "" if brought.counted is None else brought.counted,
            "half": half,
            "takes_out": brought.takes_out,
        },
        back={"url": reverse("table-cards", args=[table.name]), "label": "Cards"},
        refused=refused,
        badge=request.user.badge,
    )


# One card, one spare, one waiver


@require_http_methods(["GET", "POST"])
@page("card_table")
def table_cards_replace(request: PitRequest, name: str) -> HttpResponse:
    """Say which card is bad, then sign for its replacement."""
    table = table_named(name)
    # What the address says holds for the pad as well, which posts to it.
    asked = request.GET
    place = place_or_404(asked.get("set", ""))
    number = place.card_set.number
    card = f"{asked.get('rank', '')}{asked.get('suit', '')}" or asked.get("card", "")
    if not card:
        context = {
            "heading": f"Replace a card of {number}",
            "back": {"url": reverse("table-cards", args=[table.name]), "label": "Cards"},
            "url": reverse("table-cards-replace", args=[table.name]),
            "set": place.card_set,
            "ranks": [(rank, "10" if rank == "T" else rank) for rank in RANKS],
            "suits": [(suit, _SUIT_WORDS[suit]) for suit in SUITS],
            "whole_deck": request.house["cards.replacement"] == "whole_deck",
        }
        return render(request, "inventory/cards/replace.html", context)
    try:
        new = new_replacement(table, number, card)
    except Refused as refused:
        return refused_page(request, table, refused)
    return _pad_or_sign(
        request,
        table,
        new,
        f"Replace a card of {number}",
        _url("table-cards-replace", table, set=number, card=card),
        lambda reason, **signed: replace_card(table, number, card, reason=reason, **signed),
        reason=True,
    )


@require_http_methods(["GET", "POST"])
@page("card_table")
def table_cards_spare(request: PitRequest, name: str) -> HttpResponse:
    """Put an unopened spare back into the cabinet."""
    table = table_named(name)
    number = place_or_404(request.GET.get("set", "")).card_set.number
    return _pad_or_sign(
        request,
        table,
        new_unused(table, number),
        f"Spare {number} back",
        _url("table-cards-spare", table, set=number),
        lambda reason, **signed: put_spare_back(table, number, **signed),
    )


@require_http_methods(["GET", "POST"])
@page("card_waiver")
def table_cards_waive(request: PitRequest, name: str) -> HttpResponse:
    """Let a table open or close although its cards are not accounted for."""
    table = table_named(name)
    door = request.GET.get("door", "")
    if door not in (OPENING, CLOSING):
        raise Http404("A table waits for its cards when it opens or closes.")
    return _pad_or_sign(
        request,
        table,
        new_waiver(table, door),
        f"{door.capitalize()} of {table.name}",
        _url("table-cards-waive", table, door=door),
        lambda reason, **signed: waive_cards(table, door, reason=reason, **signed),
        reason=True,
    )


def _pad_or_sign(
    request: PitRequest,
    table: Table,
    new: NewSlip,
    heading: str,
    url: str,
    raise_it: Callable[..., Slip],
    *,
    reason: bool = False,
) -> HttpResponse:
    """Show a slip about to be raised, or raise it with the badge and PIN of the pad."""
    refused: Refused | None = None
    if request.method == "POST" and "badge" in request.POST:
        try:
            slip = raise_it(
                text(request.POST, "reason"),
                pen=pen_of(request),
                shown=text(request.POST, "shown"),
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{slip.serial} signed.")
            return redirect("slip", serial=slip.serial)
    return raise_page(
        request,
        new,
        table,
        heading=heading,
        url=url,
        fields={},
        back={"url": reverse("table-cards", args=[table.name]), "label": "Cards"},
        refused=refused,
        inputs=({"name": "reason", "label": "Reason"},) if reason else (),
        badge=request.user.badge,
    )


def refused_page(request: PitRequest, table: Table, refused: Refused) -> HttpResponse:
    """Say why something cannot be shown, with the way back to the table's cards."""
    messages.error(request, str(refused))
    return redirect("table-cards", name=table.name)


def place_or_404(number: str) -> CardPlace:
    """Return where a set is, or answer that there is none."""
    try:
        return place_of(number)
    except Refused as refused:
        raise Http404(str(refused)) from None
