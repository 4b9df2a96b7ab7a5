"""A terminal's own table: read it, deal at it, call the supervisor, have a payout checked."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from pitboss.api_reading import read_body
from pitboss.api_schema import key_header, problems
from pitboss.api_types import in_order
from pitboss.rules.canonical import canonical, digest
from pitboss.services import house
from pitboss.services.once import Keep, answer_signed_once
from pitboss.services.pads import attested_by, attesting
from pitboss.translating import asked_language, in_language
from tables.api import shapes
from tables.api.examples import CHECKS
from tables.api.floor import AskAnswer
from tables.api.schema import after_parameter
from tables.api.terminals import KEPT_TO_READ, TerminalView, as_response, terminal_of
from tables.models import Dealing, PayoutCheck, PayoutConfirmation
from tables.selectors.floor_log import as_sent
from tables.selectors.table_read import read_table
from tables.services import approvals, calls, checks, dealers, mismatches
from tables.services.check_corrections import check_or_correct
from tables.services.terminals import Terminal


class TableRead(TerminalView):
    """This terminal's table."""

    @extend_schema(
        operation_id="read_table", responses={200: shapes.TableShape, **problems(422, 429)}
    )
    def get(self, request: Request) -> Response:
        """Read the game, the rules in force, pay tables, limits, meters, and who deals."""
        read = in_language(read_table(terminal_of(request)), asked_language(request))
        # The time of reading is not a change of the table.
        lasting = {name: value for name, value in read.items() if name != "at"}
        return Response(read, headers={"ETag": f'W/"{digest(canonical(lasting))}"'})


class DealerIn(TerminalView):
    """A dealer comes to the table."""

    @extend_schema(
        operation_id="dealer_in",
        request=shapes.BadgeInput,
        parameters=[key_header()],
        responses={200: shapes.DealerAnswer, **problems(409, 415, 422, 429)},
    )
    def post(self, request: Request) -> HttpResponse:
        """Tap a dealer in, in place of the one who dealt."""
        return _tap(self, request, dealers.tap_in, "tap_in")


class DealerOut(TerminalView):
    """A dealer leaves the table."""

    @extend_schema(
        operation_id="dealer_out",
        request=shapes.BadgeInput,
        parameters=[key_header()],
        responses={200: shapes.DealerAnswer, **problems(409, 415, 422, 429)},
    )
    def post(self, request: Request) -> HttpResponse:
        """Log a dealer out."""
        return _tap(self, request, dealers.tap_out, "tap_out")


class Calls(TerminalView):
    """Calls for the supervisor."""

    @extend_schema(
        operation_id="call_supervisor",
        request=shapes.CallInput,
        parameters=[key_header()],
        responses={200: shapes.CallAnswer, **problems(409, 415, 422, 429)},
    )
    def post(self, request: Request) -> HttpResponse:
        """Call the supervisor; a call that stands is not doubled."""
        given = read_body(shapes.CallInput, self.body(request))
        terminal, about = terminal_of(request), given.validated_data.get("about", "")

        def act() -> dict[str, Any]:
            call = calls.call_supervisor(terminal=terminal, about=about)
            return {"called_since": call.opened_at.isoformat()}

        return self.once(request, act)


class Checks(TerminalView):
    """Payouts to be checked."""

    made_at = "checks/{check}"

    @extend_schema(
        operation_id="list_checks",
        parameters=[after_parameter()],
        responses={200: shapes.ChecksPage, **problems(429)},
    )
    def get(self, request: Request) -> Response:
        """List the checks of this table in the last 7 days, oldest first, 100 to a page."""
        table = terminal_of(request).table
        found = PayoutCheck.objects.filter(table=table, at__gte=house.now() - KEPT_TO_READ)
        return self.page(request, found, lambda row: _as_answered(row, table.name))

    @extend_schema(
        operation_id="check_payout",
        request=shapes.check_of_any_wager(),
        parameters=[key_header()],
        responses={201: shapes.CheckAnswer, **problems(409, 415, 422, 429)},
        examples=[
            OpenApiExample(wager, value={"wager": wager, **told}, request_only=True)
            for wager, told in CHECKS.items()
        ],
    )
    def post(self, request: Request) -> HttpResponse:
        """Say whether a payout is right before the cheques leave, why, and in which cheques."""
        request_key, body = self.request_key(request), self.body(request)
        terminal = terminal_of(request)
        return as_response(check_or_correct(request_key, terminal=terminal, keyed=body))


_VERDICT: Final = shapes.VerdictShape()


def _as_answered(row: PayoutCheck, table: str) -> dict[str, Any]:
    """Return a check with its keys in the order in which it was answered."""
    sent = checks.as_sent(row, table)
    head = {name: value for name, value in sent.items() if name not in row.answer}
    verdict: dict[str, Any] = in_order(_VERDICT, row.answer)
    return head | verdict


class CheckRead(TerminalView):
    """One check of this table."""

    @extend_schema(
        operation_id="read_check", responses={200: shapes.CheckAnswer, **problems(404, 429)}
    )
    def get(self, request: Request, check_id: int) -> Response:
        """Read a check again, as it was answered."""
        terminal = terminal_of(request)
        return Response(_as_answered(_check_at(terminal, check_id), terminal.table.name))


class CheckPaid(TerminalView):
    """What was paid on a check."""

    made_at = "checks/{check}/paid"

    @extend_schema(
        operation_id="confirm_paid",
        request=shapes.PaidInput,
        parameters=[key_header()],
        responses={201: shapes.PaidAnswer, **problems(404, 409, 415, 422, 429)},
        examples=[
            OpenApiExample(
                "Paid a different amount", value={"paid_cents": 90_000}, request_only=True
            )
        ],
    )
    def post(self, request: Request, check_id: int) -> HttpResponse:
        """Confirm what was paid, once. Only an amount that differs is put before the supervisor."""
        terminal, told = terminal_of(request), self.body(request)
        check = _check_at(terminal, check_id)
        return self.once(
            request,
            lambda: mismatches.confirm_paid(terminal=terminal, check=check, told=told),
            status=201,
        )

    @extend_schema(
        operation_id="read_paid", responses={200: shapes.PaidAnswer, **problems(404, 429)}
    )
    def get(self, request: Request, check_id: int) -> Response:
        """Read what was confirmed as paid, and how the supervisor settled it."""
        check = _check_at(terminal_of(request), check_id)
        return Response(mismatches.as_sent(get_object_or_404(PayoutConfirmation, check_of=check)))


class CheckApproval(TerminalView):
    """The supervisor's yes to a payout."""

    made_at = "requests/{request}"

    @extend_schema(
        operation_id="ask_approval",
        request=None,
        parameters=[key_header()],
        responses={201: AskAnswer, **problems(404, 409, 415, 422, 429)},
    )
    def post(self, request: Request, check_id: int) -> HttpResponse:
        """Ask for approval before cheques go out. A standing approval grants it immediately."""
        self.no_body(request)
        terminal = terminal_of(request)
        check = _check_at(terminal, check_id)
        return self.once(
            request,
            lambda: as_sent(approvals.ask_approval(terminal=terminal, check=check)),
            status=201,
        )

    @extend_schema(operation_id="read_approval", responses={200: AskAnswer, **problems(404, 429)})
    def get(self, request: Request, check_id: int) -> Response:
        """Read what came of it."""
        floor_request = approvals.last_request(_check_at(terminal_of(request), check_id))
        if floor_request is None:
            raise NotFound("No approval was requested for this payout.")
        return Response(as_sent(floor_request))


def _check_at(terminal: Terminal, check_id: int) -> PayoutCheck:
    """Return a check of the terminal's own table, or answer 404."""
    return get_object_or_404(PayoutCheck, pk=check_id, table=terminal.table)


def _tap(view: TerminalView, request: Request, tap: Any, attests: str) -> HttpResponse:
    given = read_body(shapes.BadgeInput, view.body(request))
    pen, terminal = dict(given.validated_data), terminal_of(request)
    read = attested_by(attests, table=terminal.table.name).read_in(pen.pop("language"))

    def act(keep: Keep) -> None:
        with attesting(read.said()):
            tap(
                table_id=terminal.table.pk,
                **pen,
                device=terminal.device,
                then=lambda dealing: keep(_dealer(dealing)),
            )

    # No hash of a PIN is kept, in whatever company: six digits are soon tried.
    return as_response(answer_signed_once(view.request_key(request, without="pin"), act))


def _dealer(dealing: Dealing | None) -> dict[str, Any]:
    if dealing is None or dealing.ended_at is not None:
        return {"dealer": None}
    return {
        "dealer": {
            "badge": dealing.dealer.badge,
            "name": str(dealing.dealer),
            "since": dealing.began_at.isoformat(),
        }
    }
