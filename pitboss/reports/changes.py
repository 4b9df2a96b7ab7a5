"""Overrides and changes: what was set otherwise, by whom, who approved it, and what it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from django.db.models import Q

from pitboss.models import Signature, Slip
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Bar,
    Chart,
    Column,
    Report,
    ReportChoice,
    ReportScope,
    Row,
    Section,
    Shape,
    Tone,
    report_link,
    row_of,
    slip_cell,
    slip_link,
)
from pitboss.rules.flows.book import FLOWS, kinds_of_change, late_kinds
from pitboss.rules.flows.flows import SlipStatus, Track
from pitboss.selectors.slips import heading_of, step_title

KEY, PAGE = "changes", "report_changes"
OVERRIDDEN = "Overrides"
# Steps at which someone of rank lets a thing pass that the usual way would not.
OVERRIDES = frozenset({"accepted", "authorised", "pending_cleared", "released", "waived"})

_CHANGED = (
    Column("slip", "Slip", Shape.CODE),
    Column("what", "What"),
    Column("says", "Before and after"),
    Column("proposed_by", "Proposed by"),
    Column("approved_by", "Approved by"),
    Column("state", "State", is_minor=True),
)
_OVERRIDDEN = (
    Column("slip", "Slip", Shape.CODE),
    Column("table", "Table"),
    Column("what", "What"),
    Column("by", "By"),
    Column("at", "When", Shape.TIME),
    Column("reason", "Reason"),
)
_LATE = (
    Column("slip", "Slip", Shape.CODE),
    Column("table", "Table"),
    Column("what", "What"),
    Column("amount", "Amount", Shape.MONEY),
    Column("restates", "Restates", is_minor=True),
    Column("signed_by", "Signed by"),
)


@report(
    key=KEY,
    title="Overrides and changes",
    group=Group.PEOPLE,
    says="Changes to settings, tables, limits, and meters, overrides, and late entries.",
    page=PAGE,
    asked=ReportScope(days_max=366, days_before=6),
)
def changes(choice: ReportChoice) -> Report:
    """Return what was changed and overridden in some gaming days, or one kind of it."""
    changed = _slips(choice, kinds_of_change())
    late = _slips(choice, late_kinds())
    if choice.of and choice.of != OVERRIDDEN:
        return Report((_changed_by_two(changed), _keyed_late(late)))
    overrides = (
        Signature.objects.filter(
            Q(track=Track.RELIEF.value) | Q(step__in=OVERRIDES),
            slip__gaming_day__range=(choice.first, choice.last),
        )
        .select_related("slip__table")
        .defer("shown", "slip__plan")
        .order_by("-id")
    )
    overridden = [
        row_of(
            slip_cell(override.slip.serial),
            str(override.slip.table or ""),
            f"{override.slip.title}: {step_title(override.slip.kind, override.step).lower()}",
            override.signed_as,
            override.signed_at,
            override.reason,
        )
        for override in overrides
    ]
    by_rank = Section(OVERRIDDEN, _OVERRIDDEN, tuple(overridden), "No overrides.")
    if choice.of:
        return Report((by_rank,))
    counts = Counter(sorted(slip.title for slip in (*changed, *late)))
    counts[OVERRIDDEN] = len(overridden)
    return Report(
        (_changed_by_two(changed), by_rank, _keyed_late(late)),
        chart=Chart(
            "How many",
            Shape.COUNT,
            tuple(
                Bar(title, count, link=report_link(KEY, PAGE, choice, of=title))
                for title, count in counts.items()
                if count
            ),
        ),
    )


def _changed_by_two(slips: Iterable[Slip]) -> Section:
    rows = tuple(_changed(slip) for slip in slips)
    return Section("Changed by two people", _CHANGED, rows, "No settings changed.")


def _keyed_late(slips: Iterable[Slip]) -> Section:
    rows = tuple(_late(slip) for slip in slips)
    return Section("Late entries and corrections", _LATE, rows, "No late entries.")


def _slips(choice: ReportChoice, kinds: Iterable[str]) -> list[Slip]:
    """Return the slips of some kinds, or of the one that was opened."""
    wanted = sorted(kind for kind in kinds if choice.of in ("", FLOWS[kind].title))
    return list(
        Slip.objects.filter(gaming_day__range=(choice.first, choice.last), kind__in=wanted)
        .select_related("table")
        .prefetch_related("signatures")
        .order_by("-id")
    )


def _changed(slip: Slip) -> Row:
    signatures = list(slip.signatures.all())
    first, *others = (signature.signed_as for signature in signatures)
    said = [f"{name}: {value}" for name, value in slip.details.get("says", [])]
    is_open = slip.status == SlipStatus.OPEN.value
    return row_of(
        slip_cell(slip.serial),
        heading_of(slip),
        "; ".join(said),
        f"{first}: {signatures[0].reason}" if signatures[0].reason else first,
        ", ".join(others) or None,
        slip.get_status_display(),
        tone=Tone.WAIT if is_open else Tone.PLAIN,
    )


def _late(slip: Slip) -> Row:
    words = f"{slip.title}, paper slip {slip.details['paper_number']}"
    return row_of(
        slip_cell(slip.serial),
        str(slip.table or ""),
        words,
        slip.total_cents,
        slip.details.get("restates") or None,
        ", ".join(signature.signed_as for signature in slip.signatures.all()),
        opens=slip_link(slip.serial),
    )
