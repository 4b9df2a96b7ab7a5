"""Many models come in one operation of a migration, and go with it."""

from __future__ import annotations

import pytest
from django.db import connection, migrations, models
from django.db.migrations.state import ProjectState

from pitboss.create_models import CreateModels


def creations() -> list[migrations.CreateModel]:
    key = ("id", models.BigAutoField(primary_key=True))
    # Each points to the other: whichever came first alone would find nothing there.
    return [
        migrations.CreateModel(
            name=name,
            fields=[
                key,
                ("other", models.ForeignKey(f"pitboss.{other}", models.PROTECT, null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(id__gt=0), name=f"{name.lower()}_counts_from_one"
                    )
                ]
            },
        )
        for name, other in (("Left", "Right"), ("Right", "Left"))
    ]


def test_models_made_at_once_know_each_other_and_what_was_rendered_before() -> None:
    state = ProjectState()
    CreateModels(creations()).state_forwards("pitboss", state)
    left = state.apps.get_model("pitboss", "Left")
    third = migrations.CreateModel(
        name="Third",
        fields=[
            ("id", models.BigAutoField(primary_key=True)),
            ("left", models.ForeignKey("pitboss.Left", models.PROTECT)),
        ],
    )
    CreateModels([third]).state_forwards("pitboss", state)
    assert left._meta.get_field("other").related_model is not None
    made = state.apps.get_model("pitboss", "Third")
    assert made._meta.get_field("left").related_model is state.apps.get_model("pitboss", "Left")


@pytest.mark.usefixtures("transactional_db")
def test_the_sql_of_all_is_that_of_each_and_back_again() -> None:
    operation = CreateModels(creations())
    before, after = ProjectState(), ProjectState()
    operation.state_forwards("pitboss", after)
    with connection.schema_editor(collect_sql=True) as editor:
        operation.database_forwards("pitboss", editor, before, after)
    said = "\n".join(editor.collected_sql)
    for name in ("left", "right"):
        assert f'CREATE TABLE "pitboss_{name}"' in said
        assert f"{name}_counts_from_one" in said
    assert said.count("FOREIGN KEY") == 2
    with connection.schema_editor(collect_sql=True) as editor:
        operation.database_backwards("pitboss", editor, after, before)
    dropped = [line for line in editor.collected_sql if line.startswith("DROP TABLE")]
    assert ["right" in line for line in dropped] == [True, False]
