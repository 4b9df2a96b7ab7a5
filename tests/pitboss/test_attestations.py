"""What is signed is what was read: the sentence, its language, and what stood beside it."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from django.conf import settings
from django.core import signing
from django.urls import reverse

from pitboss.models import JournalEntry, Signature, Slip
from pitboss.rules.canonical import digest
from pitboss.rules.flows.attesting import ACTS
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services import house, journal
from pitboss.services.attestations import BOOK, book, current, grown, page, version_of
from pitboss.services.pads import Pad, attested_by, without_pad
from pitboss.services.shown import slip_shown
from pitboss.services.verification import verify
from pitboss.slips.addresses import new_url
from tables.models import Dealing
from tests.floor.cast import SOME_CHEQUES, Cast, pin_of
from tests.floor.tablets import words
from tests.tables.test_day_pages import by, pad_of, signed_in
from tests.visible import PROJECT

pytestmark = pytest.mark.django_db
LANGUAGES = tuple(code for code, _ in settings.LANGUAGES)


def open_the_table(cast: Cast) -> None:
    cast.deliver(cast.ask())
    cast.open_table(SOME_CHEQUES)


def read_of(response: Any) -> str:
    """Return what a person reads on a page, without what stands in tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", words(response))).split())


def test_no_sentence_changes_without_a_new_version() -> None:
    known = book()
    for which, said in current(LANGUAGES).items():
        assert known.get(which, [None])[-1] == said, f"{which}: run manage.py attestations --freeze"
    changed = {**current(LANGUAGES), "fill.issued": {"en": "I certify nothing."}}
    assert grown(known, changed)["fill.issued"] == [
        *known["fill.issued"],
        {"en": "I certify nothing."},
    ]
    assert version_of("fill.issued", known["fill.issued"][-1]["en"]) == len(known["fill.issued"])
    assert version_of("fill.issued", "I said this in an earlier release.") == 0


# What is no whole statement of a person: no one says it, or it points at the screen.
_NO_STATEMENT = re.compile(
    r"^(?!.*\bI\b)|[^.]$|\w’(?:t|re|ve|ll|m)\b|\bas it stands\b|\bso high\b|;"
)


def test_every_sentence_is_a_whole_one_in_the_first_person_and_without_contractions() -> None:
    said = current(LANGUAGES)
    assert len(said) > 500
    assert {
        which: item["en"] for which, item in said.items() if _NO_STATEMENT.search(item["en"])
    } == {}


def test_the_versions_are_written_down() -> None:
    written = (PROJECT / "docs" / "attestations.md").read_text()
    assert written == page(book()), "run: manage.py attestations > docs/attestations.md"
    assert json.loads(BOOK.read_text()) == book()


def test_every_act_without_a_slip_has_a_pad() -> None:
    shown = "".join(
        path.read_text()
        for part in ("pitboss", "tables", "inventory", "jackpots", "templates")
        for path in (PROJECT / part).rglob("*.*")
        if path.suffix in (".py", ".html") and path.name != "attesting.py"
    )
    assert not [act for act in ACTS if f'"{act}"' not in shown]


def test_the_first_signer_signs_the_very_text_that_they_read(cast: Cast) -> None:
    client, url = signed_in(cast, cast.alice), new_url("fill", table="BJ-11")
    response = client.post(url, {"cheques_2500": "40", "cheques_10000": "20"})
    assert client.post(url, {**pad_of(response), **by(cast.alice)}).status_code == 302
    signature = Signature.objects.get()
    signed = json.loads(signature.shown)
    assert signed["cheques"] == {"2500": 40, "10000": 20}
    assert signed["pad"] == {
        "id": "fill.requested",
        "version": 1,
        "language": "en",
        "text": "I certify that this table requires the cheques listed on this slip, and I request "
        "them from the cage.",
        "says": signed["pad"]["says"],
        "entered": [],
        "track": "main",
        "step": "requested",
    }
    assert ["$100", "20"] in signed["pad"]["says"]
    assert ["Total", "$3,000"] in signed["pad"]["says"]
    page_read = read_of(response)
    assert signed["pad"]["text"] in page_read
    for label, value in signed["pad"]["says"]:
        assert label in page_read, f"{label} was not on the page"
        assert value in page_read, f"{value} was not on the page"
    assert signature.shown_hash == digest(signature.shown)
    entry = JournalEntry.objects.get(kind="fill.requested")
    assert json.loads(entry.text)["body"]["shown_hash"] == signature.shown_hash
    assert verify().is_sound


def test_the_next_signer_does_and_what_they_entered_is_in_it(cast: Cast) -> None:
    fill = cast.ask()
    client = signed_in(cast, cast.trent, Place.CAGE)
    read = client.get(f"{reverse('slip', args=[fill.serial])}?track=void")
    url = reverse("slip-sign", args=[fill.serial, "void", "voided"])
    sent = {**pad_of(read), **by(cast.trent), "reason": "Asked for twice."}
    assert client.post(url, sent).status_code == 302
    pad = json.loads(Signature.objects.get(step="voided").shown)["pad"]
    assert pad["text"] in read_of(read)
    assert (pad["id"], pad["track"], pad["step"]) == ("fill.void.voided", "void", "voided")
    assert pad["entered"] == [["Reason", "Asked for twice."]]
    # The same form sent again is the same signature, and so is the signature's own text.
    assert client.post(url, sent).status_code == 302
    assert Signature.objects.filter(step="voided").count() == 1


def refused_with(answer: Any, status: int = 409) -> str:
    assert answer.status_code == status, answer.status_code
    entry = JournalEntry.objects.filter(kind__in=["sign_refused", "act_refused"]).latest("pk")
    (code,) = json.loads(entry.text)["body"]["codes"]
    return str(code)


def test_the_pad_of_one_slip_signs_no_other(cast: Cast) -> None:
    first, second = cast.ask(), cast.ask()
    client = signed_in(cast, cast.erin, Place.CAGE)
    pads = {
        slip: pad_of(client.get(reverse("slip", args=[slip.serial]))) for slip in (first, second)
    }
    url = reverse("slip-sign", args=[second.serial, "main", "issued"])
    counted = {"agree_10000": "20", "agree_2500": "20"}
    mine = {**pads[second], **by(cast.erin), **counted}
    # The text of the one is not what the other says.
    assert refused_with(client.post(url, {**mine, **pads[first]})) == "stale_screen"
    for wrong in (
        {**pads[first], "shown": pads[second]["shown"]},
        {"pad": pads[first]["pad"]},
        {"pad": ""},
        {"pad": "x" + pads[second]["pad"]},
        {"pad": signing.dumps({"for": []}, salt="another")},
    ):
        assert refused_with(client.post(url, {**mine, **wrong})) == "wrong_pad"
    assert not Signature.objects.filter(step="issued").exists()
    assert client.post(url, mine).status_code == 302


def test_the_pad_of_one_act_does_no_other(cast: Cast) -> None:
    open_the_table(cast)
    client, url = signed_in(cast, cast.alice), reverse("dealer", args=["BJ-11"])
    pad = pad_of(client.get(url))
    out = client.post(f"{url}?tap=out", {**pad, **by(cast.dora)})
    assert refused_with(out) == "wrong_pad"
    assert client.post(url, {**pad, **by(cast.dora)}).status_code == 302
    assert Dealing.objects.get(ended_at=None).dealer == cast.dora


def attested_in(kind: str) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(JournalEntry.objects.filter(kind=kind).latest("pk").text)
    return dict(body["attested"])


def test_tapping_in_and_out_keeps_its_sentence(cast: Cast) -> None:
    open_the_table(cast)
    client, url = signed_in(cast, cast.alice), reverse("dealer", args=["BJ-11"])
    assert "The rack is clean, with black and higher lammered off." in ACTS["tap_out"]
    for kind, act, address, version in (
        ("tapped_in", "tap_in", url, 1),
        ("tapped_out", "tap_out", f"{url}?tap=out", 2),
    ):
        read = client.get(address)
        assert client.post(address, {**pad_of(read), **by(cast.dora)}).status_code == 302
        kept = attested_in(kind)
        assert kept["text"] in read_of(read)
        assert kept == {
            "id": f"act.{act}",
            "version": version,
            "language": "en",
            "text": ACTS[act].format(table="BJ-11"),
            "says": [],
            "entered": [],
        }
    assert verify().is_sound


def test_a_device_and_an_unlocked_badge_keep_their_sentences(cast: Cast) -> None:
    client = signed_in(cast, cast.heidi, Place.OFFICE)
    url = reverse("badge-unlock", args=[cast.dan.pk])
    read = client.get(url)
    assert client.post(url, {**pad_of(read), **by(cast.heidi)}).status_code == 302
    kept = attested_in("badge_unlocked")
    assert kept["text"] == "I know who entered the wrong PIN, and I unlock the badge of D. Danson."
    assert kept["text"] in read_of(read)
    url = reverse("devices")
    read = client.get(url)
    sent = {**pad_of(read), **by(cast.heidi), "name": "Tablet 9", "place": "cage"}
    assert client.post(url, sent).status_code == 302
    assert attested_in("device_offered")["entered"] == [
        ["Device name", "Tablet 9"],
        ["Place", "cage"],
    ]


def test_a_secret_on_a_pad_is_never_kept(cast: Cast) -> None:
    client, url = signed_in(cast, cast.alice), reverse("own-secrets")
    old = pin_of(cast.alice.badge)
    sent = {
        **fields(client.get(url)),
        "old_pin": old,
        "new_pin": "482915",
        "new_pin_again": "482915",
    }
    assert client.post(url, sent).status_code == 302
    kept = attested_in("own_pin_changed")
    assert kept["text"] == ACTS["change_own_pin"]
    assert "482915" not in json.dumps(kept)


def fields(response: Any) -> dict[str, str]:
    hidden = re.findall(r'<input type="hidden" name="(pad)" value="([^"]*)"', words(response))
    return {name: html.unescape(value) for name, value in hidden}


def test_a_signature_of_an_earlier_release_stays_and_verifies(cast: Cast) -> None:
    fill = cast.ask()
    shown = slip_shown(fill)
    assert "pad" not in json.loads(shown)
    assert without_pad(shown) == shown
    first = Signature.objects.get()
    assert without_pad(first.shown) != first.shown
    old = Signature(
        slip=fill, track="main", step="issued", person=cast.erin, signed_as="E. Erinson",
        role="cashier", device=cast.devices[Place.CAGE], place="cage", signed_at=house.now(),
        shown=shown, shown_hash=digest(shown), counted=fill.cheques,
        request_id=cast.pen(cast.erin).request_id, request_hash="",
    )  # fmt: skip
    old.save(force_insert=True)
    journal.write(
        chain=journal.chain_of(fill.table, "cage"), kind="fill.issued", body={}, at=house.now(),
        person=cast.erin, slip=fill, rows=[old],
    )  # fmt: skip
    assert verify().is_sound
    cast.sign(Slip.objects.get(pk=fill.pk), "carried", cast.grace, Place.CAGE)
    assert verify().is_sound


def test_a_sealed_pad_says_what_it_was_shown_for() -> None:
    pad = Pad(
        attested_by("tap_in", table="BJ-11").read_in(), "/tables/BJ-11/dealer/?b=2&a=1", act="x"
    )
    body = signing.loads(pad.sealed(), salt="pitboss.pad")
    assert body["for"] == ["/tables/BJ-11/dealer/", [["a", "1"], ["b", "2"]], digest(""), "x"]
    assert body["said"] == attested_by("tap_in", table="BJ-11").read_in().said()


def test_a_service_without_a_page_keeps_the_steps_own_sentence(cast: Cast) -> None:
    fill = cast.ask()
    pad = json.loads(Signature.objects.get(slip=fill).shown)["pad"]
    assert (pad["id"], pad["version"], pad["language"]) == ("fill.requested", 1, "en")
    with pytest.raises(Refused):
        cast.sign(fill, "issued", cast.alice, Place.CAGE)
