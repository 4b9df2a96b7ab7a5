"""Big wins in tests: tables whose bets pay them, checks, and the people who sign them."""

from __future__ import annotations

from typing import Any

from jackpots.kinds.big_win import BIG_WIN_KIND
from pitboss.models import Person, Slip, Table
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place
from pitboss.services.signing import Entry, Pen
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast
from tests.floor.payouts import checked
from tests.floor.terminals import TerminalClient, make_terminal

TRAY = {100_000: 40, 50_000: 20, 10_000: 200, 2_500: 80, 500: 100, 100: 100}
SUITED = ["6h", "4h", "5h", "7h"]
UNSUITED = ["6h", "4c", "5h", "7h"]
REVIEWED = Entry(said={"review": "CAM 2-11A 21:41"})


def set_up(cast: Cast, game: str, wager: str, paytable: Any, *, decks: int = 6) -> None:
    """Deal a game at the first table with one side bet by a pay table."""
    setup = {
        "name": cast.table.name,
        "pit": cast.pit.name,
        "game": game,
        "decks": decks,
        "soft_17": "hit",
        "blackjack_pays": "face_up" if game == "face_up" else "3:2",
        "minimum_cents": 2_500,
        "maximum_cents": 300_000,
        "is_vip": False,
        "cards": "none",
        "par": {str(cents): count for cents, count in TRAY.items()},
        "side_bets": {
            wager: {"paytable": paytable, "minimum_cents": 100, "maximum_cents": 300_000}
        },
        "stadium": None,
    }
    Table.objects.filter(pk=cast.table.pk).update(game=game, decks=decks, setup=setup)
    cast.table.refresh_from_db()


def roof(cast: Cast, paytable: str = "H17_6_8_B", *, decks: int = 6) -> TerminalClient:
    """Open the first table for Raise the Roof, on a full tray, with a terminal."""
    terminal = opened(cast)
    set_up(cast, "raise_the_roof", "raise_the_roof", paytable, decks=decks)
    return terminal


def opened(cast: Cast) -> TerminalClient:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    cast.table.refresh_from_db()
    return TerminalClient(make_terminal(cast.table))


def roof_claim(
    ante: int, raised: int, cents: int, cards: list[str] | None = None, seat: int = 3
) -> dict[str, Any]:
    """Return a payout on Raise the Roof, in dollars but for what is about to be paid."""
    return {
        "wager": "raise_the_roof",
        "stake_cents": ante * 100,
        "dealer_cards": cards or SUITED,
        "seat": seat,
        "paid_cents": cents,
        **({"extra": {"raise_cents": raised * 100}} if raised else {}),
    }


F05 = roof_claim(10, 50, 3_000_000)
F09 = roof_claim(1, 1, 100_000)


def raising(cast: Cast, **given: Any) -> Any:
    return BIG_WIN_KIND.at(Table.objects.get(pk=cast.table.pk), **given)


def enter(cast: Cast, by: Person | None = None, pen: Pen | None = None, **given: Any) -> Slip:
    """Enter a big win at the first table as Dan, or as somebody else."""
    what = raising(cast, **given)
    return raise_kind(what, pen=pen or cast.pen(by or cast.dan), shown=shown_before(what))


def won(cast: Cast, terminal: TerminalClient, claim: dict[str, Any] = F05, **change: Any) -> Slip:
    """Check a payout at the terminal and enter it as a big win."""
    return enter(cast, check=checked(terminal, claim, **change))


def verified(cast: Cast, slip: Slip) -> Slip:
    cast.sign(slip, "verified", cast.alice)
    return slip


def released(cast: Cast, slip: Slip) -> Slip:
    """Verify a win, and let whoever it needs confirm and release it."""
    verified(cast, slip)
    names = [step["name"] for step in slip.plan]
    if "confirmed" in names:
        cast.sign(slip, "confirmed", cast.ivan, Place.SURVEILLANCE, entry=REVIEWED)
    if "released" in names:
        cast.sign(slip, "released", cast.carol)
    return slip


def count_out(
    cast: Cast,
    slip: Slip,
    cheques: dict[int, int] | None = None,
    by: Person | None = None,
    **said: str,
) -> Any:
    """Count a win out of the tray, or have the cage pay it."""
    if cheques is None:
        entry = Entry(said={"source": "cage"})
        return cast.sign(slip, "counted_out", by or cast.erin, Place.CAGE, entry=entry)
    entry = Entry(said={"source": "tray", **said}, counted=cheques)
    return cast.sign(slip, "counted_out", by or cast.dan, entry=entry)


def see_paid(cast: Cast, slip: Slip) -> None:
    cast.sign(slip, "paid", cast.alice)


def reject(cast: Cast, slip: Slip) -> None:
    reason = Entry(reason="The bet was late.")
    cast.sign(slip, "rejected", cast.bob, entry=reason, track=Track.VOID)
    cast.sign(slip, "reject_agreed", cast.carol, track=Track.VOID)
