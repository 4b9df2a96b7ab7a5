"""The schema is typed to the last field, under names that a generator can use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.test import Client

# What says of which type a value is.
_SAYS_TYPE = {"type", "$ref", "oneOf", "anyOf", "allOf", "enum", "const"}
# A name that a generator made up where two shapes had the same one.
_MADE_UP = re.compile(r"(Input|Shape|Told)(Request)?$|[0-9a-f]{3}Enum$|^[a-z_]")


def schema() -> Any:
    return Client().get("/api/v1/schema/").json()


def untyped(found: Any, where: str) -> Iterator[str]:
    """Yield the places below a schema at which anything at all could stand."""
    if not isinstance(found, dict) or not _SAYS_TYPE & found.keys():
        yield where
        return
    kinds = found.get("type", [])
    if "object" in ([kinds] if isinstance(kinds, str) else kinds):
        if "properties" not in found and not isinstance(found.get("additionalProperties"), dict):
            yield where
        for name, inner in found.get("properties", {}).items():
            yield from untyped(inner, f"{where}.{name}")
        if isinstance(found.get("additionalProperties"), dict):
            yield from untyped(found["additionalProperties"], f"{where}.*")
    if "array" in ([kinds] if isinstance(kinds, str) else kinds):
        yield from untyped(found.get("items"), f"{where}[]")
    for how in ("oneOf", "anyOf", "allOf"):
        for number, inner in enumerate(found.get(how, ())):
            yield from untyped(inner, f"{where}.{how}{number}")


def test_a_free_object_is_found_wherever_it_stands() -> None:
    free = {"type": "object", "additionalProperties": {}}
    assert list(untyped({"type": "object"}, "it")) == ["it"]
    assert list(untyped(free, "it")) == ["it.*"]
    assert list(untyped({"type": "object", "properties": {"a": {}}}, "it")) == ["it.a"]
    assert list(untyped({"type": ["array", "null"]}, "it")) == ["it[]"]
    assert list(untyped({"oneOf": [{"type": "null"}, free]}, "it")) == ["it.oneOf1.*"]
    assert list(untyped({"type": "object", "properties": {}}, "it")) == []


def test_no_field_of_the_api_is_a_free_object() -> None:
    described = schema()
    for name, shape in described["components"]["schemas"].items():
        assert list(untyped(shape, name)) == []
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            for parameter in operation.get("parameters", []):
                assert list(untyped(parameter["schema"], f"{method} {path}")) == []


def test_every_body_and_every_answer_has_a_schema() -> None:
    described = schema()
    answers = dict(described["components"]["responses"])
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            for status, answer in operation["responses"].items():
                answers[f"{method} {path} {status}"] = answer
            if "requestBody" in operation:
                answers[f"{method} {path}"] = operation["requestBody"]
    for where, answer in answers.items():
        if "$ref" in answer:
            continue
        assert answer["content"], where
        for body in answer["content"].values():
            assert list(untyped(body.get("schema"), where)) == []


def test_shapes_and_operations_have_names_that_a_generator_can_use() -> None:
    described = schema()
    for name in described["components"]["schemas"]:
        assert name.isidentifier(), name
        assert not _MADE_UP.search(name), name
    named = [
        operation["operationId"]
        for operations in described["paths"].values()
        for operation in operations.values()
    ]
    assert len(named) == len(set(named))
    assert all(name.isidentifier() and name == name.lower() for name in named)
