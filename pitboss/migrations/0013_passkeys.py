"""Passkeys of people, and the challenges that they sign."""

from django.db import migrations

from pitboss.ink import sealed


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0008_summarize")]

    operations = [
        sealed("pitboss_passkey"),
    ]
