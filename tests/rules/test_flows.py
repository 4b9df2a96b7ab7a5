"""Who may sign what, and when: one allowed signature, and every single change that forbids it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from inventory.kinds.fill import FILL, FILL_RETURN
from inventory.kinds.marker import MARKER
from pitboss.rules.flows.book import (
    FLOWS,
    house_kinds,
    kinds_of_change,
    kinds_of_desk,
    late_kinds,
)
from pitboss.rules.flows.flows import (
    REASON_MAX,
    PlanFacts,
    SlipStatus,
    Track,
    due_step,
    is_dispatched,
    is_yet_to_leave,
    next_step,
    repeatable,
    track_steps,
)
from pitboss.rules.flows.signing import SignFacts, carrier_of, count_refusals, sign_refusals
from pitboss.rules.roles import Place, Role

ALICE, CAROL, DAN, ERIN, FRANK, GRACE, HEIDI, IVAN = range(1, 9)
NAMES = {ALICE: "A. Alison", ERIN: "E. Erinson", FRANK: "F. Frankson", GRACE: "G. Graceson"}
CHEQUES = {2_500: 100}
TODAY = date(2026, 5, 1)
REQUESTED = {("main", "requested"): ALICE}
ISSUED = REQUESTED | {("main", "issued"): ERIN}
CARRIED = ISSUED | {("main", "carried"): FRANK}
AGREED = CARRIED | {("main", "agreed"): DAN}
RECEIVED = AGREED | {("main", "received"): ALICE}
VOID_BEGUN = ISSUED | {("void", "voided"): ERIN}
RELIEF_BEGUN = CARRIED | {("relief", "relieved"): HEIDI}
RELIEVED = RELIEF_BEGUN | {("relief", "taken_over"): GRACE}

DEALER_AGREES = SignFacts(
    plan=FILL.plan(PlanFacts(CHEQUES)),
    track="main",
    step="agreed",
    status=SlipStatus.OPEN,
    signed=CARRIED,
    signer_id=DAN,
    signer_role=Role.DEALER,
    signer_name="D. Danson",
    signer_may_work=True,
    licence_ends=TODAY,
    gaming_day=TODAY,
    device_place=Place.PIT,
    device_pit_id=1,
    slip_pit_id=1,
    shown_is_current=True,
    cheques=CHEQUES,
    counted=CHEQUES,
    present_id=FRANK,
    reason="",
    names=NAMES,
)


def codes(facts: SignFacts) -> list[str]:
    return [refusal.code for refusal in sign_refusals(facts)]


@pytest.mark.parametrize(
    ("change", "code"),
    [({"dealt_here": True}, "dealt_here"), ({"barred_as_acting": True}, "acting_manager")],
)
def test_a106_whose_work_it_is_and_who_only_acts_do_not_sign(
    change: dict[str, Any], code: str
) -> None:
    assert codes(replace(DEALER_AGREES, **change)) == [code]


def test_the_baseline_is_allowed() -> None:
    assert codes(DEALER_AGREES) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"step": "unheard_of"}, ["unknown_step"]),
        ({"track": "sideways"}, ["unknown_step"]),
        ({"step": "top_signed"}, ["unknown_step"]),
        ({"signer_role": Role.ADMINISTRATOR}, ["administrators_sign_nothing"]),
        ({"signer_role": Role.SUPERVISOR}, ["wrong_role"]),
        ({"signer_may_work": False}, ["not_employed"]),
        ({"licence_ends": date(2026, 4, 30)}, ["licence_expired"]),
        ({"device_place": None}, ["unknown_device"]),
        ({"device_place": Place.CAGE}, ["wrong_place"]),
        ({"device_pit_id": 2}, ["wrong_pit"]),
        ({"device_table_id": 7, "slip_table_id": 8}, ["wrong_table"]),
        ({"signed": AGREED}, ["already_signed"]),
        ({"status": SlipStatus.RETURNING}, ["slip_closed"]),
        ({"signed": ISSUED, "present_id": None}, ["out_of_order", "officer_missing"]),
        ({"signed": RELIEF_BEGUN}, ["out_of_order"]),
        ({"shown_is_current": False}, ["stale_screen"]),
        ({"signer_id": ERIN}, ["signed_before"]),
        # Who took the cheques over does not agree to them as well.
        ({"signed": RELIEVED, "present_id": GRACE, "signer_id": GRACE}, ["signed_before"]),
        ({"present_id": None}, ["officer_missing"]),
        ({"present_id": GRACE}, ["other_officer"]),
        ({"signed": RELIEVED}, ["other_officer"]),
        ({"counted": None}, ["count_missing"]),
        ({"counted": {2_500: 99}}, ["count_differs"]),
        ({"counted": {2_500: 80, 10_000: 5}}, ["count_differs", "count_differs"]),
        ({"reason": "x" * (REASON_MAX + 1)}, ["reason_too_long"]),
        ({"tray_moved": True}, ["tray_moved"]),
        ({"held_at": "BJ-12"}, ["dealer_held"]),
        ({"deals_at": "BJ-12"}, ["dealer_elsewhere"]),
        ({"held_at": "BJ-12", "deals_at": "BJ-12"}, ["dealer_held"]),
        ({"fresh_limit_cents": 249_999, "worth_cents": 250_000}, ["fresh_pin"]),
        ({"fresh_limit_cents": 0, "kind": "person_change"}, ["fresh_pin"]),
    ],
)
def test_one_change_is_one_reason_to_refuse(change: dict[str, Any], expected: list[str]) -> None:
    assert codes(replace(DEALER_AGREES, **change)) == expected


@pytest.mark.parametrize(
    "change",
    [
        {"licence_ends": None},
        {"device_pit_id": None},
        {"slip_pit_id": None},
        {"device_table_id": 7, "slip_table_id": 7},
        {"signed": RELIEVED, "present_id": GRACE},
        {"reason": "x" * REASON_MAX},
        # What is under way must be able to arrive.
        {"own_limit_cents": 1, "total_cents": 250_000},
        {"fresh_limit_cents": 250_000, "worth_cents": 250_000},
        {"fresh_limit_cents": None, "kind": "person_change"},
    ],
)
def test_some_changes_still_allow_it(change: dict[str, Any]) -> None:
    assert codes(replace(DEALER_AGREES, **change)) == []


def test_a_moved_tray_stops_no_way_out_and_a_held_dealer_only_dealing() -> None:
    assert codes(voids(tray_moved=True, held_at="BJ-12", deals_at="BJ-12")) == []


def test_nobody_sends_more_than_their_limit_but_anybody_may_void_it() -> None:
    over = {"own_limit_cents": 249_999, "total_cents": 250_000}
    issues = voids(track="main", step="issued", signed=REQUESTED, reason="", **over)
    assert codes(issues) == ["over_own_limit"]
    assert codes(replace(issues, own_limit_cents=250_000)) == []
    assert codes(voids(**over)) == []


def test_a_step_that_asks_is_signed_with_its_answers() -> None:
    plan = [{**step, "asks": ["review"]} for step in DEALER_AGREES.plan]
    sign_facts = replace(DEALER_AGREES, plan=plan)
    assert codes(sign_facts) == ["review_missing"]
    assert codes(replace(sign_facts, said={"review": "R-2214"})) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"has_drawing": False}, ["drawing_missing"]),
        ({"id_matched": False}, ["id_not_matched"]),
    ],
)
def test_a_patron_signs_by_hand_and_is_known(change: dict[str, Any], expected: list[str]) -> None:
    facts = replace(
        DEALER_AGREES,
        plan=MARKER.plan(PlanFacts(CHEQUES)),
        step="patron_signed",
        signed={("main", "issued"): ALICE},
        signer_id=ALICE,
        signer_role=Role.SUPERVISOR,
        counted=None,
        present_id=None,
        has_drawing=True,
        id_matched=True,
    )
    assert codes(replace(facts, **change)) == expected


def test_every_reason_is_given_at_once() -> None:
    facts = replace(
        DEALER_AGREES, signer_role=Role.CASHIER, device_place=Place.OFFICE, counted={2_500: 1}
    )
    assert codes(facts) == ["wrong_role", "wrong_place", "count_differs"]


def voids(**change: Any) -> SignFacts:
    cashier = replace(
        DEALER_AGREES,
        track="void",
        step="voided",
        signed=ISSUED,
        signer_id=ERIN,
        signer_role=Role.CASHIER,
        device_place=Place.CAGE,
        counted=None,
        present_id=None,
        reason="Asked for twice.",
    )
    return replace(cashier, **change)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"signed": REQUESTED}, []),
        # Only a tablet of a pit is bound to one.
        ({"device_pit_id": 2}, []),
        ({"reason": " \t"}, ["reason_missing"]),
        ({"signed": CARRIED}, ["already_dispatched"]),
        ({"signed": RECEIVED, "status": SlipStatus.DONE}, ["slip_closed", "already_dispatched"]),
        ({"step": "void_witnessed", "signer_role": Role.SECURITY, "signer_id": GRACE},
         ["out_of_order"]),
    ],
)  # fmt: skip
def test_a20_a_slip_is_voided_only_before_its_cheques_leave(
    change: dict[str, Any], expected: list[str]
) -> None:
    assert codes(voids(**change)) == expected


def test_a_void_that_is_too_late_says_the_way_back() -> None:
    [refusal] = sign_refusals(voids(signed=CARRIED))
    assert refusal.message.endswith("Send them back instead.")


@pytest.mark.parametrize(
    ("role", "person", "expected"),
    [
        (Role.SECURITY, GRACE, []),
        (Role.SURVEILLANCE, IVAN, []),
        (Role.PIT_MANAGER, CAROL, []),
        (Role.SHIFT_MANAGER, HEIDI, []),
        (Role.CAGE_MANAGER, GRACE, []),
        (Role.CASHIER, GRACE, ["wrong_role"]),
        (Role.SUPERVISOR, GRACE, ["wrong_role"]),
        # Erin issued it and voids it; she cannot be the second person too, nor can the requester.
        (Role.CAGE_MANAGER, ERIN, ["signed_before"]),
        (Role.PIT_MANAGER, ALICE, ["signed_before"]),
    ],
)
def test_a20_a_void_is_witnessed_by_someone_who_had_no_part(
    role: Role, person: int, expected: list[str]
) -> None:
    facts = voids(step="void_witnessed", signed=VOID_BEGUN, signer_id=person, signer_role=role)
    assert codes(facts) == expected


def test_nothing_leaves_on_a_slip_that_is_being_voided() -> None:
    carries = voids(
        track="main", step="carried", signer_id=FRANK, signer_role=Role.SECURITY, reason=""
    )
    assert codes(carries) == []
    assert codes(replace(carries, signed=VOID_BEGUN)) == ["out_of_order"]
    due = due_step(DEALER_AGREES.plan, VOID_BEGUN)
    assert due is not None
    assert due["name"] == "void_witnessed"


def relieves(**change: Any) -> SignFacts:
    manager = replace(
        DEALER_AGREES,
        track="relief",
        step="relieved",
        signer_id=HEIDI,
        signer_role=Role.SHIFT_MANAGER,
        reason="Frank fell ill.",
        counted=None,
        present_id=None,
    )
    return replace(manager, **change)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"signer_role": Role.PIT_MANAGER}, ["wrong_role"]),
        ({"signer_role": Role.SUPERVISOR}, ["wrong_role"]),
        ({"signed": ISSUED}, ["nobody_to_relieve"]),
        # A fill that replaces another knows the other's officer, who carries none of its cheques.
        ({"signed": ISSUED | {("original", "carried"): FRANK}}, ["nobody_to_relieve"]),
        ({"reason": ""}, ["reason_missing"]),
        ({"signed": RELIEF_BEGUN}, ["already_signed"]),
    ],
)
def test_a52_a_shift_manager_relieves_whoever_carries(
    change: dict[str, Any], expected: list[str]
) -> None:
    assert codes(relieves(**change)) == expected


def test_the_officer_who_takes_over_counts_and_is_another() -> None:
    takes = relieves(
        step="taken_over",
        signed=RELIEF_BEGUN,
        signer_id=GRACE,
        signer_role=Role.SECURITY,
        reason="",
        counted=CHEQUES,
    )
    assert codes(takes) == []
    assert codes(replace(takes, signed=CARRIED)) == ["out_of_order"]
    assert codes(replace(takes, counted=None)) == ["count_missing"]
    assert codes(replace(takes, counted={})) == ["count_differs"]
    assert codes(replace(takes, signer_id=FRANK)) == ["signed_before"]


ORIGINAL = {("original", step): person for (_, step), person in CARRIED.items()}
SENT_BACK = ORIGINAL | {("main", "sent_back"): ALICE}


def carries_back(**change: Any) -> SignFacts:
    officer = replace(
        DEALER_AGREES,
        plan=FILL_RETURN.plan(PlanFacts(CHEQUES)),
        step="carried_back",
        signed=SENT_BACK,
        signer_id=FRANK,
        signer_role=Role.SECURITY,
        counted=None,
        present_id=None,
    )
    return replace(officer, **change)


TOOK_OVER_THE_FILL = SENT_BACK | {("original", "taken_over"): GRACE}
TOOK_OVER_THE_RETURN = SENT_BACK | {("relief", "relieved"): HEIDI, ("relief", "taken_over"): GRACE}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"signer_id": GRACE}, ["other_officer"]),
        ({"signer_id": GRACE, "signed": TOOK_OVER_THE_FILL}, []),
        ({"signed": TOOK_OVER_THE_FILL}, ["other_officer"]),
        ({"signer_id": GRACE, "signed": TOOK_OVER_THE_RETURN}, []),
        ({"signed": TOOK_OVER_THE_RETURN}, ["other_officer"]),
        ({"signer_id": GRACE, "signed": TOOK_OVER_THE_RETURN | {("main", "sent_back"): GRACE}},
         ["signed_before"]),
    ],
)  # fmt: skip
def test_a16_a_wrong_fill_goes_back_with_whoever_has_it_in_hand(
    change: dict[str, Any], expected: list[str]
) -> None:
    assert codes(carries_back(**change)) == expected


def test_a_return_is_carried_from_the_first_and_so_can_be_taken_over() -> None:
    facts = relieves(plan=FILL_RETURN.plan(PlanFacts(CHEQUES)), signed=SENT_BACK)
    assert codes(facts) == []


def test_a16_the_cashier_records_whatever_came_back() -> None:
    counts = carries_back(
        step="counted_in",
        signed=SENT_BACK | {("main", "carried_back"): FRANK},
        signer_id=ERIN,
        signer_role=Role.CASHIER,
        device_place=Place.CAGE,
        counted={500: 1},
    )
    assert codes(counts) == []
    assert codes(replace(counts, counted=None)) == ["count_missing"]


def test_a_carrier_is_unknown_until_somebody_carries() -> None:
    assert carrier_of(ISSUED, "carried") is None
    assert carrier_of(CARRIED, "carried") == FRANK
    assert carrier_of(RELIEVED, "carried") == GRACE
    # With nobody on record nobody may sign for them.
    lost = carries_back(signed={("main", "sent_back"): ALICE})
    assert codes(lost) == ["other_officer"]
    assert codes(replace(DEALER_AGREES, signed=ISSUED)) == ["out_of_order", "other_officer"]


def test_who_carries_is_named_and_names_of_strangers_are_left_out() -> None:
    for facts in (replace(DEALER_AGREES, present_id=GRACE), carries_back(signer_id=GRACE)):
        (refusal,) = sign_refusals(facts)
        assert refusal.message.startswith("F. Frankson is carrying these cheques")
    messages = [
        refusal.message
        for facts in (
            replace(DEALER_AGREES, signed=AGREED, names={}),
            replace(DEALER_AGREES, present_id=GRACE, names={}),
            carries_back(signer_id=GRACE, names={}),
        )
        for refusal in sign_refusals(facts)
    ]
    assert messages == [
        "Someone has already signed this step. Reload the page.",
        "Another officer is carrying these cheques. The badge scanned belongs to someone else.",
        "The same officer is carrying these cheques and must sign this step.",
    ]


@pytest.mark.parametrize(
    ("cheques", "steps"),
    [
        ({2_500: 40}, ["requested", "issued", "carried", "agreed", "received"]),
        ({100_000: 60}, ["requested", "issued", "carried", "agreed", "received"]),
        ({500_000: 1}, ["requested", "top_signed", "issued", "carried", "agreed", "received"]),
        ({2_000_000: 1}, ["requested", "top_signed", "issued", "carried", "agreed", "received"]),
    ],
)
def test_a15_cheques_of_5000_or_more_add_the_top_sign(
    cheques: dict[int, int], steps: list[str]
) -> None:
    assert [
        step["name"] for step in track_steps(FILL.plan(PlanFacts(cheques)), Track.MAIN)
    ] == steps


@pytest.mark.parametrize("flow", FLOWS.values(), ids=lambda flow: flow.kind)
def test_every_flow_names_its_steps_once_and_only_steps_that_exist(flow: Any) -> None:
    plan = flow.plan(PlanFacts({2_000_000: 1}))
    names = [step["name"] for step in plan]
    assert len(names) == len(set(names))
    for step in plan:
        referred = (repeatable(step) | {step["in_presence_of"]}) - {None}
        # Another slip of the kind may need a step that this one does not.
        assert referred <= {step.name for step in (*flow.steps, *flow.void, *flow.relief)}
        assert step["roles"]
        assert "administrator" not in step["roles"]


def test_a_slip_waits_for_its_main_track_unless_a_way_out_was_begun() -> None:
    plan = DEALER_AGREES.plan

    def due(signed: dict[tuple[str, str], int]) -> str | None:
        step = due_step(plan, signed)
        return step["name"] if step else None

    assert due(REQUESTED) == "issued"
    assert due(RELIEF_BEGUN) == "taken_over"
    assert due(RELIEVED) == "agreed"
    assert due(RECEIVED) is None
    assert next_step(plan, RECEIVED, "main") is None
    assert is_dispatched(plan, CARRIED)
    assert not is_dispatched(plan, ISSUED)
    assert is_yet_to_leave(plan, ISSUED)
    assert not is_yet_to_leave(plan, CARRIED)
    # Where nothing is ever carried, nothing will leave.
    assert not is_yet_to_leave([{**step, "dispatches": False} for step in plan], ISSUED)


def test_a_count_that_agrees_is_not_refused() -> None:
    assert count_refusals({2_500: 100, 500: 0}, {2_500: 100}) == []


@pytest.mark.parametrize(
    ("keyed", "expected"),
    [
        ({"coupons": 2_500}, []),
        (None, ["figures_missing"]),
        ({"coupons": 2_400}, ["figures_differ"]),
    ],
)
def test_the_second_of_a_count_team_keys_the_same_figures(
    keyed: dict[str, int] | None, expected: list[str]
) -> None:
    plan = [
        {**step, "figures": True, "counts": False} if step["name"] == "agreed" else step
        for step in DEALER_AGREES.plan
    ]
    facts = replace(
        DEALER_AGREES, plan=plan, counted=None, figures={"coupons": 2_500}, figures_keyed=keyed
    )
    assert codes(facts) == expected


def test_a_kind_says_itself_that_it_is_late_and_which_desk_keeps_it() -> None:
    assert late_kinds() >= {"late_fill", "late_credit", "late_marker", "correction"}
    assert {"card_receipt", "card_hold"} <= kinds_of_desk("cards")
    assert kinds_of_desk("nowhere") == frozenset()


def test_a_kind_says_itself_that_it_changes_the_house() -> None:
    changed = {"setting_change", "limit_change", "table_change", "system_access", "cheque_change"}
    people = {"person_change", "person_leaves", "person_returns", "leave_of_absence"}
    assert house_kinds() == changed | people | {"access_review", "build_approval", "tax_line"}
    meters = {"meter_change", "meter_adjustment"}
    assert kinds_of_change() == changed | meters | {"build_approval", "tax_line"}
