"""Ratings: each one, theo against result, who rates how, and what was changed afterwards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from django.urls import reverse

from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Cell,
    Column,
    Finding,
    Link,
    Report,
    ReportChoice,
    ReportScope,
    Row,
    Section,
    Shape,
    Tone,
    newest_of,
    report_link,
    row_of,
    slip_cell,
)
from pitboss.rules.ratings.rating_audit import RaterBias, rater_bias
from pitboss.rules.ratings.reckoning import half_up
from pitboss.rules.roles import WATCHING
from pitboss.rules.settings.book import BOOK
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.services import house
from tables.models import Agreement, RatingDraw, RatingFigures, StayEnd
from tables.selectors.rated_play import (
    Rated,
    band_of,
    band_of_wager,
    is_told,
    looked_and_told,
    rated_between,
)
from tables.selectors.rating_audits import draws_waiting
from tables.selectors.rating_figures import wager_words

PAGE = "report_players"
_SHOWN = 1_000
_WAGER = "wager"
_WAYS = {
    "patron": "By player",
    "table": "By table",
    "game": "By game",
    _WAGER: "By wager",
    "rater": "By rater",
}
_OUT_OF_LINE = "out_of_line"
_LINES = {"too_few": "too few ratings", "in_line": "in line", _OUT_OF_LINE: "out of line"}
_RATINGS = (
    Column("table", "Table"),
    Column("seat", "Seat"),
    Column("who", "Player"),
    Column("from", "From", Shape.TIME),
    Column("to", "To", Shape.TIME),
    Column("by", "Rated by", is_minor=True),
    Column("basis", "Basis"),
    Column("average", "Average", Shape.MONEY),
    Column("decisions", "Hands", is_minor=True),
    Column("theo", "Theo", Shape.CHANGE),
    Column("low", "Low", Shape.CHANGE, is_minor=True),
    Column("high", "High", Shape.CHANGE, is_minor=True),
    Column("result", "Result", Shape.CHANGE),
    Column("end", "End", is_minor=True),
)


def _rated(choice: ReportChoice) -> list[Rated]:
    return rated_between(choice.first, choice.last, choice.pit, reader=choice.reader)


def _to_watch(choice: ReportChoice) -> tuple[str, ...]:
    """Return what surveillance is told of ratings that it has still to watch."""
    if choice.reader not in WATCHING:
        return ()
    return ("Drawn ratings are left out until they are watched on video.",)


def _link(rated: Rated) -> Link:
    return Link(reverse("rating", args=[rated.rating.pk]), "rating")


def _row(rated: Rated) -> Row:
    rating, figures = rated.rating, rated.figures
    seats = sorted({seat.seat for seat in rating.seats.all()})
    void = figures is not None and figures.is_void
    return row_of(
        rating.table.name,
        " and ".join(map(str, seats)),
        rated.who,
        rating.began_at,
        rating.ended_at,
        str(rating.began_by or ""),
        "void" if void else (figures.basis if figures else "no figures yet"),
        rated.average_cents,
        (figures.decisions.partition("/")[0] if figures else ""),
        rated.theo_cents,
        figures.low_cents if figures else None,
        figures.high_cents if figures else None,
        figures.result_cents if figures else None,
        StayEnd(rating.end).label,
        opens=_link(rated),
        tone=Tone.BAD if void else Tone.PLAIN,
    )


def _of(rated: Sequence[Rated], choice: ReportChoice) -> list[Rated]:
    """Return those that an opened number is made of: `way key`, or `unattended`."""
    way, _, key = choice.of.partition(" ")
    if way == StayEnd.UNATTENDED.value:
        return [item for item in rated if item.rating.end == way]
    if way == _WAGER:
        return [item for item in rated if item.figures and key in item.figures.action]
    if way in _WAYS:
        return [item for item in rated if item.key(way)[0] == key]
    return list(rated)


@report(
    key="ratings",
    title="Ratings",
    group=Group.PLAY,
    says="Every rating with its basis, theo, range, and result. Open a line to see each look.",
    page=PAGE,
    asked=ReportScope(days_max=31, pit=True),
)
def ratings(choice: ReportChoice) -> Report:
    """Return the ended ratings of some gaming days."""
    rated = _of(_rated(choice), choice)
    left = [item for item in rated if item.rating.end == StayEnd.UNATTENDED.value]
    shown = rated[:_SHOWN]
    return Report(
        (
            Section(
                newest_of("Ratings", len(shown), len(rated)),
                _RATINGS,
                tuple(map(_row, shown)),
                "No one was rated.",
            ),
            Section(
                "Unattended", _RATINGS, tuple(map(_row, left[:_SHOWN])), "None ended unattended."
            ),
        ),
        finding=Finding(
            Tone.WAIT if left else Tone.GOOD,
            f"Ratings: {len(rated):,}, {len(left):,} of them unattended.",
        ),
        formulas=(
            "Theo = action × edge, main game and side bets apart; it may be below zero.",
            "Low and high: how far theo may be off because data is missing.",
            *_to_watch(choice),
        ),
    )


@report(
    key="theo",
    title="Theo against result",
    group=Group.PLAY,
    says="Theo and result by player, table, game, wager, or rater, with the band of chance.",
    page=PAGE,
    asked=ReportScope(days_max=92, pit=True, ways=_WAYS),
)
def theo(choice: ReportChoice) -> Report:
    """Return theo against result, put together in one of the ways."""
    groups: dict[tuple[str, str], list[Rated]] = defaultdict(list)
    way = choice.by if choice.by in _WAYS else "patron"
    counting = [rated for rated in _rated(choice) if rated.counts]
    if way == _WAGER:
        return _by_wager(counting, choice)
    for rated in counting:
        groups[rated.key(way)].append(rated)
    rows = []
    for (key, words), found in groups.items():
        cents = sum(rated.theo_cents or 0 for rated in found)
        band = band_of(found)
        won = _won(found) if band else None
        link = report_link("ratings", PAGE, choice, by="", of=f"{way} {key}")
        rows.append(
            (
                -cents,
                row_of(
                    words,
                    len(found),
                    cents,
                    won,
                    band.low_cents if band else None,
                    band.high_cents if band else None,
                    band.state.replace("_", " ") if band else "not known",
                    opens=link,
                    tone=Tone.WAIT if band and band.state == "outside" else Tone.PLAIN,
                ),
            )
        )
    columns = (
        Column(way, _WAYS[way].removeprefix("By ").capitalize()),
        Column("ratings", "Ratings", Shape.COUNT),
        Column("theo", "Theo", Shape.CHANGE),
        Column("result", "Result", Shape.CHANGE),
        Column("low", "Band from", Shape.CHANGE),
        Column("high", "Band to", Shape.CHANGE),
        Column("state", "Within"),
    )
    return Report(
        (
            Section(
                _WAYS[way],
                columns,
                tuple(row for _, row in sorted(rows, key=lambda row: row[0])),
                "No one was rated.",
            ),
        ),
        formulas=(
            "Result and band count only ratings whose result is known.",
            "95 of 100 such samples end within the band by chance alone.",
            *_to_watch(choice),
        ),
    )


def _by_wager(rated: Sequence[Rated], choice: ReportChoice) -> Report:
    """Return the theo of each wager with its band: no one sees what a stay won on one of them."""
    taken: dict[str, list[Rated]] = defaultdict(list)
    for item in rated:
        for wager in item.figures.action if item.figures else ():
            taken[wager].append(item)
    rows = []
    for wager, found in taken.items():
        theo, band = band_of_wager(found, wager)
        staked = sum(Fraction(item.figures.action[wager]) for item in found if item.figures)
        link = report_link("ratings", PAGE, choice, by="", of=f"{_WAGER} {wager}")
        line = row_of(
            wager_words(wager).capitalize(),
            len(found),
            half_up(Fraction(staked)),
            half_up(theo),
            band.low_cents,
            band.high_cents,
            opens=link,
        )
        rows.append((-theo, line))
    columns = (
        Column(_WAGER, "Wager"),
        Column("ratings", "Ratings", Shape.COUNT),
        Column("staked", "Action", Shape.MONEY),
        Column("theo", "Theo", Shape.CHANGE),
        Column("low", "Band from", Shape.CHANGE),
        Column("high", "Band to", Shape.CHANGE),
    )
    lines = tuple(row for _, row in sorted(rows, key=lambda row: row[0]))
    return Report(
        (Section(_WAYS[_WAGER], columns, lines, "No one was rated."),),
        formulas=(
            "Theo = action × edge of the wager; what players give up is in the main game’s.",
            "95 of 100 such samples end within the band by chance alone.",
            *_to_watch(choice),
        ),
    )


def _won(found: Sequence[Rated]) -> int:
    results = (
        rated.figures.result_cents for rated in found if rated.figures and rated.figures.theo
    )
    return sum(cents for cents in results if cents is not None)


@report(
    key="raters",
    title="Raters",
    group=Group.PEOPLE,
    says="How each rater rates: looks, answers to drawn moments, bias, and what was corrected.",
    page=PAGE,
    asked=ReportScope(days_max=92, days_before=27, pit=True),
)
def raters(choice: ReportChoice) -> Report:
    """Return how people rate, beside each other."""
    in_force = house.settings_at(house.now())
    groups: dict[tuple[str, str], list[Rated]] = defaultdict(list)
    for rated in _rated(choice):
        groups[rated.key("rater")].append(rated)
    rows, leaning = [], []
    for (key, words), found in sorted(groups.items(), key=lambda item: item[0][1]):
        link = report_link("ratings", PAGE, choice, of=f"rater {key}")
        looks = [look for rated in found for look in rated.rating.looks.all()]
        bias = _bias(found, in_force)
        up, down = _corrected(found)
        leans = bias.state == _OUT_OF_LINE
        if leans:
            leaning.append(words)
        rows.append(
            row_of(
                words,
                len(found),
                len(looks),
                _an_hour(len(looks), found),
                _share(sum(look.prompted for look in looks), len(looks)),
                bias.bias_bp,
                bias.ratings,
                _LINES[bias.state],
                sum(is_told(rated) for rated in found),
                up,
                down,
                *_audited(found),
                opens=link,
                tone=Tone.WAIT if leans else Tone.PLAIN,
            )
        )
    columns = (
        Column("rater", "Rater"),
        Column("ratings", "Ratings", Shape.COUNT),
        Column("looks", "Looks", Shape.COUNT, is_minor=True),
        Column("an_hour", "Looks an hour"),
        Column("prompted", "At drawn moments, %", Shape.PERCENT),
        Column("bias", "Bias, %", Shape.PERCENT),
        Column("compared", "Compared", Shape.COUNT, is_minor=True),
        Column("line", "In line"),
        Column("told", "From rounds", Shape.COUNT, is_minor=True),
        Column("up", "Corrected up", Shape.COUNT),
        Column("down", "Corrected down", Shape.COUNT),
        Column("drawn", "Drawn", Shape.COUNT),
        Column("differs", "Doesn’t match", Shape.COUNT),
        Column("not_there", "Not there", Shape.COUNT),
    )
    least, most = BOOK["rater.least"], BOOK["rater.most"]
    return Report(
        (Section("By rater", columns, tuple(rows), "No one was rated."),),
        finding=_leaning(leaning),
        formulas=(
            "Bias = (theo by bets seen − theo by rounds reported) / theo by rounds reported, over "
            "ratings with both.",
            f"Out of line: at least {least.words(in_force[least.key])}, and a bias of more than "
            f"{most.words(in_force[most.key])} up or down. Settings {least.key}, {most.key}.",
            "A correction counts for the person who began the rating.",
            "Drawn: ratings that surveillance watches on video. Doesn’t match, not there: what it "
            "saw.",
            *_to_watch(choice),
        ),
    )


def _leaning(raters: Sequence[str]) -> Finding:
    if not raters:
        return Finding(Tone.GOOD, "No rater is out of line.")
    return Finding(Tone.WAIT, f"Out of line: {', '.join(raters)}. Compare looks with rounds.")


def _audited(found: Sequence[Rated]) -> tuple[int, int, int]:
    """Return how many ratings were drawn, and how many were otherwise on video, or not there."""
    keys = [rated.rating.pk for rated in found]
    states = list(RatingDraw.objects.filter(rating__in=keys).values_list("seen__state", flat=True))
    return (
        len(states),
        states.count(Agreement.DIFFERS.value),
        states.count(Agreement.NOT_THERE.value),
    )


def _share(part: int, whole: int) -> int | None:
    return part * 10_000 // whole if whole else None


def _an_hour(looks: int, found: Sequence[Rated]) -> str:
    """Return how many looks a rater made in an hour of play, to a tenth."""
    seconds = sum(rated.figures.seconds for rated in found if rated.figures is not None)
    return f"{looks * 3_600 / seconds:.1f}" if seconds else ""


def _bias(found: Sequence[Rated], in_force: SettingsInForce) -> RaterBias:
    """Return how far theo by bets seen lies above theo by rounds, where a rating has both."""
    both = (looked_and_told(rated, in_force["rating.looks_least"]) for rated in found)
    pairs = [pair for pair in both if pair is not None]
    return rater_bias(pairs, least=in_force["rater.least"], most_bp=in_force["rater.most"])


def _corrected(found: Sequence[Rated]) -> tuple[int, int]:
    keys = [rated.rating.pk for rated in found if rated.figures and rated.figures.revision]
    first = RatingFigures.objects.filter(rating__in=keys, revision=0)
    before = dict(first.values_list("rating", "theo_cents"))
    changes = [
        (rated.theo_cents or 0) - (before.get(rated.rating.pk) or 0)
        for rated in found
        if rated.rating.pk in before
    ]
    return sum(change > 0 for change in changes), sum(change < 0 for change in changes)


@report(
    key="rating-changes",
    title="Rating changes",
    group=Group.PEOPLE,
    says="Corrections and voids of ratings, before and after, and who signed them.",
    page=PAGE,
    asked=ReportScope(days_max=92, days_before=6),
)
def rating_changes(choice: ReportChoice) -> Report:
    """Return what was changed of ended ratings, by the gaming day of the rating."""
    revisions = (
        RatingFigures.objects.filter(
            revision__gt=0, rating__gaming_day__range=(choice.first, choice.last)
        )
        .select_related("rating__table", "rating__patron", "rating__stranger", "slip")
        .prefetch_related("slip__signatures")
        .order_by("-made_at", "-id")
    )
    if choice.reader in WATCHING:
        revisions = revisions.exclude(rating__in=draws_waiting().values("rating"))
    rows = []
    for revision in revisions[:_SHOWN]:
        before = RatingFigures.objects.get(
            rating=revision.rating_id, revision=revision.revision - 1
        )
        assert revision.slip is not None, "a revision has its slip"
        link = Link(reverse("rating", args=[revision.rating_id]), "rating")
        rows.append(
            row_of(
                slip_cell(revision.slip.serial),
                "Void" if revision.is_void else "Correction",
                revision.rating.table.name,
                str(revision.rating.patron or revision.rating.stranger),
                revision.made_at,
                Cell(before.theo_cents, link),
                Cell(revision.theo_cents, link),
                ", ".join(signature.signed_as for signature in revision.slip.signatures.all()),
            )
        )
    columns = (
        Column("slip", "Slip", Shape.CODE),
        Column("what", "What"),
        Column("table", "Table"),
        Column("who", "Player"),
        Column("at", "At", Shape.TIME),
        Column("before", "Theo before", Shape.CHANGE),
        Column("after", "Theo after", Shape.CHANGE),
        Column("signed_by", "Signed by"),
    )
    return Report(
        (Section("Changes", columns, tuple(rows), "No rating was changed."),),
        formulas=_to_watch(choice),
    )
