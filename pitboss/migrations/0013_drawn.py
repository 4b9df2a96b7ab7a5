"""A step may be signed by the signer of several others, and one is drawn by a patron's hand."""

from importlib import import_module

from django.db import migrations

_FUNCTION, _, _ = import_module(
    "pitboss.migrations.0002_ink"
).SIGNATURE_FOLLOWS_THE_PLAN.sql.partition("CREATE TRIGGER")

BEFORE = _FUNCTION.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")

# Two lines are other: `may_repeat` may name several steps, and a step that is drawn holds a drawing
# and the ID that its hand was matched with.
_REPEATS_ONE = "AND s.step <> coalesce(due->>'may_repeat', '')"
_REPEATS_SOME = "AND NOT coalesce(due->'may_repeat' ? s.step, false)"
_REASON = """
            WHEN (due->>'needs_reason')::boolean AND NEW.reason = '' THEN 'the reason is missing'
"""
_DRAWN = """
            WHEN (due->>'drawn')::boolean AND (
                coalesce(jsonb_array_length(NEW.facts->'drawn'->'strokes'), 0) = 0
                OR coalesce(NEW.facts->'drawn'->>'matched_with', '') = '')
                THEN 'the patron has not signed and been matched'
"""
assert BEFORE.count(_REPEATS_ONE) == BEFORE.count(_REASON) == 1
AFTER = BEFORE.replace(_REPEATS_ONE, _REPEATS_SOME).replace(_REASON, _REASON + _DRAWN.lstrip("\n"))


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0012_audits")]

    operations = [migrations.RunSQL(AFTER, BEFORE)]
