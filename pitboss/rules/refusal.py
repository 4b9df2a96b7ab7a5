"""What every rule answers when something may not happen: all the reasons, each with a stable code.

Codes are public: the API returns them, tests and reports quote them. Sentences are for people.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

# What kind of no it is, as HTTP says it: not yours to do, not now, or not so.
NOT_YOURS: Final = 403
CONFLICT: Final = 409
INPUT: Final = 422


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason why not: a code for machines, a sentence saying what is wrong and what to do."""

    code: str
    message: str
    status: int = INPUT


class Refused(Exception):
    """Something may not happen. Carries every reason, never only the first.

    >>> refused = Refused([Refusal("out_of_order", "The cage signs first.")])
    >>> refused.codes
    ('out_of_order',)
    >>> str(refused)
    'The cage signs first.'
    """

    def __init__(self, refusals: Iterable[Refusal]) -> None:
        self.refusals = tuple(refusals)
        if not self.refusals:
            raise ValueError("a refusal needs at least one reason")
        super().__init__(" ".join(refusal.message for refusal in self.refusals))

    @property
    def codes(self) -> tuple[str, ...]:
        return tuple(refusal.code for refusal in self.refusals)


def refuse(code: str, message: str, status: int = INPUT) -> Refused:
    """Return a refusal with one reason, to be raised."""
    return Refused([Refusal(code, message, status)])
