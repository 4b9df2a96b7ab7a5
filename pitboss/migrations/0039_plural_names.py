"""The names of several rows, as the records list them."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0038_staff_told")]

    operations = [
        migrations.AlterModelOptions(
            name="carriedover",
            options={"verbose_name_plural": "items carried over"},
        ),
    ]
