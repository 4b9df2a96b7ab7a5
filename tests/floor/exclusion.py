"""Exclusion in tests: lists that compliance imports, and cases that two people sign."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import uuid4

from inventory.kinds.exclusion_case import CASE_CLEARED, CASE_CONFIRMED
from inventory.kinds.exclusion_list import LIST_IMPORT
from inventory.models import ExclusionCase, ListUpload
from inventory.services.exclusion_lists import upload_list
from pitboss.models import Person, Slip
from pitboss.rules.patrons.exclusion import ListKind
from pitboss.rules.roles import Place
from pitboss.slips.kind import Kind
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast

HEAD = "id,last_name,first_name,aliases,born_on,ssn,address,description,from,until"
RUIZ = "SX-1,Ruiz,Ana,,1980-02-03,,,,,"


def upload(
    cast: Cast, lines: Iterable[str], kind: ListKind = ListKind.SELF_EXCLUSION
) -> ListUpload:
    """Bring a list as Petra."""
    return upload_list(
        kind=kind,
        content="\n".join([HEAD, *lines]).encode(),
        person=cast.petra,
        device=cast.devices[Place.OFFICE],
        request_id=uuid4(),
    )


def propose_list(
    cast: Cast,
    lines: Iterable[str],
    kind: ListKind = ListKind.SELF_EXCLUSION,
    by: Person | None = None,
) -> Slip:
    """Sign a list as Petra, or as somebody else."""
    brought = LIST_IMPORT.at(upload=upload(cast, lines, kind))
    pen = cast.pen(by or cast.petra, Place.OFFICE)
    slip = raise_kind(brought, pen=pen, shown=shown_before(brought))
    slip.refresh_from_db()
    return slip


def put_on(cast: Cast, *lines: str, kind: ListKind = ListKind.SELF_EXCLUSION) -> Slip:
    """Put a list in force; Heidi seconds where many vanish."""
    slip = propose_list(cast, lines, kind)
    if any(step["name"] == "seconded" for step in slip.plan):
        cast.sign(slip, "seconded", cast.heidi, Place.OFFICE)
    return slip


def decide(cast: Cast, case: ExclusionCase, kind: Kind, by: Person) -> Slip:
    decision = kind.at(case=case, seen="Driver license, face and date of birth.")
    pen = cast.pen(by, Place.SECURITY)
    return raise_kind(decision, pen=pen, shown=shown_before(decision))


def clear(cast: Cast, case: ExclusionCase) -> Slip:
    """Find that it is somebody else: security, then compliance."""
    slip = decide(cast, case, CASE_CLEARED, cast.frank)
    cast.sign(slip, "clearing_agreed", cast.petra, Place.OFFICE)
    return slip


def confirm_case(cast: Cast, case: ExclusionCase) -> Slip:
    """Find that it is the person: security, then compliance."""
    slip = decide(cast, case, CASE_CONFIRMED, cast.frank)
    cast.sign(slip, "confirming_agreed", cast.petra, Place.OFFICE)
    return slip
