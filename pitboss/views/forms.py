"""Read what a tablet posts: ids, cheques and counts. What is malformed is refused."""

from __future__ import annotations

from datetime import date
from uuid import UUID, uuid4

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, QueryDict

from pitboss.middleware import PitRequest
from pitboss.rules.cheques.cheques import parse_cheques, read_money
from pitboss.rules.drop.figures import read_keyed
from pitboss.rules.flows.drawn import Drawn, read_strokes
from pitboss.rules.refusal import Refused, refuse
from pitboss.services.signing import Entry, Pen

TEXT_MAX = 20_000
DRAWING_MAX = 60_000


def new_request_id() -> str:
    """Return an id to render into a form, by which a second tap or a resend is recognized."""
    return str(uuid4())


def request_id_after(refused: Refused | None, posted: QueryDict) -> str:
    """Return the id of a form that is shown again: a resend must be recognized as one.

    A form that was given up can never be done, so it begins anew.
    """
    if refused is None or "request_given_up" in refused.codes:
        return new_request_id()
    return posted.get("request_id") or new_request_id()


def pen_of(request: PitRequest) -> Pen:
    """Return who signs: the badge and PIN on the pad, not whoever is signed in."""
    return Pen(
        badge=request.POST.get("badge", ""),
        pin=request.POST.get("pin", ""),
        device=request.device,
        request_id=_request_id(request.POST),
    )


def entry_of(post: QueryDict) -> Entry:
    """Return what the signer gave besides badge and PIN."""
    return Entry(
        counted=_counted(post),
        reason=text(post, "reason"),
        present_badge=text(post, "officer_badge"),
        figures=figures_of(post),
        drawn=_drawn(post),
        said=said_of(post),
    )


def _drawn(post: QueryDict) -> Drawn | None:
    """Return what someone drew, and the ID that the signer says they compared it with."""
    if "drawn" not in post:
        return None
    strokes = post.get("drawn", "")
    if len(strokes) > DRAWING_MAX:
        raise refuse("drawing_malformed", "The drawing is too long. Ask them to sign again.")
    chosen = post.get("document", "")
    matches = "face_matches" in post and chosen.isascii() and chosen.isdigit() and len(chosen) < 19
    return Drawn(read_strokes(strokes), int(chosen) if matches else None)


def dollars_of(post: QueryDict, name: str) -> int:
    """Return an amount keyed in dollars, in cents; nothing keyed is $0. Raises Refused."""
    amount_cents = read_money(text(post, name).strip() or "0")
    if amount_cents is None:
        raise refuse("bad_amount", "Amount isn’t valid. Enter dollars, like 3,000.")
    return amount_cents


YEARS = range(2000, 2201)


def day_of(asked: QueryDict, name: str) -> date | None:
    """Return the day that an address or a form asks for; none where it names no day of a house."""
    return day_named(asked.get(name, ""))


def day_or_404(named: str) -> date:
    """Return the day in an address."""
    day = day_named(named)
    if day is None:
        raise Http404("Day not found.")
    return day


def day_named(named: str) -> date | None:
    """Return a day by its name, 2026-11-16; none where it names no day of a house."""
    try:
        day = date.fromisoformat(named)
    except ValueError:
        return None
    # Near the ends of the calendar a week before or a day after is no date.
    return day if day.year in YEARS else None


def text(post: QueryDict, name: str) -> str:
    """Return a text field. Raises Refused."""
    return _storable(post.get(name, ""))


def _storable(value: str) -> str:
    """Return a text that can be stored: PostgreSQL stores no NUL, and no person enters one."""
    if "\x00" in value or len(value) > TEXT_MAX:
        raise refuse("text_malformed", "That text can’t be saved. Enter a shorter one.")
    return value


def text_in(file: UploadedFile[bytes]) -> str:
    """Return what a file says. Raises Refused for what is no text, or too long."""
    try:
        told = str(file.read(TEXT_MAX + 1), "utf-8-sig")
    except UnicodeDecodeError:
        raise refuse("file_no_text", "This file isn’t UTF-8 text. Save it as CSV again.") from None
    return _storable(told)


def cheques_of(post: QueryDict, prefix: str = "cheques_") -> dict[int, int]:
    """Return the cheques keyed in fields `<prefix><cents>`; an empty field is none."""
    keyed: dict[str, object] = {}
    for name, value in post.items():
        if name.startswith(prefix) and isinstance(value, str) and value.strip():
            keyed[name.removeprefix(prefix)] = _whole_number(value.strip())
    return parse_cheques(keyed)


def figures_of(post: QueryDict) -> dict[str, int] | None:
    """Return the figures keyed in fields `figure_<line>`, in cents, or None when there are none."""
    prefix = "figure_"
    keyed = {
        name.removeprefix(prefix): text(post, name) for name in post if name.startswith(prefix)
    }
    return read_keyed(keyed) if keyed else None


def said_of(post: QueryDict) -> dict[str, str]:
    """Return the answers in fields `said_<name>` to what a step asks."""
    prefix = "said_"
    return {name.removeprefix(prefix): text(post, name) for name in post if name.startswith(prefix)}


def _counted(post: QueryDict) -> dict[int, int] | None:
    """Return what was counted: each line agreed to by a tick, or keyed, or None."""
    for prefix in ("agree_", "counted_"):
        if any(name.startswith(prefix) for name in post):
            return cheques_of(post, prefix)
    return None


def _whole_number(value: str) -> object:
    if value.isascii() and value.isdigit() and len(value) <= 9:
        return int(value)
    return value


def _request_id(post: QueryDict) -> UUID:
    try:
        return UUID(post.get("request_id", ""))
    except ValueError:
        raise refuse("request_malformed", "This form is broken. Open it again.") from None
