"""SQL that migrations use to make rows unchangeable: what is signed is in ink.

Plain triggers, so that the owner of the tables is refused as well as the site.
"""

from __future__ import annotations

from django.db import migrations


def never_changed(table: str) -> migrations.RunSQL:
    """Return an operation after which no row of a table can be updated, deleted or truncated."""
    return migrations.RunSQL(
        f"""
        CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE ON {table}
            FOR EACH ROW EXECUTE FUNCTION pitboss_never_changed();
        CREATE TRIGGER never_emptied BEFORE TRUNCATE ON {table}
            FOR EACH STATEMENT EXECUTE FUNCTION pitboss_never_changed();
        """,
        f"""
        DROP TRIGGER never_changed ON {table};
        DROP TRIGGER never_emptied ON {table};
        """,
    )
