"""Why something waits for just this person: the threshold that was passed, and the rule behind it.

Anyone who is asked to sign decides by the reason, not by the form: so the reason has the figures.
"""

from __future__ import annotations

from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import Need, NeedFacts


def high_cheques(facts: NeedFacts) -> Need:
    """Say why the pit manager top-signs.

    >>> high_cheques(NeedFacts({500_000: 2}, {}, 500_000)).sentence
    'Includes a $5,000 cheque. A pit manager must top-sign a $5,000 cheque or higher.'
    """
    return Need(
        f"Includes a {format_money(max(facts.cheques))} cheque. A pit manager must top-sign "
        f"a {format_money(facts.top_sign_from_cents)} cheque or higher.",
        "approval.top_sign_from",
    )


def need_of(step: str, *, kind: str, facts: NeedFacts) -> Need:
    """Return why a step of a slip needs the person it asks for.

    >>> need_of("approved", kind="table_change", facts=NeedFacts({}, {})).sentence
    'This needs approval from someone other than the person who proposed it.'
    """
    declared = FLOWS[kind].step_named(step) if kind in FLOWS else None
    if declared is not None and declared.why is not None:
        why = declared.why
        return why if isinstance(why, Need) else why(facts)
    return Need("You’re next to sign.")
