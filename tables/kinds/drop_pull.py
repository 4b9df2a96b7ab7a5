"""A drop box pulled off its table: security takes it, and a supervisor sees it leave locked.

The box of a table bears the table's number. An open table is counted just before, so that what it
won is told apart.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models.fields.json import KT
from django.urls import reverse

from inventory.models import TrayCount
from pitboss.access import may_open
from pitboss.middleware import PitRequest
from pitboss.models import Slip, Table
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.canonical import is_plain
from pitboss.rules.drop_figures import DROP_PULL as PULL
from pitboss.rules.floor_fields import Clock, Words, Yes
from pitboss.rules.flows import Promise, Readers, SlipStatus, Step, void_witnessed
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import GUARDING, KEEPING_BOOKS, SUPERVISING, WATCHING, Place, Role
from pitboss.rules.tray_counts import CLOSER, COUNT
from pitboss.services import house, journal
from pitboss.services.drafts import NewSlip
from pitboss.slips.addresses import new_url, own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id
from tables.services.drops import count_before_pull, wait_of

# Surveillance watches a box leave, so it was told within the last while.
TOLD_WITHIN: Final = timedelta(hours=1)
BOX_MAX: Final = 20


def _table_of(raising: Raising) -> Table:
    assert raising.table is not None, "a box is pulled off a table"
    return raising.table


def _new_box(raising: Raising) -> str:
    return str(raising.given.get("new_box", ""))


def _told_at(raising: Raising) -> datetime | None:
    """Return the last time that the clock of the house showed when surveillance was told."""
    if "told_at" not in raising.given:
        return None
    now = house.now().astimezone(house.the_property().zone)
    hour, minute = map(int, raising.given["told_at"].split(":"))
    at = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return at - timedelta(days=1) if at > now else at


def _drafted(raising: Raising) -> NewSlip:
    table, told_at = _table_of(raising), _told_at(raising)
    count = count_before_pull(table)
    return NewSlip(
        raising.kind.kind,
        table.pk,
        {},
        details={
            "box": table.name,
            "new_box": _new_box(raising),
            "emergency": bool(raising.given.get("emergency")),
            "surveillance_told_at": journal.plain_time(told_at) if told_at else None,
            # The count that ends what this box belongs to; a copy of it goes into either box.
            "count": count.slip.serial if count else None,
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    return [
        *_box_refusals(_new_box(raising), _told_at(raising)),
        *pull_refusals(_table_of(raising)),
    ]


def _box_refusals(new_box: str, told_at: datetime | None) -> list[Refusal]:
    refusals = []
    if not new_box or len(new_box) > BOX_MAX or not is_plain(new_box):
        refusals.append(Refusal("box_missing", "Enter the number of the new box."))
    now = house.now()
    if told_at is None or not now - TOLD_WITHIN <= told_at <= now:
        refusals.append(
            Refusal(
                "surveillance_not_told",
                "Notify surveillance, then enter the time you notified them.",
            )
        )
    return refusals


def pull_refusals(table: Table) -> list[Refusal]:
    """Return why the box of a table may not be pulled now."""
    refusals = []
    wait = wait_of(table)
    if wait is not None:
        refusals.append(
            Refusal(
                "hand_is_on",
                f"A hand is in progress. {wait.asked_by} asked you to wait and will say "
                "when it’s over.",
                CONFLICT,
            )
        )
    under_way = Slip.objects.filter(table=table, kind=PULL, status=SlipStatus.OPEN).first()
    if under_way is not None:
        refusals.append(
            Refusal(
                "pull_under_way",
                f"{under_way.serial} pulls this box. Finish it or void it.",
                CONFLICT,
            )
        )
        return refusals
    count = count_before_pull(table)
    if count is not None and _is_pulled(count.slip.serial):
        refusals.append(
            Refusal(
                "already_pulled",
                f"The box was pulled on {count.slip.serial}. Count the tray again.",
                CONFLICT,
            )
            if table.is_open
            else Refusal("already_pulled", f"{table} is closed and its box was pulled.", CONFLICT)
        )
    elif table.is_open:
        refusals.extend(_mid_shift_refusals(table, count))
    elif count is None or count.slip.kind != CLOSER:
        refusals.append(
            Refusal(
                "nothing_to_pull", f"{table} was not opened since its box was put on.", CONFLICT
            )
        )
    return refusals


def _mid_shift_refusals(table: Table, count: TrayCount | None) -> list[Refusal]:
    """An open table is counted just before its box leaves, so that win can be told apart."""
    minutes = house.settings_at(house.now())["count.pull_within"]
    fresh = (
        count is not None
        and count.slip.kind == COUNT
        and count.tray_sequence == table.tray_sequence
        and house.now() - count.at <= timedelta(minutes=minutes)
    )
    if fresh:
        return []
    return [
        Refusal(
            "count_first",
            f"{table} stays open, so count the tray first. The dealer and supervisor must sign "
            f"within {minutes} minutes of the pull.",
            CONFLICT,
        )
    ]


def _is_pulled(count_serial: str) -> bool:
    pulls = Slip.objects.alias(of_count=KT("details__count")).filter(
        kind=PULL, of_count=count_serial
    )
    return pulls.exclude(status=SlipStatus.VOIDED).exists()


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return what must be so before the box leaves, and what is asked of the box that goes on."""
    table = _table_of(raising)
    given = request.POST if refused else request.GET
    stops = pull_refusals(table)
    clock = house.now().astimezone(house.the_property().zone)
    may_count = table.is_open and may_open(request.role, COUNT)
    return "tables/drop_pull.html", {
        "table": table,
        "count": count_before_pull(table),
        "wait": wait_of(table),
        "wait_url": reverse("drop-wait", args=[table.name]),
        "count_url": new_url(COUNT, table=table.name) if may_count else None,
        "url": own_url(raising),
        "request_id": new_request_id(),
        "new_box": given.get("new_box", ""),
        "told_at": given.get("told_at", f"{clock:%H:%M}"),
        "emergency": given.get("emergency") == "yes",
        "can_pull": not stops,
        "refusals": refused.refusals if refused else stops,
    }


def _writes(slip: Slip) -> list[tuple[str, str]]:
    details = slip.details
    told_at = datetime.fromisoformat(details["surveillance_told_at"])
    return [
        ("Box off", details["box"]),
        ("Box on", f"{details['new_box']}{', emergency box' if details['emergency'] else ''}"),
        ("On count", details["count"] or "none"),
        ("Surveillance notified", f"{told_at.astimezone(house.the_property().zone):%H:%M}"),
    ]


def _tells(slip: Slip) -> dict[str, Any]:
    return {"template": "tables/_written.html", "has_lines": True, "written": _writes(slip)}


def _review(raising: Raising, new: NewSlip) -> dict[str, Any]:
    # Nothing is to be read of a box of which surveillance was not told: it is refused.
    is_told = new.details["surveillance_told_at"] is not None
    draft = Slip(kind=new.kind, details=dict(new.details))
    # Whoever opened the page watches; an officer signs.
    return {"badge": "", "panel": _tells(draft) if is_told else None}


DROP_PULL = Kind(
    PULL,
    title="Drop box",
    series="D",
    open_to=SUPERVISING | GUARDING,
    lit_by="board",
    asked=(
        Words(name="new_box", label="Number of the box that goes on", is_needed=False),
        Yes(name="emergency", label="It is an emergency box"),
        Clock(name="told_at", label="Surveillance notified at", is_needed=False),
    ),
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "pulled",
            done="Pulled",
            do="Pull",
            by=Role.SECURITY,
            at=Place.PIT,
            attests="I certify that I removed this box from its table locked and put the new "
            "box in its place.",
        ),
        Step(
            "witnessed",
            done="Witnessed",
            do="Witness",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I certify that no hand was in progress and that I saw the box leave "
            "locked and the new box go on.",
        ),
    ),
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=(Role.SECURITY, Role.SUPERVISOR),
            at=Place.PIT,
            may_repeat="pulled",
            needs_reason=True,
            attests="I void this pull. I certify that the box did not leave its table on it.",
        ),
        void_witnessed(
            Role.PIT_MANAGER,
            attests="I certify that I took no other part in this pull and witnessed it being "
            "voided.",
        ),
    ),
    readers=Readers(SUPERVISING | GUARDING | WATCHING | KEEPING_BOOKS | {Role.COUNT_TEAM}),
    promises=(Promise(2, 2),),
    # A box goes with a paper of its own, and its count with another.
    paper=Form(
        parts=(
            Part("Original", "With the box to the count room."),
            Part("Duplicate", "To the pit manager."),
        ),
        original_at=Place.PIT,
        shows=Shows.FACTS,
        title="Drop box pulled",
    ),
    look=_look,
    heading=lambda raising: f"Drop box of {raising.table}",
    review=_review,
    raised=lambda pull: f"Box {pull.table} pulled on {pull.serial}. A supervisor witnesses it.",
    writes=_writes,
    tells=_tells,
)
