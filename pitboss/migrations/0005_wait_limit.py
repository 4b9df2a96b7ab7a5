"""How long a wait may last is fixed when it begins."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0004_settings")]

    operations = [
        migrations.AddField(
            model_name="waiting",
            name="limit_seconds",
            field=models.PositiveIntegerField(default=300),
        ),
    ]
