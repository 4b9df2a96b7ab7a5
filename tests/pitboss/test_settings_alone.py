"""No setting is changed by one person alone: every setting, and every way there could be."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from django.db import Error, connection, models, transaction
from django.test import Client
from django.urls import reverse

from pitboss.admin import READERS
from pitboss.kinds.setting import drafted_setting
from pitboss.models import Property, SettingValue, Signature, Slip, Table
from pitboss.rules.canonical import digest
from pitboss.rules.cards.par import CardPar
from pitboss.rules.day.general_ledger import ACCOUNTS, AccountList
from pitboss.rules.drop.schedule import DropTimes
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.flows.house_flows import MANAGERS, SETTING_CHANGE
from pitboss.rules.group.signing import public_key
from pitboss.rules.patrons.bank_days import DayList, DueTerms
from pitboss.rules.patrons.shared_lists import TrustedHouses
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role, may_act_as
from pitboss.rules.settings.book import BOOK, change_refusals
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.rules.settings.kinds import Amount, Choice, Percent, Prefix, Ratio, ShiftList, Whole
from pitboss.rules.settings.ratings import PaceList
from pitboss.rules.settings.setting import Setting
from pitboss.rules.settings.yields import TargetList
from pitboss.rules.tax.house import PayerCard, TreatyList
from pitboss.services import house
from pitboss.services.shown import request_shown, slip_shown
from pitboss.slips.addresses import new_url
from tests.floor.cast import Cast, pin_of
from tests.floor.house import propose
from tests.floor.tablets import words
from tests.test_access import signed_in, someone

pytestmark = pytest.mark.django_db(transaction=True)
TOMORROW = "2026-05-03"


def another(setting: Setting) -> str:
    """Return a value that could be keyed for a setting and is not the one it has."""
    match setting.kind:
        case Amount(least_cents=least, most_cents=most):
            candidates = [setting.kind.text(least), setting.kind.text(most)]
        case Whole(least=least, most=most) | Percent(least=least, most=most):
            candidates = [setting.kind.text(least + 1), setting.kind.text(most - 1)]
        case Ratio(most=most):
            candidates = [str(most)]
        case Choice(choices=choices):
            candidates = list(choices)
        case Prefix():
            candidates = ["ZZZZ"]
        case ShiftList():
            candidates = ["05:00 Early\n17:00 Late"]
        case PayerCard():
            candidates = ["Name: Tide LLC\nTIN: 12-3456789"]
        case TreatyList():
            candidates = ["DE MT:10"]
        case CardPar():
            candidates = ["Pit 1: 6 red of 6"]
        case DayList():
            candidates = ["2026-12-25"]
        case DueTerms():
            candidates = ["above: 30"]
        case AccountList():
            candidates = [AccountList().text(ACCOUNTS).replace("4010", "4-100.1")]
        case PaceList():
            candidates = ["200 130 100"]
        case DropTimes():
            candidates = ["05:00\n17:30 Pit 1"]
        case TargetList():
            candidates = ["6, 5, 4, 3"]
        case TrustedHouses():
            candidates = [f"lakeside {public_key('07' * 32)}"]
        case _:
            raise AssertionError(f"a new kind of setting: {setting.kind}")
    defaults = SettingsInForce({}).everything()
    return next(
        keyed
        for keyed in candidates
        if not change_refusals(setting.key, setting.kind.read(keyed), defaults)
    )


def from_of(setting: Setting) -> str:
    return TOMORROW if setting.by_the_day else ""


def in_force() -> dict[str, Any]:
    return house.settings_at(house.now()).everything()


@pytest.fixture
def nothing_changes(cast: Cast, server_clock: Any) -> Any:
    """Demand that after the test every setting is what it was, by its rows and as it is read."""
    before = in_force()
    yield
    assert not SettingValue.objects.exists()
    assert in_force() == before


@pytest.mark.usefixtures("nothing_changes")
def test_whoever_proposed_a_setting_cannot_approve_it_by_the_service(cast: Cast) -> None:
    for setting in BOOK.values():
        slip = propose(cast, setting.key, another(setting), from_of(setting))
        with pytest.raises(Refused) as caught:
            cast.sign(slip, "approved", cast.carol, Place.OFFICE)
        assert "signed_before" in caught.value.codes, setting.key


@pytest.mark.usefixtures("nothing_changes")
def test_whoever_proposed_a_setting_cannot_approve_it_on_the_screens(cast: Cast) -> None:
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    for setting in BOOK.values():
        keyed = {"value": another(setting), "from": from_of(setting)}
        new = drafted_setting(setting.key, keyed["value"], keyed["from"])
        sent = _sign(client, new_url("setting_change", key=setting.key), cast,
                     keyed | {"reason": "Alone.", "shown": request_shown(new, None)})  # fmt: skip
        assert sent.status_code == 302, setting.key
        slip = Slip.objects.get(kind=SETTING_CHANGE, details__key=setting.key)
        url = reverse("slip-sign", args=[slip.serial, "main", "approved"])
        alone = _sign(client, url, cast, {"shown": slip_shown(slip)})
        assert alone.status_code == 409, setting.key
        assert "has signed this slip" in words(alone)
        # Nor is there a page on which a value could be set without a proposal.
        assert client.post(reverse("setting", args=[setting.key]), keyed).status_code == 405


def _sign(client: Client, url: str, cast: Cast, posted: dict[str, str]) -> Any:
    signer = {"badge": cast.carol.badge, "pin": pin_of(cast.carol.badge)}
    return client.post(url, posted | signer | {"request_id": str(uuid4())})


@pytest.mark.usefixtures("nothing_changes")
def test_only_managers_propose_and_only_managers_approve(cast: Cast) -> None:
    slip = propose(cast, "people.idle_lock", "300")
    for role in Role:
        if any(may_act_as(role, manager) for manager in MANAGERS):
            continue
        person = someone(cast, role)
        for act in (
            lambda who=person: propose(cast, "waiting.limit", "10", by=who),
            lambda who=person: cast.sign(slip, "approved", who, Place.OFFICE),
        ):
            with pytest.raises(Refused) as caught:
                act()
            codes = set(caught.value.codes)
            assert codes & {"wrong_role", "administrators_sign_nothing"}, role


@pytest.mark.usefixtures("nothing_changes")
def test_the_reading_room_writes_no_setting(cast: Cast) -> None:
    slip = propose(cast, "people.idle_lock", "300")
    rows: dict[type[models.Model], int] = {SettingValue: 1, Slip: slip.pk, Property: 1}
    for role in READERS:
        client = signed_in(someone(cast, role), cast.devices[Place.OFFICE])
        for model, key in rows.items():
            name = f"admin:pitboss_{model._meta.model_name}"
            posted = {"key": "people.idle_lock", "status": "done", "time_zone": "UTC"}
            for url in (
                reverse(f"{name}_add"),
                reverse(f"{name}_change", args=[key]),
                reverse(f"{name}_delete", args=[key]),
            ):
                assert client.post(url, posted).status_code in (302, 403), url
    slip.refresh_from_db()
    assert slip.status == SlipStatus.OPEN


def _planless(cast: Cast, key: str, value: Any, plan: list[dict[str, Any]]) -> Slip:
    """Write a slip past the service, with a plan of the writer's own choice."""
    last = Slip.objects.count()
    return Slip.objects.create(
        kind=SETTING_CHANGE,
        series="HS",
        year=2026,
        number=900_000 + last,
        serial=f"HS-2026-{900_000 + last}",
        gaming_day=house.period_at(house.now()).gaming_day,
        shift="Day",
        raised_at=house.now(),
        cheques={},
        total_cents=0,
        details={"key": key, "value": value, "holds_from": house.now().isoformat()},
        plan=plan,
    )


@pytest.mark.usefixtures("nothing_changes")
def test_sql_with_the_rights_of_the_site_changes_no_setting(cast: Cast) -> None:
    """Whoever can write SQL as the site has one badge: a second signer cannot be left out."""
    plan = propose(cast, "people.idle_lock", "300").plan
    one_step = [{**plan[0], "may_repeat": "approved"}]
    by_dealers = [{**step, "by": ["dealer"], "roles": ["dealer"]} for step in plan]
    by_one = [{**step, "may_repeat": "proposed"} for step in plan]
    backwards = [*plan[1::-1], *plan[2:]]
    for setting in BOOK.values():
        value = setting.kind.read(another(setting))
        for forged in ([], one_step, plan[:1], by_dealers, by_one, backwards, [*plan, plan[0]]):
            with pytest.raises(Error, match="another plan"), transaction.atomic():
                _planless(cast, setting.key, value, forged)
        slip = _planless(cast, setting.key, value, plan)
        _signed_past_the_service(cast, slip)
        with pytest.raises(Error, match="signature is missing"), transaction.atomic():
            Slip.objects.filter(pk=slip.pk).update(status="done")
        with pytest.raises(Error, match="two people"), transaction.atomic():
            SettingValue.objects.create(key=setting.key, holds_from=house.now(), slip=slip)
        for statement in (
            "INSERT INTO pitboss_settingvalue (key, holds_from) VALUES (%s, now())",
            "INSERT INTO pitboss_settingvalue (key, holds_from, slip_id) VALUES (%s, now(), 0)",
        ):
            with pytest.raises(Error), transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(statement, [setting.key])


def _signed_past_the_service(cast: Cast, slip: Slip) -> None:
    shown = json.dumps({"serial": slip.serial})
    Signature.objects.create(
        slip=slip,
        track="main",
        step="proposed",
        person=cast.carol,
        signed_as="C. Carolson",
        role="pit_manager",
        device=cast.devices[Place.OFFICE],
        place="office",
        signed_at=house.now(),
        shown=shown,
        shown_hash=digest(shown),
        facts={},
        reason="Alone.",
        request_id=uuid4(),
        request_hash="0" * 64,
    )


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE pitboss_property SET time_zone = 'UTC'",
        "UPDATE pitboss_property SET name = 'Mine'",
        "DELETE FROM pitboss_property",
        "UPDATE pitboss_settingvalue SET key = key",
        "DELETE FROM pitboss_settingvalue",
        "TRUNCATE pitboss_settingvalue",
        "ALTER TABLE pitboss_settingvalue DISABLE TRIGGER ALL",
        "DROP TRIGGER setting_is_signed ON pitboss_settingvalue",
        "UPDATE pitboss_slip SET details = '{}'",
    ],
)
def test_the_sites_role_cannot_touch_what_holds(cast: Cast, statement: str) -> None:
    propose(cast, "people.idle_lock", "300")
    with pytest.raises(Error), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert Property.objects.get().time_zone == "America/New_York"
    assert Table.objects.exists()
