"""Change a setting: one manager proposes a value and its date, another approves both."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from django.db import models

from pitboss.models import Property, SettingValue, Signature, Slip
from pitboss.rules.flows import SlipStatus
from pitboss.rules.gaming_day import day_start
from pitboss.rules.house_flows import SETTING_CHANGE
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.setting import Setting
from pitboss.rules.setting_kinds import clock_of
from pitboss.rules.settings_book import BOOK, change_refusals
from pitboss.rules.settings_in_force import day_change
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.holding import (
    AHEAD_MAX,
    demand_ahead,
    read_time,
    time_on,
    time_stored,
    time_words,
)
from pitboss.services.locks import lock_settings
from pitboss.services.signing import Entry, Judgement, NewSlip, Pen, raise_slip


def new_change(*, key: str, keyed: str, holds_from: str) -> NewSlip:
    """Return the change that a manager keyed: a value, and from when on. Raises Refused.

    `holds_from` is a day for settings that hold by the gaming day, else a wall time of the house;
    empty means as soon as it is approved.
    """
    now = house.now()
    the_property = house.the_property()
    setting = BOOK.get(key)
    if setting is None:
        raise refuse("unknown_setting", f"There is no setting {quoted(key)}.")
    refusals: list[Refusal] = []
    value, starts = None, None
    try:
        value = setting.kind.read(keyed)
    except Refused as refused:
        refusals.extend(refused.refusals)
    try:
        if setting.by_the_day:
            day = _read_day(holds_from, the_property, now)
            if not refusals:
                starts = _start_of(setting, day, value, the_property, now)
        else:
            starts = read_time(holds_from, the_property.zone, now)
    except Refused as refused:
        refusals.extend(refused.refusals)
    if refusals:
        raise Refused(refusals)
    return NewSlip(
        SETTING_CHANGE.kind,
        None,
        {},
        details=_details(setting, value, starts, holds_from.strip(), the_property, now),
    )


def propose_setting(new: NewSlip, *, reason: str, pen: Pen, shown: str) -> Slip:
    """Propose a value, signed by a manager. Raises Refused."""
    return raise_slip(
        new,
        pen=pen,
        shown=shown,
        judge=lambda table, original: Judgement(proposal_refusals(new.details)),
        entry=Entry(reason=reason),
    )


def proposal_refusals(details: Any) -> list[Refusal]:
    """Return why a change may not be proposed now."""
    starts = time_on(details) or house.now()
    values = house.settings_at(starts).everything()
    refusals = change_refusals(details["key"], details["value"], values)
    waiting = Slip.objects.filter(
        kind=SETTING_CHANGE.kind, status=SlipStatus.OPEN.value, details__key=details["key"]
    ).first()
    if waiting is not None:
        refusals.append(
            Refusal("already_proposed", f"{waiting} proposes a value. Approve or refuse it first.")
        )
    return refusals


@effect("setting_holds")
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
            "shifts_changed", "The shifts changed meanwhile. Refuse this, and propose it again."
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
    zone = the_property.zone
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=zone)
    if setting.key != "day.shifts":
        return day_start(the_property.clock_at(max(now, noon)), day)
    old = the_property.clock_at(max(now, noon - timedelta(days=1)))
    return day_change(old, clock_of(value, zone), day)


def _read_day(keyed: str, the_property: Property, now: datetime) -> date:
    try:
        day = date.fromisoformat(keyed.strip())
    except ValueError:
        raise refuse("holds_from_missing", "Choose the gaming day from which this holds.") from None
    today = the_property.period_at(now).gaming_day
    if day <= today:
        raise refuse(
            "holds_from_past",
            f"The gaming day {day:%d %b %Y} has begun. Choose one from "
            f"{today + timedelta(days=1):%d %b %Y} on.",
        )
    if day - today > AHEAD_MAX:
        raise refuse("holds_from_too_far", f"Choose a day within {AHEAD_MAX.days} days.")
    return day


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
        from_words = f"gaming day {date.fromisoformat(keyed_from):%a %d %b %Y}"
    return {
        "about": setting.title,
        "says": [
            ["Instead of", setting.words(current)],
            ["New value", setting.words(value)],
            ["Holds from", from_words],
            ["What it changes", setting.changes],
        ],
        "key": setting.key,
        "value": value,
        "holds_from": time_stored(starts),
        **({"day": keyed_from} if setting.by_the_day else {}),
    }
