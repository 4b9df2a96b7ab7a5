"""What a slip says besides cheques, in the words of the paper."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

from pitboss.models import Slip
from pitboss.rules.cheques import format_money
from pitboss.rules.drop_flows import DROP_COUNT, DROP_PULL, FIGURE_LINES, cash_cents
from pitboss.rules.handover_flows import HANDOVERS
from pitboss.rules.late_flows import LATE_KINDS
from pitboss.rules.marker_flows import MARKER
from pitboss.services import house
from pitboss.services.shown import FIGURES, has_unseen_figures


def written_of(slip: Slip) -> list[tuple[str, str]]:
    """Return headings and words of what stands in a slip's details, figures only once counted."""
    if slip.kind == DROP_PULL.kind:
        return _pull(slip)
    if slip.kind == DROP_COUNT.kind:
        return _count(slip)
    if slip.kind in LATE_KINDS:
        return _late(slip)
    if slip.kind in HANDOVERS:
        return _close(slip)
    if slip.kind == MARKER.kind:
        return _marker(slip)
    said = [(name, value) for name, value in slip.details.get("says", [])]
    return said + (_WRITTEN_WITH[slip.kind](slip) if slip.kind in _WRITTEN_WITH else [])


# What a kind of slip has come to say since it was raised, registered by its app.
Written = Callable[[Slip], list[tuple[str, str]]]
_WRITTEN_WITH: dict[str, Written] = {}


def written_with(kind: str) -> Callable[[Written], Written]:
    """Register what a kind of slip says on paper besides what it said when it was raised."""

    def register(function: Written) -> Written:
        assert kind not in _WRITTEN_WITH, f"{kind} writes two things"
        _WRITTEN_WITH[kind] = function
        return function

    return register


def _pull(slip: Slip) -> list[tuple[str, str]]:
    details = slip.details
    new_box = f"{details['new_box']}{', emergency box' if details['emergency'] else ''}"
    return [
        ("Box off", details["box"]),
        ("Box on", new_box),
        ("On count", details["count"] or "none"),
        ("Surveillance told", _clock(details["surveillance_told_at"])),
    ]


def _count(slip: Slip) -> list[tuple[str, str]]:
    written = [("Box", f"{slip.details['box']}, pulled on {slip.details['pull']}")]
    if has_unseen_figures(slip):
        return [*written, ("Figures", "Not shown until two have counted.")]
    figures = slip.details[FIGURES]
    bills = [
        f"{line.title} {format_money(figures[line.key])}"
        for line in FIGURE_LINES
        if line.key.startswith("cash_") and figures[line.key]
    ]
    return [
        *written,
        ("Cash", f"{format_money(cash_cents(figures))}: {', '.join(bills) or 'no bills'}"),
        ("Coupons", format_money(figures["coupons"])),
        ("Other houses", format_money(figures["foreign_cheques"])),
        ("Documents", ", ".join(slip.details["documents"]) or "none"),
    ]


def _late(slip: Slip) -> list[tuple[str, str]]:
    written = [
        ("LATE", f"Paper {slip.details['paper_number']}"),
        ("True time", _clock(slip.details["true_time"], with_day=True)),
        ("Keyed", _clock(slip.raised_at.isoformat(), with_day=True)),
    ]
    if slip.details.get("restates"):
        day = date.fromisoformat(slip.details["restates"])
        written.append(("Restates", f"gaming day {day:%a %d %b %Y}"))
    return written


def _close(slip: Slip) -> list[tuple[str, str]]:
    day = date.fromisoformat(slip.details["gaming_day"])
    carried = " ".join(item["sentence"] for item in slip.details["carried"])
    shift = slip.details.get("shift")
    return [
        ("Gaming day", f"{day:%a %d %b %Y}"),
        *([("Shift", shift)] if shift else []),
        ("Carried over", carried or "Nothing."),
    ]


def _marker(slip: Slip) -> list[tuple[str, str]]:
    details = slip.details
    card = f", card {details['player_card']}" if details["player_card"] else ""
    left = max(0, details["remaining_cents"] - slip.total_cents)
    written = [
        ("Patron", f"{details['patron_name']}{card}"),
        ("Line", f"{format_money(details['line_cents'])}, {format_money(left)} remains after it"),
    ]
    if details["bank"]:
        written.append(("Drawn on", details["bank"]))
    if details["over_line_cents"]:
        written.append(("Above the line", format_money(details["over_line_cents"])))
    return written


def _clock(instant: str, *, with_day: bool = False) -> str:
    """Return an instant by the property's clock."""
    at = datetime.fromisoformat(instant).astimezone(house.the_property().zone)
    return f"{at:%a %d %b %Y, %H:%M}" if with_day else f"{at:%H:%M}"
