"""The house's settings as its screens show them: today's value, what comes, and what was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.urls import reverse

from pitboss.models import Property, SettingValue, Slip
from pitboss.rules.cheques.cheques import BY_CENTS, ordered
from pitboss.rules.cheques.keys import SETS, set_of
from pitboss.rules.cheques.sets import (
    CHEQUE_CHANGE,
    RULES,
    HouseCheques,
    cutting_words,
    is_of_cheques,
    key_of,
    set_key,
    set_words,
)
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.flows.house_flows import SETTING_CHANGE
from pitboss.rules.settings.book import BOOK, by_subject
from pitboss.rules.settings.finding import OTHER, TASKS, matching, task_of
from pitboss.rules.settings.in_force import DatedValue
from pitboss.rules.settings.setting import Setting
from pitboss.services import house


def tasks_now(sought: str = "") -> list[dict[str, Any]]:
    """Return the settings that are sought, by task and subject, with the value in force.

    What is sought may also be the value itself.
    """
    now = house.now()
    the_property = house.the_property()
    proposed = {slip.details["key"]: slip for slip in open_proposals()}
    in_force = the_property.settings_at(now)
    wanted = {setting.key for setting in matching(BOOK.values(), sought)}
    tasks: dict[str, list[dict[str, Any]]] = {task: [] for task in (*TASKS, OTHER)}
    for subject, settings in by_subject(BOOK.values()).items():
        found = [
            _line(setting, the_property, proposed, now)
            for setting in settings
            if setting.key in wanted
            or sought.casefold() in setting.words(in_force[setting.key]).casefold()
        ]
        if found:
            tasks[task_of(subject)].append({"name": subject, "settings": found})
    return [{"name": task, "subjects": found} for task, found in tasks.items() if found]


def _line(
    setting: Setting, the_property: Property, proposed: Mapping[str, Slip], now: datetime
) -> dict[str, Any]:
    coming = [
        setting_value
        for setting_value in the_property.setting_values
        if setting_value.key == setting.key and setting_value.holds_from > now
    ]
    value = the_property.settings_at(now)[setting.key]
    slip = proposed.get(setting.key)
    return {
        "key": setting.key,
        "title": setting.title,
        "words": setting.words(value),
        "is_default": value == setting.default,
        "url": reverse("setting", args=[setting.key]),
        "coming": {"words": setting.words(coming[0].value), "at": coming[0].holds_from}
        if coming
        else None,
        "proposed": {"serial": slip.serial, "url": reverse("slip", args=[slip.serial])}
        if slip
        else None,
    }


def sets_of_the_house(the_property: Property, now: datetime) -> list[dict[str, Any]]:
    """Return every set of cheques that the house has, had or will have, with its cheques."""
    values = [
        setting_value
        for setting_value in the_property.setting_values
        if is_of_cheques(setting_value.key)
    ]
    cheques = the_property.settings_at(now).cheques
    return [
        {
            "set": known,
            "says": [f"{name}: {words}" for name, words in set_words(known)[1:-1]],
            "rule": RULES[known.kind],
            "cheques": [
                _cheque_line(key, values, cheques, now)
                for key in ordered(BY_CENTS)
                if set_of(key) == number
            ],
            "is_in_play": number in cheques.sets,
            **_standing([value for value in values if value.key == set_key(number)], now),
        }
        for number, known in sorted(SETS.items())
    ]


def _cheque_line(
    key: int, values: Sequence[DatedValue], cheques: HouseCheques, now: datetime
) -> dict[str, Any]:
    """Return a cheque with what it is now, since when, and what comes."""
    return {
        "cents": key,
        "cheque": BY_CENTS[key],
        "cut": cutting_words(BY_CENTS[key]),
        "is_in_play": key in cheques.in_play,
        "was_in_play": key in cheques.begun,
        **_standing([value for value in values if value.key == key_of(key)], now),
    }


def _standing(own: Sequence[DatedValue], now: datetime) -> dict[str, Any]:
    """Say since when a cheque or set is as it is, and what comes."""
    begun = [dated_value.holds_from for dated_value in own if dated_value.holds_from <= now]
    coming = next((dated_value for dated_value in own if dated_value.holds_from > now), None)
    return {
        "since": max(begun, default=None),
        "coming": {"in_play": coming.value["in_play"], "at": coming.holds_from} if coming else None,
    }


def open_changes_of_cheques() -> list[Slip]:
    """Return the changes of the house's cheques that wait for a signature."""
    return list(
        Slip.objects.filter(kind=CHEQUE_CHANGE, status=SlipStatus.OPEN.value).order_by("id")
    )


def open_proposals() -> list[Slip]:
    """Return the changes that wait for a second manager."""
    return list(
        Slip.objects.filter(kind=SETTING_CHANGE, status=SlipStatus.OPEN.value).order_by("id")
    )


def history_of(setting: Setting) -> list[dict[str, Any]]:
    """Return every value a setting ever had, newest first, the book's own last."""
    now = house.now()
    values = (
        SettingValue.objects.filter(key=setting.key)
        .select_related("slip")
        .prefetch_related("slip__signatures")
        .order_by("-holds_from", "-id")
    )
    rows: list[dict[str, Any]] = []
    found_current = False
    for value in values:
        signed = {s.step: s for s in value.slip.signatures.all()}
        holds = value.holds_from <= now and not found_current
        found_current = found_current or holds
        rows.append(
            {
                "words": setting.words(value.slip.details["value"]),
                "holds_from": value.holds_from,
                "state": "now" if holds else ("coming" if value.holds_from > now else "past"),
                "proposed_by": signed["proposed"].signed_as,
                "approved_by": signed["approved"].signed_as,
                "reason": signed["proposed"].reason,
                "serial": value.slip.serial,
                "url": reverse("slip", args=[value.slip.serial]),
            }
        )
    rows.append(
        {
            "words": setting.words(setting.default),
            "holds_from": None,
            "state": "past" if found_current else "now",
        }
    )
    return rows
