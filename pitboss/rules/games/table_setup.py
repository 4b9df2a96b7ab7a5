"""How a table is set up: its game and shoe, limits, tray, cards, and each side bet's pay table.

What is keyed is read with every reason; the game's own document decides what is allowed. The exact
edge of each side bet is worked out before anyone signs: one that favors the player is stopped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum, unique
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from pitboss.rules.book.options import DEFAULT_OPTIONS, HouseOptions
from pitboss.rules.cheques.cheques import format_cheques, format_money
from pitboss.rules.games.game_modules import game_modules
from pitboss.rules.games.games import (
    Game,
    SideBetRules,
    TableRules,
    spoken,
    table_rules,
)
from pitboss.rules.games.play_options import (
    as_played,
    blackjack_pays_of,
    decks_of,
    option_words,
    soft_17_of,
)
from pitboss.rules.games.setup_form import (
    BET,
    HOUSE_TABLE,
    STADIUM_READINGS,
    SetupForm,
)
from pitboss.rules.games.tracked import TABLE_GAMES, TRACKED, has_cards, is_tracked
from pitboss.rules.odds.odds import odds_of
from pitboss.rules.payouts.envy import envy_lines
from pitboss.rules.paytables.warnings import table_warnings
from pitboss.rules.refusal import Refusal, Refused

# Face Up names its pay tables by the game; a manager reads odds.
_BLACKJACK_WORDS: Final = {"face_up": "1:1", "face_up_3:2": "3:2"}
# Manual, Double Deck 6 and Blazing 7's, Dealing Procedures 1.
MACHINE_ONLY: Final = frozenset({"double_deck", "blazing_7s"})
# Amounts that a table may set over its game's own, and what they are called.
BOUNDS: Final[Mapping[str, str]] = {
    "raise_minimum": "Smallest raise",
    "raise_maximum": "Largest raise",
    "together_maximum": "All bets of a hand",
}
# What the document's fifth pay table goes with.
PAYTABLE_5: Final = {"doubles": "10-11", "double_after_split": "no", "split_hands": "2"}


@unique
class CardProfile(StrEnum):
    """How the cards of a table are shuffled; it decides how they are counted and changed."""

    SHUFFLER = "shuffler"
    CONTINUOUS = "continuous"
    HAND = "hand"
    NONE = "none"

    @property
    def label(self) -> str:
        return {
            CardProfile.SHUFFLER: "shuffling machine",
            CardProfile.CONTINUOUS: "continuous shuffler",
            CardProfile.HAND: "shuffled by hand",
            CardProfile.NONE: "no cards of its own",
        }[self]


@dataclass(frozen=True, slots=True)
class TableSetup:
    """One table as the house wants it."""

    name: str
    pit: str
    game: str
    decks: int
    soft_17: str
    blackjack_pays: str
    minimum_cents: int
    maximum_cents: int
    is_vip: bool
    cards: CardProfile
    par: Mapping[int, int]
    side_bets: Mapping[str, SideBetRules]
    # What a stadium's document leaves to the house; none elsewhere.
    stadium: Mapping[str, Any] | None = None
    # How the table plays where that is other than its game's first choice.
    play: Mapping[str, str] = field(default_factory=dict)
    # What of `BOUNDS` the table sets, in cents.
    bounds: Mapping[str, int] = field(default_factory=dict)

    def rules(self, options: HouseOptions = DEFAULT_OPTIONS) -> TableRules:
        """Return the rules in force at the table. Raises Refused with what its game forbids."""
        game, told = as_played(TABLE_GAMES[self.game], self.play)
        rules = table_rules(
            game,
            minimum_cents=self.minimum_cents,
            maximum_cents=self.maximum_cents,
            decks=self.decks,
            soft_17=self.soft_17,
            blackjack_pays=self.blackjack_pays,
            is_vip=self.is_vip,
            side_bets=self.side_bets,
            options=options,
            stadium=self.stadium,
            **told,
        )
        if not self.bounds:
            return rules
        return replace(
            rules,
            raise_min_cents=self.bounds.get("raise_minimum"),
            raise_max_cents=self.bounds.get("raise_maximum"),
            together_max_cents=self.bounds.get("together_maximum"),
        )

    def stored(self) -> dict[str, Any]:
        """Return the table as its slip keeps it."""
        return {
            "name": self.name,
            "pit": self.pit,
            "game": self.game,
            "decks": self.decks,
            "soft_17": self.soft_17,
            "blackjack_pays": self.blackjack_pays,
            "minimum_cents": self.minimum_cents,
            "maximum_cents": self.maximum_cents,
            "is_vip": self.is_vip,
            "cards": self.cards.value,
            "par": {str(cents): count for cents, count in self.par.items()},
            "side_bets": {
                wager: {
                    "paytable": terms.paytable
                    if isinstance(terms.paytable, str)
                    else dict(terms.paytable),
                    "minimum_cents": terms.minimum_cents,
                    "maximum_cents": terms.maximum_cents,
                    **({"envy_cents": dict(terms.envy_cents)} if terms.envy_cents else {}),
                }
                for wager, terms in self.side_bets.items()
            },
            "stadium": dict(self.stadium) if self.stadium else None,
            # Left out where nothing was chosen: such a set-up is stored as it always was.
            **({"play": dict(self.play)} if self.play else {}),
            **({"bounds": dict(self.bounds)} if self.bounds else {}),
        }

    def bound_words(self) -> dict[str, str]:
        """Say each amount that the table sets over its game's own."""
        return {BOUNDS[name]: format_money(cents) for name, cents in self.bounds.items()}

    def term_words(self) -> dict[str, str]:
        """Say each rule of the game that the table chose, pay tables of side bets apart."""
        if is_tracked(TABLE_GAMES[self.game]):
            paytable = {} if self._pays_words() is None else {"Pay table": self._pays_words() or ""}
            return {**paytable, "VIP": "yes" if self.is_vip else "no"}
        fields = {
            "Soft 17": f"dealer {self.soft_17}s",
            "Blackjack pays": blackjack_words(self.blackjack_pays),
            "VIP": "yes" if self.is_vip else "no",
            **option_words(TABLE_GAMES[self.game], self.play),
        }
        if self.stadium is not None:
            fields["Standoffs"] = self.stadium["keep_standoff_bet"].replace("_", " ")
            fields["Expired timer"] = "soft {soft}, hard {hard}".format(
                **self.stadium["auto_stand"]
            )
            fields |= self._reading_words()
        return fields

    def _reading_words(self) -> dict[str, str]:
        """Say who deals at a stadium, and how each passage is read that is left open."""
        chosen = self.stadium or {}
        return {
            stadium_reading.question: stadium_reading.choices[
                chosen.get(stadium_reading.name, stadium_reading.default)
            ]
            for stadium_reading in STADIUM_READINGS
        }

    def _pays_words(self) -> str | None:
        """Say by which pay table a game that is a module is settled; none where it is not."""
        if self.blackjack_pays == TRACKED:
            return None
        return game_modules()[self.game].paytables[self.blackjack_pays]

    def _game_words(self) -> str:
        game = TABLE_GAMES[self.game]
        if is_tracked(game):
            return f"{game.name}, {self._pays_words() or 'tracked without verdicts'}"
        return (
            f"{game.name}, {self.decks} decks, dealer {self.soft_17}s soft 17, "
            f"blackjack pays {blackjack_words(self.blackjack_pays)}"
        )

    def words(self) -> dict[str, str]:
        """Say each part of the setup."""
        fields = {
            "Pit": self.pit,
            "Game": self._game_words(),
            "Limits": f"{format_money(self.minimum_cents)} to {format_money(self.maximum_cents)}"
            + (", VIP" if self.is_vip else ""),
            "Cards": self.cards.label,
            "Par": format_cheques(self.par),
        }
        if self.stadium is not None:
            auto = self.stadium["auto_stand"]
            fields["Standoffs"] = f"bet kept: {self.stadium['keep_standoff_bet'].replace('_', ' ')}"
            fields["Expired timer"] = f"stands on soft {auto['soft']}, hard {auto['hard']}"
            fields |= self._reading_words()
        fields |= option_words(TABLE_GAMES[self.game], self.play) | self.bound_words()
        for wager, terms in self.side_bets.items():
            limits = f"{format_money(terms.minimum_cents)} to {format_money(terms.maximum_cents)}"
            fields[spoken(wager)] = f"{paytable_words(terms.paytable)}, {limits}"
            if terms.envy_cents:
                fields[f"{spoken(wager)} envy"] = envy_lines(terms.envy_cents).replace("\n", ", ")
        return fields


def blackjack_words(pays: str) -> str:
    """Say what a blackjack is paid.

    >>> blackjack_words("face_up"), blackjack_words("6:5")
    ('1:1', '6:5')
    """
    return _BLACKJACK_WORDS.get(pays, pays)


def verified_by(game: Game) -> dict[str, str]:
    """Return how the payouts of a game that is none of the manual's may be verified, in words.

    >>> list(verified_by(TABLE_GAMES["roulette"]).values())[:2]
    ['not verified', 'double zero, red 5.26% (1/19)']
    """
    module = game_modules().get(game.id)
    fields = {TRACKED: "not verified"}
    for paytable, name in (module.paytables if module else {}).items():
        assert module is not None
        edge = _module_edge(module.id, paytable, game.decks[0])
        fields[paytable] = f"{name}, {module.compared_by.name.lower()} {edge}"
    return fields


@lru_cache(maxsize=64)
def _module_edge(game: str, paytable: str, decks: int) -> str:
    module = game_modules()[game]
    case = {"paytable": paytable, "decks": decks, "extra": {"bet": module.compared_by.id}}
    return Edge(game, module.odds(case).edge, is_in_band=True).words


def paytable_words(paytable: str | Mapping[str, str]) -> str:
    """Say which pay table it is, or the rows of the house's own."""
    if isinstance(paytable, str):
        return f"pay table {paytable}"
    rows = ", ".join(f"{row.replace('_', ' ')} {odds}" for row, odds in paytable.items())
    return f"the house's own table: {rows}"


def stored_setup(stored: Mapping[str, Any]) -> TableSetup:
    """Return the setup that a slip keeps."""
    return TableSetup(
        **{
            **stored,
            "cards": CardProfile(stored["cards"]),
            "par": {int(cents): count for cents, count in stored["par"].items()},
            "side_bets": {
                wager: SideBetRules(**terms) for wager, terms in stored["side_bets"].items()
            },
        }
    )


def keyed_setup(stored: Mapping[str, Any]) -> dict[str, str]:
    """Return a set-up that is stored as it would be keyed.

    >>> keyed_setup({"game": "classic", "minimum_cents": 2_500, "maximum_cents": 300_000,
    ...              "par": {}, "side_bets": {}})["maximum"]
    '3,000'
    """
    keyed: dict[str, str] = {
        name: str(stored[name])
        for name in ("name", "pit", "game", "decks", "soft_17", "blackjack_pays", "cards")
        if name in stored
    }
    keyed["minimum"] = BET.text(stored["minimum_cents"])
    keyed["maximum"] = BET.text(stored["maximum_cents"])
    keyed["is_vip"] = "yes" if stored.get("is_vip") else ""
    keyed |= {f"par_{cents}": str(count) for cents, count in stored["par"].items()}
    for wager, terms in stored["side_bets"].items():
        own = not isinstance(terms["paytable"], str)
        keyed[f"bet_{wager}"] = HOUSE_TABLE if own else terms["paytable"]
        if own:
            rows = terms["paytable"].items()
            keyed[f"bet_{wager}_rows"] = "\n".join(f"{row} {odds}" for row, odds in rows)
        keyed[f"bet_{wager}_minimum"] = BET.text(terms["minimum_cents"])
        keyed[f"bet_{wager}_maximum"] = BET.text(terms["maximum_cents"])
        keyed[f"bet_{wager}_envy"] = envy_lines(terms.get("envy_cents", {}))
    stadium = stored.get("stadium")
    if stadium:
        keyed |= {name: str(value) for name, value in stadium.items() if name != "auto_stand"}
        keyed["auto_stand"] = "{soft}/{hard}".format(**stadium["auto_stand"])
    keyed |= {name: BET.text(cents) for name, cents in stored.get("bounds", {}).items()}
    return keyed | dict(stored.get("play", {}))


def read_setup(keyed: Mapping[str, str]) -> TableSetup:
    """Return the setup that was keyed. Raises Refused with every reason.

    Fields are those of a setup; `par_<cents>`; and for each side bet `bet_<wager>`, which names a
    printed pay table or "house", with `_rows`, `_minimum`, `_maximum` and `_envy` beside it.
    """
    game = TABLE_GAMES.get(keyed.get("game", ""))
    if game is None:
        raise Refused([Refusal("game_unknown", "Choose the game of this table.")])
    reading = SetupForm(_with_what_is_fixed(game, keyed))
    minimum_cents = reading.amount("minimum", None)
    maximum_cents = reading.amount("maximum", None)
    is_vip = bool(keyed.get("is_vip"))
    setup = TableSetup(
        name=reading.name(),
        pit=reading.pit(),
        game=game.id,
        decks=reading.choice("decks", {str(deck): deck for deck in decks_of(game)}),
        soft_17=reading.choice("soft_17", {item: item for item in soft_17_of(game)}),
        blackjack_pays=reading.choice(
            "blackjack_pays", {pay: pay for pay in blackjack_pays_of(game)}
        ),
        minimum_cents=minimum_cents,
        maximum_cents=maximum_cents,
        is_vip=is_vip,
        cards=reading.choice("cards", {profile.value: profile for profile in profiles_of(game)}),
        par=reading.par(),
        side_bets=reading.side_bets(game, minimum_cents, maximum_cents, is_vip),
        stadium=reading.stadium() if is_stadium(game) else None,
        play=reading.play(game),
        bounds={name: cents for name in bounds_of(game) if (cents := reading.amount(name, 0))},
    )
    least, most = (setup.bounds.get(name) for name in ("raise_minimum", "raise_maximum"))
    if least and most and least > most:
        message = "The smallest raise is at most the largest. Enter them again."
        reading.refusals.append(Refusal("bad_limits", message))
    if setup.cards is CardProfile.HAND and game.id in MACHINE_ONLY:
        message = f"{game.name} is never shuffled by hand. Choose a machine."
        reading.refusals.append(Refusal("machine_only", message))
    if not reading.refusals:
        try:
            setup.rules()
        except Refused as refused:
            reading.refusals.extend(refused.refusals)
    if reading.refusals:
        raise Refused(reading.refusals)
    return setup


def bounds_of(game: Game) -> tuple[str, ...]:
    """Return which amounts of `BOUNDS` a table of a game may set.

    >>> bounds_of(TABLE_GAMES["face_up"]), bounds_of(TABLE_GAMES["craps"])
    (('together_maximum',), ())
    """
    if is_tracked(game):
        return ()
    raises = any(bet.wager == "raise_the_roof" for bet in game.takes)
    return tuple(name for name in BOUNDS if raises or not name.startswith("raise_"))


def profiles_of(game: Game) -> tuple[CardProfile, ...]:
    """Return how the cards of a game may be shuffled; a wheel has none.

    >>> [each.value for each in profiles_of(TABLE_GAMES["craps"])]
    ['none']
    """
    return tuple(CardProfile) if has_cards(game) else (CardProfile.NONE,)


def _with_what_is_fixed(game: Game, keyed: Mapping[str, str]) -> Mapping[str, str]:
    """Add what a game without rules leaves no one to choose, so that no page has to ask it."""
    if not is_tracked(game):
        return keyed
    pays = keyed.get("blackjack_pays") or game.blackjack_pays[0]
    fixed = {"soft_17": game.soft_17[0], "blackjack_pays": pays}
    if len(game.decks) == 1:
        fixed["decks"] = str(game.decks[0])
    if not has_cards(game):
        fixed["cards"] = CardProfile.NONE.value
    return {**keyed, **fixed}


def is_stadium(game: Game) -> bool:
    """Tell whether a game is dealt to terminals of a stadium."""
    return game.main_wager == "stadium_blackjack"


@dataclass(frozen=True, slots=True)
class Edge:
    """What the house keeps of a side bet, and whether that lies in the band it set."""

    wager: str
    edge: Fraction
    is_in_band: bool
    # What is odd about its pay table: rows that are never paid, better hands that lose.
    warnings: tuple[Refusal, ...] = ()

    @property
    def favours_the_player(self) -> bool:
        return self.edge < 0

    @property
    def words(self) -> str:
        """Say the exact edge and its percentage.

        >>> Edge("trilux", Fraction(4059, 125333), True).words
        '3.24% (4059/125333)'
        """
        hundredths = round(self.edge * 10_000)
        sign = "−" if hundredths < 0 else ""
        whole, rest = divmod(abs(hundredths), 100)
        return f"{sign}{whole}.{rest:02}% ({self.edge})"


def edges_of(
    setup: TableSetup, options: HouseOptions, least: int, most: int
) -> tuple[list[Edge], list[Refusal]]:
    """Return the exact edge of each side bet, and a refusal for each that favors the player.

    The band is in hundredths of a percent. Meters count as empty, so a progressive shows the least
    that it ever gives back.
    """
    edges, refusals = [], []
    for wager, terms in setup.side_bets.items():
        edge = edge_of(wager, terms.paytable, setup.decks, setup.soft_17, options, (least, most))
        edges.append(edge)
        if edge.favours_the_player:
            refusals.append(
                Refusal(
                    "favours_the_player",
                    f"{spoken(wager)} would pay players more than they stake: "
                    f"{edge.words}. Lower its odds.",
                )
            )
    return edges, refusals


def edges_as_keyed(
    keyed: Mapping[str, str], options: HouseOptions, band: tuple[int, int]
) -> dict[str, Edge | Refused]:
    """Return the edge of each side bet of a form that is still being keyed, or what is wrong.

    Only what decides the edge is read: the game, its shoe, and the pay table of each bet.
    """
    game = TABLE_GAMES.get(keyed.get("game", ""))
    found: dict[str, Edge | Refused] = {}
    for bet in game.takes if game else ():
        chosen = keyed.get(f"bet_{bet.wager}", "")
        if not chosen:
            continue
        assert game is not None
        reading = SetupForm(keyed)
        decks = reading.choice("decks", {str(deck): deck for deck in decks_of(game)})
        soft_17 = reading.choice("soft_17", {item: item for item in soft_17_of(game)})
        paytable = reading.rows(bet) if chosen == HOUSE_TABLE else chosen
        try:
            if reading.refusals:
                raise Refused(reading.refusals)
            found[bet.wager] = edge_of(bet.wager, paytable, decks, soft_17, options, band)
        except Refused as refused:
            found[bet.wager] = refused
    return found


def edge_of(
    wager: str,
    paytable: str | Mapping[str, str],
    decks: int,
    soft_17: str,
    options: HouseOptions,
    band: tuple[int, int],
) -> Edge:
    """Return the exact edge of one side bet. Raises Refused for a pay table that is none."""
    rows = paytable if isinstance(paytable, str) else tuple(paytable.items())
    edge = _edge(wager, rows, decks, soft_17, options)
    least, most = band
    is_in_band = Fraction(least, 10_000) <= edge <= Fraction(most, 10_000)
    return Edge(wager, edge, is_in_band, table_warnings(wager, rows, decks, options))


@lru_cache(maxsize=256)
def _edge(
    wager: str,
    paytable: str | tuple[tuple[str, str], ...],
    decks: int,
    soft_17: str,
    options: HouseOptions,
) -> Fraction:
    chosen = {name: getattr(options, name) for name in HouseOptions.__slots__}
    extra: dict[str, Any] = {"options": chosen}
    if wager == "raise_the_roof":
        extra["soft_17"] = soft_17
    return odds_of(
        {
            "wager": wager,
            "paytable": paytable if isinstance(paytable, str) else dict(paytable),
            "decks": decks,
            "extra": extra,
        }
    ).edge
