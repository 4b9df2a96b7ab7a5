"""Corrections: the approval that posts one, against the signature that finished what it corrects.

A fill, a count, a marker, its payment and a counted box are each signed to the end and then
corrected, several times over, as hands do it in tests. The shortest of each is taken, since what
else the machine does only ever adds time. A database of its own is made for it and dropped.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from time import perf_counter
from typing import Any

from bench.databases import PROJECT, own_database
from bench.measuring import Measure

DATABASE = "pitboss_bench_corrections"
REPEATS = 5
# A correction may take so many times as long as a signature on what it corrects.
PROMISED_RATIO = 3.0
_KINDS = {
    "fill": "fill",
    "count": "count",
    "marker": "marker",
    "payment": "payment",
    "box": "drop",
}


def run() -> Iterator[Measure]:
    """Sign and correct each kind of slip, and compare."""
    with own_database(DATABASE) as environ:
        command = [sys.executable, "-m", "bench.corrections"]
        done = subprocess.run(command, cwd=PROJECT, env=environ, check=True, stdout=subprocess.PIPE)
        took: dict[str, float] = json.loads(done.stdout)
    slow = []
    for name in _KINDS:
        signed = Measure(f"{name}: its last signature", took[name])
        yield signed
        corrected = Measure(f"{name}: its correction approved", took[f"{name}_corrected"],
            baseline=signed, limit_seconds=PROMISED_RATIO * signed.seconds)  # fmt: skip
        yield corrected
        if not corrected.is_kept:
            slow.append(name)
    if slow:
        sys.exit(f"Corrected slower than {PROMISED_RATIO:.0f} signatures: {', '.join(slow)}.")


# ------------------------------------------------------------------ in a process of its own


def correct() -> dict[str, float]:
    """Sign and correct slips as hands do in tests, and time the last signature of each."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pitboss.settings")
    django.setup()
    from pitboss.models import Person, Slip
    from pitboss.rules.roles import Place, Role
    from pitboss.services.signing import NOTHING_MORE, Entry
    from tables.selectors.box_papers import copies_expected
    from tests.floor.cage import receive as receive_cheques
    from tests.floor.cast import add_person, make_cast
    from tests.floor.corrections import propose
    from tests.floor.drop_box import begin_count, pull, verify
    from tests.floor.markers import grant, issue, make_patron, receive, sign_as_patron

    took: defaultdict[str, list[float]] = defaultdict(list)
    cast = make_cast()
    carl, tina = (
        add_person("carl", "951", Role.CASHIER),
        add_person("tina", "952", Role.CAGE_MANAGER),
    )
    rosa = add_person("rosa", "953", Role.ACCOUNTING)
    tray = {10_000: 100, 2_500: 100}
    receive_cheques(cast, {10_000: 2_000, 2_500: 2_000})
    cast.deliver(cast.ask(tray))
    cast.open_table(tray)
    patron = make_patron(cast)
    grant(cast, patron, 100_000_000)

    def timed(
        name: str,
        slip: Slip,
        step: str,
        by: Person,
        place: Place = Place.PIT,
        entry: Entry = NOTHING_MORE,
    ) -> None:
        began = perf_counter()
        cast.sign(slip, step, by, place, entry=entry)
        took[name].append(perf_counter() - began)

    def corrected(
        name: str,
        slip: Slip,
        cheques: dict[int, int],
        approves: Person,
        approved_at: Place = Place.CAGE,
        **given: Any,
    ) -> None:
        right = propose(cast, f"{_KINDS[name]}_correction", slip, cheques, **given)
        timed(f"{name}_corrected", right, "approved", approves, approved_at)

    for turn in range(REPEATS):
        fill = cast.ask({10_000: 10})
        cast.carry(fill)
        cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill))
        timed("fill", fill, "received", cast.alice)
        corrected("fill", fill, {10_000: 9}, cast.heidi, Place.PIT)

        marker = issue(cast, patron, 100_000)
        sign_as_patron(cast, marker)
        cast.sign(marker, "dealer_signed", cast.dan)
        timed("marker", marker, "approved", cast.alice)
        corrected("marker", marker, {10_000: 9}, cast.trent, patron=patron, signed=True)

        paid = receive(cast, patron, cheques={10_000: 2})
        timed("payment", paid, "payment_verified", cast.alice)
        corrected("payment", paid, {10_000: 1}, tina, by=carl, place=Place.CAGE, cash=0)

        count = cast.count("count", tray)
        timed("count", count, "verified", cast.alice, entry=Entry(counted=tray))
        corrected("count", count, {**tray, 10_000: 99}, cast.carol, Place.PIT)

        cast.close_table(tray)
        box = pull(cast, new_box=f"B-3{turn:02}")
        copies = [copy.code for copy in copies_expected([box])[box.serial]]
        counted = begin_count(cast, box, {"cash_10000": 100_000}, copies)
        verify(cast, counted, {"cash_10000": 100_000})
        timed("box", counted, "posted", cast.ruth, Place.OFFICE)
        figures = {"documents": len(copies), "cash_10000": 130_000}
        corrected("box", counted, {}, cast.trent, by=rosa, place=Place.OFFICE, figures=figures)
        cast.open_table(tray)
    return {name: min(seconds) for name, seconds in took.items()}


if __name__ == "__main__":
    print(json.dumps(correct()))
