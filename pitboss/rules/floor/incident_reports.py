"""Incidents: what may happen at a table, and how soon the regulator hears of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pitboss.rules.floor.irregularities import SEATS_AT_A_TABLE
from pitboss.rules.refusal import Refusal
from pitboss.rules.settings.kinds import Whole
from pitboss.rules.settings.setting import OUR_OWN, Setting

CLOCK: Final = "incident.clock."
# What a regulator may hear of within the hour: acts that the law forbids.
_PROHIBITED: Final = {
    "past_posting": "Past posting",
    "capping": "Capping",
    "pinching": "Pinching",
    "marked_cards": "Marked or bent cards",
    "device": "Cheating device",
    "collusion": "Collusion",
    "theft": "Theft",
    "counterfeit_cheque": "Counterfeit cheque",
}
INCIDENT_KINDS: Final[Mapping[str, str]] = {
    **_PROHIBITED,
    "abusive": "Abusive player",
    "trespass": "Trespass",
    "minor": "Minor",
    "excluded": "Excluded person",
    "injury": "Injury",
    "shoe": "Shoe failure",
    "shuffler": "Shuffler failure",
    "sensor": "Sensor failure",
    "chain": "Shoe chain missing",
    "fire": "Fire",
}
_HOUR: Final = 60


def incident_settings() -> Iterator[Setting]:
    """Yield how soon the regulator is notified, kind by kind."""
    for code, title in INCIDENT_KINDS.items():
        is_act = code in _PROHIBITED
        yield Setting(
            f"{CLOCK}{code}",
            "Incidents",
            f"Time to notify the regulator: {title.lower()}",
            "Counted from the time the incident was saved. 0 means that no notice is due.",
            Whole(0, 10_080, "minute"),
            _HOUR if is_act else 0,
            "K.A.R. 112-108-5, one hour; confirm with counsel" if is_act else OUR_OWN,
        )


def incident_refusals(kind: str, seat: int | None) -> list[Refusal]:
    """Return why an incident can't be saved.

    >>> incident_refusals("past_posting", 6), incident_refusals("fire", None)
    ([], [])
    >>> [each.code for each in incident_refusals("", 12)]
    ['incident_unknown', 'seat_unknown']
    """
    refusals = []
    if kind not in INCIDENT_KINDS:
        refusals.append(Refusal("incident_unknown", "Choose what happened."))
    if seat is not None and not 1 <= seat <= SEATS_AT_A_TABLE:
        refusals.append(Refusal("seat_unknown", f"Choose a seat from 1 to {SEATS_AT_A_TABLE}."))
    return refusals
