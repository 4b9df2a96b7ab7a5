"""Ask axe what a page would be in the way of, for whoever cannot see or point."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

_AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text()


def troubles(page: Page) -> list[str]:
    """Return what axe finds wrong with a page: each rule, and where it is broken first."""
    page.evaluate(_AXE)
    found = page.evaluate(
        "() => axe.run(document, {resultTypes: ['violations']})"
        ".then((result) => result.violations.map((each) => [each.id, each.nodes[0].html]))"
    )
    return [f"{rule}: {node}" for rule, node in found]
