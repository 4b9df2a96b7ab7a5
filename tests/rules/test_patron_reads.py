"""The words that a patron signs."""

from __future__ import annotations

from datetime import date

from pitboss.rules.patrons.patron_reads import (
    deposit_words,
    paying_words,
    promise_to_pay,
    reads,
    withdrawal_words,
)


def test_without_a_bank_account_a_marker_says_nothing_of_a_deposit() -> None:
    fields = {
        "payee": "Tide",
        "amount_cents": 300_050,
        "table": "BJ-11",
        "due_on": date(2026, 5, 15),
    }
    (only,) = promise_to_pay(**fields, bank="")  # type: ignore[arg-type]
    assert "the sum of $3,000.50 on demand" in only
    first, second = promise_to_pay(**fields, bank="First Bank, ending 6789")  # type: ignore[arg-type]
    assert first == only
    assert "no later than May 15, 2026" in second


def test_each_thing_that_pays_or_is_kept_has_its_words() -> None:
    one = paying_words(payee="Tide", amount_cents=100, win="J-1", serials=["M-1"])
    two = paying_words(payee="Tide", amount_cents=100, serials=["M-2", "M-1"])
    assert one[0].endswith("from my win J-1 on my marker M-1.")
    assert two[0].endswith("on my markers M-2, M-1.")
    assert "as front money" in deposit_words(payee="T", amount_cents=1, account="front money")[0]
    assert "my safekeeping" in withdrawal_words(payee="T", amount_cents=1, account="safekeeping")[0]
    assert reads(1, ["a"], "b") == {"amount_cents": 1, "caption": "b", "says": ["a"]}


def test_a_slip_keeps_what_a_sentence_is_made_of_and_the_patrons_language() -> None:
    words = withdrawal_words(payee="T", amount_cents=100, account="safekeeping")
    kept = reads(100, words, "Withdrawal", "es")
    assert kept["says"] == ["I withdraw $1 in cash from my safekeeping with T."]
    assert kept["language"] == "es"
    ((made_of, names),) = kept["made_of"]
    assert made_of.format(amount_cents="$1", account="safekeeping", payee="T") == kept["says"][0]
    assert names == {"amount_cents": 100, "account": "safekeeping", "payee": "T"}
