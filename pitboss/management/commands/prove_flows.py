"""`manage.py prove_flows`: explore every state of every flow, and show what the docs promise."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flow_proof import prove_all
from pitboss.rules.flows.page import flows_page


class Command(BaseCommand):
    help = (
        "Prove the flows: no slip is finished by fewer people or departments than "
        "promised, no one signs twice or in another place, and every state has a way "
        "out. Prints docs/flows.md. Ends with 0 when all hold, and with 1 and what "
        "fails when one does not."
    )
    # Flows are data of this release: no database, and nothing of the house, is asked.
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        proofs = prove_all(FLOWS)
        findings = [finding for proof in proofs for finding in proof.findings]
        self.stdout.write(flows_page(proofs), ending="")
        for finding in findings:
            self.stderr.write(finding)
        if findings:
            sys.exit(1)
