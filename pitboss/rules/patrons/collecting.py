"""Contacts with a patron who owes: by which way, and what each must say."""

from __future__ import annotations

from datetime import date
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.canonical import is_plain
from pitboss.rules.refusal import NOT_YOURS, Refusal
from pitboss.rules.roles import Role

SAYS_MAX: Final = 500


@unique
class ContactBy(StrEnum):
    """How a patron was asked for what they owe. The values are stored."""

    PHONE = "phone"
    MAIL = "mail"
    EMAIL = "email"
    IN_PERSON = "in_person"
    ATTORNEY = "attorney"

    @property
    def label(self) -> str:
        return _LABELS[self]


_LABELS: Final = {
    ContactBy.PHONE: "Phone",
    ContactBy.MAIL: "Mail",
    ContactBy.EMAIL: "Email",
    ContactBy.IN_PERSON: "In person",
    ContactBy.ATTORNEY: "Through an attorney",
}


def contact_refusals(
    role: Role, says: str, next_on: date | None, today: date, *, owes: bool
) -> list[Refusal]:
    """Return why a contact can’t be logged.

    >>> may = date(2026, 5, 1)
    >>> [each.code for each in contact_refusals(Role.CASHIER, "", may, may, owes=False)]
    ['not_a_collector', 'contact_missing', 'next_past', 'nothing_to_collect']
    >>> contact_refusals(Role.COLLECTOR, "Left a message.", None, may, owes=True)
    []
    """
    refusals = []
    if role is not Role.COLLECTOR:
        refusals.append(
            Refusal("not_a_collector", "Only a collector can log a contact.", NOT_YOURS)
        )
    if not says or len(says) > SAYS_MAX or not is_plain(says):
        refusals.append(
            Refusal("contact_missing", f"Enter what was said, in {SAYS_MAX} characters or fewer.")
        )
    if next_on is not None and next_on <= today:
        refusals.append(Refusal("next_past", "Next contact must be after today. Choose a day."))
    if not owes:
        refusals.append(
            Refusal(
                "nothing_to_collect",
                "This patron has no returned check and nothing past due. There "
                "is nothing to collect.",
            )
        )
    return refusals
