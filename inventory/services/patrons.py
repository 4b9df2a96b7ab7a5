"""The file of patrons: added and corrected under a signature, every secret read on record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction

from inventory.models import Patron, PatronDocument
from inventory.selectors.patrons import TAX_ID, files_of
from inventory.services.exclusion import Compared, keep_comparison
from pitboss.ciphers import BOUND, Place, blind_index, decrypt, encrypt, recipher
from pitboss.models import Device, Person
from pitboss.pictures import CONTENT_MAX_BYTES, media_type
from pitboss.rules.canonical import is_plain
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.patrons.patrons import DocumentKind, PatronFields, masked, read_patron
from pitboss.rules.refusal import NOT_YOURS, Refusal, Refused, refuse
from pitboss.rules.roles import Role, may_act_as
from pitboss.services import house, journal
from pitboss.services.locks import lock_request
from pitboss.services.pins import signed_act
from pitboss.services.signing import Pen

# Who keeps the file of patrons; anyone who outranks them may as well.
KEEPERS = (Role.SUPERVISOR, Role.CASHIER, Role.COMPLIANCE)


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A paper about to be put on a patron's file."""

    kind: DocumentKind
    number: str = ""
    issuer: str = ""
    expires_on: date | None = None
    content: bytes = b""


def lock_patron(patron_id: int) -> Patron:
    """Lock a patron on every file of theirs, and with them all they owe. Raises Refused.

    After the slip and before the series counter; of several, the lowest number first.
    """
    files = Patron.objects.filter(pk__in=files_of(patron_id)).order_by("pk")
    locked = {patron.pk: patron for patron in files.select_for_update(no_key=True)}
    if patron_id not in locked:
        raise refuse("unknown_patron", "Patron not found. Look them up again.")
    patron = locked[patron_id]
    patron.require_seal()
    return patron


def add_patron(*, keyed: Mapping[str, str], pen: Pen) -> Patron:
    """Put a patron on file, signed by the person who keeps it. Raises Refused."""
    with _signed("add_patron", pen) as person:
        lock_request(pen.request_id)
        now = house.now()
        earlier = Patron.objects.filter(request_id=pen.request_id).first()
        if earlier is not None:
            return earlier  # A second tap, or a resend after a lost answer.
        fields = _read(keyed, now)
        _refuse_taken(fields, None)
        patron = Patron.objects.create(
            **fields.columns(),
            **_tax_columns(fields, pen.request_id),
            added_at=now,
            added_by=person,
            request_id=pen.request_id,
        )
        keep_comparison(Compared(patron, Moment.PATRON_FILE, now))
        journal.write(
            chain=journal.PEOPLE,
            kind="patron_added",
            body={"patron": patron.pk, "is": _told(patron)},
            at=now,
            person=person,
            device=pen.device,
        )
        return patron


def change_patron(*, patron_id: int, keyed: Mapping[str, str], pen: Pen) -> Patron:
    """Correct what stands on file of a patron; the journal keeps what stood there before.

    A tax id that is left empty stays as it is. Raises Refused.
    """
    with _signed("change_patron", pen) as person:
        patron = lock_patron(patron_id)
        now = house.now()
        before = _told(patron)
        fields = _read({**keyed, "is_entity": "yes" if patron.is_entity else ""}, now)
        _refuse_taken(fields, patron)
        columns = {
            **fields.columns(),
            **(_tax_columns(fields, patron.request_id) if fields.tax_id else {}),
        }
        for column, value in columns.items():
            setattr(patron, column, value)
        after = _told(patron)
        changed = {
            name: [before[name], after[name]] for name in after if before[name] != after[name]
        }
        if not changed:
            return patron
        patron.save(update_fields=list(columns))
        keep_comparison(Compared(patron, Moment.PATRON_FILE, now))
        journal.write(
            chain=journal.PEOPLE,
            kind="patron_changed",
            body={"patron": patron.pk, "changed": changed},
            at=now,
            person=person,
            device=pen.device,
        )
        return patron


def put_patron(*, keyed: Mapping[str, str], device: Device) -> Patron:
    """Put a patron of a loyalty system on file by their card, or correct the name. Raises Refused.

    In the caller's transaction; what else is on file of them stays.
    """
    now = house.now()
    fields = _read(keyed, now)
    holder = Patron.objects.filter(player_card=fields.player_card).first()
    names = {name: getattr(fields, name) for name in ("first_name", "last_name")}
    if holder is None:
        patron = Patron.objects.create(
            **fields.columns(), added_at=now, added_by=None, request_id=uuid4()
        )
        kind, body = "patron_added", {"patron": patron.pk, "is": _told(patron)}
    else:
        patron = lock_patron(holder.pk)
        before = _told(patron)["name"]
        if all(getattr(patron, name) == value for name, value in names.items()):
            return patron
        for name, value in names.items():
            setattr(patron, name, value)
        patron.save(update_fields=list(names))
        changed = {"name": [before, _told(patron)["name"]]}
        kind, body = "patron_changed", {"patron": patron.pk, "changed": changed}
    keep_comparison(Compared(patron, Moment.PATRON_FILE, now))
    journal.write(chain=journal.PEOPLE, kind=kind, body=body, at=now, device=device)
    return patron


def add_document(*, patron_id: int, new: NewDocument, pen: Pen) -> PatronDocument:
    """Put a paper on a patron's file, in cipher. Raises Refused."""
    with _signed("add_patron_document", pen) as person:
        lock_request(pen.request_id)
        now = house.now()
        earlier = PatronDocument.objects.filter(request_id=pen.request_id).first()
        if earlier is not None:
            return earlier
        patron = lock_patron(patron_id)
        today = house.period_at(now).gaming_day
        refusals = _document_refusals(new, today)
        if refusals:
            raise Refused(refusals)
        document = PatronDocument.objects.create(
            patron=patron,
            kind=new.kind.value,
            number_cipher=encrypt(new.number.encode(), document_place(pen.request_id, "number"))
            if new.number
            else "",
            number_ends=_ends(new.number),
            issuer=new.issuer,
            expires_on=new.expires_on,
            media_type=media_type(new.content),
            content_cipher=encrypt(new.content, document_place(pen.request_id, "content"))
            if new.content
            else "",
            added_at=now,
            added_by=person,
            request_id=pen.request_id,
        )
        journal.write(
            chain=journal.PEOPLE,
            kind="patron_document_added",
            body={"patron": patron.pk, "document": document.pk, "is": str(document)},
            at=now,
            person=person,
            device=pen.device,
            rows=[document],
        )
        return document


def read_content(*, document: PatronDocument, person: Person, device: Device | None) -> bytes:
    """Return the picture of a paper on file. Each reading is in the journal before it is given."""
    journal.write(
        chain=journal.PEOPLE,
        kind="patron_document_read",
        body={"patron": document.patron_id, "document": document.pk, "is": str(document)},
        at=house.now(),
        person=person,
        device=device,
    )
    return decrypt(document.content_cipher, document_place(document.request_id, "content"))


def read_number(*, document: PatronDocument, purpose: str, person: Person | None) -> str:
    """Return the number of an ID on file, for a form that must name it; the journal says so."""
    _journal_reading("patron_document_number_read", document.patron, purpose, person)
    place = document_place(document.request_id, "number")
    return decrypt(document.number_cipher, place).decode() if document.number_cipher else ""


def read_tax_id(*, patron: Patron, purpose: str, person: Person | None) -> str:
    """Return a tax id in the clear, for a form that must name it; the journal says so."""
    _journal_reading("tax_id_read", patron, purpose, person)
    patron.require_seal()
    place = tax_id_place(patron.request_id)
    return decrypt(patron.tax_id_cipher, place).decode() if patron.tax_id_cipher else ""


def bind_tax_ids() -> int:
    """Bind every tax id that an earlier release encrypted to its patron; return how many.

    Papers on file are in ink and stay as they are: the journal vouches for where each stands.
    """
    unbound = Patron.objects.exclude(tax_id_cipher="").exclude(tax_id_cipher__startswith=BOUND)
    numbers = list(unbound.order_by("pk").values_list("pk", flat=True))
    for number in numbers:
        _bind_tax_id(number)
    return len(numbers)


@transaction.atomic(durable=True)
def _bind_tax_id(patron_id: int) -> None:
    patron = lock_patron(patron_id)
    place = tax_id_place(patron.request_id)
    patron.tax_id_cipher = recipher(patron.tax_id_cipher, place, place)
    patron.save(update_fields=["tax_id_cipher"])
    journal.write(
        chain=journal.PEOPLE, kind="tax_id_bound", body={"patron": patron.pk}, at=house.now()
    )


def tax_id_place(request_id: UUID) -> Place:
    """Return the place that a patron's tax id is bound to: the patron put on file by a request."""
    return Patron._meta.label, request_id, "tax_id"


def document_place(request_id: UUID, field: str) -> Place:
    """Return the place that a number or a picture on file is bound to."""
    return PatronDocument._meta.label, request_id, field


def _journal_reading(kind: str, patron: Patron, purpose: str, person: Person | None) -> None:
    journal.write(
        chain=journal.PEOPLE,
        kind=kind,
        body={"patron": patron.pk, "purpose": purpose},
        at=house.now(),
        person=person,
    )


@contextmanager
def _signed(act: str, pen: Pen) -> Iterator[Person]:
    """Give an act on the file to the person who keeps it, in one transaction. Raises Refused."""
    with signed_act(act=act, badge=pen.badge, pin=pen.pin, device=pen.device) as person:
        role = house.role_in(person, house.period_at(house.now()))
        if not any(may_act_as(role, wanted) for wanted in KEEPERS):
            raise refuse(
                "wrong_role",
                "Only a supervisor, a cashier, or compliance can change the file.",
                NOT_YOURS,
            )
        yield person


def _read(keyed: Mapping[str, str], now: datetime) -> PatronFields:
    least_age = house.settings_at(now)["patron.least_age"]
    return read_patron(keyed, today=house.period_at(now).gaming_day, least_age=least_age)


def _refuse_taken(fields: PatronFields, patron: Patron | None) -> None:
    """Refuse a card or a tax id that another patron has: one person has one line of credit."""
    others = Patron.objects.exclude(pk=patron.pk) if patron else Patron.objects.all()
    refusals = []
    holder = others.filter(player_card=fields.player_card).first() if fields.player_card else None
    if holder is not None:
        refusals.append(
            Refusal("card_taken", f"{holder} already has card {fields.player_card}. Scan it again.")
        )
    index = blind_index(TAX_ID, fields.tax_id) if fields.tax_id and fields.tax_id_kind else ""
    holder = others.filter(tax_id_index=index).first() if index else None
    if holder is not None:
        refusals.append(
            Refusal("tax_id_taken", f"{holder} is on file with this tax id. Use that record.")
        )
    if refusals:
        raise Refused(refusals)


def _tax_columns(fields: PatronFields, request_id: UUID) -> dict[str, str]:
    if not fields.tax_id or fields.tax_id_kind is None:
        return dict.fromkeys(("tax_id_kind", "tax_id_cipher", "tax_id_index", "tax_id_ends"), "")
    return {
        "tax_id_kind": fields.tax_id_kind.value,
        "tax_id_cipher": encrypt(fields.tax_id.encode(), tax_id_place(request_id)),
        "tax_id_index": blind_index(TAX_ID, fields.tax_id),
        "tax_id_ends": _ends(fields.tax_id),
    }


def _ends(number: str) -> str:
    """Return what may be shown of a number: nothing of one so short that it would tell all."""
    return masked(number)[3:]


def _told(patron: Patron) -> dict[str, Any]:
    """Return what the journal says of a patron: the tax id masked."""
    return {
        "name": patron.full_name,
        "address": ", ".join(patron.address_lines),
        "born_on": patron.born_on.isoformat() if patron.born_on else None,
        "player_card": patron.player_card,
        "tax_id": patron.masked_tax_id,
        "tax_country": patron.tax_country,
        "language": patron.language,
    }


def _document_refusals(new: NewDocument, today: date) -> list[Refusal]:
    refusals = []
    texts = (new.number, new.issuer)
    if (
        not all(is_plain(text) and text.isprintable() for text in texts)
        or max(map(len, texts)) > 60
    ):
        refusals.append(
            Refusal("text_too_long", "Number or issuer is too long. Use 60 characters or fewer.")
        )
    if not new.kind.is_picture and not new.number.strip():
        refusals.append(Refusal("field_missing", f"Enter the number on the {new.kind.label}."))
    if new.kind.is_picture and not new.content:
        refusals.append(Refusal("field_missing", f"Add a picture of the {new.kind.label}."))
    if new.content and not media_type(new.content):
        refusals.append(Refusal("picture_unknown", "Add a picture as JPEG or PNG."))
    if len(new.content) > CONTENT_MAX_BYTES:
        refusals.append(
            Refusal("picture_too_large", "The picture is too large. Choose one of 2 MB or less.")
        )
    if new.expires_on is not None and new.expires_on < today:
        refusals.append(
            Refusal(
                "id_expired", f"This ID expired on {new.expires_on:%b %-d, %Y}. Ask for another."
            )
        )
    return refusals
