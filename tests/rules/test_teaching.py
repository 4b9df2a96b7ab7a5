"""Job cards: each table has those of its own game, decks and shuffler."""

from __future__ import annotations

from datetime import date

import pytest

from pitboss.rules.book.jobs.card import CardPart, Job, JobCard
from pitboss.rules.book.teaching import (
    TaughtAt,
    cards_for,
    cards_of,
    cards_of_slip,
    cut_of,
    has_strategy,
)
from pitboss.rules.floor.book import FLOOR_KINDS
from pitboss.rules.floor.log import Ground
from pitboss.rules.games.printed import GAMES
from pitboss.rules.games.table_setup import CardProfile
from pitboss.rules.games.tracked import TABLE_GAMES
from pitboss.rules.settings.in_force import SettingsInForce


def card(job: Job, game: str = "classic", decks: int = 6, cards: str = "shuffler") -> JobCard:
    at = TaughtAt(GAMES[game], decks, CardProfile(cards))
    (found,) = cards_of(at, (job,))
    return found


def words(job: Job, *at: str) -> str:
    game, cards = (
        (*at, "classic", "shuffler")[:2] if len(at) == 2 else ((*at, "classic")[0], "shuffler")
    )
    return " ".join(card(job, game, cards=cards).lines)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("cards", CardProfile)
def test_every_table_has_each_card_once_and_says_where_it_comes_from(
    game: str, cards: CardProfile
) -> None:
    found = cards_for(TaughtAt(GAMES[game], 6, cards))
    assert len({job_card.job for job_card in found}) == len(found)
    parts = [list(CardPart).index(job_card.job.part) for job_card in found]
    assert parts == sorted(parts), "cards of one heading follow each other"
    assert all("line" in str(job_card.source) for job_card in found)
    assert all(line.endswith((".", "”.")) for job_card in found for line in job_card.lines)
    assert bool(found) == (cards is not CardProfile.NONE)


def test_the_regulation_shuffle_is_taught_where_cards_are_shuffled_by_hand() -> None:
    by_hand = words(Job.SHUFFLE, "classic", "hand")
    steps = (
        *("No approval is needed", "corner of the tray", "Slug", "lower half", "All cards are in"),
        *("behind the insurance line", "two equal stacks", "clockwise by 180 degrees"),
        *(
            "3/4 deck from each stack once",
            "left stack, then of the right",
            "strip 3/4 deck 3 to 5",
        ),
        *("3/4 inch", "three of the four logos", "alternate shuffle", "Rolling", "without clumps"),
    )
    places = [by_hand.find(step) for step in steps]
    assert -1 not in places, dict(zip(steps, places, strict=True))
    assert places == sorted(places)
    assert "do nothing else until the shuffle is over" in by_hand
    for shuffle in (by_hand, words(Job.SHUFFLE)):
        for reason in ("new set", "cut card", "dead game", "dropped or mishandled", "orders it"):
            assert reason in shuffle
        assert "Never because a player asks" in shuffle
    assert "Riffle" not in words(Job.SHUFFLE)
    assert "spread face down. When one comes" in words(Job.SHUFFLE)
    assert "face up" in words(Job.SHUFFLE, "classic", "continuous")


@pytest.mark.parametrize(
    ("decks", "rated", "shoe"),
    [
        (6, "1:30 or less is outstanding, up to 1:45 strong, up to 2:00 meets", "9:40"),
        (8, "1:50 or less is outstanding, up to 2:10 strong, up to 2:25 meets", "11:30"),
        (2, None, None),
    ],
)
def test_a_shuffle_and_a_shoe_are_taught_with_their_times(
    decks: int, rated: str | None, shoe: str | None
) -> None:
    shuffle = card(Job.SHUFFLE, decks=decks, cards="hand").lines[-1]
    pace = card(Job.DEALING, decks=decks).lines[-1]
    assert (rated or "so is the time") in shuffle
    assert (f"{decks} decks: {shoe}" if shoe else "call the supervisor") in pace


def test_the_wash_takes_eight_rotations_and_nobody_sits() -> None:
    assert "at least 8 rotations" in words(Job.WASH)
    assert "No player is seated" in words(Job.WASH)
    for step in ("change day", "hard to handle", "before the dealer and the players", "both dir"):
        assert step in words(Job.WASH)


def test_cards_are_cut_as_deep_as_the_game_says() -> None:
    assert (cut_of(GAMES["classic"], 8).player, cut_of(GAMES["classic"], 8).back) == (
        "one deck",
        "1.5 to 2 decks",
    )
    for step in (
        "clockwise",
        "not past it",
        "in the middle",
        "left hand",
        "6- or 7-spot",
        "5-spot",
    ):
        assert step in words(Job.CUT)
    for step in ("right side and top", "without showing", "roller", "index finger", "Never bang"):
        assert step in words(Job.CUT)
    assert "20 cards" in words(Job.CUT, "double_deck")
    assert "half a deck" in words(Job.CUT, "double_deck")
    assert "about one deck" in words(Job.CUT, "bet_bigger")
    assert "supervisor orders" in " ".join(card(Job.CUT, decks=2).lines)


def test_the_burn_card_is_shown_on_request_but_not_on_double_deck() -> None:
    assert "if a player asks" in words(Job.BURN)
    assert "Never show the burn card" in words(Job.BURN, "double_deck")
    for game in ("classic", "double_deck"):
        for step in ("outgoing dealer burns", "under the edge of the shoe", "burn none", "deal on"):
            assert step in words(Job.BURN, game)


def test_a_dead_game_is_spread_unless_a_continuous_shuffler_keeps_the_cards() -> None:
    assert "shuffle by hand" in words(Job.DEAD_GAME)
    for game in ("double_deck", "blazing_7s"):
        assert "shuffle by hand" not in words(Job.DEAD_GAME, game)
    assert "Nothing is spread" in words(Job.DEAD_GAME, "classic", "continuous")


# What a trainer finds in the manual, by its card.
TAUGHT: dict[Job, tuple[str, ...]] = {
    Job.BILLS: (
        *("face down, then lay it face up", "$100, $20, $10, and $1 bills: rows of five"),
        *("$50 and $5 bills: rows of four", "$2,500 in $100, $1,000 in $50, $500 in $20"),
        *("$250 in $10, $100 in $5, $250 in $1", "nearest to the tray", "$300 or more"),
        *("highest denomination at the bottom", "Never cup", "betting square", "clear palms"),
        *("Send no cheques", "Don’t drop it"),
    ),
    Job.CHANGE: (
        *("at the left, above the tray", "every cheque that comes in for color", "$100 cheque"),
        *("runs low", "more than a stack of 20", "only to pay in full", "isn’t offered a color"),
    ),
    Job.TRAY: (
        *("outside tubes in", "more than one tube", "right side only", "On a $100 game"),
        *("one hand only", "before the next hand", "only if they are of that color"),
        *("Space gray, orange, purple, and black", "No lammers", "supervisor watches"),
    ),
    Job.TAP_OUT: (
        *("Finish every transaction", "lammer off black", "under the shoe", "fingers spread"),
        *("directly behind", "Watch the table until", "vacant table"),
    ),
    Job.TOKES: (
        *("Never ask", "isn’t parlayed", "On a push it stays up", "after the player’s bet"),
        *("insure, split, or double", "10% of the table maximum", "$100 cheques"),
        *("every color change", "ask them to decide", "once, lightly"),
    ),
    Job.SHOE: ("take and pay the first two spots", "Cover the window", "without its chain"),
    Job.PROTECTION: (
        *(
            "both feet",
            "spots 1 and 2, the middle for 3 to 5, the right for 6 and 7",
            "call louder",
        ),
        *("Pay or take to the table maximum", "hand signal", "cheques play", "insurance line"),
        *("first and third base", "Money before cards", "Clear your hands after change"),
        *("often sits out", "Never accuse"),
    ),
    Job.CARD_CHANGE: (
        *("no shuffler, at the opening and the closing only", "other color", "signs the bag"),
        "counted only if its number is wrong",
    ),
    Job.DEALING: (
        *("No more bets", "From your left, clockwise", "face down, while you turn", "one pip"),
        *("never both", "spots 1 and 2, to spot 3 as you like", "announce each total"),
        *("never overlap", "Dealer breaks", "total each hand again", "passed over"),
    ),
    Job.INSURANCE: (
        *("Settle every side bet first", "sideways", "Insurance or even money", "left to right"),
        *("at most half", "Insurance closed", "horizontally", "vertically", "Never lift"),
        *("third base to first", "2 to 1", "missed, or no peek"),
    ),
    Job.DOUBLES: (
        *("at your right of the first bet", "meets the table minimum", "Never face down"),
        *("No currency", "in front of the left hand", "Finish the left hand", "one card each"),
        "pays even money",
    ),
    Job.PAYING: (
        *("third base", "then its toke", "Spot 3", "Never throw, drop, or slide", "palm up"),
        *("the highest nearest to you", "cut into it three times", "except on a $100 game"),
        *("in fours", "parallel to it", "Separate two colors"),
    ),
    Job.PICKUP: ("right hand, from right to left", "on top", "move nothing", "from the right"),
    Job.LIMITS: (
        *("finish the hand, take or pay", "Found after the decision", "Pay or take to the table"),
        *("neither paid nor taken", "2 hands: 2 times, 3 hands: 5 times", "below 300 to 1"),
    ),
    Job.COUPONS: ("pays even money, never odds", "Initials, badge number, and date", "gaming day"),
    Job.OPENING: (
        *("leaves the other in the vault", "prove 20", "with spacers", "license number"),
        *("before the dealer drops it", "Spread the vaulted cards"),
    ),
    Job.CLOSING: (
        *("float cover", "break one down to prove 20", "the highest first", "top-signs"),
        *("upper left", "under the table", "until the tray is locked"),
    ),
    Job.FILLS: (
        *("remove their bets", "points to it", "size the others", "don’t sign", "license number"),
        *("Drop the duplicate", "pink copy", "drops both", "$5,000 cheques and higher"),
    ),
    Job.MARKERS: ("brings it signed", "amount, date, and table", "next to them", "drop your copy"),
    Job.PLAYERS: (
        *("not “How are you today?”", "player’s card", "good luck", "Did I earn your A today?"),
        *("never how to play", "chair of the spot", "Never argue", "from a player’s hand"),
    ),
    Job.CONDUCT: (
        *("five minutes before", "string is complete", "No smoking, gum, food", "designated exit"),
        *("name tag", "friend or relative", "No drop box leaves during a hand", "seniority"),
    ),
}


@pytest.mark.parametrize("job", TAUGHT)
def test_what_the_manual_says_of_a_job_is_on_its_card(job: Job) -> None:
    lines = words(job)
    assert [fact for fact in TAUGHT[job] if fact not in lines] == []


def test_bills_the_tray_the_shoe_and_tokes_are_taught_everywhere() -> None:
    everywhere = {Job.BILLS, Job.TRAY, Job.TOKES, Job.TAP_OUT, Job.PROTECTION, Job.CONDUCT}
    for game in GAMES.values():
        at = TaughtAt(game, 6, CardProfile.SHUFFLER)
        assert everywhere <= {job_card.job for job_card in cards_for(at)}


def test_a_game_that_is_not_the_manuals_has_what_is_done_alike_at_every_table() -> None:
    at = TaughtAt(TABLE_GAMES["baccarat"], 8, CardProfile.HAND)
    jobs = {job_card.job for job_card in cards_for(at)}
    assert {Job.BILLS, Job.TRAY, Job.FILLS, Job.CONDUCT} <= jobs
    assert not jobs & {Job.SHUFFLE, Job.CUT, Job.DEALING, Job.IRREGULAR, Job.FUNDAMENTALS}


def test_the_games_own_particulars_are_taught_there_alone() -> None:
    assert "split once" in words(Job.DOUBLE_DECK, "double_deck")
    assert "machine only" in words(Job.BLAZING, "blazing_7s")
    jobs = {
        job_card.job for job_card in cards_for(TaughtAt(GAMES["classic"], 6, CardProfile.SHUFFLER))
    }
    assert not jobs & {Job.DOUBLE_DECK, Job.BLAZING}


# What each document says of its own game, by the game.
OF_ITS_OWN: dict[str, tuple[Job, tuple[str, ...]]] = {
    "double_deck": (
        Job.DOUBLE_DECK,
        (
            "machine only",
            "20 cards",
            "half a deck",
            "never shown",
            "3 to 2",
            "$10,000",
            "split once",
        ),
    ),
    "blazing_7s": (
        Job.BLAZING,
        (
            *("machine only", "$5", "No dealer bets", "stays dark", "also without a bet"),
            *("before its other side bets", "stop the meter", "tax forms", "right to left"),
        ),
    ),
    "raise_the_roof": (
        Job.RAISE_THE_ROOF,
        (
            *(
                "areas marked Bust Ante",
                "never push",
                "before any card",
                "for the blackjack bet only",
                "1 to 5 antes",
            ),
            *("play your hand out", "takes both bets", "1 to 1"),
        ),
    ),
    "stadium": (
        Job.STADIUM,
        (
            *("no more bets", "one card to Player, one to Dealer", "Community", "second card"),
            *("draw nothing", "draw one card", "settles the bets"),
        ),
    ),
    "face_up": (
        Job.FACE_UP,
        ("face up", "all ties", "settled first", "9, 10, or 11", "split once", "hard 17"),
    ),
    "bet_bigger": (
        Job.BET_BIGGER,
        (
            *("spread each deck", "at most $10", "matches it", "$5 or $10", "half the minimum"),
            *("equal on every bet", "tap to hit", "same printed rank", "Hit soft 17", "adjacent"),
            *("until the shoe ends", "best Lucky Ladies", "never change during a hand"),
        ),
    ),
    "classic": (
        Job.TRILUX,
        (
            *("needs a blackjack bet, Super 3 both", "up card", "from right to left"),
            *("hand off", "Envy comes from the tray", "No new bet"),
        ),
    ),
}


@pytest.mark.parametrize("game", GAMES)
def test_each_document_is_taught_at_its_own_game(game: str) -> None:
    job, facts = OF_ITS_OWN[game]
    lines = words(job, game)
    assert [fact for fact in facts if fact not in lines] == []


def test_side_bets_are_taught_where_the_table_offers_them() -> None:
    classic = TaughtAt(GAMES["classic"], 6, CardProfile.SHUFFLER, frozenset({"raise_the_roof"}))
    jobs = {job_card.job for job_card in cards_for(classic)}
    assert Job.RAISE_THE_ROOF in jobs
    assert Job.TRILUX not in jobs


def test_what_a_game_has_not_is_not_taught_there() -> None:
    def jobs(game: str) -> set[Job]:
        return {
            job_card.job for job_card in cards_for(TaughtAt(GAMES[game], 6, CardProfile.SHUFFLER))
        }

    assert not jobs("stadium") & {Job.DEALING, Job.PAYING, Job.PICKUP, Job.TRILUX}
    assert Job.INSURANCE not in jobs("face_up")
    assert Job.COUPONS not in jobs("bet_bigger")
    assert "Both of your own cards lie face up" in words(Job.DEALING, "face_up")
    assert "one card each" not in words(Job.DOUBLES, "face_up")
    assert "table minimum" not in words(Job.DOUBLES, "bet_bigger")
    assert "table minimums" not in words(Job.LIMITS, "bet_bigger")
    assert "another player’s spot" not in words(Job.LIMITS, "bet_bigger")


def test_strategy_for_one_dealer_card_is_not_taught_where_both_are_seen() -> None:
    taught = card(Job.FUNDAMENTALS).lines
    for line, about in zip(taught, ("eights", "fives", "10 or 11", "17", "bust"), strict=True):
        assert about in line
    assert not has_strategy(GAMES["face_up"])
    at = TaughtAt(GAMES["face_up"], 6, CardProfile.SHUFFLER)
    assert cards_of(at, (Job.FUNDAMENTALS,)) == ()


def test_irregularities_are_those_of_the_game() -> None:
    assert len(card(Job.IRREGULAR, "blazing_7s").lines) >= len(card(Job.IRREGULAR, "face_up").lines)
    assert "No dealer decides" in words(Job.IRREGULAR)


def test_an_approval_has_the_card_of_its_job() -> None:
    taught = {code: kind.teaches for code, kind in FLOOR_KINDS.items() if kind.teaches}
    assert taught["buy_in"] == (Job.BILLS,)
    assert taught["cheque_change"] == taught["colour_up"] == (Job.CHANGE,)
    assert taught["coupon"] == (Job.COUPONS,)
    assert taught["payout"] == (Job.PAYING,)
    assert taught["counterfeit_bill"] == (Job.BILLS,)
    assert taught["dispute"] == (Job.PICKUP,)
    assert taught["new_cards"] == (Job.WASH, Job.CARD_CHANGE)
    assert taught["dealer_cut"] == (Job.CUT,)
    assert taught["dead_spread"] == (Job.DEAD_GAME,)
    assert taught["irregular_too_few_cards"] == (Job.IRREGULAR,)


def test_a_slip_has_the_cards_of_its_job() -> None:
    place = TaughtAt(GAMES["classic"], 6, CardProfile.SHUFFLER)

    def jobs(kind: str) -> list[Job]:
        return [job_card.job for job_card in cards_of_slip(place, kind)]

    assert jobs("fill") == jobs("credit") == [Job.FILLS]
    assert jobs("card_to_table") == [Job.WASH, Job.CARD_CHANGE]
    assert [*jobs("opener"), *jobs("closer"), *jobs("marker")] == [
        *(Job.OPENING, Job.CLOSING, Job.MARKERS)
    ]
    assert jobs("cage_count") == []


def test_what_is_taught_goes_by_the_game_the_shoe_and_the_shuffle_of_a_table() -> None:
    ground = Ground("BJ-11", True, 2_500, date(2026, 5, 1), SettingsInForce({}), decks=8)
    assert ground.taught_at == TaughtAt(GAMES["classic"], 8, CardProfile.SHUFFLER)
