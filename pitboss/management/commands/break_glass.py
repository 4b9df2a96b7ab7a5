"""`manage.py break_glass keys` and `manage.py break_glass for BADGE`: bring a house back."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pitboss.rules.refusal import Refused
from pitboss.services.break_glass import break_glass, make_keys


class Command(BaseCommand):
    help = "Make the two break-glass keys, or use both to print a PIN code for one manager."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("keys", help="Make two new keys. The earlier ones stop working.")
        use = acts.add_parser("for", help="Print a code with which one manager sets a PIN.")
        use.add_argument("badge")
        use.add_argument("--reason", required=True, help="Reason. The journal records it.")
        use.add_argument(
            "--key-file",
            type=Path,
            action="append",
            default=[],
            help="A file with one key. Use it twice. Without it you’re asked for both keys.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["act"] == "keys":
                self._make()
            else:
                self._use(options)
        except Refused as refused:
            raise CommandError(str(refused)) from refused

    def _make(self) -> None:
        first, second = make_keys(server_account=getpass.getuser())
        self.stdout.write(
            f"First key    {first}\nSecond key   {second}\n\nWrite each on its own "
            "sheet and seal it. Give them to two people from different departments. "
            "They aren’t shown again. In a house that has opened, they work after 24 "
            "hours."
        )

    def _use(self, options: dict[str, Any]) -> None:
        files = options["key_file"]
        if files and len(files) != 2:
            raise CommandError("Use --key-file twice, once for each key.")
        keys = (
            [path.read_text() for path in files]
            if files
            else [getpass.getpass(f"{which} key: ") for which in ("First", "Second")]
        )
        code = break_glass(
            badge=options["badge"],
            keys=(keys[0], keys[1]),
            reason=options["reason"],
            server_account=getpass.getuser(),
        )
        self.stdout.write(
            f"On an enrolled device, badge {options['badge']} opens /pin/keys/ and "
            f"enters\n\n    {code}\n\nIt works once, for one hour."
        )
