"""The site with one address more: a bare view that does one INSERT, to hold others against."""

from __future__ import annotations

from typing import Any

from django.urls import path
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from pitboss.models import Attempt
from pitboss.services import house
from pitboss.urls import urlpatterns as addresses_of_the_site


class Bare(APIView):
    """Reads JSON, stores one row and answers: the least that a stored answer can cost."""

    permission_classes = [AllowAny]

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        view: Any = super().as_view(**initkwargs)
        view.answers_for_itself = True
        return view

    def post(self, request: Request) -> Response:
        body: Any = request.data
        row = Attempt.objects.create(badge=body["badge"], kind=Attempt.Kind.PIN, at=house.now())
        return Response({"id": row.pk}, status=201)


urlpatterns = [path("bare", Bare.as_view()), *addresses_of_the_site]
