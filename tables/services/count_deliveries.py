"""Counting machines send their files by themselves. They count for no one, and read no figure."""

from __future__ import annotations

import hashlib
from typing import Any
from uuid import UUID

from pitboss.models import Device
from pitboss.rules.drop.deliveries import delivery_refusals, tags_in
from pitboss.rules.refusal import CONFLICT, Refused, refuse
from pitboss.services import house, journal
from pitboss.services.locks import lock_request
from tables.models import CountDelivery, CountFile
from tables.selectors.count_deliveries import state_of
from tables.selectors.count_sessions import open_sessions
from tables.services.count_sessions import already_imported, columns_of, text_of


def deliver_counts(*, device: Device, name: str, machine: str, content: bytes) -> dict[str, Any]:
    """Keep a machine's file at the open count session, in the caller's transaction.

    What no session could take in is refused at once: the machine is the one that can send it
    again. Raises Refused.
    """
    sha256 = hashlib.sha256(content).hexdigest()
    # Of two that send the same file at once, the second is told of the first.
    lock_request(UUID(sha256[:32]))
    file = CountFile.objects.filter(sha256=sha256).first()
    if file is not None:
        raise already_imported(file)
    earlier = CountDelivery.objects.filter(sha256=sha256).first()
    if earlier is not None:
        words = f"This file was already delivered as {earlier.name}. Send another file."
        raise refuse("already_delivered", words, CONFLICT)
    if not open_sessions():
        words = "No count session is open. Open one in the count room, then send the file again."
        raise refuse("no_open_session", words, CONFLICT)
    columns = columns_of(machine)
    text = text_of(name, content)
    if refusals := delivery_refusals(text, columns):
        raise Refused(refusals)
    delivery = CountDelivery.objects.create(
        device=device,
        machine=machine,
        name=name,
        # As it was sent, to the byte: by its hash it is known as the file that was taken in.
        content=content.decode(),
        size=len(content),
        sha256=sha256,
        boxes=tags_in(text, columns),
        at=house.now(),
    )
    journal.write(
        chain=journal.HOUSE,
        kind="counts_delivered",
        body={
            "name": name,
            "machine": machine,
            "size": delivery.size,
            "sha256": sha256,
            "boxes": delivery.boxes,
        },
        at=delivery.at,
        device=device,
        rows=[delivery],
    )
    return told_of(delivery)


def told_of(delivery: CountDelivery) -> dict[str, Any]:
    """Return what a machine is told of its own delivery."""
    return {
        "delivery": delivery.pk,
        "name": delivery.name,
        "machine": delivery.machine,
        "boxes": delivery.boxes,
        "state": state_of(delivery),
        "at": delivery.at.isoformat(),
    }


def delivery_of(device: Device, number: int) -> CountDelivery:
    """Return a delivery of this device. Raises Refused for any other."""
    delivery = CountDelivery.objects.defer("content").filter(device=device, pk=number).first()
    if delivery is None:
        raise refuse("delivery_unknown", "Delivery not found. Check the number.", 404)
    return delivery
