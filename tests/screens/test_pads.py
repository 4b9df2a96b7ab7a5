"""The pads in a real browser: what a person keys, what they see at once, what is sent.

The pages are drawn from the site's own templates; no view is asked, so that a pad can be tested
before and apart from the act it serves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page, Route, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Show = Callable[..., list[dict[str, list[str]]]]

COUNT = {
    "url": "/posted",
    "request_id": "5f0c2d1e",
    "by": "stacks",
    "rows": [
        {"cents": cents, "stacks": "", "odd": "", "cheques": "", "dollars": ""}
        for cents in (10_000, 2_500, 250)
    ],
}
PAD = {
    "url": "/posted",
    "request_id": "0b1dd0a2",
    "shown": "{}",
    "language": "en",
    "attested": {"text": "I counted every line.", "language": "en"},
    "button": "Sign as dealer",
    "badge_url": "/whose-badge",
}
ASK = {
    "url": "/posted",
    "request_id": "c7a5f1f0",
    "rows": [
        {"cents": 50_000, "held": 18, "par": 20, "asked": 0, "step": 1},
        {"cents": 2_500, "held": 96, "par": 200, "asked": 100, "step": 20},
    ],
    "total_cents": 250_000,
    "tray_cents": 1_140_000,
}


@pytest.fixture
def show(tablet: Page) -> Show:
    """Return what draws a page at /shown and collects what is posted from it."""

    def draw(template: str, answer: int = 200, **context: Any) -> list[dict[str, list[str]]]:
        posted: list[dict[str, list[str]]] = []
        back = {"url": "#", "label": "BJ-24"}
        page = render_to_string(template, {"heading": "Pad", "back": back, **context})

        def collect(route: Route) -> None:
            posted.append(parse_qs(route.request.post_data or "", keep_blank_values=True))
            if answer:
                route.fulfill(status=answer, body=page, content_type="text/html")
            else:
                route.abort()

        whose = render_to_string(
            "_badge_name.html", {"person": {"name": "M. Okafor", "role": "dealer"}}
        )
        tablet.route("**/shown", lambda route: route.fulfill(body=page, content_type="text/html"))
        tablet.route("**/posted", collect)
        tablet.route("**/whose-badge?*", lambda route: route.fulfill(body=whose))
        tablet.goto("/shown")
        return posted

    return draw


def test_a_keyed_zero_is_a_count_and_an_untouched_cell_blocks_done(
    show: Show, tablet: Page
) -> None:
    posted = show("pitboss/count_new.html", count=COUNT)
    done = tablet.get_by_role("button", name="Review and sign")

    for digits in ("5", "1", "9", "16", "0"):
        tablet.keyboard.type(digits)
        tablet.keyboard.press("Enter")
    expect(done).to_have_attribute("aria-disabled", "true")
    expect(tablet.locator("#count-left")).to_contain_text("Still to count: $2.50 odd.")
    expect(tablet.locator("[data-say=progress]")).to_have_text("2 of 3 counted")

    tablet.keyboard.type("0")
    expect(tablet.locator("[data-say=total]")).to_have_text("$15,000")
    done.click()

    # The answer is a fresh form.
    expect(tablet.get_by_label("$25 green, odd cheques")).to_have_value("")
    assert [posted[0][f"{part}_2500"] for part in ("stacks", "odd")] == [["9"], ["16"]]
    assert (posted[0]["stacks_250"], posted[0]["odd_250"]) == (["0"], ["0"])


def test_the_keypad_fills_the_lit_cell_and_next_goes_on(show: Show, tablet: Page) -> None:
    show("pitboss/count_new.html", count=COUNT)
    cell = tablet.get_by_label("$100 black, full stacks of 20")

    for key in "123":
        tablet.locator(f"[data-key='{key}']").tap()
    tablet.get_by_role("button", name="Delete last digit").tap()
    expect(cell).to_have_value("12")

    tablet.get_by_role("button", name="Next").tap()
    expect(tablet.get_by_label("$100 black, odd cheques")).to_be_focused()


def test_another_way_to_key_keeps_the_count_and_dollars_must_be_whole_cheques(
    show: Show, tablet: Page
) -> None:
    show("pitboss/count_new.html", count=COUNT)
    for digits in ("5", "1", "9", "16", "0", "3"):
        tablet.keyboard.type(digits)
        tablet.keyboard.press("Enter")

    tablet.get_by_text("Dollars", exact=True).first.click()
    expect(tablet.get_by_label("$2.50 pink, dollars")).to_have_value("7.50")
    tablet.get_by_label("$25 green, dollars").fill("30")
    tablet.get_by_label("$100 black, dollars").focus()

    expect(tablet.locator("#error-2500")).to_have_text(
        "$30 isn’t an exact number of $25 cheques. Did you mean $25 or $50?"
    )
    expect(tablet.get_by_role("button", name="Review and sign")).to_have_attribute(
        "aria-disabled", "true"
    )


def test_a_badge_reader_ends_with_enter_and_that_leads_to_the_pin(show: Show, tablet: Page) -> None:
    posted = show("pitboss/signed_act.html", pad=PAD)

    tablet.keyboard.type("31882")
    tablet.keyboard.press("Enter")

    expect(tablet.locator("#pin")).to_be_focused()
    expect(tablet.locator("#badge-name")).to_contain_text("M. Okafor")
    assert posted == []


def test_a_pin_is_six_dots_and_a_second_tap_sends_nothing(show: Show, tablet: Page) -> None:
    posted = show("pitboss/signed_act.html", pad=PAD)
    tablet.keyboard.type("31882")
    tablet.keyboard.press("Enter")

    for key in "2718281":
        tablet.locator(f"[data-key='{key}']").tap()
    expect(tablet.locator("#pin-said")).to_have_text("6 of 6 digits entered")
    expect(tablet.locator(".pin__dots .is-on")).to_have_count(6)
    tablet.get_by_role("button", name="Sign as dealer").dblclick()

    expect(tablet.locator("#pin-said")).to_have_text("0 of 6 digits entered")
    assert [(form["badge"], form["pin"]) for form in posted] == [(["31882"], ["271828"])]


def test_a_refusal_takes_the_focus_and_the_address_stays(show: Show, tablet: Page) -> None:
    refusals = [{"code": "wrong_pin", "message": "Wrong PIN. 4 tries left."}]
    show("pitboss/signed_act.html", answer=422, pad={**PAD, "badge": "31882"}, refusals=refusals)

    tablet.locator("#pin").fill("000000")
    tablet.get_by_role("button", name="Sign as dealer").click()

    expect(tablet.locator("#pin")).to_have_value("")
    expect(tablet.locator("[data-refusal]")).to_be_focused()
    expect(tablet).to_have_url(tablet.url.partition("/shown")[0] + "/shown")


def test_without_an_answer_the_form_stays_asks_what_became_of_it_and_is_sent_anew(
    show: Show, tablet: Page
) -> None:
    posted = show("inventory/fill_new.html", answer=0, ask=ASK)
    asked: list[str] = []
    fields = {"state": "not_done", "wrong": "Not signed.", "to_do": "Do it again.", "url": ""}

    def tell(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(json=fields) if len(asked) == 2 else route.abort()

    tablet.route("**/requests/**", tell)
    ask = tablet.get_by_role("button", name="Request $2,500")

    ask.click()
    expect(tablet.get_by_role("alert")).to_contain_text("We don’t know yet")
    expect(ask).to_be_disabled()
    expect(tablet.get_by_role("alert")).to_contain_text("Not signed. Do it again.")
    ask.click()
    expect(tablet.get_by_role("alert")).to_contain_text("We don’t know yet")

    first, second = [form["request_id"][0] for form in posted]
    assert first == "c7a5f1f0"
    assert str(UUID(second)) == second
    assert all(f"/requests/{first}/" in url for url in asked[:2])


def test_one_tap_moves_a_stack_or_a_single_high_cheque_and_the_button_says_the_sum(
    show: Show, tablet: Page
) -> None:
    posted = show("inventory/fill_new.html", ask=ASK)

    tablet.get_by_role("button", name="$25 green, one stack more").tap()
    tablet.get_by_role("button", name="$500 purple, one cheque more").tap()
    expect(tablet.locator("[data-after]")).to_have_text("$14,900")
    tablet.get_by_role("button", name="Request $3,500").click()

    tablet.wait_for_timeout(200)
    assert (posted[0]["cheques_2500"], posted[0]["cheques_50000"]) == (["120"], ["1"])


def test_quantities_are_kept_over_a_reload_but_never_a_badge_or_a_pin(
    show: Show, tablet: Page
) -> None:
    show("inventory/fill_new.html", ask={**ASK, "keep": "fill-BJ-24"})
    tablet.get_by_role("button", name="$25 green, one stack more").tap()
    tablet.reload()
    expect(tablet.get_by_role("button", name="Request $3,000")).to_be_visible()

    tablet.unroute_all()
    show("pitboss/signed_act.html", pad=PAD)
    tablet.locator("#badge").fill("31882")
    tablet.locator("#pin").fill("271828")
    kept = tablet.evaluate("JSON.stringify([sessionStorage, localStorage])")
    assert "31882" not in kept
    assert "271828" not in kept
