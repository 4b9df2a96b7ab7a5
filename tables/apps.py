"""Tables: the board and each table's page."""

from __future__ import annotations

from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        # Registers reports, the effects that flows name, and what slips tell.
        from tables.reports import (  # noqa: F401
            comps,
            counts,
            coupons,
            drills,
            drop,
            floor,
            game,
            mismatches,
            open_items,
            outage_sheet,
            patron_play,
            players,
            serials,
            side_bets,
            statistics,
            tip_pool,
            variances,
            win_by_hour,
            yields,
        )
        from tables.selectors import ratings, relief  # noqa: F401
        from tables.services import (  # noqa: F401
            dealers,
            derived,
            floor_records,
            incidents,
            main_edges,
            nods,
            rating_audit,
            rating_joins,
        )
