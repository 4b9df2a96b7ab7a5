"""Slips about a patron who plays: points by hand, their host, and who is related to them."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import models

from inventory.kinds.of_a_patron import of_patron, patron_locked, patron_of
from inventory.selectors.credit import standing_of
from inventory.services.patrons import lock_patron
from pitboss.models import Person, Signature, Slip
from pitboss.rules.floor.fields import Number, Pick, Words
from pitboss.rules.flows.flows import BY_ANOTHER, Need, Promise, Readers, SlipStatus, Step
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, refuse
from pitboss.rules.roles import (
    AT_THE_CAGE,
    HOSTING,
    KEEPING_BOOKS,
    SUPERVISING,
    WATCHING,
    Role,
)
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Kind, Raising
from tables.kinds.comp import COMP_READERS, PAPER, back_to_card, to_card
from tables.models import PatronHost, PointsEntry, Relation
from tables.services.comps import is_related, points_of
from tables.services.hosts import host_of

_REASONS: Final = {
    "rating_late": "Play that was rated late",
    "card_not_read": "Card that could not be read",
    "promotion": "Promotion",
    "taken_in_error": "Points given in error",
}
_SIGNS: Final = {"add": "Add", "take": "Remove"}


def _waiting(raising: Raising) -> list[Refusal]:
    patron = patron_of(raising)
    pending = Slip.objects.filter(
        kind=raising.kind.kind, status=SlipStatus.OPEN.value, details__patron=patron.pk
    ).first()
    if pending is None:
        return []
    words = f"{pending} is pending for {patron}. Sign or decline it first."
    return [Refusal("already_proposed", words)]


def _points_refusals(raising: Raising) -> list[Refusal]:
    patron, given = patron_of(raising), raising.given
    refusals = _waiting(raising)
    if standing_of(patron) is Standing.SELF_EXCLUDED:
        words = f"The points of {patron} are frozen. Call compliance."
        refusals.append(Refusal("self_excluded", words, NOT_YOURS))
    balance = points_of(patron)["balance"]
    if given["change"] == "take" and given["points"] > balance:
        words = f"{patron} has {balance:,} points. Take that or less."
        refusals.append(Refusal("over_balance", words, CONFLICT))
    return refusals


def _drafted_points(raising: Raising) -> NewSlip:
    patron, given = patron_of(raising), raising.given
    points = given["points"] if given["change"] == "add" else -given["points"]
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{patron}, {points:+,} points",
            "says": [
                ["Patron", patron.full_name],
                ["Points", f"{points:+,}"],
                ["Why", _REASONS[given["why"]]],
                ["Balance before", f"{points_of(patron)['balance']:,}"],
            ],
            "patron": patron.pk,
            "points": points,
            "why": given["why"],
        },
    )


def _points_written(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Write points that two departments signed for. Raises Refused where they are gone since."""
    patron = lock_patron(slip.details["patron"])
    points = slip.details["points"]
    balance = points_of(patron)["balance"]
    if standing_of(patron) is Standing.SELF_EXCLUDED:
        raise refuse(
            "self_excluded", f"The points of {patron} are frozen. Call compliance.", NOT_YOURS
        )
    if points < 0 and -points > balance:
        raise refuse("over_balance", f"{patron} has {balance:,} points. Decline this.", CONFLICT)
    return [
        PointsEntry.objects.create(
            patron=patron,
            points=points,
            slip=slip,
            gaming_day=house.period_at(at).gaming_day,
            at=at,
        )
    ]


POINTS_BY_HAND = Kind(
    "points_by_hand",
    title="Points by hand",
    series="PH",
    desk="house",
    open_to=frozenset({Role.HOST_MANAGER}),
    lit_by="hosts",
    at_a_table=False,
    begins=of_patron,
    locks=patron_locked,
    asked=(
        Pick(name="change", label="Change", choices=_SIGNS),
        Number(name="points", label="Points", least=1, most=1_000_000, unit="points"),
        Pick(name="why", label="Why", choices=_REASONS),
    ),
    refusals=_points_refusals,
    drafted=_drafted_points,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=Role.HOST_MANAGER,
            at=None,
            needs_reason=True,
            attests="I propose this change of points, for the reason I entered.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            by=(Role.ACCOUNTING, Role.COMPLIANCE),
            at=None,
            why=Need("Points by hand are approved outside the department that proposes them."),
            attests="I verified the reason for this change of points and approve it. I do not "
            "work for the department that proposed it.",
            then="points_written",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Declined",
            do="Decline",
            by=(Role.ACCOUNTING, Role.COMPLIANCE, Role.HOST_MANAGER),
            at=None,
            may_repeat="proposed",
            needs_reason=True,
            attests="I decline this change of points for the reason I entered. The patron’s points "
            "stay as they were.",
            then="slip_voided",
        ),
    ),
    effects={"points_written": _points_written},
    readers=COMP_READERS,
    promises=(Promise(2, 2),),
    paper=PAPER,
    heading=lambda raising: f"Points of {patron_of(raising)}",
    back=back_to_card,
    raised=lambda slip: f"{slip.serial} proposed. Accounting or compliance approves it.",
    goes_on=to_card,
)


def _host_named(raising: Raising) -> Person | None:
    badge = raising.given.get("badge", "")
    hosts = Person.objects.filter(is_active=True, role__in=[role.value for role in HOSTING])
    return hosts.filter(badge=badge).first() if badge else None


def _host_refusals(raising: Raising) -> list[Refusal]:
    patron, host = patron_of(raising), _host_named(raising)
    if raising.given.get("badge") and host is None:
        return [Refusal("unknown_host", "No host has this badge. Check the badge number.")]
    if host == host_of(patron):
        words = f"{patron} already has this host." if host else f"{patron} has no host."
        return [Refusal("nothing_changes", words)]
    if host is not None and is_related(host, patron):
        words = f"{host} is related to {patron}. Choose another host."
        return [Refusal("related_to_patron", words, NOT_YOURS)]
    return []


def _drafted_host(raising: Raising) -> NewSlip:
    patron, host, before = patron_of(raising), _host_named(raising), host_of(patron_of(raising))
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{patron}, {host or 'no host'}",
            "says": [
                ["Patron", patron.full_name],
                ["Host", str(host) if host else "none"],
                ["Instead of", str(before) if before else "none"],
            ],
            "patron": patron.pk,
            "host": host.pk if host else None,
        },
    )


def _host_set(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    patron = lock_patron(slip.details["patron"])
    host = Person.objects.filter(pk=slip.details["host"]).first()
    return [PatronHost.objects.create(patron=patron, host=host, since=at, slip=slip)]


PATRON_HOST = Kind(
    "patron_host",
    title="Host of a patron",
    series="PO",
    desk="house",
    open_to=frozenset({Role.HOST_MANAGER}),
    lit_by="hosts",
    at_a_table=False,
    begins=of_patron,
    locks=patron_locked,
    asked=(
        Words(
            name="badge",
            label="Host’s badge",
            hint="Leave blank for no host.",
            most=20,
            is_needed=False,
        ),
    ),
    refusals=_host_refusals,
    drafted=_drafted_host,
    steps=(
        Step(
            "assigned",
            done="Assigned",
            do="Assign",
            by=Role.HOST_MANAGER,
            at=None,
            attests="I assign this patron as listed on this slip.",
            then="host_set",
        ),
    ),
    effects={"host_set": _host_set},
    readers=COMP_READERS,
    promises=(Promise(1, 1),),
    paper=PAPER,
    heading=lambda raising: f"Host of {patron_of(raising)}",
    back=back_to_card,
    raised=lambda slip: f"{slip.serial} signed.",
    goes_on=to_card,
)

_PROPOSERS: Final = (
    Role.DEALER,
    Role.SUPERVISOR,
    Role.CASHIER,
    Role.HOST,
    Role.PIT_MANAGER,
    Role.SHIFT_MANAGER,
)
_CONFIRMERS: Final = (Role.SURVEILLANCE_MANAGER, Role.COMPLIANCE)
_STATES: Final = {"related": "Related", "ended": "No longer related"}


def _related_person(raising: Raising) -> Person | None:
    people = Person.objects.filter(badge=raising.given.get("badge", ""))
    return people.first()


def _relation_refusals(raising: Raising) -> list[Refusal]:
    patron, person = patron_of(raising), _related_person(raising)
    if person is None:
        return [Refusal("unknown_person", "No one has this badge. Check the badge number.")]
    refusals = _waiting(raising)
    if is_related(person, patron) is (raising.given["state"] == "related"):
        refusals.append(
            Refusal("nothing_changes", "This is already on record. Choose something else.")
        )
    return refusals


def _drafted_relation(raising: Raising) -> NewSlip:
    patron, person = patron_of(raising), _related_person(raising)
    if person is None:
        raise refuse("unknown_person", "No one has this badge. Check the badge number.")
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{person} and {patron}",
            "says": [
                ["Patron", patron.full_name],
                ["Works here", f"{person}, {Role(person.role).label}"],
                ["From now on", _STATES[raising.given["state"]]],
            ],
            "patron": patron.pk,
            "person": person.pk,
            "ended": raising.given["state"] == "ended",
        },
    )


def _relation_confirmed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Bar someone from rating and comping a relative, or end that. Raises Refused."""
    details = slip.details
    if signature.person_id == details["person"]:
        raise refuse(
            "is_the_person", "You can’t confirm your own relation. Ask someone else to.", NOT_YOURS
        )
    patron = lock_patron(details["patron"])
    person = Person.objects.get(pk=details["person"])
    return [
        Relation.objects.create(
            person=person, patron=patron, ended=details["ended"], since=at, slip=slip
        )
    ]


RELATION = Kind(
    "relation",
    title="Relation to a patron",
    series="PL",
    desk="house",
    open_to=SUPERVISING | AT_THE_CAGE | HOSTING,
    lit_by="board",
    at_a_table=False,
    begins=of_patron,
    locks=patron_locked,
    asked=(
        Words(name="badge", label="Badge of the person who works here", most=20),
        Pick(name="state", label="From now on", choices=_STATES),
    ),
    refusals=_relation_refusals,
    drafted=_drafted_relation,
    steps=(
        Step(
            "declared",
            done="Declared",
            do="Declare",
            by=_PROPOSERS,
            at=None,
            needs_reason=True,
            reason_label="How they are related",
            attests="I declare this relation between a patron and a person who works for this "
            "casino.",
        ),
        Step(
            "confirmed",
            done="Confirmed",
            do="Confirm",
            by=_CONFIRMERS,
            at=None,
            why=BY_ANOTHER,
            attests="I reviewed this relation and put it on record. This person neither rates "
            "nor comps this patron while it is in effect.",
            then="relation_confirmed",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Declined",
            do="Decline",
            by=_CONFIRMERS,
            at=None,
            needs_reason=True,
            attests="I decline to put this relation on record, for the reason I entered.",
            then="slip_voided",
        ),
    ),
    effects={"relation_confirmed": _relation_confirmed},
    readers=Readers(
        SUPERVISING | WATCHING | KEEPING_BOOKS | {Role.COMPLIANCE, Role.HOST_MANAGER},
        names_patron=True,
    ),
    promises=(Promise(2, 2),),
    paper=PAPER,
    heading=lambda raising: f"Relation to {patron_of(raising)}",
    back=back_to_card,
    raised=lambda slip: f"{slip.serial} declared. Surveillance or compliance confirms it.",
)
