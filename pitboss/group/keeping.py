"""Keep what a house signed once it is proved, and prove again what is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import connection, transaction

from pitboss.group.models import SUMS, Doubt, House, Statement
from pitboss.rules.canonical import digest
from pitboss.rules.group import statements
from pitboss.rules.group.statements import NOTHING_HELD, Held, SealMark
from pitboss.rules.refusal import Refusal, Refused

# One lock for each house, so that two pulls never race: this and its number.
_PULL_LOCK: Final = 0x50_49_54_09


@dataclass(frozen=True, slots=True)
class Sent:
    """One statement as it came over the line: not yet believed."""

    text: str
    key_mark: str
    signature: str


def keep(house: House, sent: Sent, at: datetime) -> Statement:
    """Keep the next statement of a house. Raises Refused with all that keeps it from being proved.

    Under a lock of the house. What is refused is kept apart, with its reasons.
    """
    try:
        with transaction.atomic(durable=True):
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_PULL_LOCK, house.pk])
            return _keep(house, sent, at)
    except Refused as refused:
        Doubt.objects.get_or_create(
            house=house,
            digest=digest(sent.text),
            codes=",".join(refused.codes)[:200],
            defaults={
                "sentence": " ".join(each.message for each in refused.refusals),
                "text": sent.text.replace("\x00", "�"),
                "key_mark": sent.key_mark[:200],
                "signature": sent.signature[:200],
                "at": at,
            },
        )
        raise


def _keep(house: House, sent: Sent, at: datetime) -> Statement:
    said = statements.read_statement(sent.text)
    same = Statement.objects.filter(house=house, number=said.number).first()
    if same is not None and same.text == sent.text:
        return same
    refusals = statements.proof_refusals(
        said,
        key_mark=sent.key_mark,
        signature=sent.signature,
        keys=_keys(house),
        held=_held(house, said),
    )
    if refusals:
        raise Refused(refusals)
    row = Statement(
        house=house,
        number=said.number,
        previous=said.previous,
        digest=statements.digest_of(said),
        gaming_day=said.gaming_day,
        version=said.version,
        signer=said.house,
        seal_number=said.seal.number,
        seal_link=said.seal.link,
        text=sent.text,
        key_mark=sent.key_mark,
        signature=sent.signature,
        received_at=at,
        **_sums(said),
    )
    row.mark = row.made_mark()
    row.save(force_insert=True)
    return row


def _keys(house: House) -> dict[str, str]:
    return dict(house.keys.values_list("mark", "public_key"))


def _held(house: House, said: statements.Statement) -> Held:
    """Return what is held of a house before a statement comes."""
    kept = Statement.objects.filter(house=house)
    last = kept.order_by("-number").first()
    of_day = kept.filter(gaming_day=said.gaming_day).order_by("-version").first()
    return _after(last, of_day.version if of_day else 0)


def _after(last: Statement | None, version: int) -> Held:
    if last is None:
        return NOTHING_HELD
    seal = SealMark(last.seal_number, last.seal_link)
    return Held(last.number, last.digest, last.signer, seal, version)


def _sums(said: statements.Statement) -> dict[str, int]:
    """Return what a row sums up: win and drop of the tables whose boxes are posted."""
    return {
        "tables": len(said.tables),
        "open_tables": sum(line.win_cents is None for line in said.tables),
        **{name: sum(getattr(line, name) or 0 for line in said.tables) for name in SUMS},
        "exceptions": said.exceptions,
        "carried_over": said.carried_over,
    }


def prove(row: Statement) -> list[Refusal]:
    """Prove a kept statement again, from its text, its neighbor before, and the keys on file.

    Return every reason why it fails; none where it holds.
    """
    try:
        said = statements.read_statement(row.text)
    except Refused as refused:
        return list(refused.refusals)
    kept = Statement.objects.filter(house=row.house_id, number__lt=row.number)
    before = kept.order_by("-number").first()
    of_day = kept.filter(gaming_day=row.gaming_day).order_by("-version").first()
    refusals = statements.proof_refusals(
        said,
        key_mark=row.key_mark,
        signature=row.signature,
        keys=_keys(row.house),
        held=_after(before, of_day.version if of_day else 0),
    )
    if not row.is_as_kept or _differs(row, said):
        refusals.append(
            Refusal(
                "row_changed",
                "The row isn’t as the desk wrote it. Restore the desk’s database from a backup.",
            )
        )
    return refusals


def _differs(row: Statement, said: statements.Statement) -> bool:
    written: dict[str, Any] = {
        "number": said.number,
        "previous": said.previous,
        "digest": statements.digest_of(said),
        "gaming_day": said.gaming_day,
        "version": said.version,
        "signer": said.house,
        "seal_number": said.seal.number,
        "seal_link": said.seal.link,
        **_sums(said),
    }
    return any(getattr(row, name) != value for name, value in written.items())


def prove_all(houses: Sequence[House]) -> Iterator[tuple[Statement, list[Refusal]]]:
    """Prove every statement that is kept of some houses; yield those that fail, with reasons."""
    for house in houses:
        for row in Statement.objects.filter(house=house).order_by("number").iterator(200):
            if refusals := prove(row):
                yield row, refusals
