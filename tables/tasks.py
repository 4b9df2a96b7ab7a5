"""What tables do in the background. A task calls a service, nothing else."""

from __future__ import annotations

from celery import shared_task

from pitboss.services import house
from tables.services import (
    approval_escalation,
    comp_expiry,
    drop_boxes,
    holds,
    impressments,
    keys,
    main_edges,
    play_watch,
    rating_audit,
    rating_ends,
    settled_hours,
    settling,
    statements,
    system_calls,
    withdrawn_sets,
)


@shared_task(name="tables.escalate_approvals")
def escalate_approvals() -> None:
    """Put payouts that no one answers before more people."""
    approval_escalation.escalate_approvals(now=house.now())


@shared_task(name="tables.settle_win")
def settle_win() -> None:
    """Settle the win and the hours of closed days, and of days that were corrected."""
    settling.settle_due_days()
    settled_hours.settle_due_hours()
    holds.open_investigations(now=house.now())


@shared_task(name="tables.state_days")
def state_days() -> None:
    """State closed days to the group, signed."""
    statements.state_due_days(now=house.now())


@shared_task(name="tables.end_ratings")
def end_ratings() -> None:
    """End the ratings that end by themselves, and write the figures that have waited."""
    rating_ends.end_due()
    rating_ends.write_due_figures()
    play_watch.watch_play()
    rating_audit.draw_due()


@shared_task(name="tables.expire_comps")
def expire_comps() -> None:
    """Let comps expire whose days are over."""
    comp_expiry.expire_due()


@shared_task(name="tables.sweep_system_calls")
def sweep_system_calls() -> None:
    """Forget the calls of other systems that are a week old."""
    system_calls.sweep_calls(now=house.now())


@shared_task(name="tables.work_out_edges")
def work_out_edges() -> None:
    """Work out one edge that a table's rules want and no one has; the next run takes the next."""
    for rules in main_edges.edges_missing()[:1]:
        main_edges.work_out(rules)


@shared_task(name="tables.find_overdue_drops")
def find_overdue_drops() -> None:
    """Alert someone of open tables whose drop is overdue."""
    drop_boxes.find_overdue_drops()


@shared_task(name="tables.find_withdrawn_sets")
def find_withdrawn_sets() -> None:
    """Alert someone of trays with cheques of a set out of play, and of pieces not counted."""
    withdrawn_sets.find_withdrawn_sets(now=house.now())
    impressments.find_due_impressments(now=house.now())


@shared_task(name="tables.find_late_keys")
def find_late_keys() -> None:
    """Alarm of keys that are not back in time, and of an inventory of them that is due."""
    keys.find_late_keys(now=house.now())
