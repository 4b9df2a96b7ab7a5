"""A consolidation: one check replaces several markers of a patron, for the same sum.

It has the date of the earliest of them and is due no later than that one was, so that no one puts
off a deposit by writing a new check (N.J.A.C. 13:69D-1.28). What was deposited or returned stays.
"""

from __future__ import annotations

from datetime import datetime

from django.db import models

from inventory.kinds.marker import OWED_READERS, WITNESSES
from inventory.kinds.of_a_patron import (
    back_to_choice,
    id_on_file,
    of_chosen_patron,
    patron_choice,
    patron_locked,
    patron_of,
    signed_by_patron,
    tells_hand,
)
from inventory.models import Marker, MarkerEntry, MarkerMove
from inventory.selectors.checks import CheckOwed, checks_owed
from inventory.selectors.credit import credit_of, found_of
from inventory.selectors.deposits import bank_holidays
from inventory.selectors.patrons import account_of, account_words
from inventory.services.patrons import lock_patron
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import Several
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, Step, void_witnessed
from pitboss.rules.patrons.checks import consolidated_check, joining_refusals
from pitboss.rules.patrons.patron_reads import READS, joined_promise, reads
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.roles import AT_THE_CAGE, Place, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id


def _owed(raising: Raising) -> list[CheckOwed]:
    today = house.period_at(house.now()).gaming_day
    return checks_owed(today, patron_of(raising))


def _chosen(raising: Raising) -> list[CheckOwed]:
    wanted = raising.given.get("marker", ())
    return [check_owed for check_owed in _owed(raising) if check_owed.serial in wanted]


def _drafted(raising: Raising) -> NewSlip:
    """Draft the one check, with what it replaces. Raises Refused where nothing was chosen."""
    patron, now, chosen = patron_of(raising), house.now(), _chosen(raising)
    if not chosen:
        raise Refused(joining_refusals((), house.period_at(now).gaming_day))
    terms = house.settings_at(now)["credit.due"]
    cents, dated, due = consolidated_check(
        [check_owed.check for check_owed in chosen], bank_holidays(now), terms
    )
    account = account_of(patron)
    payee = house.the_property().name
    promise = joined_promise(
        payee=payee,
        amount_cents=cents,
        serials=[check_owed.serial for check_owed in chosen],
        bank=f"{account.issuer}, ending {account.number_ends}" if account else "",
        due_on=due,
    )
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{patron}, {format_money(cents)}",
            "says": [
                ["Patron", patron.full_name],
                ["Amount", format_money(cents)],
                ["Initial date", f"{dated:%a, %b %-d, %Y}"],
                ["Deposit by", f"{due:%a, %b %-d, %Y}"],
                *(
                    [check_owed.serial, f"{format_money(check_owed.check.balance_cents)}"]
                    for check_owed in chosen
                ),
            ],
            "patron": patron.pk,
            "patron_name": patron.full_name,
            "bank": account_words(account),
            "bank_account": account.pk if account else None,
            "payee": payee,
            "amount_cents": cents,
            "dated": dated.isoformat(),
            "due_on": due.isoformat(),
            "replaced": [list(part) for check_owed in chosen for part in check_owed.parts],
            READS: reads(cents, promise, "Consolidated marker"),
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    today = house.period_at(house.now()).gaming_day
    return joining_refusals([check_owed.check for check_owed in _chosen(raising)], today)


def _consolidated(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Give the originals back and let the one check be owed. Raises Refused."""
    details = slip.details
    patron = lock_patron(details["patron"])
    today = house.period_at(at).gaming_day
    owed = {check_owed.parts[0][0]: check_owed for check_owed in checks_owed(today, patron)}
    chosen = [owed[pk] for pk, _, _ in details["replaced"] if pk in owed]
    if [list(check_owed.parts[0]) for check_owed in chosen] != details["replaced"]:
        raise refuse(
            "balance_changed",
            "A marker was moved or paid while you had it open. Void this slip and enter it again.",
        )
    if refusals := joining_refusals([check_owed.check for check_owed in chosen], today):
        raise Refused(refusals)
    account = account_of(patron)
    if details.get("bank_account") != (account.pk if account else None):
        raise refuse(
            "bank_changed",
            "The patron’s bank account changed since this was started. Void this slip and enter it "
            "again.",
            CONFLICT,
        )
    credit = credit_of(patron, at)
    markers = Marker.objects.filter(pk__in=owed).select_related("slip__table").in_bulk()
    replaced = [markers[pk] for pk, _, _ in details["replaced"]]
    rows: list[models.Model] = [
        _entry(marker, MarkerMove.REPLACED, cents, slip, at)
        for marker, (_, _, cents) in zip(replaced, details["replaced"], strict=True)
    ]
    check = Marker.objects.create(
        slip=slip,
        patron=patron,
        amount_cents=details["amount_cents"],
        line_cents=credit.line_cents,
        # What someone had let pass the line passes it still.
        over_line_cents=sum(
            min(marker.over_line_cents, cents)
            for marker, (_, _, cents) in zip(replaced, details["replaced"], strict=True)
        ),
        remaining_cents=credit.remaining_cents,
        issued_at=at,
    )
    first = _entry(check, MarkerMove.REPLACES, check.amount_cents, slip, at, _pit_of(replaced[0]))
    return [*rows, check, first]


def _pit_of(marker: Marker) -> int:
    """Return the pit that a marker came from, which may have been replaced itself."""
    entry = marker.entries.filter(pit__isnull=False).order_by("id")[0]
    assert entry.pit_id is not None
    return entry.pit_id


def _entry(
    marker: Marker,
    move: MarkerMove,
    cents: int,
    slip: Slip,
    at: datetime,
    pit_id: int | None = None,
) -> MarkerEntry:
    when = house.period_at(at)
    return MarkerEntry.objects.create(
        marker=marker,
        move=move.value,
        amount_cents=cents,
        pit_id=pit_id,
        slip=slip,
        gaming_day=when.gaming_day,
        shift=when.shift,
        at=at,
    )


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page on which the markers to join are chosen."""
    today = house.period_at(house.now()).gaming_day
    return "inventory/consolidation.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "found": found_of(patron_of(raising)),
        "checks": _owed(raising),
        "today": today,
        "chosen": request.POST.getlist("marker"),
    }


CONSOLIDATION = Kind(
    "consolidation",
    title="Consolidated marker",
    series="CX",
    open_to=AT_THE_CAGE,
    lit_by="credit_desk",
    at_a_table=False,
    begins=of_chosen_patron,
    chooses=patron_choice,
    locks=patron_locked,
    asked=(Several(name="marker", label="Markers"),),
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "consolidated",
            done="Consolidated",
            do="Consolidate",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I certify that the patron asked for one check in place of these markers "
            "and that I have every original.",
        ),
        signed_by_patron(Role.CASHIER, Place.CAGE, may_repeat="consolidated"),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            why=BY_ANOTHER,
            by=Role.CAGE_MANAGER,
            at=Place.CAGE,
            attests="I certify that the new check equals the markers it replaces, that it delays "
            "no deposit, and that the originals were returned to the patron.",
            then="checks_consolidated",
        ),
    ),
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=Role.CASHIER,
            at=Place.CAGE,
            may_repeat=("consolidated", "patron_signed"),
            needs_reason=True,
            attests="I void this slip. I certify that every original stays at the cage.",
        ),
        void_witnessed(WITNESSES),
    ),
    effects={"checks_consolidated": _consolidated},
    readers=OWED_READERS,
    promises=(Promise(2, 1),),
    paper=Form(
        parts=(
            Part("Original", "Kept at the cage until it is paid or deposited."),
            Part("Duplicate", "To accounting with the slips of the shift."),
        ),
        original_at=Place.CAGE,
        shows=Shows.FACTS,
        caption="Patron credit",
    ),
    look=_look,
    tells=tells_hand,
    matches=id_on_file,
    heading=lambda raising: "Consolidate markers",
    back=back_to_choice,
    raised=lambda slip: f"{slip.serial} started. Hand the tablet to the patron.",
)
