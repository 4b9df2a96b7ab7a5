"""Tell of rows that were altered past the site, and seal the rows that an upgrade found."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db import connections, models, transaction

from pitboss.models.sealed import UNSEALED, Sealed, note_altered, sealed_models, take_altered
from pitboss.services import house, journal
from pitboss.services.afterward import act_has_ended
from pitboss.services.exceptions import RECORD_ALTERED, open_exception

ROWS_AN_ENTRY = 500


def tell_of_altered() -> None:
    """Open an exception for each row that was found altered, once the act that met it has ended.

    A refusal rolls its act back, so this has a transaction of its own. Inside another one it waits:
    whoever ends that one calls it again.
    """
    rows = take_altered()
    if rows and not act_has_ended():
        for row in rows:
            note_altered(row)
        return
    for row in rows:
        with transaction.atomic(durable=True):
            _tell(row)


def _tell(row: Sealed) -> None:
    what = f"{row._meta.verbose_name} {row.pk}"
    open_exception(
        code=RECORD_ALTERED,
        sentence=f"The record of {what} was changed outside Pitboss. It decides nothing until it "
        "is put right.",
        details={"model": row._meta.label, "row": row.pk, "version": row.version},
        at=house.now(),
        person=None,
    )


def seal_unsealed(*, sender: AppConfig, using: str, **_: Any) -> None:
    """Seal the rows that were there before rows had seals. Migrations call it, as the owner.

    They are taken as they are: an upgrade trusts the database that it meets.
    """
    for model in sealed_models():
        if model._meta.app_label == sender.label and _has_columns(model, using):
            while _seal_some(model):
                pass


@transaction.atomic(durable=True)
def _seal_some(model: type[Sealed]) -> bool:
    """Seal rows that have none, as many as one entry may vouch for; tell whether there were any."""
    rows = list(model._default_manager.filter(seal=UNSEALED).order_by("pk")[:ROWS_AN_ENTRY])
    for row in rows:
        row.seal_first()
    if rows:
        body = {"model": model._meta.label, "rows": len(rows)}
        journal.write(chain=journal.HOUSE, kind="rows_sealed", body=body, at=house.now())
    return bool(rows)


def _has_columns(model: type[models.Model], using: str) -> bool:
    """Tell whether a table is as its model is: migrations may stop half way."""
    connection = connections[using]
    with connection.cursor() as cursor:
        if model._meta.db_table not in connection.introspection.table_names(cursor):
            return False
        described = connection.introspection.get_table_description(cursor, model._meta.db_table)
    return {field.column for field in model._meta.concrete_fields} <= {c.name for c in described}
