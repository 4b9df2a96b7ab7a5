"""The stay and who rated it: when it may begin and ends, what is drawn, how raters lean."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import time
from typing import Final

from pitboss.rules.day.gaming_day import Clock, Shift
from pitboss.rules.ratings import rating_audit, stay
from pitboss.rules.ratings.wire_reading import Answer, Ask, Fields
from pitboss.rules.refusal import refuse


def _open(case: Fields) -> Answer:
    facts = stay.SitDown(
        table=case.text("table"),
        table_open=case.flag("table_open"),
        opened_at=case.whole_or_none("opened_at"),
        seats=case.whole("seats", least=1),
        seat=case.whole("seat"),
        taken=frozenset(case.wholes("taken")),
        has_patron=case.has("patron"),
        has_stranger=case.has("stranger"),
        open_at=case.text("open_at") if case.has("open_at") else None,
        standing=case.text("standing", "clear"),
        related=case.flag("related"),
        now=case.whole("now"),
        began=case.whole("began"),
        seat_free_since=case.whole_or_none("seat_free_since"),
        break_due=case.flag("break_due"),
    )
    return {"refusals": stay.open_refusals(facts)}


def _close(case: Fields) -> Answer:
    signs = stay.LastSigns(
        began=case.whole("began"),
        now=case.whole("now"),
        asked=case.whole_or_none("asked"),
        last_bet=case.whole_or_none("last_bet"),
        last_look=case.whole_or_none("last_look"),
        table_closed=case.whole_or_none("table_closed"),
    )
    ended = stay.close(signs)
    if ended.refusals:
        return {"refusals": list(ended.refusals)}
    return {"ended": ended.at, "end": ended.end}


def _cut_days(case: Fields) -> Answer:
    try:
        day_starts = time.fromisoformat(case.text("day_starts"))
    except ValueError:
        raise refuse("bad_day_starts", "day_starts must be a time like 06:00.") from None
    clock = Clock(case.zone("zone"), (Shift("day", day_starts),))
    pieces = stay.cut_days(clock, case.instant("began"), case.instant("ended"))
    return {
        "pieces": [
            {"gaming_day": piece.gaming_day.isoformat(), "seconds": piece.seconds}
            for piece in pieces
        ]
    }


def _picked(case: Fields) -> Answer:
    digest = case.text("digest")
    if len(digest) < 8 or not all(item in "0123456789abcdef" for item in digest):
        raise refuse("bad_digest", "digest must be 8 or more hexadecimal digits.")
    return {"picked": rating_audit.is_picked(digest, case.whole("share_bp", least=0))}


def _audit(case: Fields) -> Answer:
    rated, seen = (
        rating_audit.Watched(
            fields.whole("seconds", least=0), fields.whole("average_cents", least=0)
        )
        for fields in (case.object_at("rated"), case.object_at("seen"))
    )
    found = rating_audit.compare(rated, seen, case.whole("tolerance_bp", least=0))
    return {"differs_bp": found.differs_bp, "state": found.state}


def _rater(case: Fields) -> Answer:
    found = rating_audit.rater_bias(
        case.pairs("pairs"), least=case.whole("least"), most_bp=case.whole("most_bp")
    )
    return {"ratings": found.ratings, "bias_bp": found.bias_bp, "state": found.state}


ASKS: Final[Mapping[str, Ask]] = {
    "open": _open,
    "close": _close,
    "cut_days": _cut_days,
    "picked": _picked,
    "audit": _audit,
    "rater": _rater,
}
