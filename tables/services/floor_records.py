"""What follows from records of the floor log that name a dealer: the badge is a dealer's."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import models

from pitboss.models import Person
from pitboss.rules.floor.records import EARLY_OUT, EVALUATION, PACE_CHECK, TOKE_COUNT
from pitboss.rules.refusal import refuse
from pitboss.rules.roles import Role
from tables.models import FloorEntry
from tables.services.floor_log import NewEntry, follows

Rows = Sequence[models.Model]


def _named_dealer(entry: FloorEntry, _: NewEntry) -> Rows:
    """Refuse a badge that is no dealer's, and the person who makes the entry."""
    badge = entry.facts["badge"]
    dealer = Person.objects.filter(badge=badge, is_active=True).first()
    if dealer is None or dealer.role != Role.DEALER.value:
        raise refuse("unknown_dealer", f"Badge {badge} isn’t a dealer of the house. Check it.")
    if dealer.pk == entry.by_id:
        raise refuse("same_person", "You can’t enter this about yourself. Call someone else.")
    return ()


for _code in (EARLY_OUT, EVALUATION, PACE_CHECK, TOKE_COUNT):
    follows(_code)(_named_dealer)
