"""The API for HR: joiners, changes and leavers. What HR says is put before managers."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from pitboss.api_auth import device_of
from pitboss.api_reading import read_body
from pitboss.api_schema import problems
from pitboss.rules.people.told import TOLD_COLUMNS
from pitboss.rules.roles import Role
from pitboss.services.staff_words import put_staff
from tables.api.system_view import SystemView
from tables.models import Scope


class StaffInput(serializers.Serializer[Any]):
    """An employee as HR has them. What is left out is not compared."""

    is_employed = serializers.BooleanField(help_text="False for a leaver.")
    first_name = serializers.CharField(max_length=40)
    last_name = serializers.CharField(max_length=40)
    badge = serializers.CharField(max_length=12, required=False)
    role = serializers.ChoiceField([item.value for item in Role], required=False)
    licence_number = serializers.CharField(max_length=20, required=False, allow_blank=True)
    licence_ends = serializers.DateField(
        required=False, allow_null=True, help_text="Null where it doesn’t expire."
    )


class StaffState(serializers.Serializer[Any]):
    """What became of it. Nothing is changed by this call."""

    employee_number = serializers.CharField()
    state = serializers.ChoiceField(
        ["on_file", "waiting"],
        help_text="`on_file`: the house says the same. `waiting`: managers are notified.",
    )
    differs = serializers.ListField(
        child=serializers.ChoiceField(["is_employed", *TOLD_COLUMNS]),
        help_text="What isn’t the same on file.",
    )


class StaffPut(SystemView):
    """One employee, by employee number."""

    scope = Scope.STAFF_WRITE

    @extend_schema(
        operation_id="put_staff",
        request=StaffInput,
        responses={200: StaffState, **problems(409, 415, 422)},
        examples=[
            OpenApiExample(
                "Joiner",
                value={
                    "is_employed": True,
                    "first_name": "Ana",
                    "last_name": "Ruiz",
                    "role": "dealer",
                    "licence_number": "D-4471",
                    "licence_ends": "2027-12-31",
                },
                request_only=True,
            ),
            OpenApiExample(
                "Leaver",
                value={"is_employed": False, "first_name": "Ana", "last_name": "Ruiz"},
                request_only=True,
            ),
        ],
    )
    def put(self, request: Request, employee_number: str) -> Response:
        """Say that someone joined, changed, or left. Managers are notified; two of them sign."""
        said = dict(read_body(StaffInput, request.data).validated_data)
        is_employed = said.pop("is_employed")
        if "licence_ends" in said:
            ends = said["licence_ends"]
            said["licence_ends"] = ends.isoformat() if ends else ""
        with transaction.atomic(durable=True):
            return Response(
                put_staff(
                    device=device_of(request),
                    number=employee_number,
                    is_employed=is_employed,
                    fields=said,
                )
            )
