from __future__ import annotations
import cProfile, pstats, io, json
from uuid import uuid4
import pytest
from time import perf_counter
from django.db import connection
from django.test.utils import CaptureQueriesContext
from tests.floor.ratings import add_patron, know_edge, open_tables, seat, look
from tests.floor.terminals import TerminalClient, make_terminal
pytestmark = pytest.mark.django_db

def test_prof(cast):
    open_tables(cast.table, cast.other_table)
    know_edge(cast.table)
    ana = add_patron(cast, card="70014412")
    t = TerminalClient(make_terminal(cast.table))
    first = t.post("ratings", {"seat": 2, "card": "70014412"}, key=str(uuid4()))
    r = first.json()["rating"]
    def one():
        a = t.post(f"ratings/{r}/looks", {"bet_cents": 5000}, key=str(uuid4()))
        assert a.status_code == 201, a.content
    for _ in range(3): one()
    with CaptureQueriesContext(connection) as c:
        one()
    print(len(c))
    for q in c: print(q["time"], q["sql"][:400].replace("\n", " "))
    with CaptureQueriesContext(connection) as c:
        look(cast, r if not isinstance(r, int) else __import__("tables.models", fromlist=["PlayRating"]).PlayRating.objects.get(pk=r), 2500)
    print("TABLET", len(c))
    for q in c: print(q["time"], q["sql"][:300].replace("\n", " "))
    times=[]
    for _ in range(60):
        b=perf_counter(); one(); times.append(perf_counter()-b)
    print("median ms", sorted(times)[30]*1000)
    p = cProfile.Profile(); p.enable()
    for _ in range(60): one()
    p.disable()
    for sort in ("cumulative", "tottime"):
        s = io.StringIO(); pstats.Stats(p, stream=s).sort_stats(sort).print_stats(70); print(s.getvalue())
