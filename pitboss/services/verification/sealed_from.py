"""Where a look at the seals begins, and what of the file people have accepted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pitboss.services.journal import PEOPLE, make_link
from pitboss.services.losses import LOSS_ACCEPTED, Loss, loss_in
from pitboss.services.seals import SEAL_FILE_ACCEPTED
from pitboss.services.verification.position import Position
from pitboss.services.verification.snapshot import Snapshot

_ACCEPTED_SQL = f"""
    SELECT entry.text, entry.key_name, entry.link, coalesce(before.link, '')
    FROM pitboss_journalentry AS entry
    JOIN pitboss_journalchain AS chain ON chain.id = entry.chain_id AND chain.name = '{PEOPLE}'
    LEFT JOIN pitboss_journalentry AS before
      ON before.chain_id = entry.chain_id AND before.number = entry.number - 1
    WHERE entry.kind IN ('{SEAL_FILE_ACCEPTED}', '{LOSS_ACCEPTED}') ORDER BY entry.number
"""
_LOST_SQL = """
    SELECT text FROM pitboss_journalseal
    WHERE number > %s AND text LIKE '%%"lost":%%' ORDER BY number
"""


@dataclass(frozen=True, slots=True)
class Begin:
    """Where a look at the seals begins: after a seal that is proven, at a place in the file.

    The file is compared from `file_from` on: what an auditor has accepted the loss of is not asked
    for again. Where the database was set back, the file is ahead of it: what the database lost is
    passed by, and the seal that tells of it is a finding until two people have accepted that.
    """

    after: int = 0
    link: str = ""
    file_start: int = 0
    file_from: int = 0
    heads: Mapping[str, list[Any]] = field(default_factory=dict)
    at: str = ""
    guards: str = ""
    losses: tuple[Loss, ...] = ()
    # What was accepted, by the seal that tells of it.
    losses_accepted: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)


def begin_of(snapshot: Snapshot, keys: Mapping[str, bytes], since: Position | None) -> Begin:
    """Return where a look begins: at the first seal, or where the look before ended."""
    accepted, losses_accepted = _accepted(snapshot, keys)
    whole = replace(
        _whole_begin(snapshot, accepted),
        losses=_losses(snapshot, after=since.seal if since else 0),
        losses_accepted=losses_accepted,
    )
    if since is None:
        return whole
    return replace(
        whole,
        after=since.seal,
        link=since.seal_link,
        # Unless the file was accepted anew since then.
        file_start=whole.file_start if accepted > since.seal else since.file_bytes,
        file_from=accepted,
        heads=since.seal_heads,
        at=since.seal_at,
        guards=since.guards,
    )


def _accepted(
    snapshot: Snapshot, keys: Mapping[str, bytes]
) -> tuple[int, dict[int, Mapping[str, Any]]]:
    """Return up to which seal an auditor accepted the file, and which losses two people accepted.

    Each acceptance is an entry of the journal, believed when its own link is right.
    """
    file, losses = 0, {}
    for text, key_name, link, previous in snapshot.stream(_ACCEPTED_SQL):
        key = keys.get(key_name)
        if key is None or make_link(key, previous, text) != link:
            continue
        says = json.loads(text)
        if says["kind"] == SEAL_FILE_ACCEPTED:
            file = int(says["body"]["seal"])
        elif says["kind"] == LOSS_ACCEPTED:
            losses[int(says["body"]["seal"])] = says["body"]
    return file, losses


def _losses(snapshot: Snapshot, after: int) -> tuple[Loss, ...]:
    """Return what seals tell of as lost. Whether a seal is proven is judged where it is read."""
    losses = []
    for (text,) in snapshot.stream(_LOST_SQL, [after]):
        try:
            loss = loss_in(json.loads(text))
        except (ValueError, TypeError, AttributeError):
            # It was changed, and its own check says so.
            continue
        if loss is not None:
            losses.append(loss)
    return tuple(losses)


def _whole_begin(snapshot: Snapshot, accepted: int) -> Begin:
    """Return where a look at all seals begins: the file, where an auditor last accepted it."""
    for (text,) in snapshot.stream(
        "SELECT text FROM pitboss_journalseal WHERE number = %s", [accepted]
    ):
        try:
            return Begin(file_start=json.loads(text)["file"]["bytes"], file_from=accepted)
        except (ValueError, KeyError, TypeError):
            # It was changed, and its own check says so.
            break
    return Begin()
