"""The account that a patron's markers are drawn on: changed by two people, and by nobody alone."""

from __future__ import annotations

import html
import re
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse

from inventory.kinds import bank_account
from inventory.kinds.bank_account import BANK_ACCOUNT
from inventory.kinds.consolidation import CONSOLIDATION
from inventory.kinds.marker import MARKER, cut_of
from inventory.models import BankAccount, CreditLine, Marker, Patron, PatronDocument
from inventory.selectors.patrons import account_of, account_words
from inventory.services.patrons import NewDocument, add_document
from pitboss.models import Person, Slip
from pitboss.rules.flows.flows import Track
from pitboss.rules.patrons.patrons import DocumentKind
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.slips.addresses import new_url
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cage import open_with
from tests.floor.cast import Cast, add_person, pin_of, refused
from tests.floor.markers import (
    TRAY,
    drawn,
    grant,
    issue,
    lend,
    make_patron,
    propose,
    transfer,
)
from tests.floor.tablets import signed_in, words
from tests.races import at_once, hold_before

pytestmark = pytest.mark.django_db

FIRST, SECOND = "First Bank …6789", "Second Bank …4321"


@pytest.fixture
def ana(cast: Cast) -> Patron:
    """A patron with a line of $20,000 and the bank account that was approved with it."""
    open_with(cast, TRAY)
    patron = make_patron(cast)
    grant(cast, patron, 2_000_000)
    return patron


def bring(
    cast: Cast, patron: Patron, number: str = "000987654321", bank: str = "Second Bank"
) -> PatronDocument:
    """Put another bank account on a patron's file, as one person may."""
    new = NewDocument(DocumentKind.BANK_ACCOUNT, number=number, issuer=bank)
    return add_document(patron_id=patron.pk, new=new, pen=cast.pen(cast.alice))


def ask(cast: Cast, patron: Patron, by: Person | None = None) -> Slip:
    change = BANK_ACCOUNT.at(patron=patron)
    return raise_kind(
        change,
        pen=cast.pen(by or cast.erin, Place.CAGE),
        shown=shown_before(change),
        reason="Called the bank.",
    )


def pad_of(response: Any) -> dict[str, Any]:
    """Return the hidden fields of the pad on a page, as a browser would send them."""
    page = words(response)
    form = page[page.index('id="sign-pad"') :]
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
    return {name: html.unescape(value) for name, value in hidden}


def plain(response: Any) -> str:
    """Return what a page says, without its tags."""
    told = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", words(response))).split())
    return told.replace(" ,", ",")


def in_use(patron: Patron) -> str:
    return account_words(account_of(patron))


def test_an_account_that_one_person_files_is_drawn_on_by_no_marker(cast: Cast, ana: Patron) -> None:
    before = issue(cast, ana, 100_000)
    bring(cast, ana)
    assert in_use(ana) == FIRST
    between = issue(cast, ana, 100_000)
    slip = ask(cast, ana)
    while_proposed = issue(cast, ana, 100_000)
    cast.sign(slip, "approved", cast.trent, Place.CAGE)
    assert in_use(ana) == SECOND
    after = issue(cast, ana, 100_000)
    banks = [item.details["bank"] for item in (before, between, while_proposed, after)]
    assert banks == [FIRST, FIRST, FIRST, SECOND]
    assert "Second Bank, ending 4321" in str(after.details["reads"])
    # What was signed stays as it was signed.
    before.refresh_from_db()
    assert before.details["bank"] == FIRST
    row = BankAccount.objects.get()
    assert (row.patron, row.slip, str(row.document.number_ends)) == (ana, slip, "4321")


def test_two_people_change_an_account(cast: Cast, ana: Patron) -> None:
    bring(cast, ana)
    with refused("wrong_role"):
        ask(cast, ana, by=cast.alice)
    slip = ask(cast, ana, by=cast.trent)
    with refused("signed_before"):
        cast.sign(slip, "approved", cast.trent, Place.CAGE)
    with refused("wrong_role"):
        cast.sign(slip, "approved", cast.erin, Place.CAGE)
    other = add_person("Uma Ortiz", "931", Role.CAGE_MANAGER)
    cast.sign(slip, "approved", other, Place.CAGE)
    assert in_use(ana) == SECOND


def test_a_declined_account_changes_nothing(cast: Cast, ana: Patron) -> None:
    bring(cast, ana)
    slip = ask(cast, ana)
    with refused("already_proposed"):
        ask(cast, ana, by=cast.trent)
    entry = Entry(reason="No such account.")
    cast.sign(slip, "refused", cast.trent, Place.CAGE, entry=entry, track=Track.VOID)
    assert in_use(ana) == FIRST
    assert not BankAccount.objects.exists()


def test_nothing_new_on_file_is_no_change(cast: Cast, ana: Patron) -> None:
    with refused("nothing_changes"):
        ask(cast, ana)
    page = signed_in(cast.erin, cast, Place.CAGE).get(new_url("bank_account", patron=ana.pk))
    assert page.status_code == 422
    assert "Add it as a document first." in plain(page)


def test_a_line_changes_no_account(cast: Cast, ana: Patron) -> None:
    """Whoever proposes a line does not bring another account in with it."""
    bring(cast, ana)
    line = grant(cast, ana, 3_000_000)
    assert account_words(line.bank_account) == FIRST
    waiting = propose(cast, ana, 4_000_000)
    cast.sign(ask(cast, ana), "approved", cast.trent, Place.CAGE)
    with refused("bank_changed"):
        cast.sign(waiting, "approved", cast.trent, Place.CAGE)


def test_one_approved_in_between_is_not_overwritten(cast: Cast, ana: Patron) -> None:
    """A change says what it is instead of: no older proposal takes a newer account away."""
    bring(cast, ana)
    slip = ask(cast, ana)
    with connection.cursor() as cursor:
        cursor.execute("SELECT inventory_bank_account_of(%s)", [ana.pk])
        assert cursor.fetchone() == (slip.details["instead_of"],)
    cast.sign(slip, "approved", cast.trent, Place.CAGE)
    third = bring(cast, ana, "000555500001", "Third Bank")
    again = ask(cast, ana)
    assert (again.details["instead_of"], again.details["document"]) == (
        slip.details["document"],
        third.pk,
    )


def test_one_that_a_first_line_brought_in_between_is_not_overwritten(
    cast: Cast, ana: Patron
) -> None:
    ben = make_patron(cast, "Ben", "Hale")
    slip = ask(cast, ben)
    bring(cast, ben)
    grant(cast, ben, 1_000_000)
    with refused("bank_changed"):
        cast.sign(slip, "approved", cast.trent, Place.CAGE)
    assert (slip.details["instead_of"], in_use(ben)) == (None, SECOND)


def test_a_marker_that_was_on_the_screen_is_drawn_again(cast: Cast, ana: Patron) -> None:
    """What the supervisor was shown is what the patron would sign: it changed meanwhile."""
    bring(cast, ana)
    slip = ask(cast, ana)
    marker = MARKER.at(cast.table, cut_of(cast.table, 100_000), patron=ana)
    shown = shown_before(marker)
    cast.sign(slip, "approved", cast.trent, Place.CAGE)
    with refused("stale_screen"):
        raise_kind(marker, pen=cast.pen(cast.alice), shown=shown)


def test_a_consolidation_under_way_names_no_old_account(cast: Cast, ana: Patron) -> None:
    serials = []
    for cents in (100_000, 200_000):
        marker = lend(cast, ana, cents)
        transfer(cast, [str(marker)])
        serials.append(str(marker))
    joining = CONSOLIDATION.at(patron=ana, marker=serials)
    pen = cast.pen(cast.erin, Place.CAGE)
    slip = raise_kind(joining, pen=pen, shown=shown_before(joining))
    cast.sign(slip, "patron_signed", cast.erin, Place.CAGE, entry=Entry(drawn=drawn(slip)))
    bring(cast, ana)
    cast.sign(ask(cast, ana), "approved", cast.trent, Place.CAGE)
    with refused("bank_changed"):
        cast.sign(slip, "approved", cast.trent, Place.CAGE)


@pytest.mark.django_db(transaction=True)
def test_two_desks_propose_one_change(
    cast: Cast, ana: Patron, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(cast, ana)
    hold_before(monkeypatch, bank_account, "newest_document")
    done = at_once(partial(ask, cast, ana), partial(ask, cast, ana, by=cast.trent))
    assert sorted(isinstance(item, Slip) for item in done) == [False, True]
    assert any("already_proposed" in item for item in done if isinstance(item, tuple))


def _sql(row: dict[str, Any]) -> None:
    columns = ", ".join(row)
    blanks = ", ".join(["%s"] * len(row))
    with connection.cursor() as cursor, transaction.atomic():
        cursor.execute(
            f"INSERT INTO inventory_bankaccount ({columns}) VALUES ({blanks})", list(row.values())
        )


def test_past_the_service_nobody_changes_an_account_alone(cast: Cast, ana: Patron) -> None:
    account = bring(cast, ana)
    slip = ask(cast, ana)
    row: dict[str, Any] = {
        "patron_id": ana.pk,
        "document_id": account.pk,
        "since": house.now(),
        "slip_id": slip.pk,
    }
    with pytest.raises(IntegrityError, match="no slip that two signed"):
        _sql(row)
    ben = make_patron(cast, "Ben", "Hale")
    cast.sign(slip, "approved", cast.trent, Place.CAGE)
    for other in (
        {"document_id": ben.documents.values_list("pk", flat=True)[0]},
        {"patron_id": ben.pk},
    ):
        with pytest.raises(IntegrityError, match="no slip that two signed"):
            _sql({**row, **other})


def test_past_the_service_no_marker_is_drawn_on_an_account_that_is_not_in_use(
    cast: Cast, ana: Patron
) -> None:
    slip = issue(cast, ana, 100_000)
    bring(cast, ana)
    cast.sign(ask(cast, ana), "approved", cast.trent, Place.CAGE)
    columns = {
        "slip": slip,
        "patron": ana,
        "amount_cents": 100_000,
        "line_cents": 2_000_000,
        "remaining_cents": 1_800_000,
        "issued_at": house.now(),
    }
    with pytest.raises(IntegrityError, match="that nobody approved"), transaction.atomic():
        Marker.objects.create(**columns)


def test_past_the_service_no_line_brings_another_account_in(cast: Cast, ana: Patron) -> None:
    account = bring(cast, ana)
    line = CreditLine.objects.get()
    columns: dict[str, Any] = {
        "patron": ana,
        "kind": line.kind,
        "amount_cents": line.amount_cents,
        "holds_from": house.now(),
        "slip": line.slip,
        "bank_account": account,
    }
    with pytest.raises(IntegrityError, match="changes no bank account"), transaction.atomic():
        CreditLine.objects.create(**columns)


def test_the_patrons_page_says_which_account_is_in_use(cast: Cast, ana: Patron) -> None:
    page = signed_in(cast.erin, cast, Place.CAGE)
    bring(cast, ana)
    told = plain(page.get(reverse("patron", args=[ana.pk])))
    assert "Bank account …4321 Second Bank, A. Aliceson, not approved" in told
    assert "Bank account …6789 First Bank, A. Aliceson, in use" in told
    cast.sign(ask(cast, ana), "approved", cast.trent, Place.CAGE)
    told = plain(page.get(reverse("patron", args=[ana.pk])))
    assert "Bank account …6789 First Bank, A. Aliceson, no longer in use" in told


def test_another_account_is_filed_and_then_proposed_on_the_screen(cast: Cast, ana: Patron) -> None:
    def file(page: Client, person: Person) -> str:
        url = reverse("patron-paper", args=[ana.pk])
        sent = {
            **pad_of(page.get(url)),
            "kind": "bank_account",
            "number": "000987654321",
            "issuer": "Second Bank",
            "badge": person.badge,
            "pin": pin_of(person.badge),
        }
        return str(page.post(url, sent).headers["Location"])

    # Who proposes no account goes back to the patron; who does goes on to propose it.
    assert file(signed_in(cast.alice, cast), cast.alice) == reverse("patron", args=[ana.pk])
    page = signed_in(cast.erin, cast, Place.CAGE)
    url = file(page, cast.erin)
    assert url == new_url("bank_account", patron=ana.pk)
    first = page.get(url)
    told = plain(first)
    assert "Markers stay on the old account until this one is approved." in told
    assert f"Instead of {FIRST}" in told
    assert f"From now on {SECOND}" in told
    pad = pad_of(first)
    page.post(url, {**pad, "reason": "Called.", "badge": "105", "pin": pin_of("105")})
    slip = Slip.objects.get(kind="bank_account")
    assert "Approve" in words(
        signed_in(cast.trent, cast, Place.CAGE).get(reverse("slip", args=[slip.serial]))
    )
