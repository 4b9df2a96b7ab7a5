"""`manage.py statement_key`: show the key that a group verifies by; make one, or a new one."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from pitboss.keys import STATEMENT_KEY, make_key, replace_key
from pitboss.rules.group.signing import mark_of, public_key


class Command(BaseCommand):
    help = "Show the public key of what this property signs for its group."

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--make", action="store_true", help="Make the key. Once.")
        which.add_argument("--renew", action="store_true", help="Replace the key by a new one.")

    def handle(self, *args: Any, **options: Any) -> None:
        path = settings.PITBOSS_DATA / "keys" / STATEMENT_KEY
        key = settings.KEYS.statement_key
        if options["make"]:
            if key:
                raise CommandError("The property already has a key. --renew replaces it.")
            key = make_key(path, secrets.token_hex(32))
        elif options["renew"]:
            if not path.exists():
                raise CommandError(f"{path} doesn’t exist. Renew the key where you keep it.")
            key = secrets.token_hex(32)
            replace_key(path, key)
        elif not key:
            raise CommandError("The property has no key. --make makes one.")
        public = public_key(key)
        self.stdout.write(f"Public key: {public}")
        self.stdout.write(f"Mark: {mark_of(public)}")
        if options["make"] or options["renew"]:
            self.stdout.write(
                "Restart the site on every node, and back up the keys. Read the public key to the "
                "group over the phone."
            )
