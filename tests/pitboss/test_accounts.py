"""Accounts that no one uses, leaves of absence, and the access review of each quarter (A149)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.urls import reverse

from pitboss.kinds.access_review import ACCESS_REVIEW
from pitboss.kinds.leave_of_absence import LEAVE_OF_ABSENCE
from pitboss.kinds.person import PERSON_KIND, new_people
from pitboss.kinds.person_returns import PERSON_RETURNS
from pitboss.models import AccountEvent, FloorException, Person, Slip, Visit
from pitboss.rules.flows.flows import Track
from pitboss.rules.people.access_review import DEPARTMENTS, quarter_of
from pitboss.rules.people.staffing import read_person
from pitboss.rules.roles import Place, Role
from pitboss.selectors.access_reviews import people_reviewed
from pitboss.selectors.accounts import standing_of
from pitboss.services import house
from pitboss.services.accounts import sweep_accounts
from pitboss.services.people import begin_visit
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from pitboss.slips.addresses import new_url
from pitboss.slips.kind import Kind
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast, ServerClock, add_person, refused
from tests.floor.house import change
from tests.floor.tablets import signed_in, words
from tests.races import at_once
from tests.rules.test_staffing import ANA

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("server_clock")]


def sweep() -> None:
    sweep_accounts(now=house.now())


def use(cast: Cast, *people: Person) -> None:
    for person in people:
        begin_visit(person=person, device=cast.devices[Place.OFFICE])


def is_active(person: Person) -> bool:
    return Person.objects.get(pk=person.pk).is_active


def propose(cast: Cast, kind: Kind, by: Person, **given: Any) -> Slip:
    raising = kind.at(**given)
    return raise_kind(
        raising,
        reason="As asked.",
        pen=cast.pen(by, Place.OFFICE),
        shown=shown_before(raising),
    )


# ------------------------------------------------------------------ dormant accounts


def test_a149_an_account_unused_for_45_days_is_suspended_with_its_sessions(
    cast: Cast, server_clock: ServerClock
) -> None:
    sweep()
    use(cast, *cast.people)
    server_clock.move(days=44)
    sweep()
    assert is_active(cast.dan)
    server_clock.move(days=1)
    sweep()
    assert not is_active(cast.dan)
    assert not Visit.objects.filter(person=cast.dan, ended_at=None).exists()
    floor_exception = FloorException.objects.get(
        code="account_dormant", details__badge=cast.dan.badge
    )
    assert "not used" in floor_exception.sentence
    with refused("not_employed"):
        cast.ask(by=cast.alice)
    assert verify().is_sound


def test_a149_one_that_was_never_used_is_suspended_after_14(
    cast: Cast, server_clock: ServerClock
) -> None:
    sweep()
    server_clock.move(days=14)
    use(cast, cast.dan)
    sweep()
    assert is_active(cast.dan)
    assert not is_active(cast.dora)
    assert standing_of(cast.dora.pk).words == "suspended, never used"
    sweep()
    assert AccountEvent.objects.filter(person=cast.dora).count() == 2, "known, suspended once"


def test_a149_the_house_keeps_who_it_cannot_do_without(
    cast: Cast, server_clock: ServerClock
) -> None:
    sweep()
    server_clock.move(days=60)
    sweep()
    assert [is_active(person) for person in (cast.heidi, cast.mike)] == [True, True]
    floor_exception = FloorException.objects.get(
        code="account_dormant", details__badge=cast.heidi.badge
    )
    assert "can’t do without it" in floor_exception.sentence


def test_a149_the_days_are_a_setting_and_0_is_never(cast: Cast, server_clock: ServerClock) -> None:
    change(cast, "people.dormant_days", "0")
    change(cast, "people.dormant_new_days", "0")
    sweep()
    server_clock.move(days=400)
    sweep()
    assert not AccountEvent.objects.exclude(step="known").exists()


def test_a149_two_managers_bring_somebody_back(cast: Cast, server_clock: ServerClock) -> None:
    with refused("not_suspended", journal=("sign_refused",)):
        propose(cast, PERSON_RETURNS, cast.carol, person=cast.dan)
    sweep()
    server_clock.move(days=14)
    use(cast, cast.carol, cast.heidi, cast.mike)
    sweep()
    slip = propose(cast, PERSON_RETURNS, cast.carol, person=cast.dan)
    assert not is_active(cast.dan)
    with refused("signed_before"):
        cast.sign(slip, "approved", cast.carol, Place.OFFICE)
    cast.sign(slip, "approved", cast.heidi, Place.OFFICE)
    assert is_active(cast.dan)
    server_clock.move(days=13)
    sweep()
    assert is_active(cast.dan), "the days count from the day they came back"
    assert verify().is_sound


def test_a149_past_the_service_nobody_comes_back_by_one(
    cast: Cast, server_clock: ServerClock
) -> None:
    sweep()
    server_clock.move(days=14)
    use(cast, cast.carol)
    sweep()
    slip = propose(cast, PERSON_RETURNS, cast.carol, person=cast.dan)
    event = AccountEvent(person=cast.dan, step="restored", slip=slip, at=house.now())
    with pytest.raises(IntegrityError, match="two people sign"), transaction.atomic():
        event.save()
    for wrong in (
        AccountEvent(person=cast.dan, step="restored", at=house.now()),
        AccountEvent(person=cast.dan, step="suspended", at=house.now()),
        AccountEvent(person=cast.dan, step="known", at=house.now()),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            wrong.save()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE pitboss_accountevent SET step = 'restored', why = 'on_leave'")


def test_a_leave_of_absence_suspends_and_ends_by_itself(
    cast: Cast, server_clock: ServerClock
) -> None:
    sweep()
    use(cast, *cast.people)
    days: dict[str, Any] = {"person": cast.dan, "first": "2026-05-11", "last": "2026-08-31"}
    with refused("leave_ends_first"):
        propose(cast, LEAVE_OF_ABSENCE, cast.carol, **{**days, "last": "2026-05-01"})
    slip = propose(cast, LEAVE_OF_ABSENCE, cast.carol, **days)
    cast.sign(slip, "approved", cast.heidi, Place.OFFICE)
    sweep()
    assert is_active(cast.dan), "it has not begun"
    server_clock.move(days=10)
    sweep()
    assert not is_active(cast.dan)
    assert standing_of(cast.dan.pk).words == "on leave to Aug 31"
    server_clock.move(days=112)
    sweep()
    assert not is_active(cast.dan), "its last day"
    server_clock.move(days=1)
    sweep()
    assert is_active(cast.dan)
    server_clock.move(days=44)
    sweep()
    assert is_active(cast.dan), "the days away do not count"
    assert verify().is_sound


def test_an_account_is_suspended_once_by_two_sweeps_at_once(
    cast: Cast, server_clock: ServerClock
) -> None:
    sweep()
    server_clock.move(days=14)
    at_once(sweep, sweep)
    assert AccountEvent.objects.filter(person=cast.dan, step="suspended").count() == 1


# ------------------------------------------------------------------ access reviews


def answers(cast: Cast, department: str, **instead: str) -> dict[str, str]:
    """Return keep for everyone of a department, and otherwise for some by name."""
    other = {str(getattr(cast, name).pk): verdict for name, verdict in instead.items()}
    lines = people_reviewed(DEPARTMENTS[department], house.period_at(house.now()).gaming_day)
    return {str(line.person): "keep" for line, _ in lines} | other


def review(
    cast: Cast, department: str, by: Person, line: dict[str, str] | None = None, quarter: Any = None
) -> Slip:
    today = house.period_at(house.now()).gaming_day
    return propose(
        cast,
        ACCESS_REVIEW,
        by,
        department=DEPARTMENTS[department],
        quarter=quarter or quarter_of(today),
        line=answers(cast, department) if line is None else line,
    )


def test_a149_remove_ends_a_session_at_once(cast: Cast) -> None:
    client = signed_in(cast.dan, cast)
    use(cast, cast.dan)
    assert client.get(reverse("own-payouts")).status_code == 200
    slip = review(cast, "pit", cast.heidi, answers(cast, "pit", dan="remove"))
    assert slip.status == "open", "compliance has not signed"
    assert not is_active(cast.dan)
    assert client.get(reverse("own-payouts")).status_code == 302
    assert not Visit.objects.filter(person=cast.dan, ended_at=None).exists()
    with refused("wrong_role"):
        cast.sign(slip, "confirmed", cast.mike, Place.OFFICE)
    cast.sign(slip, "confirmed", cast.petra, Place.OFFICE)
    assert Slip.objects.get(pk=slip.pk).status == "done"
    back = propose(cast, PERSON_RETURNS, cast.carol, person=cast.dan)
    cast.sign(back, "approved", cast.heidi, Place.OFFICE)
    assert is_active(cast.dan)
    assert verify().is_sound


@pytest.mark.parametrize(
    ("by", "changed", "codes"),
    [
        ("heidi", {"dan": ""}, {"verdict_missing"}),
        ("heidi", {"dan": "burn"}, {"verdict_missing"}),
        ("heidi", {"erin": "keep"}, {"review_changed"}),
        ("trent", {}, {"wrong_role"}),
        ("heidi", {"heidi": "remove"}, {"own_papers", "too_few_shift_managers"}),
    ],
)
def test_a149_a_review_that_does_not_hold_is_refused(
    cast: Cast, by: str, changed: dict[str, str], codes: set[str]
) -> None:
    with refused(*codes):
        review(cast, "pit", getattr(cast, by), answers(cast, "pit", **changed))


def test_a149_each_department_is_reviewed_once_a_quarter(cast: Cast) -> None:
    slip = review(cast, "pit", cast.heidi)
    with refused("already_reviewed"):
        review(cast, "pit", cast.mike)
    entry = Entry(reason="Two people are missing.")
    cast.sign(slip, "refused", cast.petra, Place.OFFICE, entry=entry, track=Track.VOID)
    review(cast, "pit", cast.mike)


def test_a149_a_change_is_asked_of_managers(cast: Cast) -> None:
    slip = review(cast, "cage", cast.trent, answers(cast, "cage", erin="change"))
    floor_exception = FloorException.objects.get(code="access_change")
    assert floor_exception.slip == slip
    assert str(cast.erin) in floor_exception.sentence


def test_a149_a_review_that_compliance_did_not_sign_is_red_two_weeks_later(
    cast: Cast, server_clock: ServerClock
) -> None:
    sweep()
    slip = review(cast, "pit", cast.heidi)
    for name in DEPARTMENTS:
        if name != "pit":
            head = next(p for p in cast.people if Role(p.role) in DEPARTMENTS[name].heads)
            cast.sign(review(cast, name, head), "confirmed", cast.petra, Place.OFFICE)
    server_clock.move(days=74)  # July 14
    sweep()
    late = FloorException.objects.filter(code="access_review_late")
    assert not late.exists()
    use(cast, cast.petra, cast.ruth, cast.olga)
    server_clock.move(days=1)
    sweep()
    sweep()
    assert [floor_exception.details["department"] for floor_exception in late] == ["pit"]
    assert late.get().waits.get().by == ["controller"]
    page = words(signed_in(cast.ruth, cast).get(reverse("access-reviews")))
    assert "Overdue" in page
    assert page.count("Done") == len(DEPARTMENTS) - 1
    Person.objects.filter(pk=cast.petra.pk).update(is_active=True)
    cast.sign(slip, "confirmed", cast.petra, Place.OFFICE)
    page = words(signed_in(cast.ruth, cast).get(reverse("access-reviews")))
    assert "Overdue" not in page


def test_a149_compliance_cannot_add_people_or_raise_them(cast: Cast) -> None:
    auditor = replace(read_person(ANA), role=Role.AUDITOR)
    add = replace(PERSON_KIND.at(), draft=new_people([auditor]))
    with refused("grants_no_access"):
        raise_kind(
            add, reason="Hired.", pen=cast.pen(cast.petra, Place.OFFICE), shown=shown_before(add)
        )
    slip = raise_kind(
        add, reason="Hired.", pen=cast.pen(cast.vera, Place.OFFICE), shown=shown_before(add)
    )
    with refused("grants_no_access"):
        cast.sign(slip, "approved", cast.petra, Place.OFFICE)
    cast.sign(slip, "approved", cast.ruth, Place.OFFICE)
    page = words(signed_in(cast.petra, cast).get(reverse("people")))
    assert "Add a person" not in page
    assert "Access reviews" in page


def test_a149_the_review_is_one_line_a_person_with_three_buttons(cast: Cast) -> None:
    client = signed_in(cast.heidi, cast)
    board = words(client.get(reverse("access-reviews")))
    url = new_url("access_review", department="pit", quarter="2026-Q2")
    assert url.replace("&", "&amp;") in client.get(reverse("access-reviews")).content.decode()
    assert "Not reviewed" in board
    page = client.get(url).content.decode()
    assert page.count('type="radio"') == 3 * len(answers(cast, "pit"))
    lines = {f"line_{person}": item for person, item in answers(cast, "pit").items()}
    reviewed = client.post(url, lines)
    assert "KEEP" in words(reviewed)
    assert reviewed.status_code == 200
    assert client.get(new_url("access_review", department="moon")).status_code == 404


def test_a_person_page_offers_leave_and_restores(cast: Cast, server_clock: ServerClock) -> None:
    add_person("nina", "741", Role.DEALER)
    sweep()
    server_clock.move(days=14)
    use(cast, *cast.people)
    sweep()
    nina = Person.objects.get(badge="741")
    client = signed_in(cast.carol, cast)
    assert "Leave of absence" in words(client.get(reverse("person-edit", args=[cast.dan.pk])))
    shown = words(client.get(reverse("person-edit", args=[nina.pk])))
    assert "Suspended, never used" in shown
    assert "Restore" in shown
    assert "Suspended, never used" in words(client.get(reverse("people")))
    page = client.get(new_url("person_returns", person=nina.pk))
    assert page.status_code == 200
    assert "comes back" in words(page)
    assert client.get(new_url("leave_of_absence", person=cast.dan.pk)).status_code == 200
