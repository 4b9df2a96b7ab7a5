"""Cases of suspicious activity: decided by two, on the clock, and to everyone else not there."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from inventory.models import SarCase, SarReading, SarStep
from inventory.selectors.sar import decision_of, open_sar_cases, reviews_due
from inventory.services.compliance import write_note
from inventory.services.sar import (
    NewCase,
    Proposal,
    answer_proposal,
    open_case,
    propose,
    read_case,
    review,
    today_of,
    write_to,
)
from pitboss.access import PAGES, may_open
from pitboss.admin import READERS
from pitboss.models import JournalEntry, Person, Slip
from pitboss.reports.book import BOOK
from pitboss.rules.patrons.sar import SarOutcome
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.seals import write_seal
from pitboss.services.verification import verify
from tables.models.systems import Scope
from tests.floor.cash_log import log
from tests.floor.cast import Cast, ServerClock, pin_of, refused
from tests.floor.currency_reports import BSA_ID
from tests.floor.markers import make_patron
from tests.floor.tablets import signing, words
from tests.tables.test_systems import client_of, grant
from tests.test_access import address, is_api, routes, signed_in, someone
from tests.test_records import plain, records, site_of, who_open_everything

pytestmark = pytest.mark.django_db(transaction=True)
SEEN = "Three buy-ins of $9,900 within the hour, each at another table."
NOT_FILED = Proposal(SarOutcome.NOT_FILED, reason="Explained by a property sale.")


@pytest.fixture
def second(cast: Cast) -> Person:
    """Another compliance officer."""
    Person.objects.filter(pk=cast.vera.pk).update(role=Role.COMPLIANCE.value)
    return Person.objects.get(pk=cast.vera.pk)


def today() -> date:
    return today_of(house.now())


def opened(cast: Cast, **changed: Any) -> SarCase:
    values = {"text": SEEN, "amount_cents": 2_970_000, "detected_on": today(), "has_suspect": True}
    pen = changed.pop("pen", None) or cast.pen(cast.petra, Place.OFFICE)
    return open_case(new=NewCase(**{**values, **changed}), pen=pen)


def proposed(cast: Cast, case: SarCase, proposal: Proposal = NOT_FILED) -> SarStep:
    return propose(case=case, proposal=proposal, pen=cast.pen(cast.petra, Place.OFFICE))


def agree(cast: Cast, step: SarStep, by: Person, **more: Any) -> SarStep:
    given = {"agrees": True, "reason": "", "pen": cast.pen(by, Place.OFFICE), **more}
    return answer_proposal(proposal=step, **given)


def filed(reminds: bool = True) -> Proposal:
    return Proposal(SarOutcome.FILED, bsa_id=BSA_ID, filed_on=today(), reminds=reminds)


def test_a142_not_filed_takes_two_officers(cast: Cast, second: Person) -> None:
    case = opened(cast)
    step = proposed(cast, case)
    assert decision_of(case) is None
    with refused("signed_before", journal=()):
        agree(cast, step, cast.petra)
    agree(cast, step, second)
    assert decision_of(case) == step
    assert not open_sar_cases().exists()
    with pytest.raises(Exception, match=r"decided|no longer open"):
        proposed(cast, case)
    with pytest.raises(Exception, match=r"decided|no longer open"):
        agree(cast, step, second)
    assert verify().is_sound


def test_a142_day_31_is_red_and_60_without_a_suspect(cast: Cast, server_clock: ServerClock) -> None:
    case, unknown = opened(cast), opened(cast, has_suspect=False)
    assert (case.due_on - case.detected_on, unknown.due_on - case.detected_on) == (
        timedelta(days=30),
        timedelta(days=60),
    )
    own = reverse("sar-cases")
    for days, tone in ((24, "half"), (1, "wait"), (6, "bad")):
        server_clock.move(days=days)
        page = words(signed_in(cast.petra, cast.devices[Place.OFFICE]).get(own))
        assert f'class="item item--{tone}"' in page


def test_a_proposal_is_withdrawn_and_the_case_stays_open(cast: Cast, second: Person) -> None:
    case = opened(cast)
    step = proposed(cast, case)
    with refused("already_proposed", journal=()):
        proposed(cast, case)
    with refused("reason_missing", journal=()):
        agree(cast, step, cast.petra, agrees=False)
    agree(cast, step, cast.petra, agrees=False, reason="More came up.")
    with refused("already_answered", journal=()):
        agree(cast, step, second)
    agree(cast, proposed(cast, case, filed()), second)
    assert decision_of(case) is not None


def test_a_filing_is_reviewed_after_120_days_if_wanted(
    cast: Cast, second: Person, server_clock: ServerClock
) -> None:
    case, other = opened(cast), opened(cast)
    agree(cast, proposed(cast, case, filed()), second)
    agree(cast, proposed(cast, other, filed(reminds=False)), second)
    assert not reviews_due(today() + timedelta(days=119)).exists()
    assert [sar_step.case for sar_step in reviews_due(today() + timedelta(days=120))] == [case]
    server_clock.move(days=120)
    page = words(signed_in(cast.petra, cast.devices[Place.OFFICE]).get(reverse("sar-cases")))
    assert "Did the activity continue?" in page
    review(case=case, text="Nothing since.", pen=cast.pen(cast.petra, Place.OFFICE))
    assert not reviews_due(today()).exists()
    again = opened(cast, continues=case)
    with refused("case_open", journal=()):
        opened(cast, continues=again)
    with refused("case_open", journal=()):
        review(case=again, text="Early.", pen=cast.pen(cast.petra, Place.OFFICE))


REFUSALS: list[tuple[str, dict[str, Any]]] = [
    ("reason_missing", {"text": " "}),
    ("date_missing", {"detected_on": None}),
    ("date_impossible", {"detected_on": date(2031, 1, 1)}),
]


@pytest.mark.parametrize(("code", "changed"), REFUSALS)
def test_one_change_is_one_reason_not_to_open_a_case(
    cast: Cast, code: str, changed: dict[str, Any]
) -> None:
    with refused(code, journal=()):
        opened(cast, **changed)


@pytest.mark.parametrize(
    ("code", "proposal"),
    [
        ("reason_missing", Proposal(SarOutcome.NOT_FILED)),
        ("bsa_id_malformed", Proposal(SarOutcome.FILED, bsa_id="1", filed_on=date(2026, 5, 1))),
        ("date_missing", Proposal(SarOutcome.FILED, bsa_id=BSA_ID)),
        ("date_impossible", Proposal(SarOutcome.FILED, bsa_id=BSA_ID, filed_on=date(2020, 1, 1))),
    ],
)
def test_one_change_is_one_reason_not_to_propose(
    cast: Cast, server_clock: ServerClock, code: str, proposal: Proposal
) -> None:
    case = opened(cast)
    with refused(code, journal=()):
        proposed(cast, case, proposal)


@pytest.mark.parametrize("who", ["alice", "erin", "heidi", "olga", "ruth", "judy", "hugo"])
def test_no_one_but_compliance_acts_on_a_case(cast: Cast, who: str) -> None:
    case = opened(cast)
    person = getattr(cast, who)
    pen = cast.pen(person, Place.OFFICE)
    step = proposed(cast, case)
    for act in (
        lambda: opened(cast, pen=pen),
        lambda: write_to(case=case, text="x", pen=pen),
        lambda: read_case(case=case, reader=person, device=None),
        lambda: answer_proposal(proposal=step, agrees=True, reason="", pen=pen),
    ):
        with refused("wrong_role", journal=()):
            act()
    client = signed_in(person, cast.devices[Place.OFFICE])
    for url in ("/compliance/sar/", "/compliance/sar/new/", f"/compliance/sar/{case.pk}/"):
        assert client.get(url).status_code == 404
        assert client.post(url, {"request_id": uuid4()}).status_code == 404
    assert not JournalEntry.objects.filter(text__contains="compliance/sar").exists()


def test_every_reading_is_kept_and_tells_nothing_of_the_patron(cast: Cast) -> None:
    ana = make_patron(cast)
    case = opened(cast, patron=ana)
    write_to(case=case, text="More of it.", pen=cast.pen(cast.petra, Place.OFFICE))
    told = read_case(case=case, reader=cast.petra, device=None)
    assert (told["words"], told["steps"][0]["words"]) == (SEEN, "More of it.")
    assert SarReading.objects.count() == 1
    entries = JournalEntry.objects.filter(chain__name="compliance")
    assert [entry.kind for entry in entries.order_by("number")] == [
        "sar_case_opened",
        "sar_case_written",
        "sar_case_read",
    ]
    for entry in entries:
        assert "Ruiz" not in entry.text
        assert f'"patron":{ana.pk}' not in entry.text
    with connection.cursor() as cursor:
        cursor.execute("SELECT text_cipher FROM inventory_sarcase")
        assert SEEN not in cursor.fetchone()[0]


def test_the_database_takes_no_agreement_of_the_proposer(cast: Cast) -> None:
    step = proposed(cast, opened(cast))
    with pytest.raises(DatabaseError, match="another person"), transaction.atomic():
        SarStep.objects.create(
            case=step.case,
            kind="agreed",
            answers=step,
            taken_by=cast.petra,
            taken_at=house.now(),
            request_id=uuid4(),
        )


def test_a_case_sent_twice_is_one(cast: Cast, second: Person) -> None:
    pen = cast.pen(cast.petra, Place.OFFICE)
    case = opened(cast, pen=pen)
    assert opened(cast, pen=pen) == case
    pen = cast.pen(cast.petra, Place.OFFICE)
    step = propose(case=case, proposal=NOT_FILED, pen=pen)
    assert propose(case=case, proposal=NOT_FILED, pen=pen) == step
    with refused("request_reused", journal=()):
        write_to(case=case, text="x", pen=pen)
    pen = cast.pen(second, Place.OFFICE)
    done = answer_proposal(proposal=step, agrees=True, reason="", pen=pen)
    assert answer_proposal(proposal=step, agrees=True, reason="", pen=pen) == done


def test_the_pages_lead_from_a_note_to_a_decision(cast: Cast, second: Person) -> None:
    ana = make_patron(cast)
    kept = write_note(text=SEEN, pen=cast.pen(cast.dan), table=cast.table, patron=ana)
    office = signed_in(cast.petra, cast.devices[Place.OFFICE])
    own = f"{reverse('sar-new')}?note={kept.pk}"
    assert own in words(office.get(reverse("note", args=[kept.pk])))
    pad = words(office.get(own))
    assert "Ana Ruiz" in pad
    keyed = {"reason": SEEN, "amount": "29,700", "suspect": "yes"}
    keyed["detected_on"] = today().isoformat()
    posted = signing(pad, cast.petra, **keyed)
    assert office.post(reverse("sar-new"), {**posted, "amount": "x"}).status_code == 422
    assert office.post(reverse("sar-new"), posted).status_code == 302
    case = SarCase.objects.get()
    assert (case.patron, case.note, case.amount_cents) == (ana, kept, 2_970_000)
    url = reverse("sar-case", args=[case.pk])
    assert SEEN in words(office.get(url))

    def act(does: str, by: Person, client: Client, **more: str) -> int:
        page = words(client.get(f"{url}?does={does}"))
        return client.post(url, signing(page, by, **more)).status_code

    assert act("write", cast.petra, office, reason="Checked the tapes.") == 302
    assert act("not_filed", cast.petra, office, reason="Explained.") == 302
    assert "Second officer" in words(office.get(reverse("sar-cases")))
    assert act("agree", cast.petra, office) == 409
    assert act("withdraw", cast.petra, office, reason="More came up.") == 302
    filing = {"bsa_id": BSA_ID, "filed_on": today().isoformat()}
    assert act("filed", cast.petra, office, **filing) == 302
    other = signed_in(second, cast.devices[Place.OFFICE])
    assert act("agree", second, other) == 302
    assert BSA_ID in words(office.get(reverse("sar-cases")))
    assert act("review", cast.petra, office, reason="Nothing since.") == 302
    assert f"continues={case.pk}" in words(office.get(url))
    wrong = {"request_id": uuid4(), "does": "agree", "badge": cast.petra.badge}
    assert office.post(url, {**wrong, "pin": pin_of(cast.petra.badge)}).status_code == 409
    assert office.post(url, {**wrong, "does": "burn"}).status_code == 422


def api_answers(cast: Cast) -> dict[str, bytes]:
    """Return what every address of the API answers that reads, to a system that may read all."""
    client = client_of(cast)
    answers = {}
    for path, pattern in routes():
        wanted = pattern.pattern.converters
        if is_api(pattern) and set(wanted) <= {"card", "request_id", "round_id", "check_id", "day"}:
            named = {"card": "70014412", "request_id": 1, "round_id": 1, "check_id": 1}
            named["day"] = today().isoformat()
            url = reverse(str(pattern.name), kwargs={name: named[name] for name in wanted})
            answers[f"api {path}"] = plain(client.get(f"{url}?after=0").content)
    return answers


VERSION = re.compile(rb'poll\?v=\d+|"next":\d+')
NAMES_A_PATRON = {"patron_id", "card", "who", "document_id"}
LISTS_PATRONS = {"patrons", "search", "markers", "cash-log", "cash-multiple", "hosts", "inbox"}


def pages_of_patrons(cast: Cast, client: Client, role: Role, slip: Slip) -> dict[str, bytes]:
    """Return every page that names or lists patrons, of those that a role may open."""
    seen = {}
    for path, pattern in routes():
        names = NAMES_A_PATRON & set(pattern.pattern.converters)
        page = getattr(pattern.callback, "page", None)
        if page and role in PAGES[page] and (names or pattern.name in LISTS_PATRONS):
            answer = client.get(address(cast, slip, pattern), {"q": "ruiz"})
            seen[path] = plain(answer.content)
    return seen


def reports_of(client: Client, role: Role) -> dict[str, bytes]:
    """Return every report that a role may read, as a page and as a file."""
    seen = {}
    for entry in BOOK.values():
        if not may_open(role, entry.page):
            continue
        # Taking some away is on record, and the record would differ.
        for way in ("report",) if entry.noted else ("report", "report-csv"):
            answer = client.get(reverse(way, args=[entry.key]))
            seen[f"{way} {entry.key}"] = plain(b"".join(answer))
    return seen


def everything_about(cast: Cast, case: SarCase, second: Person) -> None:
    """Do all that is done about a case but open it."""
    write_to(case=case, text="More of it.", pen=cast.pen(cast.petra, Place.OFFICE))
    read_case(case=case, reader=cast.petra, device=None)
    agree(cast, proposed(cast, case, filed()), second)


@pytest.mark.parametrize("role", [role for role in Role if role != Role.COMPLIANCE])
def test_a142_no_page_of_a_patron_differs_by_a_byte_with_a_case_and_without(
    server_clock: ServerClock, cast: Cast, second: Person, role: Role
) -> None:
    ana = make_patron(cast, player_card="70014412")
    fill = cast.ask()
    log(cast, ana, 9_900, table=None)
    write_seal(now=server_clock.now)
    client = signed_in(someone(cast, role), cast.devices[Place.OFFICE])
    for scope in (scope for scope in Scope if scope.value.endswith(".read")):
        grant(cast, scope.value)
    read = records if role in READERS else lambda _: {}
    # A few roles open every page and report between them.
    everyone = who_open_everything()

    def whole_site(client: Client) -> dict[str, bytes]:
        return site_of(cast, client, role, fill) | reports_of(client, role)

    def seen() -> dict[str, bytes]:
        pages = {
            **pages_of_patrons(cast, client, role, fill),
            **(whole_site(client) if role in everyone else {}),
            **{f"record {label}": page for label, page in read(client).items()},
            **api_answers(cast),
        }
        # Some pages, and every call of a system, write down that they were read.
        for own in ("pitboss.JournalEntry", "tables.SystemCall"):
            pages.pop(f"record {own}", None)
        return {path: VERSION.sub(b"", page) for path, page in pages.items()}

    # What the reading itself leaves behind is there before both.
    seen()
    write_seal(now=server_clock.now)
    before = seen()
    if write_seal(now=server_clock.now) is not None:
        before = seen()
    assert ("patrons/<int:patron_id>/" in before) is (role in PAGES["patrons"])
    assert all(b"Ruiz" in page for path, page in before.items() if path.endswith("patron_id>/"))
    entries = JournalEntry.objects.exclude(chain__name="compliance")
    heads = entries.count()
    everything_about(cast, opened(cast, patron=ana), second)
    assert entries.count() == heads, "no other chain knows of it"
    after = seen()
    assert [path for path, page in before.items() if after[path] != page] == []
