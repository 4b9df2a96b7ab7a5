"""What is shown to no reader of records, however far their reading goes."""

from __future__ import annotations

# Hashes of what people know and devices carry, ciphers of what identifies them: of no use to a
# reader, of much to a thief.
SECRET_COLUMNS = frozenset(
    {"password", "pin_hash", "token_hash", "code_hash", "number_ciphers", "content_cipher"}
)
# Rows of which not even the number is anybody's business but compliance's.
COMPLIANCE_ONLY = frozenset({"inventory.SuspicionNote", "inventory.NoteReading"})
