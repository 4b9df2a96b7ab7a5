"""Markers: lent within the line, signed by all who must, and never lent twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction

from inventory.kinds.marker import MARKER, cut_of
from inventory.models import ChequeTransfer, CreditLine, Holder, Marker, MarkerEntry, Patron
from inventory.selectors.cheques import holding_of, tray_holding
from inventory.selectors.credit import credit_of, standing_of
from inventory.services.patrons import add_patron
from pitboss.models import Signature, Slip, Table, Waiting
from pitboss.rules.flows.drawn import Drawn
from pitboss.rules.flows.flows import SlipStatus, Track
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cage import open_with
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.markers import (
    STROKES,
    TRAY,
    authorise,
    grant,
    issue,
    lend,
    make_patron,
    pay,
    propose,
    restore,
    sign_as_patron,
    stop,
    void,
)


@pytest.fixture
def ana(cast: Cast) -> Patron:
    """A patron with a line of $10,000, at a table that is open."""
    open_with(cast, TRAY)
    patron = make_patron(cast)
    grant(cast, patron, 1_000_000)
    return patron


def remaining(patron: Patron) -> int:
    return credit_of(patron, house.now()).remaining_cents


@pytest.mark.django_db(transaction=True)
def test_a_marker_takes_cheques_from_the_tray_to_the_public(cast: Cast, ana: Patron) -> None:
    marker = lend(cast, ana, 300_000)
    slip = Slip.objects.get(pk=marker.slip_id)
    assert slip.status == SlipStatus.DONE
    assert holding_of(Holder.PUBLIC) == {10_000: 25, 2_500: 20}
    assert tray_holding(cast.table) == {10_000: 75, 2_500: 80}
    credit = credit_of(ana, house.now())
    assert (credit.outstanding_cents, credit.reserved_cents) == (300_000, 0)
    assert (marker.line_cents, marker.remaining_cents) == (1_000_000, 700_000)
    assert [signature.step for signature in slip.signatures.all()] == [
        "issued",
        "patron_signed",
        "dealer_signed",
        "approved",
    ]
    assert verify().is_sound


def test_an_issued_marker_holds_the_line_before_anything_moves(cast: Cast, ana: Patron) -> None:
    issue(cast, ana, 300_000)
    credit = credit_of(ana, house.now())
    assert (credit.outstanding_cents, credit.reserved_cents) == (0, 300_000)
    assert remaining(ana) == 700_000
    assert holding_of(Holder.PUBLIC) == {}


def test_the_patrons_signature_is_kept_as_drawn_with_what_was_shown(
    cast: Cast, ana: Patron
) -> None:
    slip = issue(cast, ana, 300_000)
    sign_as_patron(cast, slip)
    signature = Signature.objects.get(slip=slip, step="patron_signed")
    kept = signature.facts["drawn"]
    assert kept["strokes"][0][:2] == [[100, 100], [150, 60]]
    assert kept["matched_with"] == "passport …5678"
    assert '"patron_name":"Ana Ruiz"' in signature.shown
    assert '"total_cents":300000' in signature.shown


def test_a26_two_issues_of_one_line_leave_what_the_first_left(cast: Cast, ana: Patron) -> None:
    """The race itself is in test_marker_races; this is the same, one after the other."""
    lend(cast, ana, 600_000)
    issue(cast, ana, 300_000)
    assert remaining(ana) == 100_000
    with refused("over_line"):
        issue(cast, ana, 300_000, by=cast.bob)


def test_a27_a_marker_above_the_line_is_refused_without_an_authority(
    cast: Cast, ana: Patron
) -> None:
    lend(cast, ana, 900_000)
    with refused("over_line"):
        issue(cast, ana, 150_000)
    with pytest.raises(Refused, match=r"\$1,000 of credit left.* This marker is \$500"):
        issue(cast, ana, 150_000)


def test_a27_a_named_authority_other_than_the_extender_lets_it_pass(
    cast: Cast, ana: Patron
) -> None:
    lend(cast, ana, 900_000)
    slip = issue(cast, ana, 150_000, over=True, by=cast.heidi)
    assert Waiting.objects.get(slip=slip, until=None).by == ["shift_manager", "cage_manager"]
    with refused("out_of_order"):
        sign_as_patron(cast, slip, cast.heidi)
    with refused("signed_before"):
        authorise(cast, slip, cast.heidi)
    with refused("reason_missing"):
        cast.sign(slip, "authorised", cast.mike)
    with refused("wrong_role"):
        authorise(cast, slip, cast.carol)
    authorise(cast, slip, cast.mike)
    authority = Signature.objects.get(slip=slip, step="authorised")
    assert (authority.person, authority.reason) == (cast.mike, "Known for twenty years.")
    marker = Marker.objects.get(slip=slip)
    assert (marker.over_line_cents, marker.remaining_cents) == (50_000, 0)
    sign_as_patron(cast, slip)
    cast.sign(slip, "dealer_signed", cast.dan)
    cast.sign(slip, "approved", cast.alice)
    assert credit_of(ana, house.now()).outstanding_cents == 1_050_000


def test_an_authority_is_for_one_marker_and_lends_nothing_to_the_next(
    cast: Cast, ana: Patron
) -> None:
    lend(cast, ana, 900_000)
    lend(cast, ana, 150_000, over=True)
    assert remaining(ana) == 0
    pay(cast, ana, cash_cents=40_000)
    assert remaining(ana) == 0
    pay(cast, ana, cash_cents=40_000)
    assert remaining(ana) == 30_000


def test_nobody_asks_for_an_authority_that_is_not_needed(cast: Cast, ana: Patron) -> None:
    table = Table.objects.get(pk=cast.table.pk)
    raising = MARKER.at(table, {10_000: 10}, patron=ana)
    new = raising.new()
    forged = replace(raising, draft=replace(new, details={**new.details, "over_line_cents": 1}))
    with refused("authority_not_needed"):
        raise_kind(forged, pen=cast.pen(cast.alice), shown=shown_before(forged))


def test_a28_a_dealer_does_not_sign_before_the_patron(cast: Cast, ana: Patron) -> None:
    slip = issue(cast, ana, 300_000)
    with refused("out_of_order"):
        cast.sign(slip, "dealer_signed", cast.dan)
    assert holding_of(Holder.PUBLIC) == {}


@pytest.mark.parametrize(
    ("entry", "codes"),
    [
        (Entry(), ["drawing_missing", "id_not_matched"]),
        (Entry(drawn=Drawn(STROKES)), ["id_not_matched"]),
        (Entry(drawn=Drawn(STROKES, matched_with="passport …5678")), ["id_not_matched"]),
    ],
)
def test_a28_the_patron_draws_and_is_matched_with_an_id(
    cast: Cast, ana: Patron, entry: Entry, codes: list[str]
) -> None:
    slip = issue(cast, ana, 300_000)
    with refused(*codes):
        cast.sign(slip, "patron_signed", cast.alice, entry=entry)


def test_a28_a_patron_matched_but_not_signed_has_not_signed(cast: Cast, ana: Patron) -> None:
    slip = issue(cast, ana, 300_000)
    passport = ana.documents.get(kind="passport")
    with refused("drawing_missing"):
        entry = Entry(drawn=Drawn((), passport.pk))
        cast.sign(slip, "patron_signed", cast.alice, entry=entry)


def test_a28_an_id_of_another_patron_matches_nobody(cast: Cast, ana: Patron) -> None:
    slip = issue(cast, ana, 300_000)
    other = make_patron(cast, "Bo", "Li").documents.get(kind="passport")
    with refused("id_not_matched"):
        entry = Entry(drawn=Drawn(STROKES, other.pk))
        cast.sign(slip, "patron_signed", cast.alice, entry=entry)


@pytest.mark.parametrize("standing", [Standing.SUSPENDED, Standing.SELF_EXCLUDED])
def test_a29_a_patron_stopped_a_minute_ago_is_not_paid_out(
    cast: Cast, ana: Patron, standing: Standing
) -> None:
    slip = issue(cast, ana, 300_000)
    sign_as_patron(cast, slip)
    cast.sign(slip, "dealer_signed", cast.dan)
    stop(cast, ana, standing)
    with refused("credit_stopped"):
        cast.sign(slip, "approved", cast.alice)
    with refused("credit_stopped"):
        issue(cast, ana, 100_000)
    assert holding_of(Holder.PUBLIC) == {}
    void(cast, slip)
    assert remaining(ana) == 1_000_000


@pytest.mark.django_db(transaction=True)
def test_a_stop_holds_from_the_first_signature_and_is_taken_back_by_another(
    cast: Cast, ana: Patron
) -> None:
    slip = stop(cast, ana)
    assert standing_of(ana) is Standing.SUSPENDED
    entry = Entry(reason="Another of that name.")
    with refused("signed_before"):
        cast.sign(slip, "taken_back", cast.trent, Place.CAGE, entry=entry, track=Track.VOID)
    cast.sign(slip, "taken_back", cast.heidi, entry=entry, track=Track.VOID)
    assert standing_of(ana) is Standing.CLEAR
    slip.refresh_from_db()
    assert slip.status == SlipStatus.VOIDED
    assert verify().is_sound


def test_a_stopped_patron_is_lent_to_again_when_two_say_so(cast: Cast, ana: Patron) -> None:
    cast.sign(stop(cast, ana), "confirmed", cast.heidi)
    with refused("nothing_changes"):
        stop(cast, ana)
    back = restore(cast, ana)
    assert standing_of(ana) is Standing.SUSPENDED
    cast.sign(back, "approved", cast.heidi)
    assert standing_of(ana) is Standing.CLEAR
    lend(cast, ana, 100_000)
    with refused("nothing_changes"):
        restore(cast, ana)


def test_a_newer_stop_outlives_an_older_one_taken_back(cast: Cast, ana: Patron) -> None:
    first = stop(cast, ana)
    with refused("already_proposed"):
        stop(cast, ana, Standing.SELF_EXCLUDED)
    cast.sign(first, "confirmed", cast.heidi)
    stop(cast, ana, Standing.SELF_EXCLUDED)
    second = Slip.objects.filter(kind="credit_stop").latest("pk")
    entry = Entry(reason="Signed for another.")
    cast.sign(second, "taken_back", cast.mike, entry=entry, track=Track.VOID)
    assert standing_of(ana) is Standing.SUSPENDED


def test_a_line_lowered_meanwhile_stops_the_marker(cast: Cast, ana: Patron) -> None:
    slip = issue(cast, ana, 300_000)
    sign_as_patron(cast, slip)
    cast.sign(slip, "dealer_signed", cast.dan)
    grant(cast, ana, 200_000)
    with refused("line_lowered"):
        cast.sign(slip, "approved", cast.alice)


@pytest.mark.django_db(transaction=True)
def test_a30_a_voided_marker_restores_the_line_once(cast: Cast, ana: Patron) -> None:
    slip = issue(cast, ana, 300_000)
    void(cast, slip)
    slip.refresh_from_db()
    assert slip.status == SlipStatus.VOIDED
    assert remaining(ana) == 1_000_000
    voided = list(slip.signatures.filter(track=Track.VOID))
    assert [signature.person for signature in voided] == [cast.alice, cast.ivan]
    assert voided[0].reason == "The patron went home."
    with refused("already_signed"):
        cast.sign(slip, "void_witnessed", cast.frank, Place.SECURITY, track=Track.VOID)
    assert MarkerEntry.objects.filter(marker__slip=slip, move="voided").count() == 1
    assert verify().is_sound


def test_a30_a_voided_marker_is_neither_paid_nor_issued_again(cast: Cast, ana: Patron) -> None:
    slip = issue(cast, ana, 300_000)
    void(cast, slip)
    with refused("not_outstanding"):
        pay(cast, ana, cash_cents=100_000, first=slip.serial)
    with refused("nothing_owed"):
        pay(cast, ana, cash_cents=100_000)
    with refused("slip_closed"):
        sign_as_patron(cast, slip, cast.bob)
    again = issue(cast, ana, 300_000)
    assert again.serial != slip.serial


def test_a30_a_marker_whose_cheques_are_out_is_paid_not_voided(cast: Cast, ana: Patron) -> None:
    marker = lend(cast, ana, 300_000)
    with refused("slip_closed"):
        entry = Entry(reason="Changed their mind.")
        cast.sign(marker.slip, "voided", cast.bob, entry=entry, track=Track.VOID)


def test_a_void_needs_a_reason_and_somebody_without_a_part(cast: Cast, ana: Patron) -> None:
    slip = issue(cast, ana, 300_000)
    with refused("reason_missing"):
        cast.sign(slip, "voided", cast.alice, track=Track.VOID)
    entry = Entry(reason="Too much.")
    cast.sign(slip, "voided", cast.alice, entry=entry, track=Track.VOID)
    with refused("signed_before", "wrong_role"):
        cast.sign(slip, "void_witnessed", cast.alice, track=Track.VOID)
    assert remaining(ana) == 700_000


def test_the_extender_is_not_whoever_granted_the_line(cast: Cast) -> None:
    open_with(cast, TRAY)
    patron = make_patron(cast)
    cast.sign(propose(cast, patron, 1_000_000), "approved", cast.heidi)
    with refused("granted_by_extender"):
        issue(cast, patron, 100_000, by=cast.heidi)
    issue(cast, patron, 100_000, by=cast.alice)


def test_nobody_of_the_pit_proposes_a_line(cast: Cast, ana: Patron) -> None:
    with refused("wrong_role"):
        propose(cast, ana, 2_000_000, by=cast.carol)


def test_nobody_grants_the_line_that_they_proposed(cast: Cast, ana: Patron) -> None:
    slip = propose(cast, ana, 2_000_000, by=cast.trent)
    with refused("signed_before"):
        cast.sign(slip, "approved", cast.trent, Place.CAGE)
    with refused("already_proposed"):
        propose(cast, ana, 3_000_000)


def test_a_temporary_line_is_lent_on_top_until_it_ends(
    server_clock: ServerClock, cast: Cast, ana: Patron
) -> None:
    until = house.now() + timedelta(hours=6)
    grant(cast, ana, 500_000, CreditLine.Kind.TEMPORARY, until)
    assert remaining(ana) == 1_500_000
    lend(cast, ana, 1_200_000)
    server_clock.move(hours=6)
    assert remaining(ana) == 0
    with refused("over_line"):
        issue(cast, ana, 100_000)


@pytest.mark.parametrize(
    ("kind", "hours", "amount", "code"),
    [
        (CreditLine.Kind.TEMPORARY, None, 100_000, "line_ends"),
        (CreditLine.Kind.TEMPORARY, -1, 100_000, "line_ends"),
        (CreditLine.Kind.PERMANENT, 1, 100_000, "line_ends"),
        (CreditLine.Kind.PERMANENT, None, -1, "bad_amount"),
    ],
)
def test_a_line_that_cannot_be_is_refused(
    cast: Cast, ana: Patron, kind: CreditLine.Kind, hours: int | None, amount: int, code: str
) -> None:
    until = house.now() + timedelta(hours=hours) if hours else None
    with refused(code):
        propose(cast, ana, amount, kind, until)


def test_a_line_that_ended_before_it_was_approved_is_not_granted(
    server_clock: ServerClock, cast: Cast, ana: Patron
) -> None:
    until = house.now() + timedelta(hours=1)
    slip = propose(cast, ana, 100_000, CreditLine.Kind.TEMPORARY, until)
    server_clock.move(hours=1)
    with refused("line_ends"):
        cast.sign(slip, "approved", cast.trent, Place.CAGE)


@pytest.mark.parametrize("amount", [0, -100])
def test_an_amount_that_is_none_is_refused(cast: Cast, ana: Patron, amount: int) -> None:
    with pytest.raises(Refused) as caught:
        cut_of(cast.table, amount)
    assert caught.value.codes == ("bad_amount",)
    with refused("bad_amount"):
        issue(cast, ana, amount, cheques={})


def test_an_amount_that_no_cheques_make_is_refused(cast: Cast, ana: Patron) -> None:
    with pytest.raises(Refused, match="can’t be made in cheques"):
        cut_of(cast.table, 100_010)


def test_a_tray_that_looks_short_is_cut_by_the_guide(cast: Cast, ana: Patron) -> None:
    assert cut_of(cast.table, 100_000) == {10_000: 5, 2_500: 20}
    assert sum(cents * n for cents, n in cut_of(cast.table, 2_000_000).items()) == 2_000_000


def test_an_unknown_patron_is_refused(cast: Cast, ana: Patron) -> None:
    stranger = Patron(pk=ana.pk + 100, first_name="No", last_name="Body")
    with refused("unknown_patron"):
        issue(cast, stranger, 100_000)


def test_a_patron_without_a_line_or_an_id_is_lent_nothing(cast: Cast, ana: Patron) -> None:
    bo = add_patron(keyed={"first_name": "Bo", "last_name": "Li"}, pen=cast.pen(cast.alice))
    with refused("no_line", "over_line", "no_identity"):
        issue(cast, bo, 100_000)
    with refused("no_identity", "no_address"):
        propose(cast, bo, 100_000)


def test_a_stale_line_is_refused_with_what_remains(cast: Cast, ana: Patron) -> None:
    table = Table.objects.get(pk=cast.table.pk)
    raising = MARKER.at(table, {10_000: 10}, patron=ana)
    seen = replace(raising, draft=raising.new())
    lend(cast, ana, 200_000)
    seen = replace(seen, table=Table.objects.get(pk=cast.table.pk))
    with refused("stale_line"):
        raise_kind(seen, pen=cast.pen(cast.alice), shown=shown_before(seen))
    with pytest.raises(Refused, match=r"\$8,000 of credit left"):
        raise_kind(seen, pen=cast.pen(cast.alice), shown=shown_before(seen))


def test_no_marker_is_issued_at_a_closed_table(cast: Cast, ana: Patron) -> None:
    with refused("table_closed"):
        issue(cast, ana, 100_000, table=cast.other_table)


def test_a_second_tap_issues_one_marker(cast: Cast, ana: Patron) -> None:
    pen = cast.pen(cast.alice)
    table = Table.objects.get(pk=cast.table.pk)
    raising = MARKER.at(table, {10_000: 10}, patron=ana)
    raising = replace(raising, draft=raising.new())
    shown = shown_before(raising)
    first, second = (raise_kind(raising, pen=pen, shown=shown) for _ in range(2))
    assert first == second
    assert Marker.objects.count() == 1


def _past_the_service(words: str, act: Any) -> None:
    with pytest.raises(DatabaseError, match=words), transaction.atomic():
        act()


def test_the_database_lends_no_line_twice(cast: Cast, ana: Patron) -> None:
    """Write markers past the service, on a slip that says so."""
    lend(cast, ana, 900_000)
    slip = issue(cast, ana, 100_000)
    columns = {
        "slip": slip,
        "patron": ana,
        "amount_cents": 100_000,
        "line_cents": 1_000_000,
        "remaining_cents": 0,
        "issued_at": house.now(),
    }
    _past_the_service("only 0 cents of the line remain", lambda: Marker.objects.create(**columns))
    more = {**columns, "over_line_cents": 100_000}
    _past_the_service("nobody is asked to authorise", lambda: Marker.objects.create(**more))
    _past_the_service(
        "the line is another", lambda: Marker.objects.create(**{**columns, "line_cents": 1})
    )
    _past_the_service(
        "says otherwise", lambda: Marker.objects.create(**{**columns, "amount_cents": 1})
    )
    stop(cast, ana)
    _past_the_service("credit is stopped", lambda: Marker.objects.create(**columns))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"move": "issued"}, "not all have signed"),
        ({"move": "issued", "amount_cents": 1}, "the amount is another"),
        ({"move": "voided"}, "its slip is not void"),
        ({"move": "paid"}, "it was not issued"),
        ({"move": "to_cage"}, "it was not issued"),
        # Two rules forbid it; which of them is looked at first is the database's own affair.
        ({"move": "reserved"}, r"a_marker_is_reserved_once|a_slip_moves_a_marker_once"),
        ({"move": "reserved", "slip": "another"}, "it is on another slip"),
    ],
)
def test_the_database_keeps_a_markers_order(
    cast: Cast, ana: Patron, change: dict[str, Any], words: str
) -> None:
    slip = issue(cast, ana, 100_000)
    reserved = MarkerEntry.objects.get(marker__slip=slip)
    if "slip" in change:
        change = change | {"slip": issue(cast, ana, 100_000)}
    columns = {
        "marker": reserved.marker,
        "amount_cents": 100_000,
        "pit": cast.pit,
        "table": cast.table,
        "slip": slip,
        "gaming_day": slip.gaming_day,
        "shift": slip.shift,
        "at": house.now(),
    }
    _past_the_service(words, lambda: MarkerEntry.objects.create(**(columns | change)))


def test_the_database_takes_no_signature_of_a_patron_who_did_not_draw(
    cast: Cast, ana: Patron
) -> None:
    slip = issue(cast, ana, 100_000)
    sign_as_patron(cast, slip)
    good = Signature.objects.get(slip=slip, step="patron_signed")
    other = issue(cast, ana, 100_000)
    for facts in ({}, {"drawn": {"strokes": [], "matched_with": "passport"}}):
        forged = Signature(
            slip=other,
            track="main",
            step="patron_signed",
            person=cast.alice,
            signed_as=good.signed_as,
            role=good.role,
            device=good.device,
            place=good.place,
            signed_at=good.signed_at,
            shown=good.shown,
            shown_hash=good.shown_hash,
            facts=facts,
            request_id=uuid4(),
            request_hash="",
        )
        _past_the_service("has not signed", lambda forged=forged: forged.save(force_insert=True))


def test_the_database_grants_no_line_that_was_not_signed_for(cast: Cast, ana: Patron) -> None:
    slip = propose(cast, ana, 2_000_000)
    _past_the_service(
        "does not say so",
        lambda: CreditLine.objects.create(
            patron=ana,
            kind="permanent",
            amount_cents=2_000_000,
            holds_from=house.now(),
            slip=slip,
        ),
    )


def test_what_a_marker_moved_is_one_transfer_a_colour(cast: Cast, ana: Patron) -> None:
    marker = lend(cast, ana, 300_000)
    moved = ChequeTransfer.objects.filter(slip=marker.slip)
    assert {
        cheque_transfer.denomination_cents: cheque_transfer.count for cheque_transfer in moved
    } == {10_000: 25, 2_500: 20}
