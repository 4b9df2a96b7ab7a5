"""Terminals of tables, and answers kept so that what is sent twice is done once."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('pitboss', '0008_limits'),
    ]

    operations = [
        migrations.CreateModel(
            name='StoredAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64)),
                ('request_hash', models.CharField(max_length=64)),
                ('status', models.PositiveSmallIntegerField()),
                ('answer', models.TextField()),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name='device',
            name='last_seen_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='device',
            name='table',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='terminals', to='pitboss.table'),
        ),
        migrations.AddField(
            model_name='deviceenrolment',
            name='renews',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.device'),
        ),
        migrations.AddField(
            model_name='deviceenrolment',
            name='table',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='pitboss.table'),
        ),
        migrations.AddConstraint(
            model_name='device',
            constraint=models.CheckConstraint(condition=models.Q(('table', None), models.Q(('pit', None), ('place', 'pit')), _connector='OR'), name='terminal_stands_at_its_table_alone'),
        ),
        migrations.AddField(
            model_name='storedanswer',
            name='device',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.device'),
        ),
        migrations.AddIndex(
            model_name='storedanswer',
            index=models.Index(fields=['at'], name='answer_by_age'),
        ),
        migrations.AddConstraint(
            model_name='storedanswer',
            constraint=models.UniqueConstraint(fields=('device', 'key'), name='one_answer_a_key'),
        ),
    ]
