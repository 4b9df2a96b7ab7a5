"""`manage.py repair_row`: an auditor and surveillance put right a row that was altered."""

from __future__ import annotations

from getpass import getpass
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from pitboss.models import Device
from pitboss.models.sealed import sealed_columns
from pitboss.rules.refusal import Refused
from pitboss.services.pin_offers import Witness
from pitboss.services.row_repair import altered_row, repair_row


class Command(BaseCommand):
    help = (
        "Show a row that was changed outside Pitboss, restore its columns, and seal it "
        "again. An auditor and someone from surveillance sign. The journal keeps it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("model", help="The kind of row, such as pitboss.Person.")
        parser.add_argument("row", type=int, help="Its id.")
        parser.add_argument(
            "--auditor", help="The auditor's badge. Without it, the row is only shown."
        )
        parser.add_argument("--surveillance", help="The badge of the second person.")
        parser.add_argument("--device", help="The name of an enrolled device.")
        parser.add_argument("--reason", default="", help="What happened to the row.")
        parser.add_argument(
            "--set", action="append", default=[], help="column=value to put back; none for no value"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["auditor"] is None:
                self._show(options["model"], options["row"])
            else:
                self._repair(options)
        except Refused as refused:
            raise CommandError(str(refused)) from refused

    def _show(self, model: str, row_id: int) -> None:
        with transaction.atomic():
            row = altered_row(model, row_id)
        values = row.column_values()
        hidden = {"password", "pin_hash"}
        for name in sealed_columns(type(row)):
            self.stdout.write(f"{name} = {'…' if name in hidden else values[name]}")
        self.stdout.write(
            "The seal is intact." if row.is_sealed() else "The seal doesn’t match the row."
        )

    def _repair(self, options: dict[str, Any]) -> None:
        changes = dict(option.partition("=")[::2] for option in options["set"])
        device = Device.objects.filter(name=options["device"], revoked_at=None).first()
        repaired = repair_row(
            label=options["model"],
            row_id=options["row"],
            changes=changes,
            reason=options["reason"],
            auditor=Witness(options["auditor"], getpass("PIN of the auditor: ")),
            watcher=Witness(options["surveillance"] or "", getpass("PIN of surveillance: ")),
            device=device,
        )
        proof = (
            "It is what Pitboss wrote last: the journal proves it."
            if repaired.is_proven
            else "It isn’t what Pitboss wrote last: the two people vouch for it."
        )
        self.stdout.write(f"Sealed again as version {repaired.row.version}. {proof}")
