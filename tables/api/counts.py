"""The API for counting machines: a file or rows delivered to the open count session."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from pitboss.api_auth import device_of
from pitboss.api_reading import read_body
from pitboss.api_schema import key_header, problems
from pitboss.rules.drop.deliveries import ROWS_MAX, MachineRow, file_of
from pitboss.rules.drop.figures import BILLS_CENTS
from pitboss.rules.drop.sessions import COLUMN_MAX, FILE_MAX
from pitboss.rules.refusal import refuse
from tables.api.system_view import SystemView
from tables.models import Scope
from tables.selectors.count_deliveries import IMPORTED, NOT_IMPORTED, WAITING
from tables.services.count_deliveries import deliver_counts, delivery_of, told_of
from tables.services.count_sessions import NAME_MAX

_PIECES_MAX = 999_999


class MachineRowInput(serializers.Serializer[Any]):
    """How many bills of one kind the machine found in a box."""

    box_tag = serializers.CharField(max_length=20)
    compartment = serializers.CharField(max_length=20, required=False, allow_blank=True)
    denomination_cents = serializers.ChoiceField(sorted(BILLS_CENTS))
    pieces = serializers.IntegerField(min_value=0, max_value=_PIECES_MAX)


class CountsInput(serializers.Serializer[Any]):
    """What a counting machine found: its own file, or rows. One of the two."""

    name = serializers.CharField(
        max_length=NAME_MAX,
        help_text="Of the file or of the run. With rows it keeps runs apart.",
    )
    machine = serializers.CharField(
        max_length=COLUMN_MAX,
        required=False,
        allow_blank=True,
        help_text="Whose columns the file has, as saved under Machines. Left out, the columns are "
        "`box_tag`, `compartment`, `denomination_cents`, `pieces`.",
    )
    file = serializers.CharField(
        max_length=FILE_MAX, required=False, trim_whitespace=False, help_text="A CSV with a header."
    )
    rows = serializers.ListField(child=MachineRowInput(), required=False, max_length=ROWS_MAX)


class DeliveryAnswer(serializers.Serializer[Any]):
    """A delivery and what became of it. No figure is told."""

    delivery = serializers.IntegerField()
    name = serializers.CharField()
    machine = serializers.CharField(allow_blank=True)
    boxes = serializers.ListField(child=serializers.CharField(), help_text="The tags it names.")
    state = serializers.ChoiceField([WAITING, IMPORTED, NOT_IMPORTED])
    at = serializers.DateTimeField()


_FILE = "box_tag,compartment,denomination_cents,pieces\n4011,A,2000,206\n"
_EXAMPLES = [
    OpenApiExample("File", value={"name": "run-412.csv", "file": _FILE}, request_only=True),
    OpenApiExample(
        "Rows",
        value={
            "name": "run-412",
            "rows": [{"box_tag": "4011", "denomination_cents": 2000, "pieces": 206}],
        },
        request_only=True,
    ),
]


class Counts(SystemView):
    """Files of a counting machine."""

    scope = Scope.COUNTS_WRITE
    made_at = "counts/{delivery}"

    @extend_schema(
        operation_id="deliver_counts",
        request=CountsInput,
        parameters=[key_header()],
        responses={201: DeliveryAnswer, **problems(409, 415, 422)},
        examples=_EXAMPLES,
    )
    def post(self, request: Request) -> HttpResponse:
        """Deliver a file or rows to the open count session. A member there takes it in."""
        said = read_body(CountsInput, request.data).validated_data
        if ("file" in said) == ("rows" in said):
            raise refuse("file_or_rows", "Send either `file` or `rows`.")
        told = {
            "device": device_of(request),
            "name": said["name"],
            # Rows have our own columns, whichever machine it was.
            "machine": said.get("machine", "") if "file" in said else "",
            "content": _content_of(said).encode(),
        }
        return self.once(request, lambda: deliver_counts(**told), status=201)


def _content_of(said: dict[str, Any]) -> str:
    if "file" in said:
        return str(said["file"])
    return file_of(said["name"], [MachineRow(**row) for row in said["rows"]])


class Delivery(SystemView):
    """A file that this machine delivered."""

    scope = Scope.COUNTS_WRITE

    @extend_schema(operation_id="read_delivery", responses={200: DeliveryAnswer, **problems(404)})
    def get(self, request: Request, number: int) -> Response:
        """Read whether a delivery was taken in."""
        return Response(told_of(delivery_of(device_of(request), number)))
