"""Web Push: a message that only one browser can read (RFC 8291), signed by the house (RFC 8292).

The encryption stands here, on the primitives of `cryptography`, and is tested by the example of
the RFC: the one library for it is not kept up any more.
"""

from __future__ import annotations

import os
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from joserfc import jwt
from joserfc.jwk import ECKey

_CURVE: Final = ec.SECP256R1()
# How many points the curve has: a private key is a number below it.
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_RECORD_BYTES: Final = 4096
_LAST_RECORD: Final = b"\x02"
_SIGNED_FOR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Browser:
    """Where a browser is reached, and what a message for it is encrypted with."""

    endpoint: str
    point: bytes
    auth: bytes


def headers_for(browser: Browser, *, topic: str, lasts: timedelta, now: datetime) -> dict[str, str]:
    """Return what goes with a message: how long it is worth keeping, and who sends it."""
    return {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(int(lasts.total_seconds())),
        "Urgency": "high",
        "Topic": topic,
        "Authorization": f"vapid t={_token(browser.endpoint, now)}, k={house_key()}",
    }


def encrypted(plain: bytes, browser: Browser) -> bytes:
    """Return a message that only the browser can read."""
    return seal(plain, browser, own=ec.generate_private_key(_CURVE), salt=os.urandom(16))


def seal(plain: bytes, browser: Browser, *, own: ec.EllipticCurvePrivateKey, salt: bytes) -> bytes:
    """Return a message sealed with a key and a salt that are used this once."""
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, browser.point)
    own_point = _point(own)
    shared = own.exchange(ec.ECDH(), theirs)
    both = _derived(shared, browser.auth, b"WebPush: info\0" + browser.point + own_point, 32)
    key = _derived(both, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(both, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + _RECORD_BYTES.to_bytes(4, "big") + bytes([len(own_point)]) + own_point
    return head + AESGCM(key).encrypt(nonce, plain + _LAST_RECORD, None)


def is_on_the_curve(point: bytes) -> bool:
    """Tell whether a browser's key is one."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, point)
    except ValueError:
        return False
    return True


def house_key() -> str:
    """Return the house's public key, by which a browser knows who may send to it."""
    return _text(_point(_house_key(settings.SECRET_KEY)))


@lru_cache(maxsize=2)
def _house_key(secret: str) -> ec.EllipticCurvePrivateKey:
    # Made from the site's own secret: nothing more to keep, and the same on every node.
    number = int.from_bytes(_derived(secret.encode(), b"", b"pitboss web push", 48), "big")
    return ec.derive_private_key(number % (_ORDER - 1) + 1, _CURVE)


def _token(endpoint: str, now: datetime) -> str:
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + _SIGNED_FOR).timestamp()),
        "sub": settings.PUSH_CONTACT,
    }
    key = ECKey.import_key(_house_key(settings.SECRET_KEY))
    return jwt.encode({"typ": "JWT", "alg": "ES256"}, claims, key)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt=salt, info=info).derive(secret)


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _text(some: bytes) -> str:
    return urlsafe_b64encode(some).rstrip(b"=").decode()
