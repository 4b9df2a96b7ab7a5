"""A deposit, too, is corrected in one line, by people who signed nothing that it corrects."""

from django.db import migrations

from pitboss.ink import altered

_OF_ALL = "'award_correction', 'card_correction'"
_RESTATING = """'fill_correction', 'count_correction', 'marker_correction', 'payment_correction',
            'award_correction'"""
_INDEXES = """
    DROP INDEX one_correction_a_document;
    CREATE UNIQUE INDEX one_correction_a_document ON pitboss_slip (refers_to_id)
        WHERE kind IN ({restating}, 'card_correction') AND status <> 'voided';
    DROP INDEX corrections_of_a_table;
    CREATE INDEX corrections_of_a_table ON pitboss_slip (table_id, gaming_day)
        WHERE kind IN ({restating});
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0039_late_pulls")]

    operations = [
        altered("tables_others_correct", [(_OF_ALL, f"{_OF_ALL}, 'deposit_correction'")]),
        migrations.RunSQL(
            _INDEXES.format(restating=f"{_RESTATING}, 'deposit_correction'"),
            _INDEXES.format(restating=_RESTATING),
        ),
    ]
