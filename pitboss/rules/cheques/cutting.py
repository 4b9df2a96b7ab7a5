"""In which cheques a payout, or a bet converted with its payout, is handed over from this tray.

Color for color where the tray allows; never more than the tray holds; converted to larger cheques
only when the manual lets a dealer do so ("Conversions and totals"), with the approval that needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache, partial

from pitboss.rules.cheques.change import PINK, holds, make_change, nearest_payable, up_to
from pitboss.rules.cheques.cheques import (
    BY_CENTS,
    BY_THE_UNIT_FROM_CENTS,
    DENOMINATIONS,
    STACK_CHEQUES,
    cheques_said,
    combined,
    cutting_pattern,
    format_cheques,
    format_money,
    ordered,
    total_cents,
)
from pitboss.rules.cheques.keys import face_of, stake_of, worth_of
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.said import Said

AMOUNT_MAX_CENTS = 100_000_000_000
SUPERVISOR = "supervisor"
DOLLAR = 100
GREEN, BLACK = 2_500, 10_000
# Higher cheques than gray are sent only to a table that carries them.
GREY = 500_000

PRINTED = tuple(denomination.cents for denomination in DENOMINATIONS)
"""The denominations of the manual, highest first."""


@lru_cache(maxsize=64)
def ladder(denominations: tuple[int, ...]) -> tuple[int, ...]:
    """Return the colors that a player may be colored up to, lowest first.

    Pink pays odd fives and blue pays quarters: neither is a color anyone plays in.

    >>> ladder(PRINTED)[:4]
    (100, 500, 2500, 10000)
    """
    return tuple(sorted(cents for cents in denominations if cents >= DOLLAR and cents != PINK))


class Breakage(StrEnum):
    """Which way an amount that no cheque pays is rounded."""

    DOWN = "down"
    UP = "up"


@dataclass(frozen=True, slots=True)
class CutOptions:
    """What a house may decide about cutting payouts."""

    breakage: Breakage = Breakage.DOWN
    smallest_cheque_cents: int | None = None
    """The least cheque a payout is broken to; by default $1, or $0.25 where the tray carries it."""
    approval_from_cents: int = 30_000
    (
        "At this amount and above, a dealer needs approval before sending cheques out "
        '("Money handling").'
    )
    denominations: tuple[int, ...] = PRINTED
    """The denominations in play, highest first."""
    sets: tuple[int, ...] = ()
    """The value cheques in play by key, where others than those of the main set are."""


DEFAULT_OPTIONS = CutOptions()


@dataclass(frozen=True, slots=True)
class Cut:
    """Cheques to hand over, what no cheque pays, and who must say yes first."""

    cheques: Mapping[int, int]
    breakage_cents: int
    working: str
    reasons: tuple[Refusal, ...] = ()
    "Every reason why the supervisor must approve. Empty when the dealer can pay."
    taken: Mapping[int, int] = field(default_factory=dict)
    """The player's own cheques that go into the tray when a bet is converted."""

    @property
    def approval(self) -> tuple[str, ...]:
        return (SUPERVISOR,) if self.reasons else ()

    @property
    def stacks(self) -> dict[int, tuple[int, ...]]:
        """How each color is cut out in front of the rack."""
        return {
            cents: tuple(
                height for row in cutting_pattern(cents, self.cheques[cents]).rows for height in row
            )
            for cents in ordered(self.cheques)
        }


class TrayShort(Refused):
    """The tray cannot pay it. `fill` names what to ask the cage for."""

    def __init__(self, amount_cents: int, fill: Mapping[int, int]) -> None:
        self.amount_cents = amount_cents
        self.fill = dict(fill)
        super().__init__(
            [
                Refusal(
                    "tray_short",
                    Said(
                        "The tray cannot pay {amount_cents}. Request a fill: {fill}.",
                        amount_cents=amount_cents,
                        fill=cheques_said(fill),
                    ),
                )
            ]
        )


def cut_payout(
    *,
    amount_cents: int,
    tray: Mapping[int, int],
    bet: Mapping[int, int] | None = None,
    table_minimum_cents: int = 0,
    colour_up: bool | int = False,
    options: CutOptions = DEFAULT_OPTIONS,
) -> Cut:
    """Cut a payout from the tray, in the colors of the bet it pays.

    `colour_up` is the player's wish for larger cheques: true for the next color, or a
    denomination to go as high as that. Raises TrayShort when the tray cannot pay.

    >>> tray = {10_000: 20, 2_500: 60, 500: 80, 250: 10}
    >>> cut_payout(amount_cents=17_500, tray=tray, bet={2_500: 7}).cheques
    {2500: 7}
    >>> up = cut_payout(amount_cents=17_500, tray=tray, bet={2_500: 7}, colour_up=True)
    >>> up.cheques, up.approval
    ({10000: 1, 2500: 3}, ('supervisor',))
    >>> cut_payout(amount_cents=3_750, tray=tray, bet={500: 5}).cheques
    {500: 7, 250: 1}
    """
    check_amount(amount_cents)
    if options.sets:
        plain = partial(
            cut_payout,
            amount_cents=amount_cents,
            bet=bet_by_face(bet or {}),
            table_minimum_cents=table_minimum_cents,
            colour_up=face_of(colour_up) if colour_up is not True else True,
            options=replace(options, sets=()),
        )
        return cut_in_sets(plain, tray, options.sets)
    bet = {cents: count for cents, count in bet_by_face(bet or {}).items() if count}
    house = _house_supply(tray, options)
    payable_cents = payable(amount_cents, tray, options)
    top_cents = _top(
        bet,
        house,
        payable_cents=payable_cents,
        table_minimum_cents=table_minimum_cents,
        options=options,
    )
    ideal = _colour_for_colour(payable_cents, bet=bet, house=house, top_cents=top_cents)
    cheques = _choose(
        payable_cents,
        tray=tray,
        house=house,
        ideal=ideal,
        bet=bet,
        top_cents=top_cents,
        colour_up=colour_up,
        options=options,
    )
    raised = bool(bet) and max(cheques, default=0) > top_cents
    reasons = approval_reasons(
        cheques,
        table_minimum_cents=table_minimum_cents,
        raised=raised,
        sent_out=raised or not bet,
        options=options,
    )
    breakage_cents = amount_cents - payable_cents
    if not bet:
        words = "Cut"
    elif raised:
        words = "Colored up"
    else:
        words = "Color for color" if cheques == ideal else "In the cheques this tray has"
    return Cut(
        cheques=cheques,
        breakage_cents=breakage_cents,
        reasons=tuple(reasons),
        working=f"{words}: {format_cheques(cheques)}{_breakage_words(breakage_cents)}.",
    )


def payable(amount_cents: int, tray: Mapping[int, int], options: CutOptions) -> int:
    """Return what the cheques of this table can pay of an amount, however many lie in its tray.

    >>> payable(840, {100: 1}, DEFAULT_OPTIONS), payable(840, {100: 0, 25: 0}, DEFAULT_OPTIONS)
    (800, 825)
    """
    return _payable(amount_cents, _smallest(tray, options), options.denominations, options.breakage)


@lru_cache(maxsize=4_096)
def _payable(
    amount_cents: int, smallest_cents: int, denominations: tuple[int, ...], breakage: Breakage
) -> int:
    # The same few amounts are asked for all day, and each is asked for several times.
    house = plenty(denominations, smallest_cents)
    return nearest_payable(amount_cents, house, round_up=breakage is Breakage.UP)


def cut_converted_bet(
    *,
    amount_cents: int,
    tray: Mapping[int, int],
    bet: Mapping[int, int],
    table_minimum_cents: int = 0,
    colour_up: bool | int = True,
    instructed: bool = False,
    options: CutOptions = DEFAULT_OPTIONS,
) -> Cut:
    """Cut a payout and the bet it pays as one, taking the player's own cheques into the tray.

    A bet that pays more than even money is converted only on a supervisor's instruction
    ("Conversions and totals" 3.E).

    >>> tray = {10_000: 20, 2_500: 60, 500: 80}
    >>> cut = cut_converted_bet(amount_cents=5_000, tray=tray, bet={500: 10})
    >>> cut.cheques, cut.taken
    ({2500: 4}, {500: 10})
    """
    if no_money := [key for key in bet if not worth_of(key)]:
        raise refuse(
            "no_cash_value",
            Said(
                "{cheque} isn’t converted. It goes into the drop box.",
                cheque=Said(BY_CENTS[no_money[0]].name),
            ),
        )
    bet_cents = total_cents(bet)
    if not bet_cents:
        raise refuse("bet_missing", "No bet to convert. Enter the cheques of the bet.")
    if amount_cents > bet_cents and not instructed:
        raise refuse(
            "convert_needs_instruction",
            Said(
                "A bet of {bet_cents} that pays {amount_cents} isn’t converted unless the "
                "supervisor approves. Pay it next to the bet.",
                bet_cents=bet_cents,
                amount_cents=amount_cents,
            ),
        )
    cut = cut_payout(
        amount_cents=amount_cents + bet_cents,
        # Keep the empty tubes: they say which colors this table carries.
        tray={**dict.fromkeys(tray, 0), **combined(tray, bet)},
        bet=bet,
        table_minimum_cents=table_minimum_cents,
        colour_up=colour_up,
        options=options,
    )
    return Cut(
        cheques=cut.cheques,
        breakage_cents=cut.breakage_cents,
        working=f"Bet of {format_money(bet_cents)} converted with its payout: "
        f"{format_cheques(cut.cheques)}{_breakage_words(cut.breakage_cents)}.",
        reasons=(
            Refusal("bet_converted", "Taking a player’s bet into the tray needs approval."),
            *cut.reasons,
        ),
        taken=dict(bet),
    )


def bet_by_face(bet: Mapping[int, int]) -> dict[int, int]:
    """Return the denominations that pay a bet color for color, of whatever set its cheques are.

    >>> bet_by_face({100_002_500: 2, 500_002_500: 1})
    {2500: 3}
    """
    faces: dict[int, int] = {}
    for key, count in bet.items():
        if stake_of(key):
            faces[face_of(key)] = faces.get(face_of(key), 0) + count
    return faces


def by_face(tray: Mapping[int, int], sets: tuple[int, ...]) -> Mapping[int, int]:
    """Return a tray by denomination, of the sets in play alone; as it is where there is only main.

    >>> by_face({2_500: 5, 100_002_500: 4}, (2_500, 100_002_500))
    {2500: 9}
    """
    if not sets:
        return tray
    faces: dict[int, int] = {}
    for key in sets:
        if key in tray:
            faces[face_of(key)] = faces.get(face_of(key), 0) + tray[key]
    return faces


def from_sets(
    cheques: Mapping[int, int], tray: Mapping[int, int], sets: tuple[int, ...]
) -> dict[int, int]:
    """Return cheques by denomination as those a tray holds, and beyond that as the first set's.

    >>> from_sets({2_500: 7}, {2_500: 5, 100_002_500: 4}, (2_500, 100_002_500))
    {2500: 5, 100002500: 2}
    """
    if not sets:
        return dict(cheques)
    found: dict[int, int] = {}
    for face, count in cheques.items():
        mine = [key for key in sets if face_of(key) == face]
        left = count
        for key in mine:
            taken = min(left, max(0, tray.get(key, 0)))
            left -= taken
            found[key] = taken
        found[mine[0]] += left
    return {key: found[key] for key in ordered(found) if found[key]}


def cut_in_sets(cut: Callable[..., Cut], tray: Mapping[int, int], sets: tuple[int, ...]) -> Cut:
    """Cut by denomination, whatever set it is of, and hand out the cheques of sets in play.

    What is out of play stays in the tray: it goes to the cage, never to a player.
    """
    try:
        plain = cut(tray=by_face(tray, sets))
    except TrayShort as short:
        raise TrayShort(short.amount_cents, from_sets(short.fill, {}, sets)) from None
    cheques = from_sets(plain.cheques, tray, sets)
    words = plain.working.replace(format_cheques(plain.cheques), format_cheques(cheques))
    return replace(plain, cheques=cheques, working=words)


def check_amount(amount_cents: int) -> None:
    """Refuse an amount that no payout and no buy-in can be."""
    if not 0 <= amount_cents <= AMOUNT_MAX_CENTS:
        raise refuse("bad_amount", "That amount isn’t valid. Enter it again.")


def _house_supply(tray: Mapping[int, int], options: CutOptions) -> dict[int, int]:
    """Return every cheque a payout at this table may be made of, as if the tray were endless."""
    return plenty(options.denominations, _smallest(tray, options))


def _smallest(tray: Mapping[int, int], options: CutOptions) -> int:
    return options.smallest_cheque_cents or (25 if 25 in tray else DOLLAR)


def plenty(denominations: Iterable[int], smallest_cents: int = 0) -> dict[int, int]:
    """Return a supply that never ends."""
    return {cents: AMOUNT_MAX_CENTS for cents in denominations if cents >= smallest_cents}


def _top(
    bet: Mapping[int, int],
    house: Mapping[int, int],
    *,
    payable_cents: int,
    table_minimum_cents: int,
    options: CutOptions,
) -> int:
    """Return the highest color a payout uses before it counts as colored up."""
    if bet:
        # Pink is change, never a color to be raised to.
        return max(PINK, min(house), *bet)
    # With no bet to match, black is in reach as soon as a supervisor has to look anyway.
    looked_at = payable_cents >= options.approval_from_cents
    return max(BLACK if looked_at or table_minimum_cents >= BLACK else GREEN, min(house))


def _choose(
    payable_cents: int,
    *,
    tray: Mapping[int, int],
    house: Mapping[int, int],
    ideal: Mapping[int, int],
    bet: Mapping[int, int],
    top_cents: int,
    colour_up: bool | int,
    options: CutOptions,
) -> dict[int, int]:
    """Pick the handiest way to pay. Raises TrayShort where the tray has none."""
    own = dict(ideal) if holds(tray, ideal) else None
    if own is not None and not colour_up and sum(own.values()) <= STACK_CHEQUES:
        # Nearly always: nothing goes before it.
        return own
    below = make_change(payable_cents, up_to(tray, top_cents))
    above = list(_coloured_up(payable_cents, tray, top_cents, colour_up, options))
    # A tray short of the bet's own color is paid in larger cheques; one that only lacks the
    # change is paid in smaller change.
    matched = {cents: count for cents, count in ideal.items() if not bet or cents in bet}
    if own is not None and not colour_up:
        ways = [own, *above, below]
    elif colour_up or not holds(tray, matched):
        ways = [*above, own, below]
    else:
        ways = [below, *above]
    exact = [way for way in ways if way is not None]
    if not exact:
        # A large award is sent for in high cheques, as a full tray would pay it.
        sent = up_to(house, max([GREY, *tray]))
        full = [ideal, *_coloured_up(payable_cents, sent, top_cents, colour_up, options)]
        raise TrayShort(payable_cents, to_fill(_handiest(full), tray))
    return _handiest(exact)


def _handiest(ways: Sequence[Mapping[int, int]]) -> dict[int, int]:
    """Return the first way that needs no more than one stack, else the one with fewest cheques."""
    one_stack = (way for way in ways if sum(way.values()) <= STACK_CHEQUES)
    handiest = next(one_stack, None) or min(ways, key=lambda way: sum(way.values()))
    return dict(handiest)


def _colour_for_colour(
    payable_cents: int, *, bet: Mapping[int, int], house: Mapping[int, int], top_cents: int
) -> dict[int, int]:
    """Return what a full tray would pay: each color at the bet's odds, the odd part in change."""
    bet_cents = total_cents(bet)
    base = {cents: count * payable_cents // bet_cents for cents, count in bet.items()}
    supply = up_to(house, top_cents)
    change = make_change(payable_cents - total_cents(base), supply)
    if change is not None:
        return combined(base, change)
    # Rarely the odd part alone is no amount of cheques ($1.50 without quarters), the whole is.
    return make_change(payable_cents, supply) or {}


def _coloured_up(
    payable_cents: int,
    tray: Mapping[int, int],
    top_cents: int,
    colour_up: bool | int,
    options: CutOptions,
) -> Iterator[dict[int, int]]:
    """Yield ways to pay in larger cheques than the bet's, one color higher at a time.

    Players are kept near the color they bet. Black is skipped to only where a supervisor looks
    on anyway because of the amount.
    """
    ceilings = [cents for cents in ladder(options.denominations) if cents > top_cents]
    if colour_up is not True and colour_up:
        ceilings = [cents for cents in ceilings if cents >= colour_up]
    elif payable_cents >= options.approval_from_cents:
        ceilings.sort(key=lambda cents: (cents < BLACK, cents))
    for ceiling_cents in ceilings:
        way = make_change(payable_cents, up_to(tray, ceiling_cents))
        if way is not None and max(way, default=0) > top_cents:
            yield way


def approval_reasons(
    cheques: Mapping[int, int],
    *,
    table_minimum_cents: int,
    raised: bool,
    sent_out: bool,
    options: CutOptions,
) -> Iterator[Refusal]:
    """Yield every reason why the dealer waits for the supervisor before handing these over."""
    highest_cents = max(cheques, default=0)
    if highest_cents >= BLACK and table_minimum_cents < BLACK:
        yield Refusal(
            "pays_with_100", "A $100 cheque or higher needs approval before it leaves the tray."
        )
    if highest_cents >= BLACK and raised:
        yield Refusal("coloured_up_to_100", "Coloring up to black or higher needs approval.")
    if sent_out and total_cents(cheques) >= options.approval_from_cents:
        yield Refusal(
            "sends_out_300",
            Said(
                "Sending out {from_cents} or more needs approval.",
                from_cents=options.approval_from_cents,
            ),
        )


def _breakage_words(breakage_cents: int) -> str:
    if not breakage_cents:
        return ""
    kept = "stays with the house" if breakage_cents > 0 else "is added"
    return f"; {format_money(abs(breakage_cents))}, which no cheque pays, {kept}"


def to_fill(wanted: Mapping[int, int], tray: Mapping[int, int]) -> dict[int, int]:
    """Return what to ask the cage for, in whole stacks or in the units high cheques are cut in."""
    fill = {}
    for cents in ordered(wanted):
        missing = wanted[cents] - max(0, tray.get(cents, 0))
        if missing > 0:
            high = cents >= BY_THE_UNIT_FROM_CENTS
            unit = BY_CENTS[cents].unit if high else STACK_CHEQUES
            fill[cents] = -(-missing // unit) * unit
    return fill
