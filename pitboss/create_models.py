"""Create many models in one operation of a migration.

Django renders every related model again at each `CreateModel`. Nearly all of ours are related, so a
first start spent most of its time on that. Created together they are rendered once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class CreateModels(Operation):
    """What the given `CreateModel`s do one by one, in one go."""

    serialization_expand_args = ["creations"]

    def __init__(self, creations: Sequence[CreateModel]) -> None:
        self.creations = creations

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        # What was rendered before does not know the new models: it is rendered when next asked for.
        state.__dict__.pop("apps", None)
        for creation in self.creations:
            creation.state_forwards(app_label, state)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        for creation in self.creations:
            creation.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        for creation in reversed(self.creations):
            creation.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        return f"Create {len(self.creations)} models"

    def references_model(self, name: str, app_label: str) -> bool:
        return any(creation.references_model(name, app_label) for creation in self.creations)

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return (type(self).__qualname__, [self.creations], {})
