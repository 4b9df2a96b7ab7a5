"""Read what the person at the terminal has set, and say in one sentence what is wrong with it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


class CannotRun(Exception):
    """Carry one sentence to the person at the terminal: what is wrong, and what to do."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """Where the site listens and where it keeps everything it must not forget."""

    host: str
    port: int
    data: Path

    @property
    def address(self) -> str:
        """Return the address a browser on this machine should open.

        >>> Configuration(host="0.0.0.0", port=8000, data=Path()).address
        'http://127.0.0.1:8000/'
        >>> Configuration(host="::1", port=8000, data=Path()).address
        'http://[::1]:8000/'
        """
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"


def read_configuration(environ: Mapping[str, str], *, data: str = ".data") -> Configuration:
    """Return the configuration, or raise `CannotRun` with the first thing wrong with it."""
    refuse_foreign_servers(environ)
    return Configuration(
        host=environ.get("PITBOSS_HOST") or "127.0.0.1",
        port=_port(environ.get("PITBOSS_PORT") or "8000"),
        data=data_folder(environ.get("PITBOSS_DATA") or data),
    )


def refuse_foreign_servers(environ: Mapping[str, str]) -> None:
    """Refuse whatever is meant for a casino's own servers: demo data must never reach them."""
    if not sys.platform.startswith("linux"):
        raise CannotRun(
            "The embedded servers run on Linux only; elsewhere set DATABASE_URL and BROKER_URL "
            "and start web, worker and beat as docs/operating.md says."
        )
    if environ.get("PITBOSS_ENV") == "production":
        raise CannotRun(
            "PITBOSS_ENV is production, and the embedded servers refuse production: start web, "
            "worker and beat on your own PostgreSQL and Redis, as docs/operating.md says."
        )
    for name in ("DATABASE_URL", "BROKER_URL"):
        if environ.get(name):
            raise CannotRun(
                f"{name} is set, but this command brings servers of its own: unset it, or start "
                "web, worker and beat on your servers, as docs/operating.md says."
            )


def _port(text: str) -> int:
    """Return the port that a setting names.

    >>> _port("8000")
    8000
    >>> _port("abc")
    Traceback (most recent call last):
    ...
    pitboss.embedded.configuration.CannotRun: PITBOSS_PORT is 'abc': give a number from 1 to 65535.
    """
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 65536):
        raise CannotRun(f"PITBOSS_PORT is {text!r}: give a number from 1 to 65535.")
    return int(text)


def data_folder(text: str) -> Path:
    """Return the data folder, made if need be; a relative one counts from the project."""
    folder = (PROJECT / Path(text).expanduser()).absolute()
    try:
        if not folder.exists():
            folder.mkdir(parents=True)
            # Root's servers run as another account, which must be able to pass through this
            # folder into its own; what lies beside that is closed file by file.
            folder.chmod(0o711 if os.geteuid() == 0 else 0o700)
    except OSError as error:
        raise CannotRun(
            f"The data folder {folder} cannot be made ({error.strerror}): set PITBOSS_DATA to a "
            "folder you may write to."
        ) from None
    if not folder.is_dir() or not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise CannotRun(
            f"The data folder {folder} cannot be written to: set PITBOSS_DATA to another folder, "
            "or run as the account that owns this one."
        )
    return folder
