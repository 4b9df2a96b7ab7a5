"""The API's own description: the schema for machines, and a page for people made from it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularJSONAPIView

from pitboss import refusal_codes

schema = SpectacularJSONAPIView.as_view()
# Anyone who builds a terminal reads it before they have one.
schema.answers_for_itself = True  # type: ignore[attr-defined]


@require_GET
def docs(request: HttpRequest) -> HttpResponse:
    """Show every address of the API, what it takes and what it answers, by the schema itself."""
    described = _described()
    return render(
        request,
        "pitboss/api_docs.html",
        {
            "title": described["info"]["title"],
            "says": described["info"]["description"],
            "operations": [
                _operation(path, method, operation, described)
                for path, methods in described["paths"].items()
                for method, operation in methods.items()
            ],
        },
    )


@require_GET
def codes(request: HttpRequest) -> HttpResponse:
    """Show every code of the API, where the `type` of a problem leads."""
    return render(
        request,
        "pitboss/api_codes.html",
        {"codes": refusal_codes.codes(), "statuses": refusal_codes.WHAT_TO_DO},
    )


@cache
def _described() -> dict[str, Any]:
    """Return the schema. It is the same as long as the program is."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    described: dict[str, Any] = generator.get_schema(public=True)  # type: ignore[no-untyped-call]
    return described


def _operation(
    path: str, method: str, operation: dict[str, Any], described: dict[str, Any]
) -> dict[str, Any]:
    bodies = operation.get("requestBody", {}).get("content", {})
    return {
        "id": operation["operationId"],
        "method": method.upper(),
        "path": path,
        "says": operation.get("description", ""),
        "parameters": [
            {
                "name": parameter["name"],
                "where": parameter["in"],
                "required": parameter.get("required", False),
                "says": parameter.get("description", ""),
            }
            for parameter in operation.get("parameters", [])
        ],
        "takes": [
            field for body in bodies.values() for field in _fields(body["schema"], described)
        ],
        "examples": [
            {"name": example.get("summary", name), "value": json.dumps(example["value"], indent=2)}
            for body in bodies.values()
            for name, example in body.get("examples", {}).items()
        ],
        "answers": [
            {
                "status": status,
                "says": answer.get("description", ""),
                "fields": [
                    field
                    for kind, content in answer.get("content", {}).items()
                    if "problem" not in kind
                    for field in _fields(content["schema"], described)
                ],
            }
            for status, said in operation["responses"].items()
            for answer in [_answer(said, described)]
        ],
    }


def _fields(shape: dict[str, Any], described: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the fields of a shape, one level deep, as a table lists them."""
    shape = _resolved(shape, described)
    return [
        {
            "name": name,
            "kind": _kind(field, described),
            "required": name in shape.get("required", []),
            "says": field.get("description", ""),
        }
        for name, field in shape.get("properties", {}).items()
    ]


def _answer(said: dict[str, Any], described: dict[str, Any]) -> dict[str, Any]:
    """Return an answer; problems are written once for all addresses."""
    if "$ref" not in said:
        return said
    answer: dict[str, Any] = described["components"]["responses"][said["$ref"].rpartition("/")[2]]
    return answer


def _resolved(shape: dict[str, Any], described: dict[str, Any]) -> dict[str, Any]:
    for item in (shape, *shape.get("allOf", ())):
        if "$ref" in item:
            name = item["$ref"].rpartition("/")[2]
            resolved: dict[str, Any] = described["components"]["schemas"][name]
            return resolved
    return shape


def _kind(field: dict[str, Any], described: dict[str, Any]) -> str:
    field = _resolved(field, described)
    kind = field.get("type", "object" if "properties" in field else "any")
    if "enum" in field:
        return " or ".join(str(item) for item in field["enum"])
    if kind == "array":
        return f"list of {_kind(field['items'], described)}"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)
