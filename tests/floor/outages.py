"""What hands do around an outage in tests: packs of forms, the outage itself, pictures, returns."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from pitboss.kinds.form_pack import FORM_PACK, FORM_RETURN
from pitboss.kinds.outage import OUTAGE
from pitboss.models import PaperForm, Person, Slip
from pitboss.rules.day.outages import THE_CAGE, Frame, read_form_number
from pitboss.rules.roles import Place
from pitboss.selectors.outages import form_numbered, frames, holders, number_of
from pitboss.services import house
from pitboss.services.outages import add_picture
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast

PNG = b"\x89PNG\r\n\x1a\n" + b"a form"


def issue(cast: Cast, code: str, forms: int = 50, holder: str | None = None) -> Slip:
    """Issue a pack as Ruth, not received yet."""
    pack = FORM_PACK.at(code=code, forms=forms, holder=holder or cast.pit.name)
    return raise_kind(pack, pen=cast.pen(cast.ruth, Place.OFFICE), shown=shown_before(pack))


def pack_of(cast: Cast, code: str, forms: int = 50, holder: str | None = None) -> Slip:
    """Issue a pack and let the pit, or the cage, receive it."""
    pack = issue(cast, code, forms, holder)
    if pack.details["holder"] == THE_CAGE:
        cast.sign(pack, "received_cage", cast.erin, Place.CAGE)
    else:
        cast.sign(pack, "received", cast.bob)
    pack.refresh_from_db()
    return pack


def numbers_of(pack: Slip) -> list[str]:
    return [number_of(form) for form in pack.forms.order_by("number")]


def declare(
    cast: Cast,
    since: datetime | None = None,
    *,
    scope: Sequence[str] | None = None,
    by: Person | None = None,
) -> Slip:
    """Declare an outage of every place, or of some, as the pit manager."""
    known = [name for name, _ in holders()]
    wanted = known if scope is None else scope
    outage = OUTAGE.at(
        scope=[str(place) for place, name in enumerate(known, 1) if name in wanted],
        started_at=(since or house.now()).isoformat(),
        cause="The line is down.",
    )
    return raise_kind(outage, pen=cast.pen(by or cast.carol), shown=shown_before(outage))


def end(cast: Cast, outage: Slip) -> Slip:
    cast.sign(outage, "ended", cast.carol)
    return outage


def close(cast: Cast, outage: Slip) -> Slip:
    cast.sign(outage, "closed", cast.ruth, Place.OFFICE)
    outage.refresh_from_db()
    return outage


def send_home(cast: Cast, pack: Slip, *, unused: str = "", void: str = "", why: str = "") -> Slip:
    """Return forms of a pack as Alice; nobody has counted them in yet."""
    keyed = {"unused": unused, "void": void, "why": why}
    given: dict[str, Any] = {name: text for name, text in keyed.items() if text}
    forms = FORM_RETURN.at(original=pack, **given)
    return raise_kind(forms, pen=cast.pen(cast.alice), shown=shown_before(forms))


def bring_home(cast: Cast, pack: Slip, *, unused: str = "", void: str = "", why: str = "") -> Slip:
    """Return forms of a pack as Alice; Ruth counts them in."""
    slip = send_home(cast, pack, unused=unused, void=void, why=why)
    cast.sign(slip, "counted_in", cast.ruth, Place.OFFICE)
    return slip


def picture(cast: Cast, number: str, by: Person | None = None) -> None:
    """Add a picture of a form, as Alice does on her tablet."""
    form = form_numbered(read_form_number(number))
    assert form is not None
    add_picture(
        form=form,
        content=PNG,
        by=by or cast.alice,
        device=cast.devices[Place.PIT],
        request_id=uuid4(),
    )


def framed(cast: Cast, at: datetime) -> Frame:
    """Return an outage of everything at a time; one is declared where there is none."""
    scope = {name for name, _ in holders()}
    for frame in frames():
        if set(frame.scope) >= scope and frame.holds(cast.pit.name, at) and not frame.is_closed:
            return frame
    declare(cast, at - timedelta(minutes=1))
    return framed(cast, at)


def ready(cast: Cast, code: str, at: datetime) -> str:
    """Return the number of a form to enter, used in an outage at a time, with its picture.

    A test that is refused calls it first: then nothing is written but the refusal.
    """
    if at <= house.now():
        framed(cast, at)
    entered = Slip.objects.exclude(status="voided").exclude(details__paper_number=None)
    used = set(entered.values_list("details__paper_number", flat=True))
    forms = PaperForm.objects.filter(code=code, end=None, pack__status="done").order_by("number")
    left = [form for form in forms if number_of(form) not in used]
    if not left:
        pack_of(cast, code)
        return ready(cast, code, at)
    number = number_of(left[0])
    if not left[0].pictures.exists():
        picture(cast, number)
    return number
