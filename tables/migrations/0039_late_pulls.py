"""Boxes that were pulled on paper wait for the count room as others do; one a count."""

from django.db import migrations

from pitboss.ink import altered

_PULLS = "('drop_pull', 'late_pull')"
_KEPT = """
    CREATE OR REPLACE TRIGGER boxes_are_kept AFTER INSERT OR UPDATE ON pitboss_slip
        FOR EACH ROW WHEN (NEW.kind IN ({kinds}))
        EXECUTE FUNCTION tables_keep_boxes();
    DROP INDEX one_pull_a_count;
    CREATE UNIQUE INDEX one_pull_a_count ON pitboss_slip ((details->>'count'))
        WHERE kind {pulls} AND status <> 'voided';
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0038_settled_hours"), ("pitboss", "0003_days")]

    operations = [
        altered("tables_keep_boxes", [("AND kind = 'drop_pull'", f"AND kind IN {_PULLS}")]),
        migrations.RunSQL(
            _KEPT.format(kinds="'drop_pull', 'drop_count', 'late_pull'", pulls=f"IN {_PULLS}"),
            _KEPT.format(kinds="'drop_pull', 'drop_count'", pulls="= 'drop_pull'"),
        ),
    ]
