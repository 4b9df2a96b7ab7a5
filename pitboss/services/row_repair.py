"""Put right a row that was changed outside Pitboss: an auditor and surveillance sign together.

Nothing forgets that it was altered: exception and journal stay. Where the row is again what the
journal vouched for last, the entry says that it is proven; else two people stand for it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import transaction

from pitboss.models import Device, JournalEntry, Person
from pitboss.models.sealed import Sealed, sealed_columns, sealed_digest
from pitboss.rules.refusal import refuse
from pitboss.services import house, journal
from pitboss.services.pin_offers import Witness
from pitboss.services.watchers import reason_given, signed_by_both

# Never entered by hand: who a row is, and what only a secret or the site itself makes.
_UNTOUCHED = frozenset({"id", "version", "seal", "password", "pin_hash"})


@dataclass(frozen=True, slots=True)
class Repaired:
    """What was put right, and whether the journal proves that it is what the site wrote."""

    row: Sealed
    is_proven: bool


def altered_row(label: str, row_id: int) -> Sealed:
    """Return a row that carries a seal, as it stands now. Raises Refused."""
    try:
        model = apps.get_model(label)
    except (LookupError, ValueError):
        model = None
    if model is None or not issubclass(model, Sealed):
        raise refuse("unknown_model", "Enter a type of row with a seal, such as pitboss.Person.")
    row = model._default_manager.select_for_update(of=("self",)).filter(pk=row_id).first()
    if row is None:
        raise refuse("unknown_row", f"{label} {row_id} not found. Check the type and the number.")
    return row


def repair_row(
    *,
    label: str,
    row_id: int,
    changes: Mapping[str, str],
    reason: str,
    auditor: Witness,
    watcher: Witness,
    device: Device | None,
) -> Repaired:
    """Seal a row again, with these columns put back. Raises Refused.

    The database still holds it to its own rules: no role and no set-up without its slip.
    """
    both = signed_by_both(act="repair_row", auditor=auditor, watcher=watcher, device=device)
    with both as (first, second):
        reason = reason_given(reason, "Enter what happened to the row.")
        row = altered_row(label, row_id)
        if isinstance(row, Person) and row.pk in (first.pk, second.pk):
            raise refuse("own_papers", "You can’t sign about yourself. Ask another person.")
        known = _last_vouched(row)
        if row.is_sealed() and (known is None or row.version >= known[1]):
            raise refuse("not_altered", "This row’s seal is intact. There is nothing to repair.")
        values = _with(row, changes)
        is_proven = known is not None and known[0] == sealed_digest(
            type(row), {**values, "version": known[1]}
        )
        was = {name: str(row.column_values()[name]) for name in changes}
        row.seal_repaired(values, above=known[1] if known else 0)
        journal.write(
            chain=journal.HOUSE,
            kind="row_repaired",
            body={
                "model": row._meta.label,
                "row": row.pk,
                "was": was,
                "is": dict(changes),
                "is_proven": is_proven,
                "reason": reason,
                "second": second.signs_as,
            },
            at=house.now(),
            person=first,
            device=device,
        )
    return Repaired(row, is_proven)


def _with(row: Sealed, changes: Mapping[str, str]) -> dict[str, Any]:
    """Return the columns of a row with some of them put back. Raises Refused."""
    values = row.column_values()
    for name, text in changes.items():
        if name in _UNTOUCHED or name not in sealed_columns(type(row)):
            raise refuse("unknown_column", f"{name} can’t be entered by hand. Leave it out.")
        try:
            field = {
                concrete_field.attname: concrete_field
                for concrete_field in row._meta.concrete_fields
            }[name]
            body = json.loads(text) if field.get_internal_type() == "JSONField" else text
            values[name] = field.to_python(None if text == "none" and field.null else body)
        except (ValidationError, ValueError) as error:
            raise refuse("value_malformed", f"{name}: {text} isn’t allowed there.") from error
    return values


def _last_vouched(row: Sealed) -> tuple[str, int] | None:
    """Return digest and version of a row that the journal vouched for last."""
    mark = f'["{row._meta.label}",{row.pk},'
    known: tuple[str, int] | None = None
    with transaction.atomic(savepoint=False):
        for text in JournalEntry.objects.filter(text__contains=mark).values_list("text", flat=True):
            for label, row_id, digest, *version in json.loads(text)["rows"]:
                is_newer = version and (known is None or version[0] > known[1])
                if (label, row_id) == (row._meta.label, row.pk) and is_newer:
                    known = digest, version[0]
    return known
