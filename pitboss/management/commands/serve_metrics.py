"""`manage.py serve_metrics`: answer Prometheus for this node, on an address that is not public."""

from __future__ import annotations

import ipaddress
import threading
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector

from pitboss.selectors.gauges import HouseCollector


def node_registry() -> CollectorRegistry:
    """Return all that is counted on this node, and how the house is."""
    registry = CollectorRegistry()
    if settings.METRICS_FOLDER is not None:
        MultiProcessCollector(registry, path=str(settings.METRICS_FOLDER))  # type: ignore[no-untyped-call]
    registry.register(HouseCollector())
    return registry


class Command(BaseCommand):
    help = (
        "Serve this node’s counts at /metrics for Prometheus. Listens on 127.0.0.1 "
        "port 9108 by default, and never on a public address."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="An address of this machine.")
        parser.add_argument("--port", type=int, default=9108)

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_public(options["host"])
        if settings.METRICS_FOLDER is None:
            self.stderr.write("PITBOSS_METRICS_FOLDER isn’t set, so requests aren’t counted.")
        start_http_server(options["port"], options["host"], node_registry())
        self.stdout.write(f"http://{options['host']}:{options['port']}/metrics")
        threading.Event().wait()


def refuse_public(host: str) -> None:
    """Refuse an address that strangers may reach. Raises CommandError."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        raise CommandError(f"{host} isn’t an address. Enter one, like 10.0.0.1.") from None
    if address.is_unspecified or not address.is_private:
        raise CommandError(
            f"{host} can be reached from outside. Use 127.0.0.1 or an address of the inner network."
        )
