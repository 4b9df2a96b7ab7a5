"""Enrollment of a device that is a program: a terminal, a cage system."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from pitboss.api_auth import DeviceView, device_of
from pitboss.api_reading import read_body, read_key
from pitboss.api_schema import key_header, problems
from pitboss.models import Device
from pitboss.services.devices import enrol_device, rotate_token

# No one who saw a code may guess the key that it was used with.
_KEY_LEAST = 16


class EnrolInput(serializers.Serializer[Any]):
    """The one-time code that was shown when two people had let the device in."""

    code = serializers.CharField(max_length=40)


class EnrolAnswer(serializers.Serializer[Any]):
    """The device, and the token that it alone will ever be told."""

    device = serializers.CharField()
    place = serializers.CharField()
    table = serializers.CharField(allow_null=True)
    token = serializers.CharField()


class Enrol(APIView):
    """Open to the person who holds a code: it is short-lived, works once, and takes two people."""

    permission_classes = [AllowAny]

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        view: Any = super().as_view(**initkwargs)
        view.answers_for_itself = True
        return view

    @extend_schema(
        operation_id="enrol",
        # Said, not left out: no token is needed.
        auth=[{}],  # type: ignore[list-item]
        request=EnrolInput,
        responses={201: EnrolAnswer, **problems(415, 422)},
        parameters=[key_header(is_needed=False)],
        examples=[OpenApiExample("A code", value={"code": "K7QM-3XZ2"}, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        """Enroll a device by its one-time code, or renew its token: the old one is dead then.

        With an `Idempotency-Key` it may be sent again until the code expires: the token is the
        same.
        """
        given = read_body(EnrolInput, request.data)
        device, token = enrol_device(
            code=given.validated_data["code"],
            key=read_key(request, is_needed=False, least=_KEY_LEAST),
        )
        return Response(
            {
                "device": device.name,
                "place": device.place,
                "table": device.table.name if device.table else None,
                "token": token,
            },
            status=201,
        )


class TokenAnswer(serializers.Serializer[Any]):
    """The next token of a device, and when it ends if it is taken up now."""

    token = serializers.CharField()
    ends_at = serializers.DateTimeField()


class IsAnyDevice(BasePermission):
    """Let in every enrolled device, a table's terminal too."""

    message = "Only an enrolled device may call this."

    def has_permission(self, request: Request, view: Any) -> bool:
        return isinstance(request.auth, Device)


class Token(DeviceView):
    """A device that is a program asks for its next token before the one it has ends."""

    permission_classes = [IsAnyDevice]

    @extend_schema(
        operation_id="token",
        request=None,
        responses={201: TokenAnswer, **problems(400, 401, 403)},
    )
    def post(self, request: Request) -> Response:
        """Get the next token. The old one holds until the new one was used once."""
        token, ends_at = rotate_token(device_id=device_of(request).pk)
        return Response({"token": token, "ends_at": ends_at}, status=201)
