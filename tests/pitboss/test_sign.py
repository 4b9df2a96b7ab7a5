"""`sign` and `raise_slip`: what they refuse, what they recognise, and what they leave behind."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest

from inventory.kinds.fill import FILL
from inventory.models import ChequeTransfer
from pitboss.models import Device, JournalEntry, Person, Signature, Slip, Table
from pitboss.rules.canonical import digest
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import PlanFacts, Track
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.services.devices import revoke_device
from pitboss.services.effects import known_effects
from pitboss.services.pads import without_pad
from pitboss.services.people import grant_acting_role
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry, Pen, sign
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import SOME_CHEQUES, Cast, ServerClock, everything, pin_of, refused

pytestmark = pytest.mark.django_db


# ------------------------------------------------------------------ one change, one refusal


@pytest.fixture
def carried(cast: Cast) -> Slip:
    """A fill that waits for the dealer to agree."""
    fill = cast.ask()
    cast.carry(fill)
    return Slip.objects.get(pk=fill.pk)


Change = Callable[[Cast, dict[str, Any]], None]


def _change(**values: Any) -> Change:
    return lambda cast, call: call.update(values)


def _entry(**values: Any) -> Change:
    return lambda cast, call: call.update(entry=replace(call["entry"], **values))


def _pen(**values: Any) -> Change:
    return lambda cast, call: call.update(pen=replace(call["pen"], **values))


def _by(name: str, place: Place = Place.PIT) -> Change:
    return lambda cast, call: call.update(pen=cast.pen(getattr(cast, name), place))


def _on(device: Callable[[Cast], Device | None]) -> Change:
    return lambda cast, call: call.update(pen=replace(call["pen"], device=device(cast)))


def _let_dan_go(cast: Cast, call: dict[str, Any]) -> None:
    Person.objects.filter(pk=cast.dan.pk).update(is_active=False)


def _end_dans_licence(cast: Cast, call: dict[str, Any]) -> None:
    Person.objects.filter(pk=cast.dan.pk).update(licence_ends=date(2020, 1, 1))


def _put_the_tablet_out(cast: Cast, call: dict[str, Any]) -> None:
    revoke_device(device_id=call["pen"].device.pk, actor=cast.heidi)


SINGLE_CHANGES: list[tuple[str, Change, list[str]]] = [
    ("another step", _change(step="received"), ["out_of_order", "wrong_role"]),
    ("no such step", _change(step="blessed"), ["unknown_step"]),
    ("a step of another track", _change(step="relieved"), ["unknown_step"]),
    ("no such track", _change(track="sideways"), ["unknown_step"]),
    ("a supervisor", _by("bob"), ["wrong_role"]),
    ("a cashier", _by("trent"), ["wrong_role"]),
    ("the auditor", _by("olga"), ["wrong_role"]),
    ("the administrator", _by("judy"), ["administrators_sign_nothing"]),
    ("at the cage", _by("dan", Place.CAGE), ["wrong_place"]),
    ("in the office", _by("dan", Place.OFFICE), ["wrong_place"]),
    ("in another pit", _on(lambda cast: cast.other_pit_tablet), ["wrong_pit"]),
    ("on no device", _on(lambda cast: None), ["unknown_device"]),
    ("on a tablet just put out", _put_the_tablet_out, ["unknown_device"]),
    ("no longer employed", _let_dan_go, ["not_employed"]),
    ("licence over", _end_dans_licence, ["licence_expired"]),
    ("stale", _change(shown="{}"), ["stale_screen"]),
    ("nothing shown", _change(shown=""), ["stale_screen"]),
    ("no count", _entry(counted=None), ["count_missing"]),
    ("no officer", _entry(present_badge=""), ["officer_missing"]),
    ("an unknown officer", _entry(present_badge="999"), ["officer_missing"]),
    ("another officer", _entry(present_badge="107"), ["other_officer"]),
    ("an officer of no badge", _entry(present_badge="1" * 5_000), ["officer_missing"]),
    ("too long a reason", _entry(reason="x" * 501), ["reason_too_long"]),
    ("NUL in the reason", _entry(reason="a\x00b"), ["text_malformed"]),
    ("half a character", _entry(reason="\ud800"), ["text_malformed"]),
    ("a reason that is no text", _entry(reason=7), ["text_malformed"]),
    ("NUL in the officer's badge", _entry(present_badge="10\x006"), ["text_malformed"]),
    ("NUL in what was shown", _change(shown="\x00"), ["text_malformed"]),
    ("shown is no text", _change(shown=None), ["text_malformed"]),
    ("NUL in the step", _change(step="agr\x00eed"), ["text_malformed"]),
    ("half a character in the step", _change(step="\udfff"), ["text_malformed"]),
    ("a step without end", _change(step="x" * 100_000), ["unknown_step"]),
    ("a step that is no text", _change(step=None), ["text_malformed"]),
    ("a request id that is none", _pen(request_id="tap"), ["request_malformed"]),
    ("a count below nothing", _entry(counted={10_000: -20}), ["negative_count"]),
    ("a count beyond all", _entry(counted={10_000: 10**30}), ["count_too_large"]),
    ("a broken cheque", _entry(counted={10_000: 20.0}), ["bad_count"]),
    ("a truth for a count", _entry(counted={10_000: True}), ["bad_count"]),
    ("a word for a count", _entry(counted={10_000: "20"}), ["bad_count"]),
    ("Arabic digits", _entry(counted={"١٠٠٠٠": 20}), ["unknown_denomination"]),
    ("a colour no house has", _entry(counted={700: 1}), ["unknown_denomination"]),
    ("one colour twice", _entry(counted={10_000: 10, "10000": 10}), ["denomination_twice"]),
    ("a list for a count", _entry(counted=[20]), ["bad_cheques"]),
    ("a number for a count", _entry(counted=250_000), ["bad_cheques"]),
]


@pytest.mark.parametrize(
    ("change", "codes"),
    [case[1:] for case in SINGLE_CHANGES],
    ids=[case[0].replace(" ", "_") for case in SINGLE_CHANGES],
)
def test_one_change_is_refused_journalled_and_leaves_nothing(
    cast: Cast, carried: Slip, change: Change, codes: list[str]
) -> None:
    call: dict[str, Any] = {
        "slip_id": carried.pk,
        "step": "agreed",
        "pen": cast.pen(cast.dan),
        "shown": slip_shown(carried),
        "entry": cast.agreement(carried),
        "track": Track.MAIN,
    }
    change(cast, call)
    with refused(*codes):
        sign(**call)
    entry = JournalEntry.objects.get(kind="sign_refused")
    assert sorted(set(json.loads(entry.text)["body"]["codes"])) == sorted(codes)
    assert (entry.slip, entry.chain.table) == (carried, cast.table)


def test_the_call_that_all_of_them_change_is_allowed(cast: Cast, carried: Slip) -> None:
    assert cast.sign(carried, "agreed", cast.dan, entry=cast.agreement(carried)).step == "agreed"


# ------------------------------------------------------------------ whose badge, whose PIN


@pytest.mark.parametrize(
    ("badge", "pin", "code", "journal"),
    [
        ("104", "000000", "wrong_pin", ["pin_wrong", "sign_refused"]),
        ("104", "", "wrong_pin", ["pin_wrong", "sign_refused"]),
        ("104", "1" * 100_000, "wrong_pin", ["pin_wrong", "sign_refused"]),
        ("104", "\x00", "wrong_pin", ["pin_wrong", "sign_refused"]),
        ("104", "\ud800", "wrong_pin", ["pin_wrong", "sign_refused"]),
        ("104", None, "wrong_pin", ["pin_wrong", "sign_refused"]),
        # The digits of Dan's PIN in another script are not Dan's PIN.
        ("104", "١٠٤١٠٤", "wrong_pin", ["pin_wrong", "sign_refused"]),
        ("999", "999999", "unknown_badge", ["pin_wrong", "sign_refused"]),
        ("", "104104", "badge_malformed", ["sign_refused"]),
        ("1" * 13, "104104", "badge_malformed", ["sign_refused"]),
        ("1" * 100_000, "104104", "badge_malformed", ["sign_refused"]),
        ("10\x004", "104104", "badge_malformed", ["sign_refused"]),
        ("\ud800", "104104", "badge_malformed", ["sign_refused"]),
        ("١٠٤", "104104", "badge_malformed", ["sign_refused"]),
        ("104\n105", "104104", "badge_malformed", ["sign_refused"]),
        (104, "104104", "badge_malformed", ["sign_refused"]),
        (None, "104104", "badge_malformed", ["sign_refused"]),
    ],
)
def test_a_wrong_badge_or_pin_signs_nothing_and_is_kept(
    cast: Cast, carried: Slip, badge: Any, pin: Any, code: str, journal: list[str]
) -> None:
    pen = Pen(badge, pin, cast.devices[Place.PIT], uuid4())
    with refused(code, journal=journal):
        cast.sign(carried, "agreed", cast.dan, entry=cast.agreement(carried), pen=pen)


def test_a_badge_is_read_with_spaces_around_it(cast: Cast, carried: Slip) -> None:
    pen = replace(cast.pen(cast.dan), badge=" 104\n")
    entry = replace(cast.agreement(carried), present_badge=" 106 ")
    signature = cast.sign(carried, "agreed", cast.dan, entry=entry, pen=pen)
    assert (signature.person, signature.facts) == (cast.dan, {"present": "106"})


def test_without_a_pin_nobody_signs(cast: Cast, carried: Slip) -> None:
    Person.objects.filter(pk=cast.dan.pk).update(pin_hash="")
    with refused("no_pin", journal=["pin_wrong", "sign_refused"]):
        cast.sign(carried, "agreed", cast.dan, entry=cast.agreement(carried))


def test_a_pen_does_not_show_its_pin(cast: Cast) -> None:
    assert pin_of(cast.dan.badge) not in repr(cast.pen(cast.dan))


# ------------------------------------------------------------------ slips and tables that are not


@pytest.mark.parametrize("slip_id", [0, -1, 10**9, 2**63, 10**40])
def test_an_unknown_slip_is_refused_and_journalled(cast: Cast, slip_id: int) -> None:
    with refused("unknown_slip"):
        sign(slip_id=slip_id, step="issued", pen=cast.pen(cast.erin), shown="{}")


@pytest.mark.parametrize("table_id", [0, -1, 10**9, 2**63])
def test_an_unknown_table_is_refused_and_journalled(cast: Cast, table_id: int) -> None:
    with refused("unknown_table"):
        nowhere = FILL.at(Table(pk=table_id), SOME_CHEQUES)
        raise_kind(nowhere, pen=cast.pen(cast.alice), shown="{}")


def test_a_slip_that_refers_to_one_that_is_not_is_refused(cast: Cast) -> None:
    with refused("unknown_slip"):
        cast.ask(replaces=Slip(pk=10**9))


@pytest.mark.parametrize(
    ("cheques", "code"),
    [
        ({2_500: -1}, "negative_count"),
        ({2_500: 1.5}, "bad_count"),
        ({2_500: False}, "bad_count"),
        ({2_500: 10**12}, "count_too_large"),
        ({2_501: 1}, "unknown_denomination"),
        ({"２５００": 1}, "unknown_denomination"),
        ({None: 1}, "unknown_denomination"),
        ("2500", "bad_cheques"),
        ([2_500], "bad_cheques"),
    ],
)
def test_cheques_that_cannot_be_raise_no_slip(cast: Cast, cheques: Any, code: str) -> None:
    with refused(code):
        cast.ask(cheques, shown="{}")


def test_most_cheques_that_may_be_asked_for_fit_the_columns(cast: Cast) -> None:
    fill = cast.ask({2_000_000: 1_000_000})
    assert Slip.objects.get(pk=fill.pk).total_cents == 2_000_000 * 1_000_000


def test_a_request_is_refused_with_every_reason_at_once(cast: Cast) -> None:
    with refused("nothing_asked", "stale_screen", "wrong_role", "wrong_place"):
        cast.ask({}, pen=cast.pen(cast.erin, Place.CAGE), shown="{}")


# ------------------------------------------------------------------ resends


def test_a18_a_second_tap_gets_the_first_answer_and_one_slip(cast: Cast) -> None:
    pen, shown = cast.pen(cast.alice), cast.shown_to_ask()
    first = cast.ask(pen=pen, shown=shown)
    after = everything()
    assert cast.ask(pen=pen, shown=shown) == first
    assert everything() == after


def test_a18_the_same_request_from_a_second_terminal_makes_no_second_slip(cast: Cast) -> None:
    pen, shown = cast.pen(cast.alice), cast.shown_to_ask()
    first = cast.ask(pen=pen, shown=shown)
    again = replace(pen, device=cast.other_pit_tablet)
    assert cast.ask(pen=again, shown=shown) == first
    assert Slip.objects.count() == 1


def test_a18_a_resent_signature_moves_the_cheques_once(cast: Cast) -> None:
    fill = cast.ask()
    cast.issue(fill)
    pen = cast.pen(cast.frank, Place.CAGE)
    shown = slip_shown(Slip.objects.get(pk=fill.pk))
    first = cast.sign(fill, "carried", cast.frank, pen=pen, shown=shown)
    again = cast.sign(fill, "carried", cast.frank, pen=pen, shown=shown)
    assert again == first
    assert ChequeTransfer.objects.count() == len(SOME_CHEQUES)


def test_a18_a_resend_is_known_even_after_the_slip_went_on(cast: Cast) -> None:
    pen, shown = cast.pen(cast.alice), cast.shown_to_ask()
    fill = cast.ask(pen=pen, shown=shown)
    cast.deliver(fill)
    assert cast.ask(pen=pen, shown=shown) == fill


def test_a18_a_resent_count_is_known_while_a_fill_is_on_its_way(cast: Cast) -> None:
    cast.deliver(cast.ask())
    count = the_kind("opener").at(Table.objects.get(pk=cast.table.pk), SOME_CHEQUES)
    pen, shown = cast.pen(cast.dan), shown_before(count)
    opener = raise_kind(count, pen=pen, shown=shown)
    cast.sign(opener, "verified", cast.alice, entry=Entry(counted=SOME_CHEQUES))
    cast.carry(cast.ask())
    count = the_kind("opener").at(Table.objects.get(pk=cast.table.pk), SOME_CHEQUES)
    assert shown_before(count) != shown
    assert raise_kind(count, pen=pen, shown=shown) == opener


def test_a18_other_figures_under_the_same_key_are_refused(cast: Cast) -> None:
    """Also when the screen's own text is sent again with other cheques beside it."""
    pen, shown = cast.pen(cast.alice), cast.shown_to_ask()
    cast.ask(pen=pen, shown=shown)
    with refused("request_reused"):
        cast.ask({2_500: 500}, pen=pen, shown=shown)
    with refused("request_reused"):
        cast.ask(pen=pen, shown=shown + " ")
    with refused("request_reused"):
        cast.ask(pen=Pen("102", "102102", pen.device, pen.request_id), shown=shown)


def test_a18_a_key_of_one_step_does_not_sign_another(cast: Cast, carried: Slip) -> None:
    pen, shown = cast.pen(cast.dan), slip_shown(carried)
    entry = cast.agreement(carried)
    cast.sign(carried, "agreed", cast.dan, entry=entry, pen=pen, shown=shown)
    with refused("request_reused"):
        cast.sign(carried, "received", cast.dan, entry=entry, pen=pen, shown=shown)
    with refused("request_reused"):
        other = replace(entry, counted={500: 1})
        cast.sign(carried, "agreed", cast.dan, entry=other, pen=pen, shown=shown)


def test_a18_a_refused_request_may_be_sent_again_and_is_judged_anew(cast: Cast) -> None:
    fill = cast.ask()
    pen = cast.pen(cast.frank, Place.CAGE)
    with refused("out_of_order"):
        cast.sign(fill, "carried", cast.frank, pen=pen)
    cast.issue(fill)
    assert cast.sign(fill, "carried", cast.frank, pen=pen).request_id == pen.request_id


def test_a18_a_resend_with_a_wrong_pin_learns_nothing(cast: Cast) -> None:
    pen, shown = cast.pen(cast.alice), cast.shown_to_ask()
    cast.ask(pen=pen, shown=shown)
    with refused("wrong_pin", journal=["pin_wrong", "sign_refused"]):
        cast.ask(pen=replace(pen, pin="000000"), shown=shown)


# ------------------------------------------------------------------ what a signature keeps


def test_a_signature_keeps_who_signed_as_what_where_and_what_they_were_shown(
    cast: Cast, carried: Slip
) -> None:
    shown = slip_shown(carried)
    signature = cast.sign(carried, "agreed", cast.dan, entry=cast.agreement(carried))
    Person.objects.filter(pk=cast.dan.pk).update(last_name="Renamed")
    kept = Signature.objects.get(pk=signature.pk)
    assert kept.signed_as == "D. Danson TG-104"
    assert (kept.role, kept.place, kept.device) == ("dealer", "pit", cast.devices[Place.PIT])
    assert without_pad(kept.shown) == shown
    assert kept.shown_hash == digest(kept.shown)
    assert kept.counted == {"10000": 20, "2500": 20}
    entry = JournalEntry.objects.get(kind="fill.agreed")
    assert (entry.person, entry.slip) == (cast.dan, carried)


def test_a_shift_manager_signs_for_a_supervisor_but_not_for_a_dealer(cast: Cast) -> None:
    fill = cast.ask(by=cast.heidi)
    assert fill.signatures.get().role == "shift_manager"
    cast.carry(fill)
    with refused("wrong_role", "signed_before"):
        cast.sign(fill, "agreed", cast.heidi, entry=cast.agreement(fill))


def test_every_effect_that_a_flow_names_is_known() -> None:
    named = {
        step["then"] for flow in FLOWS.values() for step in flow.plan(PlanFacts({})) if step["then"]
    }
    assert named <= known_effects()


# ------------------------------------------------------------------ day, access


@pytest.mark.parametrize(
    ("before", "after", "days"),
    [
        # 05:59 and 06:01 by New York's clocks, on a plain night and on those when they change.
        ("2026-05-02T09:59Z", "2026-05-02T10:01Z", ["2026-05-01", "2026-05-02"]),
        ("2026-03-08T09:59Z", "2026-03-08T10:01Z", ["2026-03-07", "2026-03-08"]),
        ("2026-11-01T10:59Z", "2026-11-01T11:01Z", ["2026-10-31", "2026-11-01"]),
        ("2027-01-01T10:59Z", "2027-01-01T11:01Z", ["2026-12-31", "2027-01-01"]),
    ],
)
def test_a50_slips_at_0559_and_0601_fall_in_different_gaming_days(
    cast: Cast, server_clock: ServerClock, before: str, after: str, days: list[str]
) -> None:
    slips = []
    for instant in (before, after):
        server_clock.now = server_clock.now.fromisoformat(instant)
        slips.append(cast.ask())
    assert [slip.gaming_day.isoformat() for slip in slips] == days
    assert [slip.shift for slip in slips] == ["Grave", "Day"]
    # The number's year is that of the gaming day.
    assert [slip.year for slip in slips] == [int(day[:4]) for day in days]


def test_a50_a_fill_stays_in_the_gaming_day_it_was_asked_for(
    cast: Cast, server_clock: ServerClock
) -> None:
    server_clock.now = server_clock.now.fromisoformat("2026-05-02T09:59Z")
    fill = cast.ask()
    server_clock.move(minutes=2)
    cast.deliver(fill)
    assert Slip.objects.get(pk=fill.pk).gaming_day == date(2026, 5, 1)


@pytest.mark.parametrize("name", ["alice", "carol", "trent", "sybil", "judy"])
def test_a52_only_a_shift_manager_relieves_an_officer(cast: Cast, carried: Slip, name: str) -> None:
    person = getattr(cast, name)
    codes = {"alice": ["wrong_role", "signed_before"], "judy": ["administrators_sign_nothing"]}
    with refused(*codes.get(name, ["wrong_role"])):
        cast.sign(
            carried,
            "relieved",
            person,
            Place.OFFICE,
            entry=Entry(reason="I say so."),
            track=Track.RELIEF,
        )
    assert JournalEntry.objects.get(kind="sign_refused").person == person


@pytest.mark.parametrize("step", ["issued", "carried", "agreed", "received"])
def test_a53_an_administrator_signs_no_step(cast: Cast, step: str) -> None:
    fill = cast.ask()
    place = Place.CAGE if step in ("issued", "carried") else Place.PIT
    with pytest.raises(Refused) as caught:
        cast.sign(fill, step, cast.judy, place, entry=cast.agreement(fill))
    assert "administrators_sign_nothing" in caught.value.codes
    with refused("administrators_sign_nothing"):
        cast.ask(by=cast.judy)


def test_a54_a_licence_holds_to_the_end_of_the_gaming_day(
    cast: Cast, server_clock: ServerClock
) -> None:
    Person.objects.filter(pk=cast.alice.pk).update(licence_ends=date(2026, 5, 1))
    server_clock.now = server_clock.now.fromisoformat("2026-05-02T09:59Z")
    cast.ask()
    server_clock.move(minutes=1)
    with refused("licence_expired"):
        cast.ask()


def test_a54_a_device_put_out_signs_nothing_from_then_on(cast: Cast) -> None:
    cast.ask()
    pen = cast.pen(cast.alice)
    revoke_device(device_id=cast.devices[Place.PIT].pk, actor=cast.carol)
    assert pen.device is not None
    assert pen.device.revoked_at is None, "the request still holds the device as it was"
    with refused("unknown_device"):
        cast.ask(pen=pen)


def test_a54_whoever_is_let_go_signs_nothing_with_the_old_pin(cast: Cast) -> None:
    Person.objects.filter(pk=cast.alice.pk).update(is_active=False)
    with refused("not_employed"):
        cast.ask()


def test_an_acting_role_ends_with_its_shift(cast: Cast, server_clock: ServerClock) -> None:
    grant_acting_role(
        person_id=cast.dan.pk,
        role=Role.SUPERVISOR,
        badge="108",
        pin="108108",
        device=cast.devices[Place.OFFICE],
    )
    assert cast.ask(by=cast.dan).signatures.get().role == "supervisor"
    server_clock.now += timedelta(hours=9)
    with refused("wrong_role"):
        cast.ask(by=cast.dan)
