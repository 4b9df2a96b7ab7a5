"""What is counted for Prometheus, over all processes of a node, by its own client.

Each process counts in a file of its own below PITBOSS_METRICS_FOLDER; `manage.py serve_metrics`
adds them up on a port that is not public. No label names a person, a patron, or a table.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter, Histogram

ACTS = Counter("pitboss_acts", "Acts that the journal has, by kind", ["kind"])
REFUSALS = Counter("pitboss_refusals", "Refusals, by their code", ["code"])
VERDICTS = Counter("pitboss_verdicts", "Payouts checked, by verdict", ["verdict"])
REQUESTS = Histogram(
    "pitboss_request_seconds",
    "Seconds until a request was answered",
    ["method", "route", "status"],
    buckets=(0.025, 0.05, 0.1, 0.15, 0.3, 1, 3, 10),
)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"})


def count_act(kind: str) -> None:
    """Count an act once it is stored."""
    transaction.on_commit(lambda: ACTS.labels(kind).inc())


def count_verdict(verdict: str) -> None:
    """Count a payout once its check is stored."""
    transaction.on_commit(lambda: VERDICTS.labels(verdict).inc())


def count_refusals(codes: Iterable[str]) -> None:
    """Count each reason that someone was given."""
    for code in codes:
        REFUSALS.labels(code).inc()


def count_request(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    """Count a request by its route, never by its address: that may name a table or a slip."""
    match = request.resolver_match
    route = match.route if match else "none"
    method = request.method if request.method in _METHODS else "other"
    REQUESTS.labels(method, route, f"{response.status_code // 100}xx").observe(seconds)
