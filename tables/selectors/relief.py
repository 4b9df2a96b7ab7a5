"""Who deals, who rests, and who relieves whom: a pit's string as it stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pitboss.models import Person, Pit, Table
from pitboss.rules.day.gaming_day import Period
from pitboss.rules.floor.relief import AtTable, Relief, Resting, string_of
from pitboss.rules.roles import Role
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.selectors.own import own_with
from pitboss.services import house
from tables.models import Call, Dealing, StringCall


@dataclass(frozen=True, slots=True)
class Rests:
    """A dealer of the string who has no table: since when, until when, and sent where."""

    dealer: Person
    since: datetime
    free_at: datetime
    sent_to: str = ""


@dataclass(frozen=True, slots=True)
class PitString:
    """A pit's tables with who deals there, who rests, and the reliefs that come."""

    tables: Sequence[AtTable]
    resting: Sequence[Rests]
    reliefs: Sequence[Relief]
    people: dict[int, Person]

    def relief_of(self, table: str) -> Relief | None:
        """Return the next relief of a table."""
        return next((relief for relief in self.reliefs if relief.table == table), None)


def pit_string(pit: Pit, when: Period, in_force: SettingsInForce, now: datetime) -> PitString:
    """Return the string of a pit. Four queries, however many tables and dealers."""
    break_for = timedelta(minutes=in_force["dealers.break"])
    tables = list(Table.objects.filter(pit=pit, is_open=True).order_by("name"))
    dealing = {item.table_id: item for item in _dealing_now()}
    calls = _newest_calls(pit, when)
    busy = {item.dealer_id for item in dealing.values()}
    resting = _resting(pit, when, calls, busy, break_for)
    at_tables = [
        AtTable(table.name, at.dealer_id, at.began_at)
        if (at := dealing.get(table.pk)) is not None
        else AtTable(table.name)
        for table in tables
    ]
    people = {item.dealer_id: item.dealer for item in dealing.values()}
    people |= {rests.dealer.pk: rests.dealer for rests in resting}
    reliefs = string_of(
        at_tables,
        [Resting(rests.dealer.pk, rests.free_at) for rests in resting],
        {rests.sent_to: rests.dealer.pk for rests in resting if rests.sent_to},
        relief_after=timedelta(minutes=in_force["dealers.relief_after"]),
        break_for=break_for,
        now=now,
    )
    return PitString(at_tables, resting, reliefs, people)


def _dealing_now() -> Iterable[Dealing]:
    return Dealing.objects.filter(ended_at=None).select_related("dealer", "table")


def _newest_calls(pit: Pit, when: Period) -> dict[int, StringCall]:
    """Return the newest call of each dealer in this shift, whichever pit it was for."""
    calls = (
        StringCall.objects.filter(gaming_day=when.gaming_day, shift=when.shift)
        .select_related("dealer", "table")
        .order_by("id")
    )
    return {call.dealer_id: call for call in calls}


def _resting(
    pit: Pit,
    when: Period,
    calls: dict[int, StringCall],
    busy: set[int],
    break_for: timedelta,
) -> list[Rests]:
    """Return who rests in a pit: out of one of its tables this shift, or called in, and not gone.

    The newer of the two decides: whoever dealt here and was then called to another pit is there.
    """
    found: dict[int, Rests] = {}
    ended = (
        Dealing.objects.filter(ended_at__gte=when.began)
        .select_related("dealer", "table")
        .order_by("ended_at", "id")
    )
    for dealing in ended:
        assert dealing.ended_at is not None
        found.pop(dealing.dealer_id, None)
        if dealing.table.pit_id == pit.pk:
            free_at = dealing.ended_at + break_for
            found[dealing.dealer_id] = Rests(dealing.dealer, dealing.ended_at, free_at)
    for dealer_id, call in calls.items():
        earlier = found.get(dealer_id)
        if earlier is not None and earlier.since > call.at:
            continue  # They dealt since, and rest from that.
        found.pop(dealer_id, None)
        if call.pit_id == pit.pk and call.call != Call.LEAVE:
            rest = earlier or Rests(call.dealer, call.at, call.at)
            sent_to = call.table.name if call.table else ""
            found[dealer_id] = Rests(rest.dealer, rest.since, rest.free_at, sent_to)
    resting = [rest for dealer_id, rest in found.items() if dealer_id not in busy]
    return sorted(resting, key=lambda rest: (rest.free_at, rest.dealer.badge))


@own_with(Role.DEALER)
def own_turn(person: Person, when: Period, in_force: SettingsInForce) -> dict[str, Any] | None:
    """Return what a dealer wants to know of the string: where, until when, relieved by whom."""
    now = house.now()
    dealing = next((item for item in _dealing_now() if item.dealer_id == person.pk), None)
    pit = dealing.table.pit if dealing else _pit_of_rest(person, when)
    if pit is None:
        return None
    string = pit_string(pit, when, in_force, now)
    rest = next((rests for rests in string.resting if rests.dealer.pk == person.pk), None)
    mine = next((relief for relief in string.reliefs if relief.by == person.pk), None)
    out = string.relief_of(dealing.table.name) if dealing else None
    return {
        "template": "tables/_own_turn.html",
        "dealing": dealing,
        "out": out,
        "relieved_by": string.people.get(out.by) if out and out.by else None,
        "rest": rest,
        "next": mine,
    }


def _pit_of_rest(person: Person, when: Period) -> Pit | None:
    """Return the pit in whose string a dealer without a table is, by what was last said or done."""
    call = (
        StringCall.objects.filter(dealer=person, gaming_day=when.gaming_day, shift=when.shift)
        .select_related("pit")
        .order_by("-id")
        .first()
    )
    last = (
        Dealing.objects.filter(dealer=person, ended_at__gte=when.began)
        .select_related("table__pit")
        .order_by("-ended_at")
        .first()
    )
    if last is not None and (call is None or (last.ended_at or call.at) > call.at):
        return last.table.pit
    return call.pit if call is not None and call.call != Call.LEAVE else None
