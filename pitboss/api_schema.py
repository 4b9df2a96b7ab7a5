"""How the API describes itself: every answer, problems included, in OpenAPI."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from pitboss.api_auth import SCHEME
from pitboss.api_reading import KEY_HEADER, KEY_MAX


class RefusalShape(serializers.Serializer[Any]):
    """One reason: a stable code for machines, a sentence for people."""

    code = serializers.CharField(help_text="Stable: act on this.")
    message = serializers.CharField(help_text="For people: what is wrong and what to do.")
    field = serializers.CharField(required=False, help_text="Where in the body, if anywhere.")


class ProblemShape(serializers.Serializer[Any]):
    """A problem document (RFC 9457)."""

    type = serializers.CharField(help_text="Where the first code is explained.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    refusals = RefusalShape(many=True)


_SAYS = {
    400: "The body or a header cannot be read.",
    401: "Missing or invalid token.",
    403: "This device or this person isn’t allowed to.",
    404: "Not found at this table.",
    405: "This address does not take that method.",
    409: "Conflict: the request is out of sequence, or the key was used for a different request.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    422: "The facts given are refused, each with its code.",
    429: "Too many requests. `Retry-After` says how long to wait.",
    500: "Pitboss has a problem. Report the `Request-Id`.",
    503: "Not at the moment. `Retry-After` says how long to wait.",
}


def problems(*statuses: int) -> dict[tuple[int, str], Any]:
    """Return the problems that an address may answer, for its schema."""
    takes_body = {413} if 415 in statuses else set()
    return {
        (status, "application/problem+json"): OpenApiResponse(ProblemShape, _SAYS[status])
        for status in sorted({400, 401, 403, 405, 429, 500, 503, *statuses, *takes_body})
    }


def key_header(*, is_needed: bool = True) -> OpenApiParameter:
    """Return the header that names an act."""
    return OpenApiParameter(
        KEY_HEADER,
        type={"type": "string", "minLength": 1, "maxLength": KEY_MAX, "pattern": "^[!-~]{1,64}$"},
        location=OpenApiParameter.HEADER,
        required=is_needed,
        description="New for each act, the same when it is sent again: it is done once, and the "
        "answer is kept for 7 days. Best a UUID.",
    )


# Between what an operation says and what is said of its answers.
_SAYS_WHERE = "x-says-where"


class DescribedSchema(AutoSchema):
    """Operations with a summary, the first sentence of what they say, and names for generators."""

    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        """Return the name of a shape as a program will have it: `Check`, not `CheckInput`."""
        name: str = super().get_serializer_name(serializer, direction)
        return re.sub(r"(Input|Shape|Told)$", "", name.lstrip("_"))

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        """Return an operation, with whether what it makes is read somewhere."""
        operation: dict[str, Any] | None = super().get_operation(*args, **kwargs)
        made_at: Any = getattr(self.view, "made_at", None)
        if operation is not None and made_at:
            operation[_SAYS_WHERE] = True
        return operation

    def get_summary(self) -> str | None:
        said = " ".join((self.get_description() or "").split())
        return re.split(r"(?<=[.;:]) ", said)[0].rstrip(".;:") or None


def one_path_for_one_address(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Put operations under one path where their paths differ only in what a part is called.

    A round is read by its number and put by the key of who sends it.
    """
    paths: dict[str, Any] = {}
    first: dict[str, str] = {}
    named = re.compile(r"{([^}]*)}")
    for path, operations in result["paths"].items():
        kept = first.setdefault(named.sub("{}", path), path)
        names = dict(zip(named.findall(path), named.findall(kept), strict=True))
        for operation in operations.values():
            for parameter in operation.get("parameters", []):
                if parameter["in"] == "path":
                    parameter["name"] = names[parameter["name"]]
        paths.setdefault(kept, {}).update(operations)
    return {**result, "paths": paths}


_HEADERS = {
    "Request-Id": ("string", "Report it with a problem: the house finds the request by it."),
    "RateLimit-Policy": ("string", "How many requests a minute a device may send."),
    "RateLimit": ("string", "How many of them are left, and in how many seconds all are back."),
    "ETag": ("string", "Send it back as `If-None-Match`."),
    "Location": ("string", "Where what was made is read."),
    "Idempotent-Replayed": ("string", "`true` where this is the first answer once more."),
    "Retry-After": ("integer", "For how many seconds to wait."),
}


def closed_and_with_headers(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Say that no body has other fields, and which headers come with each answer."""
    for name, shape in result["components"]["schemas"].items():
        if name.endswith("Request") and "properties" in shape:
            shape["additionalProperties"] = False
    result["components"]["headers"] = {
        name: {"description": says, "schema": {"type": kind}}
        for name, (kind, says) in _HEADERS.items()
    }
    kept: dict[str, Any] = {}
    for operations in result["paths"].values():
        for method, operation in operations.items():
            has_token = {} not in operation["security"]
            says_where = operation.pop(_SAYS_WHERE, False)
            for status, answer in operation["responses"].items():
                came = _headers_of(method, status, has_token=has_token, says_where=says_where)
                if KEY_HEADER in _names_of(operation) and status.startswith("2"):
                    came.append("Idempotent-Replayed")
                answer["headers"] = {
                    name: {"$ref": f"#/components/headers/{name}"} for name in came
                }
                if int(status) >= HTTPStatus.BAD_REQUEST:
                    # The same at every address: written once.
                    kept[f"Problem{status}"] = answer
                    operation["responses"][status] = {
                        "$ref": f"#/components/responses/Problem{status}"
                    }
    result["components"]["responses"] = dict(sorted(kept.items()))
    return result


def _names_of(operation: Mapping[str, Any]) -> set[str]:
    return {item["name"] for item in operation.get("parameters", [])}


def _headers_of(method: str, status: str, *, has_token: bool, says_where: bool) -> list[str]:
    names = ["Request-Id"]
    if status in ("429", "503"):
        names.append("Retry-After")
    if not has_token or not status.startswith("2"):
        return names
    names += ["RateLimit-Policy", "RateLimit"]
    if status == "200" and method == "get":
        names.append("ETag")
    if status == "201" and says_where:
        names.append("Location")
    return names


class DeviceScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """`Authorization: Device <token>`."""

    target_class = "pitboss.api_auth.DeviceAuthentication"
    name = "device"
    says = "the secret that the device got when it enrolled."

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": SCHEME,
            "description": f"`{SCHEME} <token>`: {self.says}",
        }
