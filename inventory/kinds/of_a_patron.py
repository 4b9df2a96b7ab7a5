"""What slips about a patron share: who it is, chosen first, and locked where it is raised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db import models
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.http import urlencode

from inventory.models import Patron, PatronDocument
from inventory.selectors.credit import found_of
from inventory.selectors.patrons import (
    identity_documents,
    patron_of_card,
    patrons_at_hand,
    patrons_named,
)
from inventory.services.patrons import lock_patron
from pitboss.access import may_open
from pitboss.context import rail_place
from pitboss.middleware import PitRequest
from pitboss.models import Slip
from pitboss.rules.cheques.cheques import read_money
from pitboss.rules.floor.fields import Field
from pitboss.rules.flows.flows import Need, Step
from pitboss.rules.refusal import refuse
from pitboss.rules.roles import Place, Role
from pitboss.selectors.hands import hand_on
from pitboss.services import house
from pitboss.slips.addresses import id_of, own_url
from pitboss.slips.kind import Look, Raising


@dataclass(frozen=True, slots=True, kw_only=True)
class DollarAmount(Field):
    """An amount in dollars, $0 too. How much is judged, not read."""

    shape = "money"

    def read(self, raw: object) -> int:
        cents = read_money(raw) if isinstance(raw, str) else raw
        if isinstance(cents, bool) or not isinstance(cents, int):
            raise refuse("bad_amount", "Amount isn’t valid. Enter dollars, like 3,000.")
        return cents


def patron_of(raising: Raising) -> Patron:
    """Return whom a slip is about."""
    patron: Patron = raising.given["patron"]
    return patron


def of_patron(request: PitRequest, raising: Raising) -> Raising:
    """Return a slip about the patron whom its address names."""
    return _about(get_object_or_404(Patron, pk=id_of(request.GET, "patron")), raising)


def of_chosen_patron(request: PitRequest, raising: Raising) -> Raising:
    """Return a slip about the patron whom its address names or whose card was swiped, if any."""
    patron = chosen_patron(request)
    return _about(patron, raising) if patron is not None else raising


def _about(patron: Patron, raising: Raising) -> Raising:
    return replace(
        raising,
        given={**raising.given, "patron": patron},
        named={**raising.named, "patron": patron.pk},
    )


def chosen_patron(request: PitRequest) -> Patron | None:
    """Return the patron whom the address or the form names, or whose card was swiped."""
    given = request.POST if request.POST.get("patron") else request.GET
    if (named := id_of(given, "patron")) is not None:
        return get_object_or_404(Patron, pk=named)
    return patron_of_card(request.GET.get("q", "").replace("\x00", ""))


def patron_choice(request: PitRequest, raising: Raising) -> Look | None:
    """Look the patron up first: a card that is swiped leads on at once."""
    if "patron" in raising.given:
        return None
    table = {"table": raising.table.name} if raising.table else {}
    return patron_search(request, reverse("slip-new", args=[raising.kind.kind]), table)


def patron_search(request: PitRequest, url: str, named: Mapping[str, str]) -> Look:
    """Return the page that looks a patron up for what an address does."""
    asked = request.GET.get("q", "").replace("\x00", "")[:80]
    offered = patrons_named(asked) if asked else patrons_at_hand(named.get("table", ""))
    found = [found_of(patron) for patron in offered]
    for item in found:
        item["url"] = f"{url}?{urlencode({**named, 'patron': item['patron'].pk})}"
    return "inventory/patron_choose.html", {
        "asked": asked,
        "found": found,
        "url": url,
        "named": named,
        "add_url": new_patron_url(request, f"{url}?{urlencode({**named, 'patron': ''})}"),
    }


def new_patron_url(request: PitRequest, then: str) -> str:
    """Return where someone who is not found is put on file, to go on with them by `then`.

    The number of the patron is put at its end. Nothing for someone who keeps no file.
    """
    if not may_open(request.role, "patron_file"):
        return ""
    return f"{reverse('patron-new')}?{urlencode({'then': then})}"


def patron_locked(raising: Raising) -> Raising:
    """Lock the patron whom a slip is about, and with them all they owe."""
    return replace(raising, given={**raising.given, "patron": lock_patron(patron_of(raising).pk)})


def to_patron(slip: Slip) -> str:
    """Go on to the patron whom a slip is about."""
    return reverse("patron", args=[slip.details["patron"]])


def back_to_choice(raising: Raising) -> dict[str, str]:
    """Return the way back: to whom it is about, and from there to where it is done."""
    if "patron" in raising.given:
        return {"url": own_url(replace(raising, named={})), "label": "Patron"}
    if raising.table is None:
        return rail_place(raising.kind.lit_by)
    return {"url": reverse("table", args=[raising.table.name]), "label": raising.table.name}


def valid_ids(patron: Patron) -> models.QuerySet[PatronDocument]:
    """Return the IDs of a patron that are valid now."""
    return identity_documents(patron, house.period_at(house.now()).gaming_day)


def id_on_file(slip: Slip, document_id: int) -> str:
    """Return a valid ID of a slip's patron in words, or nothing when it is no such one."""
    patron = Patron.objects.get(pk=slip.details["patron"])
    document = valid_ids(patron).filter(pk=document_id).first()
    return str(document) if document else ""


def ids_offered(patron: Patron) -> list[dict[str, Any]]:
    """Return the IDs on file to compare a patron with, as a pad offers them."""
    return [
        {"id": document.pk, "label": str(document).capitalize()} for document in valid_ids(patron)
    ]


def tells_hand(slip: Slip) -> dict[str, Any]:
    """Return what a slip that the patron signs by hand tells: their hand, or the IDs on file."""
    return {
        "template": "inventory/_patron_panel.html",
        "comes_first": True,
        "name": slip.details["patron_name"],
        "patron_url": to_patron(slip),
        "hand": hand_on(slip.signatures.all()),
        "documents": ids_offered(Patron.objects.get(pk=slip.details["patron"])),
    }


# Whoever deals cuts the cheques that a patron signed for.
CUT_BY_DEALER: Final = Step(
    "dealer_signed",
    done="Dealer signed",
    do="Dealer signs",
    by=Role.DEALER,
    at=Place.PIT,
    attests="I certify that I checked the amount, date, and table, and cut these cheques.",
)


def signed_by_patron(by: Role, at: Place, *, may_repeat: str, then: str | None = None) -> Step:
    """Return the step in which a patron signs by hand before someone who matches their ID."""
    return Step(
        "patron_signed",
        done="Patron signed",
        do="Patron signs",
        by=by,
        at=at,
        may_repeat=may_repeat,
        drawn=True,
        why=Need("The patron hasn’t signed yet."),
        attests="I certify that the patron signed in my presence and that their face and "
        "signature match the ID on file.",
        then=then,
    )
