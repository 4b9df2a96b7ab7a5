"""Look patrons up: by the card they swipe, by name, by a tax id that the database cannot read."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from datetime import date

from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.functions import Upper

from inventory.models import (
    BankAccount,
    CashEntry,
    CreditLine,
    Marker,
    Patron,
    PatronDocument,
    SamePatron,
)
from pitboss.ciphers import blind_index
from pitboss.rules.patrons.patrons import DocumentKind

# What the index of a tax id is made for.
TAX_ID = "patron tax id"
FOUND_MAX = 20
# As many as a look-up offers before anyone is asked for, out of so many newest papers.
AT_HAND_MAX = 6
_RECENT_READ = 60
SeatedReader = Callable[[str], list[int]]
_seated_readers: list[SeatedReader] = []


def tells_who_is_seated(reader: SeatedReader) -> SeatedReader:
    """Register who sits at a table now, or anywhere, by the person who keeps the seats."""
    _seated_readers.append(reader)
    return reader


def patrons_at_hand(table: str = "") -> list[Patron]:
    """Return whom a look-up offers first: who is seated, newest first, then who came last."""
    seated = [patron_id for read in _seated_readers for patron_id in read(table)]
    cash = CashEntry.objects.exclude(patron=None).order_by("-id").values_list("patron", flat=True)
    lent = Marker.objects.order_by("-id").values_list("patron", flat=True)
    recent = [*cash[:_RECENT_READ], *lent[:AT_HAND_MAX]]
    ids = list(dict.fromkeys([*seated, *recent]))[:AT_HAND_MAX]
    found = Patron.objects.filter(is_entity=False).in_bulk(ids)
    return [found[item] for item in ids if item in found]


def patron_of_card(player_card: str) -> Patron | None:
    """Return whose player card this is."""
    card = player_card.strip()
    return Patron.objects.filter(player_card=card).first() if card else None


def files_of(patron_id: int) -> RawSQL:
    """Return a subquery of every file that is this person's: theirs, and those joined to it."""
    return RawSQL("SELECT inventory_same_patrons(%s)", (patron_id,))


def root_of(patron_id: int) -> int:
    """Return the file that a person's other files point to: their own where none is joined."""
    newest = SamePatron.objects.filter(patron=patron_id).order_by("-id").first()
    return newest.same_as_id or patron_id if newest is not None else patron_id


def roots_of(patron_ids: Collection[int]) -> dict[int, Patron]:
    """Return the file that each of these points to, where one is joined to another. One query."""
    newest = SamePatron.objects.filter(patron__in=patron_ids).order_by("patron_id", "-id")
    joined = newest.distinct("patron").select_related("same_as")
    return {
        same_patron.patron_id: same_patron.same_as
        for same_patron in joined
        if same_patron.same_as is not None
    }


def other_files(patron: Patron) -> QuerySet[Patron]:
    """Return the other files of a person."""
    return Patron.objects.filter(pk__in=files_of(patron.pk)).exclude(pk=patron.pk).order_by("pk")


def patron_of_tax_id(tax_id: str) -> Patron | None:
    """Return whose tax id this is, found by its index."""
    number = re.sub(r"[\s-]", "", tax_id).upper()
    index = blind_index(TAX_ID, number)
    return Patron.objects.filter(tax_id_index=index).first() if number else None


def patrons_named(text: str, limit: int = FOUND_MAX, *, entities: bool = False) -> QuerySet[Patron]:
    """Return the patrons whose names begin with each of the words, or whose card this is.

    Last names before first names: a pit asks for "ruiz" or "ana ruiz". Companies that people act
    for do not play, so they are found only where they are asked for.
    """
    words = text.upper().split()
    people = Patron.objects.all() if entities else Patron.objects.filter(is_entity=False)
    named = people.alias(first=Upper("first_name"), last=Upper("last_name"))
    if not words:
        return named.none()
    begins = Q()
    for word in words:
        begins &= Q(last__startswith=word) | Q(first__startswith=word)
    return named.filter(begins | Q(player_card=text.strip()))[:limit]


def identity_documents(patron: Patron, today: date) -> QuerySet[PatronDocument]:
    """Return the IDs on file that still hold, newest first."""
    kinds = [kind.value for kind in DocumentKind if kind.proves_identity]
    holds = Q(expires_on=None) | Q(expires_on__gte=today)
    return patron.documents.filter(holds, kind__in=kinds).order_by("-id")


def newest_document(patron: Patron, kind: DocumentKind) -> PatronDocument | None:
    """Return the newest paper of a kind on file: the photo, the signature."""
    return patron.documents.filter(kind=kind.value).order_by("-id").first()


def photos_of(patron: Patron) -> QuerySet[PatronDocument]:
    """Return the photos on file of a person, on whichever of their files they are, newest first."""
    photos = PatronDocument.objects.filter(
        patron__in=files_of(patron.pk), kind=DocumentKind.PHOTO.value
    )
    return photos.exclude(content_cipher="").order_by("-id")


def account_of(patron: Patron) -> PatronDocument | None:
    """Return the bank account that two people approved last: what markers are drawn on.

    What was only put on file is none yet.
    """
    newest = BankAccount.objects.filter(patron=patron).select_related("document").first()
    if newest is not None:
        return newest.document
    # The first one was approved with a line.
    lines = CreditLine.objects.filter(patron=patron, bank_account__isnull=False)
    line = lines.select_related("bank_account").first()
    return line.bank_account if line else None


def account_words(account: PatronDocument | None) -> str:
    """Return a bank account as slips show it; nothing for none."""
    return f"{account.issuer} …{account.number_ends}" if account else ""
