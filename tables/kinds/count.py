"""The counts of an open table's tray: in mid-shift before its box leaves, and when a shift ends."""

from __future__ import annotations

from pitboss.paper.forms import Form, InBox, Part, Shows
from pitboss.rules.flows.flows import Promise, Step
from pitboss.rules.roles import SUPERVISING, Place, Role
from pitboss.slips.kind import Kind
from tables.kinds.counting import (
    COUNTED,
    INVENTORY,
    POSTS,
    TRAY_COUNT,
    TRAY_READERS,
    VERIFIED,
    VOIDED_AT_THE_TABLE,
    counted_tray,
    outside_the_count,
    tray_counted,
    tray_refusals,
    tray_review,
)

COUNT = Kind(
    "count",
    title="Mid-shift count",
    series="T",
    open_to=SUPERVISING,
    lit_by="board",
    asked=(TRAY_COUNT,),
    refusals=tray_refusals,
    refuses_at_once=True,
    drafted=counted_tray(outside_the_count),
    steps=(COUNTED, VERIFIED),
    void=VOIDED_AT_THE_TABLE,
    at_end="count_posted",
    effects=POSTS,
    readers=TRAY_READERS,
    promises=(Promise(2, 1),),
    paper=Form(
        parts=(
            Part(
                "Original",
                "Into the drop box that leaves, just before it is pulled.",
                box=InBox.ON_TABLE,
            ),
            Part(
                "Duplicate",
                "Into the drop box that stays, just after.",
                box=InBox.GOES_ON,
            ),
        ),
        shows=Shows.TRAY,
        caption=INVENTORY,
    ),
    heading=lambda raising: f"Count {raising.table}",
    review=tray_review,
    raised=tray_counted,
)

SHIFT_COUNT = Kind(
    "shift_count",
    title="Shift-change count",
    series="T",
    open_to=SUPERVISING,
    lit_by="board",
    asked=(TRAY_COUNT,),
    refusals=tray_refusals,
    refuses_at_once=True,
    drafted=counted_tray(outside_the_count),
    steps=(
        COUNTED,
        VERIFIED,
        Step(
            "taken_on",
            done="Accepted",
            do="Accept",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            counts=True,
            may_be_blind=True,
            attests="I am coming on shift. I certify that I verified every line and accept "
            "responsibility for this tray.",
        ),
    ),
    void=VOIDED_AT_THE_TABLE,
    at_end="count_posted",
    effects=POSTS,
    readers=TRAY_READERS,
    promises=(Promise(3, 1),),
    paper=Form(
        parts=(
            Part(
                "Original",
                "Into the table's drop box by the dealer, immediately.",
                box=InBox.ON_TABLE,
            ),
            Part("Duplicate", "To the pit manager."),
        ),
        shows=Shows.TRAY,
        caption=INVENTORY,
    ),
    heading=lambda raising: f"Count {raising.table}",
    review=tray_review,
    raised=tray_counted,
)
