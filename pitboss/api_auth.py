"""Who calls the API: a device, by the secret token that its enrollment gave it.

A token opens the door and signs nothing: every signature still takes a person's badge and PIN.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from pitboss.api_rates import DeviceRate, say_rates, unless_known
from pitboss.models import Device, Slip
from pitboss.rules.flows.reading import kinds_at
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.devices import device_by_token
from pitboss.services.refused_pages import keep_refused_page

SCHEME = "Device"


def token_of(request: Request) -> str | None:
    """Return the token that a request carries; none for another scheme, or none at all."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == SCHEME.lower() else None


class DeviceAuthentication(BaseAuthentication):
    """Read `Authorization: Device <token>`. Cookies and sessions open nothing here."""

    def authenticate(self, request: Request) -> tuple[None, Any] | None:
        token = token_of(request)
        if token is None:
            return None
        device = device_by_token(token)
        if device is None:
            raise AuthenticationFailed("This token isn’t valid. Enroll the device again.")
        return None, device

    def authenticate_header(self, request: Request) -> str:
        return SCHEME


class IsDevice(BasePermission):
    """Let in enrolled devices of any place; terminals have addresses of their own."""

    message = "Only an enrolled device may call this, and no table's terminal."

    def has_permission(self, request: Request, view: Any) -> bool:
        return isinstance(request.auth, Device) and request.auth.table_id is None


class IsAtTheCage(IsDevice):
    """Let in the devices of the cage."""

    message = "Only cage devices can call this."

    def has_permission(self, request: Request, view: Any) -> bool:
        return isinstance(request.auth, Device) and request.auth.place == Place.CAGE.value


class DeviceView(APIView):
    """A view of the API: open to devices, and to no one by a cookie or a session."""

    authentication_classes: Sequence[type[BaseAuthentication]] = [DeviceAuthentication]
    permission_classes: Sequence[type[BasePermission]] = [IsDevice]
    throttle_classes: Sequence[type[BaseThrottle]] = [DeviceRate]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Let a device in, and to no slip of a kind that it does not read with no one before it."""
        super().initial(request, *args, **kwargs)
        if "serial" not in kwargs:
            return
        slip = Slip.objects.only("kind").filter(serial=kwargs["serial"]).first()
        if slip is not None and slip.kind not in self.kinds_read(request):
            raise PermissionDenied(
                "A device can’t read this kind of slip. Sign in and open it on a screen."
            )

    def handle_exception(self, exc: Exception) -> Response:
        """Answer an error, and keep whom it turned away."""
        if isinstance(exc, PermissionDenied):
            keep_refused_page(
                method=self.request.method or "",
                path=self.request.path,
                person=None,
                device=self.caller(self.request),
                at=house.now(),
            )
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Say how much is left of the minute."""
        answer: Any = super().finalize_response(request, response, *args, **kwargs)
        say_rates(request, answer)
        return answer

    def caller(self, request: Request) -> Device | None:
        """Return the device that called, whatever it may do here; none without a token."""
        return request.auth if isinstance(request.auth, Device) else None

    def kinds_read(self, request: Request) -> frozenset[str]:
        """Return the kinds of slip that the calling device reads by its token alone."""
        return kinds_at(Place(device_of(request).place))

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        view: Any = unless_known(super().as_view(**initkwargs))
        # Who is signed in on a browser, and whether its screen is locked, is no matter here.
        view.answers_for_itself = True
        return view


def device_of(request: Request) -> Device:
    """Return the device that called; the view's permissions have let it in."""
    assert isinstance(request.auth, Device), "a view without a device's permission"
    return request.auth
