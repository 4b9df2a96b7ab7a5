"""Tax lines as data, and when withheld tax is deposited, by the rules alone (F29, A153)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from pitboss.rules.tax.deposits import Withheld, deposits, quarter_of_month
from pitboss.rules.tax.forms import PaidWin, Recipient, corrected_boxes, w2g_boxes, with_payer
from pitboss.rules.tax.house import HouseTax, Payer
from pitboss.rules.tax.lines import (
    SHIPPED,
    LineLevel,
    LineTrigger,
    TaxLineTerms,
    WithheldFrom,
    line_refusals,
    lines_on,
)
from pitboss.rules.tax.papers import Winner, parts_of
from pitboss.rules.tax.tax import TaxAnswer, TaxFormName, judge

MAY = date(2026, 5, 1)
OHIO, COLUMBUS, *_ = (replace(line, confirmed_by="A. Adviser, CPA") for line in SHIPPED)
CLEVELAND = replace(SHIPPED[-1], confirmed_by="A. Adviser, CPA")


def judged(
    *lines: TaxLineTerms,
    paid_on: date = MAY,
    net: int = 3_000_000,
    wager: int = 6_000,
    **given: str,
) -> TaxAnswer:
    """Judge F05, a net win of $30,000 on $60, in a house with these lines."""
    rules = HouseTax(lines=lines)
    win = rules.win(
        paid_on=paid_on,
        wager_cents=wager,
        received_cents=net + wager,
        is_resident=True,
        has_tin=True,
        **given,  # type: ignore[arg-type]
    )
    return judge(win, rules.tables(paid_on))


def test_f29_columbus_takes_its_part_beside_ohio() -> None:
    answer = judged(OHIO, COLUMBUS)
    assert (answer.federal_cents, answer.state_cents, answer.local_cents) == (
        720_000,
        82_500,
        75_000,
    )
    assert (answer.state, answer.locality) == ("OH", "Columbus")
    assert 3_000_000 - 720_000 - 82_500 - 75_000 == 2_122_500
    assert answer.as_json()["local_cents"] == 75_000
    assert "confirmed by A. Adviser" in "\n".join(answer.working)


def test_a153_an_unconfirmed_line_withholds_nothing() -> None:
    answer = judged(*SHIPPED)
    assert (answer.state_cents, answer.local_cents, answer.locality) == (0, 0, "")
    assert lines_on(SHIPPED, MAY) == {}
    for line in SHIPPED:
        assert [refusal.code for refusal in line_refusals(line)] == ["line_unconfirmed"]


def test_a153_a_rate_from_january_1_does_not_touch_a_payment_of_december_31() -> None:
    assert judged(OHIO, paid_on=date(2025, 12, 31)).state_cents == 0
    assert judged(OHIO, paid_on=date(2026, 1, 1)).state_cents == 82_500
    over = replace(OHIO, paid_until=date(2026, 4, 30))
    assert judged(over).state_cents == 0
    assert judged(over, paid_on=date(2026, 4, 30)).state_cents == 82_500
    later = replace(OHIO, basis_points=300, paid_from=date(2026, 3, 1))
    assert judged(OHIO, later).state_cents == judged(later, OHIO).state_cents == 90_000


def test_of_two_lines_that_begin_on_one_day_the_one_entered_last_holds() -> None:
    assert judged(OHIO, replace(OHIO, basis_points=300)).state_cents == 90_000


@pytest.mark.parametrize(
    ("city", "taken"), [("Cleveland", 75_000), ("CLEVELAND ", 75_000), ("Akron", 0), ("", 0)]
)
def test_a_line_of_residents_follows_the_address(city: str, taken: int) -> None:
    assert judged(CLEVELAND, city=city).local_cents == taken
    others = replace(CLEVELAND, who=WithheldFrom.NONRESIDENTS)
    assert judged(others, city=city).local_cents == 75_000 - taken


def test_a_state_line_of_residents_follows_the_region() -> None:
    own = replace(OHIO, who=WithheldFrom.RESIDENTS)
    assert judged(own, region="OH").state_cents == 82_500
    assert judged(own, region="MI").state_cents == 0


@pytest.mark.parametrize(
    ("trigger", "threshold", "net", "taken"),
    [
        (LineTrigger.FEDERAL_WITHHOLDING, 0, 480_000, 0),
        (LineTrigger.ANY_W2G, 0, 480_000, 13_200),
        (LineTrigger.OWN_AMOUNT, 480_000, 480_000, 13_200),
        (LineTrigger.OWN_AMOUNT, 480_001, 480_000, 0),
        (LineTrigger.OWN_RATIO, 300, 480_000, 13_200),
        (LineTrigger.OWN_RATIO, 480, 480_000, 13_200),
        (LineTrigger.OWN_RATIO, 481, 480_000, 0),
        (LineTrigger.OWN_RATIO, 600, 480_000, 0),
    ],
)
def test_each_trigger_is_its_own(
    trigger: LineTrigger, threshold: int, net: int, taken: int
) -> None:
    line = replace(OHIO, trigger=trigger, threshold=threshold)
    assert judged(line, net=net, wager=1_000).state_cents == taken


def test_without_a_w2g_no_line_takes_anything() -> None:
    answer = judged(replace(OHIO, trigger=LineTrigger.ANY_W2G), net=100_000, wager=100)
    assert (answer.form, answer.state, answer.state_cents) == (None, "", 0)


def test_a_line_comes_before_the_state_that_is_set() -> None:
    rules = HouseTax(state="NJ", lines=(OHIO,))
    win = rules.win(
        paid_on=MAY, wager_cents=6_000, received_cents=3_006_000, is_resident=True, has_tin=True
    )
    assert judge(win, rules.tables(MAY)).state == "OH"
    rules = HouseTax(state="NJ", lines=(COLUMBUS,))
    answer = judge(
        win=rules.win(
            paid_on=MAY, wager_cents=6_000, received_cents=3_006_000, is_resident=True, has_tin=True
        ),
        tables=rules.tables(MAY),
    )
    assert (answer.state, answer.state_cents, answer.local_cents) == ("NJ", 90_000, 75_000)


def test_shares_add_up_to_what_the_city_takes() -> None:
    three = [Winner(name, 1_000_000, has_address=True, has_us_tin=True) for name in ("A", "B", "C")]
    rules = HouseTax(lines=(OHIO, replace(COLUMBUS, basis_points=251)))
    parts = parts_of(three, house=rules, paid_on=MAY, wager_cents=6_000, returned_cents=6_000)
    assert sum(part.local_cents for part in parts) == parts[0].answer.local_cents
    assert parts[0].withheld_cents == (
        parts[0].federal_cents + parts[0].state_cents + parts[0].local_cents
    )


def test_a153_boxes_13_to_18_as_shown() -> None:
    ana = Recipient("Ana", "Ruiz", "Ana Ruiz", "1 Oak", "Columbus", "OH", "43004", "US", "US")
    paid = PaidWin(
        won_on=MAY,
        wager="Raise the Roof",
        transaction="BW-2026-000001",
        cashier="105",
        window="BJ-11",
        account="1",
        reportable_cents=3_000_000,
        federal_cents=720_000,
        state="OH",
        state_cents=82_500,
        payer_number="52-1",
        locality="Columbus",
        local_cents=75_000,
    )
    payer = Payer(state_id="99-9")
    boxes = with_payer(TaxFormName.W2G, w2g_boxes(paid, ana), payer)
    assert [boxes[str(box)] for box in range(13, 19)] == [
        "OH 52-1",
        "30000.00",
        "825.00",
        "30000.00",
        "750.00",
        "Columbus",
    ]
    plain = replace(paid, payer_number="", locality="", local_cents=0)
    boxes = with_payer(TaxFormName.W2G, w2g_boxes(plain, ana), payer)
    assert (boxes["13"], boxes["16"], boxes["18"]) == ("OH 99-9", "", "")
    again = corrected_boxes(
        TaxFormName.W2G,
        w2g_boxes(paid, ana),
        ana,
        reportable_cents=2_900_000,
        federal_cents=700_000,
        state_cents=80_000,
    )
    assert (again["14"], again["16"], again["17"]) == ("29000.00", "29000.00", "750.00")


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"place": "Ohio"}, "place_malformed"),
        ({"basis_points": 5_001}, "rate_out_of_range"),
        ({"threshold": 5}, "threshold_malformed"),
        ({"trigger": LineTrigger.OWN_AMOUNT}, "threshold_malformed"),
        ({"paid_until": date(2025, 1, 1)}, "line_ends_first"),
        ({"confirmed_by": ""}, "line_unconfirmed"),
    ],
)
def test_a_line_that_cannot_hold_is_refused(changed: dict[str, object], code: str) -> None:
    assert line_refusals(OHIO) == []
    assert [refusal.code for refusal in line_refusals(replace(OHIO, **changed))] == [code]  # type: ignore[arg-type]
    assert LineLevel.STATE in lines_on([OHIO], MAY)


@pytest.mark.parametrize(
    "changed",
    [
        {"basis_points": 0},
        {"basis_points": 5_000},
        {"trigger": LineTrigger.OWN_RATIO, "threshold": 1},
        {"paid_until": OHIO.paid_from},
    ],
)
def test_a_line_at_the_edge_of_what_can_hold_is_taken(changed: dict[str, object]) -> None:
    assert line_refusals(replace(OHIO, **changed)) == []  # type: ignore[arg-type]


def test_deposits_follow_what_was_withheld() -> None:
    found = deposits(
        [
            Withheld(TaxFormName.W2G, date(2026, 5, 3), 720_000),
            Withheld(TaxFormName.W2G, date(2026, 5, 30), 1),
            Withheld(TaxFormName.W2G, date(2026, 12, 31), 100),
            Withheld(TaxFormName.W2G, date(2026, 5, 3), 0),
            Withheld(TaxFormName.F1042S, date(2026, 5, 20), 150_000),
            Withheld(TaxFormName.F1042S, date(2026, 5, 22), 50_000),
            Withheld(TaxFormName.F1042S, date(2026, 5, 23), 199_999),
        ],
        {date(2026, 5, 25)},
    )
    assert [(deposit.return_name, deposit.cents, deposit.due) for deposit in found] == [
        ("Form 1042", 200_000, date(2026, 5, 28)),
        ("Form 1042", 199_999, date(2026, 6, 15)),
        ("Form 945", 720_001, date(2026, 6, 15)),
        ("Form 945", 100, date(2027, 1, 15)),
    ]
    assert quarter_of_month(date(2026, 5, 7)) == (date(2026, 5, 1), date(2026, 5, 7))
