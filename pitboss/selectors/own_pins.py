"""What others did about someone's PIN, as that person reads it."""

from __future__ import annotations

from pitboss.models import Person, PinEnrolment

# Older resets than these are found in the journal.
_SHOWN = 5


def pin_notices(person: Person) -> list[dict[str, object]]:
    """Return the latest resets of someone's PIN, newest first, each with who and when."""
    offers = PinEnrolment.objects.filter(person=person).select_related("offered_by", "witness")
    return [
        {
            "was_set": offer.used_at is not None,
            "at": offer.used_at or offer.offered_at,
            "by": str(offer.offered_by) if offer.offered_by else "the two break-glass keys",
            "witness": str(offer.witness) if offer.used_at and offer.witness else "",
            "is_new": offer.told_at is None
            or (offer.used_at is not None and offer.used_at > offer.told_at),
        }
        for offer in offers.order_by("-pk")[:_SHOWN]
    ]
