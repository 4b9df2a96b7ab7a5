"""People keyed and imported: each wrong column is refused, each wrong line is named."""

from __future__ import annotations

from datetime import date

import pytest

from pitboss.rules.people.staffing import COLUMNS, IMPORT_MAX, SUBJECT, read_people, read_person
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Role, may_manage

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
    assert ana.words()["License expires"] == "Dec 31, 2027"
    bare = read_person({**ANA, "licence_number": "", "licence_ends": ""})
    assert (bare.words()["License"], bare.words()["License expires"]) == ("none", "never")
    assert bare.stored()["licence_ends"] is None


def test_a_subject_is_one_of_the_provider_and_is_kept_without_one() -> None:
    issuer = "https://id.example.com"
    ana = read_person({**ANA, SUBJECT: " u-17 "}, issuer=issuer, identity="the one before")
    assert ana.identity == ana.stored()["identity"] == f"{issuer} u-17"
    assert ana.words()["Provider sign-in"] == f"u-17 at {issuer}"
    assert read_person(ANA, issuer=issuer, identity="the one before").identity == ""
    assert read_person({**ANA, SUBJECT: "u-17"}, identity="kept").identity == "kept"
    with pytest.raises(Refused) as refused:
        read_person({**ANA, SUBJECT: "ü" * 3}, issuer=issuer)
    assert refused.value.codes == ("subject_malformed",)


def test_a_list_names_each_subject_once() -> None:
    heading = f"{HEADING},{SUBJECT}"
    lines = [
        f"{line(badge=str(number), employee_number=f'E{number}')},{subject}"
        for number, subject in ((1, "u-1"), (2, ""), (3, ""), (4, "u-1"))
    ]
    text = "\n".join([heading, *lines])
    with pytest.raises(Refused) as refused:
        read_people(text, issuer="https://id.example.com")
    assert refused.value.codes == ("twice_in_file",)
    assert len(read_people(text)) == 4


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
    text = "\ufeffRole,Badge,First name,Last name,Employee number,License number,License expires\n"
    people = read_people(text + "cashier,9,Bo,Lind,E9,,\n\n")
    assert [(person.badge, person.role) for person in people] == [("9", Role.CASHIER)]


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
        (Role.SHIFT_MANAGER, Role.AUDITOR, False),
        (Role.COMPLIANCE, Role.AUDITOR, True),
        (Role.COMPLIANCE, Role.DEALER, False),
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
