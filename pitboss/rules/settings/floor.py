"""What a house may set about the floor: trays, dealers, wins and jackpots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pitboss.rules.cheques.tolerances import PRESETS
from pitboss.rules.drop.schedule import DropTimes
from pitboss.rules.games.live_changes import PRESETS as PRESETS_OF_LIMITS
from pitboss.rules.payouts.levels import MustCheck
from pitboss.rules.settings.kinds import Amount, Choice, Percent, Whole
from pitboss.rules.settings.setting import MANUAL, OUR_OWN, Setting

OWN_AMOUNTS: Final = "own"
# A table with a variance stays shut until all have signed.
STRICT: Final = "strict"
# The cage prints the slip of a credit before its cheques leave the table.
SLIP_FIRST: Final = "slip_first"
INDEPENDENT: Final = "independent"


def trays() -> Iterator[Setting]:
    """Yield every setting about trays and their counts."""
    presets = {preset.id: f"{preset.name} ({preset.source})" for preset in PRESETS.values()}
    subject = "Trays and counts"
    yield Setting(
        "credit.family",
        subject,
        "When the slip of a credit is printed",
        "Whether the cheques of a credit leave the table on the request, or only once the cage has "
        "printed the slip. Ohio, Kansas, and Indiana print it first.",
        Choice(
            {
                "request_first": "on the request",
                SLIP_FIRST: "after the cage has printed the slip",
            }
        ),
        "request_first",
        OUR_OWN,
    )
    yield Setting(
        "count.tolerance",
        subject,
        "What follows from a variance",
        "Who signs the report on a tray that doesn’t match its last count, and when "
        "the regulator is notified.",
        Choice({**presets, OWN_AMOUNTS: "The amounts of this house, below"}),
        "NJ",
        PRESETS["NJ"].source,
    )
    yield Setting(
        "count.report_from",
        subject,
        "Variance from which security and surveillance report",
        "Applies only if the variance rule is set to this house’s amounts.",
        Amount(1, 10_000_000),
        PRESETS["NJ"].report_from_cents,
        PRESETS["NJ"].source,
    )
    yield Setting(
        "count.regulator_from",
        subject,
        "Variance reported to the regulator",
        "Applies only if the variance rule is set to this house’s amounts.",
        Amount(1, 100_000_000),
        PRESETS["NJ"].regulator_from_cents,
        PRESETS["NJ"].source,
    )
    yield Setting(
        "count.regulator_hours",
        subject,
        "Hours to notify the regulator",
        "Only where this house sets the tolerance. 0 means immediately.",
        Whole(0, 168, "hour"),
        PRESETS["NJ"].regulator_hours,
        PRESETS["NJ"].source,
    )
    yield Setting(
        "count.open_with_variance",
        subject,
        "Opening a table whose tray doesn’t match",
        "Whether the table opens and reports follow, or stays closed until everyone has signed.",
        Choice(
            {
                "open": "it opens; notices and reports follow",
                STRICT: "it stays closed until everyone has signed",
            }
        ),
        "open",
        OUR_OWN,
    )
    yield Setting(
        "count.open_alone_to",
        subject,
        "Variance up to which a table opens on dealer and supervisor",
        "Above this, the shift manager authorizes the opening. Only where tables open with a "
        "variance.",
        Amount(0, 100_000),
        2_500,
        OUR_OWN,
    )
    yield Setting(
        "count.report_due",
        subject,
        "Hours to report on a variance",
        "How long security and surveillance have for their reports. Only where tables open with a "
        "variance.",
        Whole(1, 72, "hour"),
        2,
        OUR_OWN,
    )
    yield Setting(
        "count.impressment_days",
        subject,
        "Days after which the pieces of a table’s own set are counted",
        "A roulette table whose pieces no one has counted for so long is an item for the pit. "
        "0 for none.",
        Whole(0, 365, "day"),
        30,
        OUR_OWN,
    )
    yield Setting(
        "foreign.at_table",
        subject,
        "Cheques of other houses at a table",
        "Whether a dealer takes them into the box. Where not, any found in a box are an item for "
        "the pit manager once the box is posted.",
        Choice({"yes": "taken into the box", "no": "sent to the cage"}),
        "no",
        OUR_OWN,
    )
    yield Setting(
        "sets.secondary_from",
        subject,
        "Lowest cheque of a secondary set",
        "A secondary set has no cheque below this.",
        Amount(0, 1_000_000),
        2_500,
        OUR_OWN,
    )
    yield Setting(
        "count.verify",
        subject,
        "How a supervisor verifies a tray count",
        "Whether the supervisor checks each line with the dealer, or enters a count of their own "
        "without seeing the dealer’s.",
        Choice({"line_by_line": "line by line", INDEPENDENT: "independent, the count is entered"}),
        "line_by_line",
        OUR_OWN,
    )
    yield Setting(
        "count.pull_within",
        subject,
        "Age of the count on which a drop box is pulled",
        "A drop box can be pulled from an open table only if the last count is no older than this.",
        Whole(1, 240, "minute"),
        15,
        OUR_OWN,
    )
    yield Setting(
        "drop.count_open",
        subject,
        "Count before the box of an open table is pulled",
        "Without a count, the cash of a box belongs to the play in which it was pulled.",
        Choice({"count": "needed", "none": "not needed (preset of some houses)"}),
        "count",
        OUR_OWN,
    )
    yield Setting(
        "drop.run_count_within",
        subject,
        "Age of the count on which a drop run pulls a box",
        "On a drop run, the box of an open table can be pulled only if its last count is no older "
        "than this.",
        Whole(1, 240, "minute"),
        60,
        OUR_OWN,
    )
    yield Setting(
        "drop.schedule",
        subject,
        "Drop times",
        "When boxes are dropped. A pull at another time needs a reason, and the shift manager is "
        "notified. With no times, boxes are pulled at any time.",
        DropTimes(),
        [],
        OUR_OWN,
    )
    yield Setting(
        "drop.every",
        subject,
        "Longest time between two drops of a table",
        "A table that stays open longer without a drop is an alert 30 minutes after its drop time.",
        Whole(1, 7, "day"),
        1,
        OUR_OWN,
    )
    yield Setting(
        "count.team_least",
        subject,
        "Members of a count session",
        "How many members of the count team are in the room while boxes are counted.",
        Choice({"2": "Two", "3": "Three (Ohio; NIGC Tier C)"}),
        "2",
        OUR_OWN,
    )
    yield Setting(
        "count.second",
        subject,
        "Second count of a count session",
        "Whether another member counts each box again, or all boxes together by denomination.",
        Choice({"per_box": "Each box", "total": "All boxes together"}),
        "per_box",
        OUR_OWN,
    )
    yield Setting(
        "drop.estimate_gap",
        subject,
        "Gap between estimate and count that accounting explains",
        "A box whose cash is further from the last estimate than this, and than the share below, "
        "is an item for accounting.",
        Amount(0, 10_000_000),
        50_000,
        OUR_OWN,
    )
    yield Setting(
        "drop.estimate_share",
        subject,
        "Share of the estimate that a count may be off",
        "The larger of this share of the estimate and the amount above is allowed.",
        Percent(0, 10_000),
        2_000,
        OUR_OWN,
    )
    yield Setting(
        "late.picture",
        subject,
        "Picture of a form that is entered late",
        "Whether a late entry needs a picture of its form, for the approver to compare.",
        Choice({"yes": "needed", "no": "not needed"}),
        "yes",
        OUR_OWN,
    )
    yield Setting(
        "late.money_due",
        subject,
        "Hours to enter markers and cash after an outage",
        "Markers and cash from forms entered later than this are flagged for the cage manager.",
        Whole(1, 168, "hour"),
        24,
        OUR_OWN,
    )
    yield Setting(
        "outage.sheet_every",
        subject,
        "Hours between outage sheets",
        "How often each pit and the cage print their outage sheet. An older one is shown as due.",
        Whole(1, 24, "hour"),
        2,
        OUR_OWN,
    )
    yield Setting(
        "drop.copy_within",
        subject,
        "Time around a pull in which a copy may be in either box",
        "A copy signed this close to a pull may be in the box before or after it. Found in the "
        "other one it is a note, not an exception.",
        Whole(1, 60, "minute"),
        10,
        OUR_OWN,
    )
    yield Setting(
        "drop.video_from",
        subject,
        "Correction of a posted drop count that needs the video",
        "A correction that moves this much or more is confirmed by the surveillance manager.",
        Amount(1, 100_000_000),
        50_000,
        OUR_OWN,
    )
    yield Setting(
        "cage.short_from",
        subject,
        "Cage shortage that is investigated",
        "A count of the cage that misses this much or more opens an investigation by accounting "
        "and surveillance. Less counts as cheques sold at the window.",
        Amount(1, 100_000_000),
        10_000,
        OUR_OWN,
    )


def limits() -> Iterator[Setting]:
    """Yield every setting about the limits of open tables."""
    presets = {preset.id: preset.name for preset in PRESETS_OF_LIMITS.values()}
    yield Setting(
        "limits.preset",
        "Tables",
        "Changing the limits of an open table",
        "How long before a change players are notified, and what those who are seated keep. "
        "Set breakage and bets over the limit to match.",
        Choice(presets),
        "house",
        OUR_OWN,
    )


def dealers() -> Iterator[Setting]:
    """Yield every setting about dealers."""
    yield Setting(
        "dealers.relief_after",
        "Dealers",
        "Minutes at a table after which a dealer's relief is due",
        "When the board and the string say that a dealer is due for relief.",
        Whole(10, 240, "minute"),
        60,
        OUR_OWN,
    )
    yield Setting(
        "dealers.break",
        "Dealers",
        "Length of a dealer's break",
        "How long a dealer rests before the string sends them to the next table.",
        Whole(5, 120, "minute"),
        20,
        OUR_OWN,
    )


def approvals(subject: str) -> Iterator[Setting]:
    """Yield every setting about approvals that wait, and those that stand."""
    yield Setting(
        "approval.escalate",
        subject,
        "Seconds before a payout request goes to every supervisor of the pit",
        "A request for approval that has waited this long is marked overdue for all of them.",
        Whole(15, 600, "second"),
        60,
        OUR_OWN,
    )
    yield Setting(
        "approval.escalate_manager",
        subject,
        "Seconds before a payout request goes to the pit manager",
        "A request for approval that has waited this long is also in the pit manager’s inbox.",
        Whole(15, 600, "second"),
        120,
        OUR_OWN,
    )
    yield Setting(
        "approval.standing_max",
        subject,
        "Highest standing approval of a pit manager",
        "A pit manager signs a standing approval up to this amount with a PIN. A supervisor’s "
        "stays below the amount that is signed.",
        Amount(100, 100_000_000),
        2_500_000,
        OUR_OWN,
    )


def big_wins(subject: str) -> Iterator[Setting]:
    """Yield every setting about big wins."""
    yield Setting(
        "bigwin.amount_from",
        subject,
        "Side bet, bonus or coupon that is a big win",
        "From this amount on it is a big win, whatever its odds.",
        Amount(100, 100_000_000),
        1_000_000,
        OUR_OWN,
    )
    yield Setting(
        "bigwin.main_from",
        subject,
        "Main bet that is a big win",
        "A main bet stays with the supervisor's approval unless the house sets an amount here.",
        Amount(100, 100_000_000, none_means="a main bet is never a big win"),
        None,
        OUR_OWN,
    )
    yield Setting(
        "bigwin.review_from",
        subject,
        "Big win that surveillance confirms",
        "From this amount on, or from the odds above, surveillance confirms it before it is paid.",
        Amount(100, 100_000_000),
        2_500_000,
        OUR_OWN,
    )
    yield Setting(
        "bigwin.release_from",
        subject,
        "Big win that a pit manager releases",
        "From this amount on, someone other than the verifier releases it before it is paid.",
        Amount(100, 100_000_000),
        1_000_000,
        OUR_OWN,
    )
    yield Setting(
        "bigwin.id_from",
        subject,
        "Big win for which the winner shows an ID",
        "From this amount on the winner is named by an ID, even when no tax form is due.",
        Amount(100, 100_000_000),
        1_000_000,
        OUR_OWN,
    )
    yield Setting(
        "bigwin.ends_round",
        subject,
        "When a round with a big win ends",
        "The table deals on from this step.",
        Choice(
            {
                "verified": "when a supervisor has verified it",
                "confirmed": "when surveillance has confirmed it",
                "paid": "when the winner is paid",
            }
        ),
        "verified",
        OUR_OWN,
    )


def felt(subject: str) -> Iterator[Setting]:
    """Yield what a dealer's terminal shows of a round, and what it must be told."""
    yield Setting(
        "felt.shows",
        subject,
        "What the terminal shows first",
        "Whether a dealer sees what is owed, or enters the amount about to be paid and then sees "
        "whether it is right: for training and audits.",
        Choice({"owed": "what is owed", "about_to_pay": "asks for the amount about to be paid"}),
        "owed",
        OUR_OWN,
    )
    yield Setting(
        "felt.must_check",
        subject,
        "Bets that must be checked before a round ends",
        "A round that ends with such a bet unchecked takes one more tap, and the supervisor is "
        "notified.",
        Choice(
            {
                MustCheck.NOTHING.value: "none",
                MustCheck.SIDE_BETS.value: "side bets",
                MustCheck.ALL.value: "all bets",
            }
        ),
        MustCheck.NOTHING.value,
        OUR_OWN,
    )


def jackpots() -> Iterator[Setting]:
    """Yield every setting about jackpots."""
    subject = "Jackpots"
    yield Setting(
        "jackpot.review",
        subject,
        "How surveillance confirms a jackpot",
        "Whether surveillance signs its review on its own screen, or confirms by phone to the "
        "shift manager, who records the officer and the reference.",
        Choice({"screen": "on its own screen", "phone": "by phone, recorded by a shift manager"}),
        "screen",
        f"{MANUAL}, Blazing 7's, Jackpot procedures 4",
    )
    yield Setting(
        "jackpot.review_valid",
        subject,
        "Age of a review on which a jackpot is released",
        "An older review is made again before the release.",
        Whole(5, 10_080, "minute"),
        240,
        OUR_OWN,
    )
    yield Setting(
        "jackpot.ends_round",
        subject,
        "When a round with a jackpot ends",
        "Whether the winner is paid at the table before the game ends, or the payment may move to "
        "the cage once the jackpot is released.",
        Choice(
            {
                "paid": "when the winner is paid",
                "released": "when it is released; the cage may pay",
            }
        ),
        "paid",
        f"{MANUAL}, Blazing 7's, Jackpot procedures 4",
    )
