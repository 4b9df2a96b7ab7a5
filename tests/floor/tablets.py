"""What tests of a table's screens share: somebody signed in, and forms as a tablet posts them."""

from __future__ import annotations

import html
import re
from typing import Any

from django.test import Client

from pitboss.middleware import DEVICE_COOKIE
from pitboss.models import Device, Person
from pitboss.rules.canonical import digest
from pitboss.rules.day.gaming_day import Period
from pitboss.rules.roles import Place
from pitboss.services import house
from tests.floor.cast import Cast, pin_of


def signed_in(person: Person, cast: Cast, place: Place = Place.PIT) -> Client:
    """Return a browser on a device of the cast, with a person signed in."""
    device = cast.devices[place]
    client = Client()
    Device.objects.filter(pk=device.pk).update(token_hash=digest(device.name))
    client.cookies[DEVICE_COOKIE] = device.name
    client.force_login(person)
    return client


def period_now() -> Period:
    return house.period_at(house.now())


def words(response: Any) -> str:
    """Return a page however it is laid out: each stretch of white is one blank, none in a tag."""
    # A quotation mark stays escaped: in a field's value it would end the value.
    page = response.content.decode().replace("&quot;", "&amp;quot;")
    page = " ".join(html.unescape(page).split())
    return re.sub(r" (?=</)", "", re.sub(r"(<[a-z][^<>]*>) ", r"\1", page))


def fields_of(page: str) -> dict[str, str]:
    """Return the hidden fields and boxes of the form on a page, as a browser would post them."""
    pattern = r'<input type="(?:hidden|checkbox)"[^>]*?\sname="([^"]+)"\s+value="([^"]*)"'
    return {name: html.unescape(value) for name, value in re.findall(pattern, page)}


def signing(page: str, person: Person, **more: Any) -> dict[str, Any]:
    """Return what a pad posts when a person signs what it shows."""
    return {**fields_of(page), "badge": person.badge, "pin": pin_of(person.badge), **more}
