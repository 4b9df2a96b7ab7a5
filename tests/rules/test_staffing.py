"""People keyed and imported: each wrong column is refused, each wrong line is named."""

from __future__ import annotations

from datetime import date

import pytest

from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Role
from pitboss.rules.staffing import COLUMNS, IMPORT_MAX, may_manage, read_people, read_person

ANA = {
    "badge": "777",
    "first_name": "Ana",
    "last_name": "Ruiz",
    "role": "dealer",
    "employee_number": "E777",
    "licence_number": "TG-777",
    "licence_ends": "2027-12-31",
}
HEADING = ",".join(COLUMNS)


def line(**changes: str) -> str:
    return ",".join({**ANA, **changes}.values())


def test_a_person_is_read_as_keyed() -> None:
    ana = read_person(ANA)
    assert (ana.role, ana.licence_ends) == (Role.DEALER, date(2027, 12, 31))
    assert ana.stored() == ANA
    assert ana.words()["Licence ends"] == "31 Dec 2027"
    bare = read_person({**ANA, "licence_number": "", "licence_ends": ""})
    assert (bare.words()["Licence"], bare.words()["Licence ends"]) == ("none", "never")
    assert bare.stored()["licence_ends"] is None


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"badge": ""}, "badge_malformed"),
        ({"badge": "77 7"}, "badge_malformed"),
        ({"badge": "1" * 13}, "badge_malformed"),
        ({"first_name": " "}, "field_missing"),
        ({"last_name": "x" * 41}, "text_too_long"),
        ({"last_name": "a\x00b"}, "text_too_long"),
        ({"employee_number": ""}, "field_missing"),
        ({"role": "croupier"}, "role_unknown"),
        ({"licence_ends": "31.12.2027"}, "date_malformed"),
        ({"licence_number": ""}, "field_missing"),
    ],
)
def test_each_wrong_column_is_refused(change: dict[str, str], code: str) -> None:
    with pytest.raises(Refused) as refused:
        read_person({**ANA, **change})
    assert refused.value.codes == (code,)


def test_a_role_may_be_written_as_it_is_said() -> None:
    assert read_person({**ANA, "role": "Security officer"}).role == Role.SECURITY


def test_a_list_is_read_whatever_the_order_of_its_columns() -> None:
    text = "\ufeffRole,Badge,First name,Last name,Employee number,Licence number,Licence ends\n"
    people = read_people(text + "cashier,9,Bo,Lind,E9,,\n\n")
    assert [(each.badge, each.role) for each in people] == [("9", Role.CASHIER)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "heading_wrong"),
        ("badge,first_name\n1,Ana", "heading_wrong"),
        (HEADING, "import_size"),
        ("\n".join([HEADING, *[line(badge=str(n)) for n in range(IMPORT_MAX + 1)]]), "import_size"),
    ],
)
def test_a_list_that_is_none_is_refused(text: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        read_people(text)
    assert refused.value.codes == (code,)


def test_every_error_of_a_list_is_told_by_its_line() -> None:
    text = "\n".join(
        [
            HEADING,
            line(),
            line(badge="778", role="croupier", employee_number=""),
            line(employee_number="E779"),
            "780,Bo",
        ]
    )
    with pytest.raises(Refused) as refused:
        read_people(text)
    told = [(refusal.code, refusal.message[:6]) for refusal in refused.value.refusals]
    assert told == [
        ("field_missing", "Line 3"),
        ("role_unknown", "Line 3"),
        ("twice_in_file", "Line 4"),
        ("field_missing", "Line 5"),
        ("field_missing", "Line 5"),
        ("role_unknown", "Line 5"),
    ]


@pytest.mark.parametrize(
    ("manager", "role", "may"),
    [
        (Role.SHIFT_MANAGER, Role.AUDITOR, True),
        (Role.SHIFT_MANAGER, Role.SHIFT_MANAGER, True),
        (Role.SECURITY_MANAGER, Role.SHIFT_MANAGER, True),
        (Role.PIT_MANAGER, Role.SUPERVISOR, True),
        (Role.PIT_MANAGER, Role.PIT_MANAGER, False),
        (Role.PIT_MANAGER, Role.CASHIER, False),
        (Role.SUPERVISOR, Role.DEALER, False),
        (Role.ADMINISTRATOR, Role.DEALER, False),
    ],
)
def test_a_manager_has_a_say_over_the_own_department(manager: Role, role: Role, may: bool) -> None:
    assert may_manage(manager, role) is may
