"""Enrolment of a device that is a program: a terminal, a cage system."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from pitboss.api_schema import problems
from pitboss.services.devices import enrol_device


class EnrolInput(serializers.Serializer[Any]):
    """The one-time code that a manager was given under Devices."""

    code = serializers.CharField(max_length=40)


class EnrolAnswer(serializers.Serializer[Any]):
    """The device, and the token that it alone will ever be told."""

    device = serializers.CharField()
    place = serializers.CharField()
    table = serializers.CharField(allow_null=True)
    token = serializers.CharField()


class Enrol(APIView):
    """Open to whoever holds a code: it is short-lived, works once, and a manager gave it out."""

    permission_classes = [AllowAny]

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        view: Any = super().as_view(**initkwargs)
        view.answers_for_itself = True
        return view

    @extend_schema(
        operation_id="enrol",
        auth=[],
        request=EnrolInput,
        responses={201: EnrolAnswer, **problems(415, 422)},
        examples=[OpenApiExample("A code", value={"code": "K7QM-3XZ2"}, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        """Enrol a device by its one-time code, or renew its token: the old one is dead then."""
        given = EnrolInput(data=request.data)
        given.is_valid(raise_exception=True)
        device, token = enrol_device(code=given.validated_data["code"])
        return Response(
            {
                "device": device.name,
                "place": device.place,
                "table": device.table.name if device.table else None,
                "token": token,
            },
            status=201,
        )
