"""What decides whether somebody may sign: each row read once, under the locks of `sign`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Exists, OuterRef

from pitboss.models import Device, Person, Property, Signature, Slip, Table
from pitboss.rules.cheques.tray_counts import TRAY_COUNTS
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import SlipStatus, Track
from pitboss.rules.flows.fresh_pins import worth_cents
from pitboss.rules.flows.house_flows import LIMIT_CHANGE, PERSON_CHANGE, SETTING_CHANGE
from pitboss.rules.flows.limits import limited_as
from pitboss.rules.flows.signing import SignFacts, is_of_a_dealer
from pitboss.rules.roles import Place, Role, department
from pitboss.services import house
from pitboss.services.drafts import Entry
from pitboss.services.shown import FIGURES


@dataclass(frozen=True, slots=True)
class Signer:
    """Who signs, the one role they have in this shift, and on which device, if it may be used."""

    person: Person
    role: Role
    device: Device | None
    at: datetime
    gaming_day: date
    shift_began: datetime
    # What their PIN signs for, where others set it lately.
    fresh_limit_cents: int | None = None


def signer_of(
    person: Person, device: Device | None, the_property: Property, at: datetime
) -> Signer:
    """Return who signs, read anew: who was let go, or put out, while they waited signs nothing."""
    when = the_property.period_at(at)
    person, role, device = house.at_work(person.pk, device, when)
    fresh = the_property.settings_at(at).fresh_pins.limit_cents(person.pin_by_others_at, at)
    return Signer(person, role, device, at, when.gaming_day, when.began, fresh)


# What decides the next signature; the texts that the earlier signers saw are long, and do not.
_READ_OF_A_SIGNATURE = (
    *("slip_id", "track", "step", "signed_as", "counted", "reason", "facts"),
    *("person__badge", "person__first_name", "person__last_name"),
)


def signatures_on(slip: Slip) -> list[Signature]:
    """Return the signatures on a slip and on the one that it refers to, oldest first. One query."""
    papers = [each for each in (slip.pk, slip.refers_to_id) if each is not None]
    if not papers:
        return []
    signatures = Signature.objects.filter(slip__in=papers).select_related("person").order_by("id")
    return list(signatures.only(*_READ_OF_A_SIGNATURE))


def facts_of(
    slip: Slip,
    *,
    step: str,
    track: Track,
    signer: Signer,
    entry: Entry,
    signatures: Sequence[Signature],
    shown_is_current: bool,
) -> SignFacts:
    """Gather what decides whether this person may sign, as plain values."""
    person, device = signer.person, signer.device
    as_dealer = is_of_a_dealer(slip.plan, track, step)
    limited = limited_as(slip.kind, slip.details, is_late=FLOWS[slip.kind].is_late)
    present = (
        Person.objects.filter(badge=entry.present_badge).first() if entry.present_badge else None
    )
    return SignFacts(
        plan=slip.plan,
        track=str(track),
        step=step,
        status=SlipStatus(slip.status),
        signed={
            (each.track if each.slip_id == slip.pk else "original", each.step): each.person_id
            for each in signatures
        },
        signer_id=person.pk,
        signer_role=signer.role,
        signer_name=str(person),
        signer_may_work=person.is_active,
        licence_ends=person.licence_ends,
        gaming_day=signer.gaming_day,
        device_place=Place(device.place) if device else None,
        device_pit_id=device.pit_id if device else None,
        slip_pit_id=slip.table.pit_id if slip.table else None,
        device_table_id=device.table_id if device else None,
        slip_table_id=slip.table_id,
        shown_is_current=shown_is_current,
        cheques=slip.cheques_by_cents,
        counted=entry.counted,
        figures=slip.details.get(FIGURES, {}),
        figures_keyed=entry.figures,
        present_id=present.pk if present else None,
        reason=entry.reason,
        said=entry.said,
        names={each.person_id: str(each.person) for each in signatures},
        tray_moved=_tray_moved(slip),
        held_at=held_at(person, at=slip) if as_dealer else "",
        deals_at=_deals_elsewhere(person, slip) if as_dealer else "",
        dealt_here=not as_dealer and _dealt_here(slip, signer),
        barred_as_acting=slip.kind in _NOT_WHILE_ACTING
        and signer.role == Role.SHIFT_MANAGER != person.role,
        kind=limited,
        total_cents=slip.total_cents,
        worth_cents=worth_cents(slip.total_cents, slip.details),
        fresh_limit_cents=signer.fresh_limit_cents,
        own_limit_cents=house.own_limit_of(person, limited, signer.at),
        has_drawing=entry.drawn is not None and bool(entry.drawn.strokes),
        id_matched=entry.drawn is not None and bool(entry.drawn.matched_with),
    )


def _tray_moved(slip: Slip) -> bool:
    """Tell whether cheques moved since this slip's count began. Its table is read under lock."""
    if slip.tray_sequence is None or slip.table is None:
        return False
    return slip.table.tray_sequence != slip.tray_sequence


# Where a dealer deals now. The tables know that, and say so here.
DealsAt = Callable[[Person], Table | None]
_DEALS_AT: list[DealsAt] = []


def tells_where_dealers_deal(function: DealsAt) -> DealsAt:
    """Register what says at which table a dealer deals now."""
    _DEALS_AT.append(function)
    return function


def _deals_elsewhere(person: Person, slip: Slip) -> str:
    """Return the table at which a dealer deals who signs at another one."""
    tables = [deals_at(person) for deals_at in _DEALS_AT] if slip.table_id is not None else []
    return next((str(each) for each in tables if each is not None and each != slip.table), "")


# Whether somebody dealt at a table since a time. The tables know that too.
DealtSince = Callable[[Person, Table, datetime], bool]
_DEALT_SINCE: list[DealtSince] = []
# What people verify of a dealer's work: nobody does that of their own.
_VERIFIED_WORK = TRAY_COUNTS | {"big_win", "jackpot"}
# What a pit manager who only acts as shift manager leaves to one.
_NOT_WHILE_ACTING = frozenset({SETTING_CHANGE, LIMIT_CHANGE, PERSON_CHANGE})


def tells_who_dealt(function: DealtSince) -> DealtSince:
    """Register what says whether somebody dealt at a table since a time."""
    _DEALT_SINCE.append(function)
    return function


def _dealt_here(slip: Slip, signer: Signer) -> bool:
    """Tell whether somebody of the pit would verify the work of a table they dealt this shift."""
    if slip.table is None or slip.kind not in _VERIFIED_WORK:
        return False
    if signer.role not in department(Role.DEALER):
        return False
    return any(dealt(signer.person, slip.table, signer.shift_began) for dealt in _DEALT_SINCE)


def held_at(person: Person, *, at: Slip | None = None) -> str:
    """Return the table whose closer this person signed as its dealer and whose tray is not locked.

    A shift manager's release with a second person's count lets them go. Whoever signs another slip
    of that very table does not leave it.
    """
    released = Signature.objects.filter(
        slip=OuterRef("slip"), track=Track.RELIEF, step="counted_again"
    )
    held = (
        Signature.objects.filter(
            person=person,
            track=Track.MAIN,
            step="counted",
            slip__kind="closer",
            slip__status=SlipStatus.OPEN,
        )
        .exclude(Exists(released))
        .exclude(slip__table=at.table_id if at else None)
        .select_related("slip__table")
        .first()
    )
    return str(held.slip.table) if held else ""
