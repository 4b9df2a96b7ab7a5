"""Shifts that were handed over, each by a slip that two shift managers signed."""

import django.db.models.deletion
from django.db import migrations, models

from pitboss.ink import never_changed

SHIFTS_ARE_SIGNED = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_shift_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS slip
            WHERE slip.id = NEW.slip_id AND slip.kind = 'shift_close' AND slip.status = 'done'
              AND slip.details->>'gaming_day' = to_char(NEW.gaming_day, 'YYYY-MM-DD')
              AND slip.details->>'shift' = NEW.shift
        ) THEN
            RAISE EXCEPTION 'the % shift of % is handed over by no signed slip',
                NEW.shift, NEW.gaming_day USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER shift_is_signed BEFORE INSERT ON pitboss_closedshift
        FOR EACH ROW EXECUTE FUNCTION pitboss_shift_is_signed();
    """,
    """
    DROP TRIGGER shift_is_signed ON pitboss_closedshift;
    DROP FUNCTION pitboss_shift_is_signed();
    """,
)


class Migration(migrations.Migration):

    dependencies = [
        ('pitboss', '0006_table_setup'),
    ]

    operations = [
        migrations.AlterField(
            model_name='carriedover',
            name='closed_day',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='carried', to='pitboss.closedday'),
        ),
        migrations.CreateModel(
            name='ClosedShift',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('gaming_day', models.DateField()),
                ('shift', models.CharField(max_length=20)),
                ('closed_at', models.DateTimeField()),
                ('slip', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.slip')),
            ],
            options={
                'ordering': ['-closed_at'],
            },
        ),
        migrations.AddField(
            model_name='carriedover',
            name='closed_shift',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='carried', to='pitboss.closedshift'),
        ),
        migrations.AddConstraint(
            model_name='carriedover',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_day__isnull', False), ('closed_shift', None)), models.Q(('closed_day', None), ('closed_shift__isnull', False)), _connector='OR'), name='carried_over_at_one_handover'),
        ),
        migrations.AddConstraint(
            model_name='carriedover',
            constraint=models.UniqueConstraint(fields=('closed_shift', 'slip'), name='slip_carried_over_once_a_shift'),
        ),
        migrations.AddConstraint(
            model_name='carriedover',
            constraint=models.UniqueConstraint(fields=('closed_shift', 'exception'), name='exception_carried_over_once_a_shift'),
        ),
        migrations.AddConstraint(
            model_name='closedshift',
            constraint=models.UniqueConstraint(fields=('gaming_day', 'shift'), name='shift_closed_once'),
        ),
        never_changed("pitboss_closedshift"),
        SHIFTS_ARE_SIGNED,
    ]
