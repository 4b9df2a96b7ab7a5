"""`manage.py reader NAME`: let someone read the desk, give them a new password, or end it."""

from __future__ import annotations

import getpass
import sys
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from pitboss.group.models import Reader


class Command(BaseCommand):
    help = "Add a reader of the desk with a password, which is asked for, or remove one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--remove", action="store_true", help="They may no longer sign in.")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"]
        if options["remove"]:
            if not Reader.objects.filter(name=name).update(is_active=False):
                raise CommandError("No reader has this name. Check the spelling.")
            self.stdout.write(f"{name} can no longer sign in.")
            return
        if sys.stdin.isatty():
            password = getpass.getpass("Password: ")
        else:
            password = sys.stdin.readline().rstrip("\n")
        reader = Reader.objects.filter(name=name).first() or Reader(name=name)
        try:
            validate_password(password)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        reader.is_active, reader.failures, reader.locked_until = True, 0, None
        # A changed password ends the sessions that the old one began.
        reader.set_password(password)
        reader.save()
        self.stdout.write(f"{name} can sign in.")
