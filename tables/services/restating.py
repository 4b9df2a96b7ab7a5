"""Post what should have moved long ago, and undo what counts since then made of its absence.

Where no count has seen the cheques since, a transfer is all there is to post. Where one has, it
took the difference for win, or for variance: the transfer is followed by its opposite, back to
where that count took it from, so that the place holds what was counted and the period is restated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import models
from django.db.models import Q, Sum

from inventory.models import CageCount, ChequeTransfer, Holder, TrayCount
from inventory.selectors.cheques import public_holding
from inventory.services.cage import missing_from_the_cage
from inventory.services.ledger import lock_public, move_cheques
from pitboss.models import Signature, Slip
from pitboss.rules.cheques.cheques import combined
from pitboss.rules.cheques.tray_counts import COMPARED_COUNTS
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.services.exceptions import open_exception
from pitboss.slips.late import true_time_of
from tables.selectors.tray_past import found_in_the_cage, tray_past

Cheques = dict[int, int]


@dataclass(frozen=True, slots=True)
class Since:
    """The first counts of the tray and of the cage after something happened; none if none was."""

    tray: TrayCount | None = None
    cage: CageCount | None = None

    def of(self, holder: Holder) -> TrayCount | CageCount | None:
        """Return the count that has seen what this place held then."""
        if holder == Holder.TRAY:
            return self.tray
        return self.cage if holder == Holder.CAGE else None


def post_restated(
    slip: Slip,
    cheques: Mapping[int, int],
    gave: Holder,
    got: Holder,
    *,
    since: Since,
    signature: Signature,
    at: datetime,
) -> list[models.Model]:
    """Move cheques from where they were to where they should have gone then.

    What the public should have given is drawn on under `lock_public`, which the caller has taken.
    """
    rows: list[models.Model] = []
    if not cheques:
        return rows
    gained, lost = since.of(got), since.of(gave)
    back: dict[Holder, Cheques] = {}
    if gained is not None:
        back = _taken_for(gained.slip, dict(cheques), gained=True)
        if isinstance(gained, CageCount):
            back = _missing_again(slip, gained, dict(cheques), back, signature, at)
    given = {gave: dict(cheques)}
    if gave == Holder.PUBLIC:
        round_trip = _out_and_straight_back(cheques, back)
        given = {gave: _less(cheques, round_trip)}
        if gained is not None:
            back[Holder.PUBLIC] = _less(back[Holder.PUBLIC], round_trip)
        given = _within_the_public(slip, {Holder.VARIANCE: {}, **given}, at)
    for holder, part in given.items():
        rows += move_cheques(slip=slip, cheques=part, source=holder, target=got, at=at)
    # First what goes to the public, then what is taken back from it.
    for holder, part in back.items():
        rows += move_cheques(slip=slip, cheques=part, source=got, target=holder, at=at)
    if lost is not None:
        parts = _taken_for(lost.slip, dict(cheques), gained=False)
        for holder, part in _within_the_public(slip, parts, at).items():
            rows += move_cheques(slip=slip, cheques=part, source=holder, target=gave, at=at)
    return rows


def _out_and_straight_back(cheques: Mapping[int, int], back: Mapping[Holder, Cheques]) -> Cheques:
    """Return cheques that the public hasn't got to give and that a count gave it back at once."""
    held, to_public = public_holding(), back.get(Holder.PUBLIC, {})
    return {
        cents: min(number - max(0, held.get(cents, 0)), to_public[cents])
        for cents, number in cheques.items()
        if number > max(0, held.get(cents, 0)) and cents in to_public
    }


def _less(cheques: Mapping[int, int], taken: Mapping[int, int]) -> Cheques:
    return {c: n - taken.get(c, 0) for c, n in cheques.items() if n > taken.get(c, 0)}


def post_with_the_public(
    slip: Slip, *, gave: Holder, got: Holder, signature: Signature, at: datetime
) -> list[models.Model]:
    """Move late cheques between a tray and the public, as a marker or its payment does."""
    assert slip.table is not None, "it happened at a table"
    lock_public()
    since = Since(tray_past(slip.table, true_time_of(slip)).after)
    cheques = slip.cheques_by_cents
    return post_restated(slip, cheques, gave, got, since=since, signature=signature, at=at)


def counting_refusals(count: CageCount | None) -> list[Refusal]:
    """Wait for a count of the cage: what it makes of this paper's cheques is not known before."""
    if count is None or count.slip.status != SlipStatus.OPEN.value:
        return []
    sentence = f"{count.slip.serial} counts the cage. Finish or void it, then approve this."
    return [Refusal("count_under_way", sentence, CONFLICT)]


def _missing_again(
    slip: Slip,
    count: CageCount,
    cheques: Cheques,
    parts: dict[Holder, Cheques],
    signature: Signature,
    at: datetime,
) -> dict[Holder, Cheques]:
    """Ask after cheques that came to the cage by paper and that its count since did not find."""
    found, public = found_in_the_cage(count), parts[Holder.PUBLIC]
    missing = {
        cents: min(public[cents], number - found.get(cents, 0))
        for cents, number in cheques.items()
        if number > found.get(cents, 0) and cents in public
    }
    if missing_from_the_cage(slip, missing, signature.person, at) == Holder.PUBLIC:
        return parts
    return {
        Holder.VARIANCE: combined(parts[Holder.VARIANCE], missing),
        Holder.PUBLIC: combined(public, {cents: -number for cents, number in missing.items()}),
    }


def _by_cents(which: Q) -> Cheques:
    rows = ChequeTransfer.objects.filter(which).values_list("denomination_cents")
    return dict(rows.annotate(total=Sum("count")).order_by())


def _taken_for(count: Slip, cheques: Cheques, *, gained: bool) -> dict[Holder, Cheques]:
    """Part late cheques by what the first count after them took them, or their absence, for.

    A count posts what it cannot explain against variance, the rest against the public. The late
    cheques explain as much of the variance as it found in their direction.
    """
    if count.kind in COMPARED_COUNTS:
        # A locked tray: whatever differs is variance.
        return {Holder.VARIANCE: dict(cheques), Holder.PUBLIC: {}}
    side = Q(source=Holder.VARIANCE) if gained else Q(target=Holder.VARIANCE)
    found = _by_cents(side & Q(slip=count))
    variance = {cents: min(n, found.get(cents, 0)) for cents, n in cheques.items()}
    public = {cents: n - variance[cents] for cents, n in cheques.items()}
    return {
        Holder.VARIANCE: {cents: n for cents, n in variance.items() if n},
        Holder.PUBLIC: {cents: n for cents, n in public.items() if n},
    }


def _within_the_public(
    slip: Slip, parts: dict[Holder, Cheques], at: datetime
) -> dict[Holder, Cheques]:
    """Take back from the public no more than it holds; the rest is variance, and looked into."""
    held = public_holding()
    public = parts[Holder.PUBLIC]
    short = {
        cents: n - max(0, held.get(cents, 0))
        for cents, n in public.items()
        if n > max(0, held.get(cents, 0))
    }
    if not short:
        return parts
    open_exception(
        code="more_than_exists",
        sentence=f"{slip.serial}: the cheques this restates aren’t out anywhere. Check the "
        "counts since then.",
        details={"cheques": {str(cents): n for cents, n in short.items()}},
        at=at,
        person=None,
        table=slip.table,
        slip=slip,
    )
    return {
        Holder.VARIANCE: {
            cents: parts[Holder.VARIANCE].get(cents, 0) + short.get(cents, 0)
            for cents in parts[Holder.VARIANCE].keys() | short.keys()
        },
        Holder.PUBLIC: {
            cents: n - short.get(cents, 0) for cents, n in public.items() if n > short.get(cents, 0)
        },
    }
