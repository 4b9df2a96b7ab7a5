"""Jackpots as screens show them: what each is owed, who is waited for, and since when."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from itertools import pairwise
from statistics import median
from typing import Any, Final, Literal, get_args

from django.db.models import QuerySet

from jackpots.models import Because, Jackpot, JackpotFigure, JackpotPayment, WithheldWin
from jackpots.selectors.tax_papers import PapersShown, papers_standing
from jackpots.services.hits import newest_figure, won_at
from jackpots.services.payments import last_review, waits_for
from jackpots.services.tax_papers import tax_working
from jackpots.services.winners import confirmed_case, named_winner, stopping_check
from pitboss.models import Slip
from pitboss.paper.words import amount_in_words
from pitboss.rules.cards.playing_cards import cards, hand_words
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.day.late_papers import LATE_BIG_WIN, LATE_WINS
from pitboss.rules.day.win import Paid, PayoutSource
from pitboss.rules.flows.asks import ASKS
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.corrections import AWARD_CORRECTION
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.patrons.exclusion import Moment, stop_refusal
from pitboss.rules.payouts.big_wins import BIG_WIN
from pitboss.rules.payouts.jackpot_flows import JACKPOT, JACKPOT_REVIEW, is_held
from pitboss.selectors.card_faces import CardFace, faces_of
from pitboss.selectors.details import entered_words
from pitboss.selectors.pending import is_pending_slip
from pitboss.selectors.slips import due_step, role_words, signed_of, steps_of
from pitboss.services import house
from pitboss.services.journal import plain_time
from pitboss.slips.addresses import new_url
from tables.services.payouts import PaidOut, reads_payouts


def jackpots() -> QuerySet[Jackpot]:
    """Return jackpots with what every screen of theirs shows."""
    return Jackpot.objects.select_related(
        "slip__table__pit", "slip__refers_to", "freeze__meter"
    ).prefetch_related("slip__signatures", "slip__waits", "figures__slip")


HitState = Literal["pending", "released", "held", "paid", "rejected", "withheld"]
HIT_STATES: Final = get_args(HitState)


@dataclass(frozen=True, slots=True)
class HitShown:
    """One jackpot as the room shows it."""

    jackpot: Jackpot
    figure: JackpotFigure
    earlier_figures: tuple[JackpotFigure, ...]
    state: HitState
    waits_for: tuple[Slip, ...]
    since: datetime | None
    limit_seconds: int | None
    waits_words: str
    papers: PapersShown | None

    @property
    def slip(self) -> Slip:
        return self.jackpot.slip

    @property
    def is_big_win(self) -> bool:
        return self.slip.kind in (BIG_WIN, LATE_BIG_WIN)

    @property
    def player(self) -> list[CardFace]:
        return faces_of(self.jackpot.player_cards)

    @property
    def dealer(self) -> list[CardFace]:
        return faces_of(self.jackpot.dealer_cards)

    @property
    def steps(self) -> list[dict[str, Any]]:
        return steps_of(self.slip)

    @property
    def chip(self) -> str:
        return {
            "pending": "jack",
            "held": "wait",
            "paid": "open",
            "rejected": "bad",
            "withheld": "bad",
        }.get(self.state, "half")


def hit_now(jackpot: Jackpot) -> HitShown:
    """Return one jackpot as it stands."""
    slip = jackpot.slip
    due = due_step(slip)
    wait = next((waiting for waiting in slip.waits.all() if waiting.until is None), None)
    figures = sorted(jackpot.figures.all(), key=lambda figure: figure.number)
    return HitShown(
        jackpot=jackpot,
        figure=figures[-1],
        earlier_figures=tuple(figures[:-1]),
        state=state_of(slip),
        waits_for=tuple(waits_for(jackpot)) if _is_in_turn(slip) else (),
        since=wait.since if wait else None,
        limit_seconds=wait.limit_seconds if wait else None,
        waits_words=f"on {role_words(due)}" if due else "",
        papers=papers_standing(jackpot),
    )


def _is_in_turn(slip: Slip) -> bool:
    """Tell whether others may be processed first: a big win takes nothing that another needs."""
    return slip.status == SlipStatus.OPEN.value and slip.kind == JACKPOT


def state_of(slip: Slip) -> HitState:
    """Return where a jackpot stands, in one word."""
    if slip.status == SlipStatus.DONE.value:
        return "paid"
    if slip.status == SlipStatus.VOIDED.value:
        return "rejected"
    if slip.status == SlipStatus.WITHHELD.value:
        return "withheld"
    if is_held(signed_of(list(slip.signatures.all()))):
        return "held"
    return "pending" if slip.kind == BIG_WIN or is_pending_slip(slip) else "released"


def open_hits() -> list[HitShown]:
    """Return what is pending, released or held, oldest first."""
    found = jackpots().filter(slip__status=SlipStatus.OPEN.value).order_by("pk")
    return [hit_now(jackpot) for jackpot in found]


def closed_hits(count: int = 12) -> list[HitShown]:
    """Return what was paid or rejected last, newest first."""
    found = jackpots().exclude(slip__status=SlipStatus.OPEN.value).order_by("-pk")[:count]
    return [hit_now(jackpot) for jackpot in found]


def tells_of(slip: Slip) -> dict[str, Any]:
    """Return what a jackpot's slip shows besides: its amount, its cards, and the tray's cheques."""
    due = due_step(slip)
    is_open = slip.status == SlipStatus.OPEN.value
    return {
        **told_of_hit(slip, is_paying=due is not None and due.name == "paid"),
        "again_url": new_url(JACKPOT_REVIEW, of=slip.serial) if is_open else "",
    }


def told_of_hit(slip: Slip, *, is_paying: bool) -> dict[str, Any]:
    """Return what the slip of a jackpot or a big win shows besides."""
    hit = hit_now(jackpots().get(slip=slip))
    now = house.now()
    return {
        "template": "jackpots/_hit.html",
        "comes_first": True,
        "hit": hit,
        "review": review_words(slip),
        "stop": _stop(slip),
        "winner": named_winner(slip),
        "forms": list(hit.jackpot.tax_forms.order_by("pk")),
        "tax": tax_working(hit.jackpot, hit.figure.award_cents, now),
        "pays": _pays(hit) if is_paying else None,
        "key_lines": [
            {"cents": cents, "name": f"counted_{cents}"}
            for cents in house.cheques_now().paying_keys
        ]
        if is_paying
        else [],
    }


def _pays(hit: HitShown) -> dict[str, Any] | None:
    """Return what leaves the house at the last step, and how it comes to that; none before forms.

    The net amount is what is counted out, so it heads the page; gross and each tax stand under it.
    """
    papers = hit.papers
    if papers is None:
        net = hit.figure.award_cents
        return {"net_cents": net, "words": amount_in_words(net), "lines": []}
    if not papers.are_complete:
        return None
    winners = papers.slip.details["winners"] if papers.slip else []
    taxes = (
        ("Federal withholding", sum(winner["federal_cents"] for winner in winners)),
        ("State withholding", sum(winner["state_cents"] for winner in winners)),
        ("Local withholding", sum(winner.get("local_cents", 0) for winner in winners)),
    )
    return {
        "net_cents": papers.winner_cents,
        "words": amount_in_words(papers.winner_cents),
        "lines": [
            ("Award, gross", hit.figure.award_cents),
            *((title, -cents) for title, cents in taxes if cents),
            ("Winner receives", papers.winner_cents),
        ]
        if papers.withheld_cents
        else [],
    }


def _stop(slip: Slip) -> dict[str, Any] | None:
    """Return that a win is stopped, without the list that stops it."""
    check = stopping_check(slip) if slip.status == SlipStatus.OPEN.value else None
    if check is None:
        return None
    is_confirmed = confirmed_case(slip) is not None
    sentence = stop_refusal(Moment.WIN).message
    return {
        "sentence": "Do not pay. The cage withholds it." if is_confirmed else sentence,
        "case_id": check.case_id,
        "is_confirmed": is_confirmed,
    }


def shows_of(slip: Slip) -> dict[str, Any]:
    """Return what a signer of a jackpot is shown besides: what it is owed, and its review."""
    figure = newest_figure(Jackpot.objects.get(slip=slip))
    return {
        "award_cents": figure.award_cents,
        "frozen_cents": figure.frozen_cents,
        "figure": figure.number,
        "review": review_words(slip),
    }


def writes_of(slip: Slip) -> list[tuple[str, str]]:
    """Return what a payout slip says: the amount and every figure before it, review and payment."""
    jackpot = jackpots().get(slip=slip)
    figures = sorted(jackpot.figures.all(), key=lambda figure: figure.number)
    newest = figures[-1]
    written = [*entered_words(slip), ("Award", format_money(newest.award_cents))]
    if newest.frozen_cents is not None:
        written.append(("Meter at lock", format_money(newest.frozen_cents)))
    written += [("Was", figure_words(figure)) for figure in figures[:-1]]
    written.append(("Envy", format_money(jackpot.envy_cents)))
    written.append(("Cards held", hand_words(cards(slip.details["cards_held"]))))
    return written + payment_lines(slip, jackpot)


def payment_lines(slip: Slip, jackpot: Jackpot) -> list[tuple[str, str]]:
    """Return what a payout slip says of its review and of what was paid."""
    written = []
    if review := review_words(slip):
        written.append(("Review", review))
    payment = JackpotPayment.objects.filter(jackpot=jackpot).first()
    if payment is not None:
        paid = f"{format_money(payment.paid_cents)} from {source_words(payment.source)}"
        written.append(("Paid", paid))
        if payment.withheld_cents:
            written.append(("Withheld", format_money(payment.withheld_cents)))
    return written


def review_words(slip: Slip) -> str:
    """Return the newest review of a jackpot in words, or nothing."""
    review = last_review(slip)
    if review is None:
        return ""
    answers = review.facts.get("said", {})
    officer = answers.get("officer", review.signed_as)
    return f"{answers.get('review', '')}, {officer}"


@dataclass(frozen=True, slots=True)
class StepTime:
    """How long one step of jackpots took."""

    step: str
    count: int
    median_minutes: int
    longest_minutes: int


def minutes_per_step(slips: list[Slip]) -> list[StepTime]:
    """Return how long each step took, from the signature before it to its own."""
    spent: dict[str, list[timedelta]] = defaultdict(list)
    for slip in slips:
        signatures = sorted(slip.signatures.all(), key=lambda signature: signature.pk)
        main = [signature for signature in signatures if signature.track == "main"]
        for before, after in pairwise(main):
            spent[after.step].append(after.signed_at - before.signed_at)
    order = [step.name for step in FLOWS[JACKPOT].steps]
    return [
        StepTime(
            step,
            len(spent[step]),
            round(median(item.total_seconds() for item in spent[step]) / 60),
            round(max(item.total_seconds() for item in spent[step]) / 60),
        )
        for step in order
        if spent[step]
    ]


def payments_between(first: date, last: date) -> list[JackpotPayment]:
    """Return what was paid in some gaming days, newest first."""
    return list(
        JackpotPayment.objects.filter(gaming_day__range=(first, last))
        .select_related("jackpot__slip__table", "jackpot__freeze__meter")
        .prefetch_related("jackpot__slip__signatures")
        .order_by("-at")
    )


@reads_payouts
def _payouts(after: datetime, until: datetime) -> Iterator[PaidOut]:
    """Tell the win of tables what jackpots cost beside the tray, and the envy beside them."""
    paid = (
        JackpotPayment.objects.filter(at__gt=after, at__lte=until)
        .select_related("jackpot__slip")
        .prefetch_related("jackpot__slip__signatures")
    )
    for jackpot_payment in paid.order_by("pk"):
        yield from _cost(
            jackpot_payment.jackpot,
            PayoutSource(jackpot_payment.source),
            jackpot_payment.award_cents,
            jackpot_payment.at,
        )


@reads_payouts
def _withheld(after: datetime, until: datetime) -> Iterator[PaidOut]:
    """Tell the win of tables what was withheld: the cage keeps it, and the table has lost it."""
    kept = (
        WithheldWin.objects.filter(at__gt=after, at__lte=until)
        .select_related("jackpot__slip")
        .prefetch_related("jackpot__slip__signatures")
    )
    for withheld_win in kept.order_by("pk"):
        yield from _cost(
            withheld_win.jackpot, PayoutSource.CAGE, withheld_win.amount_cents, withheld_win.at
        )


@reads_payouts
def _corrected(after: datetime, until: datetime) -> Iterator[PaidOut]:
    """Tell the win of tables what corrections change of payouts, at the time of the payout.

    What the tray should have paid, or should not, moves in the ledger.
    """
    done = Slip.objects.filter(
        kind=AWARD_CORRECTION,
        status=SlipStatus.DONE.value,
        gaming_day__gte=after.date() - timedelta(days=1),
        details__true_time__gt=plain_time(after),
        details__true_time__lte=plain_time(until),
    )
    won = {
        jackpot.slip.serial: jackpot for jackpot in jackpots().filter(slip__serial__in=_roots(done))
    }
    for slip in done.order_by("pk"):
        was, now, hit = slip.details["was"], slip.details["award"], won[slip.details["root"]]
        body = partial(
            PaidOut,
            slip.table_id,
            slip.serial,
            f"{slip.title} of {hit.slip.serial}",
            at=datetime.fromisoformat(slip.details["true_time"]),
        )
        for source in (PayoutSource.CAGE, PayoutSource.BANK_CHEQUE):
            change = sum(
                sign * item["paid_cents"]
                for sign, item in ((1, now), (-1, was))
                if item["source"] == source.value
            )
            if change:
                yield body(paid=Paid.JACKPOT, source=source, amount_cents=change)
        if envy := now["envy_cents"] - was["envy_cents"]:
            yield body(
                paid=Paid.ENVY,
                source=PayoutSource.TRAY,
                amount_cents=envy,
                dealer=_dealer(hit.slip),
                wager=hit.wager,
                row=hit.category,
            )


def _roots(corrections: Iterable[Slip]) -> set[str]:
    return {correction.details["root"] for correction in corrections}


def _cost(won: Jackpot, source: PayoutSource, amount_cents: int, at: datetime) -> Iterator[PaidOut]:
    told = partial(PaidOut, won.slip.table_id, won.slip.serial, won.slip.title, at=at)
    if source is not PayoutSource.TRAY:
        yield told(paid=Paid.JACKPOT, source=source, amount_cents=amount_cents)
    if won.envy_cents:
        yield told(
            paid=Paid.ENVY,
            source=PayoutSource.TRAY,
            amount_cents=won.envy_cents,
            dealer=_dealer(won.slip),
            wager=won.wager,
            row=won.category,
        )


def envy_between(first: date, last: date) -> list[dict[str, Any]]:
    """Return the envy that the tip pool is owed for hits of some gaming days that stand."""
    found = (
        jackpots()
        .filter(slip__gaming_day__range=(first, last), envy_cents__gt=0)
        .exclude(slip__status=SlipStatus.VOIDED.value)
        .order_by("pk")
    )
    return [
        {
            "serial": jackpot.slip.serial,
            "table": jackpot.slip.table,
            "at": won_at(jackpot.slip),
            "dealer": _dealer(jackpot.slip),
            "cents": jackpot.envy_cents,
        }
        for jackpot in found
    ]


def _dealer(slip: Slip) -> str:
    if slip.kind in LATE_WINS:
        return str(slip.details["signers"])
    entered = next(signature for signature in slip.signatures.all() if signature.step == "entered")
    return entered.signed_as


# What a win can be paid from, as a form offers it.
PAID_FROM: Final = {
    value: label.removeprefix("the ").removeprefix("a ").capitalize()
    for value, label in (ASKS["source"].choices or {}).items()
}


def source_words(source: str) -> str:
    """Say what a jackpot was paid from."""
    choices = ASKS["source"].choices or {}
    return choices[PayoutSource(source).value]


def figure_words(figure: JackpotFigure) -> str:
    """Say a figure with what led to it."""
    return f"{format_money(figure.award_cents)}, {Because(figure.because).words}"
