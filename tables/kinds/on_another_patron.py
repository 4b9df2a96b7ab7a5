"""A correction that may name another patron than the slip it corrects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from inventory.kinds.of_a_patron import chosen_patron, patron_search
from inventory.models import Patron
from inventory.services.patrons import lock_patron
from pitboss.middleware import PitRequest
from pitboss.models import Slip
from pitboss.slips.addresses import own_url
from pitboss.slips.correcting import original_of
from pitboss.slips.kind import Look, Raising

# Whom a slip that is corrected says.
Says = Callable[[Slip], Patron]


def right_patron(raising: Raising, says: Says) -> Patron:
    """Return whom the corrected slip says: the one chosen, or the same as before."""
    patron = raising.given.get("patron")
    if patron is None:
        patron = says(original_of(raising))
    assert isinstance(patron, Patron)
    return patron


def begun(request: PitRequest, raising: Raising, says: Says) -> Raising:
    """Return a correction to the patron whom the address names, or to the one whom it was."""
    patron = chosen_patron(request) or says(original_of(raising))
    return replace(
        raising,
        given={**raising.given, "patron": patron},
        named={**raising.named, "patron": patron.pk},
    )


def search(request: PitRequest, raising: Raising) -> Look | None:
    """Look up the right patron, when the address asks for another one."""
    if "q" not in request.GET or request.GET.get("patron"):
        return None
    url = own_url(replace(raising, named={})).partition("?")[0]
    return patron_search(request, url, {"of": original_of(raising).serial})


def other_patron(raising: Raising) -> dict[str, str]:
    """Return the way to that search."""
    return {"url": f"{own_url(replace(raising, named={}))}&q=", "label": "Another patron…"}


def locked(raising: Raising, right: Patron, wrong: Patron | None) -> Raising:
    """Lock both patrons, the lower number first."""
    found = lock_both(right.pk, wrong)
    return replace(raising, given={**raising.given, "patron": found[right.pk]})


def lock_both(right: int, wrong: Patron | None) -> dict[int, Patron]:
    """Lock whom a correction takes from and whom it gives to, the lower number first."""
    keys = {right} | ({wrong.pk} if wrong is not None else set())
    return {key: lock_patron(key) for key in sorted(keys)}
