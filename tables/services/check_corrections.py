"""Correct a check whose cards were entered wrong: a new check stands for it from then on.

The old one stays in ink. What it asked a supervisor for ends, no approval of it is used any more,
and the envy that it recorded is taken back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction

from pitboss.rules.refusal import refuse
from pitboss.rules.said import Said
from pitboss.services import house
from pitboss.services.locks import lock_table
from pitboss.services.once import GivenAnswer, RequestKey, replayed
from tables.models import PayoutCheck
from tables.services.approvals import end_wait
from tables.services.checks import check, store
from tables.services.envy import take_back_of_check
from tables.services.terminals import Terminal

CORRECTS: Final = "corrects"


def check_or_correct(
    request_key: RequestKey, *, terminal: Terminal, keyed: Mapping[str, Any]
) -> GivenAnswer:
    """Judge a payout, in place of an earlier check where it names one. Raises Refused."""
    if keyed.get(CORRECTS) is None:
        return check(request_key, terminal=terminal, keyed=_without(keyed))

    def act() -> GivenAnswer:
        with transaction.atomic(durable=True):
            return _correct(request_key, terminal, keyed)

    return replayed(request_key, act)


def _without(keyed: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in keyed.items() if name != CORRECTS}


def _correct(request_key: RequestKey, terminal: Terminal, keyed: Mapping[str, Any]) -> GivenAnswer:
    number = keyed[CORRECTS]
    table = lock_table(terminal.table.pk)
    earlier = (
        PayoutCheck.objects.select_related("dealer", "table").filter(pk=number, table=table).first()
        if type(number) is int and 0 < number < 2**63
        else None
    )
    if earlier is None:
        raise refuse(
            "unknown_check", Said("Check not found at {table}. Check its number.", table=table)
        )
    if keyed.get("wager") != earlier.wager:
        raise refuse("other_bet", "A check corrects one of the same bet. Check this bet again.")
    if PayoutCheck.objects.filter(corrects=earlier).exists():
        raise refuse("already_corrected", "This check was corrected before. Correct the newest.")
    now = house.now()
    answer = store(request_key, terminal=terminal, keyed=_without(keyed), corrects=earlier)
    end_wait(earlier, now, "The payout was corrected.")
    take_back_of_check(earlier, device=terminal.device, at=now)
    return answer
