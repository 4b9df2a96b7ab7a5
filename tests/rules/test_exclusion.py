"""Who is on a list and who is not, how a list is read, and when two people sign its import."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from pitboss.rules.patrons.exclusion import (
    Ending,
    ListKind,
    Match,
    Moment,
    Name,
    Someone,
    applies,
    business_days_after,
    ending_refusals,
    is_near,
    keys_of,
    match_of,
    sought_keys,
    stop_refusal,
)
from pitboss.rules.patrons.exclusion_lists import (
    COLUMNS,
    ROWS_MAX,
    Diff,
    Listed,
    diff_of,
    read_list,
)
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Role

BORN = date(1980, 2, 3)
HEAD = ",".join(COLUMNS)


def someone(first: str, last: str, born_on: date | None = BORN, **more: str) -> Someone:
    return Someone((Name.of(first, last),), born_on, **more)


ANA = someone("Ana", "Ruiz")


@pytest.mark.parametrize(
    ("patron", "listed", "match"),
    [
        (ANA, ANA, Match.HIT),
        (someone("Ana Maria", "Ruíz"), ANA, Match.HIT),
        (someone("Eve", "Diaz", tax_id_index="x"), replace(ANA, tax_id_index="x"), Match.HIT),
        (someone("Ana", "Ruis"), ANA, Match.POSSIBLE),
        (someone("Ana", "Ruiz", date(1980, 12, 31)), ANA, Match.POSSIBLE),
        (someone("Ana", "Ruiz", date(1981, 2, 3)), ANA, None),
        (
            someone("Ana", "Ruiz", date(1981, 2, 3), tax_id_ends="6789"),
            replace(ANA, tax_id_ends="6789"),
            Match.POSSIBLE,
        ),
        (someone("Ana", "Ruiz", None), ANA, Match.POSSIBLE),
        (ANA, someone("Ana", "Ruiz", None), Match.POSSIBLE),
        (someone("Eve", "Ruiz"), ANA, None),
        (someone("Ana", "Diaz"), ANA, None),
        (someone("A", "Ruiz"), ANA, Match.POSSIBLE),
        (someone("Ruiz", "Ana"), ANA, Match.POSSIBLE),
        (someone("Bob", "Smith"), someone("Robert", "Smyth"), Match.POSSIBLE),
        (someone("Ana", "Ruiz-Lopez"), ANA, Match.POSSIBLE),
        (ANA, Someone((Name.whole("Zed Zorn"), Name.whole("Ruiz, Ana")), BORN), Match.HIT),
        (ANA, Someone((Name.whole("Ruiz"),)), Match.POSSIBLE),
        (someone("Al", "Lee"), someone("Al", "Lea"), None),
    ],
)
def test_who_is_a_hit_who_is_possible_and_who_is_neither(
    patron: Someone, listed: Someone, match: Match | None
) -> None:
    assert match_of(patron, listed) is match
    if match is not None and not patron.tax_id_index:
        assert sought_keys(patron.names[0]) & keys_of(listed.names), "the index would miss it"


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("SMITH", "SMITH", True),
        ("SMITH", "SMYTH", True),
        ("SMITH", "SMIHT", True),
        ("SMITH", "SMIT", True),
        ("SMITH", "SMYHT", False),
        ("SMITH", "HTIMS", False),
        ("SMITH", "SMITHSON", False),
        ("SMITH", "TMIHS", False),
        ("LEE", "LEES", False),
    ],
)
def test_words_are_near_by_one_letter(one: str, other: str, near: bool) -> None:
    assert is_near(one, other) is near
    assert is_near(other, one) is near


def test_every_list_and_moment_has_a_name_and_credit_is_stopped_by_its_own_list_alone() -> None:
    assert all(kind.label for kind in ListKind)
    assert all(moment.label for moment in Moment)
    assert all(ending.label for ending in Ending)
    assert {moment for moment in Moment if not moment.stops} == {Moment.PATRON_FILE, Moment.DEBT}
    stopped = [moment for moment in Moment if applies(ListKind.CREDIT_SUSPENSION, moment)]
    assert stopped == [Moment.MARKER]


def test_a_dealer_is_told_less_than_a_supervisor_and_no_one_the_list() -> None:
    assert stop_refusal(Moment.CASH, Role.SUPERVISOR).message.startswith("Stop. Do not go on")
    assert stop_refusal(Moment.PAYMENT).message == "Stop. Do not pay. Security is coming."
    assert stop_refusal(Moment.PAYMENT, Role.DEALER).message == "Call the supervisor."


def test_business_days_leave_weekends_out() -> None:
    friday = date(2026, 5, 1)
    assert business_days_after(friday, 0) == friday
    assert business_days_after(friday, 1) == date(2026, 5, 4)


@pytest.mark.parametrize(
    ("kind", "ending", "to", "codes"),
    [
        (ListKind.SELF_EXCLUSION, Ending.FORFEITED, "State fund", []),
        (ListKind.HOUSE_BAN, Ending.RETURNED, "", []),
        (ListKind.OFAC, Ending.BLOCKED, "", []),
        (ListKind.OFAC, Ending.RETURNED, "", ["ofac_blocked"]),
        (ListKind.OFAC, Ending.FORFEITED, "State", ["ofac_blocked"]),
        (ListKind.TRESPASS, Ending.BLOCKED, "", ["not_ofac"]),
        (ListKind.MINOR, Ending.FORFEITED, "", ["forfeited_to"]),
        (ListKind.MINOR, Ending.RETURNED, "State", ["forfeited_to"]),
    ],
)
def test_withheld_winnings_end_as_their_list_lets_them(
    kind: ListKind, ending: Ending, to: str, codes: list[str]
) -> None:
    assert [refusal.code for refusal in ending_refusals(kind, ending, to)] == codes


def read(*lines: str, head: str = HEAD) -> list[Listed]:
    return read_list("\n".join((head, *lines)).encode())


def test_a_list_is_read_with_all_that_it_says() -> None:
    (listed,) = read(
        'SX-1,Ruiz,Ana,"Anita; Lopez, Ana",1980-02-03,123-45-6789,1 Ocean Ave,Scar,'
        "2026-01-01,2031-01-01"
    )
    assert listed == Listed(
        "SX-1",
        "Ruiz",
        "Ana",
        ("Anita", "Lopez, Ana"),
        BORN,
        "123456789",
        "1 Ocean Ave",
        "Scar",
        date(2026, 1, 1),
        date(2031, 1, 1),
    )
    assert len(listed.names) == 3
    assert listed.digest != replace(listed, description="").digest
    assert read("1,Ruiz", head="id,last_name")[0].ssn == ""
    assert read("1,Ruiz,6789", head="id,last_name,ssn")[0].ssn == "6789"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"\xff\xfe", "file_malformed"),
        (b"", "columns_unknown"),
        (b"id,name\n1,Ruiz", "columns_unknown"),
        (f"{HEAD}\n".encode(), "file_empty"),
        (f"{HEAD}\n1,Ruiz,,,,,,,,,,more".encode(), "line_malformed"),
        (f"{HEAD}\n,Ruiz".encode(), "line_malformed"),
        (f"{HEAD}\n1,--".encode(), "line_malformed"),
        (f"{HEAD}\n1,{'R' * 121}".encode(), "line_malformed"),
        (f"{HEAD}\n1,Ruiz,,,,123".encode(), "line_malformed"),
        (f"{HEAD}\n1,Ruiz,,,3 Feb 1980".encode(), "line_malformed"),
        (f"{HEAD}\n1,Ruiz\n1,Diaz".encode(), "id_twice"),
        (f"{HEAD}\n1,{'R' * 140_000}".encode(), "file_malformed"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_whole(content: bytes, code: str) -> None:
    with pytest.raises(Refused) as refused:
        read_list(content)
    assert refused.value.codes == (code,)


def test_a_list_has_so_many_rows_at_most() -> None:
    with pytest.raises(Refused) as refused:
        read(*(f"{number},Ruiz" for number in range(ROWS_MAX + 1)))
    assert refused.value.codes == ("file_too_long",)


def test_a_second_person_signs_when_more_than_one_in_twenty_vanish() -> None:
    standing = {str(number): "x" for number in range(100)}
    five_gone = dict.fromkeys(list(standing)[5:], "x")
    six_gone = dict.fromkeys(list(standing)[6:], "x")
    assert not diff_of(standing, five_gone).needs_second
    assert diff_of(standing, six_gone).needs_second
    assert diff_of({}, standing) == Diff(tuple(standing), (), (), 0)
    assert not diff_of({}, standing).needs_second
