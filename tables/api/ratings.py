"""The API of a table's terminal for ratings: sit down by card, bets, away and back, left.

What is said of a patron here is a short name. Why a card is refused is the supervisor's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from pitboss.api_reading import read_body
from pitboss.api_schema import key_header, problems
from pitboss.rules.refusal import Refused, refuse
from pitboss.services.once import Keeping, answer_in_one_go
from tables.api.terminals import TerminalView, as_response, terminal_of
from tables.services import terminal_ratings as service
from tables.services.ratings import Who

_CENTS_MAX = 100_000_000
STATES = ["rated", "look_wanted", "away", "ended", "taken"]


class RatingInput(serializers.Serializer[Any]):
    """Who sits down where: by card, or someone who is not rated."""

    seat = serializers.IntegerField(min_value=1, max_value=99)
    card = serializers.CharField(max_length=20, required=False)
    taken = serializers.BooleanField(required=False, help_text="True for a player without a card.")


class RatingShape(serializers.Serializer[Any]):
    """A player at this table."""

    rating = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(allow_blank=True, help_text="As short as a seat has room for.")
    seats = serializers.ListField(child=serializers.IntegerField())
    state = serializers.ChoiceField(choices=STATES)


class LookInput(serializers.Serializer[Any]):
    """A bet as it lies on the table: all seats of the player together, side bets apart."""

    bet_cents = serializers.IntegerField(min_value=1, max_value=_CENTS_MAX)
    side = serializers.DictField(
        child=serializers.IntegerField(min_value=1, max_value=_CENTS_MAX), required=False
    )


class SeatInput(serializers.Serializer[Any]):
    """A further seat."""

    seat = serializers.IntegerField(min_value=1, max_value=99)


class EndInput(serializers.Serializer[Any]):
    """What a player left with, where someone saw it."""

    walked_cents = serializers.IntegerField(min_value=0, max_value=_CENTS_MAX, required=False)


class HeadsInput(serializers.Serializer[Any]):
    """The seats that are taken."""

    taken = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=99), max_length=12
    )


class HeadsAnswer(serializers.Serializer[Any]):
    """Every seat that is taken now, rated or not."""

    taken = serializers.ListField(child=serializers.IntegerField())


class RatingsView(TerminalView):
    """What every act on ratings of a terminal shares."""

    def acted(
        self,
        request: Request,
        act: str,
        do: Callable[[], Mapping[str, Any]],
        *,
        status: int = 200,
        seat: int = 0,
        who: Who | None = None,
    ) -> HttpResponse:
        """Do it once; keep what was refused, and say no more of it than a terminal may know."""
        with self.telling_little(request, act, seat=seat, who=who):
            return self.once(request, do, status=status)

    @contextmanager
    def telling_little(
        self, request: Request, act: str, *, seat: int = 0, who: Who | None = None
    ) -> Iterator[None]:
        """Keep what was refused, and say no more of it than a terminal may know. Raises Refused."""
        with service.untold():
            try:
                yield
            except Refused as refused:
                device = terminal_of(request).device
                service.note_refused(device, act, refused, seat, who)
                raise


class Ratings(RatingsView):
    """Players rated at this table."""

    @extend_schema(
        operation_id="read_ratings", responses={200: RatingShape(many=True), **problems(429)}
    )
    def get(self, request: Request) -> Response:
        """Read who is rated at this table now."""
        return Response(service.at_table(terminal_of(request).device))

    @extend_schema(
        operation_id="begin_rating",
        request=RatingInput,
        parameters=[key_header()],
        responses={201: RatingShape, **problems(409, 415, 422, 429)},
    )
    def post(self, request: Request) -> HttpResponse:
        """Seat a player by card, or someone who is not rated."""
        given = read_body(RatingInput, self.body(request))
        said = given.validated_data
        device, seat, card = terminal_of(request).device, said["seat"], said.get("card", "")
        if bool(card) is bool(said.get("taken")):
            raise refuse("who_missing", "Send either card or taken: true.")
        if not card:
            return self.acted(
                request, "taken", lambda: service.take_seat(device, seat), status=201, seat=seat
            )
        with service.untold():
            who = service.who_has(card)
        return self.acted(
            request,
            "sit_down",
            lambda: service.sit_down(device, seat, who),
            status=201,
            seat=seat,
            who=who,
        )


class RatingLooks(RatingsView):
    """Bets as they were seen."""

    @extend_schema(
        operation_id="look_at_bet",
        request=LookInput,
        parameters=[key_header()],
        responses={201: RatingShape, **problems(404, 409, 415, 422, 429)},
    )
    def post(self, request: Request, rating_id: int) -> HttpResponse:
        """Note a bet as it lies on the table now."""
        given = read_body(LookInput, self.body(request))
        said, terminal = given.validated_data, terminal_of(request)

        def look(keeping: Keeping) -> None:
            service.see(terminal, rating_id, said["bet_cents"], said.get("side", {}), keeping)

        with self.telling_little(request, "look"):
            return as_response(answer_in_one_go(self.request_key(request), look, status=201))


class RatingAway(RatingsView):
    """A player who left the seat for a while."""

    @extend_schema(
        operation_id="player_away",
        request=None,
        parameters=[key_header()],
        responses={200: RatingShape, **problems(404, 409, 429)},
    )
    def post(self, request: Request, rating_id: int) -> HttpResponse:
        """Note that a player left the seat for a while."""
        self.no_body(request)
        device = terminal_of(request).device
        return self.acted(request, "away", lambda: service.step_away(device, rating_id))


class RatingBack(RatingsView):
    """A player who is back."""

    @extend_schema(
        operation_id="player_back",
        request=None,
        parameters=[key_header()],
        responses={200: RatingShape, **problems(404, 409, 429)},
    )
    def post(self, request: Request, rating_id: int) -> HttpResponse:
        """Note that a player is back."""
        self.no_body(request)
        device = terminal_of(request).device
        return self.acted(request, "back", lambda: service.come_back(device, rating_id))


class RatingSeats(RatingsView):
    """Further seats of a player."""

    @extend_schema(
        operation_id="add_seat",
        request=SeatInput,
        parameters=[key_header()],
        responses={201: RatingShape, **problems(404, 409, 415, 422, 429)},
    )
    def post(self, request: Request, rating_id: int) -> HttpResponse:
        """Note that a player plays one more seat."""
        given = read_body(SeatInput, self.body(request))
        device, seat = terminal_of(request).device, given.validated_data["seat"]
        return self.acted(
            request,
            "seat_added",
            lambda: service.add_seat(device, rating_id, seat),
            status=201,
            seat=seat,
        )


class RatingEnd(RatingsView):
    """A player who left."""

    @extend_schema(
        operation_id="end_rating",
        request=EndInput,
        parameters=[key_header()],
        responses={200: RatingShape, **problems(404, 409, 415, 422, 429)},
    )
    def post(self, request: Request, rating_id: int) -> HttpResponse:
        """End a rating. One that is signed is the supervisor’s: `call_supervisor`."""
        given = read_body(EndInput, self.body(request))
        device, walked = terminal_of(request).device, given.validated_data.get("walked_cents")
        return self.acted(request, "left", lambda: service.leave(device, rating_id, walked))


class Heads(RatingsView):
    """Which seats are taken."""

    @extend_schema(
        operation_id="count_heads",
        request=HeadsInput,
        parameters=[key_header()],
        responses={200: HeadsAnswer, **problems(409, 415, 422, 429)},
    )
    def post(self, request: Request) -> HttpResponse:
        """Tell which seats are taken. Rated seats stay as they are."""
        given = read_body(HeadsInput, self.body(request))
        device, taken = terminal_of(request).device, given.validated_data["taken"]
        return self.acted(request, "taken", lambda: service.count_heads(device, taken))
