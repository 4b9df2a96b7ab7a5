"""A setting: one manager proposes a value and its date, another approves both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any, Final

from django.db import models
from django.http import Http404
from django.urls import reverse

from pitboss.kinds.of_the_house import READERS, pending_words
from pitboss.middleware import PitRequest
from pitboss.models import Property, SettingValue, Signature, Slip
from pitboss.paper.forms import HOUSE_FORM
from pitboss.rules.day.general_ledger import AccountList
from pitboss.rules.floor.fields import Text, Words
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, SlipStatus, Step
from pitboss.rules.flows.house_flows import MANAGERS, REFUSED, SETTING_CHANGE
from pitboss.rules.patrons.bank_days import DayList, DueTerms
from pitboss.rules.people.proofs import Proved
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.settings.book import BOOK, change_refusals
from pitboss.rules.settings.in_force import day_change
from pitboss.rules.settings.kinds import Choice, ShiftList, clock_of
from pitboss.rules.settings.setting import Setting
from pitboss.rules.tax.house import PayerCard, TreatyList
from pitboss.selectors.house import history_of, open_proposals
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.holding import (
    day_begins,
    demand_ahead,
    read_day,
    read_time,
    time_on,
    time_stored,
    time_words,
)
from pitboss.services.locks import lock_settings
from pitboss.slips.addresses import new_url
from pitboss.slips.kind import Kind, Look, Raising


def _begins(request: PitRequest, raising: Raising) -> Raising:
    """Return a change of the setting that its address names."""
    key = request.GET.get("key", "")
    if key not in BOOK:
        raise Http404(f"Setting {key[:60]} not found.")
    return replace(
        raising, given={**raising.given, "key": key}, named={**raising.named, "key": key}
    )


def _drafted(raising: Raising) -> NewSlip:
    given = raising.given
    return drafted_setting(given["key"], given.get("value", ""), given.get("from", ""))


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why a value may not be proposed, what cannot be read included."""
    try:
        return _proposal_refusals(raising.new().details)
    except Refused as refused:
        return list(refused.refusals)


def drafted_setting(key: str, entered: str, holds_from: str) -> NewSlip:
    """Draft the change that a manager entered: a value, and from when on. Raises Refused.

    `holds_from` is a day for settings that hold by the gaming day, else a wall time of the house;
    empty means as soon as it is approved.
    """
    now = house.now()
    the_property = house.the_property()
    setting = BOOK.get(key)
    if setting is None:
        raise refuse("unknown_setting", f"Setting {quoted(key)} not found. Choose one under House.")
    refusals: list[Refusal] = []
    value, starts = None, None
    try:
        value = setting.kind.read(entered)
    except Refused as refused:
        refusals.extend(refused.refusals)
    try:
        if setting.by_the_day:
            day = read_day(holds_from, the_property, now)
            if not refusals:
                starts = _start_of(setting, day, value, the_property, now)
        else:
            starts = read_time(holds_from, the_property.zone, now)
    except Refused as refused:
        refusals.extend(refused.refusals)
    if refusals:
        raise Refused(refusals)
    return NewSlip(
        SETTING_CHANGE,
        None,
        {},
        details=_details(setting, value, starts, holds_from.strip(), the_property, now),
    )


def _proposal_refusals(details: Mapping[str, Any]) -> list[Refusal]:
    """Return why a change may not be proposed now."""
    starts = time_on(details) or house.now()
    values = house.settings_at(starts).everything()
    refusals = change_refusals(details["key"], details["value"], values)
    waiting = Slip.objects.filter(
        kind=SETTING_CHANGE, status=SlipStatus.OPEN.value, details__key=details["key"]
    ).first()
    if waiting is not None:
        refusals.append(
            Refusal("already_proposed", f"{waiting} proposes a value. Approve or decline it first.")
        )
    return refusals


def _setting_holds(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let an approved value hold. Raises Refused when it no longer can."""
    lock_settings()
    details = slip.details
    starts = demand_ahead(details, at)
    setting = BOOK[details["key"]]
    the_property = house.the_property()
    if setting.by_the_day and starts != _start_of(
        setting, date.fromisoformat(details["day"]), details["value"], the_property, at
    ):
        raise refuse(
            "shifts_changed",
            "The shifts changed while this was pending. Decline it and propose it again.",
        )
    values = the_property.settings_at(starts).everything()
    refusals = change_refusals(details["key"], details["value"], values)
    if refusals:
        raise Refused(refusals)
    return [SettingValue.objects.create(key=setting.key, holds_from=starts, slip=slip)]


def _start_of(
    setting: Setting, day: date, value: Any, the_property: Property, now: datetime
) -> datetime:
    """Return when a value of a gaming day begins to hold: with the day itself.

    New shifts move that very start, beside those that hold now and on the day.
    """
    if setting.key != "day.shifts":
        return day_begins(day, the_property, now)
    zone = the_property.zone
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=zone)
    old = the_property.clock_at(max(now, noon - timedelta(days=1)))
    return day_change(old, clock_of(value, zone), day)


def _details(
    setting: Setting,
    value: Any,
    starts: datetime | None,
    keyed_from: str,
    the_property: Property,
    now: datetime,
) -> dict[str, Any]:
    """Return what the slip says, as data and in words: both are signed."""
    current = the_property.settings_at(starts or now)[setting.key]
    from_words = time_words(starts, the_property.zone)
    if setting.by_the_day:
        from_words = f"gaming day {date.fromisoformat(keyed_from):%a, %b %-d, %Y}"
    return {
        "about": setting.title,
        "says": [
            ["Instead of", setting.words(current)],
            ["New value", setting.words(value)],
            ["Effective", from_words],
            ["What it changes", setting.changes],
        ],
        "key": setting.key,
        "value": value,
        "holds_from": time_stored(starts),
        **({"day": keyed_from} if setting.by_the_day else {}),
    }


# Settings of several lines.
_LONG: Final = ShiftList | PayerCard | TreatyList | DayList | DueTerms | AccountList


def setting_shown(request: PitRequest, key: str, entered: Mapping[str, str]) -> dict[str, Any]:
    """Return a setting as its page shows it, with what was entered for a change of it."""
    found = BOOK[key]
    value = request.house[key]
    waiting = next((slip for slip in open_proposals() if slip.details["key"] == key), None)
    return {
        "heading": found.title,
        "back": {"url": reverse("house"), "label": "House"},
        "url": new_url(SETTING_CHANGE, key=key),
        "setting": found,
        "words": found.words(value),
        "default_words": found.words(found.default),
        "keyed": {
            "value": entered.get("value", found.kind.text(value)),
            "from": entered.get("from", ""),
        },
        "choices": found.kind.choices if isinstance(found.kind, Choice) else None,
        "is_long": isinstance(found.kind, _LONG),
        "history": history_of(found),
        "may_propose": request.role in MANAGERS and waiting is None,
        "waiting": waiting,
    }


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    entered = request.POST if refused else request.GET
    return "pitboss/setting.html", setting_shown(request, raising.given["key"], entered)


SETTING_KIND = Kind(
    SETTING_CHANGE,
    title="Setting",
    series="HS",
    open_to=frozenset(MANAGERS),
    lit_by="house",
    at_a_table=False,
    desk="house",
    is_change=True,
    changes_house=True,
    begins=_begins,
    asked=(
        Text(name="value", label="New value", is_needed=False),
        Words(name="from", label="Effective", most=40, is_needed=False),
    ),
    drafted=_drafted,
    refusals=_refusals,
    urgency=Urgency.FORM,
    proves=Proved.SETTINGS,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=MANAGERS,
            at=None,
            needs_reason=True,
            attests="I propose this value, effective at the time shown.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            why=BY_ANOTHER,
            by=MANAGERS,
            at=None,
            attests="I reviewed what this change does and approve it.",
            then="setting_holds",
        ),
    ),
    void=REFUSED,
    effects={"setting_holds": _setting_holds},
    readers=READERS,
    promises=(Promise(2, 1),),
    paper=HOUSE_FORM,
    look=_look,
    heading=lambda raising: BOOK[raising.given["key"]].title,
    back=lambda raising: {
        "url": reverse("setting", args=[raising.given["key"]]),
        "label": "Setting",
    },
    raised=pending_words,
)
