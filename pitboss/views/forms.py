"""Read what a tablet posts: ids, cheques and counts. What is malformed is refused."""

from __future__ import annotations

from datetime import date
from uuid import UUID, uuid4

from django.http import QueryDict

from pitboss.middleware import PitRequest
from pitboss.rules.cheques import BY_CENTS, parse_cheques, read_money
from pitboss.rules.drawn import Drawn, read_strokes
from pitboss.rules.drop_flows import read_keyed
from pitboss.rules.refusal import refuse
from pitboss.services.signing import Entry, Pen

TEXT_MAX = 20_000
DRAWING_MAX = 60_000


def new_request_id() -> str:
    """Return an id to render into a form, by which a second tap or a resend is recognised."""
    return str(uuid4())


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
    """Return what somebody drew, and the ID that the signer says they compared it with."""
    if "drawn" not in post:
        return None
    strokes = post.get("drawn", "")
    if len(strokes) > DRAWING_MAX:
        raise refuse("drawing_malformed", "The drawing is too long. Let them sign again.")
    chosen = post.get("document", "")
    matches = "face_matches" in post and chosen.isascii() and chosen.isdigit() and len(chosen) < 19
    return Drawn(read_strokes(strokes), int(chosen) if matches else None)


def dollars_of(post: QueryDict, name: str) -> int:
    """Return an amount keyed in dollars, in cents; nothing keyed is $0. Raises Refused."""
    amount_cents = read_money(text(post, name).strip() or "0")
    if amount_cents is None:
        raise refuse("bad_amount", "Key an amount in dollars, such as 3,000.")
    return amount_cents


def day_of(asked: QueryDict, name: str) -> date | None:
    """Return the day that an address or a form names; none where it names no day."""
    try:
        return date.fromisoformat(asked.get(name, ""))
    except ValueError:
        return None


def text(post: QueryDict, name: str) -> str:
    """Return a text field. PostgreSQL stores no NUL, and no person keys one."""
    value = post.get(name, "")
    if "\x00" in value or len(value) > TEXT_MAX:
        raise refuse("text_malformed", "That text cannot be kept. Key it again, shorter.")
    return value


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


def known_cents() -> list[int]:
    """Return every denomination of the house, highest first."""
    return list(BY_CENTS)
