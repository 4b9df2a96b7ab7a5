"""Ask axe what a page would be in the way of, for whoever cannot see or point."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

_AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text()
_RUN = """async (rules) => {
  const options = {resultTypes: ["violations"]};
  if (rules.length) options.runOnly = {type: "rule", values: rules};
  const {violations} = await axe.run(document, options);
  return violations.flatMap((each) => each.nodes.map((node) =>
    `${each.id}: ${node.target.join(" ")}: ${node.failureSummary.replace(/\\s+/g, " ")}`));
}"""


def troubles(page: Page, *rules: str) -> list[str]:
    """Return what axe finds wrong with a page, by all its rules or by some, and where."""
    # Half a megabyte of script: read once a page, however often it is asked.
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_AXE)
    found: list[str] = page.evaluate(_RUN, list(rules))
    return found
