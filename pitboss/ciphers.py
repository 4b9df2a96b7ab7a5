"""Fields that the database holds only in cipher: encrypted to be read, indexed to be found.

The newest key encrypts; the older ones stay to read with, so that a rotation rewrites no row.
"""

from __future__ import annotations

import hashlib
import hmac
from functools import lru_cache

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings


def encrypt(plain: bytes) -> str:
    """Return bytes as a text that only the field keys can read."""
    return _fernet(settings.KEYS.field_keys).encrypt(plain).decode()


def decrypt(cipher: str) -> bytes:
    """Return what was encrypted. Raises InvalidToken when it was altered or its key is lost."""
    return _fernet(settings.KEYS.field_keys).decrypt(cipher.encode())


def blind_index(purpose: str, plain: str) -> str:
    """Return what a value is found by without standing there: equal values, equal indexes.

    The purpose keeps one value of two columns apart, so that neither tells of the other.
    """
    return hmac.new(
        settings.KEYS.blind_index_key, f"{purpose}\x00{plain}".encode(), hashlib.sha256
    ).hexdigest()


@lru_cache(maxsize=4)
def _fernet(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])
