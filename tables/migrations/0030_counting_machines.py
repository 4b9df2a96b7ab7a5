"""What counting machines call the columns of their files, in ink."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import never_changed


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0029_withdrawn_requests"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="MachineMap",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                ("box_tag", models.CharField(max_length=40)),
                ("compartment", models.CharField(blank=True, max_length=40)),
                ("denomination", models.CharField(max_length=40)),
                ("pieces", models.CharField(max_length=40)),
                ("in_dollars", models.BooleanField()),
                ("at", models.DateTimeField()),
                ("request_id", models.UUIDField(unique=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        never_changed("tables_machinemap"),
    ]
