"""Verifications asked for on the screen, and days of the journal found by time."""

import django.contrib.postgres.indexes
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('pitboss', '0011_journal_heads'),
    ]

    operations = [
        migrations.CreateModel(
            name='JournalAudit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField()),
                ('began_at', models.DateTimeField(null=True)),
                ('heard_at', models.DateTimeField(null=True)),
                ('doing', models.CharField(blank=True, max_length=60)),
                ('done', models.PositiveBigIntegerField(default=0)),
                ('total', models.PositiveBigIntegerField(default=0)),
                ('ended_at', models.DateTimeField(null=True)),
                ('looked_at', models.CharField(blank=True, max_length=200)),
                ('findings', models.JSONField(default=list)),
                ('findings_total', models.PositiveBigIntegerField(default=0)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.AddIndex(
            model_name='journalentry',
            index=django.contrib.postgres.indexes.BrinIndex(fields=['at'], name='entry_by_time'),
        ),
        migrations.AddField(
            model_name='journalaudit',
            name='asked_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='journalaudit',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('ended_at',), name='one_audit_under_way', nulls_distinct=False),
        ),
    ]
