"""The cage's own slips on the screen: entered by stacks or dollars, reviewed, signed, changed."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client

from inventory.kinds.deposits import FRONT_DEPOSIT
from pitboss.models import Slip
from pitboss.rules.cheques.cheques import BY_CENTS
from pitboss.rules.roles import Place
from pitboss.slips.addresses import new_url
from tests.floor.cast import Cast
from tests.floor.deposits import begin, by_patron
from tests.floor.markers import make_patron
from tests.floor.tablets import fields_of, signed_in, signing, words

pytestmark = pytest.mark.django_db

FOUND = {10_000: 45, 2_500: 100}


def by_stacks(counted: dict[int, int]) -> dict[str, Any]:
    """Return what the pad posts for a count of every colour of the house."""
    fields: dict[str, Any] = {"by": "stacks"}
    for cents in BY_CENTS:
        stacks, odd = divmod(counted.get(cents, 0), 20)
        fields |= {f"stacks_{cents}": stacks, f"odd_{cents}": odd}
    return fields


@pytest.fixture
def cage(cast: Cast) -> Client:
    return signed_in(cast.trent, cast, Place.CAGE)


def test_a_count_by_stacks_is_signed_as_what_it_came_to(cast: Cast, cage: Client) -> None:
    url = new_url("cage_count")
    assert 'name="stacks_2500"' in words(cage.get(url))
    pad = words(cage.post(url, by_stacks(FOUND)))
    carried = fields_of(pad)
    assert (carried["cheques_10000"], carried["cheques_2500"]) == ("45", "100")
    assert carried["cheques_500"] == "0", "a colour that was found empty is no colour left out"
    assert "by" not in carried
    answer = cage.post(url, signing(pad, cast.erin))
    slip = Slip.objects.get(kind="cage_count")
    assert answer.headers["Location"] == f"/slips/{slip.serial}/"
    assert slip.cheques_by_cents == FOUND
    assert slip.signatures.get().counted == slip.cheques


def test_a_count_that_is_to_be_changed_comes_back_to_the_pad(cage: Client) -> None:
    url = new_url("cage_count")
    pad = words(cage.post(url, by_stacks(FOUND)))
    change = re.search(r'href="(/slips/new/cage_count/\?[^"]*cheques_10000=45[^"]*)"', pad)
    assert change is not None, "there is no way back to the pad"
    again = words(cage.get(html.unescape(change[1])))
    shown = dict(re.findall(r'name="((?:stacks|odd)_\d+)" value="(\d*)"', again))
    assert (shown["stacks_10000"], shown["odd_10000"]) == ("2", "5")
    assert (shown["stacks_500"], shown["odd_500"]) == ("0", "0")


def test_a_colour_that_is_not_counted_is_said_in_its_row(cage: Client) -> None:
    posted = by_stacks(FOUND) | {"odd_500": "", "odd_100": "x"}
    answer = cage.post(new_url("cage_count"), posted)
    page = words(answer)
    assert answer.status_code == 422
    assert "$5 red isn’t counted." in page
    assert "is not a whole number." in page
    assert 'name="stacks_2500" value="5"' in page, "what was entered stays"
    posted = by_stacks(FOUND) | {"by": "a glance"}
    answer = cage.post(new_url("cage_count"), posted)
    assert "by stacks, by cheques, or by dollars" in words(answer)


def test_a_count_that_cannot_be_read_is_asked_again_and_signed_by_nobody(
    cast: Cast, cage: Client
) -> None:
    url = new_url("cage_count")
    pad = words(cage.post(url, by_stacks(FOUND)))
    answer = cage.post(url, signing(pad, cast.erin, cheques_10000="a stack"))
    page = words(answer)
    assert answer.status_code == 422
    assert 'id="count-pad"' in page
    assert 'name="pin"' not in page
    assert 'name="stacks_2500" value="5"' in page, "what could be read stays"
    assert not Slip.objects.exists()


def test_house_cheques_are_received_by_dollars_with_their_maker(cast: Cast, cage: Client) -> None:
    url = new_url("house_receipt")
    dollars = {f"dollars_{cents}": "0" for cents in BY_CENTS} | {"by": "dollars"}
    nothing = cage.post(url, dollars)
    assert (nothing.status_code, "Count at least one cheque." in words(nothing)) == (
        422,
        True,
    )
    pad = words(cage.post(url, dollars | {"dollars_2500": "2,500"}))
    assert "Maker and invoice" in pad
    without = cage.post(url, signing(pad, cast.erin))
    assert without.status_code == 422
    cage.post(url, signing(words(without), cast.erin, reason="Invoice 4471"))
    slip = Slip.objects.get(kind="house_receipt")
    assert (slip.cheques_by_cents, slip.reason) == ({2_500: 100}, "Invoice 4471")


@pytest.mark.parametrize(
    ("old", "kind"),
    [
        ("/cage/count/", "cage_count"),
        ("/cage/count/sign", "cage_count"),
        ("/cage/receipt/", "house_receipt"),
        ("/cage/receipt/sign", "house_receipt"),
        ("/cage/destruction/", "house_destruction"),
        ("/cage/destruction/sign", "house_destruction"),
    ],
)
def test_where_the_cage_raised_its_slips_leads_to_where_all_are_raised(
    cast: Cast, cage: Client, old: str, kind: str
) -> None:
    pad = words(cage.post(new_url(kind), by_stacks(FOUND)))
    for answer in (cage.get(old), cage.post(old, signing(pad, cast.trent, reason="Worn."))):
        assert (answer.status_code, answer.headers["Location"]) == (308, f"{new_url(kind)}?")


def test_what_waits_at_the_cage_is_in_its_queue_whatever_its_kind(cast: Cast) -> None:
    ana = make_patron(cast, tax_id="123-45-6789")
    slip = begin(cast, FRONT_DEPOSIT, ana, account="front_money", means="cash", amount=50_000)
    by_patron(cast, slip)
    queue = words(signed_in(cast.trent, cast, Place.CAGE).get("/cage/"))
    assert "Deposit: Verify" in queue
    assert slip.serial in queue
