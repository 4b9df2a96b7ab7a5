"""Who may do what: read off the flows and the pages themselves, and so never out of date."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pitboss.access import may_open, pages
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import Flow, Step
from pitboss.rules.roles import Role, may_act_as
from pitboss.selectors.slips import step_title


def may_sign(role: Role, step: Step) -> bool:
    """Tell whether a role may sign a step; an administrator signs nothing."""
    return role != Role.ADMINISTRATOR and any(may_act_as(role, wanted) for wanted in step.roles)


def signs_of(role: Role) -> list[dict[str, str]]:
    """Return each kind of slip with the steps that a role signs on it."""
    return [
        {"title": flow.title, "steps": ", ".join(steps)}
        for flow in FLOWS.values()
        if (
            steps := [
                step_title(flow.kind, step.name) for step in _steps(flow) if may_sign(role, step)
            ]
        )
    ]


def opens_of(role: Role) -> list[str]:
    """Return the pages that a role may open."""
    return [_page_words(name) for name in pages() if may_open(role, name)]


def matrix() -> list[dict[str, Any]]:
    """Return every step of every slip and every page, with whether each role may."""
    slips = [
        {
            "title": flow.title,
            "rows": [
                {
                    "title": step_title(flow.kind, step.name),
                    "may": [may_sign(role, step) for role in Role],
                }
                for step in _steps(flow)
            ],
        }
        for flow in FLOWS.values()
    ]
    opened = [
        {"title": _page_words(name), "may": [may_open(role, name) for role in Role]}
        for name in pages()
    ]
    return [*slips, {"title": "Pages", "rows": opened}]


def _page_words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _steps(flow: Flow) -> Iterator[Step]:
    yield from (*flow.steps, *flow.void, *flow.relief)
