"""The sign pad's context, one way for every screen that has one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext, override

from pitboss.middleware import PitRequest
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.people.languages import LANGUAGES, first_known
from pitboss.rules.refusal import Refused
from pitboss.selectors.people import named
from pitboss.services.pads import Attests, Pad
from pitboss.views.forms import request_id_after


def pad_of(
    request: PitRequest,
    *,
    url: str,
    button: str,
    attested: Attests,
    refused: Refused | None = None,
    badge: str = "",
    inputs: tuple[Mapping[str, Any], ...] = (),
    says: Sequence[tuple[str, str]] = (),
    **more: Any,
) -> dict[str, Any]:
    """Return a pad. After a refusal it keeps the badge and what was keyed, never the PIN.

    The request id stays too: a resend of the same form must be recognized as one. `says` is what
    stands next to it, label and value: it is sealed with the sentence, and kept when it is signed.
    """
    posted = request.POST
    if refused is not None:
        badge = posted.get("badge", "")[:12].replace("\x00", "")
    language = _language(request)
    read = attested.read_in(language)
    with override(language):
        pad = {
            "url": url,
            "language": language,
            "languages": _languages(request, attested, language),
            "request_id": request_id_after(refused, posted),
            "attested": read,
            "button": gettext(button),
            "badge": badge,
            "badge_url": f"{reverse('badge-name')}?lang={language}",
            "person": named(badge, request.period, request.house),
            "inputs": [
                {
                    **fields,
                    "label": gettext(fields["label"]),
                    "value": posted.get(fields["name"], ""),
                }
                for fields in inputs
            ],
            **more,
            **{name: _worded(more[name]) for name in ("select", "confirm") if more.get(name)},
        }
    sealed = Pad(
        read,
        url,
        shown=more.get("shown") or "",
        act=str((more.get("fields") or {}).get("act", "")),
        says=says,
        asks=_asks(pad["inputs"], pad.get("select"), pad.get("confirm")),
    )
    return {**pad, "sealed": sealed.sealed()}


def _language(request: PitRequest) -> str:
    """Return the language that a pad is read in: what was tapped on it, else the person's own."""
    return first_known(request.POST.get("lang"), request.GET.get("lang"), request.user.language)


def _languages(request: PitRequest, attested: Attests, language: str) -> list[dict[str, str]]:
    """Return the ways to read a pad in another language that has it.

    A page that was posted is posted again, where its pad can be.
    """
    query = request.GET.copy()
    ways = []
    for code, name in LANGUAGES.items():
        query["lang"] = code
        if code != language and attested.read_in(code).language == code:
            ways.append({"url": f"{request.path}?{query.urlencode()}", "code": code, "name": name})
    return ways


def _worded(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return a question with its label, and its choices, in the language of the pad."""
    worded = {**asked, "label": gettext(asked["label"])}
    if "choices" in asked:
        worded["choices"] = [
            {**choice, "label": gettext(choice["label"])} for choice in asked["choices"]
        ]
    return worded


def _asks(inputs: Sequence[Mapping[str, Any]], *others: Mapping[str, Any] | None) -> dict[str, str]:
    """Return the labels of what the signer fills in, by name; of nothing that is a secret."""
    told = [
        fields for fields in inputs if fields.get("type") != "password" and "private" not in fields
    ]
    return {other["name"]: other["label"] for other in (*told, *filter(None, others))}


def read_on(slip: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what stands beside the pad of a slip: see inventory/_slip_sign.html."""
    yield from ((fact["name"], fact["value"]) for fact in slip["facts"])
    if slip["says"]:
        yield from ((fact["name"], fact["value"]) for fact in slip["says"])
    elif _shows_lines(slip):
        yield from ((format_money(line["cents"]), str(line["count"])) for line in slip["lines"])
        yield "Total", format_money(slip["total_cents"])


def _shows_lines(slip: Mapping[str, Any]) -> bool:
    """Tell whether the signer sees the cheques of a slip, and does not enter or imagine them."""
    if slip.get("is_blind") or slip.get("key_counts"):
        return False
    return bool(slip.get("agree")) or not (slip["panel"] and slip["panel"].get("has_lines"))


def tried(request: PitRequest, act: Callable[[], None]) -> Refused | None:
    """Carry out what was posted; return why it was refused, if it was."""
    if request.method == "POST":
        try:
            act()
        except Refused as refused:
            return refused
    return None
