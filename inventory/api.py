"""The API for a cage system: its queue, a slip as it stands, and a signature on it.

The same `sign` as on every screen: whatever a cage system sends, a person's badge and PIN sign it,
over the text that they were shown.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from pitboss.api_auth import DeviceView, IsAtTheCage, device_of
from pitboss.api_reading import read_body
from pitboss.api_schema import problems
from pitboss.api_types import choices_of, described
from pitboss.models import Slip, Waiting
from pitboss.rules.flows.asks import ANSWER_MAX
from pitboss.rules.flows.flows import REASON_MAX, SlipStatus, Track
from pitboss.rules.flows.reading import kinds_at
from pitboss.rules.roles import Place, Role
from pitboss.selectors.slips import due_step
from pitboss.selectors.waiting import waiting_at
from pitboss.services import house
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry, Pen, sign
from pitboss.views.forms import TEXT_MAX


def _choice(of: type[StrEnum], **options: Any) -> serializers.ChoiceField:
    return serializers.ChoiceField(choices=choices_of(of), **options)


class _SlipHead(serializers.Serializer[Any]):
    """A slip summary."""

    serial = serializers.CharField()
    kind = serializers.CharField()
    status = _choice(SlipStatus)
    table = serializers.CharField(allow_null=True)
    pit = serializers.CharField(allow_null=True)
    gaming_day = serializers.DateField()
    shift = serializers.CharField()
    cheques = serializers.DictField(child=serializers.IntegerField())
    total_cents = serializers.IntegerField()
    refers_to = serializers.CharField(allow_null=True)


class _QueueItem(serializers.Serializer[Any]):
    """One step that waits for the cage."""

    step = serializers.CharField()
    since = serializers.DateTimeField()
    slip = _SlipHead()


class _Queue(serializers.Serializer[Any]):
    """What waits for the cage."""

    limit_seconds = serializers.IntegerField()
    items = _QueueItem(many=True)


class _Due(serializers.Serializer[Any]):
    """The step that comes next, and what it asks of its signer."""

    track = _choice(Track)
    name = serializers.CharField()
    by = serializers.ListField(child=_choice(Role))
    at = _choice(Place, allow_null=True)
    attests = serializers.CharField(allow_null=True, allow_blank=True)
    counts = serializers.BooleanField()
    records = serializers.BooleanField()
    needs_reason = serializers.BooleanField()
    in_presence_of = serializers.CharField(allow_null=True)
    asks = serializers.ListField(child=serializers.CharField())


class _Signed(serializers.Serializer[Any]):
    """One signature."""

    track = _choice(Track)
    step = serializers.CharField()
    signed_as = serializers.CharField(help_text="The signer's name and license.")
    signed_at = serializers.DateTimeField()


class _SlipShape(_SlipHead):
    """A slip as it stands, with the text to hand back when it is signed."""

    due = _Due(allow_null=True)
    signatures = _Signed(many=True)
    shown = serializers.CharField()


class _SignAnswer(_Signed):
    """The signature, and the slip after it."""

    slip = _SlipShape()


class CageQueue(DeviceView):
    """What waits for the cage, longest first."""

    permission_classes = [IsAtTheCage]

    @extend_schema(operation_id="cage_queue", responses={200: _Queue, **problems()})
    def get(self, request: Request) -> Response:
        """Read what waits for the cage, longest first."""
        waits = (
            waiting_at(Place.CAGE)
            .filter(slip__kind__in=kinds_at(Place.CAGE))
            .select_related("slip__table__pit")
            .prefetch_related("slip__signatures")
        )
        return Response(
            {
                "limit_seconds": house.settings_at(house.now()).wait_limit_seconds,
                "items": [_item(wait) for wait in waits],
            }
        )


class SlipDetail(DeviceView):
    """One slip as it stands, with the text to hand back when it is signed."""

    @extend_schema(operation_id="read_slip", responses={200: _SlipShape, **problems(404)})
    def get(self, request: Request, serial: str) -> Response:
        """Read a slip as it stands."""
        return Response(_detail(_slip(serial)))


# `sign` reads it, so that a malformed count is a refused attempt like any other.
_COUNTED = {
    "type": "object",
    "additionalProperties": {"type": "integer", "minimum": 0},
    "description": 'Cheques by denomination in cents: `{"2500": 7}`.',
}


class _SignInput(serializers.Serializer[Any]):
    badge = serializers.CharField(max_length=12)
    pin = serializers.CharField(max_length=12, trim_whitespace=False)
    track = serializers.ChoiceField(choices=choices_of(Track), default="main")
    step = serializers.CharField(max_length=24)
    shown = serializers.CharField(max_length=TEXT_MAX, trim_whitespace=False)
    request_id = serializers.UUIDField()
    counted = described(serializers.DictField, _COUNTED)(
        required=False, allow_null=True, default=None
    )
    reason = serializers.CharField(max_length=REASON_MAX, allow_blank=True, default="")
    present_badge = serializers.CharField(max_length=12, allow_blank=True, default="")
    said = serializers.DictField(child=serializers.CharField(max_length=ANSWER_MAX), default=dict)


class SlipSign(DeviceView):
    """Sign one step of a slip; a resend with the same request id gets the same answer."""

    @extend_schema(
        operation_id="sign_slip",
        request=_SignInput,
        responses={200: _SignAnswer, **problems(404, 409, 415, 422)},
    )
    def post(self, request: Request, serial: str) -> Response:
        """Sign one step of a slip; `request_id` makes it safe to send again."""
        slip = _slip(serial)
        given = read_body(_SignInput, request.data)
        data = given.validated_data
        signature = sign(
            slip_id=slip.pk,
            step=data["step"],
            track=Track(data["track"]),
            pen=Pen(data["badge"], data["pin"], device_of(request), data["request_id"]),
            shown=data["shown"],
            entry=Entry(
                counted=data["counted"],
                reason=data["reason"],
                present_badge=data["present_badge"],
                said=data["said"],
            ),
        )
        return Response(
            {
                "step": signature.step,
                "track": signature.track,
                "signed_as": signature.signed_as,
                "signed_at": signature.signed_at,
                "slip": _detail(_slip(serial)),
            }
        )


def _slip(serial: str) -> Slip:
    slips = Slip.objects.select_related("table__pit", "refers_to").prefetch_related("signatures")
    slip: Slip = get_object_or_404(slips, serial=serial)
    return slip


def _item(wait: Waiting) -> dict[str, Any]:
    assert wait.slip is not None
    return {"step": wait.step, "since": wait.since, "slip": _head(wait.slip)}


def _head(slip: Slip) -> dict[str, Any]:
    return {
        "serial": slip.serial,
        "kind": slip.kind,
        "status": slip.status,
        "table": slip.table.name if slip.table else None,
        "pit": slip.table.pit.name if slip.table else None,
        "gaming_day": slip.gaming_day,
        "shift": slip.shift,
        "cheques": slip.cheques,
        "total_cents": slip.total_cents,
        "refers_to": slip.refers_to.serial if slip.refers_to else None,
    }


def _detail(slip: Slip) -> dict[str, Any]:
    due = due_step(slip)
    return {
        **_head(slip),
        "due": None if due is None else {key: due.stored()[key] for key in _Due().get_fields()},
        "signatures": [
            {
                "track": signature.track,
                "step": signature.step,
                "signed_as": signature.signed_as,
                "signed_at": signature.signed_at,
            }
            for signature in slip.signatures.all()
        ],
        "shown": slip_shown(slip),
    }
