"""Pull what each house states: read on from what is held, prove each, and say how it went."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.db.models import Max
from django.utils import timezone

from pitboss.ciphers import decrypt, encrypt
from pitboss.group.keeping import Sent, keep
from pitboss.group.models import House, HouseKey, Statement
from pitboss.outgoing import Answer, NotSent, ask
from pitboss.rules.group.signing import is_public_key, mark_of
from pitboss.rules.refusal import Refused, refuse

# Ten statements of two hundred tables are a tenth of it.
_BYTES_MAX: Final = 50_000_000
_SECONDS: Final = 60
# A house lets a token hold for weeks; the desk changes it long before.
_TOKEN_AGE: Final = timedelta(days=1)
_PAGES_A_PULL: Final = 500
# The house answered that it does not answer: nothing came that could be doubted.
_REFUSED_THERE: Final = "house_refused"


@dataclass(frozen=True, slots=True)
class Pulled:
    """What one pull brought, and what stopped it; empty words where nothing did."""

    statements: int
    bytes: int
    trouble: str


def pull(house: House) -> Pulled:
    """Read all that a house states after what is held. Where it stops, the next pull goes on."""
    count = size = 0
    trouble, house.is_doubted = "", False
    house.tried_at = timezone.now()
    try:
        _change_token(house)
        for _ in range(_PAGES_A_PULL):
            answer = _get(house, f"statements?after={_newest(house)}")
            size += len(answer.body)
            said = _read(answer)
            house.reached_at = timezone.now()
            _note_said(house, said)
            for each in _sent(said):
                keep(house, each, timezone.now())
                count += 1
            if said["is_whole"] is True:
                break
            if not said["items"]:
                raise _Odd
    except NotSent as failed:
        trouble = f"Not reached: {failed}. The next pull tries again."
    except InvalidToken:
        trouble = "The desk’s key of this property’s token is gone. Add the property again."
    except Refused as refused:
        trouble = " ".join(each.message for each in refused.refusals)
        house.is_doubted = _REFUSED_THERE not in refused.codes
    except (_Odd, KeyError, TypeError, ValueError):
        trouble = "The answer can’t be read. Check that the address is one of Pitboss."
    house.trouble = trouble[:300]
    house.save()
    return Pulled(count, size, trouble)


class _Odd(Exception):
    """An answer that no Pitboss gives."""


def _newest(house: House) -> int:
    newest = Statement.objects.filter(house=house).aggregate(newest=Max("number"))["newest"]
    return newest or 0


def _note_said(house: House, said: dict[str, Any]) -> None:
    house.said_newest = min(int(said["newest"]), 2**31 - 1)
    house.said_gaming_day = date.fromisoformat(said["gaming_day"])
    closed_to = said["closed_to"]
    house.said_closed_to = date.fromisoformat(closed_to) if closed_to else None
    held = _newest(house)
    if house.said_newest < held:
        raise refuse(
            "statements_gone",
            f"The property has {house.said_newest} statements, and {held} were received. Its "
            "database was set back. Ask its auditor.",
        )


def _sent(said: dict[str, Any]) -> list[Sent]:
    return [
        Sent(*(_text(each[name]) for name in ("text", "key_mark", "signature")))
        for each in said["items"]
    ]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _read(answer: Answer) -> dict[str, Any]:
    """Return what a house answered. Raises Refused with the house's own sentence."""
    said = json.loads(answer.body)
    if not isinstance(said, dict):
        raise _Odd
    if answer.status in (200, 201):
        return said
    sentence = str(said["refusals"][0]["message"])[:200]
    raise refuse(_REFUSED_THERE, f"The property answered {answer.status}: {sentence}")


def _get(house: House, path: str) -> Answer:
    return _ask(house, "GET", path)


def _ask(house: House, method: str, path: str) -> Answer:
    token = decrypt(house.token_cipher, _place(house)).decode()
    return ask(
        method,
        f"{house.address}/api/v1/{path}",
        headers={"Authorization": f"Device {token}"},
        most=_BYTES_MAX,
        seconds=_SECONDS,
        authority=settings.GROUP_AUTHORITY,
    )


def _change_token(house: House) -> None:
    """Ask for the next token once a day. It is stored before it is used: the old one holds on."""
    now = timezone.now()
    if now - house.token_at < _TOKEN_AGE:
        return
    token = _text(_read(_ask(house, "POST", "token"))["token"])
    house.token_cipher, house.token_at = encrypt(token.encode(), _place(house)), now
    house.save(update_fields=["token_cipher", "token_at"])


def _place(house: House) -> tuple[str, object, str]:
    return "group.House", house.address, "token"


def add_house(*, name: str, address: str, code: str, key: str, at: datetime) -> House:
    """Add a house by the one-time code of its device, and the key that it was read. Raises Refused.

    One that is on file takes up another token, and another address. The code works once, so all
    else is looked at first.
    """
    address = address.rstrip("/")
    _demand_address(address)
    _demand_key(key)
    if House.objects.filter(address=address).exclude(name=name).exists():
        raise refuse("house_known", "This address is on file by another name. Use that name.")
    try:
        answer = ask(
            "POST",
            f"{address}/api/v1/enrol",
            headers={"Content-Type": "application/json"},
            body=json.dumps({"code": code}).encode(),
            most=_BYTES_MAX,
            seconds=_SECONDS,
            authority=settings.GROUP_AUTHORITY,
        )
        token = _text(_read(answer)["token"])
    except NotSent as failed:
        raise refuse("not_reached", f"Not reached: {failed}. Check the address.") from None
    except (_Odd, KeyError, TypeError, ValueError):
        raise refuse("not_pitboss", "No Pitboss answers at this address. Check it.") from None
    house = House.objects.filter(name=name).first() or House(name=name, added_at=at)
    house.address, house.token_at = address, at
    house.token_cipher = encrypt(token.encode(), _place(house))
    house.save()
    add_key(house=house, key=key, at=at)
    return house


def _demand_address(address: str) -> None:
    parts = urlsplit(address)
    is_here = parts.hostname in ("127.0.0.1", "::1", "localhost")
    if parts.scheme != "https" and not (is_here and parts.scheme == "http"):
        raise refuse("address_plain", "The address must begin with https://.")
    if not parts.hostname or parts.path or parts.query or parts.username:
        raise refuse("address_malformed", "Enter the address like https://pit.example.com.")


def _demand_key(key: str) -> None:
    if not is_public_key(key):
        raise refuse(
            "key_malformed",
            "A public key has 64 hex digits. Run manage.py statement_key at the property.",
        )


def add_key(*, house: House, key: str, at: datetime) -> HouseKey:
    """Put a key of a house on file, as someone compared it with the house. Raises Refused."""
    _demand_key(key)
    row, _ = HouseKey.objects.get_or_create(
        house=house, mark=mark_of(key), defaults={"public_key": key, "added_at": at}
    )
    return row
