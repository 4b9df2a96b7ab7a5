"""Forms of outages: why one cannot be entered, how it ends, and the picture that is compared."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db import transaction

from pitboss.ciphers import decrypt, encrypt
from pitboss.models import Device, PaperForm, PaperFormEnd, PaperPicture, Person, Slip
from pitboss.paper.fallback import FormPack, draw_pack
from pitboss.pictures import CONTENT_MAX_BYTES, media_type
from pitboss.rules.day.outages import (
    FormEnd,
    Frame,
    due_refusals,
    end_refusals,
    frame_of,
    is_money_overdue,
    read_form_number,
)
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, Refused, refuse
from pitboss.rules.roles import AT_THE_CAGE, SUPERVISING
from pitboss.selectors.outages import (
    entry_of,
    fallback_kinds,
    form_numbered,
    frames,
    number_of,
)
from pitboss.services import house, journal
from pitboss.services.exceptions import LATE_MONEY, open_exception
from pitboss.services.locks import lock_paper, lock_request, lock_slip

PICTURING = SUPERVISING | AT_THE_CAGE


def form_for_entry(entered: str, code: str) -> PaperForm:
    """Return the form that is entered late. One entry of it is judged at a time. Raises Refused."""
    number = read_form_number(entered)
    lock_paper(str(number))
    form = form_numbered(number)
    if form is None or form.pack.status != SlipStatus.DONE.value:
        raise refuse("form_unknown", f"Form {number} was never handed out. Check the number.")
    used = entry_of(str(number))
    if used is not None:
        words = f"Form {number} was already entered, on {used.serial}. Check the number."
        raise refuse("paper_used", words, CONFLICT)
    if hasattr(form, "end"):
        raise Refused(end_refusals([(str(number), form.end.how)]))
    if form.code != code:
        title = _title(form.code)
        raise refuse("form_of_another_kind", f"Form {number} is a {title} form. Enter it as that.")
    if house.settings_at(house.now())["late.picture"] == "yes" and not form.pictures.exists():
        raise refuse("picture_missing", f"Add a picture of form {number} first.")
    return form


def _title(code: str) -> str:
    kind = fallback_kinds().get(code)
    return kind.on_paper.title.lower() if kind and kind.on_paper else code


def frame_for_entry(form: PaperForm, true_time: datetime) -> Frame:
    """Return the outage in which a form was used. Raises Refused."""
    return frame_of(frames(), form.pack.details["holder"], true_time)


def entry_refusals(
    entered: str, code: str, true_time: datetime, holders: Iterable[str]
) -> list[Refusal]:
    """Return why a form may not be entered late: its number, its time, whose it is, how late."""
    now = house.now()
    if true_time > now:
        return [
            Refusal("true_time_ahead", "The time on the form is in the future. Enter it again.")
        ]
    try:
        form = form_for_entry(entered, code)
        frame = frame_for_entry(form, true_time)
    except Refused as refused:
        return list(refused.refusals)
    refusals = due_refusals(frame, now, house.settings_at(now)["day.late_entry"])
    allowed = tuple(holders)
    if allowed and form.pack.details["holder"] not in allowed:
        where = form.pack.details["holder_words"]
        refusals.append(
            Refusal("form_of_another_place", f"This form was issued to {where}. Check the number.")
        )
    return refusals


def end_form(slip: Slip, how: FormEnd, at: datetime, *, is_money: bool = False) -> PaperFormEnd:
    """End the form that a late slip was entered from; money that came late is flagged."""
    number = read_form_number(slip.details["paper_number"])
    form = form_numbered(number)
    assert form is not None, "a form is judged before it is entered"
    end = PaperFormEnd.objects.create(form=form, how=how.value, slip=slip, at=at)
    if is_money:
        _flag_late_money(slip, form, at)
    return end


def _flag_late_money(slip: Slip, form: PaperForm, at: datetime) -> None:
    frame = frame_for_entry(form, datetime.fromisoformat(slip.details["true_time"]))
    hours = house.settings_at(at)["late.money_due"]
    if is_money_overdue(frame, at, hours):
        open_exception(
            code=LATE_MONEY,
            sentence=f"{slip.serial} was entered more than {hours} hours after {frame.serial}.",
            details={"form": number_of(form), "outage": frame.serial},
            at=at,
            person=None,
            table=slip.table,
            slip=slip,
        )


def end_forms(
    slip: Slip, pack: Slip, numbers: Iterable[int], how: FormEnd, at: datetime
) -> list[PaperFormEnd]:
    """End forms of a pack on a slip. Raises Refused for those that have ended already."""
    wanted = set(numbers)
    forms = PaperForm.objects.filter(pack=pack, number__in=wanted).select_related("end")
    forms = forms.order_by("number")
    for form in forms:
        lock_paper(number_of(form))
    ended = [(number_of(form), form.end.how) for form in forms.all() if hasattr(form, "end")]
    ended += [
        (number, f"being entered on {entry.serial}")
        for number in map(number_of, forms)
        if (entry := entry_of(number)) is not None and entry.status == SlipStatus.OPEN.value
    ]
    if ended:
        raise Refused(end_refusals(ended))
    return PaperFormEnd.objects.bulk_create(
        PaperFormEnd(form=form, how=how.value, slip=slip, at=at) for form in forms
    )


def picture_place(request_id: UUID) -> tuple[str, object, str]:
    """Return the place that the cipher of a picture is bound to."""
    return ("pitboss.PaperPicture", str(request_id), "content")


def add_picture(
    *, form: PaperForm, content: bytes, by: Person, device: Device | None, request_id: UUID
) -> PaperPicture:
    """Keep a picture of a form, in cipher: a marker names its patron. Raises Refused."""
    with transaction.atomic(durable=True):
        lock_request(request_id)
        now = house.now()
        earlier = PaperPicture.objects.filter(request_id=request_id).first()
        if earlier is not None:
            return earlier
        if house.role_in(by, house.period_at(now)) not in PICTURING:
            raise refuse("wrong_role", "Only the pit or the cage can add the picture.", NOT_YOURS)
        kind = media_type(content)
        if not kind:
            raise refuse("picture_unknown", "Add a picture as JPEG or PNG.")
        if len(content) > CONTENT_MAX_BYTES:
            raise refuse(
                "picture_too_large", "The picture is too large. Choose one of 2 MB or less."
            )
        if hasattr(form, "end"):
            raise Refused(end_refusals([(number_of(form), form.end.how)]))
        picture = PaperPicture.objects.create(
            form=form,
            content_type=kind,
            content_cipher=encrypt(content, picture_place(request_id)),
            sha256=hashlib.sha256(content).hexdigest(),
            person=by,
            at=now,
            request_id=request_id,
        )
        journal.write(
            chain=journal.HOUSE,
            kind="form_pictured",
            body={"form": number_of(form), "sha256": picture.sha256},
            at=now,
            person=by,
            device=device,
            rows=[picture],
        )
        return picture


@transaction.atomic(durable=True)
def read_picture(picture: PaperPicture, *, by: Person, device: Device | None) -> bytes:
    """Return a picture as it was taken. Each look is in the journal before it is given."""
    journal.write(
        chain=journal.HOUSE,
        kind="form_picture_read",
        body={"form": number_of(picture.form), "sha256": picture.sha256},
        at=house.now(),
        person=by,
        device=device,
    )
    return decrypt(picture.content_cipher, picture_place(picture.request_id))


@transaction.atomic(durable=True)
def print_pack(*, pack: Slip, by: Person, device: Device | None, is_real: bool) -> bytes:
    """Draw the forms of a pack: to be used, while it is being issued, or to be looked at.

    Raises Refused: once a pack was received no further form comes out of it.
    """
    pack = lock_slip(pack.pk)
    if is_real and pack.status != SlipStatus.OPEN.value:
        raise refuse(
            "pack_handed_over",
            f"{pack.serial} was handed over. Issue another pack for more forms.",
            CONFLICT,
        )
    kind = fallback_kinds()[pack.details["code"]]
    assert kind.on_paper is not None, "a kind of a pack is entered from paper"
    pdf = draw_pack(
        FormPack(
            pack=pack.serial,
            property_name=house.the_property().name,
            holder=pack.details["holder_words"],
            on_paper=kind.on_paper,
            numbers=tuple(range(pack.details["first"], pack.details["last"] + 1)),
            is_real=is_real,
        )
    )
    if is_real:
        journal.write(
            chain=journal.HOUSE,
            kind="forms_printed",
            body={"pack": pack.serial, "pdf_hash": hashlib.sha256(pdf).hexdigest()},
            at=house.now(),
            person=by,
            device=device,
            slip=pack,
        )
    return pdf
