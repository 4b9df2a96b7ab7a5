"""The glossary has every term of the manual, and no term twice."""

from __future__ import annotations

import pytest

from pitboss.rules.book.glossary import GLOSSARY, by_letter

# As the manual heads them, lines 201 to 437.
MANUAL = """agent; backing up cards; base; first base; second base;
third base; bankroll; barber pole; blackjack; break; bust; burn;
capping; case bet; cash out; cheque; chip; clean money; count; cold deck; cooler; cold turkey;
crimp;
cut card; cut into; daub; dealer; dirty money; discard rack; discard holder; double down; dragging;
drop box; edge; float cover; slide; foreign cheque; free hand; hard total; head to head;
high roller; hit; hole card; insurance; lammer; let it ride; lock it up; marker; paddle; parlay;
pat hand; pinch; pips; past post; prove a hand; push; stand-off; riffle; roller; scratch; shoe;
shoe hand; shuffle; shy; sleeper; snapper; soft hand; soft total; split pairs; stacked deck; stand;
stiff; sweeten; system; t.i.s.; toke; tip; tray; rack; up card; washing"""


@pytest.mark.parametrize("name", [part.strip() for part in MANUAL.split(";")])
def test_every_term_of_the_manual_is_explained(name: str) -> None:
    known = {item.casefold() for term in GLOSSARY for item in (term.name, *term.also)}
    assert name in known


def test_a_term_is_found_by_any_of_its_names() -> None:
    assert [term.name for term in GLOSSARY if term.has(["lucky", "george"])] == ["Envy"]
    assert not [term for term in GLOSSARY if term.has(["lucky", "lucy"])]


def test_a_word_of_the_manual_has_each_of_its_meanings() -> None:
    meaning = {term.name: term.meaning for term in GLOSSARY}
    for part in ("hand’s total", "tray’s value", "track of the cards"):
        assert part in meaning["Count"]
    assert "handles money for a player" in meaning["Agent"]
    assert "second in the center" in meaning["Base"]
    assert "aren’t 21" in meaning["Double down"]


def test_no_term_is_listed_twice_and_all_are_sentences() -> None:
    names = [name.casefold() for term in GLOSSARY for name in (term.name, *term.also)]
    assert len(names) == len(set(names))
    assert all(term.meaning.endswith(".") and len(term.meaning) <= 110 for term in GLOSSARY)


def test_terms_come_by_letter() -> None:
    letters = by_letter()
    assert list(letters) == sorted(letters)
    assert sum(map(len, letters.values())) == len(GLOSSARY)
