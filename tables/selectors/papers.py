"""What the slips of drop boxes, late papers and closed days tell on the screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pitboss.models import Slip
from pitboss.rules.cheques import format_money
from pitboss.rules.drop_flows import DROP_COUNT, DROP_PULL, FIGURE_LINES, cash_cents
from pitboss.rules.handover_flows import HANDOVERS
from pitboss.rules.late_flows import CORRECTION, LATE_CREDIT, LATE_FILL
from pitboss.selectors.details import written_of
from pitboss.selectors.slips import told_with
from pitboss.services.shown import FIGURES, has_unseen_figures


@told_with(DROP_PULL.kind, *HANDOVERS)
def _written(slip: Slip) -> dict[str, Any]:
    return {"template": "tables/_written.html", "has_lines": True, "written": written_of(slip)}


@told_with(LATE_FILL.kind, LATE_CREDIT.kind, CORRECTION.kind)
def _late(slip: Slip) -> dict[str, Any]:
    return {
        "template": "tables/_written.html",
        "comes_first": True,
        "is_late": True,
        "written": written_of(slip),
    }


@told_with(DROP_COUNT.kind)
def _counted(slip: Slip) -> dict[str, Any]:
    """Return the figures of a box; before the second count only the fields to key them in."""
    if has_unseen_figures(slip) and slip.status == "open":
        return {
            "template": "tables/_figure_fields.html",
            "has_lines": True,
            "form": "sign-pad",
            "box": slip.details["box"],
            "key_lines": figure_fields(),
        }
    if has_unseen_figures(slip):
        return {"template": "tables/_written.html", "has_lines": True, "written": written_of(slip)}
    return figures_panel(slip.details[FIGURES], slip.details["documents"], slip.details["box"])


def figure_fields(keyed: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """Return the fields in which a box's count is keyed."""
    return [
        {
            "name": f"figure_{line.key}",
            "title": line.title,
            "is_money": line.is_money,
            "value": (keyed or {}).get(f"figure_{line.key}", ""),
        }
        for line in FIGURE_LINES
    ]


def figures_panel(figures: Mapping[str, int], documents: list[str], box: str) -> dict[str, Any]:
    """Return the figures of a box as a slip shows them."""
    return {
        "template": "tables/_figures.html",
        "has_lines": True,
        "box": box,
        "lines": [
            {
                "title": line.title,
                "words": format_money(figures[line.key])
                if line.is_money
                else str(figures[line.key]),
                "is_none": not figures[line.key],
            }
            for line in FIGURE_LINES
        ],
        "cash_cents": cash_cents(figures),
        "documents": documents,
    }
