"""What the schema says of every act of a terminal: the key that makes it safe to send again."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter

from pitboss.api_schema import DeviceScheme


class TerminalScheme(DeviceScheme):  # type: ignore[no-untyped-call]
    """The same header, sent by the terminal of a table."""

    target_class = "tables.api.terminals.TerminalAuthentication"
    name = "terminal"
    says = "the secret of a table's terminal, which opens that table and no other."


def after_parameter() -> OpenApiParameter:
    """Return what a page is read by: the number of the last one that the terminal has."""
    return OpenApiParameter(
        "after",
        type={"type": "integer", "minimum": 0, "maximum": 2**63 - 1},
        location=OpenApiParameter.QUERY,
        required=False,
        description="The number of the last one that you have. Send `next` here until it is null.",
    )
