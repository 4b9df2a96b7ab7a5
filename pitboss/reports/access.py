"""Access: who could not prove who they are, who signed in, and who was let in or put out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from pitboss.models import JournalEntry
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Bar,
    Cell,
    Chart,
    Column,
    Finding,
    Report,
    ReportChoice,
    ReportScope,
    Section,
    Shape,
    Tone,
    report_link,
    row_of,
    slip_cell,
)
from pitboss.selectors.slips import heading_of
from pitboss.services import house

KEY, PAGE = "access", "report_access"
BARS_MAX = 12
WRONG = ("pin_wrong", "password_wrong")
# Acts of the journal by which someone, or some device, is let in, put out or made someone else.
GRANTS = {
    "access_review.reviewed": "Access reviewed",
    "account_restored": "Account restored",
    "account_suspended": "Account suspended",
    "acting_role_granted": "Acting role granted",
    "acting_role_ended": "Acting role ended",
    "badge_unlocked": "Badge unlocked",
    "device_enrolled": "Device enrolled",
    "device_offered": "Device offered a code",
    "device_revoked": "Device removed",
    "limit_change.approved": "Limit approved",
    "person_change.approved": "Person approved",
    "person_leaves.confirmed": "Leaving confirmed",
    "person_leaves.put_out": "Access removed",
    "leave_of_absence.approved": "Leave approved",
    "person_leaves.taken_back": "Access restored",
    "person_returns.approved": "Account restored",
    "pin_offered": "PIN offered",
    "pin_set": "PIN set",
    "token_offered": "Device offered a new token",
    "token_renewed": "Device renewed",
}

_BADGES = (
    Column("badge", "Badge", Shape.CODE),
    Column("person", "Person"),
    Column("wrong_pin", "Wrong PIN", Shape.COUNT),
    Column("wrong_password", "Wrong password", Shape.COUNT),
    Column("locked", "Locked", Shape.COUNT),
    Column("last", "Last", Shape.TIME, is_minor=True),
)
_ATTEMPTS = (
    Column("at", "When", Shape.TIME),
    Column("what", "What"),
    Column("device", "Device"),
    Column("tries_left", "Tries left", Shape.COUNT),
)
_GRANTED = (
    Column("at", "When", Shape.TIME),
    Column("what", "What"),
    Column("by", "By"),
    Column("about", "About", is_minor=True),
    Column("slip", "Slip", Shape.CODE),
)
_VISITS = (
    Column("person", "Person"),
    Column("times", "Signed in", Shape.COUNT),
    Column("devices", "Devices", Shape.COUNT),
)
_VISIT = (
    Column("at", "When", Shape.TIME),
    Column("person", "Person"),
    Column("device", "Device"),
)
# What the times that someone signed in are opened for.
SIGNED_IN = "in"
_WORDS = {"pin_wrong": "Wrong PIN", "password_wrong": "Wrong password"}


@report(
    key=KEY,
    title="Access and failed sign-ins",
    group=Group.PEOPLE,
    says="Wrong PINs and passwords by badge, who signed in, and every change to who may.",
    page=PAGE,
    asked=ReportScope(days_max=31),
)
def access(choice: ReportChoice) -> Report:
    """Return who failed to prove who they are, and every change to who may. Two queries."""
    began, _ = house.day_span(choice.first)
    _, ends = house.day_span(choice.last)
    kinds = (*WRONG, "logged_in", *GRANTS)
    entries = list(
        JournalEntry.objects.filter(at__gte=began, at__lt=ends, kind__in=kinds)
        .select_related("person", "slip")
        .defer("slip__plan")
        .order_by("-at", "-id")
    )
    told = {entry.pk: json.loads(entry.text) for entry in entries}
    wrong = [entry for entry in entries if entry.kind in WRONG]
    what, _, badge = choice.of.partition(" ")
    if what == SIGNED_IN:
        return Report((_visits_of(badge, entries, told),))
    if choice.of:
        return Report((_attempts(choice.of, wrong, told),))
    section, bars = _by_badge(choice, wrong, told)
    locked = sum(told[entry.pk]["body"]["tries_left"] == 0 for entry in wrong)
    return Report(
        (section, _granted(entries, told), _visits(choice, entries, told)),
        finding=Finding(Tone.BAD, f"Badges locked after wrong attempts: {locked}.")
        if locked
        else Finding(Tone.GOOD, "No badge was locked."),
        chart=Chart("Wrong attempts by badge", Shape.COUNT, tuple(bars[:BARS_MAX])),
        formulas=(
            "From the journal: an attempt is written there before its PIN or password is judged, "
            "and no later act can take it back.",
        ),
    )


def _by_badge(
    choice: ReportChoice, wrong: Iterable[JournalEntry], told: dict[int, Any]
) -> tuple[Section, list[Bar]]:
    by_badge: dict[str, list[JournalEntry]] = {}
    for entry in wrong:
        by_badge.setdefault(told[entry.pk]["body"]["badge"], []).append(entry)
    rows, bars = [], []
    for badge, entries in sorted(by_badge.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        link = report_link(KEY, PAGE, choice, of=badge)
        kinds = Counter(entry.kind for entry in entries)
        locked = sum(told[entry.pk]["body"]["tries_left"] == 0 for entry in entries)
        tone = Tone.BAD if locked else Tone.PLAIN
        rows.append(
            row_of(
                Cell(badge, link),
                str(entries[0].person) if entries[0].person else "no one has it",
                Cell(kinds["pin_wrong"], link),
                Cell(kinds["password_wrong"], link),
                Cell(locked, link),
                entries[0].at,
                tone=tone,
            )
        )
        says = "was locked" if locked else ""
        bars.append(Bar(badge, len(entries), tone=tone, link=link, says=says))
    return Section("Failed, by badge", _BADGES, tuple(rows), "No failed sign-ins."), bars


def _attempts(badge: str, wrong: Iterable[JournalEntry], told: dict[int, Any]) -> Section:
    rows = [
        row_of(
            entry.at,
            _WORDS[entry.kind],
            _device(told[entry.pk]),
            told[entry.pk]["body"]["tries_left"],
            tone=Tone.BAD if told[entry.pk]["body"]["tries_left"] == 0 else Tone.PLAIN,
        )
        for entry in wrong
        if told[entry.pk]["body"]["badge"] == badge
    ]
    return Section(f"Badge {badge}", _ATTEMPTS, tuple(rows), "This badge did not fail.")


def _granted(entries: Iterable[JournalEntry], told: dict[int, Any]) -> Section:
    rows = [
        row_of(
            entry.at,
            GRANTS[entry.kind],
            str(entry.person) if entry.person else "the site",
            heading_of(entry.slip) if entry.slip else _about(told[entry.pk]["body"]),
            slip_cell(entry.slip.serial if entry.slip else None),
        )
        for entry in entries
        if entry.kind in GRANTS
    ]
    return Section("Access changes", _GRANTED, tuple(rows), "Nothing was changed.")


def _about(body: dict[str, Any]) -> str:
    """Return what an act was about, in the plain words and numbers that the journal keeps."""
    plain = (
        f"{name} {value}"
        for name, value in body.items()
        if isinstance(value, str | int) and not isinstance(value, bool)
    )
    return ", ".join(plain)


def _visits(choice: ReportChoice, entries: Iterable[JournalEntry], told: dict[int, Any]) -> Section:
    devices: dict[tuple[str, str], list[str]] = {}
    for entry in entries:
        if entry.kind == "logged_in" and entry.person:
            key = (str(entry.person), entry.person.badge)
            devices.setdefault(key, []).append(_device(told[entry.pk]))
    rows = [
        row_of(
            person,
            len(used),
            len(set(used)),
            opens=report_link(KEY, PAGE, choice, of=f"{SIGNED_IN} {badge}"),
        )
        for (person, badge), used in sorted(devices.items())
    ]
    return Section("Signed in", _VISITS, tuple(rows), "No one signed in.")


def _visits_of(badge: str, entries: Iterable[JournalEntry], told: dict[int, Any]) -> Section:
    rows = [
        row_of(entry.at, str(entry.person), _device(told[entry.pk]))
        for entry in entries
        if entry.kind == "logged_in" and entry.person and entry.person.badge == badge
    ]
    title = f"Badge {badge} signed in"
    return Section(title, _VISIT, tuple(rows), "This badge did not sign in.")


def _device(text: dict[str, Any]) -> str:
    return text["where"]["device"] if text["where"] else "no device of the house"
