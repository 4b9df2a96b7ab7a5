"""A tap in place of a PIN: what the session of a tablet keeps of who signed on it just now.

It is kept of the person who is signed in there and of no one else, and is gone with the next form
that is sent to be signed, with the next PIN that is keyed for anything else, with a lock, and when
the tablet is handed to a patron.
"""

from __future__ import annotations

from dataclasses import replace

from pitboss.middleware import HANDED, SIGNED_HERE, PitRequest
from pitboss.models import Signature, Slip
from pitboss.rules.people.one_pin import Following
from pitboss.services import house
from pitboss.services.drafts import Pen
from pitboss.services.taps import looked_back_on
from pitboss.slips.plan import PlannedStep
from pitboss.views.forms import pen_of

_FIELD = "follows"


def keep_signed(request: PitRequest, signature: Signature) -> None:
    """Note that the person who is signed in has just signed; anyone else had the tablet in hand.

    A patron has it still where a tap that was signed before is sent again.
    """
    if signature.person_id == request.user.pk and HANDED not in request.session:
        request.session[SIGNED_HERE] = signature.pk
    else:
        request.session.pop(SIGNED_HERE, None)


def pen_or_tap(request: PitRequest) -> Pen:
    """Return who signs: by badge and PIN, or by a tap that follows their signature.

    Whatever becomes of it, no other form follows that signature: it is used up.
    """
    pen = pen_of(request)
    held = request.session.pop(SIGNED_HERE, None)
    sent = request.POST.get(_FIELD)
    if sent is None or pen.pin:
        return pen
    follows = held if held is not None and sent == str(held) else 0
    return replace(pen, badge=request.user.badge, pin="", follows=follows)


def followed(request: PitRequest, paper: Slip, due: PlannedStep) -> Signature | None:
    """Return the signature that the next one of this person here would follow by a tap, if any."""
    held = request.session.get(SIGNED_HERE)
    signatures = sorted(paper.signatures.all(), key=lambda signature: signature.pk)
    if held is None or request.device is None or not signatures:
        return None
    tap = Following(
        follows=held,
        person_id=request.user.pk,
        device_id=request.device.pk,
        at=house.now(),
        kind=paper.kind,
        step=due.stored(),
        pin_set_at=request.user.pin_set_at,
    )
    refusals = request.house.one_pin.refusals(tap, looked_back_on(signatures))
    return None if refusals else signatures[-1]
