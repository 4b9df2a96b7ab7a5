"""The API for a table's terminal: enter a hit, and follow what becomes of it.

Entering is a signature like any other: the dealer's badge and PIN stop the meter. A terminal that
sends the same key again gets the same jackpot.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypedDict, get_args
from uuid import NAMESPACE_URL, UUID, uuid5

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from jackpots.models import Jackpot
from jackpots.selectors.jackpots import HitShown, HitState, hit_now, jackpots
from jackpots.services.jackpots import Entered
from pitboss.api_reading import read_body
from pitboss.api_schema import key_header, problems
from pitboss.api_types import serializer_of
from pitboss.models import Signature, Slip, Table
from pitboss.rules.payouts.big_wins import BIG_WIN
from pitboss.rules.payouts.jackpot_flows import JACKPOT
from pitboss.rules.refusal import refuse
from pitboss.selectors.slips import due_step, role_words
from pitboss.services.pads import shown_in
from pitboss.services.signing import Pen
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.api.shapes import LanguageInput, cards_field
from tables.api.terminals import TerminalView, terminal_of
from tables.models import PayoutCheck

_EXAMPLE = {
    "badge": "2019",
    "pin": "000000",
    "seat": 3,
    "wager": "blazing_7s",
    "player_cards": ["7h", "7h"],
    "dealer_cards": ["7h"],
    "round": "",
}


class EnterInput(LanguageInput):
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


StepState = Literal["done", "now", "next", "skipped", "stopped"]
STEP_STATES: Final = get_args(StepState)


class Step(TypedDict):
    """One step of a jackpot."""

    title: str
    state: StepState
    who: str


class JackpotAnswer(TypedDict):
    """A jackpot as it stands."""

    serial: str
    state: HitState
    seat: int
    category: str
    award_cents: int
    frozen_cents: int | None
    earlier_awards_cents: list[int]
    envy_cents: int
    working: str
    waits_for: Annotated[list[str], "Jackpots that are processed first."]
    due: Annotated[str | None, "The step that is waited for."]
    steps: list[Step]


JackpotShape = serializer_of(JackpotAnswer)


class Jackpots(TerminalView):
    """The jackpots of this terminal's table."""

    made_at = "jackpots/{serial}"

    @extend_schema(
        operation_id="enter_jackpot",
        request=EnterInput,
        parameters=[key_header()],
        examples=[OpenApiExample("Three sevens of hearts at seat 3", _EXAMPLE, request_only=True)],
        responses={201: JackpotShape, **problems(409, 415, 422, 429)},
    )
    def post(self, request: Request) -> Response:
        """Enter a hit: the meter stops at once, and the game waits until it is settled."""
        given = read_body(EnterInput, self.body(request))
        data = given.validated_data
        terminal = terminal_of(request)
        table = Table.objects.get(pk=terminal.table.pk)
        request_key = self.request_key(request, without="pin")
        pen = Pen(
            data["badge"],
            data["pin"],
            terminal.device,
            request_id(terminal.device.pk, request_key.key),
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
        replaces = _to_correct(data["replaces"], table)
        raising = the_kind(JACKPOT).at(table, original=replaces, entered=entered)
        # The table changed with the entry; a resend stands on what was shown the first time.
        earlier = Signature.objects.filter(request_id=pen.request_id).first()
        shown = earlier.shown if earlier else shown_before(raising)
        with shown_in(data["language"]):
            slip = raise_kind(raising, pen=pen, shown=shown)
        return Response(_followed(hit_now(jackpots().get(slip=slip))), status=201)

    @extend_schema(
        operation_id="list_jackpots",
        responses={200: JackpotShape(many=True), **problems(429)},
    )
    def get(self, request: Request) -> Response:
        """List what is open at this table, right to left."""
        found = _at(request, JACKPOT).filter(slip__status="open")
        return Response([_followed(hit_now(jackpot)) for jackpot in found.order_by("-seat", "pk")])


def _to_correct(serial: str, table: Table) -> Slip | None:
    """Return the jackpot that a new entry corrects; none for no serial. Raises Refused."""
    if not serial:
        return None
    slip = Slip.objects.filter(serial=serial, table=table, kind=JACKPOT).first()
    if slip is None:
        raise refuse("unknown_slip", f"{table} has no jackpot {serial}.")
    return slip


class JackpotRead(TerminalView):
    """One jackpot of this terminal's table."""

    @extend_schema(
        operation_id="follow_jackpot", responses={200: JackpotShape, **problems(404, 429)}
    )
    def get(self, request: Request, serial: str) -> Response:
        """Follow a jackpot: what it is owed, and who is waited for."""
        found = _at(request, JACKPOT)
        return Response(_followed(hit_now(get_object_or_404(found, slip__serial=serial))))


class BigWinInput(LanguageInput):
    """Whose signature enters a check as a big win. What was won, the check says."""

    badge = serializers.CharField(max_length=12)
    pin = serializers.CharField(max_length=12, trim_whitespace=False)
    seat = serializers.IntegerField(
        required=False, allow_null=True, default=None, help_text="Where the check names none."
    )


class BigWinAnswer(TypedDict):
    """A big win as it stands."""

    serial: str
    check: int | None
    state: HitState
    seat: int
    wager: str
    category: str
    amount_cents: int
    wager_cents: Annotated[int, "Ante and raise: the wager of the tax test."]
    working: str
    due: Annotated[str | None, "The step that is waited for."]
    waits_for: Annotated[str, "Whose signature that is."]
    steps: list[Step]


BigWinShape = serializer_of(BigWinAnswer)


class CheckBigWin(TerminalView):
    """A check of this table, entered as a big win."""

    made_at = "big-wins/{serial}"

    @extend_schema(
        operation_id="enter_big_win",
        request=BigWinInput,
        parameters=[key_header()],
        examples=[
            OpenApiExample("As checked", {"badge": "2019", "pin": "000000"}, request_only=True)
        ],
        responses={201: BigWinShape, **problems(404, 409, 415, 422, 429)},
    )
    def post(self, request: Request, check_id: int) -> Response:
        """Enter a payout as a big win: cards, bet and amount are those of the check."""
        given = read_body(BigWinInput, self.body(request))
        data, terminal = given.validated_data, terminal_of(request)
        table = Table.objects.get(pk=terminal.table.pk)
        get_object_or_404(PayoutCheck, pk=check_id, table=table)
        request_key = self.request_key(request, without="pin")
        pen = Pen(
            data["badge"],
            data["pin"],
            terminal.device,
            request_id(terminal.device.pk, request_key.key),
        )
        seat = {"seat": data["seat"]} if data["seat"] is not None else {}
        win = the_kind(BIG_WIN).at(table, check=check_id, **seat)
        # A resend stands on what was shown the first time.
        earlier = Signature.objects.filter(request_id=pen.request_id).first()
        shown = earlier.shown if earlier else shown_before(win)
        with shown_in(data["language"]):
            slip = raise_kind(win, pen=pen, shown=shown)
        return Response(_followed_win(hit_now(jackpots().get(slip=slip))), status=201)


class BigWins(TerminalView):
    """The big wins of this terminal's table."""

    @extend_schema(
        operation_id="list_big_wins", responses={200: BigWinShape(many=True), **problems(429)}
    )
    def get(self, request: Request) -> Response:
        """List what is open at this table, oldest first, with the role that signs next."""
        found = _at(request, BIG_WIN).filter(slip__status="open").order_by("pk")
        return Response([_followed_win(hit_now(jackpot)) for jackpot in found])


class BigWinRead(TerminalView):
    """One big win of this terminal's table."""

    @extend_schema(
        operation_id="follow_big_win", responses={200: BigWinShape, **problems(404, 429)}
    )
    def get(self, request: Request, serial: str) -> Response:
        """Follow a big win: what it is owed, and who is waited for."""
        found = get_object_or_404(_at(request, BIG_WIN), slip__serial=serial)
        return Response(_followed_win(hit_now(found)))


def _at(request: Request, kind: str) -> QuerySet[Jackpot]:
    """Return the wins of one kind at the terminal's own table."""
    return jackpots().filter(slip__table=terminal_of(request).table, slip__kind=kind)


def _followed_win(hit: HitShown) -> BigWinAnswer:
    due = due_step(hit.slip)
    return {
        "serial": hit.slip.serial,
        "check": hit.jackpot.check_of_id,
        "state": hit.state,
        "seat": hit.jackpot.seat,
        "wager": hit.jackpot.wager,
        "category": hit.jackpot.category,
        "amount_cents": hit.figure.award_cents,
        "wager_cents": hit.jackpot.wager_cents,
        "working": hit.figure.working,
        "due": due.name if due else None,
        "waits_for": role_words(due) if due else "",
        "steps": _steps(hit),
    }


def _steps(hit: HitShown) -> list[Step]:
    return [
        {"title": step["title"], "state": step["state"], "who": step["who"]} for step in hit.steps
    ]


def request_id(device_id: int, key: str) -> UUID:
    """Return the id under which a terminal's key signs: the same for the same key."""
    return uuid5(NAMESPACE_URL, f"pitboss:terminal:{device_id}:{key}")


def _followed(hit: HitShown) -> JackpotAnswer:
    due = due_step(hit.slip)
    return {
        "serial": hit.slip.serial,
        "state": hit.state,
        "seat": hit.jackpot.seat,
        "category": hit.jackpot.category,
        "award_cents": hit.figure.award_cents,
        "frozen_cents": hit.figure.frozen_cents,
        "earlier_awards_cents": [
            earlier_figure.award_cents for earlier_figure in hit.earlier_figures
        ],
        "envy_cents": hit.jackpot.envy_cents,
        "working": hit.figure.working,
        "waits_for": [slip.serial for slip in hit.waits_for],
        "due": due.name if due else None,
        "steps": _steps(hit),
    }
