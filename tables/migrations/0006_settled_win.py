"""What tables won in closed days, in ink."""

import django.db.models.deletion
import django.db.models.expressions
from django.db import migrations, models

from pitboss.ink import never_changed


class Migration(migrations.Migration):

    dependencies = [
        ('pitboss', '0013_drawn'),
        ('tables', '0005_floor_log'),
    ]

    operations = [
        migrations.CreateModel(
            name='SettledWin',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('gaming_day', models.DateField()),
                ('revision', models.PositiveSmallIntegerField()),
                ('pit', models.CharField(max_length=40)),
                ('game', models.CharField(max_length=40)),
                ('opening_cents', models.BigIntegerField()),
                ('closing_cents', models.BigIntegerField()),
                ('fills_cents', models.BigIntegerField()),
                ('credits_cents', models.BigIntegerField()),
                ('markers_cents', models.BigIntegerField()),
                ('marker_payments_cents', models.BigIntegerField()),
                ('drop_cents', models.PositiveBigIntegerField()),
                ('jackpots_cents', models.BigIntegerField()),
                ('estimated_cents', models.BigIntegerField(null=True)),
                ('win_cents', models.BigIntegerField()),
                ('settled_at', models.DateTimeField()),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('gaming_day', 'table', 'revision'), name='win_settled_once_a_revision'), models.CheckConstraint(condition=models.Q(('win_cents', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('closing_cents'), '+', models.F('credits_cents')), '+', models.F('drop_cents')), '+', models.F('markers_cents')), '-', models.F('opening_cents')), '-', models.F('fills_cents')), '-', models.F('marker_payments_cents')))), name='settled_win_adds_up')],
            },
        ),
        never_changed("tables_settledwin"),
    ]
