"""A limit of one's own is set by two managers, dated, and holds whatever one signs for."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import Error, connection, transaction

from pitboss.kinds.limit import LIMIT_KIND, drafted_limit
from pitboss.models import Person, PersonLimit, Slip
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.shown import request_shown
from pitboss.services.verification import verify
from pitboss.slips.addresses import new_url
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import SOME_CHEQUES, Cast, ServerClock, refused
from tests.floor.house import change
from tests.floor.tablets import words
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db(transaction=True)
# SOME_CHEQUES are $2,500.
BELOW = "2,499"


def propose(
    cast: Cast,
    who: Person,
    keyed: str,
    *,
    kind: str = "fill",
    holds_from: str = "",
    by: Person | None = None,
) -> Slip:
    raising = LIMIT_KIND.at(
        person=who, kind=kind, most=keyed, **dict[str, Any]({"from": holds_from})
    )
    return raise_kind(
        raising,
        reason="New in the pit.",
        pen=cast.pen(by or cast.carol, Place.OFFICE),
        shown=shown_before(raising),
    )


def limit(cast: Cast, who: Person, keyed: str, **more: Any) -> PersonLimit:
    slip = propose(cast, who, keyed, **more)
    cast.sign(slip, "approved", cast.heidi, Place.OFFICE)
    return PersonLimit.objects.get(slip=slip)


def test_somebody_with_a_limit_asks_for_no_more_and_is_told_how_much(cast: Cast) -> None:
    limit(cast, cast.alice, BELOW)
    with refused("over_own_limit"):
        cast.ask()
    with pytest.raises(Refused, match=r"The most A. Aliceson can sign for in one fill is \$2,499"):
        cast.ask()
    cast.ask({2_500: 99})
    cast.ask(by=cast.bob)
    assert verify().is_sound


def test_it_holds_for_every_signature_until_the_cheques_are_under_way(cast: Cast) -> None:
    slip = cast.ask()
    approval = propose(cast, cast.erin, BELOW, by=cast.trent)
    cast.sign(approval, "approved", cast.mike, Place.OFFICE)
    with refused("over_own_limit"):
        cast.sign(slip, "issued", cast.erin, Place.CAGE)
    cast.sign(slip, "issued", cast.trent, Place.CAGE)
    cast.sign(slip, "carried", cast.frank, Place.CAGE)
    limit(cast, cast.dan, BELOW)
    limit(cast, cast.alice, BELOW)
    # It is on its way: whoever stands at the table may take it in.
    cast.sign(slip, "agreed", cast.dan, entry=cast.agreement(slip))
    cast.sign(slip, "received", cast.alice)


def test_the_way_out_stays_open_to_whoever_may_not_sign_for_it(cast: Cast) -> None:
    slip = cast.ask()
    approval = propose(cast, cast.erin, BELOW, by=cast.trent)
    cast.sign(approval, "approved", cast.mike, Place.OFFICE)
    cast.void(slip)
    slip.refresh_from_db()
    assert slip.status == SlipStatus.VOIDED


def test_it_takes_the_place_of_the_rank_in_both_directions(cast: Cast) -> None:
    change(cast, "limit.fill.supervisor", BELOW)
    with refused("over_limit_of_rank"):
        cast.ask()
    limit(cast, cast.alice, "5,000")
    cast.ask()
    limit(cast, cast.alice, "none")
    with refused("over_limit_of_rank"):
        cast.ask()


def test_it_holds_for_its_kind_and_from_its_time(cast: Cast, server_clock: ServerClock) -> None:
    limit(cast, cast.alice, BELOW, kind="credit")
    cast.ask()
    limit(cast, cast.alice, BELOW, holds_from="2026-05-01T12:00")
    cast.ask()
    server_clock.move(hours=3)
    with refused("over_own_limit"):
        cast.ask()


@pytest.mark.parametrize(
    ("kind", "keyed", "holds_from", "codes"),
    [
        ("jackpot", "lots", "2020-01-01T00:00",
         ("kind_unknown", "amount_malformed", "holds_from_past")),
        ("fill", "0.50", "", ("amount_out_of_range",)),
    ],
)  # fmt: skip
def test_every_reason_is_told_before_anything_is_shown(
    cast: Cast, kind: str, keyed: str, holds_from: str, codes: tuple[str, ...]
) -> None:
    with refused(*codes, journal=()):
        drafted_limit(cast.alice, kind, keyed, holds_from)


def test_nobody_sets_it_alone_nor_their_own_nor_of_another_department(cast: Cast) -> None:
    slip = propose(cast, cast.alice, BELOW)
    with refused("signed_before"):
        cast.sign(slip, "approved", cast.carol, Place.OFFICE)
    with refused("wrong_role"):
        cast.sign(slip, "approved", cast.trent, Place.OFFICE)
    with refused("already_proposed"):
        propose(cast, cast.alice, "100")
    with refused("own_papers"):
        propose(cast, cast.heidi, BELOW, by=cast.heidi)
    with refused("wrong_role"):
        propose(cast, cast.erin, BELOW)
    cast.ask()


def test_the_same_again_and_one_who_left_are_refused(cast: Cast, server_clock: ServerClock) -> None:
    limit(cast, cast.alice, BELOW)
    with refused("nothing_changes"):
        propose(cast, cast.alice, BELOW)
    late = propose(cast, cast.alice, "100", holds_from="2026-05-01T10:00")
    server_clock.move(hours=2)
    with refused("holds_from_past"):
        cast.sign(late, "approved", cast.heidi, Place.OFFICE)
    Person.objects.filter(pk=cast.bob.pk).update(is_active=False)
    with refused("not_employed"):
        propose(cast, cast.bob, BELOW)


def test_the_database_takes_no_limit_that_two_people_did_not_sign(cast: Cast) -> None:
    row = limit(cast, cast.alice, BELOW)
    open_slip = propose(cast, cast.bob, BELOW)
    forged = [
        PersonLimit(person=cast.bob, kind="fill", most_cents=249_900, holds_from=house.now(),
                    slip=open_slip),
        PersonLimit(person=cast.bob, kind="fill", most_cents=249_900, holds_from=row.holds_from,
                    slip=row.slip),
        PersonLimit(person=cast.alice, kind="fill", most_cents=9, holds_from=row.holds_from,
                    slip=row.slip),
        PersonLimit(person=cast.alice, kind="fill", most_cents=249_900, slip=row.slip,
                    holds_from=row.holds_from - timedelta(days=1)),
    ]  # fmt: skip
    for person_limit in forged:
        with pytest.raises(Error, match="no slip signed by two people"), transaction.atomic():
            person_limit.save(force_insert=True)
    for statement in ("UPDATE pitboss_personlimit SET most_cents = 1",
                      "DELETE FROM pitboss_personlimit"):  # fmt: skip
        with pytest.raises(Error, match="permission denied"), transaction.atomic():
            connection.cursor().execute(statement)
    assert list(PersonLimit.objects.all()) == [row]


def test_a_limit_is_proposed_and_looked_up_on_the_screens(cast: Cast) -> None:
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    url = f"/people/{cast.alice.pk}/limits/"
    assert "No personal limit" in words(client.get(url))
    keyed = {"kind": "fill", "most": BELOW, "from": ""}
    address = new_url("limit_change", person=cast.alice.pk)
    assert client.post(f"{url}propose", keyed)["Location"] == address
    looked = words(client.post(address, keyed))
    assert "$2,499 in one fill" in looked
    wrong = client.post(address, keyed | {"most": "much"})
    assert wrong.status_code == 422
    pen = cast.pen(cast.carol, Place.OFFICE)
    new = drafted_limit(cast.alice, "fill", BELOW, "")
    posted = keyed | {
        "badge": pen.badge, "pin": pen.pin, "request_id": str(pen.request_id), "reason": "New.",
        "shown": request_shown(new, None),
    }  # fmt: skip
    assert client.post(address, posted | {"pin": "000000"}).status_code == 422
    assert client.post(address, posted).status_code == 302
    assert "Proposed" in words(client.get(url))
    slip = Slip.objects.get(kind="limit_change")
    cast.sign(slip, "approved", cast.heidi, Place.OFFICE)
    page = words(client.get(url))
    assert "C. Carolson TG-103, H. Heidison TG-108" in page
    assert "$2,499" in page
    # What comes later than now does not hold now.
    limit(cast, cast.alice, "none")
    assert "same as role" in words(client.get(url))


def test_the_amount_of_the_tests_is_over_the_limit_by_a_dollar() -> None:
    assert sum(cents * count for cents, count in SOME_CHEQUES.items()) == 250_000
