"""Two people who were rated at the same time are not one."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from inventory.models import Patron, Stranger
from inventory.services.same_patrons import checks_joining
from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.services import house
from tables.models import PlayRating, RatingFigures
from tables.services.comps import play_of


@checks_joining
def overlap_refusals(
    patron: Patron, other: Patron | None, stranger: Stranger | None
) -> list[Refusal]:
    """Return that both were rated at the same time, void ratings left out."""
    theirs = (
        play_of(other, said=True)
        if other is not None
        else PlayRating.objects.filter(stranger=stranger)
    )
    now = house.now()
    same_time = _counting(theirs).filter(
        ~Q(pk=OuterRef("pk")),
        began_at__lt=Coalesce(OuterRef("ended_at"), now),
    )
    same_time = same_time.filter(Q(ended_at=None) | Q(ended_at__gt=OuterRef("began_at")))
    if not _counting(play_of(patron, said=True)).filter(Exists(same_time)).exists():
        return []
    words = "Both were rated at the same time. Void the wrong rating, or leave them apart."
    return [Refusal("ratings_overlap", words, CONFLICT)]


def _counting(ratings: QuerySet[PlayRating]) -> QuerySet[PlayRating]:
    void = RatingFigures.objects.filter(rating=OuterRef("pk"), is_void=True)
    return ratings.filter(~Exists(void))
