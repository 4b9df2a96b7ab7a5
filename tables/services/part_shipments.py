"""A fill of which the cage ships a part now: offered by a cashier, taken or declined by the pit.

No one signs once more. What was requested is in ink, so a part that is taken becomes a fill of its
own, and so does the rest: each carries the signatures that were given on the request, which ends
with them and keeps its number. The rest waits at the cage like any request, and the pit may cancel
it until it is issued.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pitboss.models import Device, FloorException, Person, Slip, Table
from pitboss.rules.canonical import is_plain
from pitboss.rules.cheques.cheques import (
    format_cheques,
    format_money,
    parse_cheques,
    total_cents,
)
from pitboss.rules.cheques.part_shipments import left_over, part_refusals
from pitboss.rules.floor.log import wrong_hand
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import PlanFacts, SlipStatus, Track, due_steps
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, Refused, refuse
from pitboss.rules.roles import Place, Role, may_act_as
from pitboss.services import house, journal
from pitboss.services.covering import Covered, Given, write_begun
from pitboss.services.drafts import NewSlip
from pitboss.services.exceptions import PART_OFFERED, close_exception, open_exception
from pitboss.services.locks import lock_request, lock_slip_and_table, share_the_day
from pitboss.services.shown import stored_cheques
from pitboss.services.standing import end_waits, move_wait, set_status
from tables.services.floor_log import Tap, by_of, in_hand

Cheques = Mapping[int, int]
FILL: Final = "fill"
WAIT: Final = "The pit asks for all of it later."


@dataclass(frozen=True, slots=True)
class PartTaken:
    """What became of a request of which a part was taken."""

    ships: Slip
    rest: Slip

    @property
    def sentence(self) -> str:
        """Say it, as the offer is answered with it."""
        return f"Part accepted: {self.ships.serial} ships now, {self.rest.serial} has the rest."


def offer_part(*, fill: Slip, ships: Cheques, reason: str, hand: Tap) -> FloorException:
    """Offer the pit a part of a fill that no one has issued yet. Raises Refused."""
    ships = {cents: count for cents, count in parse_cheques(ships).items() if count}
    reason = " ".join(reason.split()) if is_plain(reason) else ""
    with in_hand(hand) as person:
        lock_request(hand.request_id)
        fill = lock_slip_and_table(fill)
        now = house.now()
        offers = FloorException.objects.filter(code=PART_OFFERED, slip=fill)
        details = {
            "fill": fill.serial,
            "ships": stored_cheques(ships),
            "reason": reason,
            "request": str(hand.request_id),
        }
        earlier = offers.filter(details__request=details["request"]).first()
        if earlier is not None:
            if earlier.details != details:
                raise refuse(
                    "request_reused",
                    "This form was already sent with something else in it. Reload the page.",
                    CONFLICT,
                )
            return earlier
        refusals = [
            *_not_at_the_cage(person, hand.device, now),
            *unissued_refusals(fill),
            *part_refusals(fill.cheques_by_cents, ships, reason),
        ]
        if offers.filter(resolved_at=None).exists():
            refusals.append(
                Refusal(
                    "already_offered",
                    f"The pit has an offer for {fill.serial}. Wait for its answer.",
                    CONFLICT,
                )
            )
        if refusals:
            raise Refused(refusals)
        return open_exception(
            code=PART_OFFERED,
            sentence=f"{fill.serial}: the cage can ship {_words(ships)} of "
            f"{format_money(fill.total_cents)} now. {reason}"[:500],
            details=details,
            at=now,
            person=person,
            table=fill.table,
            slip=fill,
        )


def _words(cheques: Cheques) -> str:
    return f"{format_cheques(cheques)}, {format_money(total_cents(cheques))},"


def _not_at_the_cage(person: Person, device: Device | None, now: datetime) -> list[Refusal]:
    refusals = []
    if not may_act_as(house.role_in(person, house.period_at(now)), Role.CASHIER):
        words = f"{person} isn’t working as {Role.CASHIER.label} this shift. Call one."
        refusals.append(Refusal("wrong_role", words, NOT_YOURS))
    if device is None or device.place != Place.CAGE.value:
        refusals.append(Refusal("wrong_place", "Use a device at the cage.", NOT_YOURS))
    return refusals


def unissued_refusals(fill: Slip) -> list[Refusal]:
    """Return why a fill is not split: it is over, was issued, or waits for someone else."""
    if fill.status != SlipStatus.OPEN.value:
        return [
            Refusal(
                "slip_closed", f"{fill.serial} is {fill.status}. Nothing ships on it.", CONFLICT
            )
        ]
    signed = {
        (signature.track, signature.step): signature.person_id
        for signature in fill.signatures.all()
    }
    if (Track.MAIN.value, "issued") in signed:
        words = f"{fill.serial} was already issued. It ships in full."
        return [Refusal("already_issued", words, CONFLICT)]
    if not any(step["name"] == "issued" for step in due_steps(fill.plan, signed)):
        words = f"{fill.serial} isn’t waiting for the cage. Ask the pit."
        return [Refusal("not_due", words, CONFLICT)]
    return []


def answer_part(*, offer: FloorException, is_taken: bool, hand: Tap) -> PartTaken | None:
    """Take what the cage can ship now, or wait for all of it. Raises Refused.

    Returns the fill that ships and the one for the rest; nothing where the pit waits.
    """
    assert offer.slip is not None, "a part is of a fill"
    with in_hand(hand) as person:
        lock_request(hand.request_id)
        share_the_day()
        fill = lock_slip_and_table(offer.slip)
        assert fill.table is not None, "a fill is for a table"
        assert hand.device is not None, "a tap without a device is refused"
        offer = (
            FloorException.objects.select_for_update(of=("self",), no_key=True)
            .select_related("table", "slip")
            .get(pk=offer.pk)
        )
        offer.require_seal()
        now = house.now()
        if offer.resolved_at is not None:
            return _answered(offer, fill, person, is_taken=is_taken)
        refusals = wrong_hand(by_of(person, hand, fill.table, now), Role.SUPERVISOR)
        if is_taken:
            refusals += unissued_refusals(fill)
        if refusals:
            raise Refused(refusals)
        if not is_taken:
            close_exception(offer, WAIT, person, hand.device, now)
            return None
        return _split(fill, fill.table, offer, person, hand, now)


def _answered(
    offer: FloorException, fill: Slip, person: Person, *, is_taken: bool
) -> PartTaken | None:
    """Return what a resend got the first time. Raises Refused where someone else has answered."""
    if offer.resolved_by_id == person.pk:
        if not is_taken and offer.resolution == WAIT:
            return None
        parts = parts_of(fill)
        if is_taken and parts is not None and offer.resolution == parts.sentence:
            return parts
    raise refuse(
        "already_answered",
        f"{offer.resolved_by} has already answered this. Reload the page.",
        CONFLICT,
    )


def parts_of(fill: Slip) -> PartTaken | None:
    """Return the two fills that a request was shipped in."""
    parts = Slip.objects.filter(refers_to=fill, kind=FILL, details__part_of=fill.serial)
    found = list(parts.order_by("id"))
    return PartTaken(*found) if found else None


def _split(
    fill: Slip, table: Table, offer: FloorException, person: Person, hand: Tap, now: datetime
) -> PartTaken:
    """End a request by the two fills that carry all of its cheques."""
    ships = {int(cents): count for cents, count in offer.details["ships"].items()}
    rest = left_over(fill.cheques_by_cents, ships)
    in_force = house.settings_at(now)
    covered = [
        _part(fill, table, cheques, {"part": part, "reason": offer.details["reason"]}, now)
        for part, cheques in (("ships", ships), ("rest", rest))
    ]
    slips, signatures = write_begun(fill, covered, request_id=hand.request_id)
    taken = PartTaken(*slips)
    set_status(fill, SlipStatus.VOIDED)
    end_waits(fill, now)
    for part in slips:
        signed = {
            (signature.track, signature.step): signature.person_id
            for signature in signatures
            if signature.slip_id == part.pk
        }
        move_wait(part, signed, now, limit_seconds=in_force.wait_limit_seconds)
    close_exception(offer, taken.sentence, person, hand.device, now)
    journal.write(
        chain=journal.chain_of(table, journal.CAGE),
        kind="part_taken",
        body={
            "fill": fill.serial,
            "ships": taken.ships.serial,
            "rest": taken.rest.serial,
            "reason": offer.details["reason"],
        },
        at=now,
        person=person,
        device=hand.device,
        slip=fill,
        rows=[*slips, *signatures],
    )
    return taken


def _part(
    fill: Slip, table: Table, cheques: Cheques, says: Mapping[str, Any], now: datetime
) -> Covered:
    """Return a fill for a part of another, with the signatures that were given for all of it."""
    in_force = house.settings_at(now)
    facts = PlanFacts(
        cheques,
        top_sign_from_cents=in_force["approval.top_sign_from"],
        agrees_blind=in_force.agrees_blind(FILL),
    )
    new = NewSlip(FILL, table.pk, cheques, fill.pk, {"part_of": fill.serial, **says})
    # A part without high cheques needs no top-sign, although all of it did.
    needed = {step["name"] for step in FLOWS[FILL].plan(facts)}
    given = [
        Given(
            signature.step,
            signature.person,
            signature.device,
            signature.shown,
            at=signature.signed_at,
        )
        for signature in fill.signatures.select_related("person", "device").order_by("id")
        if signature.step in needed
    ]
    return Covered(new, table, given, now, facts)
