"""What a meter keeps in pencil, worked out again from its freezes."""

from __future__ import annotations

from pitboss.services.verification.derived import Derived, derives

# Each hit that froze a meter began its next epoch.
derives(
    Derived(
        "meter",
        "The epoch",
        """
        SELECT meter.id, meter.name, meter.epoch::text, frozen.times::text
        FROM jackpots_meter AS meter
        CROSS JOIN LATERAL (
            SELECT count(*) AS times FROM jackpots_meterfreeze AS stop
            WHERE stop.meter_id = meter.id
        ) AS frozen
        WHERE meter.epoch <> frozen.times
        ORDER BY meter.id
        """,
    )
)
