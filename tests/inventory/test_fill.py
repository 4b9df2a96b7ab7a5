"""A fill, from request to tray."""

from __future__ import annotations

import pytest

from inventory.models import ChequeTransfer
from inventory.selectors import tray_holding
from pitboss.models import Table, Waiting
from tests.cast import Cast

pytestmark = pytest.mark.django_db


def test_a12_a_fill_signed_in_order_moves_its_cheques_from_cage_to_tray(cast: Cast) -> None:
    fill = cast.ask({10_000: 20, 2_500: 20})
    cast.deliver(fill)

    fill.refresh_from_db()
    assert fill.status == "done"
    assert fill.total_cents == 250_000
    assert tray_holding(Table.objects.get(pk=cast.table.pk)) == {10_000: 20, 2_500: 20}
    assert list(
        ChequeTransfer.objects.order_by("id").values_list(
            "denomination_cents", "count", "source", "target", "tray_sequence"
        )
    ) == [
        (10_000, 20, "cage", "carrier", None),
        (2_500, 20, "cage", "carrier", None),
        (10_000, 20, "carrier", "tray", 1),
        (2_500, 20, "carrier", "tray", 2),
    ]
    assert not Waiting.objects.filter(until=None).exists()
