"""Cards away from the tables, on the screen: choose them, then sign for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from inventory.selectors.cards import sets_in
from inventory.services.card_store import (
    CANCEL_LATE,
    COLLECT,
    DESTROY,
    ISSUE,
    PUT_BACK,
    VAULT,
    Delivery,
    SetsAct,
    delivery_refusals,
    hold_set,
    new_hold,
    new_receipt,
    new_release,
    new_sets_slip,
    new_vaulting,
    raise_sets_slip,
    receive_sets,
    release_set,
    vault_sets,
)
from inventory.services.cards import place_of
from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Pit, Slip, Table
from pitboss.rules.card_sets import DECKS, BackColour
from pitboss.rules.refusal import Refused, refuse
from pitboss.services.signing import NewSlip
from pitboss.views.forms import pen_of, text
from pitboss.views.raising import raise_page

_BACK = "cards"


def whole_number(post: QueryDict, name: str) -> int | None:
    """Return a whole number that was keyed, or None for an empty field. Raises Refused."""
    keyed = text(post, name).strip()
    if not keyed:
        return None
    if not (keyed.isascii() and keyed.isdigit() and len(keyed) <= 6):
        raise refuse("number_malformed", f"{keyed[:12]} is no whole number. Key it again.")
    return int(keyed)


def back_to_cards() -> dict[str, str]:
    """Return the way back to the page of all cards."""
    return {"url": reverse(_BACK), "label": "Cards"}


# Receiving


@require_http_methods(["GET", "POST"])
@page("card_desk")
def card_receive(request: PitRequest) -> HttpResponse:
    """Key what the maker sent; then the first of two signs for it."""
    refused: Refused | None = None
    if request.method == "POST":
        try:
            delivery = _delivery(request.POST)
            refusals = delivery_refusals(delivery)
            if refusals:
                raise Refused(refusals)
        except Refused as error:
            refused = error
        else:
            return _receive_pad(request, delivery)
    context = {
        "heading": "Receive cards",
        "back": back_to_cards(),
        "url": reverse("card-receive"),
        "colours": [colour.value for colour in BackColour],
        "decks": DECKS,
        "keyed": request.POST,
        "refusals": refused.refusals if refused else (),
    }
    status = http_status(refused) if refused else 200
    return render(request, "inventory/cards/receive.html", context, status=status)


def _delivery(post: QueryDict) -> Delivery:
    return Delivery(
        manufacturer=text(post, "manufacturer"),
        design=text(post, "design"),
        lot=text(post, "lot"),
        colour=text(post, "colour"),
        decks=whole_number(post, "decks") or 0,
        invoiced=whole_number(post, "invoiced") or 0,
        found=whole_number(post, "found") or 0,
        damaged=whole_number(post, "damaged") or 0,
    )


@require_POST
@page("card_desk")
def card_receive_sign(request: PitRequest) -> HttpResponse:
    """Raise the receipt with a supervisor's badge and PIN."""
    delivery = Delivery("", "", "", "", 0, 0, 0)
    try:
        delivery = _delivery(request.POST)
        slip = receive_sets(delivery, pen=pen_of(request), shown=text(request.POST, "shown"))
    except Refused as refused:
        return _receive_pad(request, delivery, refused)
    return _signed(request, slip, "Somebody of security or accounting counts them too.")


def _receive_pad(
    request: PitRequest, delivery: Delivery, refused: Refused | None = None
) -> HttpResponse:
    return raise_page(
        request,
        new_receipt(delivery),
        None,
        heading="Receive cards",
        url=reverse("card-receive-sign"),
        fields={name: getattr(delivery, name) for name in Delivery.__slots__},
        back={"url": reverse("card-receive"), "label": "Receive"},
        refused=refused,
        badge=request.user.badge,
    )


# Sealing


@require_http_methods(["GET", "POST"])
@page("card_desk")
def card_vault(request: PitRequest) -> HttpResponse:
    """Choose new sets and key the seal of each; then the dealer signs who inspected them."""
    refused: Refused | None = None
    if request.method == "POST":
        try:
            return _vault_pad(request, _seals(request.POST))
        except Refused as error:
            refused = error
    return _choose(
        request,
        heading="Vault cards",
        url=reverse("card-vault"),
        act=VAULT,
        words="Inspected, pre-shuffled and sealed by a dealer; a supervisor verifies. Key the "
        "number of the seal beside each set that is done.",
        button="Done, the dealer signs",
        seals=True,
        refused=refused,
    )


def _seals(post: QueryDict) -> dict[str, str]:
    prefix = "seal_"
    seals = {
        name.removeprefix(prefix): text(post, name)
        for name in post
        if name.startswith(prefix) and text(post, name).strip()
    }
    if not seals:
        raise refuse("no_sets", "Key the seal of at least one set.")
    return seals


@require_POST
@page("card_desk")
def card_vault_sign(request: PitRequest) -> HttpResponse:
    """Raise the vaulting with the dealer's badge and PIN."""
    seals: dict[str, str] = {}
    try:
        seals = _seals(request.POST)
        slip = vault_sets(seals, pen=pen_of(request), shown=text(request.POST, "shown"))
    except Refused as refused:
        return _vault_pad(request, seals, refused)
    return _signed(request, slip, "A supervisor verifies and seals them.")


def _vault_pad(
    request: PitRequest, seals: dict[str, str], refused: Refused | None = None
) -> HttpResponse:
    return raise_page(
        request,
        new_vaulting(seals),
        None,
        heading="Vault cards",
        url=reverse("card-vault-sign"),
        fields={f"seal_{number}": seal for number, seal in seals.items()},
        back={"url": reverse("card-vault"), "label": "Vault"},
        refused=refused,
    )


# Several sets at once


@dataclass(frozen=True, slots=True)
class _SetsPage:
    """How one act on several sets is chosen and signed for."""

    act: SetsAct
    page: str
    heading: str
    words: str
    button: str
    next_words: str
    to_pit: bool = False

    def url(self, act: str, ending: str = "") -> str:
        return reverse(
            f"{'card-sets' if self.page == 'card_desk' else 'card-room'}{ending}", args=[act]
        )


_PAGES = {
    "issue": _SetsPage(
        ISSUE,
        "card_desk",
        "Cards to a pit",
        "Tell surveillance first. Security is there when they leave the store.",
        "Take them out",
        "Security signs too.",
        to_pit=True,
    ),
    "put-back": _SetsPage(
        PUT_BACK,
        "card_desk",
        "Cards back to the store",
        "Unused sets of one pit, seals whole. Security is there.",
        "Put them back",
        "Security signs too.",
    ),
    "collect": _SetsPage(
        COLLECT,
        "card_desk",
        "Hand bags to security",
        "Sealed bags of one pit. The officer reads each number.",
        "Hand them over",
        "The officer signs too.",
    ),
    "cancel": _SetsPage(
        CANCEL_LATE,
        "card_room",
        "Cancel collected cards",
        "Tell surveillance first. Somebody of another desk sees every card cancelled.",
        "Cancel them",
        "Somebody of another desk signs too.",
    ),
    "destroy": _SetsPage(
        DESTROY,
        "card_room",
        "Destroy cards",
        "Tell surveillance first. Somebody of another desk sees every set destroyed.",
        "Destroy them",
        "Somebody of another desk signs too.",
    ),
}


def _sets_page(act: str, page_name: str) -> _SetsPage:
    shown = _PAGES.get(act)
    if shown is None or shown.page != page_name:
        raise Http404("There is no such act.")
    return shown


@require_http_methods(["GET", "POST"])
@page("card_desk")
def card_sets(request: PitRequest, act: str) -> HttpResponse:
    """Choose sets to issue, put back or hand over; then the first of two signs for them."""
    return _choose_sets(request, act, _sets_page(act, "card_desk"))


@require_POST
@page("card_desk")
def card_sets_sign(request: PitRequest, act: str) -> HttpResponse:
    """Raise the slip with a supervisor's badge and PIN."""
    return _sign_sets(request, act, _sets_page(act, "card_desk"))


@require_http_methods(["GET", "POST"])
@page("card_room")
def card_room(request: PitRequest, act: str) -> HttpResponse:
    """Choose sets to cancel or destroy; then the first of two signs for them."""
    return _choose_sets(request, act, _sets_page(act, "card_room"))


@require_POST
@page("card_room")
def card_room_sign(request: PitRequest, act: str) -> HttpResponse:
    """Raise the slip with an officer's badge and PIN."""
    return _sign_sets(request, act, _sets_page(act, "card_room"))


def _choose_sets(
    request: PitRequest, act: str, shown: _SetsPage, refused: Refused | None = None
) -> HttpResponse:
    if request.method == "POST" and refused is None:
        try:
            return _sets_pad(request, act, shown, *_chosen(request.POST, shown))
        except Refused as error:
            refused = error
    return _choose(
        request,
        heading=shown.heading,
        url=shown.url(act),
        act=shown.act,
        words=shown.words,
        button=shown.button,
        to_pit=shown.to_pit,
        refused=refused,
    )


def _sign_sets(request: PitRequest, act: str, shown: _SetsPage) -> HttpResponse:
    try:
        numbers, pit = _chosen(request.POST, shown)
    except Refused as refused:
        return _choose_sets(request, act, shown, refused)
    try:
        slip = raise_sets_slip(
            shown.act, numbers, pit=pit, pen=pen_of(request), shown=text(request.POST, "shown")
        )
    except Refused as refused:
        return _sets_pad(request, act, shown, numbers, pit, refused)
    return _signed(request, slip, shown.next_words)


def _chosen(post: QueryDict, shown: _SetsPage) -> tuple[list[str], Pit | None]:
    numbers = [*post.getlist("set"), *text(post, "sets").split()]
    if not numbers:
        raise refuse("no_sets", "Choose at least one set.")
    for number in numbers:
        place_of(number)
    pit = None
    if shown.to_pit:
        pit = Pit.objects.filter(pk=whole_number(post, "pit") or 0).first()
        if pit is None:
            raise refuse("pit_missing", "Choose the pit that they go to.")
    return numbers, pit


def _sets_pad(
    request: PitRequest,
    act: str,
    shown: _SetsPage,
    numbers: list[str],
    pit: Pit | None,
    refused: Refused | None = None,
) -> HttpResponse:
    fields: dict[str, Any] = {"pit": pit.pk} if pit else {}
    return raise_page(
        request,
        new_sets_slip(shown.act, numbers, pit),
        None,
        heading=shown.heading,
        url=shown.url(act, "-sign"),
        fields={**fields, "sets": " ".join(numbers)},
        back={"url": shown.url(act), "label": "Choose"},
        refused=refused,
        badge=request.user.badge,
    )


def _choose(
    request: PitRequest,
    *,
    heading: str,
    url: str,
    act: SetsAct,
    words: str,
    button: str,
    seals: bool = False,
    to_pit: bool = False,
    refused: Refused | None = None,
) -> HttpResponse:
    """Show the sets from which an act chooses."""
    chosen = set(request.POST.getlist("set"))
    context = {
        "heading": heading,
        "back": back_to_cards(),
        "url": url,
        "words": words,
        "button": button,
        "seals": seals,
        "labels": [place.card_set.number for place in sets_in(act.offered)] if seals else [],
        "pits": Pit.objects.order_by("name") if to_pit else None,
        "pit": request.POST.get("pit", ""),
        "sets": [
            {
                "place": place,
                "number": place.card_set.number,
                "colour": place.colour,
                "decks": place.card_set.decks,
                "is_chosen": place.card_set.number in chosen,
                "seal": request.POST.get(f"seal_{place.card_set.number}", ""),
            }
            for place in sets_in(act.offered)
        ],
        "refusals": refused.refusals if refused else (),
    }
    status = http_status(refused) if refused else 200
    return render(request, "inventory/cards/choose.html", context, status=status)


# One set


@require_http_methods(["GET", "POST"])
@page("card_hold")
def card_hold(request: PitRequest, mark: str) -> HttpResponse:
    """Hold a set as it is, with a reason."""
    return _one(request, mark, new_hold, hold_set, "card-hold", "Hold a set")


@require_http_methods(["GET", "POST"])
@page("card_release")
def card_release(request: PitRequest, mark: str) -> HttpResponse:
    """Let go of a set that was held."""
    return _one(request, mark, new_release, release_set, "card-release", "Let a held set go")


def _one(
    request: PitRequest,
    mark: str,
    new_slip: Callable[[str], NewSlip],
    raise_it: Callable[..., Slip],
    url_name: str,
    heading: str,
) -> HttpResponse:
    """Show one set on a slip about to be raised, or raise it with the pad's badge and PIN."""
    try:
        new = new_slip(mark)
    except Refused as refused:
        raise Http404(str(refused)) from None
    refused_by: Refused | None = None
    if request.method == "POST":
        try:
            slip = raise_it(
                mark,
                reason=text(request.POST, "reason"),
                pen=pen_of(request),
                shown=text(request.POST, "shown"),
            )
        except Refused as refused:
            refused_by = refused
        else:
            return _signed(request, slip, "A second person signs too.")
    table = Table.objects.get(pk=new.table_id) if new.table_id is not None else None
    return raise_page(
        request,
        new,
        table,
        heading=heading,
        url=reverse(url_name, args=[mark]),
        fields={},
        back={"url": reverse("card-set", args=[mark]), "label": mark},
        refused=refused_by,
        inputs=({"name": "reason", "label": "Reason"},),
        badge=request.user.badge,
    )


def _signed(request: PitRequest, slip: Slip, next_words: str) -> HttpResponse:
    messages.success(request, f"{slip.serial} signed. {next_words}")
    return redirect("slip", serial=slip.serial)
