"""The API of the sandbox: codes, test hands, a reset of one table, answers, and the certificate.

It is no part of the promised schema, and no site but a sandbox has these addresses.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from pitboss.api_reading import read_body
from pitboss.demo_posts import TERMINAL_TABLE
from pitboss.models import Table
from tables import sandbox
from tables.api.terminals import TerminalView, terminal_of
from tables.models import FloorRequest, Scope
from tables.sandbox_hands import hands_to_try
from tables.selectors.floor_log import as_sent


def demand_sandbox() -> None:
    """Have no such address on any other site. Raises Http404."""
    if not settings.IS_SANDBOX:
        raise Http404("Only a sandbox has this address.")


class OpenView(APIView):
    """What anyone may ask of a sandbox: no one has a token yet."""

    permission_classes = [AllowAny]

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        view: Any = super().as_view(**initkwargs)
        view.answers_for_itself = True
        return view


class CodeInput(serializers.Serializer[Any]):
    """The table whose terminal is enrolled."""

    table = serializers.CharField(max_length=20, default=TERMINAL_TABLE)


@extend_schema(exclude=True)
class Code(OpenView):
    """A code to enroll a terminal with. In a real house two people give it."""

    def post(self, request: Request) -> Response:
        demand_sandbox()
        given = read_body(CodeInput, request.data)
        table = get_object_or_404(Table, name=given.validated_data["table"])
        return Response({"table": table.name, "code": sandbox.new_code(table)}, status=201)


class SystemInput(serializers.Serializer[Any]):
    """What another system of the house may do."""

    scopes = serializers.ListField(
        child=serializers.ChoiceField([scope.value for scope in Scope]),
        allow_empty=False,
        max_length=len(Scope),
    )


@extend_schema(exclude=True)
class System(OpenView):
    """Another system of the house with its scopes. In a real house two people grant each."""

    def post(self, request: Request) -> Response:
        demand_sandbox()
        given = read_body(SystemInput, request.data)
        # Once each, in the order of the list of scopes.
        scopes = [scope for scope in Scope if scope.value in given.validated_data["scopes"]]
        device, token = sandbox.new_system(scopes)
        answer = {"device": device.name, "scopes": scopes, "token": token}
        return Response(answer, status=201)


class SandboxView(TerminalView):
    """What a terminal asks of the sandbox, for its own table."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        demand_sandbox()
        super().initial(request, *args, **kwargs)

    def table(self, request: Request) -> Table:
        return Table.objects.select_related("pit").get(pk=terminal_of(request).table.pk)


@extend_schema(exclude=True)
class SandboxHands(SandboxView):
    """The test hands of this table."""

    def get(self, request: Request) -> Response:
        return Response(hands_to_try(self.table(request)))


@extend_schema(exclude=True)
class Reset(SandboxView):
    """This table with nothing open."""

    def post(self, request: Request) -> Response:
        self.no_body(request)
        return Response({"done": sandbox.reset(self.table(request))})


class AnswerInput(serializers.Serializer[Any]):
    """Yes, or no with a reason."""

    granted = serializers.BooleanField()
    reason = serializers.CharField(max_length=200, default="", allow_blank=True)


@extend_schema(exclude=True)
class Answer(SandboxView):
    """A request of this table, answered by the sandbox’s supervisor."""

    def post(self, request: Request, request_id: int) -> Response:
        given = read_body(AnswerInput, self.body(request)).validated_data
        asked = get_object_or_404(FloorRequest, pk=request_id, table=self.table(request))
        sandbox.answer(asked, is_granted=given["granted"], reason=given["reason"])
        asked.refresh_from_db()
        return Response(as_sent(asked))


@extend_schema(exclude=True)
class Certificate(SandboxView):
    """What this terminal has shown that it can do."""

    def get(self, request: Request) -> Response:
        return Response(sandbox.certificate(terminal_of(request).device, self.table(request)))


urlpatterns = [
    path("api/v1/sandbox/code", Code.as_view(), name="sandbox-code"),
    path("api/v1/sandbox/system", System.as_view(), name="sandbox-system"),
    path("api/v1/sandbox/hands", SandboxHands.as_view(), name="sandbox-hands"),
    path("api/v1/sandbox/reset", Reset.as_view(), name="sandbox-reset"),
    path(
        "api/v1/sandbox/requests/<int:request_id>/answer",
        Answer.as_view(),
        name="sandbox-answer",
    ),
    path("api/v1/sandbox/certificate", Certificate.as_view(), name="sandbox-certificate"),
]
