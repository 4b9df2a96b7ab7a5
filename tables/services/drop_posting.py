"""Post counts of drop boxes: their papers are compared, and their boxes are free again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models.fields.json import KT

from pitboss.models import Person, Signature, Slip
from pitboss.rules.canonical import canonical
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.drop.figures import DROP_COUNT, FOREIGN_CHEQUES
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.refusal import CONFLICT, refuse
from pitboss.services import house
from pitboss.services.covering import Covered, Given, write_covered
from pitboss.services.drafts import NewSlip
from pitboss.services.exceptions import FOREIGN_AT_TABLE, open_exception
from pitboss.services.shown import FIGURES
from tables.models import BoxTally
from tables.selectors.box_papers import BoxFound, papers_judged
from tables.selectors.compartments import left_at
from tables.selectors.count_sessions import CLOSING, CountedBox, SessionState
from tables.services.drop_boxes import return_counted
from tables.services.estimate_gaps import ask_after_gaps


def found_in(details: Mapping[str, Any]) -> BoxFound:
    """Return the papers that a count has found."""
    # Counts of earlier releases knew of no paper that no one could read.
    return BoxFound(tuple(details["documents"]), details.get("unreadable", 0))


def box_posted(counts: Sequence[Slip], person: Person, at: datetime) -> None:
    """Compare the papers found in boxes with those that should be there; free the boxes.

    What differs is looked into.
    """
    pulls = {
        pull.serial: pull
        for pull in Slip.objects.select_related("table").filter(
            serial__in=[count.details["pull"] for count in counts]
        )
    }
    found = {count.details["pull"]: found_in(count.details) for count in counts}
    judged = papers_judged([pulls[serial] for serial in found], found)
    for count in counts:
        serial = count.details["pull"]
        papers, titles = judged[serial]
        _ask_after_foreign(count, pulls[serial], person, at)
        if papers.is_right:
            continue
        open_exception(
            code="drop_documents",
            sentence=f"Box {count.details['box']} on {serial}: {papers.words(titles)}."[:500],
            details={
                "missing": list(papers.missing),
                "foreign": [code for code, _ in papers.foreign],
                "double": [code for code, _ in papers.double],
                "unreadable": papers.unreadable,
            },
            at=at,
            person=person,
            slip=count,
        )
    ask_after_gaps(counts, pulls, person, at)
    return_counted(list(pulls.values()))


def _ask_after_foreign(count: Slip, pull: Slip, person: Person, at: datetime) -> None:
    """Let the pit manager look into cheques of other houses in a box that should have none."""
    cents = count.details[FIGURES][FOREIGN_CHEQUES]
    # The rules of the day on which the box stood at its table.
    if cents and house.settings_at(left_at(pull))["foreign.at_table"] == "no":
        open_exception(
            code=FOREIGN_AT_TABLE,
            sentence=f"The box of {pull.table} on {pull.serial} held {format_money(cents)} in "
            "cheques of other houses. Tables take none: the cage changes them.",
            details={"cents": cents},
            at=at,
            person=person,
            table=pull.table,
            slip=count,
        )


def post_session(
    state: SessionState, signature: Signature, at: datetime, request_id: UUID
) -> list[models.Model]:
    """Post every box of a session at once, each on a slip of its own: all or none. Raises Refused.

    A box's slip has the signatures that its counters gave when they closed the session, and that
    with which accounting posts it.
    """
    _demand_uncounted(state)
    closed = {
        item.person_id: item
        for item in Signature.objects.filter(slip=state.session, step__in=CLOSING).select_related(
            "person", "device", "slip"
        )
    }
    slips, signatures = write_covered(
        state.session,
        [_covered(box, closed, signature, state.session, at) for box in state.boxes],
        request_id=request_id,
    )
    box_posted(slips, signature.person, at)
    return [*slips, *signatures]


def _covered(
    box: CountedBox,
    closed: Mapping[int, Signature],
    posted: Signature,
    session: Slip,
    at: datetime,
) -> Covered:
    first, second = box.first, box.second
    assert first is not None and second is not None, "a box was not counted twice"  # noqa: PT018
    details = {
        "pull": box.pull.serial,
        "box": box.pull.details["box"],
        FIGURES: first.figures,
        "documents": first.documents,
        "unreadable": first.unreadable,
        "session": session.serial,
    }
    given = (
        _given("counted", first, closed),
        _given("verified", second, closed, second.figures),
        Given("posted", posted.person, posted.device, _shown_on(posted)),
    )
    return Covered(NewSlip(DROP_COUNT, None, {}, details=details), None, given, at)


def _shown_on(signed: Signature) -> str:
    """Return what stands on a box of what someone was shown for all: its digest, and where it is.

    The text names every box. Whole on each of two hundred, it would be most of what is written.
    """
    return canonical({"on": signed.slip.serial, "step": signed.step, "shown": signed.shown_hash})


def _given(
    step: str,
    tally: BoxTally,
    closed: Mapping[int, Signature],
    figures: Mapping[str, int] | None = None,
) -> Given:
    signed = closed[tally.person_id]
    return Given(step, signed.person, signed.device, _shown_on(signed), figures)


def _demand_uncounted(state: SessionState) -> None:
    serials = [box.pull.serial for box in state.boxes]
    counted = (
        Slip.objects.alias(of_pull=KT("details__pull"))
        .filter(kind=DROP_COUNT, of_pull__in=serials)
        .exclude(status=SlipStatus.VOIDED)
        .first()
    )
    if counted is not None:
        raise refuse(
            "already_counted",
            f"Box {counted.details['box']} was counted on {counted.serial}. Void this session.",
            CONFLICT,
        )
