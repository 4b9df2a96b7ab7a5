"""Check what rows keep of others: a pencil mark must say what the ink says.

Some columns move too often for a seal and are worked out from slips and ledger: whether a table is
open, how far its tray has moved, in which epoch a meter plays. They decide, so each app says here
by one statement what they must be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pitboss.services.verification.findings import VerificationReport, Wrong
from pitboss.services.verification.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Derived:
    """One column in pencil: `sql` gives id, name, what stands there and what must, as texts."""

    where: str
    what: str
    sql: str


_DERIVED: list[Derived] = []

# What no statement can say, because it takes a key that the database does not have.
Proof = Callable[[Snapshot, VerificationReport], None]
_PROOFS: list[Proof] = []


def derives(derived: Derived) -> None:
    """Register a column that verification works out again."""
    _DERIVED.append(derived)


def proves(proof: Proof) -> Proof:
    """Register what a whole verification works out again by a key."""
    _PROOFS.append(proof)
    return proof


def check_proofs(snapshot: Snapshot, report: VerificationReport) -> None:
    """Let each app name what its keys do not bear out."""
    for proof in _PROOFS:
        proof(snapshot, report)


def check_derived(snapshot: Snapshot, report: VerificationReport) -> None:
    """Name every row whose column in pencil the ink does not bear out."""
    for derived in _DERIVED:
        for row_id, name, stands, must in snapshot.stream(derived.sql):
            sentence = f"{derived.what} of {name} is {stands}; the record says {must}."
            report.add(Wrong.DERIVED_DIFFERS, derived.where, row_id, sentence)
