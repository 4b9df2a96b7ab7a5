"""What a table keeps in pencil, worked out again from its counts and its ledger."""

from __future__ import annotations

from pitboss.services.verification.derived import Derived, derives

# The last count that opened or closed it; one that had neither is closed.
derives(
    Derived(
        "table",
        "Whether it is open",
        """
        SELECT place.id, place.name,
               CASE WHEN place.is_open THEN 'open' ELSE 'closed' END,
               CASE WHEN place.is_open THEN 'closed' ELSE 'open' END
        FROM pitboss_table AS place
        LEFT JOIN LATERAL (
            SELECT paper.kind
            FROM inventory_traycount AS count
            JOIN pitboss_slip AS paper ON paper.id = count.slip_id
            WHERE count.table_id = place.id AND paper.kind IN
                ('opener', 'closer', 'late_opener', 'late_closer')
            ORDER BY count.tray_sequence DESC, count.at DESC, count.id DESC
            LIMIT 1
        ) AS last ON true
        WHERE place.is_open <> (coalesce(last.kind, 'closer') IN ('opener', 'late_opener'))
        ORDER BY place.id
        """,
    )
)

derives(
    Derived(
        "table",
        "How often its tray moved",
        """
        SELECT place.id, place.name, place.tray_sequence::text, moved.last::text
        FROM pitboss_table AS place
        CROSS JOIN LATERAL (
            SELECT coalesce(max(transfer.tray_sequence), 0) AS last
            FROM inventory_chequetransfer AS transfer
            WHERE transfer.table_id = place.id
        ) AS moved
        WHERE place.tray_sequence <> moved.last
        ORDER BY place.id
        """,
    )
)
