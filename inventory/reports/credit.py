"""Credit: what is owed by how long it is past due, to the cent, and deposits no one claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta

from django.urls import reverse

from inventory.selectors.checks import CheckOwed, checks_owed, ledger_cents, written_off
from inventory.selectors.deposits import unclaimed
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Bar,
    Cell,
    Chart,
    Column,
    Finding,
    Link,
    Report,
    ReportChoice,
    ReportScope,
    Row,
    Section,
    Shape,
    Tone,
    report_link,
    row_of,
    section_link,
    slip_cell,
    slip_link,
)
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.patrons.checks import AGES, DUE_TODAY, NOT_DUE, age_of
from pitboss.services import house

KEY, DORMANT, PAGE = "aging", "unclaimed", "credit_desk"

_AGES = (
    Column("age", "Age"),
    Column("count", "Markers", Shape.COUNT),
    Column("owed", "Owed", Shape.MONEY),
)
_CHECKS = (
    Column("marker", "Marker", Shape.CODE),
    Column("patron", "Patron"),
    Column("dated", "Date", Shape.DAY),
    Column("due", "Due", Shape.DAY),
    Column("officer", "Issued by", is_minor=True),
    Column("age", "Age"),
    Column("owed", "Owed", Shape.MONEY),
)
_GROUPED = (Column("who", "Who"), Column("count", "Markers", Shape.COUNT), _CHECKS[-1])
_GIVEN_UP = (
    Column("marker", "Marker", Shape.CODE),
    Column("patron", "Patron"),
    Column("written_off", "Written off", Shape.MONEY),
    Column("recovered", "Recovered", Shape.MONEY),
)
_DEPOSITS = (
    Column("patron", "Patron"),
    Column("account", "Account"),
    Column("last", "Last movement", Shape.DAY),
    Column("days", "Days", Shape.COUNT),
    Column("balance", "Balance", Shape.MONEY),
)
_WHO: Mapping[str, Callable[[CheckOwed], str]] = {
    "patron": lambda check_owed: str(check_owed.patron),
    "officer": lambda check_owed: check_owed.officer,
}
_WAYS = {"": "By marker", "patron": "By patron", "officer": "By officer"}
_FORMULAS = (
    "Age = the gaming day − the due day. A check that the bank returned stands under Returned, and "
    "under In collection once a collector logged a contact or the bank returned it twice.",
    "Marker ledger = markers issued − paid − deposited − replaced − written off + checks that "
    "replaced others + returned. What is written off or recovered isn’t owed.",
)


@report(
    key=KEY,
    title="Credit aging",
    group=Group.PAPERS,
    says="What patrons owe by how long it is past due, returned, in collection, and written off.",
    page=PAGE,
    asked=ReportScope(days_max=1, ways=_WAYS),
)
def aging(choice: ReportChoice) -> Report:
    """Return what is owed at the end of a gaming day by age, held against the marker ledger."""
    day = choice.last
    checks = checks_owed(day, until=day)
    if choice.of:
        found = [check for check in checks if choice.of in _names(check, day)]
        title = choice.of.partition(": ")[2] or choice.of
        opens = report_link(KEY, PAGE, choice, of=choice.of)
        return Report((_each(found, day, title, opens),), formulas=_FORMULAS)
    total, ledger = sum(check.check.balance_cents for check in checks), ledger_cents(day)
    by_age = {age: [check for check in checks if age_of(check.check, day) == age] for age in AGES}
    return Report(
        (_ages(by_age, choice), _listed(checks, choice), _given_up(day, choice)),
        Finding(Tone.GOOD, f"{format_money(total)} is owed. The marker ledger says the same.")
        if total == ledger
        else Finding(
            Tone.BAD,
            f"{format_money(total)} is owed by marker, and the marker ledger says "
            f"{format_money(ledger)}.",
        ),
        Chart(
            "Owed by age",
            Shape.MONEY,
            tuple(
                Bar(
                    age,
                    _sum(found),
                    tone=_tone(age),
                    link=report_link(KEY, PAGE, choice, of=age),
                )
                for age, found in by_age.items()
                if found
            ),
        ),
        _FORMULAS,
    )


def _names(each: CheckOwed, day: date) -> tuple[str, ...]:
    """Return under which names a number opens to this marker."""
    return age_of(each.check, day), *(f"{way}: {_WHO[way](each)}" for way in _WHO)


def _sum(checks: Iterable[CheckOwed]) -> int:
    return sum(check.check.balance_cents for check in checks)


def _tone(age: str) -> Tone:
    if age == NOT_DUE:
        return Tone.PLAIN
    return Tone.WAIT if age == DUE_TODAY else Tone.BAD


def _ages(by_age: dict[str, list[CheckOwed]], choice: ReportChoice) -> Section:
    rows = [
        row_of(
            age,
            len(found),
            _sum(found),
            tone=_tone(age) if found else Tone.PLAIN,
            opens=report_link(KEY, PAGE, choice, of=age) if found else None,
        )
        for age, found in by_age.items()
    ]
    every = [check_owed for found in by_age.values() for check_owed in found]
    total = row_of("Total", len(every), _sum(every), opens=section_link(KEY, PAGE, choice, 2))
    return Section("By age", _AGES, tuple(rows), sums=total)


def _listed(checks: list[CheckOwed], choice: ReportChoice) -> Section:
    if not choice.by:
        return _each(checks, choice.last, "By marker", section_link(KEY, PAGE, choice, 2))
    piles: dict[str, list[CheckOwed]] = {}
    for check in checks:
        piles.setdefault(_WHO[choice.by](check), []).append(check)
    rows = [
        row_of(
            name,
            len(found),
            _sum(found),
            opens=report_link(KEY, PAGE, choice, of=f"{choice.by}: {name}"),
        )
        for name, found in sorted(piles.items())
    ]
    return Section(
        _WAYS[choice.by],
        _GROUPED,
        tuple(rows),
        "Nothing is owed.",
        sums=row_of("Total", len(checks), _sum(checks), opens=section_link(KEY, PAGE, choice)),
    )


def _each(checks: list[CheckOwed], day: date, title: str, opens: Link) -> Section:
    return Section(
        title,
        _CHECKS,
        tuple(_check(check, day) for check in checks),
        "Nothing is owed.",
        sums=row_of("Total", "", None, None, "", "", _sum(checks), opens=opens),
    )


def _check(each: CheckOwed, day: date) -> Row:
    age = age_of(each.check, day)
    return row_of(
        slip_cell(each.serial),
        Cell(str(each.patron), Link(reverse("patron", args=[each.patron.pk]), "patrons")),
        each.check.dated,
        each.check.due_on,
        each.officer,
        age,
        each.check.balance_cents,
        tone=_tone(age),
        opens=slip_link(each.serial),
    )


def _given_up(day: date, choice: ReportChoice) -> Section:
    found = written_off(day)
    gone_cents = sum(gone for _, gone, _ in found)
    back_cents = sum(back for _, _, back in found)
    return Section(
        "Written off and recovered",
        _GIVEN_UP,
        tuple(
            row_of(
                slip_cell(str(marker)),
                str(marker.patron),
                gone,
                back,
                opens=slip_link(str(marker)),
            )
            for marker, gone, back in found
        ),
        "Nothing was written off.",
        sums=row_of("Total", "", gone_cents, back_cents, opens=section_link(KEY, PAGE, choice, 3)),
    )


@report(
    key=DORMANT,
    title="Unclaimed deposits",
    group=Group.PAPERS,
    says="Front money and safekeeping that no one has moved for as long as the house allows.",
    page=PAGE,
    asked=ReportScope(is_now=True),
)
def dormant(choice: ReportChoice) -> Report:
    """Return the deposits without any movement for as many days as the setting says."""
    now = house.now()
    days = house.settings_at(now)["deposit.dormant"]
    today = house.period_at(now).gaming_day
    found = unclaimed(today - timedelta(days=days))
    section = Section(
        "Unclaimed deposits",
        _DEPOSITS,
        tuple(
            row_of(
                Cell(str(item.patron), Link(reverse("patron", args=[item.patron.pk]), "patrons")),
                item.account.label.capitalize(),
                item.last_on,
                (today - item.last_on).days,
                item.balance_cents,
                opens=Link(reverse("patron", args=[item.patron.pk]), "patrons"),
            )
            for item in found
        ),
        f"No deposit has been without movement for {days} days.",
        sums=row_of(
            "Total",
            "",
            None,
            None,
            sum(item.balance_cents for item in found),
            opens=section_link(DORMANT, PAGE, choice),
        ),
    )
    return Report((section,))
