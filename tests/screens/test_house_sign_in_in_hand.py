"""A supervisor signs in by the house's identity provider in a real browser, from another site."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from pitboss.rules.roles import Place
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cast import Cast
from tests.floor.hands import be_device
from tests.pitboss.test_identity_provider import bind
from tests.providers import CLIENT, SECRET, running_provider

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_supervisor_signs_in_by_the_provider_and_is_where_they_wanted_to_be(
    open_tablet: OpenTablet, cast: Cast, live_server: LiveServer, settings: LazySettings
) -> None:
    page = open_tablet()
    be_device(page.context, cast.devices[Place.PIT], live_server.url)
    # To a browser this is another site than the pages of the test: our cookies stay at home.
    host = "127.0.0.1" if "localhost" in live_server.url else "localhost"
    with running_provider(host) as provider:
        settings.OIDC_ISSUER = provider.issuer
        settings.OIDC_CLIENT_ID = CLIENT
        settings.OIDC_CLIENT_SECRET = SECRET
        bind(cast, provider, cast.alice)
        page.goto("/sessions/")
        assert troubles(page) == []
        page.get_by_role("link", name="House sign-in").click()
        page.get_by_role("link", name="I agree").click()
        expect(page.locator(".who")).to_contain_text(str(cast.alice))
        expect(page).to_have_url(f"{live_server.url}/sessions/")

        # Without an answer there is a sentence, and the badge.
        page.context.clear_cookies(name="sessionid")
        settings.OIDC_ISSUER = "http://127.0.0.1:1"
        page.goto("/login/")
        page.get_by_role("link", name="House sign-in").click()
        expect(page.locator("#main")).to_contain_text("does not answer")
        expect(page.get_by_label("Password")).to_be_visible()
