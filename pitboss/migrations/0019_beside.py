"""Steps beside each other: a signature waits for those before it, but for those it may be beside."""

from django.db import migrations

# As in 0002_ink, but for which step is due: one that stands beside another is not held up by it.
_FOLLOWS = """
    CREATE OR REPLACE FUNCTION pitboss_signature_follows_the_plan() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
        due jsonb;
        carrier bigint;
        problem text;
    BEGIN
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id FOR NO KEY UPDATE;
@DUE@        -- Who has the cheques in hand: the last to take them over, else who carried them off.
        SELECT s.person_id INTO carrier
        FROM pitboss_signature AS s
        WHERE s.step IN ('carried', 'taken_over')
          AND (s.slip_id = paper.id OR paper.kind LIKE '%%\\_return' AND s.slip_id = paper.refers_to_id)
        ORDER BY s.slip_id = paper.id DESC, s.step = 'taken_over' DESC LIMIT 1;

        problem := CASE
            WHEN paper.status <> 'open' THEN 'the slip is ' || paper.status
@ORDER@            WHEN NEW.track = 'main' AND EXISTS (
                SELECT FROM jsonb_array_elements(paper.plan) AS planned(step)
                JOIN pitboss_signature AS begun
                  ON begun.slip_id = paper.id AND begun.track = planned.step->>'track'
                WHERE begun.track <> 'main' AND NOT EXISTS (
                    SELECT FROM pitboss_signature AS s
                    WHERE s.slip_id = paper.id AND s.track = begun.track
                      AND s.step = planned.step->>'name'))
                THEN 'a way out was begun'
            WHEN NOT due->'roles' ? NEW.role THEN 'the role is wrong'
            WHEN NOT EXISTS (
                SELECT FROM pitboss_person AS p
                WHERE p.id = NEW.person_id AND p.is_active AND (p.role = NEW.role OR EXISTS (
                    SELECT FROM pitboss_actingrole AS a
                    WHERE a.person_id = p.id AND a.role = NEW.role)))
                THEN 'the person does not have this role'
            WHEN due->>'at' IS NOT NULL AND due->>'at' <> NEW.place THEN 'the place is wrong'
            WHEN NOT EXISTS (
                SELECT FROM pitboss_device AS d
                WHERE d.id = NEW.device_id AND d.place = NEW.place AND d.revoked_at IS NULL)
                THEN 'the device is not of this place'
            WHEN EXISTS (
                SELECT FROM pitboss_signature AS s
                WHERE s.slip_id = NEW.slip_id AND s.person_id = NEW.person_id
                  AND NOT coalesce(due->'may_repeat' ? s.step, false)
                  AND (due->>'same_as' IS NULL OR s.step <> 'taken_over'))
                THEN 'this person has signed before'
            WHEN due->>'same_as' IS NOT NULL AND NEW.person_id IS DISTINCT FROM carrier
                THEN 'another officer carries the cheques'
            WHEN due->>'in_presence_of' IS NOT NULL AND NOT EXISTS (
                SELECT FROM pitboss_person AS p
                WHERE p.id = carrier AND p.badge = NEW.facts->>'present')
                THEN 'the officer who carries the cheques is not there'
            WHEN (due->>'counts')::boolean AND NEW.counted IS DISTINCT FROM paper.cheques
                THEN 'the count differs'
            WHEN (due->>'records')::boolean AND NEW.counted IS NULL THEN 'the count is missing'
            WHEN (due->>'needs_reason')::boolean AND NEW.reason = '' THEN 'the reason is missing'
            WHEN (due->>'drawn')::boolean AND (
                coalesce(jsonb_array_length(NEW.facts->'drawn'->'strokes'), 0) = 0
                OR coalesce(NEW.facts->'drawn'->>'matched_with', '') = '')
                THEN 'the patron has not signed and been matched'
            WHEN NEW.track = 'void' AND EXISTS (
                SELECT FROM jsonb_array_elements(paper.plan) AS planned(step)
                JOIN pitboss_signature AS s
                  ON s.slip_id = paper.id AND s.step = planned.step->>'name'
                WHERE (planned.step->>'dispatches')::boolean)
                THEN 'the cheques are under way'
            WHEN NEW.shown_hash <> encode(sha256(convert_to(NEW.shown, 'UTF8')), 'hex')
                THEN 'its hash is not that of what was shown'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'signature % on slip % refused: %', NEW.step, paper.serial, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
"""
_DUE_NEXT = """
        SELECT planned.step INTO due
        FROM jsonb_array_elements(paper.plan) WITH ORDINALITY AS planned(step, position)
        WHERE planned.step->>'track' = NEW.track AND NOT EXISTS (
            SELECT FROM pitboss_signature AS s
            WHERE s.slip_id = NEW.slip_id AND s.track = NEW.track
              AND s.step = planned.step->>'name')
        ORDER BY planned.position LIMIT 1;
"""
_NEXT = """
            WHEN due IS NULL OR due->>'name' <> NEW.step THEN 'it is out of order'
"""
_DUE_BESIDE = """
        SELECT planned.step INTO due FROM jsonb_array_elements(paper.plan) AS planned(step)
        WHERE planned.step->>'track' = NEW.track AND planned.step->>'name' = NEW.step;
"""
_BESIDE = """
            WHEN due IS NULL OR EXISTS (
                SELECT FROM jsonb_array_elements(paper.plan) WITH ORDINALITY AS planned(step, place)
                WHERE planned.step->>'track' = NEW.track
                  AND planned.place < (
                    SELECT own.place
                    FROM jsonb_array_elements(paper.plan) WITH ORDINALITY AS own(step, place)
                    WHERE own.step->>'track' = NEW.track AND own.step->>'name' = NEW.step)
                  AND NOT coalesce(due->'beside' ? (planned.step->>'name'), false)
                  AND NOT EXISTS (
                    SELECT FROM pitboss_signature AS s
                    WHERE s.slip_id = NEW.slip_id AND s.track = NEW.track
                      AND s.step = planned.step->>'name'))
                THEN 'it is out of order'
            WHEN EXISTS (
                SELECT FROM pitboss_signature AS s
                WHERE s.slip_id = NEW.slip_id AND s.track = NEW.track AND s.step = NEW.step)
                THEN 'it is out of order'
"""


def _function(due: str, order: str) -> str:
    return _FOLLOWS.replace("@DUE@", due).replace("@ORDER@", order)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0018_identity")]

    operations = [
        migrations.RunSQL(_function(_DUE_BESIDE, _BESIDE), _function(_DUE_NEXT, _NEXT)),
    ]
