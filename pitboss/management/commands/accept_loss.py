"""`manage.py accept_loss`: an auditor and surveillance accept that the database was set back."""

from __future__ import annotations

from getpass import getpass
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pitboss.models import Device
from pitboss.rules.refusal import Refused
from pitboss.services.loss_acceptance import FoundLoss, accept_loss, losses_to_accept
from pitboss.services.losses import chain_words
from pitboss.services.pin_offers import Witness


class Command(BaseCommand):
    help = (
        "Show what the seals saw and the database no longer has, after a failover or a restore "
        "that lost something. An auditor and someone from surveillance accept it. The journal "
        "keeps it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--auditor", help="The auditor's badge. Without it, the loss is only shown."
        )
        parser.add_argument("--surveillance", help="The badge of the second person.")
        parser.add_argument("--device", help="The name of an enrolled device.")
        parser.add_argument("--reason", default="", help="What happened to the database.")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["auditor"] is None:
            self._show(losses_to_accept())
            return
        device = Device.objects.filter(name=options["device"], revoked_at=None).first()
        try:
            found = accept_loss(
                reason=options["reason"],
                auditor=Witness(options["auditor"], getpass("PIN of the auditor: ")),
                watcher=Witness(options["surveillance"] or "", getpass("PIN of surveillance: ")),
                device=device,
            )
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        self._show(found)
        self.stdout.write("Accepted. Verification knows of this gap from now on.")

    def _show(self, found: list[FoundLoss]) -> None:
        if not found:
            self.stdout.write("The database has everything its seals saw.")
        for found_loss in found:
            loss = found_loss.loss
            self.stdout.write(loss.words)
            self.stdout.write(f"Between {loss.since or 'the beginning'} and {loss.until}:")
            for chain in found_loss.chains:
                entries = "1 entry" if chain.entries == 1 else f"{chain.entries:,} entries"
                self.stdout.write(
                    f"  {chain_words(chain.name)}: up to {entries} after entry {chain.kept:,}"
                )
            if not found_loss.chains:
                self.stdout.write("  No chain lost an entry that a seal saw.")
            self.stdout.write("No seal saw the entries after the last of these seals.")
