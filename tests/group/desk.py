"""The desk of a group as an operator runs it: its own database, its commands, its pages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import psycopg
from psycopg import sql

from pitboss.embedded.servers import create_database
from tests.databases import PROJECT, as_superuser, database_url

NAME, PASSWORD = "Greta", "a long password of greta"
# Serves the desk where the kernel finds room, and says where.
_SERVING = """
from wsgiref.simple_server import WSGIRequestHandler, make_server
from pitboss.wsgi import application
WSGIRequestHandler.log_message = lambda *_: None
server = make_server("127.0.0.1", 0, application)
print(server.server_port, flush=True)
server.serve_forever()
"""


class Desk:
    """A desk with a database of its own, in which nothing was pulled yet."""

    def __init__(self, data: Path, database: str) -> None:
        self.data, self.database = data, database
        # Who signed the certificates of its houses, where that is no one whom everyone knows.
        self.authority = ""

    def environ(self, role: str = "") -> dict[str, str]:
        """Return the environment of a process of the desk."""
        kept = {
            name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"
        }
        return kept | {
            "PITBOSS_ENV": "group",
            "PITBOSS_DATA": str(self.data),
            "PITBOSS_HTTPS": "0",
            "PITBOSS_GROUP_CA": self.authority,
            "DATABASE_URL": database_url(role, self.database),
        }

    def manage(self, *words: str, role: str = "", typed: str = "") -> tuple[int, str]:
        """Run one command of the desk; return how it ended and what it said."""
        ended = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=PROJECT,
            env=self.environ(role),
            input=typed,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return ended.returncode, ended.stdout + ended.stderr

    def owner(self) -> psycopg.Connection[tuple[Any, ...]]:
        """Return a connection of the owner of the desk's database."""
        return psycopg.connect(database_url("OWNER", self.database), autocommit=True)

    def rows(self, question: str, *given: Any) -> list[tuple[Any, ...]]:
        """Return what the desk's database answers."""
        with self.owner() as owner:
            return owner.execute(question, given).fetchall()

    @contextmanager
    def serving(self) -> Iterator[Browser]:
        """Serve the desk's pages; give a browser that is not signed in."""
        with subprocess.Popen(
            [sys.executable, "-c", _SERVING],
            cwd=PROJECT,
            env=self.environ(),
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                assert process.stdout is not None
                yield Browser(f"http://127.0.0.1:{process.stdout.readline().strip()}")
            finally:
                process.terminate()


class Browser:
    """Fetches pages and sends forms, with cookies, as a browser without scripts."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.opener = build_opener(HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> tuple[int, str]:
        """Return the status of a page and its words."""
        return self._ask(Request(f"{self.url}{path}"))

    def post(self, path: str, **form: str) -> tuple[int, str]:
        """Send a form with the token that the page at hand has."""
        _, page = self.get("/login/")
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert token is not None
        fields = urlencode({"csrfmiddlewaretoken": token[1], **form}).encode()
        return self._ask(Request(f"{self.url}{path}", fields, {"Referer": self.url}))

    def sign_in(self, password: str = PASSWORD) -> tuple[int, str]:
        """Sign Greta in."""
        return self.post("/login/", name=NAME, password=password)

    def _ask(self, request: Request) -> tuple[int, str]:
        try:
            with self.opener.open(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            return error.code, error.read().decode()


def words(page: str) -> str:
    """Return what a page says, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


@contextmanager
def a_desk(data: Path) -> Iterator[Desk]:
    """Give a desk that Greta may read; drop its database after."""
    name = f"group_{os.getpid()}"
    with as_superuser() as superuser:
        create_database(superuser, name)
    try:
        desk = Desk(data, name)
        ended, said = desk.manage("migrate", "--verbosity=0", role="OWNER")
        assert ended == 0, said
        ended, said = desk.manage("reader", NAME, typed=f"{PASSWORD}\n")
        assert ended == 0, said
        yield desk
    finally:
        with as_superuser() as superuser:
            superuser.execute(
                sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
            )
