"""The API for a table's terminal: enter a hit, and follow what becomes of it.

Entering is a signature like any other: the dealer's badge and PIN stop the meter. A terminal that
sends the same key again gets the same jackpot.
"""

from __future__ import annotations

from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from jackpots.selectors.jackpots import Hit, hit_now, jackpots
from jackpots.services.jackpots import Entered, enter_jackpot, new_jackpot, to_correct
from pitboss.api_schema import problems
from pitboss.models import Signature, Table
from pitboss.selectors.slips import due_step
from pitboss.services.shown import request_shown
from pitboss.services.signing import Pen
from tables.api.schema import once_header
from tables.api.shapes import cards_field
from tables.api.terminals import TerminalView, terminal_of

_EXAMPLE = {
    "badge": "2019",
    "pin": "000000",
    "seat": 3,
    "wager": "blazing_7s",
    "player_cards": ["7h", "7h"],
    "dealer_cards": ["7h"],
    "round": "",
}


class EnterInput(serializers.Serializer[Any]):
    """A hit as the dealer keys it."""

    badge = serializers.CharField(max_length=12)
    pin = serializers.CharField(max_length=12, trim_whitespace=False)
    seat = serializers.IntegerField()
    wager = serializers.CharField(max_length=24)
    player_cards = cards_field(max_length=4)
    dealer_cards = cards_field(max_length=4)
    stake_cents = serializers.IntegerField(required=False, allow_null=True, default=None)
    locked_cents = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        help_text="What a vendor's controller locked, where one counts the meter.",
    )
    round = serializers.CharField(required=False, allow_blank=True, max_length=80, default="")
    replaces = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=20,
        default="",
        help_text="The rejected jackpot that this one corrects.",
    )


class StepShape(serializers.Serializer[Any]):
    """One step of a jackpot."""

    title = serializers.CharField()
    state = serializers.CharField()
    who = serializers.CharField()


class JackpotShape(serializers.Serializer[Any]):
    """A jackpot as it stands."""

    serial = serializers.CharField()
    state = serializers.CharField(help_text="pending, released, held, paid or rejected.")
    seat = serializers.IntegerField()
    category = serializers.CharField()
    award_cents = serializers.IntegerField()
    frozen_cents = serializers.IntegerField(allow_null=True)
    earlier_awards_cents = serializers.ListField(child=serializers.IntegerField())
    envy_cents = serializers.IntegerField()
    working = serializers.CharField()
    waits_for = serializers.ListField(
        child=serializers.CharField(), help_text="Jackpots that are processed first."
    )
    due = serializers.CharField(allow_null=True, help_text="The step that is waited for.")
    steps = StepShape(many=True)


class Jackpots(TerminalView):
    """The jackpots of this terminal's table."""

    @extend_schema(
        operation_id="enter_jackpot",
        request=EnterInput,
        parameters=[once_header()],
        examples=[OpenApiExample("Three sevens of hearts at seat 3", _EXAMPLE, request_only=True)],
        responses={201: JackpotShape, **problems(409, 415, 422, 429)},
    )
    def post(self, request: Request) -> Response:
        """Enter a hit: the meter stops at once, and the game waits until it is settled."""
        given = EnterInput(data=self.body(request))
        given.is_valid(raise_exception=True)
        data = given.validated_data
        terminal = terminal_of(request)
        table = Table.objects.get(pk=terminal.table.pk)
        asked = self.request_key(request, without="pin")
        pen = Pen(
            data["badge"], data["pin"], terminal.device, request_id(terminal.device.pk, asked.key)
        )
        entered = Entered(
            seat=data["seat"],
            wager=data["wager"],
            player_cards=tuple(data["player_cards"]),
            dealer_cards=tuple(data["dealer_cards"]),
            stake_cents=data["stake_cents"],
            round_key=data["round"],
            locked_cents=data["locked_cents"],
        )
        replaces = to_correct(data["replaces"], table)
        # The table changed with the entry; a resend stands on what was shown the first time.
        earlier = Signature.objects.filter(request_id=pen.request_id).first()
        shown = (
            earlier.shown
            if earlier
            else request_shown(new_jackpot(table, entered, replaces), table)
        )
        slip = enter_jackpot(table=table, entered=entered, pen=pen, shown=shown, replaces=replaces)
        return Response(_followed(hit_now(jackpots().get(slip=slip))), status=201)

    @extend_schema(
        operation_id="list_jackpots",
        responses={200: JackpotShape(many=True), **problems(429)},
    )
    def get(self, request: Request) -> Response:
        """List what is open at this table, right to left."""
        found = jackpots().filter(slip__table=terminal_of(request).table, slip__status="open")
        return Response([_followed(hit_now(each)) for each in found.order_by("-seat", "pk")])


class JackpotRead(TerminalView):
    """One jackpot of this terminal's table."""

    @extend_schema(
        operation_id="follow_jackpot", responses={200: JackpotShape, **problems(404, 429)}
    )
    def get(self, request: Request, serial: str) -> Response:
        """Follow a jackpot: what it is owed, and who is waited for."""
        found = jackpots().filter(slip__table=terminal_of(request).table)
        return Response(_followed(hit_now(get_object_or_404(found, slip__serial=serial))))


def request_id(device_id: int, key: str) -> UUID:
    """Return the id under which a terminal's key signs: the same for the same key."""
    return uuid5(NAMESPACE_URL, f"pitboss:terminal:{device_id}:{key}")


def _followed(hit: Hit) -> dict[str, Any]:
    due = due_step(hit.slip)
    return {
        "serial": hit.slip.serial,
        "state": hit.state,
        "seat": hit.jackpot.seat,
        "category": hit.jackpot.category,
        "award_cents": hit.figure.award_cents,
        "frozen_cents": hit.figure.frozen_cents,
        "earlier_awards_cents": [each.award_cents for each in hit.earlier_figures],
        "envy_cents": hit.jackpot.envy_cents,
        "working": hit.figure.working,
        "waits_for": [slip.serial for slip in hit.waits_for],
        "due": due["name"] if due else None,
        "steps": [
            {"title": step["title"], "state": step["state"], "who": step["who"]}
            for step in hit.steps
        ],
    }
