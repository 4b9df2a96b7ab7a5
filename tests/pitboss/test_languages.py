"""Spanish for what a dealer and a patron read, English beneath, and nothing left untranslatable."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils.translation import gettext, override, trans_real

from pitboss.catalogs import catalogs_of_scripts, compiled, read_catalog, sources
from pitboss.models import JournalEntry, Person, Signature
from pitboss.rules.book.jobs import games, hand, money, shoe
from pitboss.rules.book.jobs.card import CardPart, JobCard
from pitboss.rules.cheques.cheques import BY_CENTS
from pitboss.rules.flows.attesting import every_attestation
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.flows.signing import count_refusals
from pitboss.rules.patrons.patron_reads import paying_words, promise_to_pay
from pitboss.rules.payouts.outcome import OUTCOMES
from pitboss.rules.paytables.printed import PAY_TABLES
from pitboss.rules.people.languages import LANGUAGES
from pitboss.rules.roles import Place, Role
from pitboss.rules.said import Said
from pitboss.rules.wagers.working import row_words
from pitboss.services.attempts import tries_sentence
from pitboss.services.house import the_property
from pitboss.services.pads import Pad, attested_by
from pitboss.slips.addresses import new_url
from pitboss.translating import translated
from pitboss.views.patron_signs import Reading
from tables.models import PayoutCheck
from tests.dealer_refusals import dealer_refusals
from tests.floor.cast import SOME_CHEQUES, Cast
from tests.floor.markers import make_patron
from tests.floor.payouts import open_with_terminal
from tests.floor.tablets import words
from tests.floor.terminals import TerminalClient, make_terminal
from tests.script_words import catalog_key, said_by_scripts, said_outside, texts
from tests.tables.test_day_pages import by, pad_of, signed_in

pytestmark = pytest.mark.django_db
NAMED = re.compile(r"\{\w+\}")
AGREED = (
    "Certifico que conté cada denominación con el supervisor presente y que las fichas coinciden "
    "con esta boleta."
)


def test_catalogs_are_compiled_as_they_are_written() -> None:
    assert {source.parts[-3] for source in sources()} == set(LANGUAGES) - {"en"}
    for source in sources():
        made = source.with_suffix(".mo").read_bytes()
        assert made == compiled(read_catalog(source.read_text())), "run: manage.py catalogs"


def test_a_translation_names_what_its_sentence_names() -> None:
    for source in sources():
        for message, said in read_catalog(source.read_text()).items():
            names = re.compile(r"\{\w+\}|%\(\w+\)s|</?b>")
            assert sorted(names.findall(message)) == sorted(names.findall(said)), message


def test_all_that_a_dealer_attests_is_said_in_spanish() -> None:
    said = dict(every_attestation(FLOWS))
    dealers = {
        step.attests
        for flow in FLOWS.values()
        for step in (*flow.steps, *flow.void, *flow.relief)
        if Role.DEALER in step.roles or step.drawn
    }
    dealers |= {said["act.tap_in"], said["act.tap_out"]}
    with override("es"):
        assert not [sentence for sentence in dealers if gettext(sentence) == sentence]


def speaks_spanish(person: Person) -> Person:
    person.language = "es"
    person.save(update_fields=["language"])
    return person


def test_a_pad_is_read_in_spanish_with_the_english_beneath_and_kept_so(cast: Cast) -> None:
    fill = cast.ask()
    cast.carry(fill)
    url = reverse("slip", args=[fill.serial])
    client = signed_in(cast, cast.alice)
    english = words(client.get(url))
    assert 'lang="es" hreflang="es">Español</a>' in english
    assert AGREED not in english
    read = client.get(f"{url}?lang=es")
    page = words(read)
    assert AGREED in page
    assert "I certify that I counted every denomination with the supervisor present" in page
    assert "Gafete del oficial que trajo las fichas" in page
    sent = {**pad_of(read), **by(cast.dan), "officer_badge": cast.frank.badge}
    sent |= {"agree_10000": "20", "agree_2500": "20"}
    wrong = client.post(
        reverse("slip-sign", args=[fill.serial, "main", "agreed"]), {**sent, "pin": "000000"}
    )
    assert AGREED in words(wrong)
    signed = client.post(reverse("slip-sign", args=[fill.serial, "main", "agreed"]), sent)
    assert signed.status_code == 302
    pad = json.loads(Signature.objects.get(step="agreed").shown)["pad"]
    assert (pad["language"], pad["text"]) == ("es", AGREED)
    assert pad["english"] in page
    assert pad["entered"] == [["Gafete del oficial que trajo las fichas", cast.frank.badge]]


def test_a_person_chooses_what_they_read(cast: Cast) -> None:
    client, url = signed_in(cast, cast.dan), reverse("own-secrets")
    assert client.post(url, {"language": "es"}).status_code == 302
    assert client.post(url, {"language": "xx"}).status_code == 422
    assert Person.objects.get(pk=cast.dan.pk).language == "es"
    entry = JournalEntry.objects.get(kind="language_chosen")
    assert json.loads(entry.text)["body"] == {"language": "es"}
    assert client.post(url, {"language": "es"}).status_code == 302
    assert JournalEntry.objects.filter(kind="language_chosen").count() == 1


def test_what_a_person_chose_is_what_their_pads_say_on_a_posted_page_too(cast: Cast) -> None:
    cast.deliver(cast.ask())
    client = signed_in(cast, speaks_spanish(cast.alice))
    tap = words(client.get(reverse("dealer", args=["BJ-11"])))
    assert "Soy el crupier de la mesa BJ-11 a partir de este momento." in tap
    assert "I am the dealer at BJ-11 from this time." in tap
    url = new_url("opener", table="BJ-11")
    keyed = {f"cheques_{cents}": str(count) for cents, count in SOME_CHEQUES.items()}
    response = client.post(url, keyed)
    assert "Certifico que conté esta bandeja" in words(response)
    back = client.post(url, {**keyed, "lang": "en"})
    assert "Certifico" not in words(back)
    assert Signature.objects.filter(slip__kind="opener").count() == 0


def test_a_patron_reads_what_they_sign_in_their_language() -> None:
    promise = promise_to_pay(
        payee="Tide", amount_cents=300_000, table="BJ-11", bank="First", due_on=date(2026, 5, 15)
    )
    assert all(isinstance(item, Said) for item in promise)
    with override("es"):
        for word in (*promise, *paying_words(payee="T", amount_cents=1, serials="ab", win="J-1")):
            assert isinstance(word, Said)
            assert gettext(word.words) != word.words


def test_a_patrons_language_is_on_file(cast: Cast) -> None:
    patron = make_patron(cast)
    client = signed_in(cast, cast.erin, Place.CAGE)
    url = reverse("patron-edit", args=[patron.pk])
    read = client.get(url)
    keyed = {"first_name": patron.first_name, "last_name": patron.last_name, "country": "US"}
    sent = {**pad_of(read), **by(cast.erin), **keyed, "tax_country": "US", "language": "es"}
    assert client.post(url, {**sent, "language": "xx"}).status_code == 422
    assert client.post(url, sent).status_code == 302
    patron.refresh_from_db()
    assert patron.language == "es"


def test_a_terminal_reads_what_a_dealer_attests_and_says_in_which_language(cast: Cast) -> None:
    cast.deliver(cast.ask())
    cast.open_table(SOME_CHEQUES)
    terminal = TerminalClient(make_terminal(cast.table))
    attests = terminal.get("table").json()["attests"]
    assert attests["tap_in"] == {
        "en": "I am the dealer at BJ-11 from this time.",
        "es": "Soy el crupier de la mesa BJ-11 a partir de este momento.",
    }
    assert set(attests) == {"tap_in", "tap_out", "jackpot", "big_win"}
    tap = {**by(cast.dora), "language": "es"}
    assert terminal.post("dealer/in", {**tap, "language": "xx"}).status_code == 422
    assert terminal.post("dealer/in", tap).status_code == 200
    entry = JournalEntry.objects.filter(kind="tapped_in").latest("pk")
    kept = json.loads(entry.text)["attested"]
    assert (kept["language"], kept["text"]) == ("es", attests["tap_in"]["es"])
    assert kept["english"] == attests["tap_in"]["en"]


# --- the pseudo-locale: every word of a template that is not wrapped was left out.

_DATA = re.compile(r"[\d\s$.,:·–—-]*")


class _Pseudo:
    """A language in which everything is in brackets."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def pgettext(self, context: str, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, one: str, many: str, number: int) -> str:
        return f"⟦{one if number == 1 else many}⟧"

    def to_language(self) -> str:
        return "es"

    def info(self) -> dict[str, str]:
        return {}


@pytest.fixture
def pseudo() -> Iterator[None]:
    catalogs: dict[str, Any] = vars(trans_real)["_translations"]
    catalogs["es"] = _Pseudo()
    yield
    catalogs.pop("es")


def unwrapped(page: str, *data: str) -> list[str]:
    """Return the words of a page that no catalog was asked for, and that are not data."""
    page = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>", "", page)
    said = re.findall(r">([^<>]+)<", page)
    said += re.findall(r'(?:aria-label|title|placeholder|data-busy)="([^"]*)"', page)
    texts = [" ".join(html.unescape(item).split()) for item in said]
    return [
        text
        for text in texts
        if text and not text.startswith("⟦") and not text.endswith("⟧")
        and not _DATA.fullmatch(text) and text not in data
    ]  # fmt: skip


def pseudo_pad(**more: Any) -> dict[str, Any]:
    attested = attested_by("tap_in", table="BJ-11").read_in("es")
    return {
        "url": "/", "language": "es", "languages": (), "request_id": "1", "attested": attested,
        "sealed": Pad(attested, "/").sealed(), "button": gettext("Sign"), "badge": "104",
        "badge_url": "/badge/", "person": None, "inputs": (), **more,
    }  # fmt: skip


def test_no_word_of_a_pad_is_left_out_of_the_catalog(pseudo: None) -> None:
    with override("es"):
        select = {"name": "said_source", "label": gettext("Paid from"), "choices": ()}
        page = render_to_string("_sign_pad.html", {"pad": pseudo_pad(select=select)})
        unknown = render_to_string("_badge_name.html", {"unknown": True})
    assert unwrapped(page, "I am the dealer at BJ-11 from this time.") == []
    assert unwrapped(f">{unknown}<") == []
    assert "⟦I am the dealer at BJ-11 from this time.⟧" in page


def test_no_word_of_the_patrons_screen_is_left_out_of_the_catalog(pseudo: None, cast: Cast) -> None:
    reading = Reading("es", "⟦Marker⟧ M-1", 300_000, "⟦words⟧", "", (), [("⟦I promise.⟧", "")])
    drawing = {"name": "Ana Ruiz", "documents": (), "width": 9, "height": 9, "drawn": ""}
    with override("es"):
        context = {
            "heading": "Marker M-1", "payee": the_property().name, "read": reading, "ways": (),
            "pad": pseudo_pad(drawing=drawing), "demo_bar_hidden": True,
        }  # fmt: skip
        page = render_to_string("pitboss/patron_signs.html", context)
    main = page[page.index("<main") : page.index("</main>")]
    beneath = "I am the dealer at BJ-11 from this time."
    left = unwrapped(main, the_property().name, "⟦Marker⟧ M-1 ·", "Ana Ruiz", beneath)
    assert left == []


# --- the scripts of the terminal


def test_every_sentence_of_the_felt_is_said_in_spanish() -> None:
    said = said_by_scripts()
    assert len(said) > 300
    for language, catalog in catalogs_of_scripts().items():
        left = [f"{name}: {words}" for words, name in said.items() if words not in catalog]
        assert left == [], f"no {language} for these"


def test_every_line_of_every_job_card_is_said_in_spanish() -> None:
    cards = [
        var
        for module in (shoe, hand, money, games)
        for var in vars(module).values()
        if isinstance(var, JobCard)
    ]
    job_card = {words for card in cards for words in (card.title, *card.lines)} | {*CardPart}
    assert (len(cards), len(job_card)) > (30, 240)
    for language, catalog in catalogs_of_scripts().items():
        assert sorted(job_card - catalog.keys()) == [], f"no {language} for these"


def test_no_word_of_the_felt_is_left_out_of_the_catalog() -> None:
    assert said_outside() == []


def test_what_is_filled_in_is_numbered_and_what_is_for_programs_is_no_word() -> None:
    script = 't`Pay ${a}, not ${b(`x ${c}`)}.`; h("p", { class: "a b" }, "Left out")'
    found = texts(script)
    assert next(catalog_key(text.words) for text in found) == "Pay {0}, not {1}."
    assert "Left out" in [text.words for text in found]


@pytest.mark.usefixtures("cast")
def test_the_terminal_brings_its_words_and_a_pad_in_each_language(client: Client) -> None:
    page = client.get("/terminal/").content.decode()
    brought = json.loads(re.findall(r'id="catalogs"[^>]*>(.*?)</script>', page)[0])
    assert brought == catalogs_of_scripts()
    english, spanish = re.findall(r'(?s)<template id="pad-\w+">(.*?)</template>', page)
    assert (">Badge<" in english, ">Gafete<" in spanish) == (True, True)
    assert re.findall(r'data-(?:words|label)="([^"]*)"', page) == ["Skip to content", "Acts"]
    assert {"Skip to content", "Acts"} <= set(brought["es"])


# --- the refusals that a dealer or a patron meets


def test_every_refusal_that_a_dealer_meets_is_said_in_spanish() -> None:
    written = list(dealer_refusals())
    assert len(written) > 350
    known = read_catalog(sources()[0].read_text())
    left = [
        where
        for where, words in written
        if words not in known
        and (not words or re.search("[A-Za-z]", re.sub(r"\{\w+\}", "", words)))
    ]
    assert left == [], "filled in where it is written, or without Spanish"


def test_every_way_a_bet_comes_out_and_every_row_that_pays_is_said_in_spanish() -> None:
    rows = {
        row_words(row)
        for tables in PAY_TABLES.values()
        for table in tables.values()
        for row in table.pays
    }
    pays = {
        pay.said.words
        for tables in PAY_TABLES.values()
        for table in tables.values()
        for pay in table.pays.values()
        if pay.said.words != "{part_0}"
    }
    assert (len(rows), len(pays)) > (30, 3)
    known = read_catalog(sources()[0].read_text())
    assert sorted({*rows, *pays, *OUTCOMES} - known.keys()) == []


@pytest.mark.django_db(transaction=True)
def test_a_bet_comes_out_in_the_language_that_was_asked_for_and_is_kept_in_english(
    cast: Cast,
) -> None:
    terminal = open_with_terminal(cast)
    main = {"wager": "blackjack", "bet": {"2500": 1}}
    fields = {"dealer": ["9", "2", "7"], "seats": [
        {"seat": 5, "bets": [main], "hands": [{"cards": ["T", "9"]}]},
        {"seat": 4, "bets": [main], "hands": [{"cards": ["T", "5", "9"]}]},
    ]}  # fmt: skip
    claim = {"wager": "blackjack", "stake_cents": 500_000, "player_cards": ["9c", "Kd"],
             "dealer_cards": ["9s", "8h"], "paid_cents": 500_000}  # fmt: skip
    terminal.headers["accept-language"] = "es"
    body = terminal.post("felt", fields).json()
    assert [seat["lines"][0]["words"] for seat in body["seats"]] == ["19 gana a 18", "Se pasó"]
    trilux = {"wager": "trilux", "stake_cents": 500}
    unsuited = {"seat": 3, "bets": [main, trilux], "hands": [{"cards": ["T", "2"]}]}
    left = terminal.post("felt", {**fields, "seats": [unsuited]}).json()["seats"][0]["lines"][1]
    assert left["working"] == "Ingrese los palos. Esta apuesta depende de ellos."
    key = str(uuid4())
    checked = terminal.post("checks", claim, key).json()
    (approval, *_) = checked["approvals"]
    assert "necesita aprobación" in approval["message"]
    assert checked["working"] == "19 gana a 17. $5,000 gana $5,000."
    terminal.headers.pop("accept-language")
    assert terminal.post("checks", claim, key).json() == checked
    kept = PayoutCheck.objects.get().answer
    assert "needs approval" in kept["approvals"][0]["message"]
    assert kept["working"].startswith("Player's 19 beats the dealer's 17")
    assert "needs approval" in terminal.post("checks", claim).json()["approvals"][0]["message"]


def test_a_terminal_reads_its_pay_tables_in_the_language_that_it_asks_for(cast: Cast) -> None:
    terminal = open_with_terminal(cast)
    english = terminal.get("table")
    terminal.headers["accept-language"] = "es"
    spanish = terminal.get("table")
    assert english.headers["ETag"] != spanish.headers["ETag"]
    rows = [
        [(row["name"], row["pays"]) for wager in read.json()["wagers"]
         for row in wager["paytable"]["rows"]]
        for read in (english, spanish)
    ]  # fmt: skip
    place = rows[0].index(("Straight flush", "9 to 1"))
    assert rows[1][place] == ("Escalera de color", "9 a 1")
    assert [pays for _, pays in rows[1] if " to " in pays or " of " in pays] == []


def test_every_role_status_and_cheque_that_a_refusal_names_has_spanish() -> None:
    named = [*(role.label for role in Role), *SlipStatus, *Place]
    named += [cheque.name for cheque in BY_CENTS.values()]
    known = read_catalog(sources()[0].read_text())
    assert [str(item) for item in named if str(item) not in known] == []


def test_a_refusal_is_said_by_what_it_was_made_of_and_stays_english_beneath() -> None:
    wrong = Said("Wrong PIN for {person}. {tries}", person="A. Ruiz", tries=tries_sentence(4, None))
    assert wrong == "Wrong PIN for A. Ruiz. 4 tries left."
    with override("es"):
        assert translated(wrong) == "PIN incorrecto para A. Ruiz. Quedan 4 intentos."
        (differs,) = count_refusals({2_500: 100}, {2_500: 80})
        assert translated(differs.message) == (
            "El conteo no coincide: $25 verde. La boleta dice 100, usted contó 80."
        )
        ended = Said("{signer}’s license expired on {expired_on}. Call the shift manager.",
                     signer="A. Ruiz", expired_on=date(2026, 5, 15))  # fmt: skip
        assert "venció el 15 de mayo de 2026" in translated(ended)
    assert (
        translated(ended)
        == ended
        == ("A. Ruiz’s license expired on May 15, 2026. Call the shift manager.")
    )


def test_a_terminal_is_refused_in_the_language_that_it_asks_for(cast: Cast) -> None:
    cast.deliver(cast.ask())
    cast.open_table(SOME_CHEQUES)
    terminal = TerminalClient(make_terminal(cast.table))
    tap = {"badge": cast.dora.badge, "pin": "000000"}
    english = terminal.post("dealer/in", tap).json()
    terminal.headers["accept-language"] = "es-US,es;q=0.9"
    spanish = terminal.post("dealer/in", tap).json()
    terminal.headers["accept-language"] = "xx"
    unknown = terminal.post("dealer/in", tap).json()
    name = str(cast.dora)
    assert english["detail"] == f"Wrong PIN for {name}. 4 tries left."
    assert spanish["detail"] == f"PIN incorrecto para {name}. Quedan 3 intentos."
    assert spanish["refusals"][0]["code"] == english["refusals"][0]["code"]
    assert unknown["detail"] == f"Wrong PIN for {name}. 2 tries left."


def test_a_pad_in_spanish_refuses_in_spanish(cast: Cast) -> None:
    fill = cast.ask()
    cast.carry(fill)
    client = signed_in(cast, speaks_spanish(cast.alice))
    read = client.get(reverse("slip", args=[fill.serial]))
    sent = {**pad_of(read), **by(cast.dan), "officer_badge": cast.frank.badge, "agree_2500": "1"}
    wrong = client.post(reverse("slip-sign", args=[fill.serial, "main", "agreed"]), sent)
    assert "El conteo no coincide: $25 verde." in words(wrong)


def test_all_that_a_dealer_may_ask_is_said_in_spanish(cast: Cast) -> None:
    cast.deliver(cast.ask())
    cast.open_table(SOME_CHEQUES)
    kinds = TerminalClient(make_terminal(cast.table)).get("requests/kinds").json()
    said = {
        words
        for kind in kinds
        for words in (
            kind["title"],
            kind["words"],
            kind["heading"],
            *kind["guide"],
            *(ask["title"] for ask in kind["asks"]),
            *(choice["words"] for ask in kind["asks"] for choice in ask["choices"]),
        )
    }
    said = {words for words in said if re.search("[A-Za-z]", words)}
    assert len(said) > 150
    for catalog in catalogs_of_scripts().values():
        assert sorted(said - catalog.keys()) == []
