"""What decides whether someone may sign: each row read once, under the locks of `sign`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Any

from pitboss.models import Device, Person, Property, Signature, Slip
from pitboss.models.plain import columns, in_one_trip, read_row
from pitboss.rules.cheques.tray_counts import TRAY_COUNTS
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import SlipStatus, Track
from pitboss.rules.flows.fresh_pins import worth_cents
from pitboss.rules.flows.house_flows import LIMIT_CHANGE, PERSON_CHANGE, SETTING_CHANGE
from pitboss.rules.flows.limits import LIMITED_KINDS, OwnLimit, limited_as, own_limit_cents
from pitboss.rules.flows.signing import SignFacts, is_of_a_dealer
from pitboss.rules.roles import Place, Role, department
from pitboss.services import house
from pitboss.services.drafts import Entry
from pitboss.services.shown import FIGURES


@dataclass(frozen=True, slots=True)
class About:
    """What is asked about a signer for one step of one slip; nothing that its step does not ask."""

    # The kind of slip whose own limits hold, and the badge that was entered as present.
    limited: str = ""
    present_badge: str = ""
    # The table of a slip that they sign as its dealer, or whose dealer's work they verify.
    dealer: bool = False
    verifies: bool = False
    table_id: int | None = None
    # A day that must not be closed.
    gaming_day: date | None = None


def about(slip: Slip, step: str, track: Track, entry: Entry, *, is_new: bool = False) -> About:
    """Return what decides of a signer whether they may sign this step."""
    limited = limited_as(slip.kind, slip.details, is_late=FLOWS[slip.kind].is_late)
    as_dealer = is_of_a_dealer(slip.plan, track, step)
    verifies = not as_dealer and slip.table_id is not None and slip.kind in _VERIFIED_WORK
    return About(
        limited=limited if limited in LIMITED_KINDS else "",
        present_badge=entry.present_badge,
        dealer=as_dealer,
        verifies=verifies,
        table_id=slip.table_id if as_dealer or verifies else None,
        gaming_day=slip.gaming_day if is_new else None,
    )


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
    # What was asked about them.
    own_limit_cents: int | None = None
    present_id: int | None = None
    held_at: str = ""
    deals_at: str = ""
    dealt_here: bool = False
    day_is_closed: bool = False


def signer_of(
    person: Person,
    device: Device | None,
    the_property: Property,
    at: datetime,
    asked: About,
) -> Signer:
    """Return who signs, read anew: who was let go, or put out, while they waited signs nothing."""
    return signer_and_signatures(person, device, the_property, at, asked)[0]


def signer_and_signatures(
    person: Person,
    device: Device | None,
    the_property: Property,
    at: datetime,
    asked: About,
    slip: Slip | None = None,
) -> tuple[Signer, list[Signature]]:
    """Return who signs, and the signatures on a slip and on the one that it refers to. One trip."""
    when = the_property.period_at(at)
    papers = [] if slip is None else [slip.pk, slip.refers_to_id]
    statements = [
        house.asking_who_works(person.pk, device, when),
        *([(_asking_about(), _asked(person, asked, when.began))] if asked != NOTHING_ASKED else []),
        *([(_asking_signatures(), [papers])] if any(papers) else []),
    ]
    answers = iter(in_one_trip(*statements))
    person, role, device = house.who_works(next(answers), device)
    besides = _read_about(next(answers)[0], asked, role, at) if asked != NOTHING_ASKED else {}
    fresh = the_property.settings_at(at).fresh_pins.limit_cents(person.pin_by_others_at, at)
    signer = Signer(person, role, device, at, when.gaming_day, when.began, fresh, **besides)
    return signer, [_signature(row) for row in next(answers, [])]


NOTHING_ASKED = About()


@cache
def _asking_about() -> str:
    """Return the question about a signer. What is not asked is looked up nowhere."""
    deals_at = " UNION ALL ".join(_DEALS_AT) or "SELECT NULL::text WHERE false"
    dealt = " UNION ALL ".join(_DEALT_SINCE) or "SELECT WHERE false"
    return f"""
        SELECT
            (SELECT json_agg(json_build_array(own.most_cents, own.holds_from) ORDER BY own.id)
             FROM pitboss_personlimit AS own
             WHERE own.person_id = asked.person AND own.kind = asked.limited),
            (SELECT present.id FROM pitboss_person AS present WHERE present.badge = asked.present),
            CASE WHEN asked.dealer THEN ({_HELD_AT}) END,
            CASE WHEN asked.dealer AND asked.place IS NOT NULL THEN ({deals_at}) END,
            CASE WHEN asked.verifies THEN EXISTS ({dealt}) ELSE false END,
            EXISTS (SELECT FROM pitboss_closedday AS closed WHERE closed.gaming_day = asked.day)
        FROM (VALUES (%s::bigint, %s::text, %s::text, %s::boolean, %s::boolean, %s::bigint,
                      %s::date, %s::timestamptz))
            AS asked(person, limited, present, dealer, verifies, place, day, since)
    """


def _asked(person: Person, asked: About, shift_began: datetime) -> list[Any]:
    return [
        person.pk,
        asked.limited,
        asked.present_badge,
        asked.dealer,
        asked.verifies,
        asked.table_id,
        asked.gaming_day,
        shift_began,
    ]


def _read_about(row: tuple[Any, ...], asked: About, role: Role, at: datetime) -> dict[str, Any]:
    limits, present_id, held, deals_at, dealt, day_is_closed = row
    own = [
        OwnLimit(asked.limited, most_cents, datetime.fromisoformat(holds_from))
        for most_cents, holds_from in limits or []
    ]
    return {
        "own_limit_cents": own_limit_cents(own, asked.limited, at),
        "present_id": present_id,
        "held_at": held or "",
        "deals_at": deals_at or "",
        # No one but who may deal verifies the work of a table that they dealt at this shift.
        "dealt_here": dealt and role in department(Role.DEALER),
        "day_is_closed": day_is_closed,
    }


# What decides the next signature; the texts that the earlier signers saw are long, and do not.
_OF_A_SIGNATURE = (
    *("id", "slip_id", "track", "step", "person_id", "signed_as", "counted", "facts", "reason"),
    *("device_id", "signed_at"),
)
_OF_ITS_PERSON = ("id", "badge", "first_name", "last_name")


@cache
def _asking_signatures() -> str:
    return f"""
        SELECT {columns(Signature, "signed", _OF_A_SIGNATURE)},
            {columns(Person, "person", _OF_ITS_PERSON)}
        FROM pitboss_signature AS signed JOIN pitboss_person AS person
            ON person.id = signed.person_id
        WHERE signed.slip_id = ANY(%s::bigint[]) ORDER BY signed.id
    """


def _signature(row: tuple[Any, ...]) -> Signature:
    signature = read_row(Signature, row, _OF_A_SIGNATURE)
    person = read_row(Person, row[len(_OF_A_SIGNATURE) :], _OF_ITS_PERSON)
    assert signature is not None, "what was signed has an id"
    assert person is not None, "somebody has signed it"
    signature.person = person
    return signature


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
    limited = limited_as(slip.kind, slip.details, is_late=FLOWS[slip.kind].is_late)
    return SignFacts(
        plan=slip.plan,
        track=str(track),
        step=step,
        status=SlipStatus(slip.status),
        signed={
            (
                signature.track if signature.slip_id == slip.pk else "original",
                signature.step,
            ): signature.person_id
            for signature in signatures
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
        present_id=signer.present_id,
        reason=entry.reason,
        said=entry.said,
        names={signature.person_id: str(signature.person) for signature in signatures},
        tray_moved=_tray_moved(slip),
        held_at=signer.held_at,
        deals_at=signer.deals_at,
        dealt_here=signer.dealt_here,
        barred_as_acting=slip.kind in _NOT_WHILE_ACTING
        and signer.role == Role.SHIFT_MANAGER != person.role,
        kind=limited,
        total_cents=slip.total_cents,
        worth_cents=worth_cents(slip.total_cents, slip.details),
        fresh_limit_cents=signer.fresh_limit_cents,
        own_limit_cents=signer.own_limit_cents,
        has_drawing=entry.drawn is not None and bool(entry.drawn.strokes),
        id_matched=entry.drawn is not None and bool(entry.drawn.matched_with),
    )


def _tray_moved(slip: Slip) -> bool:
    """Tell whether cheques moved since this slip's count began. Its table is read under lock."""
    if slip.tray_sequence is None or slip.table is None:
        return False
    return slip.table.tray_sequence != slip.tray_sequence


# At which other table than `asked.place` the person `asked.person` deals now: the tables know that,
# and say it here as a question of one name.
_DEALS_AT: list[str] = []
# Whether `asked.person` dealt at `asked.place` since `asked.since`. The tables know that too.
_DEALT_SINCE: list[str] = []


def tells_where_dealers_deal(question: str) -> None:
    """Register what says at which other table a dealer deals now."""
    _DEALS_AT.append(question)


def tells_who_dealt(question: str) -> None:
    """Register what says whether someone dealt at a table since a time."""
    _DEALT_SINCE.append(question)


# What people verify of a dealer's work: no one does that of their own.
_VERIFIED_WORK = TRAY_COUNTS | {"big_win", "jackpot"}
# What a pit manager who only acts as shift manager leaves to one.
_NOT_WHILE_ACTING = frozenset({SETTING_CHANGE, LIMIT_CHANGE, PERSON_CHANGE})

# The table whose closer this person signed as its dealer and whose tray is not locked. A shift
# manager's release with a second person's count lets them go. Anyone who signs another slip of that
# very table does not leave it.
_HELD_AT = f"""
    SELECT held.name
    FROM pitboss_signature AS closed
    JOIN pitboss_slip AS closer ON closer.id = closed.slip_id
    JOIN pitboss_table AS held ON held.id = closer.table_id
    WHERE closed.person_id = asked.person AND closed.track = '{Track.MAIN.value}'
      AND closed.step = 'counted'
      AND closer.kind = 'closer' AND closer.status = '{SlipStatus.OPEN.value}'
      AND closer.table_id IS DISTINCT FROM asked.place
      AND NOT EXISTS (
        SELECT FROM pitboss_signature AS released
        WHERE released.slip_id = closer.id AND released.track = '{Track.RELIEF.value}'
          AND released.step = 'counted_again')
    ORDER BY closed.id LIMIT 1
"""


def held_at(person: Person) -> str:
    """Return the table whose closer this person signed as its dealer and whose tray isn't locked.

    A shift manager's release with a second person's count lets them go.
    """
    asked = "FROM (VALUES (%s::bigint, NULL::bigint)) AS asked(person, place)"
    (rows,) = in_one_trip((f"SELECT ({_HELD_AT}) {asked}", [person.pk]))
    return rows[0][0] or ""
