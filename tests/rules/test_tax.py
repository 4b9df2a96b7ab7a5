"""Tax papers and withholding: the published figures, each edge to the cent."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.refusal import Refused
from pitboss.rules.tax import tax
from pitboss.rules.tax.tables import (
    STANDARD,
    Base,
    FederalRule,
    StateRule,
    StateTrigger,
    TaxTables,
    Treaty,
)
from pitboss.rules.tax.win import Nonresident, Win, read_win

FIVE_DOLLAR_JACKPOT: dict[str, Any] = {
    "paid_on": "2026-05-01",
    "wager_cents": 500,
    "received_cents": 681_240,
    "resident": True,
    "tin": True,
    "state": None,
    "basis": "net",
}


def judged(**changes: Any) -> dict[str, Any]:
    """Judge the published example with some facts changed."""
    return tax.answer(FIVE_DOLLAR_JACKPOT | changes)


def won(net_cents: int, wager_cents: int = 100, **changes: Any) -> dict[str, Any]:
    return judged(wager_cents=wager_cents, received_cents=net_cents + wager_cents, **changes)


def outcome(answer: dict[str, Any]) -> tuple[str | None, str, int]:
    return answer["form"], answer["withholding"], answer["federal_cents"]


def with_states(*rules: StateRule) -> TaxTables:
    return TaxTables(federal=STANDARD.federal, states=rules, treaties=STANDARD.treaties)


# Worked examples of the published texts


def test_a_five_dollar_bet_that_returns_6812_40_has_1633_78_withheld() -> None:
    answer = judged()
    assert answer == {
        "form": "W-2G",
        "withholding": "regular",
        "federal_cents": 163_378,
        "state_cents": 0,
        "reportable_cents": 680_740,
        "signature": True,
        "form_5754": False,
        "provisional": False,
        "working": answer["working"],
    }
    assert answer["working"].splitlines() == [
        "Paid on 2026-05-01: a W-2G from $2,000 and 300 times the wager, withholding above $5,000.",
        "Received $6,812.40 less the wager of $5: net $6,807.40.",
        "Net $6,807.40 is above $5,000 and at least 300 x $5 = $1,500: regular withholding.",
        "24% of $6,807.40 is $1,633.78.",
        "The winner signs the W-2G.",
    ]


def test_25_dollars_at_200_to_1_needs_no_form() -> None:
    answer = judged(wager_cents=2_500, received_cents=502_500)
    assert outcome(answer) == (None, "none", 0)
    assert answer["working"].endswith("Net $5,000 is below 300 x the wager = $7,500: no form.")


def test_300_for_1_is_not_300_to_1() -> None:
    """$10 returning $3,000 in all is net 299 times the wager."""
    assert outcome(judged(wager_cents=1_000, received_cents=300_000)) == (None, "none", 0)
    assert judged(wager_cents=1_000, received_cents=300_000, basis="gross")["form"] == "W-2G"
    assert judged(wager_cents=1_000, received_cents=301_000)["form"] == "W-2G"


def test_a_plain_blackjack_win_never_needs_a_form() -> None:
    assert outcome(judged(wager_cents=1_000_000, received_cents=2_500_000)) == (None, "none", 0)


@pytest.mark.parametrize(("wager_cents", "trigger_cents"), [(666, 200_000), (667, 200_100)])
def test_above_6_66_the_ratio_governs_in_2026(wager_cents: int, trigger_cents: int) -> None:
    assert won(trigger_cents, wager_cents)["form"] == "W-2G"
    assert won(trigger_cents - 1, wager_cents)["form"] is None


# Thresholds, at the cent


@pytest.mark.parametrize(
    ("paid_on", "threshold_cents"),
    [("2018-01-01", 60_000), ("2025-12-31", 60_000), ("2026-01-01", 200_000)],
)
def test_the_amount_is_that_of_the_day_of_payment(paid_on: str, threshold_cents: int) -> None:
    assert won(threshold_cents, paid_on=paid_on)["form"] == "W-2G"
    below = won(threshold_cents - 1, paid_on=paid_on)
    assert below["form"] is None
    assert f"is below ${threshold_cents // 100:,}: no form." in below["working"]


def test_the_ratio_is_met_at_exactly_300_times() -> None:
    assert won(300_000, 1_000)["form"] == "W-2G"
    assert won(299_999, 1_000)["form"] is None


def test_withholding_starts_above_5000_not_at_it() -> None:
    assert outcome(won(500_000)) == ("W-2G", "none", 0)
    assert outcome(won(500_001)) == ("W-2G", "regular", 120_000)


def test_a_win_over_5000_under_the_ratio_is_not_withheld_from() -> None:
    below = won(600_000, 2_001)
    assert outcome(below) == (None, "none", 0)
    assert below["reportable_cents"] == 0
    assert outcome(won(600_000, 2_000)) == ("W-2G", "regular", 144_000)


def test_half_a_cent_is_rounded_up() -> None:
    # 24% of $5,000.25 is 1,200.06; of 5,000.02 it is 1,200.0048; of 5,000.23, 1,200.0552.
    assert won(500_025)["federal_cents"] == 120_006
    assert won(500_002)["federal_cents"] == 120_000
    assert won(500_023)["federal_cents"] == 120_006
    # 3% of 5,000.50 is 150.015.
    assert won(500_050, state="NJ")["state_cents"] == 15_002


def test_reporting_gross_still_withholds_net() -> None:
    answer = judged(basis="gross")
    assert (answer["reportable_cents"], answer["federal_cents"]) == (681_240, 163_378)


def test_the_reporting_basis_decides_at_the_edge() -> None:
    at_the_edge = {"wager_cents": 500, "received_cents": 200_000}
    assert judged(**at_the_edge, basis="net")["form"] is None
    gross = judged(**at_the_edge, basis="gross")
    assert (gross["form"], gross["reportable_cents"]) == ("W-2G", 200_000)
    assert (
        "Gross $2,000 is at least $2,000 and at least 300 x $5 = $1,500: W-2G."
        in (gross["working"])
    )
    assert gross["working"].endswith(
        "A taxpayer number was given and regular withholding does not apply: none."
    )


def test_a_win_of_exactly_the_amount_fails_by_the_ratio_alone() -> None:
    assert won(200_000, 1_000)["working"].endswith(
        "Net $2,000 is below 300 x the wager = $3,000: no form."
    )


def test_a_losing_bet_needs_nothing() -> None:
    for received_cents in (0, 500):
        answer = judged(received_cents=received_cents)
        assert outcome(answer) == (None, "none", 0)
        assert answer["working"].endswith("Nothing was won beyond the wager: no form.")


# Backup withholding


def test_a_reportable_win_without_a_number_has_backup_withholding_on_the_net() -> None:
    answer = won(200_000, 500, tin=False, basis="gross")
    assert outcome(answer) == ("W-2G", "backup", 48_000)
    assert answer["signature"] is False
    assert "No taxpayer number was given: backup withholding." in answer["working"]


def test_regular_withholding_comes_before_backup() -> None:
    assert outcome(judged(tin=False)) == ("W-2G", "regular", 163_378)


def test_a_win_below_the_threshold_has_no_backup_withholding() -> None:
    assert outcome(won(199_999, tin=False)) == (None, "none", 0)


# Prizes, shares, identical wagers, free bets


def test_a_prize_whose_tax_the_house_pays_is_grossed_up() -> None:
    answer = judged(payer_pays_tax=True)
    assert answer["federal_cents"] == 214_978  # 31.58% of 6,807.40
    assert "the rate is grossed up" in answer["working"]
    assert won(300_000, tin=False, payer_pays_tax=True)["federal_cents"] == 94_740


def test_sharers_fill_in_a_5754_and_nobody_signs_the_w2g_at_once() -> None:
    answer = judged(winners=3)
    assert (answer["form_5754"], answer["signature"]) == (True, False)
    assert answer["federal_cents"] == 163_378
    assert answer["working"].endswith(
        "3 people share the win: Form 5754 first, then one W-2G each."
    )


def test_a_small_shared_win_needs_no_5754() -> None:
    assert won(10_000, winners=2)["form_5754"] is False


def test_identical_wagers_are_judged_together() -> None:
    one = {"wager_cents": 500, "received_cents": 300_500}
    assert outcome(judged(**one)) == ("W-2G", "none", 0)
    both = judged(**one, identical_wagers=[one])
    assert outcome(both) == ("W-2G", "regular", 144_000)
    lost = {"wager_cents": 0, "received_cents": 0}
    assert judged(**one, identical_wagers=[lost])["federal_cents"] == 0


def test_a_large_win_without_a_wager_waits_for_a_supervisor() -> None:
    answer = judged(wager_cents=0, received_cents=200_000)
    assert outcome(answer) == (None, "ask", 0)
    assert "a supervisor decides" in answer["working"]
    assert tax.judge(read_win(FIVE_DOLLAR_JACKPOT | {"wager_cents": 0})).needs_decision


def test_a_small_envy_payment_needs_nobody() -> None:
    assert outcome(judged(wager_cents=0, received_cents=199_999)) == (None, "none", 0)


# Years


@pytest.mark.parametrize("paid_on", ["2027-01-01", "2031-07-04"])
def test_a_year_not_yet_published_uses_the_newest_figures_and_says_so(paid_on: str) -> None:
    answer = judged(paid_on=paid_on)
    assert answer["provisional"] is True
    assert answer["federal_cents"] == 163_378
    assert (
        f"Provisional: no figures for {paid_on[:4]} are on file, so those of 2026 are used."
        in answer["working"]
    )


def test_the_last_published_day_is_not_provisional() -> None:
    assert judged(paid_on="2026-12-31")["provisional"] is False


def test_a_new_row_takes_over_on_its_day() -> None:
    row = STANDARD.federal[-1]
    next_year = FederalRule(
        paid_from=date(2027, 1, 1),
        published_until=date(2027, 12, 31),
        report_cents=210_000,
        withhold_over_cents=row.withhold_over_cents,
        ratio=row.ratio,
        regular_basis_points=2_200,
        backup_basis_points=row.backup_basis_points,
        payer_pays_basis_points=row.payer_pays_basis_points,
        nonresident_basis_points=row.nonresident_basis_points,
        source="a later publication",
    )
    tables = TaxTables((*STANDARD.federal, next_year), STANDARD.states, STANDARD.treaties)
    old = tax.answer(FIVE_DOLLAR_JACKPOT | {"paid_on": "2026-12-31"}, tables)
    new = tax.answer(FIVE_DOLLAR_JACKPOT | {"paid_on": "2027-01-01"}, tables)
    assert (old["federal_cents"], new["federal_cents"]) == (163_378, 149_763)
    assert new["provisional"] is False


def test_a_payment_before_the_first_row_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        judged(paid_on="2017-12-31")
    assert refused.value.codes == ("no_rule_for_date",)


# Non-residents


def test_a_nonresidents_side_bet_waits_for_a_supervisor_by_default() -> None:
    answer = judged(resident=False)
    assert outcome(answer) == (None, "ask", 0)
    assert answer["nra"] == "ask"
    assert "a supervisor decides before it is paid" in answer["working"]


def test_an_exempt_bet_needs_nothing() -> None:
    answer = judged(resident=False, nra="exempt")
    assert outcome(answer) == (None, "none", 0)
    assert (answer["nra"], answer["signature"]) == ("exempt", False)
    assert "counts as blackjack" in answer["working"]


def test_thirty_percent_of_the_gross_is_withheld_from_a_nonresident() -> None:
    answer = judged(resident=False, nra="withhold_30")
    assert outcome(answer) == ("1042-S", "nonresident", 204_372)
    assert (answer["nra"], answer["reportable_cents"]) == ("withhold_30", 681_240)
    assert "income code 28, exemption code 00" in answer["working"]


def test_a_house_may_take_a_nonresidents_stake_off_first() -> None:
    answer = judged(resident=False, nra="withhold_30", nra_base="net")
    assert answer["federal_cents"] == 204_222


def test_a_nonresident_is_reported_from_the_first_cent_unless_the_house_says_otherwise() -> None:
    small = {"wager_cents": 2_500, "received_cents": 502_500, "resident": False}
    assert judged(**small, nra="withhold_30")["form"] == "1042-S"
    by_w2g_test = judged(**small, nra="withhold_30", nra_trigger="w2g")
    assert outcome(by_w2g_test) == (None, "none", 0)
    assert by_w2g_test["nra"] == "withhold_30"
    assert by_w2g_test["working"].endswith(
        "The house reports by the W-2G test. Net $5,000 is below 300 x the wager = $7,500: no form."
    )
    large = judged(resident=False, nra="withhold_30", nra_trigger="w2g")
    assert large["federal_cents"] == 204_372


def test_a_complete_treaty_claim_is_paid_in_full() -> None:
    for country in ("BG", "GB", "DE"):
        answer = judged(resident=False, country=country, w8ben=True)
        assert outcome(answer) == ("1042-S", "none", 0)
        assert answer["nra"] == "treaty"
        assert "exemption code 04" in answer["working"]


def test_maltese_winners_pay_ten_percent() -> None:
    answer = judged(resident=False, country="MT", w8ben=True)
    assert outcome(answer) == ("1042-S", "nonresident", 68_124)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"country": "CA"}, "no treaty with CA is in force on 2026-05-01"),
        ({"country": "HU"}, "no treaty with HU is in force on 2026-05-01"),
        ({"country": "RU"}, "no treaty with RU is in force on 2026-05-01"),
        ({"w8ben": False}, "there is no Form W-8BEN"),
        ({"tin": False}, "no taxpayer number was given"),
    ],
)
def test_an_incomplete_treaty_claim_is_withheld_from(changes: dict[str, Any], reason: str) -> None:
    claim: dict[str, Any] = {"resident": False, "country": "GB", "w8ben": True, "nra": "treaty"}
    answer = judged(**(claim | changes))
    assert outcome(answer) == ("1042-S", "nonresident", 204_372)
    assert f"The treaty claim fails: {reason}." in answer["working"]


def test_a_failed_claim_still_waits_where_the_house_wants_to_be_asked() -> None:
    answer = judged(resident=False, country="CA", w8ben=True)
    assert (answer["nra"], answer["withholding"]) == ("ask", "ask")


def test_a_claim_somebody_has_checked_stands_if_there_is_a_number() -> None:
    checked = judged(resident=False, nra="treaty")
    assert (checked["nra"], checked["federal_cents"]) == ("treaty", 0)
    assert judged(resident=False, nra="treaty", tin=False)["nra"] == "withhold_30"


def test_a_treaty_holds_only_between_its_dates() -> None:
    suspended = Treaty("RU", paid_from=date(2018, 6, 1), paid_until=date(2024, 8, 15))
    tables = TaxTables(STANDARD.federal, (), (suspended,))
    claim = FIVE_DOLLAR_JACKPOT | {"resident": False, "country": "RU", "w8ben": True}
    for paid_on in ("2018-06-01", "2024-08-15"):
        assert tax.answer(claim | {"paid_on": paid_on}, tables)["nra"] == "treaty"
    assert tax.answer(claim | {"paid_on": "2024-08-16"}, tables)["nra"] == "ask"


def test_of_several_rules_in_force_the_latest_to_start_holds() -> None:
    lower = Treaty("RU", 1_000, paid_from=date(2026, 1, 1))
    treaties = (lower, Treaty("RU", 1_500), Treaty("RU", paid_until=date(2025, 12, 31)))
    rates = (500, date(2026, 1, 1)), (300, date.min), (700, date(2026, 6, 1))
    states = tuple(
        StateRule("CO", StateTrigger.ANY_W2G, "", basis_points=rate, paid_from=paid_from)
        for rate, paid_from in rates
    )
    tables = TaxTables(STANDARD.federal, states, treaties)
    day = date(2026, 5, 1)
    assert tables.treaty_on("RU", day) == lower
    assert tables.state_on("CO", day) == states[0]
    assert tables.state_on("CO", date(2025, 5, 1)) == states[1]


def test_a_nonresident_never_gets_a_w2g_nor_a_state_line() -> None:
    for policy in Nonresident:
        for state in ("NJ", "MS"):
            answer = judged(resident=False, nra=policy, state=state)
            assert answer["form"] != "W-2G"
            assert answer["state_cents"] == 0


# States


@pytest.mark.parametrize(("state", "state_cents"), [("NJ", 20_422), ("MA", 34_037)])
def test_a_state_that_follows_federal_withholding(state: str, state_cents: int) -> None:
    answer = judged(state=state)
    assert (answer["state_cents"], answer["provisional"]) == (state_cents, False)
    assert "not refundable" not in answer["working"]
    assert won(500_000, state=state)["state_cents"] == 0
    assert won(500_000, state=state, tin=False)["state_cents"] == 0


@pytest.mark.parametrize(("state", "state_cents"), [("PA", 20_899), ("MS", 20_422)])
def test_a_state_rule_nobody_confirmed_is_provisional(state: str, state_cents: int) -> None:
    answer = judged(state=state)
    assert (answer["state_cents"], answer["provisional"]) == (state_cents, True)
    assert f"the {state} rule is not confirmed" in answer["working"]


def test_mississippi_keeps_three_percent_of_every_w2g_win() -> None:
    answer = won(200_000, state="MS")
    assert answer["state_cents"] == 6_000
    assert "3% of $2,000 is $60, not refundable" in answer["working"]
    assert won(199_999, state="MS")["state_cents"] == 0


@pytest.mark.parametrize("state", ["NV", "SD", "WA", "WY", "TX", "AK", "NH"])
def test_a_state_without_a_line(state: str) -> None:
    answer = judged(state=state)
    assert (answer["state_cents"], answer["provisional"]) == (0, False)
    assert f"{state}: nothing to withhold" in answer["working"]


@pytest.mark.parametrize("state", ["CT", "IN", "IA", "LA", "MO"])
def test_a_rate_that_is_not_known_is_never_guessed(state: str) -> None:
    with pytest.raises(Refused) as refused:
        judged(state=state)
    assert refused.value.codes == ("state_rate_unknown",)
    assert won(10_000, state=state)["state_cents"] == 0


def test_michigan_asks_where_the_winner_lives() -> None:
    for residence, code in ((None, "state_residence_unknown"), (False, "state_rate_unknown")):
        with pytest.raises(Refused) as refused:
            judged(state="MI", state_resident=residence)
        assert refused.value.codes == (code,)
    assert judged(state="MI", state_resident=True)["state_cents"] == 0
    assert won(10_000, state="MI")["state_cents"] == 0


def test_a_state_without_a_rule_is_refused() -> None:
    for state in ("CO", "ZZ"):
        with pytest.raises(Refused) as refused:
            judged(state=state)
        assert refused.value.codes == ("state_rule_unknown",)


def test_an_adviser_may_set_a_states_own_amount_and_base() -> None:
    rule = StateRule(
        "CO",
        StateTrigger.OWN_AMOUNT,
        "the adviser",
        basis_points=400,
        base=Base.GROSS,
        own_amount_cents=60_000,
        paid_from=date(2026, 3, 1),
        paid_until=date(2026, 12, 31),
    )
    small: dict[str, Any] = {"wager_cents": 100, "state": "CO"}

    def line(received_cents: int, **changes: Any) -> int:
        case = FIVE_DOLLAR_JACKPOT | small | {"received_cents": received_cents} | changes
        return int(tax.answer(case, with_states(rule))["state_cents"])

    assert line(60_000) == 2_400
    assert line(59_999) == 0
    assert line(60_000, paid_on="2026-03-01") == line(60_000, paid_on="2026-12-31") == 2_400
    assert line(60_000, resident=False, nra="exempt") == 0
    for paid_on in ("2026-02-28", "2027-01-01"):
        with pytest.raises(Refused):
            line(60_000, paid_on=paid_on)


# Papers


def test_due_dates_move_off_weekends() -> None:
    due = tax.due_dates(2026)
    assert (due.winner_copies, due.irs_paper) == (date(2027, 2, 1), date(2027, 3, 1))
    assert (due.irs_electronic, due.form_1042s) == (date(2027, 3, 31), date(2027, 3, 15))
    assert tax.due_dates(2024).form_1042s == date(2025, 3, 17)  # a Saturday


# Faults


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("paid_on", None),
        ("paid_on", 20260501),
        ("paid_on", "2026-02-30"),
        ("paid_on", "20260501"),
        ("wager_cents", -1),
        ("wager_cents", 5.0),
        ("wager_cents", True),
        ("received_cents", "681240"),
        ("received_cents", None),
        ("resident", None),
        ("resident", "yes"),
        ("tin", None),
        ("tin", 1),
        ("state", "nj"),
        ("state", 7),
        ("state", "ÄÖ"),
        ("state", "NJX"),
        ("basis", "nett"),
        ("basis", []),
        ("winners", 0),
        ("nra", "perhaps"),
        ("nra_base", "none"),
        ("nra_trigger", "never"),
        ("country", "United Kingdom"),
        ("w8ben", "signed"),
        ("payer_pays_tax", 0),
        ("state_resident", "no"),
        ("identical_wagers", {"wager_cents": 1}),
        ("identical_wagers", [{"wager_cents": 1}]),
        ("identical_wagers", [{"received_cents": 1}]),
        ("identical_wagers", [3]),
    ],
)
def test_a_faulty_value_is_named(key: str, value: object) -> None:
    with pytest.raises(Refused) as refused:
        judged(**{key: value})
    assert refused.value.codes == (f"bad_{key}",)


def test_null_says_no_more_than_leaving_out() -> None:
    optional = ("state", "basis", "winners", "nra", "nra_base", "country", "identical_wagers")
    assert judged(**dict.fromkeys(optional)) == judged()


def test_every_fault_of_a_case_is_reported_at_once() -> None:
    with pytest.raises(Refused) as refused:
        tax.answer({})
    assert refused.value.codes == (
        "bad_paid_on",
        "bad_wager_cents",
        "bad_received_cents",
        "bad_resident",
        "bad_tin",
    )


def test_a_row_that_cannot_be_is_not_accepted() -> None:
    row = STANDARD.federal[0]

    for changes in (
        {"published_until": date(2017, 12, 31)},
        {"report_cents": 0},
        {"regular_basis_points": 10_001},
    ):
        with pytest.raises(ValueError, match=r"rule|thresholds|rate"):
            replace(row, **changes)
    for none in (-1, 10_001):
        with pytest.raises(ValueError, match="rate"):
            StateRule("NJ", StateTrigger.ANY_W2G, "", basis_points=none)
    assert StateRule("NJ", StateTrigger.ANY_W2G, "", basis_points=10_000).basis_points == 10_000
    assert StateRule("NJ", StateTrigger.OWN_AMOUNT, "", own_amount_cents=1).own_amount_cents == 1
    # A state that withholds at a rate which nobody has confirmed.
    assert StateRule("NJ", StateTrigger.ANY_W2G, "", basis_points=None).basis_points is None
    with pytest.raises(ValueError, match="own amount"):
        StateRule("NJ", StateTrigger.OWN_AMOUNT, "")
    with pytest.raises(ValueError, match="at least one"):
        TaxTables((), (), ())


# Properties


wins = st.builds(
    Win,
    paid_on=st.dates(date(2018, 1, 1), date(2035, 12, 31)),
    wager_cents=st.integers(0, 10_000),
    received_cents=st.integers(0, 10_000_000),
    is_resident=st.booleans(),
    has_tin=st.booleans(),
    basis=st.sampled_from(Base),
    nonresident=st.sampled_from(Nonresident),
    winners=st.integers(1, 3),
)


@given(wins)
def test_tax_never_exceeds_the_win_and_needs_a_form(win: Win) -> None:
    answer = tax.judge(win)
    assert 0 <= answer.federal_cents <= max(0, win.received_cents)
    if answer.federal_cents:
        assert answer.form is not None
    if answer.signature:
        assert answer.withholding is tax.Withholding.REGULAR
    assert (answer.nonresident is None) == (win.is_resident or win.net_cents <= 0)


@given(wins, st.integers(0, 1_000_000))
def test_a_larger_win_never_loses_its_form(win: Win, more_cents: int) -> None:
    larger = replace(win, received_cents=win.received_cents + more_cents)
    if tax.judge(win).form is not None:
        assert tax.judge(larger).form is not None
