"""Limits and terms of an open table: signed, put on the sign by a tap, and in effect from a moment.

What was decided stands on the slip, when it began in a version of the table's rules. A change that
waits for a shoe begins with the first card of the next one, or with the table's closing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import models
from django.db.models import Max

from pitboss.models import FloorException, RulesVersion, Signature, Slip, Table
from pitboss.rules.floor.irregularities import SEATS_AT_A_TABLE
from pitboss.rules.floor.log import wrong_hand
from pitboss.rules.floor.standards import Mark
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.games.live_changes import (
    LIVE_CHANGE,
    PRESETS,
    Until,
    When,
    begins_at,
    kept_by,
    without_seat,
)
from pitboss.rules.games.table_setup import stored_setup
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.roles import Role
from pitboss.rules.said import Said
from pitboss.services import house, journal
from pitboss.services.exceptions import SIGN_TO_CHANGE, close_exception, open_exception
from pitboss.services.locks import lock_request, lock_table
from tables.models import SignChange
from tables.services.floor_log import Tap, by_of, in_hand


@dataclass(frozen=True, slots=True)
class Coming:
    """A change of a table that was signed and has not begun."""

    slip: Slip
    is_tapped: bool
    # When it begins, where that is known.
    from_at: datetime | None

    @property
    def when(self) -> When:
        return When(self.slip.details["when"])


def seen_of(table: Table) -> str:
    """Return what a change of a table comes after: its newest version and its newest change."""
    return f"{newest_version_id(table)}.{_newest_change_id(table)}"


def newest_version_id(table: Table) -> int:
    newest = RulesVersion.objects.filter(table=table).aggregate(newest=Max("id"))["newest"]
    return newest or 0


def _newest_change_id(table: Table) -> int:
    changes = Slip.objects.filter(table=table, kind=LIVE_CHANGE)
    found = changes.exclude(status=SlipStatus.VOIDED.value).aggregate(newest=Max("id"))["newest"]
    return found or 0


def coming_at(table: Table, now: datetime) -> Coming | None:
    """Return the change that was signed for a table and has not begun, if there is one."""
    slip = (
        Slip.objects.filter(table=table, kind=LIVE_CHANGE, status=SlipStatus.DONE.value)
        .order_by("-id")
        .first()
    )
    if slip is None:
        return None
    newest = RulesVersion.objects.filter(table=table).order_by("-id").first()
    is_tapped = SignChange.objects.filter(slip=slip).exists()
    if newest is not None and newest.slip_id == slip.pk:
        return Coming(slip, is_tapped, newest.from_at) if newest.from_at > now else None
    # Rules that began since were decided without it.
    is_last_word = (newest.pk if newest else 0) == slip.details["after_version"]
    return Coming(slip, is_tapped, None) if is_last_word else None


def ask_for_the_sign(slip: Slip, signature: Signature, at: datetime) -> None:
    """Put a change that is signed on the supervisor's list, in place of one that it replaces."""
    assert slip.table is not None
    for earlier in _waiting_signs(slip.table):
        words = f"Replaced by {slip.serial}."
        close_exception(earlier, words, signature.person, signature.device, at)
    details = slip.details
    open_exception(
        code=SIGN_TO_CHANGE,
        sentence=f"{slip.table}: change the sign to {details['sign']}. {details['begins']}.",
        details={"change": slip.serial},
        at=at,
        person=None,
        table=slip.table,
        slip=slip,
    )


def _waiting_signs(table: Table) -> list[FloorException]:
    return list(
        FloorException.objects.select_for_update(of=("self",), no_key=True)
        .filter(table=table, code=SIGN_TO_CHANGE, resolved_at=None)
        .select_related("table", "slip")
    )


def change_sign(*, slip: Slip, seats: Sequence[int], hand: Tap) -> SignChange:
    """Say that the sign of a table has what was signed, and who sits there. Raises Refused."""
    assert slip.table_id is not None
    with in_hand(hand) as person:
        lock_request(hand.request_id)
        table = lock_table(slip.table_id)
        now = house.now()
        earlier = SignChange.objects.filter(request_id=hand.request_id).first()
        if earlier is not None:
            if (earlier.slip_id, earlier.by_id, earlier.seats) != (slip.pk, person.pk, [*seats]):
                raise refuse(
                    "request_reused",
                    "This form was already sent with something else in it. Reload the page.",
                    CONFLICT,
                )
            return earlier
        slip = Slip.objects.select_related("table").get(pk=slip.pk)
        refusals = [
            *wrong_hand(by_of(person, hand, table, now), Role.SUPERVISOR),
            *_sign_refusals(table, slip, seats, now),
        ]
        if refusals:
            raise Refused(refusals)
        assert hand.device is not None, "a tap without a device is refused"
        sign = SignChange.objects.create(
            slip=slip,
            table=table,
            at=now,
            by=person,
            device=hand.device,
            request_id=hand.request_id,
            seats=[*seats],
        )
        begins = now if not table.is_open else _begins(slip, sign)
        versions = [] if begins is None else [_begin(table, slip, sign, begins)]
        for waiting in _waiting_signs(table):
            close_exception(waiting, "Sign changed.", person, hand.device, now)
        journal.write(
            chain=journal.chain_of(table, journal.HOUSE),
            kind="sign_changed",
            body={
                "slip": slip.serial,
                "seats": [*seats],
                "from_at": journal.plain_time(begins) if begins else None,
                "changes": slip.details["changes"],
            },
            at=now,
            person=person,
            device=hand.device,
            slip=slip,
            rows=[sign, *versions],
        )
        return sign


def _sign_refusals(table: Table, slip: Slip, seats: Sequence[int], now: datetime) -> list[Refusal]:
    if slip.status != SlipStatus.DONE.value:
        return [
            Refusal(
                "not_signed_yet", Said("{slip} isn’t signed yet. Wait for the managers.", slip=slip)
            )
        ]
    if SignChange.objects.filter(slip=slip).exists():
        return [
            Refusal(
                "already_changed",
                Said("The sign for {slip} was already changed. Nothing more is needed.", slip=slip),
                CONFLICT,
            )
        ]
    coming = coming_at(table, now)
    if coming is None or coming.slip.pk != slip.pk:
        return [
            Refusal(
                "change_replaced",
                Said(
                    "{slip} was replaced by a later change of {table}. Leave the sign as it is.",
                    slip=slip,
                    table=table,
                ),
                CONFLICT,
            )
        ]
    if not set(seats) <= set(range(1, SEATS_AT_A_TABLE + 1)):
        return [
            Refusal("seat_unknown", Said("Choose seats from 1 to {most}.", most=SEATS_AT_A_TABLE))
        ]
    return []


def _begins(slip: Slip, sign: SignChange) -> datetime | None:
    details = slip.details
    at = details["at"]
    return begins_at(
        When(details["when"]),
        at=datetime.fromisoformat(at) if at else None,
        told_until=_told_until(slip),
        tapped_at=sign.at,
    )


def _told_until(slip: Slip) -> datetime:
    signed = slip.signatures.order_by("-id").first()
    assert signed is not None, "a slip that is done was signed"
    return signed.signed_at + timedelta(minutes=slip.details["notice_minutes"])


def _begin(table: Table, slip: Slip, sign: SignChange, at: datetime) -> RulesVersion:
    details = slip.details
    before = RulesVersion.objects.filter(table=table).order_by("-id").first()
    kept = kept_by(
        sign.seats,
        stored_setup(details["was"]),
        stored_setup(details["is"]),
        PRESETS[details["preset"]],
        When(details["when"]),
        before.kept if before else {},
    )
    return RulesVersion.objects.create(table=table, from_at=at, slip=slip, kept=kept)


def shoe_marked(table: Table, mark: Mark, at: datetime) -> list[models.Model]:
    """Begin what waited for this shoe, and end what seats kept for the last. Its lock is held."""
    if mark is Mark.DEAL and (begun := _begin_waiting(table, at)) is not None:
        return [begun]
    return _end_kept(table, at, Until.SHOE_ENDS)


def table_closed(table: Table, at: datetime) -> list[models.Model]:
    """Begin what waited for a shoe that will not come; no one sits there any more."""
    begun = _begin_waiting(table, at)
    if begun is not None and not begun.kept:
        return [begun]
    return [*([begun] if begun else []), *_end_kept(table, at)]


def _begin_waiting(table: Table, at: datetime) -> RulesVersion | None:
    coming = coming_at(table, at)
    if coming is None or not coming.is_tapped or coming.from_at is not None:
        return None
    if at < _told_until(coming.slip):
        return None
    return _begin(table, coming.slip, SignChange.objects.get(slip=coming.slip), at)


def _end_kept(table: Table, at: datetime, until: Until | None = None) -> list[models.Model]:
    """Let seats keep nothing any more, or nothing that they kept until now."""
    newest = RulesVersion.objects.filter(table=table).order_by("-id").first()
    if newest is None or not newest.kept or newest.from_at > at:
        return []
    if until is not None and newest.kept["until"] != until.value:
        return []
    return [RulesVersion.objects.create(table=table, from_at=at, slip=newest.slip)]


def seat_left(*, table_id: int, seat: int, hand: Tap) -> RulesVersion:
    """Say that the player of a seat left, who kept older limits. Raises Refused."""
    with in_hand(hand) as person:
        lock_request(hand.request_id)
        table = lock_table(table_id)
        now = house.now()
        newest = RulesVersion.objects.filter(table=table).order_by("-id").first()
        refusals = wrong_hand(by_of(person, hand, table, now), Role.SUPERVISOR)
        kept: dict[str, Any] = newest.kept if newest else {}
        if str(seat) not in kept.get("seats", {}):
            message = Said(
                "Seat {seat} has the limits of {table}. There is nothing to end.",
                seat=seat,
                table=table,
            )
            refusals = [*refusals, Refusal("nothing_kept", message, CONFLICT)]
        if refusals:
            raise Refused(refusals)
        assert newest is not None, "nothing was kept before the first version"
        version = RulesVersion.objects.create(
            table=table, from_at=now, slip=newest.slip, kept=without_seat(kept, seat)
        )
        journal.write(
            chain=journal.chain_of(table, journal.HOUSE),
            kind="seat_left",
            body={"seat": seat},
            at=now,
            person=person,
            device=hand.device,
            rows=[version],
        )
        return version
