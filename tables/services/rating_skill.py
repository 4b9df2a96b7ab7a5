"""Note how a player plays against the chart: what they give up beyond it is part of their theo."""

from __future__ import annotations

from pitboss.rules.ratings.theo import Skill
from tables.models import PlayRating, SkillSeen
from tables.services.floor_log import Tap
from tables.services.rating_hands import acting, form_hash, reused, whose_tap
from tables.services.ratings import still_open


def see_skill(*, rating_id: int, level: Skill, hand: Tap) -> SkillSeen:
    """Keep how a player plays, as a supervisor sees it. Raises Refused."""
    table_id = PlayRating.objects.get(pk=rating_id).table_id
    said = form_hash("skill", by=whose_tap(hand), rating=rating_id, level=level.value)
    with acting("skill", hand, table_id) as act:
        earlier = SkillSeen.objects.filter(request_id=hand.request_id).first()
        if earlier is not None:
            if earlier.request_hash != said:
                raise reused()
            return earlier
        rating = still_open(rating_id)
        assert act.person is not None, "a terminal judges nobody"
        seen = SkillSeen.objects.create(
            rating=rating,
            level=level.value,
            by=act.person,
            device=act.device,
            at=act.now,
            request_id=hand.request_id,
            request_hash=said,
        )
        act.rows.append(seen)
        act.tell(act.tables[table_id], "skill_seen", {"rating": rating.pk, "level": level.value})
        return seen
