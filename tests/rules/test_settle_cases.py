"""A book of settled and refused cases, by function and by command line; and what no case may do."""

from __future__ import annotations

import io
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.__main__ import LINE_BYTES_MAX, main
from pitboss.rules.book.document import rules_page
from pitboss.rules.book.options import OPTIONS, HouseOptions
from pitboss.rules.book.readings import READINGS
from pitboss.rules.book.rulebook import RULES
from pitboss.rules.paytables.paytables import ROWS
from pitboss.rules.refusal import Refused
from pitboss.rules.stadium.selected import OPEN_READINGS
from pitboss.rules.wagers.settle import SETTLERS, settle, settle_case
from tests.rules.cases import case
from tests.rules.printed_cells import CELLS

ROOT = Path(__file__).parents[2]
DATA = Path(__file__).parent / "data"


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


# The second of each was worked out from the documents alone, without a look at the code.
SETTLED = read("settle.jsonl") + read("worked_by_hand.jsonl")
INVALID = read("invalid.jsonl") + read("refused_by_hand.jsonl")
EXPECTED = ("category", "payout_cents", "stake_returned", "net_cents")


def run(subject: str, lines: bytes) -> list[dict[str, Any]]:
    """Run the command line on some lines, and return its answers."""
    done = subprocess.run(
        [sys.executable, "-m", "pitboss.rules", subject],
        input=lines, capture_output=True, check=True, cwd=ROOT,
    )  # fmt: skip
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


def expected_of(line: dict[str, Any]) -> dict[str, Any]:
    return {name: line[name] for name in EXPECTED if name in line}


@pytest.mark.parametrize("line", SETTLED, ids=lambda line: str(line["id"]))
def test_a_settled_case_is_settled_as_written(line: dict[str, Any]) -> None:
    answer = settle_case(line)
    assert {name: answer.get(name) for name in expected_of(line)} == expected_of(line), answer
    assert answer["rule"] in RULES
    assert answer["working"].endswith(".")
    assert set(answer.get("readings", ())) <= {*READINGS, *(s.reading for s in OPEN_READINGS)}


@pytest.mark.parametrize("line", INVALID, ids=lambda line: str(line["reject"]))
def test_an_invalid_case_is_refused(line: dict[str, Any]) -> None:
    answer = settle_case(line)
    assert set(answer) == {"error"}
    assert answer["error"]["code"]
    assert answer["error"]["message"]


def test_the_command_line_answers_the_whole_book_line_by_line() -> None:
    book = SETTLED + INVALID
    answers = run("settle", b"".join(json.dumps(line).encode() + b"\n" for line in book))
    assert answers == [settle_case(line) for line in book]


# Every rule id is in the book, and every one of the book decides something


def test_every_rule_of_the_book_is_quoted_by_some_case() -> None:
    quoted = {settle_case(line)["rule"] for line in SETTLED}
    quoted |= {settle_case(cell.case)["rule"] for cell in CELLS}
    stadium = {json.dumps(line) for line in read("stadium_rounds.jsonl")}
    quoted |= {settle_case(json.loads(line)).get("rule", "") for line in stadium}
    more = [
        case("blackjack", "3:2", "5h 6d Td", "As Kc", double_cents=1000),
        case("blackjack", "3:2", "Ah Kd", "Ts Ac", blackjack_already_paid=True),
        case(
            "blackjack", "3:2", "Ah Kd", "Ts Ac", blackjack_already_paid=True,
            options={"paid_natural_v_late_blackjack": "stays_paid"},
        ),
        case("trilux", "DD-5:2", "8c 9d", "8h", options={"double_deck_pair": "pair_pays_5:2"}),
        case("bet_bigger", "3:2", "5h 6d Td", "As Kc", double_cents_by_bet={"ante": 500}),
        case("bet_bigger", "3:2", "Th 8d", "Ts 6c 9d"),
        case("bet_bigger", "3:2", "Th 6d", "As Kc", surrender=True),
    ]  # fmt: skip
    for wager in ("blackjack", "bet_bigger"):
        hands = [{"cards": ["8h", "Th"]}, {"cards": ["8d", "Tc"]}]
        more.append(case(wager, "3:2", "8h 8d", "Ts 8c", split_hands=hands))
        more.append(case(wager, "3:2", "8h 8d", "As Kc", split_hands=hands))
    bonus = {
        "two_card_bonus": [
            "Ah Kh", "Ah Kd", "8h 8h", "8h 8d", "8h 8c", "Kd Qd", "Kd Td", "Kd Ts", "5c 6c",
            "9c 3c", "9c 3s", "9c 3h",
        ],
        "four_card_bonus": [
            "8h 8h 8h 8h", "8h 8d 8c 8s", "5h 7h 6h 8h", "8h 8d 8c 2s", "8h 2d 8c 2s",
            "Ah 2d 3c 4s", "2h 9h Kh 5h", "8h 3d 8c 2s", "9h 3d Kh 5d", "9h 3d Kc 5d",
        ],
    }  # fmt: skip
    for wager, hands_of in bonus.items():
        table = {row: f"{100 - at}:1" for at, row in enumerate(ROWS[wager])}
        more += [case(wager, table, hand[:5], hand[6:]) for hand in hands_of]
    quoted |= {settle_case(line)["rule"] for line in more}
    assert quoted - {""} == set(RULES)


def test_every_reading_a_rule_names_is_explained() -> None:
    assert {reading for rule in RULES.values() for reading in rule.readings} <= set(READINGS)
    assert {reading for option in OPTIONS for reading in option.readings} <= set(READINGS)


def test_every_option_is_a_field_with_its_first_choice_as_default() -> None:
    defaults = HouseOptions()
    assert [option.name for option in OPTIONS] == list(HouseOptions.__slots__)
    assert all(getattr(defaults, option.name) == option.default for option in OPTIONS)


def test_all_wrong_options_are_told_at_once() -> None:
    with pytest.raises(Refused) as caught:
        HouseOptions(pair_by="colour", ace_nine="perhaps")
    assert caught.value.codes == ("bad_option", "bad_option")


def test_the_rules_page_is_current() -> None:
    written = (ROOT / "docs" / "rules.md").read_text()
    assert written == rules_page(), "run: python -m pitboss.rules document > docs/rules.md"


def test_the_rules_page_lists_every_rule_and_the_order_of_paying() -> None:
    page = rules_page()
    assert all(f"`{name}`" in page for name in RULES)
    assert page.index("Blazing 7's award is paid before TriLux") < page.index("## Rules by wager")


# No case raises


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("unknown_wager", {"wager": "keno"}),
        ("unknown_wager", {"wager": None}),
        ("unknown_wager", {"wager": ["trilux"]}),
        ("unknown_paytable", {"paytable": "TRI-99"}),
        ("bad_paytable", {"paytable": 1}),
        ("bad_stake", {"stake_cents": 0}),
        ("bad_stake", {"stake_cents": -500}),
        ("bad_stake", {"stake_cents": True}),
        ("bad_stake", {"stake_cents": 500.0}),
        ("bad_stake", {"stake_cents": float("nan")}),
        ("bad_stake", {"stake_cents": "500"}),
        ("bad_stake", {"stake_cents": 10**30}),
        ("bad_stake", {"stake_cents": None}),
        ("bad_cards", {"player_cards": "7h7d"}),
        ("bad_cards", {"player_cards": {"7h": 1, "7d": 1}}),
        ("bad_card", {"player_cards": [["7h"], "7d"]}),
        ("bad_card", {"player_cards": [7, "7d"]}),
        ("bad_card", {"dealer_up": ""}),
        ("bad_extra", {"extra": [1]}),
        ("unknown_field", {"extra": {"": 1}}),
        ("unknown_field", {"stake": 500}),
    ],
)
def test_a_wrong_field_is_named_by_a_stable_code(code: str, change: dict[str, Any]) -> None:
    right = case("trilux", "TRI-01", "7h 7d", "7c")
    assert settle_case(right)["category"] == "three_of_a_kind"
    assert settle_case(right | change)["error"]["code"] == code


@pytest.mark.parametrize(
    "missing", ["wager", "paytable", "stake_cents", "player_cards", "dealer_up"]
)
def test_a_missing_field_is_refused(missing: str) -> None:
    right = case("trilux", "TRI-01", "7h 7d", "7c")
    del right[missing]
    assert "error" in settle_case(right)


def test_null_says_that_a_field_is_left_out() -> None:
    right = case("trilux", "TRI-01", "7h 7d", "7c")
    assert settle_case(right | {"extra": None, "dealer_cards": None})["payout_cents"] == 9000
    assert "error" in settle_case(right | {"dealer_up": None})


def test_extra_may_be_absent() -> None:
    right = case("trilux", "TRI-01", "7h 7d", "7c")
    del right["extra"]
    assert settle_case(right)["payout_cents"] == 9000


@pytest.mark.parametrize("nonsense", [None, 1, "trilux", [], [{}], True])
def test_what_is_no_object_is_refused(nonsense: object) -> None:
    assert settle_case(nonsense)["error"]["code"] == "bad_case"


def test_settle_raises_what_settle_case_writes() -> None:
    with pytest.raises(Refused) as caught:
        settle({"wager": "keno"})
    assert caught.value.codes == ("unknown_wager",)


def test_a_deeply_nested_value_is_refused_without_exhausting_the_stack() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for field in ("wager", "paytable", "stake_cents", "player_cards", "dealer_up"):
        assert "error" in settle_case(case("trilux", "TRI-01", "7h 7d", "7c") | {field: deep})
    for extra in ({"options": deep}, {"table_max_cents": deep}, {"dealer_bet": deep}):
        assert "error" in settle_case(case("trilux", "TRI-01", "7h 7d", "7c", **extra))
    # Take it apart again: freeing it at once would itself recurse.
    while deep:
        deep = deep.pop()


NASTY: list[Any] = [
    None, True, False, 0, 1, -1, 500, 501, 10**30, -(10**30), 0.5, float("nan"), float("inf"),
    "", "Ah", "Td", "7c", "9x", "A", "3:2", "TRI-01", "hit", "late", "2x", "\ud800", "x" * 500,
    [], {}, [[]], ["Ah"], ["Ah", "Kd"], ["7h"] * 9, ["7h"] * 30, [None], ["2x", "4x"], [500],
    {"cards": ["8h"]}, [{"cards": ["8h", "Th"]}, {"cards": ["8d", "Tc"]}], {"MEGA": 1},
    {"ante": 500}, {"pair_by": "value"}, {"pair": "30:1"}, {"awards": "cumulative"}, {"": ""},
]  # fmt: skip
FIELDS = sorted(
    {name for line in SETTLED + INVALID for name in line}
    | {name for line in SETTLED + INVALID for name in line["extra"]}
    | {"options", "dealer_bet", "blackjack_already_paid", "taken_before_cents", "winner_number"}
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=5,
)


def is_answer(answer: dict[str, Any]) -> bool:
    json.dumps(answer)
    if "error" in answer:
        return set(answer) == {"error"} and bool(answer["error"]["code"])
    return {"category", "payout_cents", "stake_returned", "rule", "working"} <= set(answer)


@given(JSON)
def test_any_json_in_an_answer_out(value: object) -> None:
    assert is_answer(settle_case(value))


@given(
    st.sampled_from(sorted(SETTLERS)),
    st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=5),
)
def test_any_fields_for_any_wager_are_answered(wager: str, fields: dict[str, Any]) -> None:
    assert is_answer(settle_case(fields | {"wager": wager}))


def test_ten_thousand_spoilt_cases_are_answered_and_none_raises() -> None:
    random = Random(7)
    settled = 0
    for _ in range(10_000):
        line = random.choice(SETTLED)
        spoilt = dict(line, extra=dict(line["extra"]))
        for _ in range(random.randint(1, 3)):
            inside = random.random() < 0.6 and isinstance(spoilt["extra"], dict)
            (spoilt["extra"] if inside else spoilt)[random.choice(FIELDS)] = random.choice(NASTY)
        answer = settle_case(spoilt)
        assert is_answer(answer), spoilt
        settled += "error" not in answer
    assert settled > 100


# The command line


class Terminal:
    """Standard input and output that a test may fill and read."""

    def __init__(self, given: bytes = b"") -> None:
        self.source = io.TextIOWrapper(io.BytesIO(given), encoding="utf-8")
        self.sink = io.BytesIO()

    def run(self, monkeypatch: pytest.MonkeyPatch, subject: str) -> tuple[int, list[bytes]]:
        monkeypatch.setattr(sys, "stdin", self.source)
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(self.sink, encoding="utf-8"))
        status = main([subject])
        return status, self.sink.getvalue().splitlines()


@pytest.mark.parametrize("subject", ["settle", "odds", "cut", "rate", "tax"])
def test_every_subject_answers_each_line(monkeypatch: pytest.MonkeyPatch, subject: str) -> None:
    lines = [
        b"{}", b"", b"[]", b"{", b"\xff", b'{"a":1,"a":2}', b'{"a":NaN}', b"[" * 99_999,
        b"x" * (LINE_BYTES_MAX + 1), b"x" * (2 * LINE_BYTES_MAX), b'{"wager":"keno"}',
    ]  # fmt: skip
    status, answers = Terminal(b"\n".join(lines)).run(monkeypatch, subject)
    assert status == 0
    assert len(answers) == len(lines)
    assert all(json.loads(answer)["error"]["code"] for answer in answers)


@pytest.mark.parametrize(
    ("subject", "page"), [("document", "rules.md"), ("settings", "settings.md")]
)
def test_a_page_is_written_to_standard_output(
    monkeypatch: pytest.MonkeyPatch, subject: str, page: str
) -> None:
    status, lines = Terminal().run(monkeypatch, subject)
    assert status == 0
    assert lines == (ROOT / "docs" / page).read_bytes().splitlines()


def test_the_module_runs_as_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "argv", ["pitboss.rules", "document"])
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(terminal.sink, encoding="utf-8"))
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(ROOT / "pitboss" / "rules" / "__main__.py"), run_name="__main__")
    assert ended.value.code == 0
    assert terminal.sink.getvalue().decode() == rules_page()


def test_a_closed_pipe_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    monkeypatch.setattr(sys, "stdin", Terminal(b"{}\n").source)
    with os.fdopen(writing, "w") as sink:
        monkeypatch.setattr(sys, "stdout", sink)
        assert main(["settle"]) == 1


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("not_json", b"not json"),
        ("not_json", b""),
        ("not_json", b'{"wager": "trilux"'),
        ("not_json", b'{"wager": "trilux"} {}'),
        ("not_json", b'{"stake_cents": NaN}'),
        ("not_json", b'{"stake_cents": ' + b"9" * 5000 + b"}"),
        ("not_an_object", b"[]"),
        ("not_an_object", b"null"),
        ("not_utf8", b'{"wager": "\xff"}'),
        ("nested_too_deep", b"[" * 100_000),
        ("nested_too_deep", b'{"wager":' * 50_000),
        ("repeated_field", b'{"stake_cents": 500, "stake_cents": 5000}'),
        ("line_too_long", b'{"wager": "' + b"x" * (3 << 20) + b'"}'),
        ("unknown_wager", b'{"wager": "\\ud800"}'),
    ],
)
def test_a_wrong_line_is_answered_and_the_next_is_read(code: str, line: bytes) -> None:
    right = case("trilux", "TRI-01", "7h 7d", "7c")
    answers = run("settle", line + b"\n" + json.dumps(right).encode())
    assert [answers[0]["error"]["code"], answers[1]["category"]] == [code, "three_of_a_kind"]


def test_a_byte_order_mark_and_windows_line_ends_are_read() -> None:
    line = json.dumps(case("trilux", "TRI-01", "7h 7d", "7c")).encode()
    answers = run("settle", b"\xef\xbb\xbf" + line + b"\r\n" + line + b"\r\n")
    assert [answer["payout_cents"] for answer in answers] == [9000, 9000]


def test_a_last_line_too_long_is_answered_too() -> None:
    assert run("settle", b"x" * (2 << 20))[0]["error"]["code"] == "line_too_long"


def test_the_other_subjects_answer_lines_as_well() -> None:
    odds = run("odds", b'{"wager":"trilux","paytable":"TRI-01","decks":6}\n[]\n')
    assert odds[0]["edge"] == "4059/125333"
    assert odds[1]["error"]["code"] == "not_an_object"
    cut = run(
        "cut",
        b'{"amount_cents":17500,"tray":{"10000":20,"2500":60,"500":80},"bet":{"2500":7},'
        b'"table_minimum_cents":2500}\n{}\n',
    )
    assert cut[0]["cheques"] == {"2500": 7}
    assert cut[1]["error"]["code"]
    tax = run(
        "tax",
        b'{"paid_on":"2026-05-01","wager_cents":500,"received_cents":681240,"resident":true,'
        b'"tin":true,"state":null,"basis":"net"}\n{}\n',
    )
    assert tax[0]["federal_cents"] == 163378
    assert tax[1]["error"]["code"]


def test_the_document_subject_writes_the_page() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pitboss.rules", "document"],
        capture_output=True, check=True, cwd=ROOT,
    )  # fmt: skip
    assert done.stdout.decode() == rules_page()


def test_an_unknown_subject_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pitboss.rules", "bake"], capture_output=True, cwd=ROOT
    )
    assert done.returncode == 2


def test_a_reader_who_leaves_early_is_no_error() -> None:
    line = json.dumps(case("trilux", "TRI-01", "7h 7d", "7c")).encode() + b"\n"
    with subprocess.Popen(
        [sys.executable, "-m", "pitboss.rules", "settle"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
    ) as process:  # fmt: skip
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(line)
        process.stdin.flush()
        # The answer comes before the next line is asked for.
        assert json.loads(process.stdout.readline())["payout_cents"] == 9000
        process.stdout.close()
        process.stdin.write(line)
        process.stdin.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_the_command_line_loads_no_django() -> None:
    script = (
        "import sys, pitboss.rules.__main__, pitboss.rules.odds.odds, "
        "pitboss.rules.cheques.cut, pitboss.rules.tax.tax; "
        "sys.exit(any(name.split('.')[0] == 'django' for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT).returncode == 0
