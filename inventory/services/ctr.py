"""Currency reports written out as FinCEN Form 112, and given out as one file to be filed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from inventory.models import (
    CashEntry,
    CtrBatch,
    CtrBatchForm,
    CtrForm,
    CurrencyReport,
    Patron,
    PatronDocument,
)
from inventory.selectors.cash_log import DayPerson, behalves_of, cash_of, whose
from inventory.selectors.ctr import forms_to_export, sibling_of
from inventory.selectors.patrons import identity_documents
from inventory.services.currency_reports import today_on_the_wall
from inventory.services.patrons import read_number, read_tax_id
from pitboss.ciphers import Place, decrypt, encrypt
from pitboss.models import Device, Person
from pitboss.rules.canonical import canonical, digest
from pitboss.rules.patrons.cash_log import CashKind, Direction
from pitboss.rules.patrons.compliance import compliance_refusals
from pitboss.rules.patrons.ctr import (
    ID_CODES,
    CashMove,
    Party,
    PartyRole,
    ReportForm,
    details_of,
    form_of,
    form_refusals,
    in_roles,
    is_aggregated,
    reported,
    shares_of,
)
from pitboss.rules.patrons.fincen import Filer, as_rows, written
from pitboss.rules.patrons.fincen_schema import faults
from pitboss.rules.patrons.patrons import DocumentKind, TaxIdKind
from pitboss.rules.refusal import CONFLICT, Refused, refuse
from pitboss.services import house, journal
from pitboss.services.locks import lock_cash_of, lock_request

_TAX_CODES = {
    TaxIdKind.SSN.value: "1",
    TaxIdKind.ITIN.value: "1",
    TaxIdKind.EIN.value: "2",
    TaxIdKind.FOREIGN.value: "9",
}
# What is asked of each person and stands on no file.
ASKED = (
    "alias",
    "sex",
    "occupation",
    "naics",
    "phone",
    "email",
    "id_state",
    "id_country",
    "id_other",
    "verified_how",
    "second_document",
    "account",
)


@dataclass(frozen=True, slots=True)
class Answers:
    """What whoever completes a report enters of one person."""

    texts: Mapping[str, str] = field(default_factory=dict)
    document_id: int | None = None
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cash:
    """The cash that a report is about."""

    report: CurrencyReport
    other: CurrencyReport | None
    moves: tuple[CashMove, ...]
    digest: str

    @property
    def people(self) -> list[str]:
        """Everyone who has part in it, once, in the order of the form."""
        return list(dict.fromkeys(share.key for share in shares_of(self.moves)))


def cash_behind(report: CurrencyReport) -> Cash:
    """Return the cash of a report as it stands now, with the other direction if that is due too."""
    who, day = whose(report.patron, report.stranger), report.gaming_day
    other = sibling_of(report, who)
    directions = {
        Direction(currency_report.direction)
        for currency_report in (report, other)
        if currency_report is not None
    }
    entries = [
        entry
        for entry in cash_of(who, day).select_related("patron", "stranger", "reversed_by", "told")
        if entry.reverses_id is None and not hasattr(entry, "reversed_by")
    ]
    behalves = {behalf.entry_id: DayPerson(behalf.patron).key for behalf in behalves_of(day)}
    moves = reported([_move(entry, behalves.get(entry.pk, "")) for entry in entries], directions)
    told = [[move.by, move.kind.value, move.cents, move.behalf, move.told] for move in moves]
    return Cash(report, other, tuple(moves), digest(canonical(told)))


def _move(entry: CashEntry, behalf: str) -> CashMove:
    by = whose(entry.patron, entry.stranger).key
    words = entry.told.words if hasattr(entry, "told") else ""
    return CashMove(by, CashKind(entry.kind), entry.amount_cents, behalf, words)


def person_in(key: str) -> Patron | None:
    """Return the patron that a person of a report is, or none for someone only described."""
    return Patron.objects.filter(pk=int(key[1:])).first() if key.startswith("p") else None


def party_on_file(key: str, patron: Patron | None) -> Party:
    """Return what the file says of a person, without any number that is in cipher."""
    if patron is None:
        return Party(PartyRole.OWN, key, is_identified=False)
    return Party(
        PartyRole.OWN,
        key,
        is_entity=patron.is_entity,
        last_name=patron.last_name,
        first_name=patron.first_name,
        middle_name=patron.middle_name,
        name_suffix=patron.name_suffix,
        born_on=patron.born_on.isoformat() if patron.born_on else "",
        street=", ".join(filter(None, (patron.street, patron.street_more))),
        city=patron.city,
        region=patron.region,
        postal_code=patron.postal_code,
        country=patron.country,
        tax_id_code=_TAX_CODES.get(patron.tax_id_kind, ""),
    )


def _answered(key: str, answers: Answers, person: Person, at: datetime) -> Party:
    """Return a person with what was entered, and with the numbers that the file has in cipher."""
    patron = person_in(key)
    party = party_on_file(key, patron)
    if patron is None:
        return party
    purpose = "currency report"
    if party.tax_id_code:
        number = read_tax_id(patron=patron, purpose=purpose, person=person)
        party = replace(party, tax_id=number)
    texts: dict[str, Any] = {name: answers.texts.get(name, "").strip() for name in ASKED}
    party = replace(party, **texts, unknown=answers.unknown)
    document = _document(patron, answers.document_id, at)
    if document is None:
        return party
    return replace(
        party,
        id_code=ID_CODES[DocumentKind(document.kind)],
        id_number=read_number(document=document, purpose=purpose, person=person),
        verified_by=f"{document.added_by} {document.added_by.licence_number}".strip(),
    )


def _document(patron: Patron, document_id: int | None, at: datetime) -> PatronDocument | None:
    if document_id is None:
        return None
    today = house.period_at(at).gaming_day
    found = identity_documents(patron, today).select_related("added_by").filter(pk=document_id)
    return found.first()


@transaction.atomic(durable=True)
def save_form(
    *,
    report: CurrencyReport,
    answers: Mapping[str, Answers],
    prior_bsa_id: str,
    person: Person,
    device: Device | None,
    request_id: UUID,
) -> CtrForm:
    """Write a report out, in cipher. It counts when two people have signed it. Raises Refused."""
    lock_request(request_id)
    earlier = CtrForm.objects.filter(request_id=request_id).first()
    if earlier is not None:
        return earlier  # A second tap, or a resend after a lost answer.
    now = house.now()
    cash = cash_behind(report)
    if not cash.moves:
        raise refuse(
            "nothing_to_report",
            "All cash of this report was reversed. Close it as not due.",
            CONFLICT,
        )
    form = written_form(cash, answers, prior_bsa_id.strip(), person, now)
    refusals = form_refusals(form)
    if refusals:
        raise Refused(refusals)
    content = canonical(form.as_json()).encode()
    row = CtrForm.objects.create(
        report=report,
        other=cash.other,
        content_cipher=encrypt(content, _form_place(request_id)),
        content_hash=hashlib.sha256(content).hexdigest(),
        moves_digest=cash.digest,
        in_dollars=form.in_dollars,
        out_dollars=form.out_dollars,
        prior_bsa_id=form.prior_bsa_id,
        saved_by=person,
        saved_at=now,
        request_id=request_id,
    )
    journal.write(
        chain=journal.PEOPLE,
        kind="ctr_form_saved",
        body={"form": row.pk, "report": report.pk, "sha256": row.content_hash},
        at=now,
        person=person,
        device=device,
        rows=[row],
    )
    return row


def written_form(
    cash: Cash, answers: Mapping[str, Answers], prior_bsa_id: str, person: Person, at: datetime
) -> ReportForm:
    """Return a report with everything that the form asks."""
    shares = shares_of(cash.moves)
    people = [_answered(key, answers.get(key, Answers()), person, at) for key in cash.people]
    parties = [part for party in people for part in in_roles(party, shares)]
    amends = filed_before(cash.report)
    return ReportForm(
        gaming_day=cash.report.gaming_day,
        parties=tuple(sorted(parties, key=lambda part: tuple(PartyRole).index(part.role))),
        details=details_of(cash.moves),
        aggregated=is_aggregated(cash.moves, parties, cash.report.limit_cents),
        amends=amends is not None,
        prior_bsa_id=prior_bsa_id if amends is not None else "",
    )


def filed_before(report: CurrencyReport) -> str | None:
    """Return the number that the amended report was filed under, none where nothing was filed."""
    amended = report.amends
    closing = getattr(amended, "closing", None) if amended is not None else None
    return closing.reference if closing is not None and closing.reference else None


def form_in(row: CtrForm) -> ReportForm:
    """Return a form as it was written out."""
    return form_of(json.loads(decrypt(row.content_cipher, _form_place(row.request_id))))


def is_stale(row: CtrForm) -> bool:
    """Tell whether the cash of a form is no longer what it says."""
    cash = cash_behind(row.report)
    return cash.digest != row.moves_digest or cash.other != row.other


def _form_place(request_id: UUID) -> Place:
    return CtrForm._meta.label, request_id, "content"


def _batch_place(request_id: UUID) -> Place:
    return CtrBatch._meta.label, request_id, "content"


@transaction.atomic(durable=True)
def export_batch(*, by: Person, device: Device | None, request_id: UUID) -> CtrBatch:
    """Put every approved report into one file, checked against the schema. Raises Refused.

    Where nothing is new, the newest batch is given again.
    """
    lock_request(request_id)
    now = house.now()
    refusals = compliance_refusals(house.role_in(by, house.period_at(now)))
    if refusals:
        raise Refused(refusals)
    earlier = CtrBatch.objects.filter(request_id=request_id).first()
    if earlier is not None:
        return earlier  # A second tap, or a resend after a lost answer.
    lock_cash_of("ctr batch")
    slips = {slip.details["form"]: slip for slip in forms_to_export()}
    rows = list(CtrForm.objects.select_related("report", "other").filter(pk__in=slips))
    stale = [row for row in rows if is_stale(row)]
    if stale:
        numbers = ", ".join(slips[row.pk].serial for row in stale)
        words = f"The cash changed after {numbers} was signed. Complete the report again."
        raise refuse("form_stale", words, CONFLICT)
    if not rows:
        newest = CtrBatch.objects.order_by("-pk").first()
        if newest is None:
            raise refuse(
                "nothing_to_export",
                "No approved report is waiting to be exported. Have one approved first.",
            )
        return newest
    rows.sort(key=lambda row: row.pk)
    on = today_on_the_wall(now)
    content = _content([form_in(row) for row in rows], on, now)
    batch = CtrBatch.objects.create(
        content_cipher=encrypt(content, _batch_place(request_id)),
        file_sha256=hashlib.sha256(content).hexdigest(),
        filing_on=on,
        made_by=by,
        made_at=now,
        request_id=request_id,
    )
    inside = [
        CtrBatchForm.objects.create(batch=batch, form=row, slip=slips[row.pk]) for row in rows
    ]
    journal.write(
        chain=journal.PEOPLE,
        kind="ctr_batch_exported",
        body={"batch": batch.pk, "forms": [row.pk for row in rows], "sha256": batch.file_sha256},
        at=now,
        person=by,
        device=device,
        rows=[batch, *inside],
    )
    return batch


def _content(forms: list[ReportForm], on: date, now: datetime) -> bytes:
    settings = house.settings_at(now)
    payer = settings.tax.payer
    if not payer.may_transmit:
        raise refuse(
            "filer_unknown",
            "The payer has no state, ZIP, phone, contact or transmitter code yet. "
            "Enter them under Settings, Tax.",
            CONFLICT,
        )
    content = written(forms, Filer(payer, settings["cash.institution"]), on)
    found = faults(content)
    if found:
        words = f"The file doesn’t follow FinCEN’s schema: {found[0]}. Correct the report."
        raise refuse("file_invalid", words, CONFLICT)
    return content


@transaction.atomic(durable=True)
def read_batch(*, batch: CtrBatch, by: Person, device: Device | None, shape: str) -> bytes:
    """Return a batch as XML or CSV. Each reading is in the journal before it is given."""
    journal.write(
        chain=journal.PEOPLE,
        kind="ctr_batch_read",
        body={"batch": batch.pk, "shape": shape},
        at=house.now(),
        person=by,
        device=device,
    )
    if shape == "xml":
        return decrypt(batch.content_cipher, _batch_place(batch.request_id))
    inside = batch.forms.select_related("form").order_by("form_id")
    return as_rows(form_in(ctr_batch_form.form) for ctr_batch_form in inside).encode()
