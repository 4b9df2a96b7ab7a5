"""People who do random things on a floor: mostly what is due, often a little wrong, never sorry.

One player has a seed of its own and acts through the services, as screens do: it reads, then signs
what it read, so that another player may have changed it meanwhile. What it tried and what came of
it stays in its trail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from random import Random
from typing import Any
from uuid import uuid4

from inventory.kinds.cage_count import CAGE_COUNT
from inventory.kinds.credit import CREDIT, CREDIT_RETURN
from inventory.kinds.fill import FILL, FILL_RETURN
from inventory.kinds.house_cheques import HOUSE_DESTRUCTION, HOUSE_RECEIPT
from inventory.selectors.cheques import cage_holding, tray_holding
from pitboss.models import Device, Person, Signature, Slip, Table, Waiting
from pitboss.rules.cheques.tray_counts import TRAY_COUNTS
from pitboss.rules.day.outages import form_number
from pitboss.rules.flows.flows import Track, due_step, next_step
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role, may_act_as
from pitboss.selectors.outages import frames
from pitboss.services import house
from pitboss.services.shown import FIGURES, slip_shown
from pitboss.services.signing import Entry, Pen, sign
from pitboss.slips.kind import Raising, the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.drop_count import DROP_COUNT
from tables.kinds.late import CODES
from tables.services.drops import (
    ask_to_wait,
    boxes_to_count,
    lift_wait,
)
from tests.floor.cast import pin_of
from tests.floor.drop_box import box_off
from tests.floor.late_papers import late_paper

Cheques = dict[int, int]
COLOURS = (10_000, 2_500, 500)
HIGH = 500_000
WAYS_OUT = (Track.VOID, Track.RELIEF)
# How often each is tried. Slips must go on far more often than new ones come.
OFTEN = {
    "go_on": 76,
    "spoil": 12,
    "way_out": 5,
    "again": 3,
    "fill": 4,
    "credit": 4,
    "count": 12,
    "send_back": 5,
    "cage": 3,
    "late": 3,
    "pull": 5,
    "count_box": 5,
    "wait": 1,
}
# A count holds only while no cheque moves, and a table with open slips neither opens nor closes:
# people finish such things first, and void a count that cannot be finished, or nothing on a busy
# floor would ever be counted.
FIRST_THINGS_FIRST = 0.5
GIVE_UP = 0.8


@dataclass
class Player:
    """One pair of hands with a seed; everything it chooses follows from that and what it reads."""

    random: Random
    people: list[Person]
    devices: Mapping[Place, Device]
    trail: list[str] = field(default_factory=list)
    # What was stored and may be sent again, with what it gave.
    sent: list[tuple[Callable[[], Any], int]] = field(default_factory=list)

    def act(self) -> None:
        """Do one thing, or be refused."""
        name = self.random.choices(list(OFTEN), weights=list(OFTEN.values()))[0]
        self.trail.append(name)
        try:
            getattr(self, f"_{name}")()
        except Refused as refused:
            self._note(f"refused {','.join(sorted(set(refused.codes)))}")

    def _note(self, words: str) -> None:
        self.trail[-1] += f": {words}"

    def _store(self, request: Callable[[], Any]) -> None:
        made = request()
        self._note(f"stored {made}")
        self.sent.append((request, made.pk))

    # ------------------------------------------------------------ choosing

    def _who(self, *roles: Role) -> Person:
        able = [p for p in self.people if any(may_act_as(Role(p.role), role) for role in roles)]
        return self.random.choice(able)

    def _pen(self, person: Person, place: Place) -> Pen:
        return Pen(person.badge, pin_of(person.badge), self.devices[place], uuid4())

    def _table(self) -> Table:
        tables = list(Table.objects.order_by("pk").values_list("pk", flat=True))
        return Table.objects.get(pk=self.random.choice(tables))

    def _some(self, most: int = 20) -> Cheques:
        colours = self.random.sample(COLOURS, self.random.randint(1, len(COLOURS)))
        if self.random.random() < 0.1:
            colours.append(HIGH)
        return {cents: self.random.randint(1, most) for cents in colours}

    def _near(self, held: Cheques, by: int, chance: float) -> Cheques:
        """Return a count of what should be there: the same, or off by a little in some colours."""
        found = {cents: max(0, number) for cents, number in held.items()}
        for cents in (*COLOURS, HIGH):
            if self.random.random() < chance:
                found[cents] = max(0, found.get(cents, 0) + self.random.randint(-by, by))
        return found

    def _open_slip(self, **which: Any) -> Slip | None:
        slips = Slip.objects.filter(status="open", **which).order_by("pk")
        return self._any_of(list(slips.values_list("pk", flat=True)))

    def _any_of(self, keys: Sequence[int]) -> Slip | None:
        return Slip.objects.get(pk=self.random.choice(keys)) if keys else None

    def _open_slip_first(self) -> Slip | None:
        """Return an open slip: mostly a count, or the oldest."""
        slips = Slip.objects.filter(status="open").order_by("pk").values_list("pk", "kind")
        counts = [key for key, kind in slips if kind in TRAY_COUNTS]
        keys = [key for key, _ in slips]
        if self.random.random() < FIRST_THINGS_FIRST:
            return self._any_of(counts or keys[:3])
        return self._any_of(keys)

    # ------------------------------------------------------------ slips that exist

    def _go_on(self) -> None:
        slip = self._open_slip_first()
        if slip is None:
            return
        if _is_overtaken(slip) and self.random.random() < GIVE_UP:
            self._leave(slip, Track.VOID)
        else:
            self._sign_due(slip)

    def _way_out(self) -> None:
        slip = self._open_slip()
        if slip is not None:
            self._leave(slip, self.random.choice(WAYS_OUT))

    def _leave(self, slip: Slip, track: Track) -> None:
        signed = _signed(slip)
        step = next_step(slip.plan, signed, track)
        if step is not None:
            self._sign(slip, step, self._signer(slip, step, signed), self._entry(slip, step))

    def _sign_due(self, slip: Slip) -> None:
        signed = _signed(slip)
        step = due_step(slip.plan, signed)
        if step is not None:
            self._sign(slip, step, self._signer(slip, step, signed), self._entry(slip, step))

    def _signer(
        self, slip: Slip, step: Mapping[str, Any], signed: Mapping[tuple[str, str], int]
    ) -> Person:
        """Return somebody who may sign a step, as far as the slip itself tells."""
        if step["same_as"] is not None and slip.refers_to is not None:
            original = {name: who for (_, name), who in _signed(slip.refers_to).items()}
            officer = original.get("taken_over", original.get("carried"))
            return next(p for p in self.people if p.pk == officer)
        used = {
            who for (_, name), who in signed.items() if name not in (step["may_repeat"] or "none")
        }
        roles = [Role(role) for role in step["roles"]]
        able = [p for p in self.people if Role(p.role) in roles and p.pk not in used]
        return self.random.choice(able or self.people)

    def _entry(self, slip: Slip, step: Mapping[str, Any]) -> Entry:
        present = ""
        if step["in_presence_of"] is not None:
            carried = {name: who for (_, name), who in _signed(slip).items()}
            officer = carried.get("taken_over", carried.get("carried"))
            present = next((p.badge for p in self.people if p.pk == officer), "")
        counts = step["counts"] or step["records"]
        return Entry(
            counted=slip.cheques_by_cents if counts else None,
            reason="It had to be." if step["needs_reason"] else "",
            present_badge=present,
            figures=slip.details[FIGURES] if step["figures"] else None,
        )

    def _sign(
        self, slip: Slip, step: Mapping[str, Any], person: Person, entry: Entry, stale: bool = False
    ) -> None:
        place = Place(step["at"]) if step["at"] else self.random.choice([Place.PIT, Place.OFFICE])
        pen = self._pen(person, place)
        shown = slip_shown(slip) + (" " if stale else "")
        self._note(f"{slip.serial} {step['name']} by {person.badge} at {place}")
        self._store(
            lambda: sign(
                slip_id=slip.pk,
                step=step["name"],
                pen=pen,
                shown=shown,
                entry=entry,
                track=Track(step["track"]),
            )
        )

    def _spoil(self) -> None:
        """Sign what is due with one thing wrong."""
        slip = self._open_slip()
        step = due_step(slip.plan, _signed(slip)) if slip is not None else None
        if slip is None or step is None:
            return
        person = self._signer(slip, step, _signed(slip))
        entry = self._entry(slip, step)
        wrong = self.random.choice(["person", "count", "step", "stale", "present", "place"])
        if wrong == "person":
            person = self.random.choice(self.people)
        elif wrong == "count":
            entry = replace(entry, counted=self._near(slip.cheques_by_cents, 2, 0.7))
        elif wrong == "step":
            step = self.random.choice(slip.plan)
        elif wrong == "present":
            entry = replace(entry, present_badge=self.random.choice(self.people).badge)
        elif wrong == "place":
            step = {**step, "at": self.random.choice(list(Place)).value}
        self._note(f"wrong {wrong}")
        self._sign(slip, step, person, entry, stale=wrong == "stale")

    def _again(self) -> None:
        """Send something again whose answer was lost: it gives what it gave, and does nothing."""
        if self.sent:
            request, key = self.random.choice(self.sent)
            again = request()
            self._note(f"again {again}")
            assert again.pk == key, f"a resend made {again}"

    # ------------------------------------------------------------ slips that are raised

    def _fill(self) -> None:
        table, cheques = self._table(), self._some(40)
        pen = self._pen(self._who(Role.SUPERVISOR), Place.PIT)
        self._raise(FILL.at(table, cheques), pen)

    def _credit(self) -> None:
        table, cheques = self._table(), self._some()
        pen = self._pen(self._who(Role.SUPERVISOR), Place.PIT)
        self._raise(CREDIT.at(table, cheques), pen)

    def _raise(self, raising: Raising, pen: Pen, reason: str = "") -> None:
        shown = shown_before(raising)
        self._store(lambda: raise_kind(raising, pen=pen, shown=shown, reason=reason))

    def _count(self) -> None:
        table = self._table()
        kinds = ["opener", "opener", "recount"]
        if table.is_open:
            kinds = ["closer", "closer", "count", "shift_count"]
        if self.random.random() < 0.1:
            kinds = ["opener", "closer", "count", "shift_count", "recount"]
        kind = self.random.choice(kinds)
        off = 0.3 if kind in ("opener", "recount") else 0.8
        counted = self._near(tray_holding(table), self.random.choice([3, 15, 60]), off)
        pen = self._pen(self._who(Role.DEALER), Place.PIT)
        self._note(f"{kind} of {table}")
        self._raise(the_kind(kind).at(table, counted), pen)

    def _send_back(self) -> None:
        # Mostly what can go back: somebody else has the cheques before them and counts.
        waits = Waiting.objects.filter(until=None, step__in=["agreed", "acknowledged"])
        which = {"pk__in": waits.values("slip")} if self.random.random() < 0.8 else {}
        slip = self._open_slip(kind__in=["fill", "credit"], **which)
        if slip is None:
            return
        why = "A line doesn’t match."
        if slip.kind == "fill":
            pen = self._pen(self._who(Role.SUPERVISOR), Place.PIT)
            self._raise(FILL_RETURN.at(slip.table, original=slip), pen, why)
        else:
            pen = self._pen(self._who(Role.CASHIER), Place.CAGE)
            self._raise(CREDIT_RETURN.at(slip.table, original=slip), pen, why)

    def _cage(self) -> None:
        what = self.random.choice(["count", "count", "receipt", "destruction"])
        self._note(what)
        if what == "count":
            counted = self._near(cage_holding(), self.random.choice([5, 80]), 0.8)
            pen = self._pen(self._who(Role.CASHIER), Place.CAGE)
            self._raise(CAGE_COUNT.at(cheques=counted), pen)
        elif what == "receipt":
            cheques = self._some(200)
            pen = self._pen(self._who(Role.CASHIER), Place.CAGE)
            self._raise(HOUSE_RECEIPT.at(cheques=cheques), pen, "Invoice 4471")
        else:
            cheques = self._some(10)
            pen = self._pen(self._who(Role.CAGE_MANAGER), Place.CAGE)
            self._raise(HOUSE_DESTRUCTION.at(cheques=cheques), pen, "Worn.")

    def _late(self) -> None:
        table = self._table()
        what = self.random.choice(["fill", "credit"])
        number = form_number(CODES[what], self.random.randint(1, 200))
        # Often after the line was back: most of the papers are of the outage itself.
        until = min((frame.ended_at or house.now() for frame in frames()), default=house.now())
        until = self.random.choice([house.now(), until, until])
        true_time = until - timedelta(minutes=self.random.choice([0, 1, 10, 60, 300]))
        paper = late_paper(what, table, true_time, number=number, cheques=self._some(most=4))
        pen = self._pen(self._who(Role.SUPERVISOR), Place.PIT)
        self._note(f"{what} of {table}")
        self._raise(paper, pen, "Outage.")

    def _pull(self) -> None:
        table, told = self._table(), house.now()
        pen = self._pen(self._who(Role.SECURITY), Place.PIT)
        self._raise(box_off(table, "B-1", told), pen)

    def _count_box(self) -> None:
        pull = boxes_to_count().first()
        if pull is None:
            return
        figures = {"cash_10000": 10_000 * self.random.randint(0, 50), "documents": 0}
        pen = self._pen(self._who(Role.COUNT_TEAM), Place.OFFICE)
        self._raise(DROP_COUNT.at(original=pull, figures=figures), pen)

    def _wait(self) -> None:
        table = self._table()
        pen = self._pen(self._who(Role.DEALER), Place.PIT)
        self.random.choice([ask_to_wait, lift_wait])(table=table, pen=pen)


def _is_overtaken(slip: Slip) -> bool:
    """Tell whether cheques moved since a count began: nobody can sign it any more."""
    if slip.tray_sequence is None or slip.table_id is None:
        return False
    return not Table.objects.filter(pk=slip.table_id, tray_sequence=slip.tray_sequence).exists()


def _signed(slip: Slip) -> dict[tuple[str, str], int]:
    return {
        (track, step): person
        for track, step, person in Signature.objects.filter(slip=slip)
        .order_by("pk")
        .values_list("track", "step", "person")
    }
