"""A little identity provider with real keys and tokens; it also lies, when it is told to."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, RSAKey

CLIENT, SECRET = "pitboss", "a secret of the house"


class Provider(ThreadingHTTPServer):
    """Signs in whom it is told to, over HTTP, and checks what a client must prove."""

    daemon_threads = True

    def __init__(self, host: str) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.issuer = f"http://{host}:{self.server_address[1]}"
        self.key: RSAKey | ECKey = RSAKey.generate_key(2048, parameters={"kid": "one"})
        self.published: RSAKey | ECKey | OctKey = self.key
        self.names_itself = self.issuer
        self.subject = "u-17"
        # What a lie changes in the claims or the header; none takes a claim out.
        self.claims: dict[str, Any] = {}
        self.header: dict[str, Any] = {}
        # What is answered in place of a signed token, and which addresses never answer.
        self.token: str | None = None
        self.hangs: set[str] = set()
        self.waits = threading.Event()
        self.codes: dict[str, dict[str, str]] = {}
        # When the person in front of the browser signed in at the provider.
        self.signed_in_at: int | None = None

    def consent(self, address: str) -> str:
        """Do what a person does in the provider's page; return where the browser is led back."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert asked["client_id"] == CLIENT
        assert asked["response_type"] == "code"
        assert asked["scope"] == "openid"
        assert asked["code_challenge_method"] == "S256"
        # Who is asked to sign in again does; else the browser's own sign-in of before is enough.
        if asked.get("prompt") == "login" or self.signed_in_at is None:
            self.signed_in_at = int(time.time())
        code = secrets.token_urlsafe(8)
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?code={code}&state={asked['state']}"

    def exchanged(self, form: dict[str, str], authorization: str) -> dict[str, Any]:
        """Return the tokens for a code, once, to the client that can prove itself."""
        asked = self.codes.pop(form.get("code", ""), None)
        given = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(given).decode().rstrip("=")
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if (
            asked is None
            or asked["code_challenge"] != challenge
            or asked["redirect_uri"] != form.get("redirect_uri")
            or authorization != f"Basic {basic}"
        ):
            return {"error": "invalid_grant"}
        return {
            "access_token": "opens nothing here",
            "token_type": "Bearer",
            "id_token": self.token or self.signed(asked["nonce"]),
        }

    def signed(self, nonce: str) -> str:
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "sub": self.subject,
            "nonce": nonce,
            "iat": now,
            "exp": now + 300,
            "auth_time": self.signed_in_at,
            **self.claims,
        }
        header = {"alg": "RS256", "kid": "one", **self.header}
        told = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode(header, told, self.key, algorithms=[header["alg"]])


class _Answers(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        provider, path = self.server, urlsplit(self.path).path
        if path in provider.hangs:
            provider.waits.wait()
            return
        if path == "/authorize":
            # A page of another site: what it leads to comes without our cookies.
            text = f'<title>Provider</title><a href="{provider.consent(self.path)}">I agree</a>'
            self._send(200, "text/html", text.encode())
            return
        if path == "/jwks":
            self._say({"keys": [provider.published.as_dict(private=False)]})
            return
        self._say(
            {
                "issuer": provider.names_itself,
                "authorization_endpoint": f"{provider.issuer}/authorize",
                "token_endpoint": f"{provider.issuer}/token",
                "jwks_uri": f"{provider.issuer}/jwks",
            }
        )

    def do_POST(self) -> None:
        if self.path in self.server.hangs:
            self.server.waits.wait()
            return
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        self._say(self.server.exchanged(form, self.headers.get("Authorization", "")))

    def _say(self, said: dict[str, Any]) -> None:
        self._send(400 if "error" in said else 200, "application/json", json.dumps(said).encode())

    def _send(self, status: int, kind: str, text: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Say nothing in the middle of a test."""


@contextmanager
def running_provider(host: str = "127.0.0.1") -> Iterator[Provider]:
    provider = Provider(host)
    thread = threading.Thread(target=provider.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        provider.waits.set()
        provider.shutdown()
        provider.server_close()
        thread.join()
