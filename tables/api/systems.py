"""The API for loyalty and hotel systems: a feed of ratings, a patron's values, a comp redeemed.

A device of the office, with scopes that two people granted. No scope reads cash, credit or notes.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from pitboss.api_auth import device_of
from pitboss.api_reading import read_body, read_key
from pitboss.api_schema import key_header, problems
from pitboss.rules.canonical import canonical, digest
from pitboss.rules.refusal import Refused
from pitboss.services.once import RequestKey, answer_once
from tables.api.office import after_entry, read_after
from tables.api.system_view import SystemView
from tables.api.terminals import as_response
from tables.models import Scope
from tables.services import systems

_CENTS_MAX = 100_000_000


class FeedItem(serializers.Serializer[Any]):
    """What a rating came to, with the journal entry that vouches for it."""

    entry = serializers.IntegerField(help_text="Hand the last one back as `after`.")
    chain = serializers.CharField()
    number = serializers.IntegerField()
    link = serializers.CharField(help_text="The entry’s link in its chain, as proof.")
    rating = serializers.IntegerField()
    revision = serializers.IntegerField()
    card = serializers.CharField(allow_blank=True)
    table = serializers.CharField()
    gaming_day = serializers.DateField()
    seconds = serializers.IntegerField()
    basis = serializers.CharField(allow_blank=True)
    theo_cents = serializers.IntegerField(allow_null=True)
    result_cents = serializers.IntegerField(allow_null=True)
    is_void = serializers.BooleanField()


class FeedAnswer(serializers.Serializer[Any]):
    """Ended ratings and their revisions, in the order of the journal."""

    items = FeedItem(many=True)
    next = serializers.IntegerField()
    is_whole = serializers.BooleanField(help_text="False where there is more to read now.")


class Feed(SystemView):
    """Ended ratings for a loyalty system."""

    scope = Scope.RATINGS_READ

    @extend_schema(
        operation_id="read_rating_feed",
        parameters=[after_entry()],
        responses={200: FeedAnswer, **problems()},
    )
    def get(self, request: Request) -> Response:
        """Read ended ratings and revisions after a journal entry, in order."""
        return Response(systems.feed_after(read_after(request)))


class LabelledValue(serializers.Serializer[Any]):
    """One value of a patron."""

    name = serializers.CharField()
    title = serializers.CharField()
    value = serializers.IntegerField()


class ValuesAnswer(serializers.Serializer[Any]):
    """What a hotel shows of a patron."""

    card = serializers.CharField()
    values = LabelledValue(many=True)
    note = serializers.CharField(allow_blank=True)


class Values(SystemView):
    """A patron's comps and points, by card."""

    scope = Scope.COMPS_READ

    @extend_schema(
        operation_id="read_patron_values", responses={200: ValuesAnswer, **problems(404)}
    )
    def get(self, request: Request, card: str) -> Response:
        """Read a patron’s comps left, comps to redeem, and points."""
        return Response(systems.values_of(card))


class PatronInput(serializers.Serializer[Any]):
    """Who has a card. What is left out stays as it is."""

    first_name = serializers.CharField(max_length=40)
    last_name = serializers.CharField(max_length=40)
    tier = serializers.CharField(max_length=30, required=False, allow_blank=True)
    host = serializers.CharField(
        max_length=20, required=False, allow_blank=True, help_text="Badge; empty for no host."
    )


class PatronAnswer(serializers.Serializer[Any]):
    """A patron as the house has them now."""

    card = serializers.CharField()
    first_name = serializers.CharField()
    last_name = serializers.CharField()
    tier = serializers.CharField(allow_blank=True)
    host = serializers.CharField(allow_blank=True)


class PatronPut(SystemView):
    """A patron of the loyalty club, by card."""

    scope = Scope.PATRONS_WRITE

    @extend_schema(
        operation_id="put_patron",
        request=PatronInput,
        responses={200: PatronAnswer, **problems(409, 415, 422)},
    )
    def put(self, request: Request, card: str) -> Response:
        """Write a patron’s name, tier, and host. Sent twice, it changes nothing the second time."""
        device = device_of(request)
        given = read_body(PatronInput, request.data)
        with transaction.atomic(durable=True):
            validated_data = dict(given.validated_data)
            return Response(systems.put_patron(device=device, card=card, said=validated_data))


class RedeemInput(serializers.Serializer[Any]):
    """How much of a comp is used, and where."""

    amount_cents = serializers.IntegerField(min_value=1, max_value=_CENTS_MAX)
    outlet = serializers.CharField(max_length=60)


class RedeemAnswer(serializers.Serializer[Any]):
    """What was redeemed, and what is left of the comp."""

    comp = serializers.CharField()
    redeemed_cents = serializers.IntegerField()
    left_cents = serializers.IntegerField()


class Redeem(SystemView):
    """A comp used at an outlet of the hotel."""

    scope = Scope.COMPS_REDEEM

    @extend_schema(
        operation_id="redeem_comp",
        request=RedeemInput,
        parameters=[key_header()],
        responses={200: RedeemAnswer, **problems(404, 409, 415, 422)},
    )
    def post(self, request: Request, comp: str) -> HttpResponse:
        """Redeem some of a comp, once however often it is sent."""
        device = device_of(request)
        key = read_key(request)
        given = read_body(RedeemInput, request.data)
        said = {name: given.validated_data[name] for name in ("amount_cents", "outlet")}
        request_key = RequestKey(device, key, digest(f"redeem {comp}\n{canonical(said)}"))
        try:
            answer = answer_once(
                request_key, lambda: systems.redeem(device=device, serial=comp, **said)
            )
        except Refused as refused:
            with transaction.atomic(durable=True):
                systems.keep_refused(device=device, serial=comp, codes=refused.codes)
            raise
        return as_response(answer)
