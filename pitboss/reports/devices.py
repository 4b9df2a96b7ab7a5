"""Which signatures shared a device: the slips on which two people signed on one screen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pitboss.models import Device, Signature, Slip
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Bar,
    Cell,
    Chart,
    Column,
    Link,
    Report,
    ReportChoice,
    ReportScope,
    Section,
    Shape,
    newest_of,
    report_link,
    row_of,
    slip_cell,
    slip_link,
)
from pitboss.selectors.slips import step_title

KEY, PAGE = "shared-devices", "report_devices"
ROWS_MAX = 1_000
# What a number of a device is opened for.
SHARED, SIGNED, PEOPLE = "shared", "signatures", "people"

_DEVICES = (
    Column("device", "Device"),
    Column("place", "Place", is_minor=True),
    Column("signatures", "Signatures", Shape.COUNT),
    Column("people", "People", Shape.COUNT),
    Column("shared_slips", "Shared slips", Shape.COUNT),
    Column("least_seconds", "Fewest seconds between two", Shape.COUNT),
)
_SLIPS = (
    Column("slip", "Slip", Shape.CODE),
    Column("what", "What", is_minor=True),
    Column("table", "Table"),
    Column("signed", "Signed on this device"),
    Column("least_seconds", "Fewest seconds between two", Shape.COUNT),
)
_SIGNED = (
    Column("slip", "Slip", Shape.CODE),
    Column("table", "Table"),
    Column("what", "What"),
    Column("by", "By"),
    Column("at", "When", Shape.TIME),
)
_PEOPLE = (
    Column("person", "Person"),
    Column("signatures", "Signatures", Shape.COUNT),
)
_FORMULAS = (
    "A slip is shared when two or more people signed it on the same device. Dealer and supervisor "
    "are meant to, on the tablet of their pit; a cashier and an officer are not.",
    "Fewest seconds: the shortest time between signatures of two people that followed each other "
    "there on one slip.",
)


@dataclass(frozen=True, slots=True)
class Shared:
    """A slip that several people signed on one device."""

    slip: Slip
    device: Device
    signatures: tuple[Signature, ...]

    @property
    def least_seconds(self) -> int:
        return min(
            int((after.signed_at - before.signed_at).total_seconds())
            for before, after in pairwise(self.signatures)
            if before.person_id != after.person_id
        )


@report(
    key=KEY,
    title="Signatures on one device",
    group=Group.PEOPLE,
    says="On which slips two people signed on the same device, and how fast after each other.",
    page=PAGE,
    asked=ReportScope(days_max=31, shift=True, pit=True),
)
def shared_devices(choice: ReportChoice) -> Report:
    """Return what each device was signed on with, or what one of its numbers is made of."""
    signatures = _signatures(choice)
    shared = _shared(signatures)
    what, _, name = choice.of.partition(": ")
    here = [signature for signature in signatures if signature.device.name == name]
    if what == SHARED:
        return Report((_slips([item for item in shared if item.device.name == name]),))
    if what == SIGNED:
        return Report((_signed(name, here),))
    if what == PEOPLE:
        return Report((_people(name, here, choice),))
    by_device: dict[Device, list[Signature]] = defaultdict(list)
    for signature in signatures:
        by_device[signature.device].append(signature)
    rows, bars = [], []
    for device, signed in sorted(by_device.items(), key=lambda pair: pair[0].name):
        slips = [item for item in shared if item.device == device]
        link = _opened(SHARED, device.name, choice)
        rows.append(
            row_of(
                device.name,
                device.place,
                Cell(len(signed), _opened(SIGNED, device.name, choice)),
                Cell(
                    len({signature.person_id for signature in signed}),
                    _opened(PEOPLE, device.name, choice),
                ),
                len(slips),
                min((slip.least_seconds for slip in slips), default=None),
                opens=link,
            )
        )
        if slips:
            bars.append(Bar(device.name, len(slips), link=link))
    return Report(
        (Section("Devices", _DEVICES, tuple(rows), "Nothing was signed."),),
        chart=Chart("Slips that were shared", Shape.COUNT, tuple(bars)),
        formulas=_FORMULAS,
    )


def _opened(what: str, device: str, choice: ReportChoice) -> Link:
    return report_link(KEY, PAGE, choice, of=f"{what}: {device}")


def _signed(device: str, signatures: Sequence[Signature]) -> Section:
    """Return what was signed on a device, the newest first."""
    rows = [
        row_of(
            slip_cell(signature.slip.serial),
            str(signature.slip.table or ""),
            f"{signature.slip.title}: {step_title(signature.slip.kind, signature.step).lower()}",
            signature.signed_as,
            signature.signed_at,
        )
        for signature in list(reversed(signatures))[:ROWS_MAX]
    ]
    title = newest_of(f"Signed on {device}", len(rows), len(signatures))
    return Section(title, _SIGNED, tuple(rows), "Nothing was signed.")


def _people(device: str, signatures: Sequence[Signature], choice: ReportChoice) -> Section:
    """Return who signed on a device, and how often."""
    counts = Counter((signature.person_id, signature.signed_as) for signature in signatures)
    rows = [
        row_of(who, count, opens=_opened(SIGNED, device, choice))
        for (_, who), count in counts.most_common()
    ]
    return Section(f"Who signed on {device}", _PEOPLE, tuple(rows), "No one signed.")


def _signatures(choice: ReportChoice) -> list[Signature]:
    """Return the signatures on slips of some days. One query."""
    found = Signature.objects.filter(slip__gaming_day__range=(choice.first, choice.last))
    if choice.shift:
        found = found.filter(slip__shift=choice.shift)
    if choice.pit:
        found = found.filter(slip__table__pit=choice.pit)
    # What was shown to each is long, and no part of this.
    return list(
        found.select_related("slip__table", "device").defer("shown", "slip__plan").order_by("id")
    )


def _shared(signatures: Sequence[Signature]) -> list[Shared]:
    together: dict[tuple[int, int], list[Signature]] = defaultdict(list)
    for signature in signatures:
        together[signature.slip_id, signature.device_id].append(signature)
    return [
        Shared(signed[0].slip, signed[0].device, tuple(signed))
        for signed in together.values()
        if len({signature.person_id for signature in signed}) > 1
    ]


def _slips(shared: Sequence[Shared]) -> Section:
    rows = [
        row_of(
            slip_cell(entry.slip.serial),
            entry.slip.title,
            str(entry.slip.table or ""),
            "; ".join(
                f"{step_title(entry.slip.kind, signed.step)}: {signed.signed_as}"
                for signed in entry.signatures
            ),
            entry.least_seconds,
            opens=slip_link(entry.slip.serial),
        )
        for entry in sorted(shared, key=lambda item: item.least_seconds)
    ]
    return Section("Slips, the fastest first", _SLIPS, tuple(rows), "No one shared this device.")
