"""The blind audit: draw ended ratings by a key, and compare each with what surveillance saw.

Which ratings are drawn follows from the journal's key and the first seal after their figures, so
that no one knows before, and verification finds a draw that was left out.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, Final

from django.conf import settings as site
from django.db import connection, transaction

from pitboss.models import Person
from pitboss.rules.ratings.rating_audit import (
    Comparison,
    SeenOnVideo,
    Watched,
    compare,
    is_picked,
    seen_refusals,
)
from pitboss.rules.ratings.reckoning import half_up
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, Refused, refuse
from pitboss.rules.roles import Role, may_act_as
from pitboss.services import house, journal
from pitboss.services.exceptions import RATING_DIFFERS, open_exception
from pitboss.services.locks import lock_desk, lock_request, lock_table
from pitboss.services.pins import signed_act
from pitboss.services.signing import Pen
from pitboss.services.verification.derived import proves
from pitboss.services.verification.findings import VerificationReport, Wrong
from pitboss.services.verification.snapshot import Snapshot
from tables.models import Agreement, PlayRating, RatingDraw, RatingFigures, RatingSeen
from tables.services.rating_changes import newest_figures, raters_of

_DESK: Final = "rating_audit"
# Figures that another transaction was still writing when the last draw was made.
_OVERLAP: Final = timedelta(days=1)
# A draw follows its seal within a minute; one that is later than this was left out.
_DRAWN_WITHIN: Final = timedelta(hours=1)
_EVER: Final = datetime.fromisoformat("2000-01-01T00:00:00+00:00")
# Figures and seals in the order of time: each rating meets the first seal after its figures.
_IN_ORDER: Final = """
    SELECT figures.made_at AS at, 0 AS is_seal, figures.rating_id AS id,
           rating.is_signed, draw.digest, '' AS key_name, '' AS link
    FROM tables_ratingfigures AS figures
    JOIN tables_playrating AS rating ON rating.id = figures.rating_id
    LEFT JOIN tables_ratingdraw AS draw ON draw.rating_id = figures.rating_id
    WHERE figures.revision = 0 AND figures.basis <> '' AND figures.made_at >= %s
    UNION ALL
    SELECT seal.at, 1, seal.id, false, NULL, seal.key_name, seal.link
    FROM pitboss_journalseal AS seal WHERE seal.at >= %s
    ORDER BY 1, 2, 3
"""


@dataclass(frozen=True, slots=True)
class DrawnRating:
    """A rating that is drawn, by which seal; and the digest of its draw where that is stored."""

    rating_id: int
    seal_id: int
    sealed_at: datetime
    digest: str
    stored: str | None


def _digest(rating_id: int, key_name: str, link: str) -> str:
    key = site.KEYS.journal_keys[key_name]
    return hmac.new(key, f"draw:{rating_id}:{link}".encode(), hashlib.sha256).hexdigest()


def drawn_of(rows: Iterable[tuple[Any, ...]]) -> Iterator[DrawnRating]:
    """Yield what is drawn, of figures and seals in the order of time; flat in memory."""
    waiting: list[tuple[datetime, int, bool, str | None]] = []
    for at, is_seal, row_id, is_signed, stored, key_name, link in rows:
        if not is_seal:
            waiting.append((at, row_id, is_signed, stored))
            continue
        for made_at, rating_id, signed, digest in waiting:
            found = _digest(rating_id, key_name, link)
            share = house.settings_at(made_at)["rating.draw_share"]
            if signed or is_picked(found, share):
                yield DrawnRating(rating_id, row_id, at, found, digest)
        waiting = []


def draw_due() -> int:
    """Draw every rating that a seal has decided since; return how many."""
    with transaction.atomic(durable=True):
        lock_desk(_DESK)
        now = house.now()
        last = RatingDraw.objects.select_related("seal").order_by("-seal__number").first()
        since = last.seal.at - _OVERLAP if last is not None else _EVER
        with connection.cursor() as cursor:
            cursor.execute(_IN_ORDER, [since, since])
            due = [
                drawn_rating
                for drawn_rating in drawn_of(cursor.fetchall())
                if drawn_rating.stored is None
            ]
        draws = [
            RatingDraw.objects.create(
                rating_id=drawn_rating.rating_id,
                seal_id=drawn_rating.seal_id,
                digest=drawn_rating.digest,
                drawn_at=now,
            )
            for drawn_rating in due
        ]
        if draws:
            journal.write(
                chain=journal.HOUSE,
                kind="ratings_drawn",
                body={"draws": [draw.pk for draw in draws]},
                at=now,
                rows=draws,
            )
        return len(draws)


@proves
def check_draws(snapshot: Snapshot, report: VerificationReport) -> None:
    """Name every rating whose draw was left out, or is not what the key says."""
    late = house.now() - _DRAWN_WITHIN
    for drawn_rating in drawn_of(snapshot.stream(_IN_ORDER, [_EVER, _EVER])):
        if drawn_rating.stored == drawn_rating.digest or (
            drawn_rating.stored is None and drawn_rating.sealed_at > late
        ):
            continue
        sentence = (
            f"Rating {drawn_rating.rating_id} is drawn for the audit, but the record doesn’t say "
            "so."
        )
        report.add(Wrong.DRAW_MISSING, "rating", drawn_rating.rating_id, sentence)


def watch_rating(*, draw_id: int, seen: SeenOnVideo, pen: Pen) -> RatingSeen:
    """Keep what surveillance saw of a drawn rating, and compare the two. Raises Refused."""
    with signed_act(act="rating_audit", badge=pen.badge, pin=pen.pin, device=pen.device) as person:
        lock_request(pen.request_id)
        now = house.now()
        earlier = RatingSeen.objects.filter(request_id=pen.request_id).first()
        if earlier is not None:
            return earlier  # A second tap, or a resend after a lost answer.
        draw = RatingDraw.objects.select_related("rating__table").get(pk=draw_id)
        lock_table(draw.rating.table_id)
        refusals = [*_watcher_refusals(draw, person, now), *seen_refusals(seen)]
        if refusals:
            raise Refused(refusals)
        return _keep(draw, seen, person, pen, now)


def _watcher_refusals(draw: RatingDraw, person: Person, now: datetime) -> list[Refusal]:
    refusals = []
    if not may_act_as(house.role_in(person, house.period_at(now)), Role.SURVEILLANCE):
        refusals.append(
            Refusal("wrong_role", "Only surveillance can enter what it saw.", NOT_YOURS)
        )
    if person.pk in raters_of(draw.rating):
        words = f"{person} rated this player. Someone else must watch."
        refusals.append(Refusal("rated_it", words, NOT_YOURS))
    if RatingSeen.objects.filter(draw=draw).exists():
        words = "This rating was already watched. Review the list."
        refusals.append(Refusal("already_seen", words, CONFLICT))
    return refusals


def _keep(
    draw: RatingDraw, seen: SeenOnVideo, person: Person, pen: Pen, now: datetime
) -> RatingSeen:
    rated, on_video = rated_as(draw.rating), seen.watched
    found = compare(rated, on_video, house.settings_at(now)["rating.draw_tolerance"])
    if pen.device is None:
        raise refuse("no_device", "This device is not enrolled. Go to one that is.", CONFLICT)
    row = RatingSeen.objects.create(
        draw=draw,
        officer=person,
        device=pen.device,
        seconds=on_video.seconds,
        average_cents=on_video.average_cents,
        rated_seconds=rated.seconds,
        rated_average_cents=rated.average_cents,
        differs_bp=found.differs_bp,
        state=found.state,
        request_id=pen.request_id,
        at=now,
    )
    journal.write(
        chain=journal.chain_of(draw.rating.table, journal.HOUSE),
        kind="rating_watched",
        body={"rating": draw.rating_id, "state": found.state},
        at=now,
        person=person,
        device=pen.device,
        rows=[row],
    )
    if found.state != Agreement.AGREES:
        _open_exception(draw.rating, found, person, now)
    return row


def rated_as(rating: PlayRating) -> Watched:
    """Return time and bet of a rating as it comes to now; nothing where it is void."""
    figures: RatingFigures | None = newest_figures(rating)
    if figures is None or not figures.average:
        return Watched(0, 0)
    return Watched(figures.seconds, half_up(Fraction(figures.average)))


def _open_exception(rating: PlayRating, found: Comparison, person: Person, now: datetime) -> None:
    whose = f"{rating.table}: the player of rating {rating.pk}"
    if found.differs_bp is None:
        sentence = f"{whose} was not there on video. Investigate."
    elif found.differs_bp > 0:
        above = found.differs_bp // 100
        sentence = f"{whose} is rated {above}% above what surveillance saw. Investigate."
    else:
        below = -found.differs_bp // 100
        sentence = f"{whose} is rated {below}% below what surveillance saw. Investigate."
    open_exception(
        code=RATING_DIFFERS,
        sentence=sentence,
        details={"rating": rating.pk, "state": found.state},
        at=now,
        person=person,
        table=rating.table,
    )
