"""Serializers made from types, so that what the API takes and gives is described once.

A shape is a TypedDict: mypy holds the code that makes an answer against it, readers refuse fields
that it does not have, and the schema of the API is written from the serializer made here. Of an
`Annotated` type a text says what the field means, and an enum what it may be. Of several shapes a
pair says what they are called together, and which field tells them apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

Field = serializers.Field[Any, Any, Any, Any]


def in_order(shape: Any, told: Any) -> Any:
    """Return what was stored with its keys as a shape lists them: the database keeps no order.

    Cheques come from the highest denomination, as they are cut.
    """
    if isinstance(told, list):
        return [in_order(getattr(shape, "child", None), item) for item in told]
    if not isinstance(told, Mapping):
        return told
    if isinstance(shape, serializers.DictField):
        names = sorted(told, key=lambda name: (len(name), name), reverse=True)
        return {name: in_order(shape.child, told[name]) for name in names}
    fields = shape.fields if isinstance(shape, serializers.Serializer) else {}
    listed = {name: in_order(field, told[name]) for name, field in fields.items() if name in told}
    return listed | {name: told[name] for name in told if name not in listed}


# A moment is written as a text, and is a moment all the same.
_MOMENT = ("_at", "_since")


@cache
def serializer_of(shape: Any) -> type[serializers.Serializer[Any]]:
    """Return the serializer of a TypedDict, for the schema and for reading."""
    hints = get_type_hints(shape, include_extras=True)
    fields = {name: _field(name, hint) for name, hint in hints.items()}
    said = {"__doc__": shape.__doc__, "__module__": shape.__module__}
    return type(shape.__name__, (serializers.Serializer,), {**said, **fields})


def choices_of(of: type[StrEnum]) -> list[tuple[str, str]]:
    """Return the values of an enum with their names, by which the schema knows it again."""
    return [(one.value, one.name) for one in of]


def described(field: type[Field], schema: Mapping[str, Any]) -> Any:
    """Return a class of fields that the schema describes so; the one given stays as it is."""
    return extend_schema_field(dict(schema))(type(f"Described{field.__name__}", (field,), {}))


def _field(name: str, hint: Any, **options: Any) -> Field:
    """Return the field of a type. Raises TypeError for a type that no schema is known of."""
    if get_origin(hint) is NotRequired:
        return _field(name, get_args(hint)[0], required=False, **options)
    if get_origin(hint) is Annotated:
        inner, *more = get_args(hint)
        if isinstance(more[0], tuple):
            return _one_of(inner, *more[0], **options)
        for item in more:
            if isinstance(item, str):
                options["help_text"] = item
            else:
                options["choices"] = choices_of(item)
        return _field(name, inner, **options)
    if get_origin(hint) in (Union, UnionType):
        (inner,) = (arg for arg in get_args(hint) if arg is not NoneType)
        return _field(name, inner, allow_null=True, **options)
    if get_origin(hint) is Literal and len(get_args(hint)) == 1:
        only = {"type": "string", "const": get_args(hint)[0]}
        field: Field = described(serializers.CharField, only)(**options)
        return field
    if get_origin(hint) is Literal:
        return serializers.ChoiceField(choices=list(get_args(hint)), **options)
    if "choices" in options:
        return serializers.ChoiceField(**options)
    return _plain(name, hint, options)


def _one_of(shapes: Any, called: str, by: str, **options: Any) -> PolymorphicProxySerializer:
    """Return shapes of which a field has one, told apart by what another field of theirs says."""
    known: dict[str, serializers.Serializer[Any] | type[serializers.Serializer[Any]]] = {}
    for shape in get_args(shapes):
        (body,) = get_args(get_type_hints(shape)[by])
        known[body] = serializer_of(shape)
    return PolymorphicProxySerializer(
        component_name=called, serializers=known, resource_type_field_name=by, **options
    )


def _plain(name: str, hint: Any, options: Mapping[str, Any]) -> Field:
    if is_typeddict(hint):
        return serializer_of(hint)(**options)
    if get_origin(hint) is list:
        (inner,) = get_args(hint)
        if is_typeddict(inner):
            return serializer_of(inner)(many=True, **options)
        if get_origin(inner) is Annotated and isinstance(get_args(inner)[1], tuple):
            return _field(name, inner, many=True, **options)
        child = _field(name, inner)
        fields = {} if child.help_text is None else {"help_text": child.help_text}
        return serializers.ListField(child=child, **{**fields, **options})
    if get_origin(hint) is dict:
        (_, inner) = get_args(hint)
        if inner is Any:
            return serializers.DictField(**options)
        return serializers.DictField(child=_field(name, inner), **options)
    if hint is str:
        if name == "at" or name.endswith(_MOMENT):
            return serializers.DateTimeField(**options)
        return serializers.CharField(allow_blank=True, **options)
    known: Mapping[Any, type[Field]] = {
        int: serializers.IntegerField,
        bool: serializers.BooleanField,
    }
    if hint not in known:
        raise TypeError(f"{name}: the API has no field for {hint}.")
    return known[hint](**options)
