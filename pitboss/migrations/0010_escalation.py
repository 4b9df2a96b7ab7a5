"""Who was told of what waited too long, and when."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('pitboss', '0009_terminals'),
    ]

    operations = [
        migrations.AddField(
            model_name='waiting',
            name='escalated_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='waiting',
            name='escalated_to',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=24), default=list, size=None),
        ),
    ]
