"""Drop boxes: a dealer makes the team wait, a box is pulled, counted twice and posted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.db import models
from django.db.models import Max
from django.db.models.fields.json import KT

from inventory.models import TrayCount
from pitboss.models import Device, Person, Signature, Slip, Table
from pitboss.rules.canonical import is_plain
from pitboss.rules.drop_flows import (
    DROP_COUNT,
    DROP_PULL,
    FIGURE_MAX,
    document_refusals,
    read_figures,
)
from pitboss.rules.flows import SlipStatus
from pitboss.rules.late_flows import LATE_KINDS
from pitboss.rules.refusal import Refusal, refuse
from pitboss.rules.roles import Role, may_act_as
from pitboss.rules.tray_flows import CLOSER, COUNT
from pitboss.services import house, journal
from pitboss.services.effects import effect
from pitboss.services.exceptions import open_exception
from pitboss.services.locks import lock_request, lock_slip, lock_table
from pitboss.services.pins import signed_act
from pitboss.services.shown import FIGURES
from pitboss.services.signing import Judgement, NewSlip, Pen, raise_slip
from tables.models import Dealing, DropEstimate, DropWait

# Surveillance watches a box leave, so it was told within the last while.
TOLD_WITHIN = timedelta(hours=1)
BOX_MAX = 20
# Copies of these are dropped when all have signed.
DROPPED_KINDS = ("fill", "credit", "marker", "marker_payment")


def wait_of(table: Table) -> DropWait | None:
    """Return what makes the drop team wait at a table, if anything."""
    return DropWait.objects.filter(table=table, lifted_at=None).select_related("asked_by").first()


def ask_to_wait(*, table: Table, pen: Pen) -> DropWait:
    """Make the drop team wait for the end of the hand, by the dealer's word. Raises Refused."""
    with signed_act(act="drop_wait", badge=pen.badge, pin=pen.pin, device=pen.device) as person:
        now = house.now()
        lock_request(pen.request_id)
        table = lock_table(table.pk)
        standing = wait_of(table)
        if standing is not None:
            return standing  # A second tap, or the box already waits.
        _demand_dealer(person, table)
        if not table.is_open:
            raise refuse("table_closed", f"{table} is closed. No hand is on.")
        wait = DropWait.objects.create(table=table, asked_by=person, asked_at=now)
        _tell(table, "drop_waits", person, pen.device, now)
        return wait


def lift_wait(*, table: Table, pen: Pen) -> DropWait | None:
    """Let the drop team go on: the hand is over. Raises Refused."""
    with signed_act(act="drop_lift", badge=pen.badge, pin=pen.pin, device=pen.device) as person:
        now = house.now()
        lock_request(pen.request_id)
        table = lock_table(table.pk)
        standing = wait_of(table)
        if standing is None:
            return None  # A second tap.
        _demand_dealer(person, table)
        standing.lifted_by = person
        standing.lifted_at = now
        standing.save(update_fields=["lifted_by", "lifted_at"])
        _tell(table, "drop_goes_on", person, pen.device, now)
        return standing


def estimate_drop(*, table: Table, cash_cents: int, pen: Pen) -> DropEstimate:
    """Keep what a supervisor thinks is in a box, for this shift. Raises Refused.

    An estimate is never changed: another one is keyed, and the newest counts.
    """
    with signed_act(act="drop_estimate", badge=pen.badge, pin=pen.pin, device=pen.device) as person:
        now = house.now()
        lock_request(pen.request_id)
        table = lock_table(table.pk)
        earlier = DropEstimate.objects.filter(request_id=pen.request_id).first()
        if earlier is not None:
            if (earlier.table_id, earlier.cash_cents) == (table.pk, cash_cents):
                return earlier
            raise refuse("request_reused", "This form was already sent with another figure.")
        _demand(person, Role.SUPERVISOR, "A supervisor estimates what is in a box.")
        if not 0 <= cash_cents <= FIGURE_MAX:
            raise refuse("figure_malformed", "Key the cash you think is in the box, in dollars.")
        when = house.period_at(now)
        estimate = DropEstimate.objects.create(
            table=table,
            gaming_day=when.gaming_day,
            shift=when.shift,
            cash_cents=cash_cents,
            keyed_by=person,
            keyed_at=now,
            request_id=pen.request_id,
        )
        journal.write(
            chain=journal.chain_of(table, journal.HOUSE),
            kind="drop_estimated",
            body={"cash_cents": cash_cents},
            at=now,
            person=person,
            device=pen.device,
            rows=[estimate],
        )
        return estimate


def new_pull(
    table: Table, *, new_box: str, emergency: bool, surveillance_told_at: datetime | None
) -> NewSlip:
    """Return the pull of a box about to be raised. The box of a table bears the table's number."""
    count = count_before_pull(table)
    return NewSlip(
        DROP_PULL.kind,
        table.pk,
        {},
        details={
            "box": table.name,
            "new_box": new_box.strip(),
            "emergency": emergency,
            "surveillance_told_at": journal.plain_time(surveillance_told_at)
            if surveillance_told_at
            else None,
            # The count that ends what this box belongs to; a copy of it goes into either box.
            "count": count.slip.serial if count else None,
        },
    )


def pull_box(
    *,
    table: Table,
    new_box: str,
    emergency: bool,
    surveillance_told_at: datetime | None,
    pen: Pen,
    shown: str,
) -> Slip:
    """Pull a box off its table, signed by security. Raises Refused."""
    new = new_pull(
        table, new_box=new_box, emergency=emergency, surveillance_told_at=surveillance_told_at
    )
    return raise_slip(
        new,
        pen=pen,
        shown=shown,
        judge=lambda locked, original: Judgement(
            [*_box_refusals(new_box, surveillance_told_at), *pull_refusals(locked)]
        ),
    )


def _box_refusals(new_box: str, told_at: datetime | None) -> list[Refusal]:
    refusals = []
    if not new_box.strip() or len(new_box) > BOX_MAX or not is_plain(new_box):
        refusals.append(Refusal("box_missing", "Key the number of the box that goes on the table."))
    now = house.now()
    if told_at is None or not now - TOLD_WITHIN <= told_at <= now:
        refusals.append(
            Refusal(
                "surveillance_not_told",
                "Tell surveillance that the box leaves, then key when you told them.",
            )
        )
    return refusals


def pull_refusals(table: Table | None) -> list[Refusal]:
    """Return why the box of a table may not be pulled now."""
    assert table is not None, "a box is pulled off a table"
    refusals = []
    wait = wait_of(table)
    if wait is not None:
        refusals.append(
            Refusal("hand_is_on", f"A hand is on. {wait.asked_by} asks you to wait, and says when.")
        )
    under_way = Slip.objects.filter(
        table=table, kind=DROP_PULL.kind, status=SlipStatus.OPEN
    ).first()
    if under_way is not None:
        refusals.append(
            Refusal("pull_under_way", f"{under_way.serial} pulls this box. Finish it or void it.")
        )
        return refusals
    count = count_before_pull(table)
    if count is not None and _is_pulled(count.slip.serial):
        refusals.append(
            Refusal("already_pulled", f"The box was pulled on {count.slip.serial}. Count anew.")
            if table.is_open
            else Refusal("already_pulled", f"{table} is closed and its box was pulled.")
        )
    elif table.is_open:
        refusals.extend(_mid_shift_refusals(table, count))
    elif count is None or count.slip.kind != CLOSER.kind:
        refusals.append(
            Refusal("nothing_to_pull", f"{table} was not opened since its box was put on.")
        )
    return refusals


def _mid_shift_refusals(table: Table, count: TrayCount | None) -> list[Refusal]:
    """An open table is counted just before its box leaves, so that win can be told apart."""
    minutes = house.settings_at(house.now())["count.pull_within"]
    fresh = (
        count is not None
        and count.slip.kind == COUNT.kind
        and count.tray_sequence == table.tray_sequence
        and house.now() - count.at <= timedelta(minutes=minutes)
    )
    if fresh:
        return []
    return [
        Refusal(
            "count_first",
            f"{table} stays open. Count its tray, signed by dealer and supervisor, no more than "
            f"{minutes} min before the box leaves.",
        )
    ]


def count_before_pull(table: Table) -> TrayCount | None:
    """Return the last count of a table's tray."""
    return (
        TrayCount.objects.filter(table=table)
        .select_related("slip")
        .order_by("-tray_sequence", "-id")
        .first()
    )


def _is_pulled(count_serial: str) -> bool:
    pulls = Slip.objects.alias(of_count=KT("details__count")).filter(
        kind=DROP_PULL.kind, of_count=count_serial
    )
    return pulls.exclude(status=SlipStatus.VOIDED).exists()


def new_drop_count(pull: Slip, figures: Mapping[str, int], documents: Sequence[str]) -> NewSlip:
    """Return the count of a pulled box about to be raised. Raises Refused for figures of no box."""
    return NewSlip(
        DROP_COUNT.kind,
        None,
        {},
        details={
            "pull": pull.serial,
            "box": pull.details["box"],
            FIGURES: read_figures(figures),
            "documents": list(documents),
        },
    )


def read_documents(keyed: str) -> tuple[str, ...]:
    """Return the serials of the papers found in a box, each once, as they are printed.

    >>> read_documents(" f-2026-000003, M-0031 F-2026-000003 ")
    ('F-2026-000003', 'M-0031')
    """
    return tuple(sorted({word.upper() for word in keyed.replace(",", " ").split()}))


def count_box(
    *,
    pull: Slip,
    figures: Mapping[str, int],
    documents: Sequence[str],
    pen: Pen,
    shown: str,
) -> Slip:
    """Enter what a box held, signed by one of the count team. Raises Refused."""
    new = new_drop_count(pull, figures, documents)
    return raise_slip(
        new,
        pen=pen,
        shown=shown,
        judge=lambda table, original: Judgement(
            [
                *box_count_refusals(lock_slip(pull.pk)),
                *document_refusals(new.details[FIGURES], tuple(documents)),
            ]
        ),
    )


def box_count_refusals(pull: Slip) -> list[Refusal]:
    """Return why a box may not be counted now. The pull is locked, so one team counts it."""
    if pull.kind != DROP_PULL.kind:
        return [Refusal("not_a_box", f"{pull.serial} pulled no box. Choose one from the list.")]
    if pull.status != SlipStatus.DONE.value:
        return [
            Refusal("box_not_pulled", f"{pull.serial} is {pull.status}. A supervisor signs first.")
        ]
    counting = drop_count_of(pull)
    if counting is not None:
        return [Refusal("already_counted", f"{counting.serial} counts this box already.")]
    return []


def drop_count_of(pull: Slip) -> Slip | None:
    """Return the count of a box that stands, or None."""
    counts = Slip.objects.alias(of_pull=KT("details__pull")).filter(
        kind=DROP_COUNT.kind, of_pull=pull.serial
    )
    return counts.exclude(status=SlipStatus.VOIDED).first()


def boxes_to_count() -> models.QuerySet[Slip]:
    """Return the boxes that left their tables and whose count nobody has begun, oldest first."""
    return Slip.objects.filter(pulled_box__waits=True).order_by("id")


def documents_expected(pull: Slip) -> set[str]:
    """Return the papers that should be in a box: copies dropped since the box before it left."""
    earlier = (
        Slip.objects.filter(table=pull.table, kind=DROP_PULL.kind, pk__lt=pull.pk)
        .exclude(status=SlipStatus.VOIDED)
        .aggregate(Max("raised_at"))["raised_at__max"]
    )
    signed = (
        Slip.objects.filter(table=pull.table, kind__in=DROPPED_KINDS, status=SlipStatus.DONE)
        .annotate(done_at=Max("signatures__signed_at"))
        .filter(done_at__lte=pull.raised_at)
    )
    late = Slip.objects.filter(
        table=pull.table,
        kind__in=LATE_KINDS,
        status=SlipStatus.DONE,
        details__true_time__lte=journal.plain_time(pull.raised_at),
    )
    if earlier is not None:
        signed = signed.filter(done_at__gt=earlier)
        late = late.filter(details__true_time__gt=journal.plain_time(earlier))
    return {*signed.values_list("serial", flat=True)} | {
        *late.values_list("details__paper_number", flat=True)
    }


@effect("drop_posted")
def _drop_posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Compare the papers found with those that should be there; what differs is looked into."""
    pull = Slip.objects.select_related("table__pit").get(serial=slip.details["pull"])
    expected, found = documents_expected(pull), set(slip.details["documents"])
    missing, extra = sorted(expected - found), sorted(found - expected)
    if missing or extra:
        words = [
            *([f"missing {', '.join(missing)}"] if missing else []),
            *([f"not expected {', '.join(extra)}"] if extra else []),
        ]
        open_exception(
            code="drop_documents",
            sentence=f"Box {slip.details['box']} on {pull.serial}: {'; '.join(words)}."[:500],
            details={"missing": missing, "extra": extra},
            at=at,
            person=signature.person,
            slip=slip,
        )
    return []


def _demand(person: Person, role: Role, sentence: str) -> None:
    if not may_act_as(house.role_in(person, house.period_at(house.now())), role):
        raise refuse("wrong_role", sentence)


def _demand_dealer(person: Person, table: Table) -> None:
    _demand(person, Role.DEALER, "The dealer of the table says whether a hand is on.")
    dealing = Dealing.objects.filter(table=table, ended_at=None).select_related("dealer").first()
    if dealing is not None and dealing.dealer_id != person.pk:
        raise refuse("other_dealer", f"{dealing.dealer} deals at {table} and says so.")


def _tell(table: Table, kind: str, person: Person, device: Device | None, at: datetime) -> None:
    journal.write(
        chain=journal.chain_of(table, journal.HOUSE),
        kind=kind,
        body={"badge": person.badge},
        at=at,
        person=person,
        device=device,
    )
