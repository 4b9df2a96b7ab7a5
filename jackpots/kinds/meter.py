"""A meter: one person proposes what it is and which tables play for it, another approves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.db import models

from jackpots.kinds.of_a_meter import (
    APPROVERS,
    PARTS,
    PROPOSERS,
    READERS,
    back_to_meter,
    of_meter,
    pending_refusals,
    pending_words,
    refusal_kept,
    waiting_refusals,
)
from jackpots.models import Meter, MeterLink
from jackpots.services.figures import balance_of, lock_meter, write_changes
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip, Table
from pitboss.paper.forms import Form, Shows
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import Several, Words
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, Step
from pitboss.rules.flows.house_flows import REFUSED
from pitboss.rules.payouts.meters import (
    METER_TERMS,
    MICROCENTS,
    Cause,
    Change,
    MeterSource,
    MeterTerms,
    rate_words,
    read_terms,
    stored_terms,
)
from pitboss.rules.paytables.paytables import METERS
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.selectors.table_rules import rules_in_force
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.locks import lock_settings
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id

_TERMS: Final = ("name", "bet", "source", "start", "reset", "rate", "reserve", "maximum")


def _may_begin(request: PitRequest, raising: Raising) -> Raising:
    """Return a slip about the meter that its address names, or about a new one."""
    return of_meter(request, raising) if request.GET.get("meter") else raising


def _terms_read(raising: Raising) -> Raising:
    """Return the terms that were entered. Raises Refused with every reason."""
    entered = {name: raising.given.get(name, "") for name in _TERMS}
    entered["tables"] = " ".join(raising.given.get("tables", ()))
    return replace(raising, given={**raising.given, "terms": read_terms(entered)})


def _drafted_terms(raising: Raising) -> NewSlip:
    """Draft a meter: a new one, or other terms of one that runs."""
    terms: MeterTerms = raising.given["terms"]
    meter: Meter | None = raising.given.get("meter")
    was = meter.terms() if meter else None
    before = was.words() if was else {}
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{'change' if meter else 'start'} {terms.name}",
            "says": [
                [name, said if before.get(name, said) == said else f"{said} (was {before[name]})"]
                for name, said in terms.words().items()
            ],
            "meter": meter.pk if meter else None,
            "is": terms.stored(),
            "was": was.stored() if was else None,
        },
    )


def _terms_refusals(details: Mapping[str, Any], own: Slip | None = None) -> list[Refusal]:
    """Return why a meter may not be so: every reason. `own` is the slip that says it."""
    terms = stored_terms(details["is"])
    meter = lock_meter(details["meter"]) if details["meter"] is not None else None
    refusals = []
    if Meter.objects.filter(name=terms.name).exclude(pk=details["meter"]).exists():
        refusals.append(
            Refusal("name_taken", f"{terms.name} is already the name of a meter. Choose another.")
        )
    refusals += waiting_refusals(METER_CHANGE.kind, own, details__is__name=terms.name)
    if meter is not None:
        refusals += pending_refusals(meter)
        refusals += _running_refusals(meter, terms, details)
    return refusals + _table_refusals(terms, meter)


def _running_refusals(meter: Meter, terms: MeterTerms, details: Mapping[str, Any]) -> list[Refusal]:
    """Return why a meter that runs may not take other terms."""
    refusals = []
    current = meter.terms()
    if current == terms:
        refusals.append(
            Refusal("nothing_changes", f"{meter} is already set this way. Change something.")
        )
    if details["was"] != current.stored():
        refusals.append(
            Refusal("terms_changed", f"{meter} changed while you had it open. Review it.", CONFLICT)
        )
    if (terms.wager, terms.level, terms.start_cents) != (
        meter.wager,
        meter.level,
        meter.start_cents,
    ):
        refusals.append(
            Refusal(
                "bet_stays",
                f"The bet and starting amount of {meter} can’t change. Start another meter.",
            )
        )
    if terms.maximum_cents is not None and balance_of(meter).shown_cents > terms.maximum_cents:
        refusals.append(
            Refusal("over_maximum", f"{meter} shows more than that. Adjust the meter first.")
        )
    return refusals


def _table_refusals(terms: MeterTerms, meter: Meter | None) -> list[Refusal]:
    """Return why tables cannot be linked: they must take the bet, all at the same odds."""
    refusals = []
    in_force = house.settings_at(house.now())
    tables = {table.name: table for table in Table.objects.filter(name__in=terms.tables)}
    pays = set()
    for name in terms.tables:
        if name not in tables:
            refusals.append(
                Refusal("unknown_table", f"Table {name[:12]} not found. Check its name.")
            )
            continue
        try:
            bet = rules_in_force(tables[name], in_force).side_bets.get(terms.wager)
        except Refused as refused:
            refusals += [
                Refusal(refusal.code, f"{name}: {refusal.message}") for refusal in refused.refusals
            ]
            continue
        if bet is None:
            spoken = terms.wager.replace("_", " ")
            refusals.append(
                Refusal("bet_not_offered", f"{name} doesn’t offer {spoken}. Leave it out.")
            )
            continue
        pays.add(str(sorted(bet.table(terms.wager).pays.items())))
    if len(pays) > 1:
        refusals.append(
            Refusal(
                "odds_differ",
                "Linked tables must pay the same on the same hands. Choose others, "
                "or change their pay tables.",
            )
        )
    elsewhere = (
        MeterLink.objects.filter(
            table__name__in=terms.tables, wager=terms.wager, level=terms.level, until=None
        )
        .exclude(meter=meter)
        .select_related("table", "meter")
    )
    refusals += [
        Refusal("already_linked", f"{link.table} plays for {link.meter}. Leave it out.")
        for link in elsewhere
    ]
    return refusals


def _meter_changed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Start the meter, or let a running one go on by its new terms, once all added so far is in."""
    lock_settings()
    refusals = _terms_refusals(slip.details, own=slip)
    if refusals:
        raise Refused(refusals)
    terms = stored_terms(slip.details["is"])
    columns = {key: value for key, value in terms.stored().items() if key != "tables"}
    gaming_day = house.period_at(at).gaming_day
    rows: list[models.Model] = []
    if slip.details["meter"] is None:
        meter = Meter.objects.create(**columns, slip=slip)
        lock_meter(meter.pk)
        start = Change(Cause.STARTED, terms.start_cents * MICROCENTS)
        rows += write_changes(meter, [start], slip=slip, gaming_day=gaming_day, at=at)
    else:
        meter = lock_meter(slip.details["meter"])
        rows += write_changes(meter, [], slip=slip, gaming_day=gaming_day, at=at)
        Meter.objects.filter(pk=meter.pk).update(**columns, slip=slip)
    _link(meter, terms, at)
    return rows


def _link(meter: Meter, terms: MeterTerms, at: datetime) -> None:
    standing = meter.links.filter(until=None)
    standing.exclude(table__name__in=terms.tables).update(until=at)
    linked = set(standing.values_list("table__name", flat=True))
    MeterLink.objects.bulk_create(
        MeterLink(meter=meter, table=table, wager=terms.wager, level=terms.level, since=at)
        for table in Table.objects.filter(name__in=set(terms.tables) - linked).order_by("name")
    )


def _terms_look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Ask what a meter is; of one that runs, from what it is now."""
    given = request.POST if refused else request.GET
    meter: Meter | None = raising.given.get("meter")
    entered = {name: given.get(name, "") for name in _TERMS}
    entered["tables"] = " ".join(given.getlist("tables"))
    if "source" not in given:
        entered = _as_entered(meter.terms()) if meter else {"source": "pitboss", "tables": ""}
    return "jackpots/meter_terms.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "meter": meter,
        "keyed": entered,
        "bets": {
            f"{wager}:{level}": f"{wager.replace('_', ' ').title()}, {level.lower()}"
            for wager, levels in METERS.items()
            for level in levels
        },
        "sources": {source.value: source.words for source in MeterSource},
        "tables": _tables(request, entered["tables"].split()),
    }


def _as_entered(terms: MeterTerms) -> dict[str, str]:
    most = terms.maximum_cents
    return {
        "name": terms.name,
        "bet": f"{terms.wager}:{terms.level}",
        "source": terms.source.value,
        "start": format_money(terms.start_cents).removeprefix("$"),
        "reset": format_money(terms.reset_cents).removeprefix("$"),
        "rate": rate_words(terms.rate_ppm),
        "reserve": rate_words(terms.reserve_ppm),
        "maximum": "" if most is None else format_money(most).removeprefix("$"),
        "tables": " ".join(terms.tables),
    }


def _tables(request: PitRequest, checked: list[str]) -> list[dict[str, Any]]:
    """Return the tables that take a bet with a meter, and whether each was checked."""
    tables = []
    for table in Table.objects.select_related("pit"):
        try:
            bets = rules_in_force(table, request.house).side_bets
        except Refused:
            continue
        if any(wager in bets for wager in METERS):
            tables.append({"name": table.name, "pit": table.pit, "is_on": table.name in checked})
    return tables


def _terms_review(raising: Raising, new: NewSlip) -> dict[str, Any]:
    if new.details["is"]["source"] != MeterSource.PITBOSS.value:
        return {}
    note = {
        "tone": "wait",
        "bold": "Pitboss would count this meter itself.",
        "text": "Pitboss then acts as a progressive controller, and the regulator must approve it.",
    }
    return {"note": note}


METER_CHANGE = Kind(
    METER_TERMS,
    title="Meter",
    series="JM",
    open_to=frozenset(PROPOSERS),
    lit_by="jackpots",
    at_a_table=False,
    desk="meters",
    is_change=True,
    begins=_may_begin,
    asked=(
        *(Words(name=name, label=name.capitalize(), most=80, is_needed=False) for name in _TERMS),
        Several(name="tables", label="Tables that play for it"),
    ),
    becomes=_terms_read,
    drafted=_drafted_terms,
    refusals=lambda raising: _terms_refusals(raising.new().details),
    when_refused=refusal_kept,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=PROPOSERS,
            at=None,
            needs_reason=True,
            attests="I propose these meter terms for the tables listed.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            by=APPROVERS,
            at=None,
            why=BY_ANOTHER,
            attests="I reviewed what this change does and certify that no jackpot is pending "
            "on this meter.",
            then="meter_changed",
        ),
    ),
    void=REFUSED,
    effects={"meter_changed": _meter_changed},
    readers=READERS,
    promises=(Promise(2, 1),),
    paper=Form(
        parts=PARTS,
        refers_as="Changes",
        referred_as="Changed by",
        shows=Shows.FACTS,
        caption="Meters",
    ),
    look=_terms_look,
    review=_terms_review,
    heading=lambda raising: (
        f"Terms of {raising.given['meter']}" if "meter" in raising.given else "Start a meter"
    ),
    back=back_to_meter,
    raised=pending_words,
)
