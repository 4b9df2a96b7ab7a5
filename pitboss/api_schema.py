"""How the API describes itself: every answer, problems included, in OpenAPI."""

from __future__ import annotations

import re
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers

from pitboss.api_auth import SCHEME


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
    415: "The body is not JSON.",
    422: "The facts given are refused, each with its code.",
    429: "Too many requests. `Retry-After` says how long to wait.",
    503: "Not at the moment. `Retry-After` says how long to wait.",
}


def problems(*statuses: int) -> dict[tuple[int, str], Any]:
    """Return the problems that an address may answer, for its schema."""
    return {
        (status, "application/problem+json"): OpenApiResponse(ProblemShape, _SAYS[status])
        for status in (400, 401, 403, *statuses)
    }


class DescribedSchema(AutoSchema):
    """Operations with a summary, the first sentence of what they say, and names for generators."""

    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        """Return the name of a shape as a program will have it: `Check`, not `CheckInput`."""
        name: str = super().get_serializer_name(serializer, direction)
        return re.sub(r"(Input|Shape|Told)$", "", name.lstrip("_"))

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
