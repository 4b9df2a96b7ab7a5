"""Where the demo lets one stand in one tap: who works there, on which device, on which page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from pitboss.models import FloorException, JournalAudit, Person, Pit, Signature
from pitboss.rules.roles import Place, Role


@dataclass(frozen=True, slots=True)
class Post:
    """A place to stand in the demo, and whose eyes one sees it with."""

    key: str
    label: str
    role: Role
    place: Place
    # Of those who have the role, and of the pits; by their order.
    which: int = 0
    pit: int | None = None
    # The name of the page that this post is about; none for the first that its person sees.
    page: str = ""

    def person(self) -> Person:
        """Return who works at this post."""
        return Person.objects.filter(role=self.role.value).order_by("badge")[self.which]

    def the_pit(self) -> Pit | None:
        """Return the pit that this post stands in."""
        return None if self.pit is None else Pit.objects.order_by("name")[self.pit]


_POSTS = (
    Post("pit-1", "Pit 1", Role.SUPERVISOR, Place.PIT, pit=0),
    Post("pit-2", "Pit 2", Role.SUPERVISOR, Place.PIT, which=1, pit=1),
    Post("cage", "Cage", Role.CASHIER, Place.CAGE),
    Post("security", "Security", Role.SECURITY, Place.SECURITY),
    Post(
        "surveillance", "Surveillance", Role.SURVEILLANCE, Place.SURVEILLANCE, page="surveillance"
    ),
    Post("pit-manager", "Pit manager", Role.PIT_MANAGER, Place.OFFICE, page="inbox"),
    Post("shift-manager", "Shift manager", Role.SHIFT_MANAGER, Place.OFFICE, which=1, page="inbox"),
    Post("host", "Host", Role.HOST, Place.OFFICE, page="hosts"),
    Post("count-room", "Count room", Role.COUNT_TEAM, Place.OFFICE, page="count-room"),
    Post("compliance", "Compliance", Role.COMPLIANCE, Place.OFFICE),
    Post("auditor", "Auditor", Role.AUDITOR, Place.OFFICE, page="audit"),
)
POSTS = {post.key: post for post in _POSTS}
# Whose terminal a browser of the demo may be.
TERMINAL_TABLE = "BJ-15"


Tick = Callable[[datetime], bool]


def _signed(kind: str, table: str, step: str = "") -> Tick:
    """Return whether something was signed at a table: a step of a kind of slip, or any."""

    def tick(since: datetime) -> bool:
        found = Signature.objects.filter(
            slip__kind=kind, slip__table__name=table, signed_at__gte=since
        )
        return (found.filter(step=step) if step else found).exists()

    return tick


def _signed_as(role: Role) -> Tick:
    return lambda since: Signature.objects.filter(role=role.value, signed_at__gte=since).exists()


def _opened(code: str, table: str) -> Tick:
    return lambda since: FloorException.objects.filter(
        code=code, table__name=table, opened_at__gte=since
    ).exists()


def _verified(since: datetime) -> bool:
    asked = JournalAudit.objects.filter(kind=JournalAudit.Kind.ASKED, asked_at__gte=since)
    return asked.exists()


@dataclass(frozen=True, slots=True)
class TourStop:
    """One stop of the tour: what there is to see and to try, and where."""

    title: str
    words: str
    post: str
    path: str
    go: str
    # Whether it was done since a time; none where to go there and look is all there is to do.
    tick: Tick | None = None

    @property
    def who(self) -> str:
        """Who stands there, as a person reads it."""
        person = POSTS[self.post].person()
        return f"{person}, {Role(person.role).label}, badge {person.badge}"


TOUR = (
    TourStop(
        "The pit at a glance",
        "Twelve tables. Open items come first, with who they’re waiting for and how "
        "long, then each tray against par. Tap a table for its tray, slips, and "
        "activity.",
        "pit-1",
        "/board/",
        "Open Pit 1",
    ),
    TourStop(
        "Request a fill",
        "Pitboss suggests what it takes to bring the tray back to par. Request it and "
        "sign with your badge and PIN. The tray doesn’t change yet; the slip goes to "
        "the cage.",
        "pit-1",
        "/slips/new/fill/?table=BJ-14",
        "Request at BJ-14",
        _signed("fill", "BJ-14", "requested"),
    ),
    TourStop(
        "Prepare it at the cage",
        "The cashier counts the cheques out and signs; the officer who carries them signs on the "
        "same screen, with badge 2013.",
        "cage",
        "/cage/",
        "Go to the cage",
        _signed("fill", "BJ-14", "carried"),
    ),
    TourStop(
        "Count it wrong on purpose",
        "A fill just arrived at BJ-15. The dealer (badge 2022) agrees to each line "
        "with the officer who carried it (badge 2013). Tap “A line doesn’t match” and "
        "enter one line wrong: no one can sign, nothing goes in the tray, and the same "
        "officer returns it.",
        "pit-1",
        "/tables/BJ-15/",
        "Receive it at BJ-15",
        _signed("fill_return", "BJ-15"),
    ),
    TourStop(
        "Is this payout right?",
        "Tap Terminal in the bar above to stand at BJ-15. Tap a seat, put down its bets, and "
        "enter the cards: each seat shows what it is owed and in which cheques. Then confirm a "
        "different amount: the supervisor sees it within seconds.",
        "pit-1",
        "/inbox/",
        "See what the supervisor sees",
        _opened("payout_differs", "BJ-15"),
    ),
    TourStop(
        "A jackpot under review",
        "Three same-color sevens at BJ-16 stopped the meter. Surveillance confirms the "
        "hand or rejects it with a reason. Only then can a shift manager release the "
        "award.",
        "surveillance",
        "/surveillance/",
        "Watch from surveillance",
        _signed("jackpot", "BJ-16"),
    ),
    TourStop(
        "A shift manager’s inbox",
        "A BJ-40 tray that’s three green short, a marker over its line, and "
        "yesterday’s gaming day to accept. Each card says why it needs this person and "
        "shows the facts.",
        "shift-manager",
        "/inbox/",
        "Open the inbox",
        _signed_as(Role.SHIFT_MANAGER),
    ),
    TourStop(
        "The numbers",
        "The master game report. Tap 7 days: drop, win, and hold of each table to the cent. Tap "
        "any "
        "figure for what it is made of, down to the signed slip.",
        "auditor",
        "/reports/game/",
        "Read the report",
    ),
    TourStop(
        "Prove nothing was changed",
        "Every action is a link in a chain sealed with a key the database doesn’t "
        "have. Verify the whole chain and see what an auditor sees.",
        "auditor",
        "/audit/",
        "Verify the journal",
        _verified,
    ),
)


def posts_now(here: str) -> Iterator[dict[str, object]]:
    """Yield the posts as the switcher shows them, by the key of the one where one stands."""
    for post in _POSTS:
        yield {"key": post.key, "label": post.label, "is_current": post.key == here}


def post_of(person: Person, place: str, pit_id: int | None) -> str:
    """Return at which post someone stands, or nothing."""
    pits = list(Pit.objects.order_by("name").values_list("pk", flat=True))
    for post in _POSTS:
        pit = None if post.pit is None or post.pit >= len(pits) else pits[post.pit]
        if (post.role.value, post.place.value, pit) == (person.role, place, pit_id):
            return post.key
    return ""
