"""Payouts that were checked, in ink."""

import django.contrib.postgres.indexes
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import never_changed


class Migration(migrations.Migration):

    dependencies = [
        ('pitboss', '0009_terminals'),
        ('tables', '0002_drops'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='PayoutCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('keyed_at', models.DateTimeField(null=True)),
                ('wager', models.CharField(max_length=24)),
                ('verdict', models.CharField(choices=[('right', 'Right'), ('overpaid', 'Overpaid'), ('underpaid', 'Underpaid'), ('cannot_verify', 'Cannot verify')], max_length=13)),
                ('stake_cents', models.PositiveBigIntegerField()),
                ('paid_cents', models.PositiveBigIntegerField()),
                ('payable_cents', models.PositiveBigIntegerField(null=True)),
                ('claim', models.JSONField()),
                ('answer', models.JSONField()),
                ('dealer', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
                ('terminal', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.device')),
            ],
            options={
                'indexes': [django.contrib.postgres.indexes.BrinIndex(fields=['at'], name='check_by_time')],
                'constraints': [models.CheckConstraint(condition=models.Q(('verdict__in', ['right', 'overpaid', 'underpaid', 'cannot_verify'])), name='check_verdict_known'), models.CheckConstraint(condition=models.Q(models.Q(('payable_cents', models.F('paid_cents')), ('verdict', 'right')), models.Q(('payable_cents__lt', models.F('paid_cents')), ('verdict', 'overpaid')), models.Q(('payable_cents__gt', models.F('paid_cents')), ('verdict', 'underpaid')), models.Q(('payable_cents', None), ('verdict', 'cannot_verify')), _connector='OR'), name='check_says_what_it_found')],
            },
        ),
        never_changed("tables_payoutcheck"),
    ]
