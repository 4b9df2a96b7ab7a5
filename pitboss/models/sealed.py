"""Rows that decide and change: each carries a seal that the database cannot make.

A seal is an HMAC over the row's model and every column that decides, its own version among them. It
is made by `save`, and so by every way that the ORM writes; SQL past the site can change the row but
not seal it. A trigger lets a version only rise by one, so what was sealed once is not put back. The
next entry of the journal in the same transaction vouches for the version that was written.
"""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, ClassVar, Self, TypeVar

from django.conf import settings
from django.db import connection, models, transaction

from pitboss.row_text import marked, plain_digest
from pitboss.rules.refusal import Refusal, Refused

# What a row says before it is sealed for the first time: at an upgrade, by the owner.
UNSEALED = ""

_Row = TypeVar("_Row", bound="Sealed")


class RecordAltered(Refused):
    """A row that decides is not as the site wrote it. What it says does not count."""

    def __init__(self, row: Sealed) -> None:
        what = f"{row._meta.verbose_name} {row.pk}"
        sentence = (
            f"The record of {what} was changed outside Pitboss, so it does not count. "
            "Call surveillance."
        )
        super().__init__([Refusal("record_altered", sentence)])


class SealedQuerySet(models.QuerySet[_Row]):
    """Writes what decides row by row, each under its own seal."""

    def update(self, **values: Any) -> int:
        """Change rows. Where a column decides, each row is locked, checked and sealed anew."""
        names = _attnames(self.model, values)
        if not names & set(sealed_columns(self.model)):
            return super().update(**values)
        with transaction.atomic(savepoint=False):
            rows = self.select_related(None).order_by("pk")
            count = 0
            for row in rows.select_for_update(of=("self",), no_key=True):
                for name, value in values.items():
                    setattr(row, name, value)
                row.save(update_fields=list(values))
                count += 1
        return count

    def bulk_create(self, objs: Iterable[_Row], *args: Any, **kwargs: Any) -> list[_Row]:
        rows = list(objs)
        without = [row for row in rows if row.pk is None]
        for row, row_id in zip(without, next_ids(self.model, len(without)), strict=True):
            row.pk = row_id
        for row in rows:
            row.seal_anew(row.column_values())
        with transaction.atomic(savepoint=False):
            made = super().bulk_create(rows, *args, **kwargs)
            for row in made:
                row.was_written()
        return made

    def bulk_update(
        self, objs: Iterable[_Row], fields: Iterable[str], batch_size: int | None = None
    ) -> int:
        rows = list(objs)
        with transaction.atomic(savepoint=False):
            for row in rows:
                row.save(update_fields=list(fields))
        return len(rows)


class SealedManager(models.Manager[_Row]):
    """The way to rows that carry a seal. Every model of them names it as `objects`."""

    def get_queryset(self) -> SealedQuerySet[_Row]:
        return SealedQuerySet(self.model, using=self._db)


class Sealed(models.Model):
    """A row that carries a seal over every column that decides."""

    # Columns that move for other reasons and decide nothing by themselves.
    PENCIL: ClassVar[frozenset[str]] = frozenset()

    # Rises by one with each change: an older version cannot be put back.
    version = models.PositiveIntegerField(default=0)
    # The key's name, a colon and the HMAC.
    seal = models.CharField(max_length=160, default=UNSEALED, editable=False)

    # What the database said when the row was read, or what it was told: that is what is sealed.
    _stored: Mapping[str, Any] = {}
    _holds: bool | None = None

    class Meta:
        abstract = True

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        """Save the row; where it changed what decides, under a new seal."""
        self._read_times()
        if self._state.adding:
            self.take_id()
            kwargs["force_insert"] = True
            self.seal_anew(self.column_values())
        elif self._decides(update_fields):
            values = self._written_by(update_fields)
            if sealed_digest(type(self), values) != self.digest:
                # Nothing that was slipped in is sealed along with what is written now.
                self.require_seal()
                self.seal_anew(values)
                if update_fields is not None:
                    update_fields = {*update_fields, "version", "seal"}
        with transaction.atomic(savepoint=False):
            super().save(*args, update_fields=update_fields, **kwargs)
            self.was_written(update_fields)

    def take_id(self) -> None:
        """Give a new row its id before it is stored, for what is bound to it."""
        if self.pk is None:
            (self.pk,) = next_ids(type(self), 1)

    @classmethod
    def from_db(
        cls, db: str | None, field_names: Collection[str], values: Collection[Any], **more: Any
    ) -> Self:
        row = super().from_db(db, field_names, values, **more)
        row._stored = dict(zip(field_names, values, strict=False))
        return row

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        super().refresh_from_db(*args, **kwargs)
        fields = kwargs.get("fields")
        if fields is None:
            self._stored = self.column_values()
        else:
            names = _attnames(type(self), fields)
            self._stored = {**self._stored, **{name: getattr(self, name) for name in names}}
        self._holds = None

    def column_values(self) -> dict[str, Any]:
        """Return every column as it stands in memory."""
        return {field.attname: getattr(self, field.attname) for field in self._meta.concrete_fields}

    @property
    def digest(self) -> str:
        """The hash of what decides, as it is stored."""
        return sealed_digest(type(self), self._stored)

    def is_sealed(self) -> bool:
        """Tell whether the row is as the site wrote it. It is worked out once."""
        if self._holds is None:
            assert len(self._stored) >= len(self._meta.concrete_fields), "read the whole row"
            self._holds = seal_fits(self._meta.label, self._stored["seal"], self.digest)
        return self._holds

    def require_seal(self) -> None:
        """Refuse a row that was changed past the site. Raises RecordAltered."""
        if not self.is_sealed():
            note_altered(self)
            raise RecordAltered(self)

    def seal_anew(self, values: Mapping[str, Any]) -> None:
        """Seal these values as the next version of the row."""
        self.version = self._stored.get("version", 0) + 1
        sealed = sealed_digest(type(self), {**values, "version": self.version})
        self.seal = make_seal(self._meta.label, sealed)

    def seal_first(self) -> None:
        """Seal a row that has none yet, as it is. Only an upgrade meets one."""
        self.seal_anew(self._stored)
        with transaction.atomic(savepoint=False):
            super().save(update_fields=["version", "seal"])
            self.was_written()

    def seal_repaired(self, values: Mapping[str, Any], *, above: int) -> None:
        """Write what two people have put right, under a version above every one before."""
        for name, value in values.items():
            setattr(self, name, value)
        with transaction.atomic(savepoint=False):
            while True:
                self.seal_anew(self.column_values())
                super().save()
                self.was_written()
                if self.version > above:
                    return

    def _decides(self, update_fields: Iterable[str] | None) -> bool:
        names = _attnames(type(self), update_fields or ())
        return update_fields is None or not names.isdisjoint(sealed_columns(type(self)))

    def _written_by(self, update_fields: Iterable[str] | None) -> dict[str, Any]:
        """Return what the row will be: what is stored, and over it what this save writes."""
        now = self.column_values()
        if update_fields is None:
            return now
        names = _attnames(type(self), update_fields)
        return {**self._stored, **{name: now[name] for name in names}}

    def _read_times(self) -> None:
        """Turn an instant given as text into one: it has many texts."""
        for field in self._meta.concrete_fields:
            given = self.__dict__.get(field.attname)
            if isinstance(field, models.DateTimeField) and isinstance(given, str):
                setattr(self, field.attname, field.to_python(given))

    def was_written(self, update_fields: Iterable[str] | None = None) -> None:
        """Take note of what the database was told, for the journal to vouch for."""
        before = self._stored.get("version")
        if update_fields is None:
            self._stored = self.column_values()
        else:
            now = self.column_values()
            names = _attnames(type(self), update_fields)
            self._stored = {**self._stored, **{name: now[name] for name in names}}
        self._holds = None
        if self._stored["version"] != before:
            transaction.on_commit(_Unvouched(self), robust=True)


def _attnames(model: type[models.Model], names: Iterable[str]) -> set[str]:
    """Return the columns that fields are stored in: `pit` is `pit_id` there."""
    fields = {field.name: field.attname for field in model._meta.concrete_fields}
    return {fields.get(name, name) for name in names}


@cache
def sealed_columns(model: type[Sealed]) -> tuple[str, ...]:
    """Return the columns of a model that decide, in the order of their names."""
    names = {field.attname for field in model._meta.concrete_fields}
    return tuple(sorted(names - model.PENCIL - {"seal"}))


@cache
def empty_texts(model: type[Sealed]) -> dict[str, str]:
    """Return what each deciding column says when no one said anything: its default.

    Such columns are left out of what is sealed, so that a column which a later release adds breaks
    no seal of the rows that are there.
    """
    fields = {field.attname: field for field in model._meta.concrete_fields}
    return {name: marked(fields[name].get_default()) for name in sealed_columns(model)}


def sealed_digest(model: type[Sealed], values: Mapping[str, Any]) -> str:
    """Return the hash of the columns that decide, each named, defaults left out."""
    return digest_of_texts(model, {name: marked(values[name]) for name in sealed_columns(model)})


def digest_of_texts(model: type[Sealed], texts: Mapping[str, str]) -> str:
    """Return the hash of a row whose columns are given as texts."""
    empty = empty_texts(model)
    return plain_digest(
        f"{name}{texts[name]}" for name in sealed_columns(model) if texts[name] != empty[name]
    )


def make_seal(label: str, digest: str) -> str:
    """Return the seal of a row, by the newest key."""
    keys = settings.KEYS
    name = keys.journal_key_name
    return f"{name}:{_mac(keys.journal_keys[name], label, digest)}"


def seal_fits(label: str, seal: str, digest: str) -> bool:
    """Tell whether a seal was made for this row, by any key that is still kept."""
    name, _, mac = seal.rpartition(":")
    key = settings.KEYS.journal_keys.get(name)
    return key is not None and hmac.compare_digest(_mac(key, label, digest), mac)


def _mac(key: bytes, label: str, digest: str) -> str:
    mac = _keyed(key).copy()
    mac.update(f"{label}\n{digest}".encode())
    return mac.hexdigest()


@lru_cache(maxsize=16)
def _keyed(key: bytes) -> hmac.HMAC:
    """Return the MAC of one key for seals of rows alone: no link of the journal is ever one."""
    own = hmac.new(key, b"pitboss row seal", hashlib.sha256).digest()
    return hmac.new(own, digestmod=hashlib.sha256)


def next_ids(model: type[models.Model], count: int) -> list[int]:
    """Take ids before the rows are written: a seal covers the id of its row."""
    if count == 0:
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)",
            [f'"{model._meta.db_table}"', model._meta.pk.column, count],
        )
        return [row_id for (row_id,) in cursor.fetchall()]


class _Unvouched:
    """A row that the journal has still to vouch for in this transaction.

    It hangs among what is to be done on commit, so that a rollback, to a savepoint or whole, takes
    it away together with what was written.
    """

    def __init__(self, row: Sealed) -> None:
        self.row = row
        self.is_taken = False

    def __call__(self) -> None:
        """Have an entry written for a row that was committed without one."""
        if not self.is_taken:
            for vouch in _VOUCHERS:
                vouch(self.row)


# The journal puts itself here: rows know no one above them.
_VOUCHERS: list[Callable[[Sealed], None]] = []


def vouches_for_the_rest(function: Callable[[Sealed], None]) -> Callable[[Sealed], None]:
    """Register what vouches for a sealed row whose transaction wrote no entry."""
    _VOUCHERS.append(function)
    return function


def take_unvouched() -> list[Sealed]:
    """Return the sealed rows that this transaction wrote and no entry vouches for yet."""
    newest: dict[tuple[str, int], Sealed] = {}
    for _, function, *_ in connection.run_on_commit:
        if isinstance(function, _Unvouched) and not function.is_taken:
            function.is_taken = True
            newest[function.row._meta.label, function.row.pk] = function.row
    return list(newest.values())


_noted = threading.local()


def note_altered(row: Sealed) -> None:
    """Keep in mind that a row was found altered until its act has ended and it can be told."""
    found = _noted.__dict__.setdefault("rows", {})
    found[row._meta.label, row.pk] = row


def take_altered() -> list[Sealed]:
    """Return the rows that were found altered and not told of yet."""
    found: dict[tuple[str, int], Sealed] = _noted.__dict__.pop("rows", {})
    return list(found.values())


def sealed_models() -> list[type[Sealed]]:
    """Return every model whose rows carry a seal."""
    from django.apps import apps

    return [model for model in apps.get_models() if issubclass(model, Sealed)]
