"""The book of settings: every number and choice that a house may set, with a date, by two people.

Each entry says what it changes, what may be keyed, the default and where that comes from. A value
holds from its date on; a dispute about last Tuesday is settled by last Tuesday's settings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from pitboss.rules.card_par import CardPar
from pitboss.rules.cash_log import CashPolicy
from pitboss.rules.cheques import TOP_SIGN_FROM_CENTS
from pitboss.rules.cutting import BLACK, Breakage, CutOptions
from pitboss.rules.flow_book import FLOWS
from pitboss.rules.limits import LIMITED_KINDS
from pitboss.rules.lockout import LockoutPolicy
from pitboss.rules.options import OPTIONS
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import Role
from pitboss.rules.setting import MANUAL, OUR_OWN, Setting
from pitboss.rules.setting_kinds import Amount, Choice, Percent, Prefix, ShiftList, Whole
from pitboss.rules.tax_settings import tax_settings
from pitboss.rules.tolerances import PRESETS

OWN_AMOUNTS: Final = "own"
SERIES: Final = "papers.series."
OPTION: Final = "reading."
LIMIT: Final = "limit."
# Who asks for cheques, and so may be held to an amount; above them is always a shift manager.
_ASKING: Final = (Role.SUPERVISOR, Role.PIT_MANAGER)
_LOCKOUT: Final = LockoutPolicy()


def _the_day() -> Iterator[Setting]:
    yield Setting(
        "day.shifts",
        "The day",
        "Shifts and the start of the gaming day",
        "Which gaming day and shift every slip, count and report belongs to. "
        "The first shift starts the day.",
        ShiftList(),
        [
            {"name": "Day", "starts": "06:00"},
            {"name": "Swing", "starts": "14:00"},
            {"name": "Grave", "starts": "22:00"},
        ],
        OUR_OWN,
        by_the_day=True,
    )
    yield Setting(
        "day.late_entry",
        "The day",
        "Days in which paper of an outage is keyed",
        "How long ago the time on a paper may lie when it is keyed afterwards.",
        Whole(0, 60, "day"),
        7,
        OUR_OWN,
    )


def _trays() -> Iterator[Setting]:
    presets = {each.id: f"{each.name} ({each.source})" for each in PRESETS.values()}
    subject = "Trays and counts"
    yield Setting(
        "count.tolerance",
        subject,
        "What follows from a variance",
        "Who signs a report on a tray that differs from its last count, and when the regulator "
        "is told.",
        Choice({**presets, OWN_AMOUNTS: "The amounts of this house, below"}),
        "NJ",
        PRESETS["NJ"].source,
    )
    yield Setting(
        "count.report_from",
        subject,
        "Variance from which security and surveillance report",
        "Only where the tolerance is that of this house.",
        Amount(1, 10_000_000),
        PRESETS["NJ"].report_from_cents,
        PRESETS["NJ"].source,
    )
    yield Setting(
        "count.regulator_from",
        subject,
        "Variance from which the regulator is told",
        "Only where the tolerance is that of this house.",
        Amount(1, 100_000_000),
        PRESETS["NJ"].regulator_from_cents,
        PRESETS["NJ"].source,
    )
    yield Setting(
        "count.regulator_hours",
        subject,
        "Hours within which the regulator is told",
        "Only where the tolerance is that of this house; 0 is at once.",
        Whole(0, 168, "hour"),
        PRESETS["NJ"].regulator_hours,
        PRESETS["NJ"].source,
    )
    yield Setting(
        "count.pull_within",
        subject,
        "Age of the count on which a drop box is pulled",
        "A box leaves an open table on a count that is no older than this.",
        Whole(1, 240, "minute"),
        15,
        OUR_OWN,
    )


def _approvals() -> Iterator[Setting]:
    cut = CutOptions()
    subject = "Approvals"
    yield Setting(
        "approval.top_sign_from",
        subject,
        "Cheque from which the pit manager top-signs",
        "A fill or credit that holds a cheque of this value or more waits for the pit manager.",
        Amount(100, 10_000_000),
        TOP_SIGN_FROM_CENTS,
        f"{MANUAL}, Fills 4, Credits 5",
    )
    yield Setting(
        "approval.send_out_from",
        subject,
        "Buy-in, change or payout that a supervisor approves",
        "From here on a dealer waits before cheques are sent out.",
        Amount(100, 10_000_000),
        cut.approval_from_cents,
        f"{MANUAL}, Money handling",
    )
    yield Setting(
        "approval.cheque_from",
        subject,
        "Cheque from which change, a colour-up or a toke needs a nod",
        "From this cheque on a supervisor approves it, whatever the amount.",
        Amount(100, 10_000_000),
        BLACK,
        f"{MANUAL}, Cheque change, Conversions 3, Tokes 3",
    )
    yield Setting(
        "nod.signed_from",
        subject,
        "Nod that is signed with badge and PIN",
        "Below it a nod is logged by a tap and does not stop the game.",
        Amount(100, 100_000_000, none_means="no nod is signed"),
        300_000,
        OUR_OWN,
    )
    yield Setting(
        "approval.long_odds_from",
        subject,
        "Odds to one from which surveillance confirms a payout",
        "A side bet that pays so many times its stake is confirmed before it is paid.",
        Whole(10, 10_000, "time"),
        300,
        f"{MANUAL}, Blazing 7's, Supervisor 2",
    )
    yield Setting(
        "payout.breakage",
        subject,
        "What no cheque of the table pays",
        "Which way the rest of a payout is rounded when no cheque is small enough.",
        Choice({Breakage.DOWN.value: "it stays with the house", Breakage.UP.value: "it is paid"}),
        cut.breakage.value,
        OUR_OWN,
    )
    yield Setting(
        "payout.smallest_cheque",
        subject,
        "Smallest cheque of a payout",
        "The least cheque to which a payout is broken down.",
        Choice(
            {
                "tray": "$0.25 where the tray carries it, else $1",
                "25": "$0.25",
                "100": "$1",
                "250": "$2.50",
                "500": "$5",
            }
        ),
        "tray",
        OUR_OWN,
    )


def _signing() -> Iterator[Setting]:
    yield Setting(
        "signing.fill_agreement",
        "Signing",
        "How a dealer agrees to a fill",
        "Whether the dealer ticks each line that the slip shows, or keys the count without "
        "seeing the slip.",
        Choice({"line_by_line": "line by line", "blind": "blind, the count is keyed"}),
        "line_by_line",
        f"{MANUAL}, Fills",
    )
    yield Setting(
        "signing.card_cancellation",
        "Signing",
        "Where used cards are cancelled",
        "Whether cards are cancelled at the table before they are bagged, or after security has "
        "collected them.",
        Choice({"at_table": "at the table", "after_collection": "after they were collected"}),
        "at_table",
        f"{MANUAL}, Card control",
    )
    yield Setting(
        "waiting.limit",
        "Signing",
        "Wait after which a clock is full",
        "When the ring around a waiting slip is full and turns red.",
        Whole(1, 240, "minute"),
        5,
        OUR_OWN,
    )
    yield Setting(
        "waiting.escalate",
        "Signing",
        "Wait after which the next rank is told",
        "When something that nobody has signed shows in the inbox of the next rank too, and again "
        "after as long in that of the rank above.",
        Whole(1, 240, "minute"),
        10,
        OUR_OWN,
    )


def _dealers() -> Iterator[Setting]:
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


def _cards() -> Iterator[Setting]:
    subject = "Cards"
    yield Setting(
        "cards.retention",
        subject,
        "How long collected cards are kept",
        "So many days after security collected a set it may be destroyed, and not before.",
        Whole(0, 60, "day"),
        7,
        OUR_OWN,
    )
    yield Setting(
        "cards.in_use",
        subject,
        "Time after which a set has been in use too long",
        "A set that has been at a table for longer is on the list of what needs somebody.",
        Whole(1, 168, "hour"),
        24,
        OUR_OWN,
    )
    yield Setting(
        "cards.replacement",
        subject,
        "What replaces a bad card",
        "Whether one card of the same value, suit and colour is put in, or a whole new deck.",
        Choice({"one_card": "one card", "whole_deck": "the whole deck"}),
        "one_card",
        f"{MANUAL}, New cards 5",
    )
    yield Setting(
        "cards.inventory",
        subject,
        "Days after which all cards are counted again",
        "Then the inventory is on the list of what needs somebody.",
        Whole(1, 366, "day"),
        91,
        "NJAC 13:69E-1.18",
    )
    yield Setting(
        "cards.par",
        subject,
        "Sets that a pit's cabinet should hold",
        "The list of what to bring to each pit goes by it.",
        CardPar(),
        [],
        OUR_OWN,
    )


def _jackpots() -> Iterator[Setting]:
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
        "When a jackpot lets its round end",
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


def _limits() -> Iterator[Setting]:
    for kind in LIMITED_KINDS:
        for role in _ASKING:
            yield Setting(
                f"{LIMIT}{kind}.{role.value}",
                "Limits by rank",
                f"Largest {kind} of a {role.label}",
                f"A {kind} over it is raised by somebody of higher rank. Whoever has a limit of "
                "their own is held to that instead.",
                Amount(100, 1_000_000_000, none_means="no limit"),
                None,
                OUR_OWN,
            )


def _cash() -> Iterator[Setting]:
    """Yield what a day's cash is watched by: one day is judged by one set of amounts."""
    policy = CashPolicy()
    subject = "Cash of the day"
    yield Setting(
        "cash.log_from",
        subject,
        "Cash from which the multiple-transaction log begins",
        "From this sum of cash in, or of cash out, of one person in a gaming day on, each of "
        "their transactions stands in the log.",
        Amount(100, 1_000_000_000),
        policy.log_from_cents,
        "68 IAC 15-2-3",
        by_the_day=True,
    )
    yield Setting(
        "cash.near",
        subject,
        "Cash from which a currency report is near",
        "From this sum on, whoever logs cash is told to have the ID ready.",
        Amount(100, 1_000_000_000),
        policy.near_cents,
        OUR_OWN,
        by_the_day=True,
    )
    yield Setting(
        "cash.report_over",
        subject,
        "Cash over which a currency report is due",
        "When cash in, or cash out, of one person in a gaming day is more than this, a report "
        "waits for compliance.",
        Amount(100, 1_000_000_000),
        policy.report_over_cents,
        "31 CFR 1021.311",
        by_the_day=True,
    )
    yield Setting(
        "cash.report_days",
        subject,
        "Days within which a currency report is filed",
        "Counted from the gaming day that it is about.",
        Whole(1, 90, "day"),
        policy.report_days,
        "31 CFR 1010.306",
        by_the_day=True,
    )


def _people() -> Iterator[Setting]:
    subject = "People and devices"
    yield Setting(
        "people.wrong_on_device",
        subject,
        "Wrong PINs that lock a badge on one device",
        "Counted since the last right one on that device.",
        Whole(3, 10, "try"),
        _LOCKOUT.wrong_on_device,
        OUR_OWN,
    )
    yield Setting(
        "people.wrong_anywhere",
        subject,
        "Wrong PINs that lock a badge everywhere",
        "Counted over all devices.",
        Whole(3, 30, "try"),
        _LOCKOUT.wrong_anywhere,
        OUR_OWN,
    )
    yield Setting(
        "people.locked_for",
        subject,
        "How long a badge stays locked",
        "Security or a shift manager can unlock it sooner.",
        Whole(1, 240, "minute"),
        int(_LOCKOUT.locked_for.total_seconds()) // 60,
        OUR_OWN,
    )
    yield Setting(
        "people.idle_lock",
        subject,
        "Time after which an idle tablet locks",
        "Its person opens it again with the PIN.",
        Whole(30, 3_600, "second"),
        120,
        OUR_OWN,
    )
    yield Setting(
        "people.terminal_requests",
        subject,
        "Requests that a table's terminal may send in a minute",
        "One that sends more is told to wait, so that it cannot slow the others down.",
        Whole(60, 100_000, "request"),
        600,
        OUR_OWN,
    )
    yield Setting(
        "people.licence_reminder",
        subject,
        "Reminder before a licence ends",
        "So many days before, the inbox of the person and of whoever renews it says so, and the "
        "list of people.",
        Whole(1, 180, "day"),
        30,
        OUR_OWN,
    )


def _pay_tables() -> Iterator[Setting]:
    yield Setting(
        "paytable.edge_least",
        "Pay tables",
        "House edge below which a pay table is questioned",
        "A side bet whose exact edge lies below it is shown with a warning to both who sign.",
        Percent(0, 10_000),
        100,
        OUR_OWN,
    )
    yield Setting(
        "paytable.edge_most",
        "Pay tables",
        "House edge above which a pay table is questioned",
        "A side bet whose exact edge lies above it is shown with a warning to both who sign.",
        Percent(0, 10_000),
        2_500,
        OUR_OWN,
    )


def _patrons() -> Iterator[Setting]:
    yield Setting(
        "patron.least_age",
        "Patrons",
        "Age from which somebody may play",
        "A birth date that makes a patron younger is refused: the ID is read again.",
        Whole(18, 25, "year"),
        21,
        "State gaming regulations",
    )


def _statistics() -> Iterator[Setting]:
    subject = "Statistics"
    yield Setting(
        "statistics.days",
        subject,
        "Days of experience behind a band",
        "How many days before the time that is looked at say what a game holds, and how far it "
        "strays.",
        Whole(30, 1_830, "day"),
        365,
        OUR_OWN,
    )
    yield Setting(
        "statistics.least",
        subject,
        "Table days that a band needs at least",
        "With fewer settled days of tables no band is stated for a game.",
        Whole(2, 1_000, "day"),
        30,
        OUR_OWN,
    )


def _papers() -> Iterator[Setting]:
    series: dict[str, list[str]] = {}
    for flow in FLOWS.values():
        series.setdefault(flow.series, []).append(flow.title.lower())
    for letters, titles in series.items():
        yield Setting(
            f"{SERIES}{letters}",
            "Papers",
            f"Letters before the number of: {', '.join(titles)}",
            "New slips are numbered in this series. Old numbers stay as they are.",
            Prefix(),
            letters,
            OUR_OWN,
        )


def _readings() -> Iterator[Setting]:
    for option in OPTIONS:
        yield Setting(
            f"{OPTION}{option.name}",
            "Readings of the rules",
            option.question,
            f"How these are settled: {', '.join(option.wagers).replace('_', ' ')}.",
            Choice(option.choices),
            option.default,
            f"Reading {', '.join(option.readings)}",
        )


BOOK: Final[Mapping[str, Setting]] = {
    setting.key: setting
    for subject in (
        _the_day,
        _trays,
        _approvals,
        _signing,
        _dealers,
        _cards,
        _jackpots,
        tax_settings,
        _limits,
        _cash,
        _pay_tables,
        _people,
        _patrons,
        _statistics,
        _papers,
        _readings,
    )
    for setting in subject()
}


def change_refusals(key: str, value: Any, values: Mapping[str, Any]) -> list[Refusal]:
    """Return why a value does not go with the others that hold, or will hold, beside it."""
    if values[key] == value:
        return [Refusal("nothing_changes", "This is the value already. Choose another.")]
    beside = {**values, key: value}
    refusals = []
    if key.startswith(SERIES):
        taken = [
            other
            for other, prefix in values.items()
            if other.startswith(SERIES) and other != key and prefix == value
        ]
        if taken:
            titles = BOOK[taken[0]].title.partition(": ")[2]
            refusals.append(
                Refusal("prefix_taken", f"{value} stands before the number of: {titles}.")
            )
    pairs = (
        ("people.wrong_on_device", "people.wrong_anywhere", "wrong_tries_out_of_order"),
        ("paytable.edge_least", "paytable.edge_most", "band_out_of_order"),
        ("cash.log_from", "cash.report_over", "cash_amounts_out_of_order"),
        ("cash.near", "cash.report_over", "cash_amounts_out_of_order"),
    )
    for lower, upper, code in pairs:
        if key in (lower, upper) and beside[lower] > beside[upper]:
            sentence = f"“{BOOK[lower].title}” would be more than “{BOOK[upper].title}”."
            refusals.append(Refusal(code, sentence))
    return refusals


def by_subject(settings: Iterable[Setting]) -> dict[str, list[Setting]]:
    """Return settings under their subjects, in the order of the book."""
    subjects: dict[str, list[Setting]] = {}
    for setting in settings:
        subjects.setdefault(setting.subject, []).append(setting)
    return subjects


_INTRODUCTION = """\
# Settings

This page is written by `python -m pitboss.rules settings`; a test keeps it true. Each setting is
changed under “House” by two managers: one proposes, another approves, and the value holds from the
time that stands on the slip, never from a time that is past. What held on an earlier day is kept.
"""


def settings_page() -> str:
    """Return the page of the documentation that lists every setting."""
    return "\n".join(_page())


def _page() -> Iterator[str]:
    yield _INTRODUCTION
    for subject, settings in by_subject(BOOK.values()).items():
        yield f"## {subject}\n"
        yield "| Setting | Title | What it changes | Default | What may be keyed | Source |"
        yield "|---|---|---|---|---|---|"
        if settings[0].key.startswith(SERIES):
            # One for each series that a release knows; the page does not change with them.
            yield (
                f"| `{SERIES}<letters>` | Letters before the number of a slip, for each series | "
                f"{settings[0].changes} | the series' own letters | {settings[0].kind.hint} | "
                f"{settings[0].source} |"
            )
        else:
            for each in settings:
                yield (
                    f"| `{each.key}` | {each.title} | {each.changes} | "
                    f"{each.words(each.default)} | {each.kind.hint} | {each.source} |"
                )
        yield ""
