"""The pages of the desk. Each reads; none changes anything but who is signed in."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, Final, cast

from django.contrib import auth
from django.contrib.auth.decorators import login_not_required
from django.db import transaction
from django.db.models import Max, Min
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from pitboss.group.figures import Span, newest_of, side_by_side, standing_of
from pitboss.group.keeping import prove
from pitboss.group.models import House, Reader, Statement
from pitboss.rules.canonical import is_plain
from pitboss.rules.group.statements import read_statement
from pitboss.rules.refusal import Refused

_FAILURES_MAX: Final = 5
_LOCKED: Final = timedelta(minutes=15)
_SHOWN: Final = 400


@login_not_required
@require_http_methods(["GET", "POST"])
def login(request: HttpRequest) -> HttpResponse:
    """Sign a reader in by name and password."""
    if request.method == "POST":
        name, password = request.POST.get("name", ""), request.POST.get("password", "")
        reader = _reader_of(name, password) if is_plain(name) and is_plain(password) else None
        if reader is not None:
            # Whoever signs in here is a reader; to a type checker it is someone of a house.
            auth.login(request, cast("Any", reader), "django.contrib.auth.backends.ModelBackend")
            return redirect("home")
        return render(request, "group/login.html", {"is_refused": True}, status=403)
    return render(request, "group/login.html")


@transaction.atomic
def _reader_of(name: str, password: str) -> Reader | None:
    """Return who signs in, unless the password is wrong or too many were."""
    reader = Reader.objects.select_for_update().filter(name=name, is_active=True).first()
    now = timezone.now()
    if reader is None:
        # As long as a wrong password takes: the time tells no one which names there are.
        Reader().set_password(password)
        return None
    if reader.locked_until is not None and reader.locked_until > now:
        return None
    if reader.check_password(password):
        reader.failures, reader.locked_until = 0, None
        reader.save(update_fields=["failures", "locked_until"])
        return reader
    reader.failures += 1
    if reader.failures >= _FAILURES_MAX:
        reader.failures, reader.locked_until = 0, now + _LOCKED
    reader.save(update_fields=["failures", "locked_until"])
    return None


@require_POST
def logout(request: HttpRequest) -> HttpResponse:
    """Sign a reader out."""
    auth.logout(request)
    return redirect("login")


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Show what each house did in a day, a week or a month, side by side."""
    keyed = request.GET.get("span", "")
    span = Span(keyed) if keyed in tuple(Span) else Span.DAY
    first, last = span.days(_day(request))
    houses = list(House.objects.all())
    context = {
        "heading": "Group",
        "span": span.value,
        "spans": [(each.value, each.value.capitalize()) for each in Span],
        "first": first,
        "last": last,
        "before": first - timedelta(days=1),
        "after": last + timedelta(days=1),
        "of": first,
        "figures": side_by_side(houses, first, last, timezone.now()),
    }
    return render(request, "group/home.html", context)


def _day(request: HttpRequest) -> date:
    """Return the day that an address names, else the newest that any house has stated."""
    try:
        asked = date.fromisoformat(request.GET.get("of", ""))
        # A span begins before it and ends after it.
        return min(max(asked, date(2000, 2, 1)), date(9000, 1, 1))
    except ValueError:
        newest = Statement.objects.aggregate(newest=Max("gaming_day"))["newest"]
        return newest or timezone.localdate()


@require_GET
def house(request: HttpRequest, house_id: int) -> HttpResponse:
    """Show one house: how far the desk has it, its keys, each statement, and each doubt."""
    row = get_object_or_404(House, pk=house_id)
    statements = Statement.objects.filter(house=row)
    shown = statements.defer("text").order_by("-gaming_day", "-version")[:_SHOWN]
    context = {
        "heading": row.name,
        "house": row,
        "standing": standing_of(row, newest_of([row]).get(row.pk), timezone.now()),
        "keys": row.keys.all(),
        "statements": shown,
        "kept": statements.aggregate(first=Min("gaming_day"), newest=Max("number")),
        "doubts": row.doubts.all()[:20],
    }
    return render(request, "group/house.html", context)


@require_GET
def statement(request: HttpRequest, statement_id: int) -> HttpResponse:
    """Show a statement with its proof, worked out again; without one there is no figure."""
    row = get_object_or_404(Statement.objects.select_related("house"), pk=statement_id)
    failing = prove(row)
    versions = Statement.objects.filter(house=row.house, gaming_day=row.gaming_day)
    context = {
        "heading": f"{row.house}, {row.gaming_day:%b %-d, %Y}",
        "row": row,
        "failing": failing,
        "said": None if failing else _said(row),
        "versions": versions.defer("text").order_by("version"),
    }
    return render(request, "group/statement.html", context)


def _said(row: Statement) -> object:
    try:
        return read_statement(row.text)
    except Refused:
        return None


@require_GET
def statement_file(request: HttpRequest, statement_id: int) -> HttpResponse:
    """Give a statement as it was signed, with its key, for whoever proves it without the desk."""
    row = get_object_or_404(Statement.objects.select_related("house"), pk=statement_id)
    keys = dict(row.house.keys.values_list("mark", "public_key"))
    answer = JsonResponse(
        {
            "text": row.text,
            "digest": row.digest,
            "key_mark": row.key_mark,
            "public_key": keys.get(row.key_mark),
            "signature": row.signature,
        }
    )
    name = f"statement-{row.house_id}-{row.number}.json"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@login_not_required
@require_GET
def livez(request: HttpRequest) -> HttpResponse:
    """Say that the process answers."""
    return HttpResponse("ok", content_type="text/plain")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that there is nothing at an address."""
    return render(request, "group/not_found.html", status=404)
