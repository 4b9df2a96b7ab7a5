"""The pad that someone reads and signs: sealed when it is shown, opened when it is sent.

A sealed pad says what it attests, in which language, with which labels and values, and what it was
shown for: the step of a slip and its text, or the address of an act. It signs nothing else. What
it said is kept with the act: in the text of a signature, or in the journal entry of an act without
a slip.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core import signing
from django.utils.translation import gettext, override

from pitboss.rules.canonical import canonical, digest
from pitboss.rules.flows.attesting import ACTS, act_id, is_act, step_id
from pitboss.rules.flows.flows import Flow, Track
from pitboss.rules.people.languages import ENGLISH, LANGUAGES
from pitboss.rules.refusal import CONFLICT, Refused, refuse
from pitboss.services.attestations import version_of

# Under this name a form carries its sealed pad, and a text that was signed what the pad said.
PAD = "pad"
_SALT = "pitboss.pad"


@dataclass(frozen=True, slots=True)
class Attested:
    """One sentence as it is read: which it is, its version, its language, and its words."""

    which: str
    version: int
    language: str
    text: str
    # The same in English, which stands beneath any other language.
    english: str

    def said(self) -> dict[str, Any]:
        """Return it as it is kept."""
        return {
            "id": self.which,
            "version": self.version,
            "language": self.language,
            "text": self.text,
            **({} if self.language == ENGLISH else {"english": self.english}),
        }


@dataclass(frozen=True, slots=True)
class Attests:
    """One sentence that is to be read: which it is, and what it names."""

    which: str
    sentence: str
    names: Mapping[str, str] = field(default_factory=dict)

    def read_in(self, language: str = ENGLISH) -> Attested:
        """Return it as it is read in a language; in English where no one translated it yet."""
        with override(language):
            words = gettext(self.sentence)
        return Attested(
            self.which,
            version_of(self.which, self.sentence),
            language if words != self.sentence else ENGLISH,
            words.format(**self.names) if self.names else words,
            self.sentence.format(**self.names) if self.names else self.sentence,
        )

    def in_each(self) -> dict[str, str]:
        """Return it in every language that has it."""
        read = {language: self.read_in(language) for language in LANGUAGES}
        return {
            language: attested.text
            for language, attested in read.items()
            if attested.language == language
        }


def attested_by(act: str, **names: object) -> Attests:
    """Return what an act without a slip attests."""
    return Attests(act_id(act), ACTS[act], {name: str(value) for name, value in names.items()})


def attested_at(kind: str, track: str, step: str, sentence: str) -> Attests:
    """Return what a step of a slip attests."""
    return Attests(step_id(kind, track, step), sentence)


def attested_first(flow: Flow) -> Attests:
    """Return what the first signer of a kind of slip attests."""
    first = flow.steps[0]
    return attested_at(flow.kind, Track.MAIN.value, first.name, first.attests)


@dataclass(frozen=True, slots=True)
class Pad:
    """What a pad shows, and what it is shown for."""

    attested: Attested
    url: str
    # The text of what is signed, or nothing where no text is.
    shown: str = ""
    # What the hidden field `act` says, where one page has several acts.
    act: str = ""
    # Labels and values that are read, and by its name the label of each field that is filled in.
    says: Sequence[tuple[str, str]] = ()
    asks: Mapping[str, str] = field(default_factory=dict)

    def sealed(self) -> str:
        """Return the pad as a form carries it."""
        body = {
            "for": self._shown_for(),
            "said": self.attested.said(),
            "says": [list(pair) for pair in self.says],
            "asks": dict(self.asks),
        }
        return signing.dumps(body, salt=_SALT, compress=True)

    def _shown_for(self) -> list[Any]:
        if is_act(self.attested.which):
            return [*_address(self.url), digest(self.shown), self.act]
        return [self.attested.which, digest(self.shown)]


def _address(url: str) -> list[Any]:
    """Return an address as it compares: its path, and what it asks in any order."""
    parts = urlsplit(url)
    return [unquote(parts.path), sorted([name, value] for name, value in parse_qsl(parts.query))]


@dataclass(frozen=True, slots=True)
class Sent:
    """A form that a page has sent: to which address, and all that it says."""

    url: str
    posted: Mapping[str, str]


# The form of the request under way; none where no page of the site was signed on.
sent_pad: ContextVar[Sent | None] = ContextVar("sent_pad", default=None)
# The language in which a program showed what is signed; English unless it says.
_SHOWN_IN: ContextVar[str] = ContextVar("shown_in", default=ENGLISH)
# What the act under way attests.
_ATTESTED: ContextVar[Mapping[str, Any] | None] = ContextVar("attested", default=None)


@contextmanager
def attesting(said: Mapping[str, Any] | None) -> Iterator[None]:
    """Have every journal entry written meanwhile keep what was attested."""
    token = _ATTESTED.set(said)
    try:
        yield
    finally:
        _ATTESTED.reset(token)


@contextmanager
def shown_in(language: str) -> Iterator[None]:
    """Have what is signed meanwhile read in a language: by a program, which shows pads itself."""
    token = _SHOWN_IN.set(language)
    try:
        yield
    finally:
        _SHOWN_IN.reset(token)


@contextmanager
def signed_by_program() -> Iterator[None]:
    """Have what is signed meanwhile signed by the program itself: no one was shown a pad."""
    token = sent_pad.set(None)
    try:
        yield
    finally:
        sent_pad.reset(token)


def attested_now() -> Mapping[str, Any] | None:
    """Return what the act under way attests; none where no pad was signed on."""
    return _ATTESTED.get()


def sent_for(shown: str = "", which: str = "") -> dict[str, Any] | None:
    """Return what the pad said that was sent; none where no page was. Raises Refused.

    It must have been shown for this very text, and for this step of a slip or at this address.
    """
    sent = sent_pad.get()
    if sent is None:
        return None
    try:
        pad = signing.loads(sent.posted.get(PAD, ""), salt=_SALT)
    except signing.BadSignature:
        raise _wrong_pad() from None
    at = [which] if which else [*_address(sent.url)]
    act = [] if which else [sent.posted.get("act", "")]
    if pad["for"] != [*at, digest(shown), *act]:
        raise _wrong_pad()
    entered = [[label, sent.posted.get(name, "")] for name, label in pad["asks"].items()]
    return {**pad["said"], "says": pad["says"], "entered": entered}


def _wrong_pad() -> Refused:
    return refuse(
        "wrong_pad",
        "This pad was shown for something else. Open the page again, then sign.",
        CONFLICT,
    )


def signed_text(
    shown: str, kind: str, step: Mapping[str, Any], said: Mapping[str, Any] | None
) -> str:
    """Return the text that is signed: what was shown, and what the pad said, with the step.

    Where no page of the site was signed on, it is the step's own sentence: the API hands it out.
    """
    track, name = step["track"], step["name"]
    if said is None:
        attests = attested_at(kind, track, name, step["attests"])
        said = attests.read_in(_SHOWN_IN.get()).said()
    return canonical({**json.loads(shown), PAD: {**said, "track": track, "step": name}})


def without_pad(shown: str) -> str:
    """Return what was shown without what a pad said: a signature's own text signs it again.

    >>> without_pad('{"a":1,"pad":{"id":"fill.issued"}}'), without_pad("{"), without_pad("[]")
    ('{"a":1}', '{', '[]')
    """
    if f'"{PAD}":' not in shown:
        return shown
    try:
        text = json.loads(shown)
    except ValueError:
        return shown
    return canonical({name: value for name, value in text.items() if name != PAD})
