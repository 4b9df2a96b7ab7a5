"""The whole schema under fire: no answer that it does not describe, and never a crash."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from pitboss.models import Device
from pitboss.rules.canonical import digest
from pitboss.rules.roles import Place
from pitboss.wsgi import application
from tests.floor.cast import Cast
from tests.floor.terminals import make_terminal

COUNTED = {10_000: 40, 2_500: 80, 500: 100, 100: 40}
EXAMPLES = 15
CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.mark.django_db(transaction=True)
def test_no_request_gets_an_answer_that_the_schema_does_not_describe(cast: Cast) -> None:
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    fill = cast.ask()
    terminal = make_terminal(cast.table)
    cage = cast.devices[Place.CAGE]
    Device.objects.filter(pk=cage.pk).update(token_hash=digest(cage.name))
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema/", application)
    sent: Counter[str] = Counter()
    for found in schema.get_all_operations():
        assert isinstance(found, Ok), found
        operation = found.ok()
        is_cage = "cage" in operation.path or "slips" in operation.path
        fire(operation, (cage if is_cage else terminal).name, fill.serial, sent)
    assert len(sent) > 10
    assert min(sent.values()) >= 1


def fire(operation: Any, token: str, serial: str, sent: Counter[str]) -> None:
    """Send what the schema allows at one address, and hold each answer against the schema."""

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def send(case: Any) -> None:
        sent[operation.label] += 1
        if "serial" in (case.path_parameters or {}) and sent[operation.label] % 2:
            case.path_parameters["serial"] = serial
        # What is read here is the answer as it was written, not as a line packs it.
        fields = {"Authorization": f"Device {token}", "Accept-Encoding": "identity"}
        case.headers = {**(case.headers or {}), **fields}
        # A site without its process for events says so with a 503.
        is_away = operation.path == "/api/v1/events"
        case.validate_response(case.call(), checks=CHECKS[1:] if is_away else CHECKS)

    send()
