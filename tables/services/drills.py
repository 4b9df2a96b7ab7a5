"""Deal drills by the rules of a table, and keep what someone answered."""

from __future__ import annotations

from datetime import datetime, timedelta
from secrets import randbelow
from typing import Final
from uuid import UUID, uuid4

from django.core import signing
from django.db import transaction

from pitboss.models import Person, Table
from pitboss.rules.facts import AMOUNT_CENTS_MAX
from pitboss.rules.payouts.check import TableNow, TableTerms
from pitboss.rules.refusal import refuse
from pitboss.rules.rounds.drills import NUMBER_MAX, Drill, deal_drill
from pitboss.selectors.table_rules import rules_in_force
from pitboss.services import house
from pitboss.services.locks import lock_request
from tables.models import DrillAnswer
from tables.services.in_force import tax_of

_SALT: Final = "pitboss.drill"
# A page that was left open says nothing of how fast someone is.
_SECONDS_MAX: Final = 600
# Plenty of every cheque: practice is about what is owed, not about what the tray holds today.
_PLENTY: Final = 10_000


def new_drill(table: Table) -> tuple[Drill, str]:
    """Deal a drill; return it with the ticket under which it is answered. Raises Refused."""
    number = randbelow(NUMBER_MAX)
    drill = deal_drill(_by(table), number)
    fields = {
        "table": table.pk,
        "number": number,
        "at": house.now().isoformat(),
        "id": str(uuid4()),
    }
    return drill, signing.dumps(fields, salt=_SALT)


@transaction.atomic(durable=True)
def answer_drill(*, person: Person, ticket: str, answered_cents: int) -> tuple[DrillAnswer, Drill]:
    """Judge an answer and keep it, once for each ticket. Raises Refused."""
    try:
        body = signing.loads(ticket, salt=_SALT)
    except signing.BadSignature:
        raise refuse("unknown_drill", "Drill not found. Deal another.") from None
    request_id = UUID(body["id"])
    lock_request(request_id)
    now = house.now()
    table = Table.objects.get(pk=body["table"])
    drill = deal_drill(_by(table), body["number"])
    earlier = DrillAnswer.objects.filter(request_id=request_id).first()
    if earlier is not None:
        return earlier, drill
    if not 0 <= answered_cents <= AMOUNT_CENTS_MAX:
        raise refuse("bad_amount", "Amount isn’t valid. Enter dollars, like 112.50.")
    took = now - datetime.fromisoformat(body["at"])
    if not timedelta() <= took <= timedelta(seconds=_SECONDS_MAX):
        raise refuse("drill_too_old", "This drill is too old. Deal another.")
    kept = DrillAnswer.objects.create(
        person=person,
        table=table,
        number=drill.number,
        wager=drill.wager,
        stake_cents=drill.stake_cents,
        owed_cents=drill.owed_cents,
        answered_cents=answered_cents,
        is_right=answered_cents == drill.owed_cents,
        milliseconds=round(took / timedelta(milliseconds=1)),
        gaming_day=house.period_at(now).gaming_day,
        at=now,
        request_id=request_id,
    )
    return kept, drill


def _by(table: Table) -> TableNow:
    """Return the rules of a table as a drill is dealt and judged by them. Raises Refused."""
    now, here = house.now(), house.the_property()
    in_force = here.settings_at(now)
    return TableNow(
        terms=TableTerms.of(rules_in_force(table, in_force)),
        tray=dict.fromkeys(table.par_cheques or in_force.cheques.paying, _PLENTY),
        paid_on=now.astimezone(here.zone).date(),
        cut=in_force.cut_options,
        levels=in_force.level_terms,
        tax=tax_of(in_force),
    )
