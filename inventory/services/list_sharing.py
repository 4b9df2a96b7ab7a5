"""Share a list of the house with another of its group: signed, and in the journal each time."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import transaction

from inventory.models import ListRow
from inventory.selectors.exclusion import rows_from
from pitboss.models import Device, Person
from pitboss.rules.canonical import digest
from pitboss.rules.group.signing import Purpose, mark_of, public_key, sign_text
from pitboss.rules.patrons.exclusion import ListKind
from pitboss.rules.patrons.exclusion_lists import Listed
from pitboss.rules.patrons.shared_lists import SHARED, text_of
from pitboss.rules.refusal import CONFLICT, refuse
from pitboss.services import house, journal


@transaction.atomic(durable=True)
def share_list(*, kind: ListKind, person: Person | None, device: Device | None) -> dict[str, Any]:
    """Return the own list of the house as a signed file. Raises Refused.

    What came from another property is that one's to share. Of a tax id only the end is known.
    """
    if kind not in SHARED:
        shared = ", ".join(each.label for each in SHARED)
        raise refuse("list_not_shared", f"Only these lists are shared: {shared}.")
    key = settings.KEYS.statement_key
    if not key:
        raise refuse(
            "no_statement_key",
            "The property has no key to sign with. Ask IT to run manage.py statement_key.",
            CONFLICT,
        )
    now = house.now()
    people = [_listed(row) for row in rows_from(kind, "").order_by("pk")]
    text = text_of(house=house.the_property().name, kind=kind, made_at=now, people=people)
    journal.write(
        chain=journal.PEOPLE,
        kind="list_shared",
        body={"list": kind.value, "rows": len(people), "digest": digest(text)},
        at=now,
        person=person,
        device=device,
    )
    return {
        "text": text,
        "key_mark": mark_of(public_key(key)),
        "signature": sign_text(key, Purpose.LIST, text),
    }


def _listed(row: ListRow) -> Listed:
    return Listed(
        external_id=row.external_id,
        last_name=row.last_name,
        first_name=row.first_name,
        aliases=tuple(row.aliases),
        born_on=row.born_on,
        ssn=row.ssn_ends,
        address=row.address,
        description=row.description,
        from_on=row.from_on,
        until_on=row.until_on,
    )
