"""`manage.py add_house NAME ADDRESS --code CODE --key KEY`: let a house into the group."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from pitboss.group.models import House
from pitboss.group.pulling import add_house, add_key
from pitboss.rules.refusal import Refused


class Command(BaseCommand):
    help = (
        "Add a property by the one-time code of its device, or give one on file another token. "
        "Without an address, only add another key of one on file."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("address", nargs="?", default="")
        parser.add_argument("--code", default="", help="The one-time code under Devices.")
        parser.add_argument("--key", required=True, help="What statement_key shows there.")

    def handle(self, *args: Any, **options: Any) -> None:
        now, key = timezone.now(), options["key"]
        try:
            if options["address"]:
                house = add_house(
                    name=options["name"],
                    address=options["address"],
                    code=options["code"],
                    key=key,
                    at=now,
                )
                self.stdout.write(f"{house} is added. Its first pull brings every closed day.")
                return
            known = House.objects.filter(name=options["name"]).first()
            if known is None:
                raise CommandError("No property has this name. Enter its address too.")
            row = add_key(house=known, key=key, at=now)
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"Key {row.mark} of {known} is on file.")
