"""The relief string: who was called to which pit, sent to which table, and sent home."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import never_changed


class Migration(migrations.Migration):

    dependencies = [
        ('pitboss', '0013_drawn'),
        ('tables', '0009_mismatches'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='StringCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('call', models.CharField(choices=[('join', 'Join'), ('relieve', 'Relieve'), ('leave', 'Leave')], max_length=8)),
                ('gaming_day', models.DateField()),
                ('shift', models.CharField(max_length=20)),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.AddIndex(
            model_name='dealing',
            index=models.Index(fields=['ended_at'], name='dealing_by_end'),
        ),
        migrations.AddField(
            model_name='stringcall',
            name='called_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='stringcall',
            name='dealer',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='stringcall',
            name='pit',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.pit'),
        ),
        migrations.AddField(
            model_name='stringcall',
            name='table',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table'),
        ),
        migrations.AddIndex(
            model_name='stringcall',
            index=models.Index(fields=['gaming_day', 'shift', 'pit'], name='call_by_shift'),
        ),
        migrations.AddConstraint(
            model_name='stringcall',
            constraint=models.CheckConstraint(condition=models.Q(('call__in', ['join', 'relieve', 'leave'])), name='string_call_known'),
        ),
        migrations.AddConstraint(
            model_name='stringcall',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('call', 'relieve'), ('table__isnull', False)), models.Q(models.Q(('call', 'relieve'), _negated=True), ('table', None)), _connector='OR'), name='only_a_relief_names_a_table'),
        ),
        migrations.AddConstraint(
            model_name='stringcall',
            constraint=models.CheckConstraint(condition=models.Q(('called_by', models.F('dealer')), _negated=True), name='nobody_calls_themselves'),
        ),
        never_changed('tables_stringcall'),
    ]
