"""Tax papers on the screen: who won, who shares it, what a stranger to the country is asked."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from jackpots.models import TaxForm
from pitboss.models import Slip
from pitboss.rules.roles import Place
from pitboss.slips.addresses import new_url
from tests.floor.cast import Cast, pin_of
from tests.floor.jackpots import SUITED, hit, open_tables
from tests.floor.tablets import words
from tests.floor.tax_papers import IDS, make_winner
from tests.test_access import signed_in

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("server_clock"),
]


def test_a_shared_win_is_keyed_part_by_part_and_signed_as_shown(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, SUITED)
    ana = make_winner(cast)
    bea = make_winner(cast, "Bea", "Lund", tax_id="234-56-7890", ids=())
    pit = signed_in(cast.alice, cast.devices[Place.PIT])
    led = reverse("tax-papers", args=[slip.serial])
    url = new_url("tax_papers", of=slip.serial)
    assert pit.get(led)["Location"] == url
    found = words(pit.get(f"{url}&patron={ana.pk}&q=lund"))
    assert f"also={bea.pk}" in found
    documents = list(ana.documents.order_by("pk").values_list("pk", flat=True))
    keyed = {
        "patron": ana.pk,
        "also": f"{bea.pk},{bea.pk},x,{ana.pk},999999",
        f"share_{ana.pk}": "14,310.55",
        f"share_{bea.pk}": "9,999.99",
        "id_first": documents[0],
        "id_second": documents[1],
    }
    refused = pit.post(url, keyed)
    assert refused.status_code == 422
    assert "The parts total" in words(refused)
    keyed[f"share_{bea.pk}"] = "10,000"
    looked = pit.post(url, keyed)
    assert looked.status_code == 200
    page = words(looked)
    for must in ("Form 5754", "Bea Lund", "•••7890", "$18,477.22"):
        assert must in page
    signed = pit.post(
        url,
        {
            **keyed,
            "badge": cast.alice.badge,
            "pin": pin_of(cast.alice.badge),
            "request_id": str(uuid4()),
            "shown": looked.context["pad"]["shown"],
        },
    )
    papers = Slip.objects.get(kind="tax_papers")
    assert signed["Location"] == reverse("slip", args=[papers.serial])
    # Whoever comes next is led to the papers that are under way.
    assert pit.get(led)["Location"] == signed["Location"]
    assert not TaxForm.objects.exists()


def test_a_non_resident_is_asked_for_a_treaty_and_the_treatment(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, SUITED)
    otto = make_winner(
        cast, "Otto", "Weiss", ids=IDS, tax_country="DE", country="DE", tax_id="", region=""
    )
    pit = signed_in(cast.alice, cast.devices[Place.PIT])
    url = new_url("tax_papers", of=slip.serial)
    page = words(pit.get(f"{url}&patron={otto.pk}"))
    for must in ("W-8BEN", "A shift manager has to decide and sign", "No taxpayer number"):
        assert must in page
    answer = pit.post(url, {"patron": otto.pk, "treatment": "maybe"})
    assert answer.status_code == 422
    assert "exempt or taxed" in words(answer)
    assert pit.get(f"{url}&patron=999999").status_code == 404
    assert not Slip.objects.filter(kind="tax_papers").exists()
