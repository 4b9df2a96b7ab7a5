"""Ask after boxes whose count is far from what their pit estimated."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta

from pitboss.models import Person, Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.drop.estimates import gap_cents
from pitboss.rules.drop.figures import PULLS, cash_cents
from pitboss.rules.flows.flows import SlipStatus
from pitboss.services import house
from pitboss.services.exceptions import ESTIMATE_GAP, open_exception
from pitboss.services.shown import FIGURES
from tables.models import DropEstimate
from tables.selectors.compartments import left_at, left_at_of

# Longer than any box stays on its table.
_LOOKED_BACK = timedelta(days=14)


def estimates_of_boxes(pulls: Sequence[Slip]) -> dict[str, int]:
    """Return what was estimated to be in each box, by its pull: the newest guess of each shift.

    Guesses from the pull before to this one are of this box. Two queries, however many boxes.
    """
    tables = {pull.table_id for pull in pulls}
    first = min((pull.raised_at for pull in pulls), default=house.now()) - _LOOKED_BACK
    before = defaultdict[int | None, list[datetime]](list)
    for table_id, locked_at, at in (
        Slip.objects.filter(table__in=tables, kind__in=PULLS, raised_at__gte=first)
        .exclude(status=SlipStatus.VOIDED)
        .values_list("table", "details__locked_at", "raised_at")
    ):
        before[table_id].append(left_at_of(locked_at, at))
    guesses = defaultdict[int, list[DropEstimate]](list)
    for guess in DropEstimate.objects.filter(table__in=tables, keyed_at__gte=first).order_by("id"):
        guesses[guess.table_id].append(guess)
    found: dict[str, int] = {}
    for pull in pulls:
        until = left_at(pull)
        since = max((at for at in before[pull.table_id] if at < until), default=first)
        newest: dict[tuple[date, str], int] = {
            (guess.gaming_day, guess.shift): guess.cash_cents
            for guess in guesses[pull.table_id or 0]
            if since < guess.keyed_at <= until
        }
        if newest:
            found[pull.serial] = sum(newest.values())
    return found


def ask_after_gaps(
    counts: Sequence[Slip], pulls: Mapping[str, Slip], person: Person, at: datetime
) -> None:
    """Open an item for accounting for each box that is far from its estimate."""
    settings = house.settings_at(at)
    least, share = settings["drop.estimate_gap"], settings["drop.estimate_share"]
    estimates = estimates_of_boxes(list(pulls.values()))
    for count in counts:
        serial = count.details["pull"]
        estimate = estimates.get(serial)
        if estimate is None:
            continue
        actual = cash_cents(count.details[FIGURES])
        gap = gap_cents(estimate, actual, least, share)
        if gap is not None:
            box, estimated = f"Box {count.details['box']} on {serial}", format_money(estimate)
            open_exception(
                code=ESTIMATE_GAP,
                sentence=f"{box} has {format_money(-gap)} less than the {estimated} estimated."
                if gap < 0
                else f"{box} has {format_money(gap)} more than the {estimated} estimated.",
                details={"estimate_cents": estimate, "actual_cents": actual},
                at=at,
                person=person,
                table=pulls[serial].table,
                slip=count,
            )
