"""What the hits of one round do to a meter and to each other: figures, reckoned and kept."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import models
from django.db.models import F, QuerySet, Sum

from jackpots.models import (
    Because,
    FrozenAmount,
    Jackpot,
    JackpotFigure,
    Meter,
    MeterFreeze,
)
from jackpots.services.figures import roll_in, write_changes, written_balance
from pitboss.models import Slip, Table
from pitboss.rules.day.late_papers import LATE_WINS
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.payouts.jackpot_flows import is_released
from pitboss.rules.payouts.jackpots import AwardOwed, Found, Hit, awards_of, fixed_award
from pitboss.rules.payouts.meters import (
    MICROCENTS,
    Cause,
    Change,
    MeterStanding,
    changes_between,
    in_cents,
    standing_of,
)
from pitboss.selectors.pending import pending_jackpots
from pitboss.selectors.slips import signed_of
from pitboss.services import house
from pitboss.slips.late import true_time_of


def hit_of(jackpot: Jackpot) -> Hit:
    """Return a jackpot as the rules see it."""
    return Hit(
        jackpot.seat,
        jackpot.wager,
        jackpot.stake_cents,
        tuple(jackpot.player_cards),
        tuple(jackpot.dealer_cards),
        jackpot.paytable.get("id") or jackpot.paytable["rows"],
    )


def found_of(jackpot: Jackpot) -> Found:
    """Return what a jackpot was found to be when it was entered."""
    return Found(jackpot.category, jackpot.level or None, jackpot.percent, jackpot.envy_cents, "")


def newest_figure(jackpot: Jackpot) -> JackpotFigure:
    """Return what a jackpot is owed as it stands."""
    figure = jackpot.figures.order_by("-number").first()
    assert figure is not None, "a jackpot without a figure"
    return figure


def frozen_microcents(freeze: MeterFreeze) -> int:
    """Return what a frozen meter held, as it is known now."""
    return freeze.amounts.order_by("-number").values_list("amount_microcents", flat=True)[0]


def freeze_meter(
    meter: Meter,
    table: Table,
    slip: Slip,
    *,
    round_key: str,
    locked_cents: int | None,
    at: datetime,
) -> tuple[MeterFreeze, list[models.Model]]:
    """Stop a meter for the first hit of a round; other tables play on in the next epoch.

    The meter is locked, so every contribution before this one is on it. Where a vendor's controller
    counts, what it locked is what was won.
    """
    gaming_day = slip.gaming_day
    rows: list[models.Model] = []
    rolled = roll_in(meter, gaming_day=gaming_day, at=at)
    if rolled is not None:
        rows.append(rolled)
    frozen = written_balance(meter).shown_microcents
    if locked_cents is not None:
        more_cents = locked_cents - in_cents(frozen)
        if more_cents > 0:
            read = Change(Cause.READ, more_cents * MICROCENTS)
            rows += write_changes(meter, [read], slip=slip, gaming_day=gaming_day, at=at)
            frozen += read.amount_microcents
        elif more_cents < 0:
            # What the controller did not lock stays on the meter until two people explain it.
            frozen = locked_cents * MICROCENTS
    Meter.objects.filter(pk=meter.pk).update(epoch=F("epoch") + 1)
    freeze = MeterFreeze.objects.create(
        meter=meter, table=table, slip=slip, round_key=round_key, at=at
    )
    amount = FrozenAmount.objects.create(
        freeze=freeze, number=1, amount_microcents=frozen, slip=slip, at=at
    )
    return freeze, [*rows, freeze, amount]


def standing_freeze(
    meter: Meter, table: Table, *, round_key: str, original: Slip | None
) -> MeterFreeze | None:
    """Return the freeze that a new hit belongs to: that of its round, or of what it corrects.

    While a hit is pending no round begins or ends at its table, so another one is of the same
    round; a terminal that names its rounds says so itself.
    """
    freezes = MeterFreeze.objects.filter(meter=meter, table=table).order_by("-pk")
    if original is not None:
        return freezes.filter(jackpots__slip=original).first()
    if round_key:
        return freezes.filter(round_key=round_key).first()
    pending = [slip.pk for slip in pending_jackpots(table)]
    return freezes.filter(jackpots__slip__in=pending).first()


def pending_on(meter: Meter) -> list[Slip]:
    """Return the jackpots that are pending on a meter, whose terms must not move under them."""
    hits = set(Jackpot.objects.filter(freeze__meter=meter).values_list("slip_id", flat=True))
    return [slip for slip in pending_jackpots() if slip.pk in hits]


def live_hits(freeze: MeterFreeze) -> QuerySet[Jackpot]:
    """Return the hits on a frozen meter that were not rejected."""
    return (
        Jackpot.objects.filter(freeze=freeze)
        .exclude(slip__status=SlipStatus.VOIDED.value)
        .select_related("slip")
        .prefetch_related("slip__signatures")
        .order_by("pk")
    )


def is_final(jackpot: Jackpot) -> bool:
    """Tell whether a jackpot was released, or paid on paper: its figure no longer moves."""
    return jackpot.slip.kind in LATE_WINS or is_released(
        signed_of(list(jackpot.slip.signatures.all()))
    )


def won_at(slip: Slip) -> datetime:
    """Return when a jackpot or big win was won: when it was entered, or as its form says."""
    return true_time_of(slip) if slip.kind in LATE_WINS else slip.raised_at


def add_figure(
    jackpot: Jackpot,
    award: AwardOwed,
    *,
    frozen_cents: int | None,
    because: Because,
    slip: Slip,
    at: datetime,
) -> JackpotFigure | None:
    """Give a jackpot a figure, unless it has that very one."""
    last = jackpot.figures.order_by("-number").first()
    if last is not None and (last.award_cents, last.frozen_cents) == (
        award.award_cents,
        frozen_cents,
    ):
        return None
    return JackpotFigure.objects.create(
        jackpot=jackpot,
        number=last.number + 1 if last else 1,
        award_cents=award.award_cents,
        frozen_cents=frozen_cents,
        because=because.value if last else Because.ENTERED.value,
        working=award.working,
        slip=slip,
        at=at,
    )


def reckon_fixed(jackpot: Jackpot, slip: Slip, at: datetime) -> list[models.Model]:
    """Give a jackpot that hangs on no meter its one figure."""
    award = fixed_award(hit_of(jackpot), house.settings_at(at).options)
    figure = add_figure(
        jackpot, award, frozen_cents=None, because=Because.ENTERED, slip=slip, at=at
    )
    return [figure] if figure is not None else []


def reckon(
    freeze: MeterFreeze, *, because: Because, slip: Slip, at: datetime
) -> list[models.Model]:
    """Reckon anew what every hit of a round is owed, and bring the meter to where that puts it.

    By the readings that held when the round froze the meter. A released figure stays as it is. The
    meter is locked. Returns the rows written, for the journal to vouch for.
    """
    hits = list(live_hits(freeze))
    frozen_cents = in_cents(frozen_microcents(freeze))
    options = house.settings_at(freeze.at).options
    awards = awards_of(
        [hit_of(hit) for hit in hits], [found_of(hit) for hit in hits], frozen_cents, options
    )
    rows: list[models.Model] = []
    owed = []
    for jackpot, award in zip(hits, awards, strict=True):
        if is_final(jackpot):
            owed.append(newest_figure(jackpot).award_cents)
            continue
        owed.append(award.award_cents)
        figure = add_figure(
            jackpot, award, frozen_cents=frozen_cents, because=because, slip=slip, at=at
        )
        if figure is not None:
            rows.append(figure)
    meter = freeze.meter
    if meter.is_posted:
        # The house pays it, whatever was wagered; what is posted changes only when it says so.
        return rows
    after = standing_of(
        frozen_cents,
        owed,
        empties=any(hit.percent == 100 for hit in hits),
        reset_cents=meter.reset_cents,
    )
    # By the clock: a hit of yesterday that is rejected today changes today's meter.
    gaming_day = house.period_at(at).gaming_day
    rolled = roll_in(meter, gaming_day=gaming_day, at=at)
    if rolled is not None:
        rows.append(rolled)
    changes = _held_to(meter, changes_between(_standing(freeze), after))
    return rows + write_changes(
        meter, changes, slip=slip, gaming_day=gaming_day, at=at, freeze=freeze
    )


def _held_to(meter: Meter, changes: Iterable[Change]) -> list[Change]:
    """Charge to the reserve what a meter no longer holds, since a later hit has taken it."""
    shown = written_balance(meter).shown_microcents
    held = []
    for change in changes:
        short = -min(shown + change.amount_microcents, 0)
        amount, reserve = change.amount_microcents + short, change.reserve_microcents - short
        held.append(Change(change.cause, amount, reserve))
        shown += amount
    return held


def _standing(freeze: MeterFreeze) -> MeterStanding:
    """Return what a round has done to its meter by now, from the entries themselves."""
    won = freeze.entries.filter(cause__in=[Cause.WON.value, Cause.RESTORED.value]).aggregate(
        shown=Sum("amount_microcents"), reserve=Sum("reserve_microcents")
    )
    seeded = freeze.entries.filter(
        cause__in=[Cause.SEEDED.value, Cause.SEED_RECOVERY.value]
    ).aggregate(shown=Sum("amount_microcents"))
    return MeterStanding(
        -int(won["shown"] or 0), -int(won["reserve"] or 0), int(seeded["shown"] or 0)
    )


def reckon_later(freeze: MeterFreeze, gained: int, slip: Slip, at: datetime) -> list[models.Model]:
    """Let later rounds on a meter have what a rejection gave back, while they are not released.

    `gained` is by how much the meter rose. A later hit froze that much too little; the next one so
    much less as the one before it takes of it.
    """
    rows: list[models.Model] = []
    start = written_balance(freeze.meter).shown_microcents - gained
    later = MeterFreeze.objects.filter(meter=freeze.meter, pk__gt=freeze.pk).order_by("pk")
    for other in later.select_related("meter"):
        gained = written_balance(freeze.meter).shown_microcents - start
        hits = list(live_hits(other))
        if not gained or not hits or any(map(is_final, hits)):
            continue
        number = other.amounts.count() + 1
        rows.append(
            FrozenAmount.objects.create(
                freeze=other,
                number=number,
                amount_microcents=frozen_microcents(other) + gained,
                slip=slip,
                at=at,
            )
        )
        rows += reckon(other, because=Because.EARLIER_REJECTED, slip=slip, at=at)
    return rows
