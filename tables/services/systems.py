"""What casino and hotel systems read and redeem, each by the scope that two people granted it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

from django.db.models import Model

from inventory.models import Patron
from inventory.selectors.credit import standing_of
from inventory.services import patrons as inventory_patrons
from inventory.services.patrons import lock_patron
from pitboss.models import Device, JournalEntry, Person
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.refusal import NOT_YOURS, Refused, refuse
from pitboss.rules.roles import HOSTING, Place
from pitboss.selectors.journal_feed import entries_after
from pitboss.services import house, journal
from tables.models import (
    Comp,
    CompMove,
    PatronHost,
    PatronTier,
    PlayRating,
    RatingFigures,
    Scope,
    SystemScope,
)
from tables.services.comps import (
    account_of,
    given_to,
    is_related,
    keep_compared,
    points_of,
    redeemed_cents,
    redemption_refusals,
    write_entry,
)
from tables.services.hosts import host_of, tier_of

_ENDS = ("rating_ended", "rating_figures")
_CHANGES = ("rating_correction", "rating_void")


def has_scope(device: Device, scope: Scope) -> bool:
    """Tell whether a device of the office may do this now."""
    if device.place != Place.OFFICE.value or device.table_id is not None:
        return False
    rows = SystemScope.objects.filter(device=device, scope=scope.value)
    newest = rows.order_by("-id").first()
    return newest is not None and newest.granted


def demand_scope(device: Device, scope: Scope) -> None:
    """Refuse a device that was not granted a scope. Raises Refused."""
    if not has_scope(device, scope):
        words = f"This device was not granted {scope.value}. Ask the host manager."
        raise refuse("no_scope", words, NOT_YOURS)


def values_of(card: str) -> dict[str, Any]:
    """Return what a hotel shows of a patron: labelled values and a note. Raises Refused."""
    patron = Patron.objects.filter(player_card=card).first() if card else None
    if patron is None:
        raise refuse("unknown_card", "Card not found. Check the number.", 404)
    if standing_of(patron) is Standing.SELF_EXCLUDED:
        return {"card": card, "values": [], "note": "Call the casino."}
    now = house.now()
    account, points = account_of(patron, now), points_of(patron)
    waiting = sum(
        comp.value_cents - redeemed_cents(comp)
        for comp in given_to(patron)
        .filter(entries__move=CompMove.ISSUED.value)
        .exclude(entries__move=CompMove.EXPIRED.value)
    )
    values = (
        ("comps_left_cents", "Comps left", account.left_cents),
        ("comps_to_redeem_cents", "Comps to redeem", waiting),
        ("points", "Points", points["balance"]),
    )
    return {
        "card": card,
        "values": [{"name": name, "title": title, "value": value} for name, title, value in values],
        "note": "",
    }


def put_patron(*, device: Device, card: str, said: Mapping[str, str]) -> dict[str, Any]:
    """Keep a patron's name, tier and host as a loyalty system says, in the caller's transaction.

    What is not said stays. Raises Refused.
    """
    now = house.now()
    keyed = {
        "first_name": said["first_name"],
        "last_name": said["last_name"],
        "player_card": card,
    }
    patron = inventory_patrons.put_patron(keyed=keyed, device=device)
    rows: list[Model] = []
    if "tier" in said and said["tier"] != tier_of(patron):
        rows.append(
            PatronTier.objects.create(patron=patron, tier=said["tier"], since=now, device=device)
        )
    if "host" in said:
        host = _host_of_badge(said["host"], patron)
        if host != host_of(patron):
            rows.append(
                PatronHost.objects.create(patron=patron, host=host, since=now, device=device)
            )
    if rows:
        journal.write(
            chain=journal.HOUSE,
            kind="patron_told",
            body={"patron": patron.pk, "tier": tier_of(patron)},
            at=now,
            device=device,
            rows=rows,
        )
    host_now = host_of(patron)
    return {
        "card": card,
        "first_name": patron.first_name,
        "last_name": patron.last_name,
        "tier": tier_of(patron),
        "host": host_now.badge if host_now else "",
    }


def _host_of_badge(badge: str, patron: Patron) -> Person | None:
    """Return the host whose badge a system named; none for no badge. Raises Refused."""
    if not badge:
        return None
    hosts = Person.objects.filter(is_active=True, role__in=[role.value for role in HOSTING])
    host = hosts.filter(badge=badge).first()
    if host is None:
        raise refuse("unknown_host", "No host has this badge. Check the badge number.")
    if is_related(host, patron):
        words = f"{host} is related to {patron}. Choose another host."
        raise refuse("related_to_patron", words, NOT_YOURS)
    return host


def redeem(*, device: Device, serial: str, amount_cents: int, outlet: str) -> dict[str, Any]:
    """Redeem some of a comp for another system, in the caller's transaction. Raises Refused."""
    now = house.now()
    comps = Comp.objects.select_related("patron", "slip")
    comp = comps.filter(slip__serial=serial).first()
    if comp is None:
        raise refuse("unknown_comp", "Comp not found. Check the number.", 404)
    lock_patron(comp.patron_id)
    refusals = redemption_refusals(comp, amount_cents)
    if refusals:
        raise Refused(refusals)
    keep_compared(comp.patron, now)
    entry = write_entry(
        comp,
        CompMove.REDEEMED,
        None,
        now,
        amount_cents=amount_cents,
        outlet=outlet,
        device=device,
        request_id=uuid4(),
    )
    journal.write(
        chain=journal.HOUSE,
        kind="comp_redeemed",
        body={"comp": serial, "amount_cents": amount_cents, "outlet": outlet},
        at=now,
        device=device,
        rows=[entry],
    )
    return {
        "comp": serial,
        "redeemed_cents": amount_cents,
        "left_cents": comp.value_cents - redeemed_cents(comp),
    }


def keep_refused(*, device: Device, serial: str, codes: tuple[str, ...]) -> None:
    """Note in the journal that a system was refused a redemption."""
    journal.write(
        chain=journal.HOUSE,
        kind="redemption_refused",
        body={"comp": serial[:40], "codes": list(codes)},
        at=house.now(),
        device=device,
    )


def feed_after(after: int) -> dict[str, Any]:
    """Return ended ratings and their revisions in the order of the journal, each with its proof."""
    page = entries_after(after, now=house.now())
    return {"items": list(_items(page.entries)), "next": page.next, "is_whole": page.is_whole}


def _items(entries: list[JournalEntry]) -> Iterator[dict[str, Any]]:
    for entry in entries:
        figures = _figures_in(entry)
        if figures is not None:
            yield _item(entry, figures)


def _figures_in(entry: JournalEntry) -> RatingFigures | None:
    found = RatingFigures.objects.select_related("rating__table", "rating__patron")
    if entry.kind in _ENDS:
        rating = json.loads(entry.text)["body"]["rating"]
        return found.filter(rating=rating, revision=0).first()
    if entry.slip is not None and entry.slip.kind in _CHANGES:
        return found.filter(slip=entry.slip, made_at__lte=entry.at).first()
    return None


def _item(entry: JournalEntry, figures: RatingFigures) -> dict[str, Any]:
    rating: PlayRating = figures.rating
    return {
        "entry": entry.pk,
        "chain": entry.chain.name,
        "number": entry.number,
        "link": entry.link,
        "rating": rating.pk,
        "revision": figures.revision,
        "card": rating.patron.player_card if rating.patron else "",
        "table": rating.table.name,
        "gaming_day": rating.gaming_day.isoformat(),
        "seconds": figures.seconds,
        "basis": figures.basis,
        "theo_cents": figures.theo_cents,
        "result_cents": figures.result_cents,
        "is_void": figures.is_void,
    }
