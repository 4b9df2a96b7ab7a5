"""The book of settings: every number and choice that a house may set, with a date, by two people.

Each entry says what it changes, what may be keyed, the default and where that comes from. A value
holds from its date on; a dispute about last Tuesday is settled by last Tuesday's settings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from pitboss.rules.book.options import OPTIONS
from pitboss.rules.cheques.cheques import TOP_SIGN_FROM_CENTS
from pitboss.rules.cheques.cutting import BLACK, Breakage, CutOptions
from pitboss.rules.day.general_ledger import ACCOUNTS, AccountList
from pitboss.rules.floor.incident_reports import incident_settings
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.limits import COMP_LIMITS
from pitboss.rules.paytables.printed import RAISE_THE_ROOF
from pitboss.rules.people.idle import idle_settings
from pitboss.rules.people.one_pin import one_pin_settings
from pitboss.rules.people.passkeys import passkey_settings
from pitboss.rules.people.sign_in import sign_in_settings
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import Role
from pitboss.rules.settings import floor as floor_settings
from pitboss.rules.settings.cards import card_settings
from pitboss.rules.settings.credit import credit_settings
from pitboss.rules.settings.kinds import Amount, Choice, Percent, Prefix, ShiftList, Whole
from pitboss.rules.settings.patrons import cash_settings, exclusion_settings, patron_settings
from pitboss.rules.settings.people import people_settings
from pitboss.rules.settings.ratings import rating_settings
from pitboss.rules.settings.setting import MANUAL, OUR_OWN, Setting
from pitboss.rules.settings.tax import tax_settings
from pitboss.rules.settings.yields import yield_settings

SERIES: Final = "papers.series."
OPTION: Final = "reading."
LIMIT: Final = "limit."
# Who asks for cheques, and so may be held to an amount; above them is always a shift manager.
_ASKING: Final = (Role.SUPERVISOR, Role.PIT_MANAGER)


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
        "Days to enter paper slips after an outage",
        "How many days after an outage a paper slip can still be entered.",
        Whole(0, 60, "day"),
        7,
        OUR_OWN,
    )

    yield Setting(
        "ledger.accounts",
        "The day",
        "Accounts of the general ledger",
        "The account numbers that a closed day is exported to the general ledger with.",
        AccountList(),
        dict(ACCOUNTS),
        OUR_OWN,
    )

    yield Setting(
        "record.verified_at",
        "The day",
        "Hour at which the whole record is verified",
        "Pitboss verifies everything each night at this hour, and new records every "
        "hour. Choose an hour when few tables are open.",
        Whole(0, 23, "hour"),
        5,
        OUR_OWN,
    )


def _approvals() -> Iterator[Setting]:
    cut = CutOptions()
    subject = "Approvals"
    yield Setting(
        "approval.top_sign_from",
        subject,
        "Cheque value that needs the pit manager’s top-sign",
        "A fill or credit with a cheque of this value or higher needs the pit manager’s top-sign.",
        Amount(100, 10_000_000),
        TOP_SIGN_FROM_CENTS,
        f"{MANUAL}, Fills 4, Credits 5",
    )
    yield Setting(
        "approval.send_out_from",
        subject,
        "Buy-in, change or payout that a supervisor approves",
        "At this amount and above, the dealer needs approval before sending cheques out.",
        Amount(100, 10_000_000),
        cut.approval_from_cents,
        f"{MANUAL}, Money handling",
    )
    yield Setting(
        "approval.cheque_from",
        subject,
        "Cheque value that needs approval for change, color-ups, and tokes",
        "From this cheque on a supervisor approves it, whatever the amount.",
        Amount(100, 10_000_000),
        BLACK,
        f"{MANUAL}, Cheque change, Conversions 3, Tokes 3",
    )
    yield Setting(
        "nod.signed_from",
        subject,
        "Approval that is signed with badge and PIN",
        "Below this, an approval is logged with a tap and doesn’t stop the game.",
        Amount(100, 100_000_000, none_means="no approval is signed"),
        300_000,
        OUR_OWN,
    )
    yield Setting(
        "ruling.holds",
        subject,
        "How long a ruling on an irregular hand lasts",
        "It ends with its hand. If no terminal reports rounds and no one marks the "
        "hand as over, it ends automatically so it can’t affect a later hand.",
        Whole(1, 30, "minute"),
        5,
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
        "approval.expires",
        subject,
        "How long a payout approval lasts",
        "One approval is for one payout and amount, once, for so long.",
        Whole(1, 60, "minute"),
        5,
        OUR_OWN,
    )
    yield from floor_settings.approvals(subject)
    yield from floor_settings.big_wins(subject)
    yield from floor_settings.felt(subject)
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
        "Whether the dealer checks each line on the slip, or enters the count without "
        "seeing the slip.",
        Choice({"line_by_line": "line by line", "blind": "blind, the count is entered"}),
        "line_by_line",
        f"{MANUAL}, Fills",
    )
    yield Setting(
        "signing.card_cancellation",
        "Signing",
        "Where used cards are canceled",
        "Whether cards are canceled at the table before they are bagged, or after "
        "security has collected them.",
        Choice({"at_table": "at the table", "after_collection": "after they were collected"}),
        "at_table",
        f"{MANUAL}, Card control",
    )
    yield Setting(
        "waiting.limit",
        "Signing",
        "Time before a waiting item turns red",
        "When the ring around a waiting slip is full and turns red.",
        Whole(1, 240, "minute"),
        5,
        OUR_OWN,
    )
    yield Setting(
        "waiting.escalate",
        "Signing",
        "Wait before the next role is notified",
        "When an unsigned item also shows in the inbox of the next role up, and again "
        "after the same time in that of the role above.",
        Whole(1, 240, "minute"),
        10,
        OUR_OWN,
    )


def _limits() -> Iterator[Setting]:
    for role, cents in COMP_LIMITS.items():
        yield Setting(
            f"{LIMIT}comp.{role.value}",
            "Limits by role",
            f"Comps to one patron in a gaming day, {role.label}",
            "Someone more senior must authorize comps over this amount. A person with a "
            "personal limit is held to that instead.",
            Amount(100, 1_000_000_000, none_means="no limit"),
            cents,
            OUR_OWN,
        )
    for kind in ("fill", "credit"):
        for role in _ASKING:
            yield Setting(
                f"{LIMIT}{kind}.{role.value}",
                "Limits by role",
                f"Largest {kind}, {role.label}",
                f"Someone more senior must request a {kind} over this amount. A person "
                "with a personal limit is held to that instead.",
                Amount(100, 1_000_000_000, none_means="no limit"),
                None,
                OUR_OWN,
            )


def _bets() -> Iterator[Setting]:
    yield Setting(
        "bets.together",
        "Bets",
        "All bets on one hand, in table maximums",
        "The main bet with its raise, spots and side bets, each within its own limit; 0 sets no "
        "limit on all of them.",
        Whole(0, 100, "table maximum"),
        0,
        f"{RAISE_THE_ROOF}, Table Limits 2",
    )
    yield Setting(
        "bets.together_max",
        "Bets",
        "Maximum for all bets on one hand",
        "As an amount. Where table maximums are set too, the lower of both applies. A table "
        "may set its own.",
        Amount(100, 1_000_000_000, none_means="no limit"),
        None,
        f"{RAISE_THE_ROOF}, Table Limits 2",
    )
    for key, title in (("raise_min", "Smallest raise"), ("raise_max", "Largest raise")):
        yield Setting(
            f"bets.{key}",
            "Bets",
            f"{title} on Raise the Roof",
            "In addition to 1 to 5 times the ante. A raise outside it is refused, or paid with a "
            "warning once it is played. A table may set its own.",
            Amount(100, 100_000_000, none_means="no limit"),
            None,
            f"{RAISE_THE_ROOF}, Table Limits 1",
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


def _statistics() -> Iterator[Setting]:
    subject = "Statistics"
    yield Setting(
        "statistics.days",
        subject,
        "Days of experience behind a band",
        "How many past days are used to work out a game’s usual hold % and how far it varies.",
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


def series_setting(letters: str, title: str) -> Setting:
    """Return the setting of the letters that stand before the numbers of one series of slips."""
    return Setting(
        f"{SERIES}{letters}",
        "Slips",
        title,
        "New slips are numbered in this series. Old numbers stay as they are.",
        Prefix(),
        letters,
        OUR_OWN,
    )


@lru_cache(maxsize=1)
def _papers(kinds: tuple[str, ...]) -> dict[str, Setting]:
    """Return the letters of every series that these kinds of slip are numbered in."""
    series: dict[str, list[str]] = {}
    for flow in sorted((FLOWS[kind] for kind in kinds), key=lambda flow: flow.title):
        series.setdefault(flow.series, []).append(flow.title.lower())
    return {
        f"{SERIES}{letters}": series_setting(
            letters, f"Letters before the number of: {', '.join(titles)}"
        )
        for letters, titles in series.items()
    }


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


_FIXED: Final = {
    setting.key: setting
    for subject in (
        _the_day,
        floor_settings.trays,
        _approvals,
        _signing,
        floor_settings.limits,
        floor_settings.dealers,
        card_settings,
        floor_settings.jackpots,
        tax_settings,
        rating_settings,
        yield_settings,
        incident_settings,
        _limits,
        _bets,
        cash_settings,
        credit_settings,
        exclusion_settings,
        _pay_tables,
        people_settings,
        passkey_settings,
        idle_settings,
        one_pin_settings,
        sign_in_settings,
        patron_settings,
        _statistics,
        _readings,
    )
    for setting in subject()
}


class _SettingsBook(Mapping[str, Setting]):
    """Every setting: the fixed ones, and the letters of each series that some kind of slip has.

    Kinds are entered when the apps are ready, so these letters are looked up when they are asked.
    """

    def __getitem__(self, key: str) -> Setting:
        return _FIXED[key] if key in _FIXED else _papers(tuple(FLOWS))[key]

    def __iter__(self) -> Iterator[str]:
        yield from _FIXED
        yield from _papers(tuple(FLOWS))

    def __len__(self) -> int:
        return len(_FIXED) + len(_papers(tuple(FLOWS)))


BOOK: Final[Mapping[str, Setting]] = _SettingsBook()


def change_refusals(key: str, value: Any, values: Mapping[str, Any]) -> list[Refusal]:
    """Return why a value does not go with the others that hold, or will hold, beside it."""
    if values[key] == value:
        return [Refusal("nothing_changes", "This is already the value. Choose another.")]
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
            refusals.append(Refusal("prefix_taken", f"{value} is the prefix of: {titles}."))
    pairs = (
        ("people.wrong_on_device", "people.wrong_anywhere", "wrong_tries_out_of_order"),
        ("people.wrong_on_device", "people.wrong_across_badges", "wrong_tries_out_of_order"),
        ("devices.token_rotates", "devices.token_holds", "token_days_out_of_order"),
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
