"""What HR says of people: compared with what is on file, and put before those who may change it.

It grants nothing. A notice closes when two people have made the house say the same. Where HR takes
a word back instead, a manager reads that and signs: someone may have acted on it meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import QuerySet

from pitboss.models import Device, FloorException, Person, Signature, StaffWord
from pitboss.rules.canonical import is_plain
from pitboss.rules.people.staffing import fields_refusals
from pitboss.rules.people.told import (
    DIFFERS,
    LEFT,
    Difference,
    OnFile,
    Word,
    differences,
    managers_of,
    notice_code,
)
from pitboss.rules.refusal import Refused, refuse
from pitboss.rules.roles import Role, can_be_managed
from pitboss.selectors.accounts import standing_of
from pitboss.services import house, journal
from pitboss.services.exceptions import close_exception, open_exception
from pitboss.services.locks import lock_staff
from pitboss.services.staffing import fields_of

NUMBER_MAX: Final = 20
# Someone who left may still sign: this waits for no one's convenience.
_LEAVER_DUE: Final = timedelta(minutes=15)


def put_staff(
    *, device: Device, number: str, is_employed: bool, fields: Mapping[str, str]
) -> dict[str, Any]:
    """Keep what HR says of an employee number, in the caller's transaction. Raises Refused."""
    if not is_plain(number) or not number.isprintable() or len(number) > NUMBER_MAX:
        raise refuse(
            "number_malformed", f"Enter an employee number of {NUMBER_MAX} characters or fewer."
        )
    if refusals := fields_refusals(fields):
        raise Refused(refusals)
    # Until this is kept no slip changes what it is compared with.
    lock_staff()
    now = house.now()
    word = _newest(number)
    if word is None or (word.is_employed, word.fields) != (is_employed, dict(fields)):
        word = StaffWord.objects.create(
            device=device,
            employee_number=number,
            is_employed=is_employed,
            fields=dict(fields),
            at=now,
        )
        journal.write(
            chain=journal.PEOPLE,
            kind="staff_told",
            body={"employee_number": number, "is_employed": is_employed},
            at=now,
            device=device,
            rows=[word],
        )
        # The same word again opens no notice anew that a manager has signed off.
        compare_told(number, at=now)
    return told_about(number)


def told_about(number: str) -> dict[str, Any]:
    """Return what became of HR's word of an employee number: no more than HR said itself."""
    differing = differences_of(number)
    return {
        "employee_number": number,
        "state": "waiting" if differing else "on_file",
        "differs": [item.column for item in differing],
    }


def differences_of(number: str) -> list[Difference]:
    """Return what HR says of an employee number otherwise than it is on file."""
    word = _newest(number)
    return differences(_word(word), _on_file(number)) if word is not None else []


def newest_fields(number: str) -> Mapping[str, str]:
    """Return the fields that HR said last of an employee number."""
    word = _newest(number)
    return word.fields if word is not None else {}


def compare_told(number: str, *, at: datetime, signature: Signature | None = None) -> None:
    """Open the notice of an employee number where HR says otherwise; close it where a slip made
    the house say the same.
    """
    newest = _newest(number)
    if newest is None:
        return
    word, on_file = _word(newest), _on_file(number)
    differing = differences(word, on_file)
    code = notice_code(word) if differing else ""
    standing = list(_notices(number))
    if signature is not None:
        for notice in standing:
            if notice.code != code:
                words = f"Done on {signature.slip.serial}."
                close_exception(notice, words, signature.person, signature.device, at)
    if not differing or any(notice.code == code for notice in standing):
        return
    open_exception(
        code=code,
        sentence=_sentence(number, word, on_file),
        details={
            "employee_number": number,
            "managers": [role.value for role in _managers(word, on_file)],
            # No one answers for what HR says of themselves.
            "badges": [on_file.fields["badge"]] if on_file is not None else [],
        },
        at=at,
        person=None,
        limit_seconds=int(_LEAVER_DUE.total_seconds()) if code == LEFT else None,
    )


def _sentence(number: str, word: Word, on_file: OnFile | None) -> str:
    fields = on_file.fields if on_file is not None else word.fields
    name = f"{fields.get('first_name', '')} {fields.get('last_name', '')}".strip()
    who = f"{name} ({number})" if name else number
    if not word.is_employed:
        return f"HR: {who} left. Remove their access now."
    if on_file is None:
        return f"HR: {who} joins. Two managers add them."
    return f"HR: {who} changed. Compare, and propose the change."


def _managers(word: Word, on_file: OnFile | None) -> list[Role]:
    named = word.fields.get("role") or (on_file.fields["role"] if on_file is not None else "")
    is_founding = bool(named) and not can_be_managed(Role(named), house.able_people())
    return managers_of(word, on_file, is_founding=is_founding)


def _notices(number: str) -> QuerySet[FloorException]:
    return FloorException.objects.select_for_update(of=("self",), no_key=True).filter(
        code__in=[LEFT, DIFFERS], details__employee_number=number, resolved_at=None
    )


def _newest(number: str) -> StaffWord | None:
    return StaffWord.objects.filter(employee_number=number).order_by("-id").first()


def _word(row: StaffWord) -> Word:
    return Word(row.is_employed, row.fields)


def _on_file(number: str) -> OnFile | None:
    person = Person.objects.filter(employee_number=number).first()
    if person is None:
        return None
    stored = fields_of(person).stored()
    return OnFile(
        fields={column: value or "" for column, value in stored.items()},
        has_access=person.is_active,
        has_left=not person.is_active and not standing_of(person.pk).is_stopped,
    )
