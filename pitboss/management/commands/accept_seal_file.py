"""`manage.py accept_seal_file`: an auditor accepts a seal file that lost something."""

from __future__ import annotations

from getpass import getpass
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pitboss.models import Device
from pitboss.rules.refusal import Refused
from pitboss.services.seal_acceptance import accept_seal_file


class Command(BaseCommand):
    help = (
        "Accept a seal file that was found missing, shortened or rewritten. An auditor signs it "
        "with a badge, a PIN and a reason; the journal keeps it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--badge", required=True, help="The auditor's badge.")
        parser.add_argument("--device", required=True, help="The name of an enrolled device.")
        parser.add_argument("--reason", required=True, help="What happened to the file.")

    def handle(self, *args: Any, **options: Any) -> None:
        device = Device.objects.filter(name=options["device"], revoked_at=None).first()
        try:
            seal = accept_seal_file(
                reason=options["reason"],
                badge=options["badge"],
                pin=getpass("PIN: "),
                device=device,
            )
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"Accepted. The seal file goes on from seal {seal}.")
