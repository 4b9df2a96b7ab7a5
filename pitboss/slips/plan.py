"""A slip's plan, typed: reads and writes the JSON that is stored, those of earlier releases too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from pitboss.rules.flows import flows
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place, Role


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One step that a slip needs. What an earlier release did not store is as it was then."""

    track: Track
    name: str
    by: tuple[Role, ...]
    roles: tuple[Role, ...]
    at: Place | None
    attests: str
    counts: bool = False
    blind: bool = False
    records: bool = False
    figures: bool = False
    may_repeat: str | tuple[str, ...] | None = None
    same_as: str | None = None
    in_presence_of: str | None = None
    then: str | None = None
    dispatches: bool = False
    needs_reason: bool = False
    drawn: bool = False
    asks: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> PlannedStep:
        """Return a step as it is stored."""
        repeated = stored["may_repeat"]
        return cls(
            **{
                **stored,
                "track": Track(stored["track"]),
                "by": tuple(map(Role, stored["by"])),
                "roles": tuple(map(Role, stored["roles"])),
                "at": Place(stored["at"]) if stored["at"] else None,
                "may_repeat": tuple(repeated) if isinstance(repeated, list) else repeated,
                "asks": tuple(stored.get("asks", ())),
                "beside": tuple(stored.get("beside", ())),
            }
        )

    def stored(self) -> dict[str, Any]:
        """Return the step as it is stored."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            name: [str(item) for item in value] if isinstance(value, tuple) else value
            for name, value in values.items()
        }

    @property
    def key(self) -> tuple[str, str]:
        """By what a signature names it."""
        return self.track.value, self.name


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps that one slip needs."""

    raw: Sequence[Mapping[str, Any]]

    def steps(self, track: Track) -> list[PlannedStep]:
        """Return the steps of one track, in order."""
        return [PlannedStep.read(step) for step in flows.track_steps(self.raw, track.value)]

    def due(self, signed: Mapping[tuple[str, str], int]) -> PlannedStep | None:
        """Return the one step that an open slip waits for."""
        due = flows.due_step(self.raw, signed)
        return PlannedStep.read(due) if due is not None else None

    def open(self, signed: Mapping[tuple[str, str], int], track: Track) -> list[PlannedStep]:
        """Return the steps that a track waits for: mostly one."""
        return [PlannedStep.read(step) for step in flows.open_steps(self.raw, signed, track.value)]

    def has(self, name: str) -> bool:
        """Tell whether a slip needs a step."""
        return any(step["name"] == name for step in self.raw)
