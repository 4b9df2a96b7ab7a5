"""A change at an open table: its limits by the pit manager, its terms by the shift manager too.

Nothing is closed, locked or counted for it. A supervisor changes the sign and says so with a tap;
from the moment that was chosen the table is dealt, and every bet judged, by what the sign says.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import models

from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip, Table
from pitboss.paper.forms import Form, Layout, Part, Shows
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import Each, Number, Pick, TimeOfDay, Words
from pitboss.rules.floor.irregularities import SEATS_AT_A_TABLE
from pitboss.rules.flows.flows import Need, PlanFacts, Promise, Readers, SlipStatus, Step
from pitboss.rules.games.live_changes import (
    LIVE_CHANGE,
    PRESETS,
    Facts,
    When,
    change_of,
    change_refusals,
    notice_of,
)
from pitboss.rules.games.play_options import LIMIT_OPTIONS, takes_mid_shoe
from pitboss.rules.games.table_setup import TableSetup, keyed_setup, read_setup, stored_setup
from pitboss.rules.games.tracked import TABLE_GAMES
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import KEEPING_BOOKS, SUPERVISING, WATCHING, Role
from pitboss.selectors.pending import game_refusals
from pitboss.selectors.setup_fields import SET, amounts_of, bets_of, fields_of
from pitboss.selectors.table_rules import edges_in_force, setup_now
from pitboss.services import house, journal
from pitboss.services.drafts import NewSlip
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising, to_table
from pitboss.views.forms import new_request_id
from tables.models import Round
from tables.services.live_changes import ask_for_the_sign, newest_version_id, seen_of

_TERMS: Final = "terms"
_ASKED: Final = (
    Each(name="set", label="Limits and rules"),
    Pick(name="when", label="Effective", choices={when.value: when.label for when in When}),
    TimeOfDay(name="at", label="Time", is_needed=False),
    Number(name="players", label="Players seated", most=SEATS_AT_A_TABLE),
    Words(name="after", label="Version", most=40, is_needed=False),
)


def _table_of(raising: Raising) -> Table:
    assert raising.table is not None, "a change of an open table is of a table"
    return raising.table


def _at(raising: Raising, when: When) -> datetime | None:
    """Return the next time that the clock of the house shows what was entered."""
    if when is not When.AT_TIME or "at" not in raising.given:
        return None
    now = house.now().astimezone(house.the_property().zone)
    hour, minute = map(int, raising.given["at"].split(":"))
    at = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return at if at > now else at + timedelta(days=1)


def _drafted(raising: Raising) -> NewSlip:
    """Draft the change of what was entered. Raises Refused for what cannot be read."""
    table, given = _table_of(raising), raising.given
    in_force = house.settings_at(house.now())
    was = setup_now(table, in_force)
    wanted = read_setup({**keyed_setup(was), **given["set"]})
    change = change_of(stored_setup(was), wanted)
    when = When(given["when"])
    at = _at(raising, when)
    preset = PRESETS[in_force["limits.preset"]]
    minutes = int(notice_of(change, given["players"], preset).total_seconds()) // 60
    sign = sign_words(wanted)
    begins = _begins_words(when, at, minutes)
    edges = edges_in_force(wanted, in_force)[0] if change.terms else []
    return NewSlip(
        raising.kind.kind,
        table.pk,
        {},
        details={
            "about": f"{table}: {sign}",
            "says": [
                ["Sign", sign],
                ["Effective", begins],
                *([line.label, line.words] for line in change.lines),
                *([f"Edge of {edge.wager.replace('_', ' ')}", edge.words] for edge in edges),
                ["Players seated", str(given["players"])],
                ["Notice", preset.name],
            ],
            "table": table.pk,
            "sign": sign,
            "begins": begins,
            "was": was,
            "is": wanted.stored(),
            "changes": [[line.label, line.before, line.after] for line in change.lines],
            "terms": bool(change.terms),
            "when": when.value,
            "at": journal.plain_time(at) if at else None,
            "players": given["players"],
            "preset": preset.id,
            "notice_minutes": minutes,
            "after": given.get("after") or seen_of(table),
            "after_version": newest_version_id(table),
        },
    )


def sign_words(setup: TableSetup) -> str:
    """Say what the sign of a table says."""
    limits = f"{format_money(setup.minimum_cents)} to {format_money(setup.maximum_cents)}"
    return limits if takes_mid_shoe(setup.play) else f"{limits}, no mid-shoe entry"


def _begins_words(when: When, at: datetime | None, minutes: int) -> str:
    sentence = f", {minutes} minutes after signing at the earliest" if minutes else ""
    if when is When.AT_TIME:
        return (f"From {at:%H:%M}" if at else "At a time") + sentence
    return {When.NEXT_ROUND: "From the next round", When.END_OF_SHOE: "From the next shoe"}[
        when
    ] + sentence


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why a table may not be changed so now, what cannot be read included."""
    try:
        details = raising.new().details
    except Refused as refused:
        return list(refused.refusals)
    return _why_not(_table_of(raising), details)


def _why_not(table: Table, details: Mapping[str, Any], own: Slip | None = None) -> list[Refusal]:
    now = house.now()
    in_force = house.settings_at(now)
    was, wanted = stored_setup(details["was"]), stored_setup(details["is"])
    facts = Facts(
        table=table.name,
        is_open=table.is_open,
        players=details["players"],
        when=When(details["when"]),
        at=datetime.fromisoformat(details["at"]) if details["at"] else None,
        now=now,
        preset=PRESETS[in_force["limits.preset"]],
    )
    refusals = change_refusals(was, wanted, facts)
    waiting = Slip.objects.filter(table=table, kind=LIVE_CHANGE, status=SlipStatus.OPEN.value)
    waiting = waiting.exclude(pk=own.pk if own else 0)
    if (other := waiting.first()) is not None:
        refusals.append(
            Refusal("already_proposed", f"{other} is pending. Approve or decline it first.")
        )
    if own is None and details["after"] != seen_of(table):
        refusals.append(_stale(table))
    if own is not None and details["after_version"] != newest_version_id(table):
        refusals.append(_stale(table))
    if details["terms"]:
        # What a pending win is paid by must not move under it.
        refusals += game_refusals(table)
        refusals += edges_in_force(wanted, in_force)[1]
    return refusals


def _stale(table: Table) -> Refusal:
    message = f"{table} changed while you had this open. Review it, then sign."
    return Refusal("stale_screen", message, CONFLICT)


def _plan_facts(raising: Raising) -> PlanFacts:
    try:
        is_terms = raising.new().details["terms"]
    except Refused:
        # What cannot be read is refused with its reasons, and has no plan.
        is_terms = False
    return PlanFacts({}, marks=frozenset({_TERMS} if is_terms else ()))


def _changes_terms(facts: PlanFacts) -> bool:
    return _TERMS in facts.marks


def _signed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Ask for the sign, once all have signed who must."""
    assert slip.table is not None
    if slip.signatures.count() > 1 and (stops := _why_not(slip.table, slip.details, own=slip)):
        raise Refused(stops)
    ask_for_the_sign(slip, signature, at)
    return []


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Ask for the limits first; terms are below, for the few nights that need them."""
    table = _table_of(raising)
    given: Mapping[str, Any] = request.POST if refused else request.GET
    was = setup_now(table, request.house)
    entered = {
        name.removeprefix(SET): str(value) for name, value in given.items() if name.startswith(SET)
    }
    keyed = {**keyed_setup(was), **entered}
    game = TABLE_GAMES[was["game"]]
    fields = fields_of(game, keyed)
    shoe = "continuous" not in was["cards"]
    whens = [when for when in When if shoe or when is not When.END_OF_SHOE]
    preset = PRESETS[request.house["limits.preset"]]
    return "tables/live_change.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "table": table,
        "sign": sign_words(stored_setup(was)),
        "keyed": keyed,
        "whens": [
            {
                "value": when.value,
                "label": when.label,
                "is_chosen": when.value == given.get("when", When.NEXT_ROUND.value),
            }
            for when in whens
        ],
        "at": given.get("at", ""),
        "players": given.get("players", str(_players_now(table))),
        "players_most": SEATS_AT_A_TABLE,
        "after": given.get("after", seen_of(table)),
        "preset": preset,
        "minutes": int(preset.notice.total_seconds()) // 60,
        "amounts": amounts_of(game, keyed),
        "limits": [field for field in fields if field["name"] in _LIMITS],
        "fields": [field for field in fields if field["name"] not in _CLOSED_ONLY | _LIMITS],
        "bets": bets_of(game, keyed, {}),
        "shows_terms": bool(refused and set(entered) - {"minimum", "maximum"}),
    }


_LIMITS: Final = frozenset(f"{SET}{name}" for name in LIMIT_OPTIONS)
_CLOSED_ONLY: Final = frozenset({f"{SET}decks", f"{SET}cards"})


def _players_now(table: Table) -> int:
    """Return how many sat in the last round that a terminal told of, as a proposal."""
    last = Round.objects.filter(table=table).order_by("-started_at").first()
    return len(last.log["seats"]) if last is not None else 0


def _raised(slip: Slip) -> str:
    if slip.status == SlipStatus.DONE.value:
        return f"{slip.serial} signed. Change the sign to {slip.details['sign']}."
    return f"{slip.serial} signed. Waiting for the shift manager."


TABLE_LIVE_CHANGE = Kind(
    LIVE_CHANGE,
    title="Table change",
    series="TL",
    open_to=frozenset({Role.PIT_MANAGER, Role.SHIFT_MANAGER}),
    lit_by="board",
    asked=_ASKED,
    refusals=_refusals,
    facts=_plan_facts,
    drafted=_drafted,
    steps=(
        Step(
            "changed",
            done="Changed",
            do="Change",
            by=Role.PIT_MANAGER,
            at=None,
            needs_reason=True,
            attests="I change this table as listed on this slip, effective at the moment shown "
            "and not before its sign is changed.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            by=Role.SHIFT_MANAGER,
            at=None,
            when=_changes_terms,
            attests="I reviewed the rules and pay tables of this table with their house edges, "
            "and I approve them.",
            why=Need("This changes the rules of the game, not only its limits."),
        ),
    ),
    void=(
        Step(
            "declined",
            done="Declined",
            do="Decline",
            by=(Role.PIT_MANAGER, Role.SHIFT_MANAGER),
            at=None,
            may_repeat="changed",
            needs_reason=True,
            attests="I decline this change. Nothing is changed by this slip.",
            then="slip_voided",
        ),
    ),
    at_end="live_change_signed",
    effects={"live_change_signed": _signed},
    readers=Readers(SUPERVISING | WATCHING | KEEPING_BOOKS),
    promises=(Promise(1, 1), Promise(2, 1, having="approved")),
    paper=Form(
        parts=(
            Part("Placard", "Onto the table, in place of the old sign.", layout=Layout.PLACARD),
            Part("Original", "Filed with the pit's slips of the day."),
        ),
        shows=Shows.FACTS,
        title="Table change",
    ),
    look=_look,
    heading=lambda raising: f"Change {raising.table}",
    raised=_raised,
    goes_on=to_table,
)
