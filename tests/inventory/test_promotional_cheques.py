"""Promotional cheques leave the cage on a slip of two, and come back from the boxes on another."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from inventory.kinds.promotional import PROMOTIONAL_ISSUE_KIND, PROMOTIONAL_RETURN_KIND
from inventory.selectors.cheques import balances, cage_holding, public_holding
from pitboss.models import Person, Slip
from pitboss.rules.roles import Place
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from pitboss.slips.addresses import new_url
from pitboss.slips.kind import Kind
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cage import receive
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.house_cheques import PROMO_25, PROMO_SET, add_set
from tests.floor.tablets import signed_in, words

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("server_clock")]

FOUR = {PROMO_25: 4}


@pytest.fixture
def promo(cast: Cast, server_clock: ServerClock) -> Cast:
    """The cast, with a hundred promotional cheques in its cage that are in play."""
    add_set(cast, 2_500, **PROMO_SET)
    with refused("not_yet_in_play"):
        begin(cast, PROMOTIONAL_ISSUE_KIND, FOUR)
    server_clock.move(days=1)
    receive(cast, {PROMO_25: 100, 2_500: 100})
    return cast


def begin(
    cast: Cast,
    kind: Kind,
    cheques: Mapping[int, int],
    reason: str = "Ada Lovelace, May match play",
    by: Person | None = None,
) -> Slip:
    raising = kind.at(cheques=cheques)
    pen = cast.pen(by or cast.erin, Place.CAGE)
    return raise_kind(raising, pen=pen, shown=shown_before(raising), reason=reason)


def test_two_of_the_cage_give_promotional_cheques_to_a_player(promo: Cast) -> None:
    issue = begin(promo, PROMOTIONAL_ISSUE_KIND, FOUR)
    assert cage_holding()[PROMO_25] == 100
    counted = Entry(counted=FOUR)
    with refused("signed_before"):
        promo.sign(issue, "issued", promo.erin, Place.CAGE, entry=counted)
    with refused("wrong_role"):
        promo.sign(issue, "issued", promo.frank, Place.CAGE, entry=counted)
    promo.sign(issue, "issued", promo.trent, Place.CAGE, entry=counted)
    issue.refresh_from_db()
    assert (issue.status, issue.serial[:3]) == ("done", "IP-")
    assert (cage_holding()[PROMO_25], public_holding()[PROMO_25]) == (96, 4)
    assert all(balance.adds_up for balance in balances())
    assert verify().is_sound


def test_the_count_room_brings_back_what_the_boxes_held(promo: Cast) -> None:
    issue = begin(promo, PROMOTIONAL_ISSUE_KIND, FOUR)
    promo.sign(issue, "issued", promo.trent, Place.CAGE, entry=Entry(counted=FOUR))
    back = begin(promo, PROMOTIONAL_RETURN_KIND, {PROMO_25: 3}, "DC-2026-000001")
    counted = Entry(counted={PROMO_25: 3})
    with refused("wrong_role"):
        promo.sign(back, "handed_over", promo.trent, Place.CAGE, entry=counted)
    promo.sign(back, "handed_over", promo.quinn, Place.CAGE, entry=counted)
    assert (cage_holding()[PROMO_25], public_holding()[PROMO_25]) == (99, 1)
    assert verify().is_sound


def test_nothing_but_promotional_cheques_goes_out_so(promo: Cast) -> None:
    with refused("nothing_counted"):
        begin(promo, PROMOTIONAL_ISSUE_KIND, {})
    with refused("reason_missing"):
        begin(promo, PROMOTIONAL_ISSUE_KIND, FOUR, " ")
    for kind in (PROMOTIONAL_ISSUE_KIND, PROMOTIONAL_RETURN_KIND):
        with refused("not_promotional"):
            begin(promo, kind, {**FOUR, 2_500: 4})
    assert cage_holding()[2_500] == 100


def test_the_cage_offers_it_where_the_house_has_such_cheques(cast: Cast, promo: Cast) -> None:
    tablet = signed_in(promo.erin, promo, Place.CAGE)
    page = tablet.get("/cage/")
    assert "promotional cheques" in words(page)
    for kind in (PROMOTIONAL_ISSUE_KIND, PROMOTIONAL_RETURN_KIND):
        assert new_url(kind.kind) in page.content.decode()
        assert kind.heading is not None
        pad = tablet.get(new_url(kind.kind)).content.decode()
        assert f'name="stacks_{PROMO_25}"' in pad
        assert 'name="stacks_2500"' not in pad, "only promotional cheques are counted"


def test_a_house_without_them_is_offered_none(cast: Cast) -> None:
    assert "promotional cheques" not in words(signed_in(cast.erin, cast, Place.CAGE).get("/cage/"))
