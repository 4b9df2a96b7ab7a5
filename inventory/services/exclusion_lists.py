"""Bring a list in: the file whole, what it changes, and the rows that count once it is signed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import models, transaction

from inventory.models import ListRow, ListRowEnd, ListUpload, ListVersion
from inventory.selectors.exclusion import list_ages, rows_from
from inventory.selectors.patrons import TAX_ID
from pitboss.ciphers import Place, blind_index, decrypt, encrypt
from pitboss.models import Device, FloorException, Person, Slip
from pitboss.rules.patrons.exclusion import ListKind, keys_of
from pitboss.rules.patrons.exclusion_lists import BYTES_MAX, Diff, Listed, diff_of, read_list
from pitboss.rules.patrons.shared_lists import is_signed_file, read_shared
from pitboss.rules.refusal import refuse
from pitboss.services import house, journal
from pitboss.services.exceptions import LIST_STALE, close_exception, open_exception
from pitboss.services.locks import lock_request

_AT_ONCE = 1_000


@transaction.atomic(durable=True)
def upload_list(
    *, kind: ListKind, content: bytes, person: Person, device: Device | None, request_id: UUID
) -> ListUpload:
    """Keep a file that can be read, in cipher. It counts when it is signed. Raises Refused."""
    if len(content) > BYTES_MAX:
        raise refuse(
            "file_too_long",
            f"The file is too large. Choose one of {BYTES_MAX / 1_000_000} MB or less.",
        )
    _read(kind, content)
    lock_request(request_id)
    earlier = ListUpload.objects.filter(request_id=request_id).first()
    if earlier is not None:
        return earlier  # A second tap, or a resend after a lost answer.
    now = house.now()
    upload = ListUpload.objects.create(
        list=kind.value,
        content_cipher=encrypt(content, _place(request_id)),
        content_hash=hashlib.sha256(content).hexdigest(),
        uploaded_by=person,
        uploaded_at=now,
        request_id=request_id,
    )
    journal.write(
        chain=journal.PEOPLE,
        kind="list_uploaded",
        body={"upload": upload.pk, "list": upload.list, "sha256": upload.content_hash},
        at=now,
        person=person,
        device=device,
        rows=[upload],
    )
    return upload


def _place(request_id: UUID) -> Place:
    return ListUpload._meta.label, request_id, "content"


@dataclass(frozen=True, slots=True)
class Brought:
    """What a file has: the people, and of a signed list which property signed it, and when."""

    kind: ListKind
    people: list[Listed]
    source: str = ""
    made_at: datetime | None = None


def brought_in(upload: ListUpload) -> Brought:
    """Return what a file that was brought has. Raises Refused, where its key is trusted no more."""
    content = decrypt(upload.content_cipher, _place(upload.request_id))
    return _read(ListKind(upload.list), content)


def _read(kind: ListKind, content: bytes) -> Brought:
    if not is_signed_file(content):
        return Brought(kind, read_list(content))
    trusted = house.settings_at(house.now())["exclusion.trusted"]
    shared = read_shared(content, kind=kind, trusted=trusted)
    return Brought(kind, list(shared.people), shared.source, shared.made_at)


def diff_with(brought: Brought) -> Diff:
    """Return what a file changes in its list as it stands: of its own source, and no other."""
    standing = rows_from(brought.kind, brought.source).values_list("external_id", "row_digest")
    return diff_of(dict(standing), {each.external_id: each.digest for each in brought.people})


def put_in_force(upload: ListUpload, slip: Slip, at: datetime) -> list[models.Model]:
    """Let a file be its list from now on; return every row, for the journal to vouch for."""
    brought = brought_in(upload)
    kind, people, diff = brought.kind, brought.people, diff_with(brought)
    version = ListVersion.objects.create(
        list=kind.value,
        upload=upload,
        slip=slip,
        rows_count=len(people),
        added_count=len(diff.added),
        changed_count=len(diff.changed),
        removed_count=len(diff.removed),
        imported_at=at,
    )
    gone = {*diff.changed, *diff.removed}
    ends = ListRowEnd.objects.bulk_create(
        [
            ListRowEnd(row_id=pk, version=version)
            for pk, external_id in rows_from(kind, brought.source).values_list("pk", "external_id")
            if external_id in gone
        ],
        batch_size=_AT_ONCE,
    )
    new = {*diff.added, *diff.changed}
    rows = ListRow.objects.bulk_create(
        [_row(each, kind, version) for each in people if each.external_id in new],
        batch_size=_AT_ONCE,
    )
    return [version, *ends, *rows]


def _row(each: Listed, kind: ListKind, version: ListVersion) -> ListRow:
    return ListRow(
        list=kind.value,
        external_id=each.external_id,
        last_name=each.last_name,
        first_name=each.first_name,
        aliases=list(each.aliases),
        born_on=each.born_on,
        # By the same index as a patron's, so that the two are compared as they stand.
        ssn_index=blind_index(TAX_ID, each.ssn) if len(each.ssn) == 9 else "",
        ssn_ends=each.ssn[-4:],
        address=each.address,
        description=each.description,
        from_on=each.from_on,
        until_on=each.until_on,
        keys=sorted(keys_of(each.names)),
        row_digest=each.digest,
        version=version,
    )


def find_stale_lists() -> None:
    """Tell compliance of each list in use that no one has imported for too long."""
    now = house.now()
    for age in list_ages():
        if age.is_stale:
            open_exception(
                code=LIST_STALE,
                sentence=f"The {age.label} list is from {age.imported_on:%b %-d, %Y}. "
                "Import it again.",
                details={
                    "list": age.kind.value,
                    "version": age.version,
                    **({"source": age.source} if age.source else {}),
                },
                at=now,
                person=None,
            )


def end_stale(kind: ListKind, slip: Slip, person: Person, at: datetime) -> None:
    """Close what was said of an old list: a new version is in force."""
    source = slip.details.get("source", "")
    old = FloorException.objects.select_for_update(no_key=True).filter(
        code=LIST_STALE, details__list=kind.value, resolved_at=None
    )
    for exception in (each for each in old if each.details.get("source", "") == source):
        close_exception(exception, f"Imported on {slip.serial}.", person, None, at)
