"""The patron’s own screen: the words that they sign, a large field, and nothing else of the site.

It fills the tablet, without a rail or an inbox. Who saw the patron sign ends it with their PIN; a
patron who does not want to sign locks the tablet. Until then the session shows no other page,
whatever the browser’s own way back asks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext, override

from pitboss.api import http_status
from pitboss.middleware import HANDED, SIGNED_HERE, PitRequest
from pitboss.models import Slip
from pitboss.paper.words import amount_in_spanish, amount_in_words
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.patrons.patron_reads import READS
from pitboss.rules.people.languages import ENGLISH, LANGUAGES, first_known
from pitboss.rules.refusal import Refused
from pitboss.services import house
from pitboss.slips.kind import kind_named
from pitboss.translating import translated_words


def patron_page(
    request: PitRequest, paper: Slip, pad: Mapping[str, Any], refused: Refused | None
) -> HttpResponse:
    """Show a patron what they sign; after a refusal, what they drew is still there."""
    read, drawn_before = reading_of(request, paper), _drawn_before(request, refused)
    own = reverse("slip", args=[paper.serial])
    request.session[HANDED] = f"{own}?hand"
    # Anyone who has the tablet next taps nothing in the name of the one who had it.
    request.session.pop(SIGNED_HERE, None)
    context = {
        "heading": f"{paper.title} {paper.serial}",
        "payee": house.the_property().name,
        "at": paper.raised_at.astimezone(house.the_property().zone),
        "read": read,
        "ways": [
            {"url": f"{own}?hand&reads={code}", "code": code, "name": name}
            for code, name in LANGUAGES.items()
            if code != read.language
        ],
        "pad": {**pad, "drawing": {**pad["drawing"], "drawn": drawn_before}},
        "demo_bar_hidden": True,
        "is_with_staff": bool(drawn_before),
        "unlock_url": reverse("lock"),
        "next": own,
        "refusals": refused.refusals if refused else (),
    }
    status = http_status(refused) if refused else 200
    with override(read.language):
        return render(request, "pitboss/patron_signs.html", context, status=status)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a patron reads above the field that they sign in, in their language."""

    language: str
    title: str
    amount_cents: int
    in_words: str
    caption: str
    # Labels and cents; sentences, each with the English that stands beneath it, if any does.
    lines: Sequence[tuple[str, int]]
    sentences: Sequence[tuple[str, str]]

    def says(self) -> Iterator[tuple[str, str]]:
        """Yield all of it, label and value, as it is sealed and signed."""
        yield self.title, self.caption
        yield format_money(self.amount_cents), self.in_words
        yield from ((label, format_money(cents)) for label, cents in self.lines)
        for sentence, english in self.sentences:
            yield "", sentence
            if english:
                yield "", english


def reading_of(request: PitRequest, paper: Slip) -> Reading:
    """Return what a patron reads, in the language that was tapped, or that they asked for."""
    read = _read_by_patron(paper)
    language = first_known(
        request.POST.get("reads"), request.GET.get("reads"), read.get("language")
    )
    is_english = language == ENGLISH
    amount_cents = read["amount_cents"]
    with override(language):
        return Reading(
            language=language,
            title=f"{gettext(paper.title)} {paper.serial}",
            amount_cents=amount_cents,
            in_words=(amount_in_words if is_english else amount_in_spanish)(amount_cents),
            caption=gettext(read["caption"]) if read.get("caption") else "",
            lines=[(gettext(label), cents) for label, cents in read.get("lines", ())],
            sentences=_sentences(read, is_english=is_english),
        )


def _sentences(read: Mapping[str, Any], *, is_english: bool) -> list[tuple[str, str]]:
    """Return what a patron signs, the English beneath; the wording of a tax form stays its own."""
    if is_english or "made_of" not in read:
        return [(sentence, "") for sentence in read["says"]]
    return [
        (_translated(words, names), english)
        for (words, names), english in zip(read["made_of"], read["says"], strict=True)
    ]


def _translated(words: str, names: Mapping[str, str | int]) -> str:
    fields = {
        **names,
        **({"account": gettext(str(names["account"]))} if "account" in names else {}),
    }
    return translated_words(words, fields)


def _drawn_before(request: PitRequest, refused: Refused | None) -> str:
    """Return what was drawn before a refusal, unless the drawing itself was refused."""
    if refused is None or any(code.startswith("drawing_") for code in refused.codes):
        return ""
    return request.POST.get("drawn", "")


def _read_by_patron(paper: Slip) -> Mapping[str, Any]:
    """Return what a patron reads: what its kind says, or what the slip keeps."""
    kind = kind_named(paper.kind)
    if kind is not None and kind.reads is not None:
        return kind.reads(paper)
    # A slip of an earlier release keeps no words of its own.
    return paper.details.get(READS) or {"amount_cents": paper.total_cents, "says": []}
