"""Sign a text for other houses of a group, and tell whether a house signed one (Ed25519)."""

from __future__ import annotations

from enum import StrEnum, unique
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)


@unique
class Purpose(StrEnum):
    """What a signature is for. It is signed too: a list is never taken for a statement."""

    STATEMENT = "pitboss statement"
    LIST = "pitboss list"


def public_key(seed: str) -> str:
    """Return the key that others verify by, of the one that a house signs with.

    >>> public_key("00" * 32)
    '3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29'
    """
    return _private(seed).public_key().public_bytes_raw().hex()


def mark_of(key: str) -> str:
    """Return the short name of a public key.

    >>> mark_of(public_key("00" * 32))
    '139e3940e64b5491'
    """
    return sha256(bytes.fromhex(key)).hexdigest()[:16]


def is_public_key(text: str) -> bool:
    """Tell whether a text is a key that others verify by, written in hex.

    >>> is_public_key(public_key("00" * 32)), is_public_key("00"), is_public_key("é" * 64)
    (True, False, False)
    """
    if len(text) != 64 or not set(text) <= set("0123456789abcdef"):
        return False
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(text))
    return True


def sign_text(seed: str, purpose: Purpose, text: str) -> str:
    """Return the signature of a house under a text, in hex."""
    return _private(seed).sign(_signed(purpose, text)).hex()


def is_signed(key: str, purpose: Purpose, text: str, signature: str) -> bool:
    """Tell whether the owner of a key signed a text for a purpose.

    >>> signature = sign_text("00" * 32, Purpose.LIST, "é")
    >>> is_signed(public_key("00" * 32), Purpose.LIST, "é", signature)
    True
    >>> is_signed(public_key("00" * 32), Purpose.STATEMENT, "é", signature)
    False
    >>> is_signed(public_key("00" * 32), Purpose.LIST, "é", "not hex")
    False
    """
    try:
        verifier = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        verifier.verify(bytes.fromhex(signature), _signed(purpose, text))
    except (InvalidSignature, ValueError):
        return False
    return True


def _private(seed: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))


def _signed(purpose: Purpose, text: str) -> bytes:
    return f"{purpose}\n{text}".encode()
