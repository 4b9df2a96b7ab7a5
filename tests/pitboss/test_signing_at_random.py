"""Sign random slips in random orders by random people, and look at what stands signed.

Hypothesis plays a floor on which most things go nearly right: a due signature with one thing wrong,
a step out of turn, a void begun, an officer relieved, a fill sent back. After each act an oracle,
written here from the house manual and sharing nothing with the rules, reads the rows and asks
whether any slip carries a signature that is missing, early, repeated, misplaced or of a wrong role,
and whether the cheques are where the signatures say. In the end every open slip must still have a
way out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from inventory.models import ChequeTransfer, Holder
from inventory.selectors.cheques import holding_of, tray_holdings
from pitboss.models import Device, JournalEntry, Person, Signature, Slip, Table, Waiting
from pitboss.rules.flows.flows import Track
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.services.shown import slip_shown
from pitboss.services.signing import NOTHING_MORE, Entry
from tests.floor.cast import Cast, add_person

pytestmark = pytest.mark.django_db

# ------------------------------------------------------------------ the oracle

SUPERVISORS = {"supervisor", "pit_manager", "shift_manager"}
MANAGERS = {"pit_manager", "shift_manager"}
SECURITY = {"security", "security_manager"}
CASHIERS = {"cashier", "cage_manager"}
WITNESSES = SECURITY | MANAGERS | {"surveillance", "surveillance_manager", "cage_manager"}

# Who signs a step, and on a device of which place.
SPEC: dict[str, tuple[set[str], str | None]] = {
    "requested": (SUPERVISORS, "pit"),
    "top_signed": (MANAGERS, None),
    "issued": (CASHIERS, "cage"),
    "carried": (SECURITY, "cage"),
    "agreed": ({"dealer"}, "pit"),
    "received": (SUPERVISORS, "pit"),
    "sent_back": (SUPERVISORS, "pit"),
    "carried_back": (SECURITY, "pit"),
    "counted_in": (CASHIERS, "cage"),
    "voided": (CASHIERS, "cage"),
    "void_witnessed": (WITNESSES, None),
    "relieved": ({"shift_manager"}, None),
    "taken_over": (SECURITY, None),
}
SAME_HANDS = [{"requested", "received"}, {"issued", "voided"}, {"taken_over", "carried_back"}]


def main_steps(slip: Slip) -> list[str]:
    if slip.kind == "fill_return":
        return ["sent_back", "carried_back", "counted_in"]
    top = ["top_signed"] if {"500000", "2000000"} & slip.cheques.keys() else []
    return ["requested", *top, "issued", "carried", "agreed", "received"]


def who_carries(slip: Slip, signed: dict[str, Signature]) -> int | None:
    if "taken_over" in signed:
        return signed["taken_over"].person_id
    if slip.refers_to is not None and slip.kind == "fill_return":
        return who_carries(slip.refers_to, by_step(slip.refers_to))
    return signed["carried"].person_id if "carried" in signed else None


def by_step(slip: Slip) -> dict[str, Signature]:
    return {signature.step: signature for signature in slip.signatures.all()}


def all_slips() -> list[Slip]:
    """Return every slip with all that the oracle looks at, in a few queries."""
    slips = Slip.objects.select_related("table").order_by("id")
    return list(
        slips.prefetch_related(
            "signatures__person",
            "signatures__device",
            "refers_to__signatures",
            "referred_by__signatures",
        )
    )


def check_signatures(slip: Slip, signatures: list[Signature]) -> None:
    """Each signature by itself: in order, by the right role, at the right place, counted."""
    steps = [signature.step for signature in signatures]
    main = [signature.step for signature in signatures if signature.track == "main"]
    assert main == main_steps(slip)[: len(main)], f"{slip}: {main}"
    for track, whole in (("void", ["voided", "void_witnessed"]),
                         ("relief", ["relieved", "taken_over"])):  # fmt: skip
        part = [signature.step for signature in signatures if signature.track == track]
        assert part == whole[: len(part)], f"{slip}: {part}"
        if part:
            # From the first signature of a way out to its last, nothing else is signed.
            begun = steps.index(part[0])
            assert steps[begun : begun + len(part)] == part, f"{slip}: {steps}"
            assert len(part) == len(whole) or steps[-1] == part[-1], f"{slip}: {steps}"
    if "voided" in steps:
        assert "carried" not in steps
    if slip.kind == "fill" and "relieved" in steps:
        assert steps.index("relieved") > steps.index("carried")

    so_far: dict[str, Signature] = {}
    for signature in signatures:
        roles, place = SPEC[signature.step]
        assert signature.role in roles, f"{slip}: {signature} is a {signature.role}"
        assert signature.place == signature.device.place, (
            f"{slip}: {signature} was at {signature.place}"
        )
        assert place in (None, signature.place), f"{slip}: {signature} was at {signature.place}"
        assert slip.table is not None
        assert signature.device.pit_id in (None, slip.table.pit_id), (
            f"{slip}: {signature} in another pit"
        )
        for earlier in so_far.values():
            if earlier.person_id == signature.person_id:
                assert {earlier.step, signature.step} in SAME_HANDS, (
                    f"{slip}: {signature} signed twice"
                )
        if signature.step in ("agreed", "taken_over"):
            assert signature.counted == slip.cheques, (
                f"{slip}: {signature} counted {signature.counted}"
            )
        if signature.step == "counted_in":
            assert signature.counted is not None
        if signature.step in ("voided", "relieved", "sent_back"):
            assert signature.reason.strip(), f"{slip}: {signature} gave no reason"
        if signature.step == "agreed":
            carries = who_carries(slip, so_far)
            assert carries is not None, f"{slip}: {signature} without a carrier"
            carrier = Person.objects.get(pk=carries)
            assert signature.facts == {"present": carrier.badge}, (
                f"{slip}: {signature} before {signature.facts}"
            )
        if signature.step == "carried_back":
            assert signature.person_id == who_carries(slip, so_far), (
                f"{slip}: {signature} carries back"
            )
        so_far[signature.step] = signature


def stands(slip: Slip) -> str:
    """Return the status that the signatures on a slip, and on its return, make."""
    steps = by_step(slip).keys()
    if "void_witnessed" in steps:
        return "voided"
    if main_steps(slip)[-1] in steps:
        return "done"
    back = [item for item in slip.referred_by.all() if item.kind == "fill_return"]
    if back:
        assert len(back) == 1, f"{slip} went back twice"
        return "returned" if "counted_in" in by_step(back[0]) else "returning"
    return "open"


def check_cheques(slips: list[Slip], tables: list[Table]) -> None:
    """Cheques are where the signatures say, each moved once; none came from nowhere."""
    trays: dict[int, Counter[int]] = defaultdict(Counter)
    carried: Counter[int] = Counter()
    moved: dict[int, list[tuple[int, str, str, int]]] = defaultdict(list)
    for cheque_transfer in ChequeTransfer.objects.all():
        moved[cheque_transfer.slip_id].append(
            (
                cheque_transfer.denomination_cents,
                cheque_transfer.source,
                cheque_transfer.target,
                cheque_transfer.count,
            )
        )
    for slip in slips:
        steps = by_step(slip).keys()
        ways = []
        if "carried" in steps:
            ways.append(("cage", "carrier"))
        if "received" in steps:
            ways.append(("carrier", "tray"))
            trays[slip.table_id or 0].update(slip.cheques_by_cents)
        if "counted_in" in steps:
            ways.append(("carrier", "cage"))
        if "carried" in steps and slip.status in ("open", "returning"):
            carried.update(slip.cheques_by_cents)
        expected = [
            (cents, source, target, count)
            for source, target in ways
            for cents, count in slip.cheques_by_cents.items()
        ]
        assert sorted(moved.pop(slip.pk, [])) == sorted(expected), f"{slip}: {ways}"
    assert not moved
    holdings = tray_holdings(tables)
    assert holdings == {table.pk: dict(trays[table.pk]) for table in tables}
    held = {holder: Counter(holding_of(holder)) for holder in (Holder.CAGE, Holder.CARRIER)}
    assert held[Holder.CARRIER] == carried
    in_the_house: Counter[int] = Counter()
    for part in (*held.values(), *map(Counter, holdings.values())):
        for cents, count in part.items():
            in_the_house[cents] += count
    for holder in (Holder.PUBLIC, Holder.VARIANCE):
        assert holding_of(holder) == {}
    # Nothing was received from the maker or destroyed, so all places together hold nothing.
    assert not any(in_the_house.values())


def check_floor() -> None:
    slips = all_slips()
    for slip in slips:
        check_signatures(slip, list(slip.signatures.all()))
        assert slip.status == stands(slip), f"{slip} is {slip.status}"
    waiting = Waiting.objects.filter(until=None).exclude(slip=None).values_list("slip", flat=True)
    assert sorted(waiting) == [slip.pk for slip in slips if slip.status == "open"]
    check_cheques(slips, list(Table.objects.order_by("pk")))
    for series in ("F", "R"):
        numbers = [slip.number for slip in slips if slip.series == series]
        assert numbers == list(range(1, len(numbers) + 1))


# ------------------------------------------------------------------ the players


@dataclass(frozen=True)
class Act:
    """One attempt to sign, as somebody on the floor might make it."""

    step: str
    track: Track
    person: Person
    device: Device | None
    entry: Entry
    is_stale: bool = False


def due_act(cast: Cast, slip: Slip, *, way_out: str = "") -> Act | None:
    """Return the signature that is due on a slip by the right person, or that begins a way out."""
    signed = by_step(slip)
    main = [item for item in main_steps(slip) if item not in signed]
    if not main or slip.status != "open":
        return None
    step, track = main[0], Track.MAIN
    if "voided" in signed or (way_out == "void" and slip.kind == "fill" and "carried" in main):
        step, track = ("void_witnessed" if "voided" in signed else "voided"), Track.VOID
    elif "relieved" in signed and "taken_over" not in signed:
        step, track = "taken_over", Track.RELIEF
    elif (
        way_out == "relief"
        and "relieved" not in signed
        and who_carries(slip, signed)
        and cast.heidi.pk not in {signature.person_id for signature in signed.values()}
    ):
        step, track = "relieved", Track.RELIEF
    person = right_person(cast, slip, step, signed)
    place = Place(SPEC[step][1] or "office")
    carrier = Person.objects.filter(pk=who_carries(slip, signed) or 0).first()
    entry = Entry(
        counted=slip.cheques_by_cents if step in ("agreed", "taken_over", "counted_in") else None,
        reason="Because." if step in ("voided", "relieved") else "",
        present_badge=carrier.badge if step == "agreed" and carrier else "",
    )
    return Act(step, track, person, cast.devices[place], entry)


def right_person(cast: Cast, slip: Slip, step: str, signed: dict[str, Signature]) -> Person:
    if step == "carried_back":
        carrier = who_carries(slip, signed)
        assert carrier is not None
        return Person.objects.get(pk=carrier)
    if step == "received":
        return signed["requested"].person
    used = {signature.person_id for signature in signed.values()}
    if step == "taken_over":
        used.add(who_carries(slip, signed) or 0)
    return next(p for p in cast.people if p.role in SPEC[step][0] and p.pk not in used)


@contextmanager
def a_floor_of_its_own() -> Iterator[None]:
    """Undo all that an example did, so that each starts on the same floor."""
    example = transaction.atomic()
    # As in Django's own test cases: acts that must be outermost may run inside this one.
    example._from_testcase = True  # type: ignore[attr-defined]
    with example:
        yield
        transaction.set_rollback(True)


NAMES = ["alice", "bob", "carol", "dan", "dora", "erin", "trent", "frank", "grace", "sybil",
         "heidi", "ivan", "judy", "olga"]  # fmt: skip
# Roles that someone may be given in the middle of a slip that they have signed already.
ROLES_GIVEN = {"supervisor", "pit_manager", "cashier", "security", "dealer"}
CHEQUES = [{2_500: 40}, {500_000: 1}, {10_000: 20, 500: 60}]
COUNTS = [None, {}, {2_500: 40}, {500_000: 1}, {10_000: 20, 500: 60}, {10_000: 20, 500: 59}]
PLACES = [*Place, "another pit", "no device"]
SLIPS = st.integers(0, 2)
# What may be wrong with a signature, and what it could be in place of what is right. "again" is a
# person who has signed this slip and is given the role for this step too.
WRONG: dict[str, list[Any]] = {
    "person": NAMES,
    "again": [0, 1, 2, 3, 4],
    "device": PLACES,
    "step": sorted(SPEC),
    "track": list(Track),
    "stale": [True],
    "counted": COUNTS,
    "reason": ["", "   "],
    "present": ["", "106", "107", "112", "999"],
}
MOVES: dict[str, st.SearchStrategy[Any]] = {
    "go on": st.tuples(st.just("go on"), SLIPS),
    "try": st.tuples(st.just("try"), SLIPS, st.sampled_from(sorted(WRONG))),
    "send back": st.tuples(st.just("send back"), st.sampled_from(NAMES[:4])),
    "ask": st.tuples(st.just("ask"), st.sampled_from(NAMES), st.sampled_from(CHEQUES)),
    "void": st.tuples(st.just("void"), SLIPS),
    "relief": st.tuples(st.just("relief"), SLIPS),
    "promote": st.tuples(
        st.just("promote"), st.sampled_from(NAMES), st.sampled_from(sorted(ROLES_GIVEN))
    ),
}
# How often each is played: most slips go on, and most attempts are at what is due.
OFTEN = {"go on": 6, "try": 6, "send back": 2, "ask": 1, "void": 1, "relief": 1, "promote": 2}
moves = st.sampled_from([name for name, times in OFTEN.items() for _ in range(times)]).flatmap(
    MOVES.__getitem__
)


class Play:
    """One example: moves on a floor, each followed by the oracle."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast

    def slip(self, index: int) -> Slip:
        """Return one of the newest slips that are still open, else of the newest."""
        slips = all_slips()
        lively = [slip for slip in slips if slip.status == "open"] or slips
        return lively[-3:][index % len(lively[-3:])]

    def device(self, where: Place | str) -> Device | None:
        if where == "another pit":
            return self.cast.other_pit_tablet
        return self.cast.devices[where] if isinstance(where, Place) else None

    def move(self, move: tuple[Any, ...]) -> None:
        kind, *rest = move
        match kind:
            case "ask":
                name, cheques = rest
                self.attempt(lambda: self.cast.ask(cheques, by=getattr(self.cast, name)))
            case "promote":
                self.promote(*rest)
            case "send back":
                self.send_back(getattr(self.cast, rest[0]))
            case _:
                self.move_slip(kind, *rest)

    def promote(self, name: str, role: str) -> None:
        """Give someone another role, but leave somebody in each."""
        person = getattr(self.cast, name)
        alike = Person.objects.filter(role=person.role).exclude(pk=person.pk)
        if alike.count() > 1:
            self.give(person, role)

    def send_back(self, by: Person) -> None:
        """Send back the newest fill that left the cage, or else the newest fill."""
        fills = [slip for slip in all_slips() if slip.kind == "fill"]
        away = [slip for slip in fills if slip.status == "open" and "carried" in by_step(slip)]
        self.attempt(lambda: self.cast.send_back((away or fills)[-1], by=by))

    def move_slip(self, kind: str, index: int, wrong: str = "") -> None:
        slip = self.slip(index)
        act = due_act(self.cast, slip, way_out=kind)
        if kind == "try":
            nothing_due = Act("issued", Track.MAIN, self.cast.erin, None, NOTHING_MORE)
            self.try_wrong(slip, act or nothing_due, wrong)
        elif act is not None:
            # What is due from the right person is never refused: no slip can be stuck.
            self.sign(slip, act)

    def try_wrong(self, slip: Slip, due: Act, wrong: str) -> None:
        """Try what is due with every other value of one thing, until one is taken."""
        entry = due.entry
        matters = {"counted": entry.counted, "reason": entry.reason, "present": entry.present_badge}
        if not matters.get(wrong, True):
            wrong = "again"
        for value in WRONG[wrong]:
            act = self.mutated(slip, due, wrong, value)
            if act is None or act == due:
                continue
            role = act.person.role
            if wrong == "again":
                self.give(act.person, min(SPEC[due.step][0]))
            is_taken = self.attempt(partial(self.sign, slip, act))
            self.give(act.person, role)
            if is_taken:
                return

    def give(self, person: Person, role: str) -> None:
        if person.role != role:
            Person.objects.filter(pk=person.pk).update(role=role)
            person.role = role

    def mutated(self, slip: Slip, act: Act, wrong: str, value: Any) -> Act | None:
        """Return an act with one thing changed; None where there is nothing to change it to."""
        match wrong:
            case "person":
                return replace(act, person=getattr(self.cast, value))
            case "again":
                signers = [signature.person_id for signature in by_step(slip).values()]
                people = [person for person in self.cast.people if person.pk in signers]
                return replace(act, person=people[value]) if value < len(people) else None
            case "device":
                return replace(act, device=self.device(value))
            case "step" | "track":
                return replace(act, **{wrong: value})
            case "stale":
                return replace(act, is_stale=True)
        field = {"present": "present_badge"}.get(wrong, wrong)
        return replace(act, entry=replace(act.entry, **{field: value}))

    def sign(self, slip: Slip, act: Act) -> None:
        pen = replace(self.cast.pen(act.person), device=act.device)
        shown = slip_shown(slip)
        signature = self.cast.sign(
            slip,
            act.step,
            act.person,
            entry=act.entry,
            track=act.track,
            pen=pen,
            shown=shown.replace('"open"', '"done"') if act.is_stale else shown,
        )
        assert signature.role == act.person.role, f"{signature} signs as {signature.role}"
        assert not act.is_stale or slip.status != "open", f"{signature} saw an old slip"

    def attempt(self, act: Callable[[], Any]) -> bool:
        """Try something that may be refused, when only the journal may grow; tell if it was not."""
        signed = Signature.objects.count()
        refusals = JournalEntry.objects.filter(kind="sign_refused").count()
        try:
            act()
        except Refused:
            assert Signature.objects.count() == signed
            kept = JournalEntry.objects.filter(kind="sign_refused").count()
            assert kept == refusals + 1
            return False
        assert Signature.objects.count() == signed + 1
        return True

    def end(self) -> None:
        """Bring every open slip to its end: each must have a way out."""
        for pk in Slip.objects.filter(status="open").order_by("-id").values_list("pk", flat=True):
            while True:
                slip = Slip.objects.get(pk=pk)
                act = due_act(self.cast, slip)
                if act is None:
                    break
                self.sign(slip, act)
        check_floor()
        assert not Slip.objects.filter(status__in=["open", "returning"]).exists()


def test_no_signed_slip_has_a_signature_that_should_not_be_there(cast: Cast) -> None:
    # A third, so that a shift manager can be given another role: the house keeps two.
    add_person("nina", "130", Role.SHIFT_MANAGER)
    endings: Counter[str] = Counter()

    @settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    # Each end of a slip is played at least once, whatever chance brings.
    @example([("void", 0), ("go on", 0)])
    @example([("go on", 0), ("go on", 0), ("go on", 0), ("send back", "alice")])
    @given(st.lists(moves, min_size=16, max_size=32))
    def play_a_floor(plays: list[tuple[Any, ...]]) -> None:
        with a_floor_of_its_own():
            for person in cast.people:
                person.refresh_from_db()
            play = Play(cast)
            cast.ask(CHEQUES[len(plays) % 3])
            for move in plays:
                signed = Signature.objects.count()
                play.move(move)
                if Signature.objects.count() != signed:
                    check_floor()
            play.end()
            endings.update(Slip.objects.values_list("status", flat=True))

    play_a_floor()
    # A play that never ended a slip in some way would prove nothing about that way.
    assert {"done", "voided", "returned"} <= endings.keys()


@pytest.mark.parametrize(
    ("position", "change"),
    [
        (4, {"role": "dealer"}),
        (4, {"place": "office"}),
        (1, {"track": "void"}),
        (2, {"step": "agreed"}),
        (3, {"counted": {"2500": 39}}),
        (3, {"facts": {"present": "107"}}),
        (3, {"facts": {}}),
    ],
    ids=str,
)
def test_the_oracle_objects_to_a_forged_signature(
    cast: Cast, position: int, change: dict[str, Any]
) -> None:
    fill = cast.ask({2_500: 40})
    cast.deliver(fill)
    signatures = list(fill.signatures.all())
    check_signatures(fill, signatures)
    for name, value in change.items():
        setattr(signatures[position], name, value)
    with pytest.raises(AssertionError):
        check_signatures(fill, signatures)


def test_the_oracle_objects_to_a_missing_an_early_and_a_repeated_signature(cast: Cast) -> None:
    fill = cast.ask({2_500: 40})
    cast.deliver(fill)
    signatures = list(fill.signatures.all())
    for forged in (
        signatures[1:],
        [*signatures[:2], *signatures[3:]],
        [*signatures[:3], signatures[4], signatures[3]],
        [*signatures, signatures[-1]],
    ):
        with pytest.raises(AssertionError):
            check_signatures(fill, forged)
    signatures[4].person = signatures[1].person
    with pytest.raises(AssertionError):
        check_signatures(fill, signatures)
