"""Each kind of slip on its own form: a tray, a credit, a box, a late paper, the close of a day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from io import BytesIO

import pytest
from pypdf import PdfReader

from pitboss.models import Device, JournalEntry, Person, Slip
from pitboss.paper.content import Issue
from pitboss.paper.sheet import PAGE_HEIGHT
from pitboss.paper.slip import draw_slip
from pitboss.paper.tray import TUBES_MAX, laid_out
from pitboss.rules.cheques.cheques import DENOMINATIONS, STACK_CHEQUES
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import Track
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.selectors.slip_papers import slip_paper
from pitboss.services import house
from pitboss.services.prints import print_slip
from pitboss.services.signing import Entry
from pitboss.slips.kind import form_of
from tests.floor.cage import (
    acknowledge,
    ask_credit,
    begin_cage_count,
    begin_destruction,
    bring_back,
    carry_off,
    match,
    open_with,
    receive,
    refuse_at_the_cage,
)
from tests.floor.cast import Cast, ServerClock
from tests.floor.days import close_the_day, hand_over
from tests.floor.drop_box import begin_count, begin_pull, count_tray, pull, verify
from tests.floor.house import keep_shut
from tests.floor.late_papers import approve, key

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 40, 500: 100}
SHORT = {10_000: 20, 2_500: 40, 500: 94}
FIGURES = {
    "cash_10000": 1_240_000,
    "cash_2000": 34_000,
    "coupons": 12_500,
    "foreign_cheques": 2_500,
}


def pages_of(slip: Slip, *, copy: int | None = 1) -> list[str]:
    """Return the words of each page of all the parts that a slip can have now."""
    slip = Slip.objects.get(pk=slip.pk)
    pdf = draw_slip(slip_paper(slip, Issue("B. Fontaine CG-50316", house.now(), copy)))
    return [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(pdf)).pages]


def words_of(slip: Slip) -> str:
    return " ".join(pages_of(slip))


def verified(cast: Cast, kind: str, counted: Mapping[int, int]) -> Slip:
    slip = cast.count(kind, counted)
    cast.sign(slip, "verified", cast.alice, entry=Entry(counted=counted))
    return slip


# The tray


def test_an_opener_shows_its_sequence_each_denomination_and_that_it_agrees(cast: Cast) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    closer = cast.close_table(TRAY)
    words = words_of(cast.open_table(TRAY))

    for must in (
        "OPENER · YELLOW",
        "Table inventory slip",
        "Opening of the day No. 2",
        "$100 black 1 0 20 2,000.00",
        "$25 green 2 0 40 1,000.00",
        "$5 red 5 0 100 500.00",
        # A colour of which there is none was counted too.
        "$1 white 0 0 0 0.00",
        "Total 160 3,500.00",
        "Compared every denomination is what the tray should hold.",
        f"Made from {closer.serial}",
        "Counted dealer",
        "D. Danson TG-104",
        "A. Aliceson TG-101",
    ):
        assert must in words, must
    assert "Expected" not in words


def test_a_blind_count_tells_nothing_of_the_book_before_both_have_signed(cast: Cast) -> None:
    cast.deliver(cast.ask(TRAY))
    agrees = cast.count("opener", TRAY)
    alike = words_of(agrees)
    cast.sign(agrees, "voided", cast.bob, entry=Entry(reason="Again."), track=Track.VOID)
    cast.sign(agrees, "void_witnessed", cast.carol, track=Track.VOID)
    differs = words_of(cast.count("opener", SHORT))

    for words in (alike, differs, words_of(agrees)):
        for secret in ("Expected", "Diff", "Variance", "Compared", "Accepted", "reported"):
            assert secret not in words, secret


def test_an_opener_that_differs_shows_expected_counted_and_difference(cast: Cast) -> None:
    keep_shut(cast)
    cast.deliver(cast.ask(TRAY))
    opener = verified(cast, "opener", SHORT)

    def has_the_variance() -> bool:
        words = words_of(opener)
        return all(
            must in words
            for must in (
                "$5 red 100 94 −6 −30.00 470.00",
                "$25 green 40 40 0 0.00 1,000.00",
                "Total 160 154 −6 −30.00 3,470.00",
                "Variance Expected $3,500. Counted $3,470. Difference: $30 short.",
            )
        )

    assert has_the_variance()
    cast.sign(opener, "accepted", cast.heidi, entry=Entry(reason="Recounted twice."))
    cast.sign(opener, "security_reported", cast.frank, entry=Entry(reason="The lock was whole."))
    cast.sign(opener, "surveillance_reported", cast.ivan, entry=Entry(reason="Nobody near it."))
    # The tray's book has changed with the opening; the paper says what its signers saw.
    assert has_the_variance()
    words = words_of(opener)
    assert "Shift manager Recounted twice." in words
    assert "Security reports The lock was whole." in words
    assert "Surveillance reports Nobody near it." in words


def test_a_voided_opener_keeps_the_variance_that_two_had_found(cast: Cast) -> None:
    cast.deliver(cast.ask(TRAY))
    opener = verified(cast, "opener", SHORT)
    cast.sign(opener, "voided", cast.bob, entry=Entry(reason="Miscalled."), track=Track.VOID)
    cast.sign(opener, "void_witnessed", cast.carol, track=Track.VOID)

    words = words_of(opener)

    assert "Difference: $30 short." in words
    assert words.count("VOID") == 2
    assert "Miscalled. Signed by B. Bobson TG-102 and C. Carolson TG-103." in words


def test_equal_value_in_other_colours_is_a_variance_on_paper_too(cast: Cast) -> None:
    cast.deliver(cast.ask({10_000: 20, 2_500: 80}))
    words = words_of(verified(cast, "opener", {10_000: 25, 2_500: 60}))

    assert "$100 black 20 25 +5 +500.00 2,500.00" in words
    assert "Difference: none in value, in colors." in words


def test_a_closer_has_three_parts_and_the_next_opener_is_read_through_the_lid(cast: Cast) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    closer = cast.close_table(TRAY)
    slip = slip_paper(closer, Issue("B. Fontaine CG-50316", house.now(), 1))

    first, second = pages_of(closer)

    assert [part.name for part in slip.parts] == ["Closer", "Next opener", "Bottom copy"]
    assert "CLOSER · WHITE" in first
    assert "BOTTOM COPY · PINK" in second
    assert "NEXT OPENER · YELLOW" in first
    assert "readable under the locked lid." in first
    for signer in ("D. Danson TG-104", "A. Aliceson TG-101", "C. Carolson TG-103"):
        assert signer in first
        assert signer in second
    sizes: dict[str, float] = {}

    def note_size(text: str, _cm: object, _tm: object, _font: object, size: float) -> None:
        sizes[text.strip()] = max(size, sizes.get(text.strip(), 0))

    pdf = PdfReader(BytesIO(draw_slip(slip)))
    pdf.pages[0].extract_text(visitor_text=note_size)
    assert sizes["BJ-11"] >= 40
    assert sizes["$3,500"] >= 40
    assert all(sizes[count] >= 15 for count in ("100", "40", "20"))


def test_a_shift_count_names_what_was_outside_it_and_who_took_the_tray_on(cast: Cast) -> None:
    open_with(cast, TRAY)
    fill = cast.ask({2_500: 20})
    count = verified(cast, "shift_count", TRAY)
    cast.sign(count, "taken_on", cast.bob, entry=Entry(counted=TRAY))

    words = words_of(count)

    assert words.count(f"Outside the count {fill.serial}") == 2
    assert words.count("Accepted supervisor") == 2
    assert words.count("SHIFT-CHANGE COUNT") == 2


def test_a_mid_shift_count_goes_into_either_box(cast: Cast) -> None:
    open_with(cast, TRAY)
    words = words_of(count_tray(cast, TRAY))

    assert "Original: Into the drop box that leaves, just before it is pulled." in words
    assert "Duplicate: Into the drop box that stays, just after." in words


def test_a_recount_makes_a_new_opener_for_the_tray(cast: Cast) -> None:
    open_with(cast, TRAY)
    closer = cast.close_table(TRAY)
    words = words_of(verified(cast, "recount", TRAY))

    assert f"Counts again {closer.serial}" in words
    assert "NEXT OPENER · YELLOW" in words


def test_every_cheque_lies_in_one_tube_and_the_highest_colour_in_the_middle() -> None:
    held = {100_000: 14, 10_000: 87, 2_500: 163, 500: 178, 250: 0, 100: 58}
    tubes = laid_out(held)

    for cents, count in held.items():
        assert sum(tube.held for tube in tubes if tube.cents == cents) == count
    assert all(tube.held <= 3 * STACK_CHEQUES for tube in tubes)
    assert tubes[len(tubes) // 2].cents == 100_000


def test_a_tray_beyond_any_page_has_one_tube_a_colour_that_says_so() -> None:
    held = {denomination.cents: 999_999 for denomination in DENOMINATIONS}
    tubes = laid_out(held)

    assert len(tubes) == len(DENOMINATIONS) <= TUBES_MAX
    assert {tube.stands_for for tube in tubes} == {16_667}


def test_the_fullest_tray_stays_in_its_part_and_keeps_every_word(cast: Cast) -> None:
    full = {denomination.cents: 1_234 for denomination in DENOMINATIONS}
    cast.deliver(cast.ask(full))
    cast.open_table(full)
    closer = cast.count("closer", full)
    reason = " ".join(f"word{number}" for number in range(72))
    cast.sign(closer, "verified", cast.alice, entry=Entry(counted=full))
    cast.sign(closer, "released", cast.heidi, entry=Entry(reason=reason), track=Track.RELIEF)
    counted_again = Entry(counted=full)
    cast.sign(closer, "counted_again", cast.dora, entry=counted_again, track=Track.RELIEF)
    cast.sign(closer, "voided", cast.bob, entry=Entry(reason=reason), track=Track.VOID)
    cast.sign(closer, "void_witnessed", cast.carol, track=Track.VOID)
    closer.refresh_from_db()
    pdf = draw_slip(slip_paper(closer, Issue("B. Fontaine CG-50316", house.now(), 3)))

    for page in PdfReader(BytesIO(pdf)).pages:
        baselines: list[tuple[float, str]] = []

        def note_where(
            text: str,
            cm: list[float],
            tm: list[float],
            *_: object,
            to: list[tuple[float, str]] = baselines,
        ) -> None:
            # A mark is turned, and lies across everything; the words on the cut are between parts.
            if text.strip() not in ("", "cut here") and cm[1] == 0:
                to.append((tm[5], text))

        page.extract_text(visitor_text=note_where)
        lowest = min(y for y, text in baselines if "Signed electronically" in text)
        assert min(y for y, _ in baselines) == lowest
        assert max(y for y, _ in baselines) < PAGE_HEIGHT
    words = words_of(closer)
    assert all(words.split().count(word) >= 4 for word in reason.split())


# Credits


def test_a_request_for_credit_has_three_parts_until_the_cashier_has_signed(cast: Cast) -> None:
    open_with(cast)
    credit = ask_credit(cast)
    carry_off(cast, credit)
    before = words_of(credit)
    acknowledge(cast, credit)
    after = words_of(credit)

    for stock in ("ORIGINAL · WHITE", "DUPLICATE · PINK", "TRIPLICATE · YELLOW"):
        assert before.count(stock) == after.count(stock) == 1
    assert before.count("REQUEST FOR CREDIT") == after.count("REQUEST FOR CREDIT") == 3
    assert "ACKNOWLEDGMENT" not in before
    assert after.count("CREDIT SLIP ACKNOWLEDGMENT") == 1
    attested = (
        "I certify that I counted every denomination in the presence of the officer and accept "
        "these cheques into the cage. E. Erinson TG-105,"
    )
    assert after.count(attested) == 1
    assert "Stays on the game in view" in after


def printed(slip: Slip, by: Person, device: Device) -> str:
    made = print_slip(slip_id=slip.pk, device=device, actor=by)
    pages = PdfReader(BytesIO(made.pdf)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def test_the_acknowledgment_is_printed_first_at_the_cage_alone_and_as_an_original(
    cast: Cast,
) -> None:
    open_with(cast)
    credit = ask_credit(cast)
    carry_off(cast, credit)
    pit, cage = cast.devices[Place.PIT], cast.devices[Place.CAGE]
    request = printed(credit, cast.alice, pit)
    acknowledge(cast, credit)
    # The pit matches it against its own copy: it cannot make the paper that it matches.
    with pytest.raises(Refused) as refused:
        print_slip(slip_id=credit.pk, device=pit, actor=cast.alice)
    slip_of_the_cage = printed(credit, cast.erin, cage)
    match(cast, credit)
    again = printed(credit, cast.alice, pit)

    assert refused.value.codes == ("wrong_place",)
    assert request.count("REQUEST FOR CREDIT") == 3
    assert "CREDIT SLIP ACKNOWLEDGMENT" in slip_of_the_cage
    assert "REQUEST FOR CREDIT" not in slip_of_the_cage
    assert "REPRINT" not in request + slip_of_the_cage
    assert again.count("REPRINT · COPY 3") == 4
    entries = JournalEntry.objects.filter(kind="credit.printed").order_by("number")
    texts = list(entries.values_list("text", flat=True))
    assert ['"parts":["Acknowledgment"]' in text for text in texts] == [False, True, False]


def test_a_credit_that_was_sent_back_and_its_return_name_each_other(cast: Cast) -> None:
    open_with(cast)
    credit = ask_credit(cast)
    carry_off(cast, credit)
    back = refuse_at_the_cage(cast, credit)
    assert words_of(credit).count("GOING BACK") == 3
    bring_back(cast, back, {2_500: 38})

    of_credit, of_back = words_of(credit), words_of(back)

    assert of_credit.count("RETURNED") == 3
    assert of_credit.count(f"Returned on {back.serial}") == 3
    assert of_back.count(f"Returns {credit.serial}") == 2
    assert of_back.count("$25 green 2 0 40 38 1,000.00") == 2


# The cage


def test_the_papers_of_the_cage_name_no_table(cast: Cast) -> None:
    receipt = receive(cast, {2_500: 4_000})
    counted = {2_500: 4_000}
    count = begin_cage_count(cast, counted)
    cast.sign(count, "verified", cast.trent, Place.CAGE, entry=Entry(counted=counted))
    chipped = {2_500: 40}
    gone = begin_destruction(cast, chipped, "Chipped edges.")
    cast.sign(gone, "destroyed", cast.frank, Place.CAGE, entry=Entry(counted=chipped))

    of_receipt, of_count, of_gone = (words_of(slip) for slip in (receipt, count, gone))

    for words in (of_receipt, of_count, of_gone):
        assert words.count("Cashier's cage") == 2
        assert "Classic blackjack" not in words
    assert of_receipt.count("Maker Blue Ridge Cheques, invoice 4471") == 2
    assert of_count.count("COUNT OF THE CAGE") == 2
    assert of_count.count("T. Trentson TG-113") == 2
    assert of_gone.count("DESTRUCTION OF HOUSE CHEQUES") == 2
    assert of_gone.count("Reason Chipped edges.") == 2


# The box


def test_a_pulled_box_goes_with_both_boxes_its_count_and_its_people(cast: Cast) -> None:
    open_with(cast, TRAY)
    count = count_tray(cast, TRAY)
    words = words_of(pull(cast))

    for must in (
        "DROP BOX PULLED",
        "Box off BJ-11",
        "Box on B-207",
        f"On count {count.serial}",
        "Surveillance notified",
        "Pulled security officer",
        "F. Frankson TG-106",
        "Witnessed supervisor",
    ):
        assert words.count(must) == 2, must
    assert "No cheques" not in words


def test_the_figures_of_a_box_are_not_printed_until_two_have_counted(cast: Cast) -> None:
    open_with(cast, TRAY)
    count_tray(cast, TRAY)
    box = pull(cast)
    count = begin_count(cast, box, FIGURES, ["F-2026-000001"])
    blind = words_of(count)
    verify(cast, count, FIGURES)
    words = words_of(count)

    assert "BLIND Figures and documents are not shown until two have counted." in blind
    for secret in ("12,400.00", "124", "340.00", "F-2026-000001"):
        assert secret not in blind, secret
    for must in (
        "$100 bills 124 12,400.00",
        "$20 bills 17 340.00",
        "Cash 12,740.00",
        "Coupons 125.00",
        "Cheques of other houses 25.00",
        "Documents 1",
        "Documents F-2026-000001",
        f"Box BJ-11, pulled on {box.serial}",
        "Count room",
    ):
        assert must in words, must


def test_a_pull_that_was_voided_says_so(cast: Cast) -> None:
    open_with(cast, TRAY)
    count_tray(cast, TRAY)
    slip = begin_pull(cast)
    cast.sign(slip, "voided", cast.bob, entry=Entry(reason="A hand was on."), track=Track.VOID)
    cast.sign(slip, "void_witnessed", cast.carol, track=Track.VOID)

    assert words_of(slip).count("VOID") == 4  # Across each part, and over the reason.


# Late papers, and the day


@pytest.mark.parametrize("what", ["fill", "credit"])
def test_a_late_paper_says_late_its_number_and_its_true_time(
    cast: Cast, server_clock: ServerClock, what: str
) -> None:
    open_with(cast, TRAY)
    server_clock.move(hours=2)
    late = key(cast, what, house.now() - timedelta(minutes=40), reason="The line was down.")
    approve(cast, late)

    words = words_of(late)

    assert words.count("LATE") == 4  # In the title, in a tag, across the paper, over its number.
    assert (
        f"Form {late.details['paper_number']}. True time: Fri, May 1, 2026, 10:20. "
        "Entered: Fri, May 1, 2026, 11:00." in words
    )
    assert "Reason The line was down." in words
    assert "COVER" in words
    # Who entered it, and who compared it.
    for name in ("A. Aliceson", "C. Carolson"):
        assert f"{name} TG-" in words


def test_a_correction_names_the_day_it_restates_and_both_reasons(
    cast: Cast, server_clock: ServerClock
) -> None:
    open_with(cast, TRAY)
    server_clock.move(minutes=30)
    true_time = house.now()
    server_clock.move(minutes=30)
    cast.close_table(TRAY)
    day = house.period_at(house.now()).gaming_day
    server_clock.move(hours=23)
    close_the_day(cast, day)
    slip = key(
        cast,
        "credit",
        true_time,
        corrects=True,
        reason="The line was down.",
    )
    approve(cast, slip)

    words = words_of(slip)

    assert "CORRECTION" in words
    assert "LATE" in words
    number = slip.details["paper_number"]
    assert f"Form {number}. True time: Fri, May 1, 2026, 09:30." in words
    assert f"{day:%a, %b %-d, %Y}" in words, "the day that it restates"
    assert "Reason The line was down." in words
    assert "Approved I hold the paper in my hand." in words
    assert "1,000.00" in words
    assert "A. Aliceson TG-101" in words
    assert "H. Heidison TG-108" in words


def test_the_close_of_a_day_names_all_that_is_carried_over(
    cast: Cast, server_clock: ServerClock
) -> None:
    open_with(cast, TRAY)
    day = house.period_at(house.now()).gaming_day
    server_clock.move(hours=24)
    words = words_of(hand_over(cast, day))

    assert words.count("GAMING DAY CLOSE") == 2
    assert words.count(f"Gaming day {day:%a, %b %-d, %Y}") == 2
    assert "Carried over" in words


def test_every_part_has_a_name_of_its_own_and_says_where_it_goes() -> None:
    for kind in FLOWS:
        form = form_of(kind)
        names = [part.name for part in form.parts]
        assert len(set(names)) == len(names), kind
        assert all(part.goes.endswith(".") for part in form.parts), kind
