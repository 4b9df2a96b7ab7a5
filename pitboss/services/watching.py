"""Watch over those who keep the record: what has stopped is told to audit and surveillance."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from pitboss.selectors.record_health import WORDS, record_parts
from pitboss.services import alarms

_CODES: Mapping[str, str] = {
    "sealing": alarms.SEALING_FAILED,
    "beat": alarms.BEAT_STOPPED,
    "verification": alarms.VERIFICATION_LATE,
}


def watch_record(*, now: datetime) -> None:
    """Open an exception for each part that is not well; one that is open stays one."""
    for part, said in record_parts().items():
        # What was found has an exception of its own, from who found it.
        if said["status"] != "ok" and said["why"] not in ("seal_file", "record_lost", "found"):
            alarms.sound(_CODES[part], WORDS[part, said["why"]], {}, now)
