"""Rows by plain SQL, for what every act asks: to put such a query together costs more than it.

Statements are composed once from the columns of their models, so that none names a column twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from django.db import connection, models

from pitboss.models.sealed import Sealed

_Model = TypeVar("_Model", bound=models.Model)
# SQL, and what goes into it.
Statement = tuple[str, Sequence[Any]]


@cache
def attnames(model: type[models.Model]) -> tuple[str, ...]:
    """Return the names of a model's columns as its rows have them."""
    return tuple(field.attname for field in model._meta.concrete_fields)


@cache
def _some(model: type[models.Model], names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns that are named, or all, in the one order in which a row reads them."""
    assert set(names) <= set(attnames(model)), f"{model.__name__} has no such columns"
    return tuple(attname for attname in attnames(model) if not names or attname in names)


@cache
def columns(model: type[models.Model], alias: str, names: tuple[str, ...] = ()) -> str:
    """Return what to select for `read_row`: all columns of a row, or those that are named."""
    by_name = {field.attname: field for field in model._meta.concrete_fields}
    return ", ".join(f'{alias}."{by_name[item].column}"' for item in _some(model, names))


@cache
def _readers(
    model: type[models.Model], names: tuple[str, ...]
) -> tuple[tuple[int, Callable[..., Any]], ...]:
    """Return the columns that the driver does not read to the end, such as JSON, by their place."""
    by_name = {field.attname: field for field in model._meta.concrete_fields}
    return tuple(
        (place, convert)
        for place, name in enumerate(names)
        for convert in by_name[name].get_db_converters(connection)
    )


def read_row(
    model: type[_Model], values: Sequence[Any], names: tuple[str, ...] = ()
) -> _Model | None:
    """Return the row whose `columns` these are; none where an outer join found none."""
    names = _some(model, names)
    read = list(values[: len(names)])
    if read[names.index("id")] is None:
        return None
    for place, convert in _readers(model, names):
        read[place] = convert(read[place], None, connection)
    return model.from_db("default", names, read)


@cache
def _written(model: type[models.Model], has_id: bool) -> tuple[models.Field[Any, Any], ...]:
    assert not issubclass(model, Sealed), f"{model.__name__} is sealed by its own save"
    fields = model._meta.concrete_fields
    return tuple(field for field in fields if has_id or not field.primary_key)


def inserting(
    row: models.Model,
    instead: Mapping[str, str] | None = None,
    written: Mapping[str, str] | None = None,
) -> tuple[str, list[Any]]:
    """Return the statement that stores a new row, and what goes into it.

    `instead` gives columns that an earlier part of the same statement knows, as SQL. `written`
    gives columns of JSON that someone has already written as text.
    """
    fields = _written(type(row), row.pk is not None)
    known, texts = instead or {}, written or {}
    places = ", ".join(known.get(field.attname, "%s") for field in fields)
    names = ", ".join(f'"{field.column}"' for field in fields)
    values = [
        texts[field.attname]
        if field.attname in texts
        else field.get_db_prep_save(getattr(row, field.attname), connection)
        for field in fields
        if field.attname not in known
    ]
    return f'INSERT INTO "{row._meta.db_table}" ({names}) VALUES ({places})', values


def inserting_all(rows: Sequence[models.Model]) -> Statement:
    """Return the statement that stores new rows of one model, in their order, and tells their ids.

    At least one; none of them has an id yet.
    """
    each = [inserting(row) for row in rows]
    (first, values), *rest = each
    places = first[first.index(" VALUES ") + len(" VALUES ") :]
    more = "".join(f", {places}" for _ in rest)
    return f"{first}{more} RETURNING id", [*values, *(v for _, others in rest for v in others)]


def stored(row: models.Model, row_id: int) -> None:
    """Take note that a row is stored, and under which id."""
    row.pk = row_id
    row._state.adding = False
    row._state.db = "default"


def in_one_trip(*statements: Statement) -> list[list[tuple[Any, ...]]]:
    """Send several statements at once and return the rows of each.

    Each sees what was committed when it began, as if it were sent alone: a read that comes after a
    lock sees what others wrote until then.
    """
    answers: list[list[tuple[Any, ...]]] = []
    of_this_site: Any = connection
    with connection.cursor() as cursor:
        with of_this_site.begin_with_statement() as begins:
            cursor.execute(
                ";\n".join([*(["BEGIN"] if begins else ()), *(text for text, _ in statements)]),
                [value for _, values in statements for value in values],
            )
        if begins:
            cursor.nextset()
        while True:
            answers.append(cursor.fetchall() if cursor.description else [])
            if not cursor.nextset():
                return answers


def prepared(text: str, values: Sequence[Any] | Mapping[str, Any]) -> tuple[Any, ...] | None:
    """Return the first row of what is asked at every request: the server plans it once."""
    of_this_site: Any = connection
    with of_this_site.prepared_cursor() as cursor:
        cursor.execute(text, values)
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row


def read_prepared(text: str, values: Sequence[Any] | Mapping[str, Any]) -> tuple[Any, ...] | None:
    """Return the same for a read that is the first of a request: none has to go before it."""
    of_this_site: Any = connection
    row: tuple[Any, ...] | None = of_this_site.read_prepared(text, values)
    return row


def in_one_statement(parts: Sequence[Statement], last: str, names: Sequence[str] = ()) -> Statement:
    """Return one statement that writes several rows and ends with `last`.

    A part that `names` names may be read by those after it, and is then written before them.
    """
    named = [*names, *(f"part_{place}" for place in range(len(names), len(parts)))]
    each = ",\n".join(f"{name} AS ({text})" for name, (text, _) in zip(named, parts, strict=True))
    return f"WITH {each}\n{last}", [value for _, values in parts for value in values]
