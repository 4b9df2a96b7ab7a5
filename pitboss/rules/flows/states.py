"""Every state that a slip can come to, explored by the judge that decides on the floor.

A state is who signed what. People who can sign the same are interchangeable, so of all states that
differ only in their names one is looked at: the search is complete, and small. In each state every
signer is put before the judge, and what it allows is followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain, combinations, product
from typing import Any, Final, NamedTuple

from pitboss.rules.flows.asks import ASKS
from pitboss.rules.flows.flows import (
    TAKEN_OVER,
    Flow,
    PlanFacts,
    SlipStatus,
    Track,
    open_steps,
    repeatable,
    track_steps,
)
from pitboss.rules.flows.signing import SignFacts, carrier_of, sign_refusals
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import Place, Role

Plan = Sequence[Mapping[str, Any]]
Judge = Callable[[SignFacts], list[Refusal]]
# (track, step) of a signature, or ("original", step) of the slip that a return refers to.
Key = tuple[str, str]
ORIGINAL: Final = "original"
_DAY: Final = date(2026, 1, 1)
_PIT, _OTHER_PIT = 1, 2
_DEVICES: Final = (
    (None, None),
    (Place.PIT, _OTHER_PIT),
    *((place, _PIT if place is Place.PIT else None) for place in Place),
)
_LOW, _HIGH = {2_500: 1}, {500_000: 1}
_ANSWERS: Final = {
    name: next(iter(ask.choices)) if ask.choices else "R-1" for name, ask in ASKS.items()
}
# What hangs on a role and its step alone, and what hangs on whose turn it is alone.
_BY_ROLE: Final = frozenset({"wrong_role", "administrators_sign_nothing"})
_BY_TURN: Final = frozenset({"already_signed", "slip_closed", "out_of_order"})


class AbleSigner(NamedTuple):
    """One of several people who can sign the same: their group, and which of them."""

    group: str
    number: int


@dataclass(frozen=True, slots=True)
class SignerGroup:
    """People who can sign the same, and how many of them there are."""

    name: str
    department: str
    # The roles that each of them may have in a shift: their own, and those they may act in.
    roles: tuple[Role, ...]
    people: int


@dataclass(frozen=True, slots=True)
class SlipState:
    """Who has signed what, and where that leaves the slip."""

    signed: frozenset[tuple[Key, AbleSigner]]
    status: SlipStatus = SlipStatus.OPEN

    @property
    def hands(self) -> frozenset[AbleSigner]:
        """Who signed this slip; whoever signed the one that it returns is another matter."""
        return frozenset(hand for (track, _), hand in self.signed if track != ORIGINAL)

    def __str__(self) -> str:
        """Say who signed: “voided by cashier, issued by cage manager”."""
        return ", ".join(f"{step} by {hand.group}" for (_, step), hand in sorted(self.signed))


NOTHING_SIGNED: Final = SlipState(frozenset())


class StateMove(NamedTuple):
    """One signature that the judge allows, and the state that it leads to."""

    track: str
    to: SlipState


@dataclass(frozen=True, slots=True)
class Explored:
    """The whole graph of one plan: each state with every signature that can follow it."""

    plan: Plan
    moves: dict[SlipState, tuple[StateMove, ...]] = field(default_factory=dict)
    # What the judge let pass that the plan does not say.
    faults: list[str] = field(default_factory=list)

    def ended(self, status: SlipStatus) -> list[SlipState]:
        return [state for state in self.moves if state.status is status]


class _Marks(frozenset[str]):
    """Marks of a slip that remember which were asked for: only a flow knows its own."""

    asked: set[str]

    def __contains__(self, mark: object) -> bool:
        self.asked.add(str(mark))
        return super().__contains__(mark)


def plans_of(flow: Flow) -> list[Plan]:
    """Return every plan that a flow makes of any facts, each once.

    >>> from pitboss.rules.flows.book import FLOWS
    >>> [len(plan) for plan in plans_of(FLOWS["table_change"])]
    [3]
    """
    plans: dict[str, Plan] = {}
    asked: set[str] = set()
    known = -1
    # A mark may be asked for only where another is set, so look again until none is new.
    while known < len(asked):
        known = len(asked)
        for facts in _all_facts(sorted(asked), asked):
            plan = flow.plan(facts)
            plans.setdefault(repr(plan), plan)
    return list(plans.values())


def _all_facts(marks: Sequence[str], asked: set[str]) -> Iterator[PlanFacts]:
    both = (False, True)
    reporting = _subsets((Role.SECURITY, Role.SURVEILLANCE))
    for cheques, blind, differs, reported_by, over_line, some in product(
        (_LOW, _HIGH), both, both, reporting, both, _subsets(marks)
    ):
        seen = _Marks(some)
        seen.asked = asked
        yield PlanFacts(
            cheques=cheques,
            agrees_blind=blind,
            differs=differs,
            reported_by=reported_by,
            over_line=over_line,
            marks=seen,
        )


def _subsets(of: Sequence[Any]) -> list[tuple[Any, ...]]:
    return list(chain.from_iterable(combinations(of, size) for size in range(len(of) + 1)))


def explore(
    plan: Plan,
    groups: Sequence[SignerGroup],
    starts: Iterable[SlipState] = (NOTHING_SIGNED,),
    judge: Judge = sign_refusals,
) -> Explored:
    """Return every state that these people can bring a slip with this plan to."""
    search = _Search(Explored(plan), {group.name: group for group in groups}, judge)
    waiting = list(starts)
    while waiting:
        state = waiting.pop()
        if state not in search.explored.moves:
            moves = search.moves(state)
            search.explored.moves[state] = moves
            waiting.extend(move.to for move in moves)
    return search.explored


class _Search:
    """One search: the plan, the people, and the judge whom everything is put before."""

    def __init__(self, explored: Explored, groups: Mapping[str, SignerGroup], judge: Judge) -> None:
        self.explored = explored
        self.groups = groups
        self.judge = judge
        # Asked once, since a role fits a step or does not, whatever was signed.
        self.fitting = {
            (_key(step), group.name): tuple(
                role for role in group.roles if not self._codes(step, role) & _BY_ROLE
            )
            for step in explored.plan
            for group in groups.values()
        }
        self._tried_elsewhere: set[Key] = set()
        self._turns_seen: set[tuple[frozenset[Key], SlipStatus]] = set()

    def _codes(self, step: Mapping[str, Any], role: Role) -> set[str]:
        anybody = AbleSigner("", 0)
        facts = self._facts(NOTHING_SIGNED, step, role, anybody, {anybody: 1})
        return {refusal.code for refusal in self.judge(facts)}

    def moves(self, state: SlipState) -> tuple[StateMove, ...]:
        """Return every signature that the judge allows in a state."""
        hands = self._candidates(state)
        ids = {hand: number for number, hand in enumerate(hands, 1)}
        turns = self._turns(state)
        self._demand_turns(state, turns, hands[0], ids)
        found = []
        for step in self.explored.plan:
            for hand in hands if _key(step) in turns else ():
                allowed = self._allowed(state, step, hand, ids)
                if allowed is not None:
                    self._look_at(state, step, hand, allowed)
                    found.append(StateMove(step["track"], self._after(state, _key(step), hand)))
        return tuple(found)

    def _candidates(self, state: SlipState) -> list[AbleSigner]:
        """Return who may sign next: everyone who has, and one of each group who has not."""
        known = sorted({hand for _, hand in state.signed})
        fresh = []
        for group in self.groups.values():
            used = sum(hand.group == group.name for hand in known)
            if used < group.people:
                fresh.append(AbleSigner(group.name, used))
        return [*known, *fresh]

    def _turns(self, state: SlipState) -> set[Key]:
        """Return the steps that come next on their tracks."""
        if state.status is not SlipStatus.OPEN:
            return set()
        signed = dict.fromkeys((key for key, _ in state.signed), 0)
        # A slip comes to be with its first signature: before that there is no way out of it.
        tracks = Track if state.hands else (Track.MAIN,)
        return {
            _key(step) for track in tracks for step in open_steps(self.explored.plan, signed, track)
        }

    def _demand_turns(
        self, state: SlipState, turns: set[Key], hand: AbleSigner, ids: Mapping[AbleSigner, int]
    ) -> None:
        """Demand that the judge lets nothing be signed out of turn.

        Whose turn it is hangs on what was signed, not on who did or who asks: it is asked once.
        """
        what = frozenset(key for key, _ in state.signed), state.status
        if what in self._turns_seen or not state.hands:
            return
        self._turns_seen.add(what)
        for step in self.explored.plan:
            facts = self._facts(state, step, self.groups[hand.group].roles[0], hand, ids)
            codes = {refusal.code for refusal in self.judge(facts)}
            if _key(step) not in turns and not _BY_TURN & codes:
                self._fault(f"{step['name']} is signed out of turn")

    def _allowed(
        self,
        state: SlipState,
        step: Mapping[str, Any],
        hand: AbleSigner,
        ids: Mapping[AbleSigner, int],
    ) -> SignFacts | None:
        for role in self.fitting[_key(step), hand.group]:
            facts = self._facts(state, step, role, hand, ids)
            if not self.judge(facts):
                return facts
        return None

    def _look_at(
        self, state: SlipState, step: Mapping[str, Any], hand: AbleSigner, allowed: SignFacts
    ) -> None:
        """Look at a signature that was allowed: no one twice, and nowhere but at its place."""
        own = {
            name
            for (track, name), able_signer in state.signed
            if able_signer == hand and track != ORIGINAL
        }
        may_have = set(repeatable(step))
        if step["same_as"] is not None:
            may_have |= {step["same_as"], TAKEN_OVER}
        if own - may_have:
            self._fault(f"{step['name']} is signed by someone who signed {min(own - may_have)}")
        if _key(step) in self._tried_elsewhere:
            return
        # Once a step: where a device stands has nothing to do with what was signed.
        self._tried_elsewhere.add(_key(step))
        for place, pit in _DEVICES:
            taken = not self.judge(replace(allowed, device_place=place, device_pit_id=pit))
            fits = place is not None and pit != _OTHER_PIT and step["at"] in (None, place)
            if taken != fits:
                where = f"{place} of pit {pit}" if pit else str(place)
                self._fault(f"{step['name']} is {'' if taken else 'not '}signed at: {where}")

    def _fault(self, sentence: str) -> None:
        if sentence not in self.explored.faults:
            self.explored.faults.append(sentence)

    def _facts(
        self,
        state: SlipState,
        step: Mapping[str, Any],
        role: Role,
        hand: AbleSigner,
        ids: Mapping[AbleSigner, int],
    ) -> SignFacts:
        """Return a signature by someone who counts right and gives all that is asked."""
        signed = {key: ids[able_signer] for key, able_signer in state.signed}
        beside = step["in_presence_of"]
        place = Place(step["at"]) if step["at"] else Place.OFFICE
        return SignFacts(
            plan=self.explored.plan,
            track=step["track"],
            step=step["name"],
            status=state.status,
            signed=signed,
            signer_id=ids[hand],
            signer_role=role,
            signer_name=hand.group,
            signer_may_work=True,
            licence_ends=None,
            gaming_day=_DAY,
            device_place=place,
            device_pit_id=_PIT if place is Place.PIT else None,
            slip_pit_id=_PIT,
            shown_is_current=True,
            cheques=_LOW,
            counted=_LOW,
            present_id=carrier_of(signed, beside) if beside else None,
            reason="Because.",
            names={},
            figures_keyed={},
            has_drawing=True,
            id_matched=True,
            said=_ANSWERS,
        )

    def _after(self, state: SlipState, key: Key, hand: AbleSigner) -> SlipState:
        """Return the state that a signature leads to."""
        signed = {**dict(state.signed), key: hand}
        status = state.status
        for track, ending in ((Track.MAIN, SlipStatus.DONE), (Track.VOID, SlipStatus.VOIDED)):
            steps = track_steps(self.explored.plan, track)
            if key[0] == track and all(_key(step) in signed for step in steps):
                status = ending
        return canonical_state(signed, status)


def _key(step: Mapping[str, Any]) -> Key:
    return step["track"], step["name"]


def canonical_state(
    signed: Mapping[Key, AbleSigner], status: SlipStatus = SlipStatus.OPEN
) -> SlipState:
    """Return the one state for all that differ only in which of a group signed.

    >>> steps = ("main", "counted"), ("main", "verified")
    >>> one = dict(zip(steps, (AbleSigner("cashier", 0), AbleSigner("cashier", 1))))
    >>> two = dict(zip(steps, (AbleSigner("cashier", 7), AbleSigner("cashier", 3))))
    >>> canonical_state(one) == canonical_state(two)
    True
    """
    steps: dict[AbleSigner, list[Key]] = {}
    for key, hand in sorted(signed.items()):
        steps.setdefault(hand, []).append(key)
    names: dict[AbleSigner, AbleSigner] = {}
    used: dict[str, int] = {}
    for hand in sorted(steps, key=lambda step: (step.group, steps[step])):
        names[hand] = AbleSigner(hand.group, used.get(hand.group, 0))
        used[hand.group] = names[hand].number + 1
    return SlipState(frozenset((key, names[hand]) for key, hand in signed.items()), status)
