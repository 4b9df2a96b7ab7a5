"""The words of the product follow docs/words.md: what the stop list names is written nowhere."""

from __future__ import annotations

import ast
import re

import pytest

from pitboss.rules.book.refusal_index import written_refusals
from tests.dealer_refusals import dealer_refusals
from tests.visible import PACKAGES, PROJECT, visible

# Phrases in which a word of the stop list is the right one.
RIGHT = re.compile(
    "|".join(
        (
            r"[Pp]aper slips?",
            r"on paper",
            # An attestation names the fact; nothing else says "told" or "differs".
            r"I was told (?:why|what)",
            r"this tray differs from",
            r"carried over to me by name",
            # The law's own word for a hint to the patron.
            r"Don’t tell them",
            # A blackjack decision, not a state.
            r"hits? (?:or|and) stands?|stands? on|had to stand|soft \d+ stands|tens stand",
            r"is no (?:longer|older|more|less)|[Tt]here is no",
            # A hand that gives a thing; box 16 of Form W-2G.
            r"Give (?:it|each|them)",
            r"Name of locality",
            r"posted jackpots by name",
            r"bets are taken on",
            # A term of the floor.
            r"^Let it ride$|patron by card, number, or name",
            # A field of the API, and a type.
            r"colour_up|^Judgement$",
        )
    )
)

STOPPED = {
    "enter, not key": r"(?:^|[.:;,] )[Kk]ey "
    r"(?:a|an|the|it|them|every|each|how|what|one|in|your|again|that|badge)\b"
    r"|\b[Kk]eyed\b",
    "American spelling": r"[Cc]olou?r(?<=olour)|[Ll]icence|[Cc]ancelled|[Ee]nrol(?:s|ment|ments)?\b"
    r"|[Aa]uthoris|[Jj]udgement|[Aa]pologis|[Rr]ecognis|[Oo]rganis",
    "enter, choose or add": r"(?:^|[.:] )(?:Say|Give|Name|Tell) (?!is\b)",
    "form, document or slip": r"\b[Pp]apers?\b",
    "no one, someone, everyone": r"\b(?:[Nn]o|[Ss]ome|[Ee]very|[Aa]ny)body\b|\b[Ww]hoever\b",
    "notify": r"\b(?:[Tt]old|[Tt]ells?)\b",
    "waiting for, pending": r"\b[Ww]aits (?:for|until|since)\b|\bwaits[.]",
    "not found": r"\bno such\b",
    "accept, return, remove": r"\b(?:take|takes|taken|took) (?:on|in|back|away)\b",
    "is listed, is in effect": r"\bstands? (?:here|there|so|all the same)\b|\b[Ll]et .*\bstand\b",
    "isn’t a": r"\bis no [a-z]",
    "doesn’t match": r"\b[Dd]iffers?\b|\botherwise\b",
    "review or check": r"\b[Ll]ook(?:s|ed|ing)? (?:at|again|whether|for)\b",
    "allow, approve, release": r"\b[Ll]ets? (?:it|them|him|her|in|go|one|the)\b|\blet in\b",
    "characters": r"(?:plain |[0-9] |\)\} )signs\b|cannot be kept",
    "already before the verb": r"\balready\.",
    "next to, plus": r"\bbeside\b",
    "effective, contains, has": r"\bholds\b",
    "offline": r"\b[Nn]o line\b|\bline is back\b",
    "named, override, automatically": r"\bby (?:name|rank(?! alone)|itself|the book)\b",
    "again": r"\banew\b",
    "remove, removed": r"\bputs? out\b|\bis out\b(?! of)",
    "while you had it open": r"\bmeanwhile\b",
    "calculate": r"\breckon",
    "approval": r"\bnods?\b",
    "month before day": r"%d %b|\bj [MF]\b",
}


def plain(words: str) -> str:
    """Return words without the names of values that are filled in, and without what is right."""
    return RIGHT.sub("", re.sub(r"\{[^{}]*\}", "{…}", words))


# A spoken script says "guest"; the rules of irregular hands are such scripts.
SCRIPTS = "pitboss/rules/floor/irregular"


@pytest.mark.parametrize("instead", STOPPED)
def test_no_string_says_what_the_stop_list_names(instead: str) -> None:
    stopped = re.compile(STOPPED[instead], re.IGNORECASE)
    found = [f"{where}: {words}" for where, words in visible() if stopped.search(plain(words))]
    assert found == [], f"write: {instead}"


def test_no_article_comes_before_a_role_that_is_filled_in() -> None:
    article = re.compile(r"\b[Aa]n? \{[^}]*(?:role|wanted)\b[^}]*\}")
    assert [f"{where}: {words}" for where, words in visible() if article.search(words)] == []


# Answered to a program, which sends another request: what a value must be is what to do.
TO_PROGRAMS = re.compile(
    r"pitboss/(?:api|rules/(?:__main__|book|facts|odds|paytables|rounds|roulette|stadium|wagers)\b"
    r"|rules/(?:ratings/wire|cheques/cut\.|cheques/cheques|payouts/check\.|payouts/claims))"
    r"|(?:jackpots|tables)/api"
)
# A first word that asks, a second sentence, who can, or what must be.
NEXT_STEP = re.compile(
    r"^(?:…: |Set …: )?(?:add|ask|call|check|choose|compare|copy|count|describe|enter|explain|have"
    r"|import|install|join|keep|leave|list|look|notify|only|open|remove|save|scan|settle|sign|take"
    r"|use|wait|wash|write|link)\b|[.?:;] (?-i:[A-Z“…])|\bmust\b|has to\b|needs approval"
    r"|^…(?: …)?\.?$",
    re.IGNORECASE,
)


def test_every_refusal_of_a_person_says_what_to_do_next() -> None:
    found = [
        f"{path.relative_to(PROJECT)}: {refused.code}: {refused.message}"
        for package in PACKAGES
        for path in sorted((PROJECT / package).rglob("*.py"))
        if not TO_PROGRAMS.match(str(path.relative_to(PROJECT)))
        for refused in written_refusals(ast.parse(path.read_text()))
        if not NEXT_STEP.search(refused.message.strip())
    ]
    assert found == []


def test_a_bet_that_is_refused_says_what_to_do_next() -> None:
    judged = ("baccarat", "games", "roulette", "wagers")
    tells = re.compile(r"^(?:Choose|Enter|Wait)\b|[.?:] [A-Z]")
    found = [
        where
        for where, words in dealer_refusals()
        if where.split("/")[2] in judged and words.endswith(".") and not tells.search(words)
    ]
    assert found == []


def test_only_a_script_says_guest() -> None:
    found = [
        f"{where}: {words}"
        for where, words in visible()
        if re.search(r"\bguests?\b", words) and not where.startswith(SCRIPTS)
    ]
    assert found == []


def test_strings_are_found_in_every_kind_of_file() -> None:
    found = {where.rpartition(":")[0].rpartition(".")[2] for where, _ in visible()}
    assert found == {"py", "html", "js"}
