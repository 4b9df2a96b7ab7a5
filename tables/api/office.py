"""The API for accounting, HR, surveillance: a closed day, employees, moments at tables."""

from __future__ import annotations

import csv
from datetime import date
from io import StringIO
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response

from pitboss.api_schema import problems
from pitboss.rules.day.general_ledger import TITLES, Account, EntryLine
from pitboss.rules.roles import Role
from pitboss.selectors.people import employees
from tables.api.system_view import SystemView
from tables.models import Scope
from tables.selectors.bookmarks import bookmarks_after
from tables.selectors.general_ledger import LedgerDay, ledger_day

ENTRY_MAX = 2**62


def read_after(request: Request) -> int:
    """Return the journal entry that was read last. Raises ParseError."""
    after = request.query_params.get("after", "0")
    if not (after.isascii() and after.isdecimal()) or int(after[:20]) > ENTRY_MAX:
        raise ParseError("“after” is the number of a journal entry.", "after_malformed")
    return int(after)


def after_entry() -> OpenApiParameter:
    """Return the parameter that a feed of the journal is read on by."""
    return OpenApiParameter(
        "after",
        type={"type": "integer", "minimum": 0, "maximum": ENTRY_MAX},
        description="The journal entry that was read last; 0 reads from the beginning.",
    )


def _read_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ParseError("Write the gaming day as 2026-11-17.", "day_malformed") from None


class LedgerLine(serializers.Serializer[Any]):
    """One line of a journal entry. One of the two amounts is 0."""

    table = serializers.CharField(allow_blank=True, help_text="Empty for the cage and the bank.")
    pit = serializers.CharField(allow_blank=True)
    about = serializers.ChoiceField([item.value for item in Account])
    title = serializers.CharField()
    account = serializers.CharField(help_text="As the house numbers it.")
    debit_cents = serializers.IntegerField()
    credit_cents = serializers.IntegerField()


class LedgerAnswer(serializers.Serializer[Any]):
    """A closed day. Debits and credits are equal, of each table and in all."""

    gaming_day = serializers.DateField()
    debit_cents = serializers.IntegerField()
    credit_cents = serializers.IntegerField()
    lines = LedgerLine(many=True)


class Ledger(SystemView):
    """A closed day for the general ledger."""

    scope = Scope.LEDGER_READ

    @extend_schema(operation_id="read_ledger_day", responses={200: LedgerAnswer, **problems(409)})
    def get(self, request: Request, day: str) -> Response:
        """Read the journal entries of a closed gaming day."""
        found = ledger_day(_read_day(day))
        return Response(
            {
                "gaming_day": found.gaming_day.isoformat(),
                "debit_cents": found.debit_cents,
                "credit_cents": found.credit_cents,
                "lines": [
                    {
                        "table": line.table,
                        "pit": line.pit,
                        "about": line.about.value,
                        "title": TITLES[line.about],
                        "account": line.account,
                        "debit_cents": line.debit_cents,
                        "credit_cents": line.credit_cents,
                    }
                    for line in found.lines
                ],
            }
        )


class LedgerFile(SystemView):
    """A closed day for the general ledger, as a file."""

    scope = Scope.LEDGER_READ

    @extend_schema(
        operation_id="read_ledger_file",
        responses={(200, "text/csv"): OpenApiTypes.STR, **problems(409)},
    )
    def get(self, request: Request, day: str) -> HttpResponse:
        """Read the journal entries of a closed gaming day as CSV, amounts in dollars."""
        found = ledger_day(_read_day(day))
        return HttpResponse(_csv_of(found), content_type="text/csv; charset=utf-8")


def _csv_of(found: LedgerDay) -> str:
    file = StringIO()
    out = csv.writer(file)
    out.writerow(["gaming_day", "account", "title", "table", "pit", "debit", "credit"])
    for line in found.lines:
        out.writerow([found.gaming_day.isoformat(), *_cells(line)])
    return file.getvalue()


def _cells(line: EntryLine) -> list[str]:
    sides = (line.debit_cents, line.credit_cents)
    amounts = [f"{cents // 100}.{cents % 100:02}" if cents else "" for cents in sides]
    return [line.account, TITLES[line.about], line.table, line.pit, *amounts]


class Employee(serializers.Serializer[Any]):
    """Someone who works here, or did."""

    employee_number = serializers.CharField()
    badge = serializers.CharField()
    first_name = serializers.CharField()
    last_name = serializers.CharField()
    role = serializers.ChoiceField([item.value for item in Role])
    has_access = serializers.BooleanField(help_text="False once their access is removed.")
    licence_number = serializers.CharField(allow_blank=True)
    licence_ends = serializers.DateField(allow_null=True)


class StaffAnswer(serializers.Serializer[Any]):
    """Everyone whom the house knows, by employee number."""

    items = Employee(many=True)


class Staff(SystemView):
    """Employees for an HR system."""

    scope = Scope.STAFF_READ

    @extend_schema(operation_id="list_staff", responses={200: StaffAnswer, **problems()})
    def get(self, request: Request) -> Response:
        """List every employee with role, access, and license, to compare with HR."""
        return Response({"items": employees()})


class Bookmark(serializers.Serializer[Any]):
    """A moment at a table."""

    entry = serializers.IntegerField(help_text="Hand the last one back as `after`.")
    at = serializers.DateTimeField()
    table = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    event = serializers.CharField(help_text="An event of a webhook, or `incident`.")
    title = serializers.CharField()
    serial = serializers.CharField(allow_blank=True)


class BookmarksAnswer(serializers.Serializer[Any]):
    """Moments at tables, in the order of the journal."""

    items = Bookmark(many=True)
    next = serializers.IntegerField()
    is_whole = serializers.BooleanField(help_text="False where there is more to read now.")


class Bookmarks(SystemView):
    """Moments at tables for a surveillance system."""

    scope = Scope.BOOKMARKS_READ

    @extend_schema(
        operation_id="read_bookmarks",
        parameters=[after_entry()],
        responses={200: BookmarksAnswer, **problems()},
    )
    def get(self, request: Request) -> Response:
        """Read what to bookmark on the recordings after a journal entry, in order."""
        return Response(bookmarks_after(read_after(request)))
