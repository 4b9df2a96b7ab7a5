"""Shuffles and shoes, marked in ink."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import never_changed


class Migration(migrations.Migration):

    dependencies = [
        ('pitboss', '0013_drawn'),
        ('tables', '0006_settled_win'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ShoeMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mark', models.CharField(choices=[('shuffle', 'Shuffle'), ('deal', 'Deal'), ('stop', 'Stop')], max_length=7)),
                ('at', models.DateTimeField()),
                ('decks', models.PositiveSmallIntegerField()),
                ('seconds', models.PositiveIntegerField(null=True)),
                ('request_id', models.UUIDField(null=True, unique=True)),
                ('by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('dealer', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('device', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.device')),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
            ],
            options={
                'indexes': [models.Index(fields=['table', '-id'], name='shoe_mark_by_table'), models.Index(condition=models.Q(('seconds', None), _negated=True), fields=['dealer', 'at'], name='shoe_time_by_dealer')],
                'constraints': [models.CheckConstraint(condition=models.Q(('mark__in', ['shuffle', 'deal', 'stop'])), name='shoe_mark_known'), models.CheckConstraint(condition=models.Q(('seconds', None), models.Q(('dealer__isnull', False), ('mark__in', ['shuffle', 'deal'])), _connector='OR'), name='only_a_dealer_takes_time'), models.CheckConstraint(condition=models.Q(models.Q(('by', None), ('request_id', None)), models.Q(('by__isnull', False), ('request_id__isnull', False)), _connector='OR'), name='a_tap_has_its_form')],
            },
        ),
        never_changed("tables_shoemark"),
    ]
