"""A marker: lent at a table from a line that is reserved under the patron's lock, or voided.

House manual, "Markers": the supervisor pre-signs, the dealer checks and signs, the cheques are cut,
the supervisor approves. What regulators add: the line is checked and reserved first, the patron
signs and is matched with an ID, and the person who lends never raises the line as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Final

from django.db import models
from django.urls import reverse

from inventory.kinds.carrying import CHEQUES
from inventory.kinds.of_a_patron import (
    CUT_BY_DEALER,
    DollarAmount,
    back_to_choice,
    id_on_file,
    ids_offered,
    of_chosen_patron,
    patron_choice,
    patron_locked,
    patron_of,
    signed_by_patron,
    valid_ids,
)
from inventory.models import Holder, Marker, MarkerEntry, MarkerMove, Patron
from inventory.selectors.checks import last_paid_on
from inventory.selectors.cheques import tray_holding
from inventory.selectors.credit import (
    credit_of,
    found_of,
    granted_lines,
    outstanding,
    over_line_cents,
)
from inventory.selectors.deposits import due_day
from inventory.selectors.patrons import (
    account_of,
    account_words,
    identity_documents,
    newest_document,
)
from inventory.services.errands import closing_refusals
from inventory.services.exclusion import Compared, keep_comparison, stop_refusals
from inventory.services.ledger import move_cheques
from inventory.services.patrons import lock_patron
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip, Table
from pitboss.paper.content import Note
from pitboss.paper.forms import Form, InBox, Part
from pitboss.paper.words import amount_in_words
from pitboss.rules.cheques.buy_ins import cut_buy_in
from pitboss.rules.cheques.cheques import format_money, total_cents
from pitboss.rules.cheques.cutting import TrayShort, plenty
from pitboss.rules.floor.fields import Yes
from pitboss.rules.flows.flows import (
    BY_ANOTHER,
    Need,
    NeedFacts,
    PlanFacts,
    Promise,
    Readers,
    SlipStatus,
    Step,
    void_witnessed,
)
from pitboss.rules.patrons.checks import no_payment_refusals
from pitboss.rules.patrons.credit_line import (
    IssueFacts,
    amount_refusals,
    completion_refusals,
    issue_refusals,
)
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.patrons.patron_reads import READS, promise_to_pay, reads
from pitboss.rules.patrons.patrons import DocumentKind
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import AT_THE_CAGE, KEEPING_BOOKS, SUPERVISING, Place, Role
from pitboss.selectors.hands import hand_on
from pitboss.selectors.table_rules import minimum_now
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.signing import set_status
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id

OWED_READERS: Final = Readers(
    SUPERVISING | AT_THE_CAGE | KEEPING_BOOKS | {Role.COMPLIANCE, Role.COLLECTOR},
    names_patron=True,
)
# Markers are asked for in round sums: one tap enters and cuts these.
OFFERED_CENTS: Final = (50_000, 100_000, 200_000, 300_000, 500_000, 1_000_000)
WITNESSES: Final = (Role.PIT_MANAGER, Role.CAGE_MANAGER, Role.SECURITY, Role.SURVEILLANCE)


def _table_of(raising: Raising) -> Table:
    assert raising.table is not None, "a marker is issued at a table"
    return raising.table


def cut_of(table: Table, amount_cents: int) -> dict[int, int]:
    """Return the cheques of a marker, cut as a buy-in is. Raises Refused.

    The tray wins between counts, so the ledger's word is a wish: where it has too little, the cut
    is the house's guide, and the dealer who cannot make it says so before signing.
    """
    refusals = amount_refusals(amount_cents, {1: amount_cents})
    if refusals:
        raise Refused(refusals)
    options = house.settings_at(house.now()).cut_options
    for tray in (tray_holding(table), plenty(options.denominations)):
        with suppress(TrayShort):
            cut = cut_buy_in(
                amount_cents=amount_cents,
                tray=tray,
                table_minimum_cents=minimum_now(table),
                options=options,
            )
            return dict(cut.cheques)
    raise AssertionError("a tray that has plenty is never short")


def _cut(raising: Raising) -> Raising:
    """Return a marker in cheques: as they were shown, or cut from this tray. Raises Refused."""
    cheques = raising.cheques or cut_of(_table_of(raising), raising.given.get("amount", 0))
    return replace(raising, cheques=cheques)


def _drafted(raising: Raising) -> NewSlip:
    """Draft a marker, with the line as the supervisor is shown it."""
    patron = patron_of(raising)
    credit = credit_of(patron, house.now())
    amount_cents = total_cents(raising.cheques)
    account = account_of(patron)
    over_cents = credit.over_line_cents(amount_cents) if raising.given.get("over") else 0
    payee, due = house.the_property().name, _due_on(amount_cents)
    promise = promise_to_pay(
        payee=payee,
        amount_cents=amount_cents,
        table=_table_of(raising).name,
        bank=f"{account.issuer}, ending {account.number_ends}" if account else "",
        due_on=due,
    )
    return NewSlip(
        raising.kind.kind,
        _table_of(raising).pk,
        raising.cheques,
        details={
            "patron": patron.pk,
            "patron_name": patron.full_name,
            "player_card": patron.player_card,
            "bank": account_words(account),
            "bank_account": account.pk if account else None,
            "amount_cents": amount_cents,
            "line_cents": credit.line_cents,
            "remaining_cents": credit.remaining_cents,
            "over_line_cents": over_cents,
            "payee": payee,
            "due_on": due.isoformat(),
            READS: reads(amount_cents, promise, language=patron.language),
        },
    )


def _due_on(amount_cents: int) -> date:
    """Return the last day to deposit a marker that is dated today."""
    now = house.now()
    return due_day(amount_cents, house.period_at(now).gaming_day, now)


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why this marker may not be issued by the person who has this badge, now."""
    patron, now, details = patron_of(raising), house.now(), raising.new().details
    granting = [line.slip_id for line in granted_lines(patron, now).values()]
    granted = Signature.objects.filter(slip__in=granting, person__badge=raising.badge)
    facts = IssueFacts(
        patron=str(patron),
        credit=credit_of(patron, now),
        amount_cents=details["amount_cents"],
        cheques=raising.cheques,
        shown_remaining_cents=details["remaining_cents"],
        asks_authority=bool(details["over_line_cents"]),
        has_identity=identity_documents(patron, house.period_at(now).gaming_day).exists(),
        granted_by_extender=granted.exists(),
    )
    return [
        *stop_refusals(Compared(patron, Moment.MARKER, now, _table_of(raising))),
        *closing_refusals(_table_of(raising)),
        *issue_refusals(facts),
        *_unpaid_refusals(patron, now),
    ]


def _unpaid_refusals(patron: Patron, now: datetime) -> list[Refusal]:
    """Return that someone who owes and has not paid for long is lent nothing, where that is so."""
    days = house.settings_at(now)["credit.no_payment_days"]
    if not days:
        return []
    today = house.period_at(now).gaming_day
    owed = [item.marker.slip.gaming_day for item in outstanding(today, patron)]
    since = min(owed) if owed else None
    return no_payment_refusals(str(patron), since, last_paid_on(patron), today, days)


def _facts(raising: Raising) -> PlanFacts:
    new = raising.new()
    return PlanFacts(new.cheques, over_line=bool(new.details["over_line_cents"]))


def _goes_over_the_line(facts: PlanFacts) -> bool:
    return facts.over_line


def _over_the_line(facts: NeedFacts) -> Need:
    over = format_money(facts.details["over_line_cents"])
    return Need(
        f"This marker is {over} over the patron’s credit line. "
        "Someone other than the issuing supervisor must authorize it."
    )


def _line_reserved(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the amount off the line at once: no other pit can lend it while this one is signed."""
    patron = lock_patron(slip.details["patron"])
    credit = credit_of(patron, at)
    keep_comparison(Compared(patron, Moment.MARKER, at, slip.table, slip))
    marker = Marker.objects.create(
        slip=slip,
        patron=patron,
        amount_cents=slip.total_cents,
        line_cents=credit.line_cents,
        over_line_cents=credit.over_line_cents(slip.total_cents),
        remaining_cents=max(0, credit.remaining_cents - slip.total_cents),
        issued_at=at,
    )
    return [marker, _entry(marker, MarkerMove.RESERVED, slip, at)]


def _paid_out(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Send the cheques to the patron, unless their credit was stopped or lowered meanwhile."""
    marker = Marker.objects.get(slip=slip)
    patron = lock_patron(marker.patron_id)
    credit = credit_of(patron, at)
    refusals = [
        *stop_refusals(Compared(patron, Moment.MARKER, at, slip.table, slip)),
        *completion_refusals(str(patron), credit, over_line_cents(patron)),
    ]
    if refusals:
        raise Refused(refusals)
    transfers = move_cheques(
        slip=slip,
        cheques=slip.cheques_by_cents,
        source=Holder.TRAY,
        target=Holder.PUBLIC,
        at=at,
    )
    return [*transfers, _entry(marker, MarkerMove.ISSUED, slip, at)]


def _voided(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Give the line back. The number stays used, and so does the row: once."""
    marker = Marker.objects.get(slip=slip)
    lock_patron(marker.patron_id)
    set_status(slip, SlipStatus.VOIDED)
    return [_entry(marker, MarkerMove.VOIDED, slip, at)]


def _entry(marker: Marker, move: MarkerMove, slip: Slip, at: datetime) -> MarkerEntry:
    """Write what happened to a whole marker in the log of the pit that issued it.

    A marker belongs to the day on which it was asked for; a void to the day it is signed.
    """
    assert slip.table is not None, "a marker is issued at a table"
    day, shift = slip.gaming_day, slip.shift
    if move == MarkerMove.VOIDED:
        when = house.period_at(at)
        day, shift = when.gaming_day, when.shift
    return MarkerEntry.objects.create(
        marker=marker,
        move=move.value,
        amount_cents=marker.amount_cents,
        pit=slip.table.pit,
        table=slip.table,
        slip=slip,
        gaming_day=day,
        shift=shift,
        at=at,
    )


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page that asks for the amount, beside what remains of the line."""
    given = request.POST if refused else request.GET
    found = found_of(patron_of(raising))
    return "inventory/marker_new.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "found": found,
        "keyed": {"amount": given.get("amount", ""), "over": "over" in given},
        "offered": [item for item in OFFERED_CENTS if item <= found["credit"].remaining_cents],
    }


def _panel(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a marker says of its patron and line, before and after it is issued."""
    return {
        "template": "inventory/_marker_panel.html",
        "comes_first": True,
        "name": details["patron_name"],
        "player_card": details["player_card"],
        "bank": details["bank"],
        "line_cents": details["line_cents"],
        "left_cents": max(0, details["remaining_cents"] - details["amount_cents"]),
        "over_line_cents": details["over_line_cents"],
        # Markers of an earlier release have no promise in their details.
        "payee": details.get("payee", ""),
        "in_words": amount_in_words(details["amount_cents"]),
        "promise": details[READS]["says"] if READS in details else (),
        "patron_url": reverse("patron", args=[details["patron"]]),
    }


def _tells(slip: Slip) -> dict[str, Any]:
    patron = Patron.objects.get(pk=slip.details["patron"])
    signatures = list(slip.signatures.all())
    hand = hand_on(signatures)
    authority = next(
        (signature for signature in signatures if signature.step == "authorised"), None
    )
    looks = [newest_document(patron, kind) for kind in (DocumentKind.PHOTO, DocumentKind.SIGNATURE)]
    return {
        **_panel(slip.details),
        "hand": hand,
        "authority": authority,
        "documents": ids_offered(patron),
        # Each look at one of these is kept in the journal, so no one is shown them unasked.
        "looks": [
            {
                "label": DocumentKind(document.kind).label.capitalize(),
                "url": reverse("patron-document", args=[patron.pk, document.pk]),
            }
            for document in (*looks, *valid_ids(patron)[:2])
            if document is not None and document.content_cipher
        ]
        if hand is None
        else [],
    }


def _writes(slip: Slip) -> list[tuple[str, str]]:
    details = slip.details
    card = f", card {details['player_card']}" if details["player_card"] else ""
    left = max(0, details["remaining_cents"] - slip.total_cents)
    written = [
        ("Patron", f"{details['patron_name']}{card}"),
        ("Line", f"{format_money(details['line_cents'])}, {format_money(left)} remains after it"),
    ]
    if details["bank"]:
        written.append(("Drawn on", details["bank"]))
    if details["over_line_cents"]:
        written.append(("Above the line", format_money(details["over_line_cents"])))
    if READS in details:
        due = date.fromisoformat(details["due_on"])
        written.append(("Pay to the order of", details["payee"]))
        written.append(("Deposit by", f"{due:%a, %b %-d, %Y}"))
        written.append(("Promise", " ".join(details[READS]["says"])))
    return written


def _issued(marker: Slip) -> str:
    over = marker.details["over_line_cents"]
    waits = "Waiting for authorization over the line." if over else "Hand the tablet to the patron."
    return f"Marker {marker.serial} issued. {waits}"


MARKER = Kind(
    "marker",
    title="Marker",
    series="M",
    ships=True,
    open_to=SUPERVISING,
    lit_by="board",
    begins=of_chosen_patron,
    chooses=patron_choice,
    locks=patron_locked,
    asked=(
        DollarAmount(name="amount", label="Amount in dollars", is_needed=False),
        Yes(name="over", label="Request over-line authorization"),
        CHEQUES,
    ),
    becomes=_cut,
    refusals=_refusals,
    facts=_facts,
    drafted=_drafted,
    steps=(
        Step(
            "issued",
            done="Issued",
            do="Issue",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I verified the patron’s available credit and issue this marker against it.",
            then="line_reserved",
        ),
        Step(
            "authorised",
            done="Authorized",
            do="Authorize",
            # No one who could have extended the credit is alone in letting it pass the line.
            by=(Role.SHIFT_MANAGER, Role.CAGE_MANAGER),
            at=None,
            when=_goes_over_the_line,
            why=_over_the_line,
            needs_reason=True,
            attests="I know this patron’s outstanding balance and authorize this marker "
            "over the line.",
        ),
        signed_by_patron(Role.SUPERVISOR, Place.PIT, may_repeat="issued"),
        CUT_BY_DEALER,
        Step(
            "approved",
            done="Approved",
            do="Approve",
            why=BY_ANOTHER,
            by=Role.SUPERVISOR,
            at=Place.PIT,
            may_repeat=("issued", "patron_signed"),
            attests="I certify that the cheques cut equal this marker, that they were given to "
            "the patron, and that the copy was dropped.",
            then="marker_paid_out",
        ),
    ),
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            may_repeat=("issued", "patron_signed"),
            needs_reason=True,
            attests="I void this marker. I certify that no cheques were issued on it and that "
            "every part is marked VOID.",
        ),
        void_witnessed(
            WITNESSES,
            attests="I certify that I took no other part in this marker and witnessed it being "
            "voided.",
            then="marker_voided",
        ),
    ),
    effects={
        "line_reserved": _line_reserved,
        "marker_paid_out": _paid_out,
        "marker_voided": _voided,
    },
    readers=OWED_READERS,
    # The line is the cage's or accounting's word, so at the table the pit is enough.
    promises=(Promise(2, 1), Promise(3, 1, having="authorised")),
    # Manual, "Markers": three parts. The original is the debt; it follows the marker, and is given
    # back with the last payment.
    paper=Form(
        parts=(
            Part(
                "Original",
                "Kept in the pit until it is paid or goes to the cage; then back to the patron.",
                "white",
            ),
            Part(
                "Issue slip",
                "Into the table's drop box by the dealer, immediately.",
                "yellow",
                box=InBox.ON_TABLE,
            ),
            Part(
                "Payment slip",
                "Stays with the original; dropped when it is paid.",
                "pink",
                box=InBox.ANY_TABLE,
            ),
        ),
        original_at=Place.PIT,
        caption="Patron credit",
    ),
    look=_look,
    back=back_to_choice,
    review=lambda raising, new: {"panel": _panel(new.details)},
    raised=_issued,
    writes=_writes,
    notes=lambda slip: [Note(heading, words) for heading, words in _writes(slip)],
    tells=_tells,
    matches=id_on_file,
)
