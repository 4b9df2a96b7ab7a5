"""Passkeys of people, and the challenges that they sign."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import sealed


class Migration(migrations.Migration):

    dependencies = [
        ('pitboss', '0012_tokens_and_sessions'),
    ]

    operations = [
        migrations.CreateModel(
            name='Passkey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(default=0)),
                ('seal', models.CharField(default='', editable=False, max_length=160)),
                ('name', models.CharField(max_length=40)),
                ('credential_id', models.CharField(max_length=1400, unique=True)),
                ('public_key', models.TextField()),
                ('sign_count', models.PositiveBigIntegerField()),
                ('added_at', models.DateTimeField()),
                ('removed_at', models.DateTimeField(blank=True, null=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='passkeys', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('removed_at', None), ('removed_at__gte', models.F('added_at')), _connector='OR'), name='passkey_removed_after_it_came')],
            },
        ),
        sealed('pitboss_passkey'),
        migrations.CreateModel(
            name='PasskeyChallenge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('challenge', models.CharField(max_length=64, unique=True)),
                ('act_hash', models.CharField(max_length=64)),
                ('made_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(blank=True, null=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('used_at', None), ('used_at__gte', models.F('made_at')), _connector='OR'), name='challenge_used_after_it_was_made')],
            },
        ),
    ]
