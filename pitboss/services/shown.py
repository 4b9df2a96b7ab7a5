"""What a person is shown before they sign: one text, stored with the signature and hashed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pitboss.models import Signature, Slip, Table
from pitboss.rules.canonical import canonical
from pitboss.rules.cheques.cheques import total_cents
from pitboss.rules.flows.flows import SlipStatus
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import kind_named

# Where a slip that counts money keeps it: cents by line.
FIGURES = "figures"
# Where a slip keeps the pit and the game of its table: both may change, its paper may not.
STOOD = "stood"


def request_shown(new: NewSlip, table: Table | None) -> str:
    """Return the one text of what a person sees before raising a slip.

    Names the slips under way at the table and the tray's sequence, so that a fill that someone else
    asked for in the meantime makes this one stale.
    """
    under_way = Slip.objects.filter(
        table=table, status__in=[SlipStatus.OPEN, SlipStatus.RETURNING]
    ).order_by("serial")
    if table is None:
        # What another desk does meanwhile is no news for this one.
        under_way = under_way.filter(kind=new.kind)
    return canonical(
        {
            "kind": new.kind,
            "table": table.name if table else None,
            "cheques": stored_cheques(new.cheques),
            "total_cents": total_cents(new.cheques),
            "details": dict(new.details),
            "refers_to": new.refers_to_id,
            "tray_sequence": table.tray_sequence if table else None,
            "under_way": list(under_way.values_list("serial", flat=True)),
        }
    )


def slip_shown(slip: Slip, signatures: Sequence[Signature] | None = None) -> str:
    """Return the one text of a slip as a person sees it before signing.

    A caller who has read the slip's signatures, oldest first, hands them over.
    """
    if signatures is None:
        signatures = list(slip.signatures.order_by("id"))
    return canonical(
        {
            "serial": slip.serial,
            "kind": slip.kind,
            "table": slip.table.name if slip.table else None,
            "gaming_day": slip.gaming_day.isoformat(),
            "shift": slip.shift,
            "cheques": slip.cheques,
            "total_cents": slip.total_cents,
            "details": _details_shown(slip, signatures),
            "status": slip.status,
            "signatures": [
                [signature.track, signature.step, signature.signed_as, signature.counted]
                for signature in signatures
            ],
            **_shown_besides(slip),
        }
    )


def _details_shown(slip: Slip, signatures: Sequence[Signature]) -> dict[str, Any]:
    """Return what a slip says besides cheques. Figures stay unseen until two have counted them."""
    details = dict(slip.details)
    if FIGURES in details and has_unseen_figures(slip, signatures):
        del details[FIGURES]
    return details


def has_unseen_figures(slip: Slip, signatures: Sequence[Signature] | None = None) -> bool:
    """Tell whether someone has still to count this slip's figures without seeing them."""
    blind = {step["name"] for step in slip.plan if step["figures"]}
    if signatures is None:
        signatures = list(slip.signatures.all()) if blind else []
    return bool(blind) and not any(signature.step in blind for signature in signatures)


def _shown_besides(slip: Slip) -> Mapping[str, Any]:
    kind = kind_named(slip.kind)
    return kind.shows(slip) if kind is not None and kind.shows is not None else {}


def stored_cheques(cheques: Mapping[int, int]) -> dict[str, int]:
    """Return cheques as a row keeps them: text for keys, and no color that is not there."""
    return {str(cents): count for cents, count in cheques.items() if count}
