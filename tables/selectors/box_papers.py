"""The papers of drop boxes, read for many boxes at once: which the forms send there, which came."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Final

from django.db.models import OuterRef, Q, Subquery
from django.db.models.fields.json import KT

from pitboss.models import Signature, Slip
from pitboss.paper.forms import InBox
from pitboss.rules.day.late_papers import LATE_KINDS
from pitboss.rules.drop.box_papers import (
    Around,
    BoxPapers,
    BoxPulled,
    DroppedCopy,
    expected_copies,
    judge_papers,
    serial_of,
)
from pitboss.rules.drop.figures import DROP_COUNT, PULLS
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import SlipStatus, Track
from pitboss.selectors.outages import fallback_kinds
from pitboss.services import house
from pitboss.slips.kind import form_of
from tables import models
from tables.selectors.compartments import left_at, left_at_of

# A slip may be raised days before it is done; its paper is dropped when it is done.
_RAISED_BEFORE: Final = timedelta(days=7)
# Two papers of one code are looked for among the counts of these days.
_SEEN_BEFORE: Final = timedelta(days=60)
_INSTANT: Final = timedelta(microseconds=1)


@dataclass(slots=True)
class _Desk:
    """What is known of some boxes, and of all papers that may be in them."""

    copies: list[DroppedCopy] = field(default_factory=list)
    boxes: dict[int, BoxPulled] = field(default_factory=dict)
    before: dict[int, Slip] = field(default_factory=dict)
    following: dict[int, Slip] = field(default_factory=dict)
    elsewhere: dict[str, dict[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BoxFound:
    """What a count found in a box besides money."""

    documents: Sequence[str] = ()
    unreadable: int = 0


def copies_expected(pulls: Sequence[Slip]) -> dict[str, list[DroppedCopy]]:
    """Return the copies that belong in each box, by the serial of its pull."""
    desk = _desk(pulls)
    of_table = defaultdict(list)
    for copy in desk.copies:
        of_table[copy.table].append(copy)
    return {
        pull.serial: expected_copies(desk.boxes[pull.pk], of_table[desk.boxes[pull.pk].table])
        for pull in pulls
    }


def papers_judged(
    pulls: Sequence[Slip], found: Mapping[str, BoxFound]
) -> dict[str, tuple[BoxPapers, dict[str, str]]]:
    """Say of each box what is wrong with its papers, and what each paper is.

    A fixed number of queries, however many boxes.
    """
    named = {word for box_found in found.values() for word in box_found.documents}
    desk = _desk(pulls, named, found)
    near = timedelta(minutes=house.settings_at(house.now())["drop.copy_within"])
    of_table, of_serial = defaultdict(list), defaultdict(list)
    for copy in desk.copies:
        of_table[copy.table].append(copy)
        of_serial[serial_of(copy.code)].append(copy)
    judged = {}
    for pull in pulls:
        box, came = desk.boxes[pull.pk], found[pull.serial]
        strange = [
            copy
            for word in {*came.documents}
            for copy in of_serial[serial_of(word)]
            if copy.table != box.table
        ]
        around = Around(
            near,
            _box_of(desk, desk.before.get(pull.pk)),
            _box_of(desk, desk.following.get(pull.pk)),
            desk.elsewhere.get(pull.serial),
        )
        copies = [*of_table[box.table], *strange]
        papers = judge_papers(box, copies, came.documents, around, came.unreadable)
        judged[pull.serial] = papers, {copy.code: copy.title for copy in copies}
    return judged


def _box_of(desk: _Desk, pull: Slip | None) -> BoxPulled | None:
    return desk.boxes[pull.pk] if pull is not None else None


def _desk(
    pulls: Sequence[Slip], named: Iterable[str] = (), found: Mapping[str, BoxFound] | None = None
) -> _Desk:
    desk = _Desk()
    desk.before, desk.following = _neighbours(pulls, "-pull"), _neighbours(pulls, "pull")
    every = {pull.pk: pull for pull in (*pulls, *desk.before.values(), *desk.following.values())}
    # The boxes before those: from them on the first of the papers lay there.
    earlier = {**_neighbours([*every.values()], "-pull"), **desk.before}
    posted = _posted(every.values())
    for pull in every.values():
        last = earlier.get(pull.pk)
        desk.boxes[pull.pk] = BoxPulled(
            table=_table_of(pull),
            after=left_at(last) if last else None,
            until=left_at(pull),
            found=posted.get(pull.serial),
        )
    since: dict[date | None, set[int]] = defaultdict(set)
    for pull in every.values():
        first = earlier.get(pull.pk)
        if pull in desk.following.values() or pull.table_id is None:
            continue
        since[first.gaming_day if first else None].add(pull.table_id)
    desk.copies = _copies(since, named)
    if found is not None:
        desk.elsewhere = _elsewhere(pulls, found, desk.copies)
    return desk


def _table_of(pull: Slip) -> str:
    assert pull.table is not None, "a box is pulled off a table"
    return pull.table.name


def _neighbours(pulls: Sequence[Slip], order: str) -> dict[int, Slip]:
    """Return the box that was pulled off the same table before or after each."""
    side = "pull__lt" if order == "-pull" else "pull__gt"
    others = (
        models.PulledBox.objects.filter(**{side: OuterRef("pk")}, pull__table=OuterRef("table_id"))
        .exclude(pull__status=SlipStatus.VOIDED)
        .order_by(order)
    )
    rows = Slip.objects.filter(pk__in=[pull.pk for pull in pulls]).values_list(
        "pk", Subquery(others.values("pull")[:1])
    )
    pairs = {key: other for key, other in rows if other is not None}
    slips = Slip.objects.select_related("table").defer("plan").in_bulk(set(pairs.values()))
    return {key: slips[other] for key, other in pairs.items()}


def _posted(pulls: Iterable[Slip]) -> dict[str, tuple[str, ...]]:
    counts = (
        Slip.objects.alias(of_pull=KT("details__pull"))
        .filter(
            kind=DROP_COUNT, status=SlipStatus.DONE, of_pull__in=[pull.serial for pull in pulls]
        )
        .values_list("details__pull", "details__documents")
    )
    return {serial: tuple(documents) for serial, documents in counts}


def _dropped_kinds() -> list[str]:
    """Return the kinds whose forms send a part into a box."""
    return [kind for kind in FLOWS if any(part.box is not InBox.NO for part in form_of(kind).parts)]


def _copies(since: Mapping[date | None, set[int]], named: Iterable[str]) -> list[DroppedCopy]:
    """Return the copies of some tables from a day on, and those of the slips that are named."""
    serials = {serial_of(word) for word in named}
    wanted, late = Q(serial__in=serials), Q(details__paper_number__in=sorted(serials))
    for day, tables in since.items():
        of_tables = Q(table__in=tables)
        if day is not None:
            late |= of_tables & Q(gaming_day__gte=day)
            of_tables &= Q(gaming_day__gte=day - _RAISED_BEFORE)
        else:
            late |= of_tables
        wanted |= of_tables & Q(kind__in=_dropped_kinds())
    slips = (
        Slip.objects.filter(wanted)
        .exclude(status=SlipStatus.VOIDED)
        .exclude(table=None)
        .values_list("pk", "serial", "kind", "table__name", "status")
    )
    signed: dict[int, dict[str, Signature]] = defaultdict(dict)
    signatures = Signature.objects.filter(slip__in=[row[0] for row in slips], track=Track.MAIN)
    for signature in signatures.only("slip_id", "step", "signed_at").order_by("id"):
        signed[signature.slip_id][signature.step] = signature
    pulled_on = _pulled_on([serial for _, serial, kind, _, _ in slips if _goes_on(kind)])
    copies = []
    for key, serial, kind, table, status in slips:
        is_done = status == SlipStatus.DONE.value
        steps, pull = signed[key], pulled_on.get(serial)
        for part in form_of(kind).parts:
            dropped = steps.get(part.dropped) if part.dropped else None
            if dropped is None and is_done and not part.dropped:
                dropped = next(reversed(steps.values()), None)
            at = dropped.signed_at if dropped and part.box is not InBox.NO else None
            if part.box is InBox.GOES_ON:
                at = pull + _INSTANT if pull else None
            copies.append(
                DroppedCopy(
                    code=part.code(serial),
                    title=_title(FLOWS[kind].title.lower(), part.name.lower()),
                    table="" if part.box is InBox.ANY_TABLE else table,
                    at=at,
                    is_tied=pull is not None,
                    is_optional=part.box in (InBox.MAYBE, InBox.ANY_TABLE),
                )
            )
    return [*copies, *_late_copies(late)]


def _title(kind: str, part: str) -> str:
    return kind if part == kind else f"{kind}, {part}"


def _goes_on(kind: str) -> bool:
    return any(part.box is InBox.GOES_ON for part in form_of(kind).parts)


def _pulled_on(counts: Sequence[str]) -> dict[str, datetime]:
    """Return when the box was pulled that was pulled on each count."""
    pulls = (
        Slip.objects.alias(of_count=KT("details__count"))
        .filter(kind__in=PULLS, of_count__in=counts)
        .exclude(status=SlipStatus.VOIDED)
    )
    rows = pulls.values_list("details__count", "details__locked_at", "raised_at")
    return {count: left_at_of(locked_at, at) for count, locked_at, at in rows}


def _late_copies(wanted: Q) -> list[DroppedCopy]:
    """Return the parts of forms that were dropped while the line was down, at their own time."""
    late = Slip.objects.filter(wanted, kind__in=LATE_KINDS, status=SlipStatus.DONE)
    forms = {
        code: kind.on_paper.form.parts for code, kind in fallback_kinds().items() if kind.on_paper
    }
    copies = []
    for number, kind, table, true_time in late.values_list(
        "details__paper_number", "kind", "table__name", "details__true_time"
    ):
        at = datetime.fromisoformat(true_time)
        parts = forms.get(number[2:4] if number.startswith("P-") else "")
        if parts is None:
            # Papers of an earlier release bear the number of a pad, and have no parts.
            copies.append(DroppedCopy(number, _paper_title(kind), table, at))
            continue
        copies += [
            DroppedCopy(
                part.code(number),
                f"{_paper_title(kind)}, {part.name.lower()}",
                table,
                at,
                is_optional=part.box is not InBox.ON_TABLE,
            )
            for part in parts
            if part.box in (InBox.ON_TABLE, InBox.MAYBE)
        ]
    return copies


def _paper_title(kind: str) -> str:
    """Return what a paper of an outage is called."""
    return f"{FLOWS[kind].title.lower()}, paper slip"


def _elsewhere(
    pulls: Sequence[Slip], found: Mapping[str, BoxFound], copies: Sequence[DroppedCopy]
) -> dict[str, dict[str, str]]:
    """Return, for each box, which of its papers were found in another one too, and on which count.

    A bare number is the one part of it that goes into a box, where there is one.
    """
    dropped: dict[str, list[str]] = defaultdict(list)
    for copy in copies:
        if copy.at is not None and not copy.is_optional:
            dropped[serial_of(copy.code)].append(copy.code)

    def meant(word: str) -> str:
        parts = dropped[word]
        return parts[0] if len(parts) == 1 else word

    words = {word for box_found in found.values() for word in box_found.documents}
    words |= {serial_of(word) for word in words} | {meant(word) for word in words}
    first_day = min(pull.gaming_day for pull in pulls) - _SEEN_BEFORE
    counts = (
        Slip.objects.filter(
            kind=DROP_COUNT,
            gaming_day__gte=first_day,
            details__documents__has_any_keys=sorted(words),
        )
        .exclude(status=SlipStatus.VOIDED)
        .values_list("serial", "details__pull", "details__documents")
    )
    others = [(serial, of, {meant(word) for word in named}) for serial, of, named in counts]
    return {
        pull.serial: {
            code: serial for serial, of, named in others if of != pull.serial for code in named
        }
        for pull in pulls
    }
