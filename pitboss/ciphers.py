"""Fields that the database holds only in cipher: encrypted to be read, indexed to be found.

A cipher is bound to its place: model, row and field are authenticated with it, so that one which
was copied into another row cannot be read there. Rows are named by what they have before they are
stored. The newest key encrypts; the older ones stay to read with, so that a rotation rewrites no
row.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

# Stands before a cipher that is bound to its place. Those of an earlier release have none.
BOUND = "b1:"
_NONCE_BYTES = 12

# Model, row and field.
Place = tuple[str, object, str]


def encrypt(plain: bytes, place: Place) -> str:
    """Return bytes as a text that only the field keys can read, and only in this place."""
    nonce = os.urandom(_NONCE_BYTES)
    sealed = _boxes(settings.KEYS.field_keys)[0].encrypt(nonce, plain, _text_of(place))
    return BOUND + urlsafe_b64encode(nonce + sealed).decode()


def decrypt(cipher: str, place: Place) -> bytes:
    """Return what was encrypted for a place.

    Raises InvalidToken when it was altered, belongs to another place, or its key is lost.
    """
    if not cipher.startswith(BOUND):
        return _fernet(settings.KEYS.field_keys).decrypt(cipher.encode())
    try:
        stored = urlsafe_b64decode(cipher.removeprefix(BOUND))
    except ValueError:
        raise InvalidToken from None
    for box in _boxes(settings.KEYS.field_keys):
        try:
            return box.decrypt(stored[:_NONCE_BYTES], stored[_NONCE_BYTES:], _text_of(place))
        except (InvalidTag, ValueError):
            continue
    raise InvalidToken


def recipher(cipher: str, place: Place, to: Place) -> str:
    """Return a cipher of one place as the cipher of another, where the same stands there."""
    return encrypt(decrypt(cipher, place), to)


def blind_index(purpose: str, plain: str) -> str:
    """Return what a value is found by without standing there: equal values, equal indexes.

    The purpose keeps one value of two columns apart, so that neither tells of the other.
    """
    return hmac.new(
        settings.KEYS.blind_index_key, f"{purpose}\x00{plain}".encode(), hashlib.sha256
    ).hexdigest()


def _text_of(place: Place) -> bytes:
    model, row, field = place
    return f"{model}\x00{row}\x00{field}".encode()


@lru_cache(maxsize=4)
def _boxes(keys: tuple[str, ...]) -> list[AESGCM]:
    """Return what encrypts and reads bound ciphers: each field key, turned into one for these."""
    derived = (hmac.new(key.encode(), b"pitboss bound cipher", hashlib.sha256) for key in keys)
    return [AESGCM(item.digest()) for item in derived]


@lru_cache(maxsize=4)
def _fernet(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])
