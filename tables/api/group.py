"""The API for a group of houses: what each states of its closed days, and lists that it shares."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response

from inventory.services.list_sharing import share_list
from pitboss.api_auth import device_of
from pitboss.api_schema import problems
from pitboss.rules.patrons.exclusion import ListKind
from pitboss.rules.patrons.shared_lists import SHARED
from pitboss.rules.refusal import refuse
from tables.api.system_view import SystemView
from tables.models import Scope
from tables.services.statements import statements_after

_NUMBER_MAX = 2**31 - 1


class SignedStatement(serializers.Serializer[Any]):
    """What the house states of one closed gaming day, as it signed it."""

    number = serializers.IntegerField(help_text="Without a gap, from 1.")
    text = serializers.CharField(
        help_text="The statement itself: JSON, to the letter as it was signed. docs/group.md names "
        "its fields."
    )
    key_mark = serializers.CharField(help_text="The first 16 hex digits of the key’s SHA-256.")
    signature = serializers.CharField(
        help_text="Ed25519 in hex, of “pitboss statement”, a line feed, and the text."
    )


class StatementsAnswer(serializers.Serializer[Any]):
    """Statements in their order. What is not in them isn’t signed: trust no figure by it."""

    property = serializers.CharField()
    gaming_day = serializers.DateField(help_text="The gaming day that is played now.")
    closed_to = serializers.DateField(allow_null=True, help_text="The newest day that is closed.")
    newest = serializers.IntegerField(help_text="The number of the newest statement, or 0.")
    items = SignedStatement(many=True)
    is_whole = serializers.BooleanField(help_text="False where there is more to read now.")


class Statements(SystemView):
    """Signed statements of closed days."""

    scope = Scope.GROUP_READ

    @extend_schema(
        operation_id="read_statements",
        parameters=[
            OpenApiParameter(
                "after",
                type={"type": "integer", "minimum": 0, "maximum": _NUMBER_MAX},
                description="The statement that was read last; 0 reads from the first.",
            )
        ],
        responses={200: StatementsAnswer, **problems(409)},
    )
    def get(self, request: Request) -> Response:
        """Read the statements of closed gaming days after a number, in order."""
        after = request.query_params.get("after", "0")
        if not (after.isascii() and after.isdecimal()) or int(after[:20]) > _NUMBER_MAX:
            raise ParseError("“after” is the number of a statement.", "after_malformed")
        return Response(statements_after(int(after)))


class SignedList(serializers.Serializer[Any]):
    """A list of the house, to be imported at another property as a file."""

    text = serializers.CharField(help_text="The list itself: JSON, as it was signed.")
    key_mark = serializers.CharField()
    signature = serializers.CharField(
        help_text="Ed25519 in hex, of “pitboss list”, a line feed, and the text."
    )


class SharedList(SystemView):
    """A signed list of the house, for another property."""

    scope = Scope.LISTS_READ

    @extend_schema(
        operation_id="read_list",
        parameters=[
            OpenApiParameter(
                "name", location="path", enum=[each.value for each in SHARED], required=True
            )
        ],
        responses={200: SignedList, **problems(404, 409)},
    )
    def get(self, request: Request, name: str) -> Response:
        """Read a list of the house, signed. Each reading is in the journal."""
        if name not in tuple(SHARED):
            raise refuse("unknown_list", "No list of this name is shared. Check the address.", 404)
        return Response(share_list(kind=ListKind(name), person=None, device=device_of(request)))
