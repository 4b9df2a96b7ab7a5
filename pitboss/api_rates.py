"""How often a device may ask and what it is told of that; who has an answer gets it once.

The limit is the house's own, the same for terminals, cage and other systems.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.middleware.http import ConditionalGetMiddleware
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from pitboss import rates
from pitboss.models import Device
from pitboss.services import house

_RATES: Final = ("RateLimit-Policy", "RateLimit")
_KNOWN: Final = ConditionalGetMiddleware(lambda _: HttpResponse())


class DeviceRate(BaseThrottle):
    """Let each device through so often a minute, as the house has set it, on all web nodes."""

    named = "device"
    _taken: rates.BucketTaken

    def take(self, request: Request) -> rates.BucketTaken:
        """Take one request of the device that called."""
        assert isinstance(request.auth, Device), "a view without a device's permission"
        return take_of_device(request.auth, a_minute_of(house.settings_at(house.now())))

    def allow_request(self, request: Request, view: Any) -> bool:
        self._taken = self.take(request)
        request.rates_taken = [self]  # type: ignore[attr-defined]
        return self._taken.wait_seconds == 0

    def wait(self) -> float:
        return self._taken.wait_seconds

    def headers(self) -> dict[str, str]:
        """Return how often a device may ask, and how often it still may now."""
        taken = self._taken
        full_seconds = math.ceil((taken.a_minute - taken.left) * 60 / taken.a_minute)
        return {
            "RateLimit-Policy": f'"{self.named}";q={taken.a_minute};w=60',
            "RateLimit": f'"{self.named}";r={int(taken.left)};t={full_seconds}',
        }


def a_minute_of(settings: Any) -> int:
    """Return how often a device may ask a minute."""
    return int(settings["people.terminal_requests"])


def take_of_device(device: Device, a_minute: int) -> rates.BucketTaken:
    """Take one request of a device: return how many are left, and how long it waits."""
    return rates.take(f"device:{device.pk}", a_minute=a_minute, at=house.now().timestamp())


def say_rates(request: Request, answer: Any) -> None:
    """Say on an answer how much is left of the minute."""
    for throttle in getattr(request, "rates_taken", ()):
        for name, value in throttle.headers().items():
            answer.headers[name] = value


def unless_known(view: Callable[..., Any]) -> Callable[..., Any]:
    """Answer who reads the same again with 304 and no body; what is left of the minute is said."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        answer = view(request, *args, **kwargs)

        def looked_at(whole: Any) -> Any:
            known = _KNOWN.process_response(request, whole)
            for name in _RATES:
                if name in whole.headers:
                    known.headers[name] = whole.headers[name]
            return known

        if not hasattr(answer, "add_post_render_callback"):
            return looked_at(answer)
        answer.add_post_render_callback(looked_at)
        return answer

    return answered
