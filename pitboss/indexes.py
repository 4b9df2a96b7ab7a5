"""What migrations do to indexes that Django has no operation for."""

from __future__ import annotations

from django.contrib.postgres.indexes import BrinIndex
from django.db import migrations


def summarized(model: str, field: str, name: str) -> migrations.SeparateDatabaseAndState:
    """Let an index by time take in what is added, and what was, without making it anew.

    Without it whatever came since the last vacuum is read row by row.
    """
    return migrations.SeparateDatabaseAndState(
        database_operations=[
            migrations.RunSQL(
                f"ALTER INDEX {name} SET (autosummarize = on);"
                f"SELECT brin_summarize_new_values('{name}');",
                f"ALTER INDEX {name} RESET (autosummarize);",
            )
        ],
        state_operations=[
            migrations.RemoveIndex(model, name),
            migrations.AddIndex(model, BrinIndex(autosummarize=True, fields=[field], name=name)),
        ],
    )
