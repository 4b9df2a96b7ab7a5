"""A kind of slip: all that one is, said once; and the one registry, filled from the apps' `kinds`.

A kind is a flow with everything around it: who may raise it, what is asked, why not, what happens
when a step is signed, the paper, the words. Whatever the site asks about a kind it asks here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.urls import reverse

from pitboss.paper.forms import HOUSE_FORM, Form, OnPaper
from pitboss.rules.floor.fields import Field
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import Flow, PlanFacts
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import Role

if TYPE_CHECKING:
    from pitboss.middleware import PitRequest
    from pitboss.models import Slip, Table
    from pitboss.paper.content import Note
    from pitboss.services.drafts import Cheques, NewSlip, Pen
    from pitboss.services.effects import Effect

# The template of a page that asks for a slip, and what it shows.
Look = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Raising:
    """A slip about to be raised: where, about which other slip, and what was entered for it."""

    kind: Kind
    table: Table | None = None
    original: Slip | None = None
    cheques: Cheques = field(default_factory=dict)
    # What the fields of the kind read, cheques apart, and whom or what its address names.
    given: Mapping[str, Any] = field(default_factory=dict)
    # What its address names besides table and other slip, as it stands there.
    named: Mapping[str, str | int] = field(default_factory=dict)
    # The badge of the person who signs it first, as far as is known.
    badge: str = ""
    # Made once where it is raised: under the locks is judged what the signer was shown.
    draft: NewSlip | None = None

    def new(self) -> NewSlip:
        """Return the slip as it is drafted. Raises Refused where there can be none."""
        return self.draft or self.kind.drafted(self)


def no_refusals(raising: Raising) -> Sequence[Refusal]:
    return ()


def drafted(raising: Raising) -> NewSlip:
    """Draft a slip of what was entered; what is no cheque is kept, and said on paper."""
    from pitboss.services.drafts import NewSlip

    asked = {item.name: item for item in raising.kind.asked}
    says = [[asked[name].label, asked[name].words(value)] for name, value in raising.given.items()]
    return NewSlip(
        raising.kind.kind,
        raising.table.pk if raising.table else None,
        raising.cheques,
        raising.original.pk if raising.original else None,
        {**raising.given, "says": says} if says else {},
    )


def heading(raising: Raising) -> str:
    """Say what is raised, and where."""
    title = raising.kind.title
    return f"{title} for {raising.table}" if raising.table else title


def nothing_more(raising: Raising, new: NewSlip) -> Mapping[str, Any]:
    return {}


def raised(slip: Slip) -> str:
    """Say that a slip is raised."""
    return f"{slip.title} {slip.serial} signed."


def to_slip(slip: Slip) -> str:
    """Go on to the slip itself."""
    return reverse("slip", args=[slip.serial])


def to_table(slip: Slip) -> str:
    """Go on to the table of a slip."""
    assert slip.table is not None, "a slip of a table"
    return reverse("table", args=[slip.table.name])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Kind(Flow):
    """All that one kind of slip is."""

    # Who may open the page that raises it, and the place of the rail that is lit meanwhile.
    open_to: frozenset[Role]
    lit_by: str
    paper: Form
    # What is asked on that page. A kind that asks nothing goes straight to the pad.
    asked: tuple[Field, ...] = ()
    at_a_table: bool = True
    # The kinds of which one may be named in the address, and whether one must.
    refers_to: tuple[str, ...] = ()
    must_refer: bool = False
    # How the way to it is called on a done slip that it may refer to; no way there unless told.
    offers: str = ""
    # It takes back a slip that is open, while no other steps of it than these are signed.
    withdraws: frozenset[str] = frozenset()
    # What it offers stays offered when there is one: a supplement follows another.
    comes_again: bool = False
    # It corrects a finished slip: see `correcting`. What it refers to may be a correction as well.
    corrects: bool = False
    # What its address names besides those, what is chosen on a page of its own until it does, and
    # what is locked of it where the slip is raised.
    begins: Callable[[PitRequest, Raising], Raising] | None = None
    chooses: Callable[[PitRequest, Raising], Look | None] | None = None
    locks: Callable[[Raising], Raising] | None = None
    # Why not, under the locks of the table and of the slip it refers to.
    refusals: Callable[[Raising], Sequence[Refusal]] = no_refusals
    # Whatever is entered they are the same, so they are said before anything is asked.
    refuses_at_once: bool = False
    # What stops its last step unless it is put right until then: said before anything is counted.
    ahead: Callable[[Raising], Sequence[Refusal]] = no_refusals
    # What decides its steps; its cheques alone unless told.
    facts: Callable[[Raising], PlanFacts] | None = None
    # What it turns out to be, by what was entered: maybe of another kind. Itself unless told.
    becomes: Callable[[Raising], Raising] | None = None
    drafted: Callable[[Raising], NewSlip] = drafted
    # What is done when it was refused under a signature and all else was rolled back.
    when_refused: Callable[[Raising, Refused, Pen], None] | None = None
    # What happens when a step is signed, under the name that stored plans have for it.
    effects: Mapping[str, Effect] = field(default_factory=dict)
    # What it suggests by itself: an address that asks for it leads straight to the pad.
    suggests: Callable[[PitRequest, Raising], Mapping[int, int]] | None = None
    # The page that asks has the pad too: nothing is reviewed between.
    is_signed_where_asked: bool = False
    # A page of its own to ask on, given what was refused.
    look: Callable[[PitRequest, Raising, Refused | None], Look] | None = None
    heading: Callable[[Raising], str] = heading
    # The way back from the page that raises it; its table, or its place of the rail, unless told.
    back: Callable[[Raising], Mapping[str, str]] | None = None
    # What the pad of its first signature shows besides: see `raise_page`.
    review: Callable[[Raising, NewSlip], Mapping[str, Any]] = nothing_more
    raised: Callable[[Slip], str] = raised
    # What stands on its paper besides cheques; what was entered unless told.
    writes: Callable[[Slip], list[tuple[str, str]]] | None = None
    # What is shown of a slip before it is signed besides what every slip shows, and what its page
    # tells in a template of its own, or nothing yet.
    shows: Callable[[Slip], Mapping[str, Any]] | None = None
    tells: Callable[[Slip], dict[str, Any] | None] | None = None
    # Whether a role that reads the kind must not read this slip yet.
    hides: Callable[[Slip, Role], bool] | None = None
    # By which paper on file the person who draws on it is known, in words; none where it is no
    # such paper of theirs.
    matches: Callable[[Slip, int], str] | None = None
    # What that person reads before they sign; what the slip keeps for it unless told.
    reads: Callable[[Slip], Mapping[str, Any]] | None = None
    # Ways on from an open slip that are only this kind's, besides those of every slip.
    ways: Callable[[Slip], list[dict[str, str]]] | None = None
    # What its ways out are called, and what the way is that leads on from one that was voided.
    void_label: str = "Void…"
    relief_label: str = "Release dealer…"
    corrected_label: str = ""
    # Notes on its paper besides those of every slip; what they say is not written above them too.
    notes: Callable[[Slip], list[Note]] | None = None
    # The blank form of an outage that it is entered from.
    on_paper: OnPaper | None = None
    # The page to go on to.
    goes_on: Callable[[Slip], str] = to_slip

    def at(
        self,
        table: Table | None = None,
        cheques: Cheques | None = None,
        original: Slip | None = None,
        **given: Any,
    ) -> Raising:
        """Return a slip of this kind about to be raised."""
        return Raising(self, table, original, {} if cheques is None else cheques, given)


def find_kinds() -> None:
    """Enter every kind of every app's `kinds` into the book; once found it stays the same."""
    for config in apps.get_app_configs():
        for kind in _kinds_in(config.module):
            known = FLOWS.setdefault(kind.kind, kind)
            assert known is kind, f"there are two kinds of slip called {kind.kind}"


def _kinds_in(app: ModuleType | None) -> Iterator[Kind]:
    if app is None or not any(
        module_info.name == "kinds" for module_info in iter_modules(app.__path__)
    ):
        return
    package = import_module(f"{app.__name__}.kinds")
    for found in iter_modules(package.__path__, f"{package.__name__}."):
        module = import_module(found.name)
        yield from (var for var in vars(module).values() if isinstance(var, Kind))


def kinds() -> list[Kind]:
    """Return every kind that is a module of its own."""
    return [flow for flow in FLOWS.values() if isinstance(flow, Kind)]


def is_hidden(slip: Slip, role: Role) -> bool:
    """Tell whether a slip is kept from a role for now, though it reads others of its kind."""
    kind = kind_named(slip.kind)
    return kind is not None and kind.hides is not None and kind.hides(slip, role)


def kind_named(name: str) -> Kind | None:
    """Return a kind that is a module of its own; none for another, and for what is no kind."""
    flow = FLOWS.get(name)
    return flow if isinstance(flow, Kind) else None


def the_kind(name: str) -> Kind:
    """Return a kind of which it is known that it is a module of its own."""
    kind = kind_named(name)
    assert kind is not None, f"{name} is no kind with a module of its own"
    return kind


def form_of(name: str) -> Form:
    """Return how a kind of slip is printed."""
    kind = kind_named(name)
    return kind.paper if kind is not None else HOUSE_FORM
