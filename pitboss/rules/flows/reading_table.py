"""Who reads what, as the table that docs/controls.md shows."""

from __future__ import annotations

from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import Readers
from pitboss.rules.flows.reading import readers_of
from pitboss.rules.roles import Role


def reading_table() -> str:
    """Return the table, a line for each set of kinds that the same people read."""
    alike: dict[Readers, list[str]] = {}
    for flow in sorted(FLOWS.values(), key=lambda flow: flow.title):
        readers = readers_of(flow.kind)
        assert readers is not None, f"nobody reads a {flow.kind}"
        alike.setdefault(readers, []).append(flow.title)
    lines = ["| Slips | Read at any time by | By a device alone |", "|---|---|---|"]
    lines += [
        f"| {', '.join(titles)} | {_roles(readers)} | {_devices(readers)} |"
        for readers, titles in alike.items()
    ]
    return "\n".join(lines) + "\n"


def _roles(readers: Readers) -> str:
    return ", ".join(role.label for role in Role if role in readers.roles)


def _devices(readers: Readers) -> str:
    devices = [f"of the {place}" for place in sorted(readers.places)]
    devices += ["the terminal of its table"] if readers.at_terminal else []
    return ", ".join(devices) or "none"
