"""Boxes: two hundred counted boxes posted by one signature, against twenty.

A run pulls the boxes, two members count each of them twice, the main bank accepts the cash, and
accounting posts the session. What is measured is that last signature: slips, signatures, papers and
journal of every box in one act. Posting takes as long for each box, however many there are. A
database of its own is made for each and dropped.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from time import perf_counter
from typing import Any

from bench.databases import PROJECT, own_database
from bench.measuring import Measure

DATABASE = "pitboss_bench_boxes"
FEW, MANY = 20, 200
PROMISED_SECONDS = 2.0
# A box among two hundred may take this many times as long as one among twenty.
PROMISED_RATIO = 2.0


def run() -> Iterator[Measure]:
    """Post few boxes and many, and compare what each of them took."""
    few = Measure(f"{FEW} boxes posted", _posted(FEW), FEW)
    yield few
    many = Measure(
        f"{MANY} boxes posted", _posted(MANY), MANY, baseline=few, limit_seconds=PROMISED_SECONDS
    )
    yield many
    assert many.ratio is not None, "it is held against the few"
    if many.ratio > PROMISED_RATIO:
        sys.exit(f"A box among {MANY} takes {many.ratio:.1f} times as long as one among {FEW}.")


def _posted(boxes: int) -> float:
    """Return the seconds in which a session of so many boxes is posted."""
    with own_database(f"{DATABASE}_{boxes}") as environ:
        command = [sys.executable, "-m", "bench.boxes", str(boxes)]
        done = subprocess.run(command, cwd=PROJECT, env=environ, check=True, stdout=subprocess.PIPE)
        return float(json.loads(done.stdout)["seconds"])


# ------------------------------------------------------------------ in a process of its own


def post(boxes: int) -> dict[str, Any]:
    """Pull and count boxes as hands do in tests, and time how they are posted."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pitboss.settings")
    django.setup()
    from pitboss.models import Slip
    from pitboss.rules.roles import Place
    from tables.services.drops import boxes_to_count
    from tests.floor.cast import make_cast
    from tests.floor.count_sessions import accept, close, count_twice, ready
    from tests.floor.drop_runs import end, forty_tables, join, register, scan, start, watch

    cast = make_cast()
    tables = forty_tables(cast, pits=1, tables=boxes)
    old, new = range(4_001, 4_001 + boxes), range(6_001, 6_001 + boxes)
    for tags in (old, new):
        register(cast, f"{tags[0]}-{tags[-1]}")
    run = start(cast, f"{new[0]}-{new[-1]}")
    watch(cast, run)
    join(cast, run)
    for table, off, on in zip(tables, old, new, strict=True):
        scan(cast, run, table, str(off), str(on))
    end(cast, run)
    session = ready(cast)
    for pull in boxes_to_count():
        count_twice(cast, session, pull, {"cash_2000": 412_000})
    close(cast, session)
    accept(cast, session)
    began = perf_counter()
    cast.sign(session, "posted", cast.ruth, Place.OFFICE)
    seconds = perf_counter() - began
    assert Slip.objects.filter(kind="drop_count", status="done").count() == boxes
    return {"seconds": seconds}


if __name__ == "__main__":
    print(json.dumps(post(int(sys.argv[1]))))
