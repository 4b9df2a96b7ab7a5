"""Slips on paper: what every part says and its marks, and that no name breaks the page."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from datetime import date, datetime
from io import BytesIO
from typing import Any
from zoneinfo import ZoneInfo

import psycopg
import pytest
from pypdf import PdfReader

from pitboss.paper.content import Issue, Note, SignatureGroup, SignatureLine, SlipPaper
from pitboss.paper.forms import Part
from pitboss.paper.lettering import Type, printable, width_of
from pitboss.paper.sheet import PAGE_HEIGHT, PAGE_WIDTH, Sheet
from pitboss.paper.slip import draw_slip
from pitboss.paper.swatches import LOOKS
from pitboss.rules.cheques.cheques import DENOMINATIONS
from pitboss.rules.cheques.sets import COLOURS
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place
from pitboss.services.signing import Entry
from pitboss.slips.kind import form_of
from tests.floor.cast import Cast
from tests.floor.prints import PARTS, printed, words_of

TO_SIGN = "initial, name, license · date, time"
NEVER_SIGNED = "not signed"

NEW_YORK = ZoneInfo("America/New_York")
EVENING = datetime(2026, 11, 14, 21, 36, 8, tzinfo=NEW_YORK)


def paper(**changes: object) -> SlipPaper:
    """Return a fill that is done, as it would be printed, but for some changes."""
    line = SignatureLine(
        "Requested", "supervisor", "R. Delacroix TG-20417", EVENING, "4be109c7" * 8
    )
    done = SlipPaper(
        form=form_of("fill"),
        parts=form_of("fill").parts,
        title="Fill",
        property_name="Northgate Casino",
        serial="F-2026-004127",
        gaming_day=date(2026, 11, 14),
        raised_at=EVENING,
        shift="Swing",
        pit="Pit 2",
        table="BJ-24",
        game="Classic blackjack",
        cheques={10_000: 40, 2_500: 100, 500: 40},
        counted=None,
        has_count=False,
        groups=(SignatureGroup("Signatures", (line,)),),
        notes=(),
        mark="",
        issue=Issue("B. Fontaine CG-50316", EVENING, 1),
    )
    return replace(done, **changes)  # type: ignore[arg-type]


# What a slip says


@pytest.mark.django_db(transaction=True)
def test_every_part_of_a_fill_says_what_a_slip_must_say(
    cast: Cast, owner_connection: psycopg.Connection[tuple[object, ...]]
) -> None:
    fill = cast.ask({10_000: 40, 2_500: 100, 250: 3})
    owner_connection.execute("UPDATE pitboss_property SET time_zone = 'America/Los_Angeles'")

    words = printed(cast, fill)

    local = fill.raised_at.astimezone(ZoneInfo("America/Los_Angeles"))
    for must in (
        "FILL",
        "The Test House",
        fill.serial,
        f"{fill.gaming_day:%b %-d, %Y}",
        f"{local:%H:%M:%S %Z}",
        fill.shift,
        "Pit 1",
        "BJ-11",
        "Classic blackjack",
        "$100 black 2 0 40 4,000.00",
        "$25 green 5 0 100 2,500.00",
        "$2.50 pink 0 3 3 7.50",
        "Total 143 6,507.50",
        "Six thousand five hundred seven dollars and 50/100.",
        "Printed by E. Erinson TG-105 on",
    ):
        assert words.count(must) >= PARTS, must
    for letter in "KGP":
        assert words.split().count(letter) == PARTS
    assert words.count("ORIGINAL") == words.count("DUPLICATE") == 1
    assert "Original: To security, who takes it back to the cage." in words
    assert "Duplicate: Into the table's drop box by the dealer, immediately." in words


@pytest.mark.django_db
def test_every_signature_stands_on_every_part_with_its_licence_time_and_hash(cast: Cast) -> None:
    fill = cast.ask({500_000: 4})
    cast.deliver(fill)

    words = printed(cast, fill)

    signatures = list(fill.signatures.all())
    assert len(signatures) == 6
    for signature in signatures:
        assert words.count(signature.signed_as) >= PARTS
        signed_at = signature.signed_at.astimezone(NEW_YORK)
        assert words.count(f"{signed_at:%b %-d, %Y %H:%M:%S %Z}") >= PARTS
        shown = signature.shown_hash
        short = " ".join(shown[at : at + 4] for at in range(0, 16, 4))
        assert words.count(short) == PARTS
    assert words.count("Top-signed pit manager") == PARTS
    assert TO_SIGN not in words
    assert NEVER_SIGNED not in words


@pytest.mark.django_db
def test_a_step_that_nobody_signed_is_an_empty_line(cast: Cast) -> None:
    fill = cast.ask()
    cast.issue(fill)

    words = printed(cast, fill)

    for step in ("Carried security officer", "Agreed dealer", "Received supervisor"):
        assert words.count(step) == PARTS
    assert words.count(TO_SIGN) == 3 * PARTS


@pytest.mark.django_db
def test_who_signs_above_their_role_is_named_by_the_role_they_acted_in(cast: Cast) -> None:
    fill = cast.ask(by=cast.heidi)

    assert printed(cast, fill).count("Requested shift manager") == PARTS


@pytest.mark.django_db
def test_a_voided_slip_says_void_why_and_by_whom(cast: Cast) -> None:
    fill = cast.ask()
    entry = Entry(reason="The table closed.")
    cast.sign(fill, "voided", cast.erin, Place.CAGE, entry=entry, track=Track.VOID)
    fill.refresh_from_db()
    half_way = printed(cast, fill)
    cast.sign(fill, "void_witnessed", cast.grace, Place.SECURITY, track=Track.VOID)
    fill.refresh_from_db()

    words = printed(cast, fill)

    assert words.count("VOID") == 2 * PARTS  # Across the part, and over the reason.
    reason = "The table closed. Signed by E. Erinson TG-105 and G. Graceson TG-107."
    assert words.count(reason) == PARTS
    assert words.count("Void witnessed security officer") == PARTS
    assert words.count(NEVER_SIGNED) == 4 * PARTS
    assert TO_SIGN not in words
    assert "VOID" not in half_way


@pytest.mark.django_db
def test_a_returned_fill_its_return_and_its_replacement_name_each_other(cast: Cast) -> None:
    fill = cast.ask({2_500: 100})
    cast.carry(fill)
    back = cast.send_back(fill, "Greens are short.")
    fill.refresh_from_db()
    assert printed(cast, fill).count("GOING BACK") == PARTS
    cast.sign(back, "carried_back", cast.frank)
    assert printed(cast, back).count("$25 green 5 0 100 2,500.00") == PARTS
    counted = Entry(counted={2_500: 80, 100: 1})
    cast.sign(back, "counted_in", cast.erin, Place.CAGE, entry=counted)
    fill.refresh_from_db()
    back.refresh_from_db()
    again = cast.ask({2_500: 100}, replaces=fill)

    of_fill, of_back, of_again = (printed(cast, slip) for slip in (fill, back, again))

    assert of_fill.count("RETURNED") == PARTS
    assert of_fill.count(f"Returned on {back.serial}") == PARTS
    assert of_fill.count(f"Replaced by {again.serial}") == PARTS
    assert of_fill.count(NEVER_SIGNED) == 2 * PARTS
    assert of_back.count("RETURN OF A FILL") == PARTS
    assert of_back.count(f"Returns {fill.serial}") == PARTS
    assert of_back.count("Reason Greens are short.") == PARTS
    # What the cage counted stands beside what the slip says, a stray cheque on a row of its own.
    assert of_back.count("$25 green 5 0 100 80 2,500.00") == PARTS
    assert of_back.count("$1 white 0 0 0 1 0.00") == PARTS
    assert of_again.count(f"Replaces {fill.serial}") == PARTS


@pytest.mark.django_db
def test_an_officer_who_was_relieved_is_on_the_paper(cast: Cast) -> None:
    fill = cast.ask()
    cast.carry(fill)
    entry = Entry(reason="Fell ill.")
    cast.sign(fill, "relieved", cast.heidi, entry=entry, track=Track.RELIEF)
    counted = Entry(counted=fill.cheques_by_cents)
    cast.sign(fill, "taken_over", cast.grace, entry=counted, track=Track.RELIEF)

    words = printed(cast, fill)

    assert words.count("Officer relieved Fell ill.") == PARTS
    assert words.count("H. Heidison TG-108") == words.count("G. Graceson TG-107") == PARTS


def test_every_kind_of_slip_has_a_form_and_every_cheque_a_look() -> None:
    assert all(form_of(kind).parts for kind in FLOWS)
    assert LOOKS.keys() == set(COLOURS)
    # Without colour, a cheque is told by its letter, and by how its edge is cut up.
    assert len({(look.spots, look.spot_degrees) for look in LOOKS.values()}) == len(LOOKS)


# The page


def test_a_slip_is_one_letter_page_with_every_font_in_it() -> None:
    (page,) = PdfReader(BytesIO(draw_slip(paper()))).pages

    assert (page.mediabox.width, page.mediabox.height) == (612, 792)
    resources: Any = page["/Resources"]
    fonts = [font.get_object() for font in resources["/Font"].values()]
    embedded = [font for font in fonts if "/FontDescriptor" in font]
    assert len(embedded) >= 2
    assert all("/FontFile2" in font["/FontDescriptor"] for font in embedded)


def test_the_same_slip_is_the_same_document_to_the_byte() -> None:
    assert draw_slip(paper()) == draw_slip(paper())
    assert draw_slip(paper()) != draw_slip(paper(shift="Day"))


def test_a_form_of_three_parts_goes_on_to_a_second_page() -> None:
    parts = tuple(Part(name, "Somewhere.") for name in ("Original", "Duplicate", "Triplicate"))

    pages = PdfReader(BytesIO(draw_slip(paper(parts=parts)))).pages

    first, second = (page.extract_text() for page in pages)
    assert "ORIGINAL" in first
    assert "DUPLICATE" in first
    assert "TRIPLICATE" in second


def test_facts_that_one_page_has_no_room_for_go_on_to_the_next() -> None:
    form = form_of("count_session")
    facts = tuple(Note(f"Box {4_001 + no}", f"${10_001 + no:,}") for no in range(60))
    last = Note("Reason", "Counted after the flood.")
    session = paper(form=form, parts=form.parts, cheques={}, facts=facts, notes=(last,))

    pages = [page.extract_text() for page in PdfReader(BytesIO(draw_slip(session))).pages]

    assert len(pages) == 3
    words = " ".join(pages)
    for fact in facts:
        assert words.count(fact.text) == 1, fact
    for at, page in enumerate(pages, 1):
        # Each page says whose it is, who signed, and that it is not all.
        assert "F-2026-004127" in page
        assert "R. Delacroix TG-20417" in page
        assert f"Page {at} of 3." in page
    assert [last.text in page for page in pages] == [False, False, True]

    lowest: list[float] = []
    for read in PdfReader(BytesIO(draw_slip(session))).pages:
        found: list[float] = []

        def note_where(
            text: str, _cm: object, tm: list[float], *_: object, into: list[float] = found
        ) -> None:
            if re.search(r"\$1\d,\d{3}", text):
                into.append(PAGE_HEIGHT - tm[5])

        read.extract_text(visitor_text=note_where)
        lowest.append(max(found))
    # No figure lies in the foot of a page.
    assert max(lowest) < PAGE_HEIGHT - 26 - 30


def test_a_slip_without_cheques_or_table_can_be_printed() -> None:
    words = words_of(draw_slip(paper(cheques={}, table="", pit="", game="")))

    assert words.count("No cheques") == PARTS
    assert words.count("Zero dollars and 00/100.") == PARTS


def test_the_fullest_slip_keeps_every_word_and_stays_in_its_part() -> None:
    reason = " ".join(f"word{number}" for number in range(72))
    assert 480 < len(reason) <= 500
    lines = tuple(
        SignatureLine(f"Step {number}", "dealer", f"D. Dealer TG-{number:05}", EVENING, "ab" * 32)
        for number in range(8)
    )
    full = paper(
        cheques={denomination.cents: 999_999 for denomination in DENOMINATIONS},
        groups=(SignatureGroup("Signatures", lines[:6]), SignatureGroup("Void", lines[6:])),
        notes=(Note("VOID", reason, is_grave=True), Note("Replaces", "F-2026-004120")),
        issue=Issue("B. Fontaine CG-50316", EVENING, 12),
    )
    pdf = draw_slip(full)

    words = words_of(pdf)
    for word in reason.split():
        assert words.split().count(word) == PARTS
    assert words.count("26,633,723,366.25") == PARTS
    assert words.count("F-2026-004120") == PARTS

    baselines: list[float] = []

    def note_where(text: str, _cm: object, tm: list[float], *_: object) -> None:
        if text.strip():
            assert 0 < tm[4] < PAGE_WIDTH
            baselines.append(PAGE_HEIGHT - tm[5])

    PdfReader(BytesIO(pdf)).pages[0].extract_text(visitor_text=note_where)
    # Nothing stands on the line along which the parts are cut, but the words that say so.
    on_the_cut = [y for y in baselines if abs(y - PAGE_HEIGHT / 2) < 8]
    assert len(on_the_cut) == 1


HOSTILE_NAMES = {
    "very long": "W. " + "W" * 40,
    "one long word": "M" * 110,
    "right to left": "א. לוי־כהן",
    "arabic": "م. الفاروق",
    "an override": "\u202eI. evE\u2066",
    "NUL and controls": "A.\x00 \x07Bell\x1b[31m",
    "a heap of accents": "Z. a" + "\u0301" * 60 + "lgo",
    "no font has it": "漢. 字 \U0001f0a1",
    "a lone surrogate": "S. \ud800urrogate",
    "PDF syntax": "P. ) Tj ET (\\",
    "a widest sign": "B. " + "\ufdfd" * 40,
    "line breaks": "L.\r\nBreak\u2028er",
    "nothing": "",
}


@pytest.mark.parametrize("name", HOSTILE_NAMES.values(), ids=HOSTILE_NAMES.keys())
def test_no_name_can_break_a_slip_or_hide_a_licence_number(name: str) -> None:
    line = SignatureLine("Agreed", "dealer", f"{name} TG-31882", EVENING, "ab" * 32)
    hostile = paper(
        property_name=name,
        shift=name,
        pit=name,
        table=name,
        game=name,
        groups=(SignatureGroup("Signatures", (line,)),),
        notes=(Note("Reason", name),),
        issue=Issue(f"{name} CG-50316", EVENING, 2),
    )

    words = words_of(draw_slip(hostile))

    # A licence number that a line breaks in two is whole once the blanks are gone.
    close = words.replace(" ", "")
    assert close.count("TG-31882") == PARTS
    assert close.count("CG-50316") == PARTS
    assert words.count("F-2026-004127") == PARTS


@pytest.mark.parametrize("name", HOSTILE_NAMES.values(), ids=HOSTILE_NAMES.keys())
def test_nothing_of_a_name_acts_on_its_surroundings(name: str) -> None:
    drawn = printable(name)

    assert {unicodedata.category(char)[0] for char in drawn}.isdisjoint("C")
    assert set(drawn) & {"\n", "\r", "\u2028"} == set()
    assert "\u0301\u0301\u0301" not in drawn


def test_a_text_too_wide_is_set_narrower_and_the_next_one_is_not() -> None:
    sheet = Sheet(title="", author="", subject="")
    sheet.text(0, 100, "M" * 200, Type(size=12), width=100, smallest=6)
    sheet.text(0, 200, "M", Type(size=12), width=100)

    (page,) = PdfReader(BytesIO(sheet.finished())).pages

    contents = page.get_contents()
    assert contents is not None
    squeezed, plain = re.findall(rb"([\d.]+) Tz", contents.get_data())
    wide = width_of("M" * 200, Type(size=6))
    assert wide * float(squeezed) / 100 == pytest.approx(100, abs=0.5)
    assert float(plain) == 100


def test_a_name_is_shown_with_its_accents_and_what_no_font_has_is_shown_as_missing() -> None:
    names = ("Ž. Łukasiewicz-Ñandú", "Σ. Παπαδόπουλος", "Ю. Щукин", "漢. Lee")
    lines = tuple(SignatureLine("Agreed", "dealer", name, EVENING, "ab" * 32) for name in names)

    words = words_of(draw_slip(paper(groups=(SignatureGroup("Signatures", lines),))))

    for name in (*names[:3], "\ufffd. Lee"):
        assert words.count(name) == PARTS, name
