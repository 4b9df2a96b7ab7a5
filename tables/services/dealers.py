"""Dealers tap in and out. Who signed a closer stays with it until its tray is locked."""

from __future__ import annotations

from django.db import transaction

from pitboss.models import Device, Person, Table
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import Role
from pitboss.services import house, journal
from pitboss.services.locks import lock_table
from pitboss.services.pins import prove_pin
from pitboss.services.signing import held_at
from tables.models import Dealing


def tap_in(*, table_id: int, badge: str, pin: str, device: Device | None) -> Dealing:
    """Put a dealer at a table, in place of whoever dealt there. Raises Refused."""
    dealer = prove_pin(badge=badge, pin=pin, device=device)
    now = house.now()
    with transaction.atomic(durable=True):
        table = lock_table(table_id)
        refusals = dealing_refusals(dealer)
        if not table.is_open:
            refusals.append(Refusal("table_closed", f"{table} is closed. Open it first."))
        if refusals:
            raise Refused(refusals)
        current = Dealing.objects.filter(table=table, ended_at=None).first()
        if current is not None and current.dealer_id == dealer.pk:
            return current  # A second tap.
        Dealing.objects.filter(table=table, ended_at=None).update(ended_at=now)
        Dealing.objects.filter(dealer=dealer, ended_at=None).update(ended_at=now)
        dealing = Dealing.objects.create(table=table, dealer=dealer, began_at=now)
        journal.write(
            chain=journal.chain_of(table, journal.HOUSE),
            kind="tapped_in",
            body={"dealer": dealer.badge},
            at=now,
            person=dealer,
            device=device,
        )
    return dealing


def tap_out(*, badge: str, pin: str, device: Device | None) -> Dealing | None:
    """Let a dealer go on a break. Raises Refused while they are held by an unlocked tray."""
    dealer = prove_pin(badge=badge, pin=pin, device=device)
    now = house.now()
    with transaction.atomic(durable=True):
        current = Dealing.objects.filter(dealer=dealer, ended_at=None).first()
        table = lock_table(current.table_id) if current is not None else None
        refusals = dealing_refusals(dealer)
        if refusals:
            raise Refused(refusals)
        if current is None or table is None:
            return None
        current.ended_at = now
        current.save(update_fields=["ended_at"])
        journal.write(
            chain=journal.chain_of(table, journal.HOUSE),
            kind="tapped_out",
            body={"dealer": dealer.badge},
            at=now,
            person=dealer,
            device=device,
        )
    return current


def dealing_refusals(dealer: Person) -> list[Refusal]:
    """Return why somebody may not deal elsewhere, or take a break, now."""
    when = house.period_at(house.now())
    refusals = []
    if house.role_in(dealer, when) != Role.DEALER:
        refusals.append(Refusal("wrong_role", f"{dealer} is no dealer this shift."))
    if not house.may_work(dealer, when):
        refusals.append(Refusal("not_employed", f"{dealer} may not work today."))
    held = held_at(dealer)
    if held:
        refusals.append(
            Refusal(
                "dealer_held",
                f"{dealer} cannot leave {held}. They signed its closer and the tray is not "
                "locked. Lock the tray first.",
            )
        )
    return refusals


def dealer_at(table: Table) -> Dealing | None:
    """Return who deals at a table now."""
    return Dealing.objects.filter(table=table, ended_at=None).select_related("dealer").first()
