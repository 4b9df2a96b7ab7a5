"""Jackpots and big wins that were paid on paper: their figure, payment and meter, on two signatures."""

from django.db import migrations

from pitboss.ink import altered

_LATE = "('late_jackpot', 'late_big_win')"
# The form says what was paid; when it is compared its slip is done, and its figure is final.
_FIGURE = [
    (
        "(s.id IS NOT NULL OR paper.status <> 'open')",
        f"(s.id IS NOT NULL OR paper.status <> 'open')\n                     AND (paper.kind NOT IN {_LATE}"
        " OR EXISTS (SELECT FROM jackpots_jackpotpayment AS paid WHERE paid.jackpot_id = hit.id))",
    ),
]
_PAYMENT = [
    (
        "AND s.facts->'said'->>'source' = NEW.source)",
        f"AND s.facts->'said'->>'source' = NEW.source OR hit.id = NEW.jackpot_id"
        f" AND paper.kind IN {_LATE} AND paper.status = 'done' AND s.step = 'approved'"
        " AND paper.details->>'source' = NEW.source"
        " AND (paper.details->>'award_cents')::bigint = NEW.award_cents"
        " AND (paper.details->>'withheld_cents')::bigint = NEW.withheld_cents)",
    ),
]
_METER = [
    (
        "('won', 'restored', 'read') AND paper IS DISTINCT FROM 'jackpot'",
        "('won', 'restored', 'read') AND coalesce(paper, '') NOT IN ('jackpot', 'late_jackpot')",
    ),
    (
        "('seeded', 'seed_recovery') AND paper IS DISTINCT FROM 'jackpot'",
        "('seeded', 'seed_recovery') AND coalesce(paper, '') NOT IN ('jackpot', 'late_jackpot')",
    ),
]
_SEAT = [
    (
        "AND jackpots_is_pending(paper))",
        "AND jackpots_is_pending(paper)"
        f" AND (SELECT kind FROM pitboss_slip WHERE id = NEW.slip_id) NOT IN {_LATE})",
    ),
]
_BIG_WIN = [
    ("WHEN paper.kind <> 'big_win' AND (", "WHEN paper.kind NOT IN ('big_win', 'late_big_win') AND ("),
    ("WHEN paper.kind <> 'big_win' THEN NULL", "WHEN paper.kind NOT IN ('big_win', 'late_big_win') THEN NULL"),
]
# What was withheld on paper stands on the form that is entered after it.
_WITHHELD = [
    (
        "IF NEW.withheld_cents <> (",
        "IF NOT EXISTS (SELECT FROM jackpots_jackpot AS hit"
        " JOIN pitboss_slip AS paper ON paper.id = hit.slip_id"
        f" WHERE hit.id = NEW.jackpot_id AND paper.kind IN {_LATE}) AND NEW.withheld_cents <> (",
    ),
]
_PAPERS = [
    (
        "AND papers.kind = 'tax_papers'",
        f"AND papers.kind IN ('tax_papers', 'late_tax_papers')",
    ),
    (
        "IF NEW.issue <> 'original' AND",
        """IF NEW.issue = 'original' AND EXISTS (
            SELECT FROM pitboss_slip AS papers
            JOIN jackpots_jackpotpayment AS paid ON paid.jackpot_id = NEW.jackpot_id
            WHERE papers.id = NEW.papers_id AND papers.kind = 'late_tax_papers'
              AND paid.withheld_cents <> NEW.federal_cents + NEW.state_cents + NEW.local_cents) THEN
            RAISE EXCEPTION 'a late tax form says what was withheld on paper'
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.issue <> 'original' AND""",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("jackpots", "0010_tax_lines"), ("pitboss", "0028_outages")]

    operations = [
        altered("jackpots_figure_moves", _FIGURE),
        altered("jackpots_payment_is_signed", _PAYMENT),
        altered("jackpots_entry_follows", _METER),
        altered("jackpots_one_a_seat", _SEAT),
        altered("jackpots_big_win_holds", _BIG_WIN),
        altered("jackpots_forms_say_what_is_withheld", _WITHHELD),
        altered("jackpots_form_has_papers", _PAPERS),
    ]
