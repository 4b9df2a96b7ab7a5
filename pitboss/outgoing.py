"""Send to an address outside: to a public one that is looked at as it is called, and no further.

A name is judged by the address that is connected to, not by one that it had a moment before. No
redirect is followed, and no proxy of the environment is asked. No answer to what is posted is read
to its end; one that is asked for is, up to a length.
"""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Timer
from urllib.parse import urlsplit

from pitboss.rules.people.webhooks import is_public

CONNECT_SECONDS = 3
# Of each wait for a byte, and of all of them together.
ANSWER_SECONDS = 5
WHOLE_SECONDS = 8


class NotSent(Exception):
    """Why something was not sent, in a few words."""


def post(url: str, body: bytes, headers: Mapping[str, str], *, listed: Collection[str]) -> int:
    """Post a body, and return the status of the answer. Raises NotSent."""
    is_listed = (urlsplit(url).hostname or "") in listed
    asked = _Asked("POST", url, body, headers, WHOLE_SECONDS, is_listed)
    with _answered(asked, None) as answer:
        return answer.status


@dataclass(frozen=True, slots=True)
class Answer:
    """The status of an answer, and its whole body."""

    status: int
    body: bytes


def ask(
    method: str,
    url: str,
    *,
    headers: Mapping[str, str],
    body: bytes | None = None,
    most: int,
    seconds: int,
    authority: Path | None = None,
) -> Answer:
    """Return the whole answer of an address that an operator has entered, inside or out.

    `authority` signed its certificate, where it is no one whom everyone knows. Raises NotSent.
    """
    asked = _Asked(method, url, body, headers, seconds, is_inside_allowed=True)
    with _answered(asked, authority) as answer:
        content = answer.read(most + 1)
    if len(content) > most:
        raise NotSent("The answer is too long")
    return Answer(answer.status, content)


@dataclass(frozen=True, slots=True)
class _Asked:
    method: str
    url: str
    body: bytes | None
    headers: Mapping[str, str]
    seconds: int
    is_inside_allowed: bool


@contextmanager
def _answered(asked: _Asked, authority: Path | None) -> Iterator[http.client.HTTPResponse]:
    """Give an answer, to be read within the time of it all. Raises NotSent."""
    parts = urlsplit(asked.url)
    host = parts.hostname or ""
    is_secure = parts.scheme == "https"
    line = http.client.HTTPConnection(host, parts.port or (443 if is_secure else 80))
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        line.sock = _connected(host, line.port, is_inside_allowed=asked.is_inside_allowed)
        if is_secure:
            line.sock = ssl.create_default_context(cafile=authority).wrap_socket(
                line.sock, server_hostname=host, do_handshake_on_connect=False
            )
        with _no_longer_than(asked.seconds, line.sock):
            if isinstance(line.sock, ssl.SSLSocket):
                line.sock.do_handshake()
            line.request(asked.method, path, asked.body, dict(asked.headers))
            yield line.getresponse()
    except TimeoutError:
        raise NotSent("No answer in time") from None
    except socket.gaierror:
        raise NotSent("Host name not found") from None
    except ssl.SSLError:
        raise NotSent("The certificate isn’t valid") from None
    except (OSError, http.client.HTTPException) as error:
        raise NotSent(_words_of(error)) from None
    finally:
        line.close()


@contextmanager
def _no_longer_than(seconds: float, line: socket.socket) -> Iterator[None]:
    """Cut a line after a time, however often a byte comes over it. Raises TimeoutError then."""
    is_cut = Event()

    def cut() -> None:
        is_cut.set()
        with suppress(OSError):
            # The line beneath any encryption: who waits for a byte learns that none will come.
            socket.socket.shutdown(line, socket.SHUT_RDWR)

    watch = Timer(seconds, cut)
    watch.start()
    try:
        yield
    except (OSError, http.client.HTTPException):
        if is_cut.is_set():
            raise TimeoutError from None
        raise
    else:
        # What was cut in its head reads like an answer that ends there.
        if is_cut.is_set():
            raise TimeoutError
    finally:
        watch.cancel()


def _words_of(error: Exception) -> str:
    return "Connection refused" if isinstance(error, ConnectionRefusedError) else "Not reached"


def _connected(host: str, port: int, *, is_inside_allowed: bool) -> socket.socket:
    """Return a connection to the first address of a host that answers. Raises NotSent, OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    if not is_inside_allowed and not all(is_public(str(row[4][0])) for row in found):
        raise NotSent("The host leads to an address that isn’t public")
    failed: OSError | None = None
    for family, kind, protocol, _, address in found:
        line = socket.socket(family, kind, protocol)
        line.settimeout(CONNECT_SECONDS)
        try:
            # By its number: the name is not asked for again.
            line.connect(address)
        except OSError as error:
            line.close()
            failed = error
            continue
        line.settimeout(ANSWER_SECONDS)
        return line
    raise failed or OSError("no address")
