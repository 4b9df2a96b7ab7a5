"""What is shown to no reader of records, however far their reading goes."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Field, Model, Q, QuerySet

# Hashes of what people know and devices carry, ciphers of what identifies them: of no use to a
# reader, of much to a thief. By how a column is called, so that a new one is hidden by default.
_SECRET_ENDINGS: Final = (
    "hash",
    "cipher",
    "ciphers",
    "password",
    "pepper",
    "pin",
    "secret",
    "token",
)
# What a signer was shown stands beside its hash in full.
_OPEN_COLUMNS: Final = frozenset({"pitboss.Signature.shown_hash"})
# They name every chain and how long it is, the one of compliance too.
_CLOSED_COLUMNS: Final = frozenset({"pitboss.JournalSeal.text", "pitboss.JournalAudit.position"})

# The chain of compliance, and what an earlier release wrote of it into the chain of people.
COMPLIANCE_CHAIN: Final = "compliance"
_NOTE_KINDS: Final = ("compliance_note", "compliance_note_read")
_NOTE_REFUSED: Final = Q(kind="act_refused", text__contains='"act":"compliance_note"')

# Rows of which not even the number is told to anyone but compliance. An attempt at a PIN is told
# by what it was for; one that is told by nothing else would tell of a note.
NOTES: Final = (
    "inventory.SuspicionNote",
    "inventory.NoteReading",
    "inventory.SarCase",
    "inventory.SarReading",
    "inventory.SarStep",
)
# Who is on which list is told by pages of their own, to security, the shift manager and compliance.
LISTED: Final = frozenset(
    {
        "inventory.ExclusionCase",
        "inventory.ListCheck",
        "inventory.ListRow",
        "inventory.ListRowEnd",
        "inventory.ListUpload",
    }
)
COMPLIANCE_ONLY: Final = frozenset({*NOTES, *LISTED, "pitboss.Attempt", "pitboss.RequestMark"})
# What whoever keeps the system reads: machines and people at work. No slip, no patron, no journal.
ADMINISTRATORS_READ: Final = frozenset(
    {
        "pitboss.ActingRole",
        "pitboss.Device",
        "pitboss.DeviceEnrolment",
        "pitboss.JournalAudit",
        "pitboss.JournalSeal",
        "pitboss.Person",
        "pitboss.PersonLimit",
        "pitboss.PinEnrolment",
        "pitboss.Pit",
        "pitboss.Property",
        "pitboss.SeriesCounter",
        "pitboss.SettingValue",
        "pitboss.Table",
        "pitboss.Visit",
        "pitboss.WorkerHeartbeat",
    }
)


def is_secret(field: Field[Any, Any]) -> bool:
    """Tell whether a column is shown to no one."""
    column = f"{field.model._meta.label}.{field.name}"
    if column in _OPEN_COLUMNS:
        return False
    return column in _CLOSED_COLUMNS or field.name.rpartition("_")[2] in _SECRET_ENDINGS


def shown_columns(model: type[Model]) -> list[Field[Any, Any]]:
    """Return the columns of a model that a reader of records is shown, and filters by."""
    return [field for field in model._meta.concrete_fields if not is_secret(field)]


def without_compliance(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return rows of the journal without what only compliance knows of; other rows as they are."""
    label = rows.model._meta.label
    if label == "pitboss.JournalChain":
        return rows.exclude(name=COMPLIANCE_CHAIN)
    if label == "pitboss.JournalEntry":
        return rows.exclude(
            Q(chain__name=COMPLIANCE_CHAIN) | Q(kind__in=_NOTE_KINDS) | _NOTE_REFUSED
        )
    return rows
