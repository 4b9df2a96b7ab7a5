"""Cheques reach a table from the cage alone, and only when the pit asked for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse
from django.utils import timezone

import inventory
import jackpots
import tables
from inventory.models import ChequeTransfer, Holder
from inventory.selectors.cheques import tray_holding
from inventory.services.ledger import move_cheques
from pitboss.models import Slip, Table
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.roles import Place, Role, department
from pitboss.slips.addresses import new_url
from tests.floor.cast import SOME_CHEQUES, Cast, refused
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db


def modules() -> Iterator[ModuleType]:
    for package in (inventory, tables, jackpots):
        for found in walk_packages(package.__path__, f"{package.__name__}."):
            if ".migrations" not in found.name:
                yield import_module(found.name)


def moves(module: ModuleType) -> Iterator[dict[str, str]]:
    """Yield the places of every call of `move_cheques` in a module, as they are written."""
    for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("move_cheques"):
            yield {word.arg: ast.unparse(word.value) for word in node.keywords if word.arg}


def test_a23_no_service_names_another_table_than_the_one_of_its_slip() -> None:
    calls = [call for module in modules() for call in moves(module)]
    assert len(calls) >= 5
    assert {word for call in calls for word in call} == {
        "slip",
        "cheques",
        "source",
        "target",
        "at",
    }
    assert not [call for call in calls if call["source"] == call["target"]]


def test_a23_a_tray_gives_nothing_to_another_tray_past_the_service(cast: Cast) -> None:
    cast.deliver(cast.ask())
    fill = Slip.objects.get()
    own, other = cast.table, cast.other_table
    at = timezone.now()
    for source, target, table, words in (
        ("tray", "tray", own, "transfer_goes_elsewhere"),
        ("tray", "public", other, "cheques of its own table"),
        ("carrier", "tray", other, "cheques of its own table"),
    ):
        with pytest.raises(DatabaseError, match=words), transaction.atomic():
            ChequeTransfer.objects.create(
                slip=fill,
                denomination_cents=500,
                count=20,
                source=source,
                target=target,
                table=table,
                tray_sequence=table.tray_sequence + 100,
                at=at,
            )
    assert tray_holding(Table.objects.get(pk=other.pk)) == {}


def test_a23_a_slip_moves_the_tray_of_its_own_table(cast: Cast) -> None:
    fill = cast.ask()
    with transaction.atomic():
        move_cheques(
            slip=fill,
            cheques={500: 20},
            source=Holder.CARRIER,
            target=Holder.TRAY,
            at=timezone.now(),
        )
    assert tray_holding(Table.objects.get(pk=cast.table.pk)) == {500: 20}
    assert tray_holding(Table.objects.get(pk=cast.other_table.pk)) == {}


@pytest.mark.parametrize("name", ["erin", "trent"])
def test_a24_the_cage_asks_for_no_fill(cast: Cast, name: str) -> None:
    person = getattr(cast, name)
    with refused("wrong_place", "wrong_role"):
        cast.ask(pen=cast.pen(person, Place.CAGE))
    screen = signed_in(person, cast.devices[Place.CAGE])
    response = screen.post(new_url("fill", table=cast.table.name), {"n_10000": "20"})
    assert response.status_code == 403
    assert not Slip.objects.exists()


def test_a24_a_dealer_asks_for_no_fill(cast: Cast) -> None:
    with refused("wrong_role"):
        cast.ask(by=cast.dan)


def test_a24_whatever_brings_cheques_to_a_table_begins_in_the_pit() -> None:
    pit = department(Role.SUPERVISOR)
    for kind in ("fill", "credit"):
        first = FLOWS[kind].steps[0]
        assert first.by in pit[1:]
        assert first.at is Place.PIT


def test_a24_a_fill_that_nobody_asked_for_has_nothing_to_print(cast: Cast) -> None:
    screen = signed_in(cast.erin, cast.devices[Place.CAGE])
    answer = screen.post(reverse("slip-print", kwargs={"serial": "F-2026-000001"}))
    assert answer.status_code == 404
    cast.ask(SOME_CHEQUES)
    assert Slip.objects.get().serial == "F-2026-000001"
