"""A passkey made of software, which does what it is told: also what no honest one would."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import bytes_to_base64url

HOST = "localhost"
ORIGIN = f"http://{HOST}"
# User present, user verified; with a credential attached.
_PRESENT, _ATTACHED = 0x05, 0x45


@dataclass
class SoftKey:
    """One P-256 key with its counter."""

    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    count: int = 0

    def made(self, challenge: str, *, origin: str = ORIGIN, host: str = HOST) -> str:
        """Return the answer to a request for a new passkey, as a browser sends it."""
        numbers = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)}
        attached = bytes(16) + len(self.id).to_bytes(2) + self.id + cbor2.dumps(public)
        attestation = {
            "fmt": "none",
            "attStmt": {},
            "authData": self._data(host, _ATTACHED) + attached,
        }
        return self._answer(
            clientDataJSON=_client_data("webauthn.create", challenge, origin),
            attestationObject=cbor2.dumps(attestation),
        )

    def proof(self, challenge: str, *, origin: str = ORIGIN, host: str = HOST) -> str:
        """Return the answer to a challenge, as a browser sends it."""
        self.count += 1
        data = self._data(host, _PRESENT)
        client = _client_data("webauthn.get", challenge, origin)
        signed = data + hashlib.sha256(client).digest()
        return self._answer(
            clientDataJSON=client,
            authenticatorData=data,
            signature=self.key.sign(signed, ec.ECDSA(hashes.SHA256())),
        )

    def _data(self, host: str, flags: int) -> bytes:
        return hashlib.sha256(host.encode()).digest() + bytes([flags]) + self.count.to_bytes(4)

    def _answer(self, **response: bytes) -> str:
        own = bytes_to_base64url(self.id)
        fields: dict[str, Any] = {
            "id": own,
            "rawId": own,
            "type": "public-key",
            "response": {name: bytes_to_base64url(value) for name, value in response.items()},
            "clientExtensionResults": {},
        }
        return json.dumps(fields)


def _client_data(kind: str, challenge: str, origin: str) -> bytes:
    return json.dumps(
        {"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": False}
    ).encode()
