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
from pitboss.rules.patrons.cash_log import CashPolicy
from pitboss.rules.patrons.sar import SarPolicy
from pitboss.rules.paytables.printed import RAISE_THE_ROOF
from pitboss.rules.people.devices import TOKEN_DAYS_LEAST
from pitboss.rules.people.idle import idle_settings
from pitboss.rules.people.lockout import LockoutPolicy
from pitboss.rules.people.one_pin import one_pin_settings
from pitboss.rules.people.passkeys import passkey_settings
from pitboss.rules.people.sign_in import sign_in_settings
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import Role
from pitboss.rules.settings import floor as floor_settings
from pitboss.rules.settings.credit import credit_settings
from pitboss.rules.settings.kinds import Amount, Choice, Percent, Prefix, ShiftList, Whole
from pitboss.rules.settings.ratings import rating_settings
from pitboss.rules.settings.setting import MANUAL, OUR_OWN, Setting
from pitboss.rules.settings.tax import tax_settings
from pitboss.rules.settings.yields import yield_settings

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
        "Table maximums that all bets of a hand may come to",
        "The main bet with its raise, spots and side bets, each within its own limit; 0 sets no "
        "limit on all of them.",
        Whole(0, 100, "table maximum"),
        0,
        f"{RAISE_THE_ROOF}, Table Limits 2",
    )
    yield Setting(
        "bets.together_max",
        "Bets",
        "Most that all bets of a hand may come to",
        "As an amount. Where table maximums are set too, the lower of both applies.",
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
            "warning once it is played.",
            Amount(100, 100_000_000, none_means="no limit"),
            None,
            f"{RAISE_THE_ROOF}, Table Limits 1",
        )


# As FinCEN numbers them.
INSTITUTIONS: Final = {
    "101": "state-licensed casino",
    "102": "tribal casino",
    "103": "card club",
}


def _cash() -> Iterator[Setting]:
    """Yield what a day's cash is watched by: one day is judged by one set of amounts."""
    policy = CashPolicy()
    subject = "Cash of the day"
    yield Setting(
        "cash.who_from",
        subject,
        "Cash in one transaction that needs a name",
        "From this amount, cash is taken only once the patron is chosen or described.",
        Amount(100, 1_000_000_000),
        policy.who_from_cents,
        OUR_OWN,
        by_the_day=True,
    )
    yield Setting(
        "cash.seat_window",
        subject,
        "Time for which unnamed cash at one seat counts together",
        "When unnamed cash at one seat reaches the amount of the multiple-transaction log within "
        "this time, the next transaction needs a name.",
        Whole(1, 1_440, "minute"),
        int(policy.seat_window.total_seconds()) // 60,
        "68 IAC 15-2-3",
        by_the_day=True,
    )
    yield Setting(
        "cash.log_from",
        subject,
        "Cash that starts the multiple-transaction log",
        "At this total of cash in or cash out by one person in a gaming day, each of "
        "their transactions goes on the log.",
        Amount(100, 1_000_000_000),
        policy.log_from_cents,
        "68 IAC 15-2-3",
        by_the_day=True,
    )
    yield Setting(
        "cash.near",
        subject,
        "Cash from which a currency report is near",
        "At this total, the person logging cash is reminded to have the ID ready.",
        Amount(100, 1_000_000_000),
        policy.near_cents,
        OUR_OWN,
        by_the_day=True,
    )
    yield Setting(
        "cash.report_over",
        subject,
        "Cash over which a currency report is due",
        "When cash in or cash out by one person in a gaming day is more than this, a "
        "report goes to compliance.",
        Amount(100, 1_000_000_000),
        policy.report_over_cents,
        "31 CFR 1021.311",
        by_the_day=True,
    )
    yield Setting(
        "cash.report_days",
        subject,
        "Days within which a currency report is filed",
        "Counted from the gaming day of the cash.",
        Whole(1, 90, "day"),
        policy.report_days,
        "31 CFR 1010.306",
        by_the_day=True,
    )
    yield Setting(
        "cash.instruments_from",
        subject,
        "Amount at which a check goes on the instrument list",
        "Checks, money orders and traveler’s checks of this face value or more are listed by time.",
        Amount(100, 1_000_000_000),
        300_000,
        "31 CFR 1021.410",
        by_the_day=True,
    )
    suspicion = SarPolicy()
    yield Setting(
        "sar.from",
        subject,
        "Amount at which suspicious activity must be reported",
        "Below this amount a report is voluntary.",
        Amount(100, 1_000_000_000),
        suspicion.from_cents,
        "31 CFR 1021.320",
    )
    for key, title, days in (
        ("sar.days_suspect", "Days to file with a known suspect", suspicion.days_with_suspect),
        ("sar.days_unknown", "Days to file without a suspect", suspicion.days_without),
        ("sar.review_days", "Days after a filing until its review", suspicion.review_days),
    ):
        yield Setting(
            key,
            subject,
            title,
            "Calendar days, counted by compliance alone.",
            Whole(1, 365, "day"),
            days,
            "31 CFR 1021.320",
        )
    yield Setting(
        "cash.institution",
        subject,
        "What currency reports call this house",
        "The type of gaming institution on FinCEN Form 112.",
        Choice(INSTITUTIONS),
        "101",
        "FinCEN Form 112, Part III",
    )


def _exclusion() -> Iterator[Setting]:
    yield Setting(
        "exclusion.stale_after",
        "Exclusion",
        "Business days after which a list is too old",
        "Counted from its last import. After that, compliance is alerted until it is "
        "imported again.",
        Whole(1, 30, "day"),
        2,
        "58 Pa. Code 503a",
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
        "Counted over all devices. Machines that are not enrolled count apart, and never lock a "
        "badge on a device.",
        Whole(3, 30, "try"),
        _LOCKOUT.wrong_anywhere,
        OUR_OWN,
    )
    yield Setting(
        "people.wrong_across_badges",
        subject,
        "Wrong tries with any badges that lock a device",
        "Stops one PIN being tried with many badges and notifies security. A machine "
        "that isn’t enrolled is locked by its address.",
        Whole(5, 100, "try"),
        _LOCKOUT.wrong_across_badges,
        OUR_OWN,
    )
    yield Setting(
        "people.strays_kept",
        subject,
        "How long tries with unknown badges are kept",
        "Under a mark that hides what was typed: it may have been a PIN.",
        Whole(8, 168, "hour"),
        24,
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
        "people.reset_pin_hours",
        subject,
        "Time for which a reset PIN signs for little",
        "It gives the person time to report a reset that they did not ask for. Until then the PIN "
        "changes no people, PINs or settings.",
        Whole(1, 168, "hour"),
        24,
        OUR_OWN,
    )
    yield Setting(
        "people.reset_pin_limit",
        subject,
        "Most that a reset PIN signs for in that time",
        "A slip of a larger amount needs another person.",
        Amount(0, 100_000_000),
        100_000,
        OUR_OWN,
    )
    yield Setting(
        "people.pin_days",
        subject,
        "Age at which a PIN is changed",
        "After this many days a person sets a new PIN before the next signature. A slip that was "
        "open before is finished with the old one. 0 means never.",
        Whole(0, 365, "day"),
        90,
        "Minimum internal control standards, quarterly",
    )
    yield Setting(
        "people.dormant_days",
        subject,
        "Days after which an unused account is suspended",
        "Two managers bring the person back. 0 means never. A leave of absence does not count.",
        Whole(0, 365, "day"),
        45,
        "Minimum internal control standards for information technology",
    )
    yield Setting(
        "people.dormant_new_days",
        subject,
        "Days after which an account that was never used is suspended",
        "Counted from the day the person was added. 0 means never.",
        Whole(0, 365, "day"),
        14,
        OUR_OWN,
    )
    yield Setting(
        "keys.grace",
        subject,
        "Time after which a late key raises the alarm",
        "Counted from the time at which the key was due. The custodian, security, and the shift "
        "manager are notified.",
        Whole(0, 240, "minute"),
        15,
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
        "devices.token_holds",
        subject,
        "How long a device token lasts",
        "A device that was not used for so long is enrolled again, by two people.",
        Whole(TOKEN_DAYS_LEAST, 400, "day"),
        90,
        OUR_OWN,
    )
    yield Setting(
        "devices.token_rotates",
        subject,
        "Age at which a device gets a new token",
        "Automatic while the device is in use. The old token ends once the new one is used.",
        Whole(1, 90, "day"),
        7,
        OUR_OWN,
    )
    yield Setting(
        "people.terminal_requests",
        subject,
        "Requests that a table's terminal may send in a minute",
        "A device that sends more has to wait, so it can’t slow down the others.",
        Whole(60, 100_000, "request"),
        600,
        OUR_OWN,
    )
    yield Setting(
        "people.licence_reminder",
        subject,
        "Reminder before a license expires",
        "So many days before, the inbox of the person and of those who renew it says so, and the "
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
        "Minimum age to play",
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


@lru_cache(maxsize=1)
def _papers(kinds: tuple[str, ...]) -> dict[str, Setting]:
    """Return the letters of every series that these kinds of slip are numbered in."""
    series: dict[str, list[str]] = {}
    for flow in sorted((FLOWS[kind] for kind in kinds), key=lambda flow: flow.title):
        series.setdefault(flow.series, []).append(flow.title.lower())
    return {
        f"{SERIES}{letters}": Setting(
            f"{SERIES}{letters}",
            "Slips",
            f"Letters before the number of: {', '.join(titles)}",
            "New slips are numbered in this series. Old numbers stay as they are.",
            Prefix(),
            letters,
            OUR_OWN,
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
        floor_settings.cards,
        floor_settings.jackpots,
        tax_settings,
        rating_settings,
        yield_settings,
        incident_settings,
        _limits,
        _bets,
        _cash,
        credit_settings,
        _exclusion,
        _pay_tables,
        _people,
        passkey_settings,
        idle_settings,
        one_pin_settings,
        sign_in_settings,
        _patrons,
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
