"""The flows of the cage itself: its count, and house cheques that come from the maker or go."""

from __future__ import annotations

from pitboss.rules.flows import Flow, Step
from pitboss.rules.roles import Place, Role

# Whoever keyed the wrong figure may say so; somebody of another desk, or the manager, looks on.
_VOIDED = Step(
    "voided",
    by=Role.CASHIER,
    at=Place.CAGE,
    attests="This slip is void. It moved no cheques.",
    needs_reason=True,
    may_repeat="counted",
)
_VOID_WITNESSED = Step(
    "void_witnessed",
    by=(Role.SECURITY, Role.SURVEILLANCE, Role.CAGE_MANAGER),
    at=None,
    attests="I had no part in this slip and saw it voided.",
    then="slip_voided",
)
VOIDED_IN_THE_CAGE = (_VOIDED, _VOID_WITNESSED)


def _counts(
    name: str, by: Role, attests: str, *, then: str | None = None, why: bool = False
) -> Step:
    """Return a step at the cage at which somebody counts, and with `why` says why or from whom."""
    return Step(
        name, by=by, at=Place.CAGE, counts=True, attests=attests, then=then, needs_reason=why
    )


# The first signer keys what they counted, and the slip is made of it; so the database can hold both
# signatures to one figure.
CAGE_COUNT = Flow(
    kind="cage_count",
    title="Count of the cage",
    series="CC",
    steps=(
        _counts(
            "counted",
            Role.CASHIER,
            "I counted every cheque in the cage, and know of no expected figure.",
            then="cage_count_begins",
        ),
        _counts(
            "verified",
            Role.CASHIER,
            "I counted the cage too, and every line agrees.",
            then="cage_counted",
        ),
    ),
    void=VOIDED_IN_THE_CAGE,
)

HOUSE_RECEIPT = Flow(
    kind="house_receipt",
    title="Receipt of house cheques",
    series="HR",
    steps=(
        _counts(
            "counted",
            Role.CASHIER,
            "I opened the maker's boxes and counted these cheques.",
            why=True,
        ),
        _counts(
            "taken_in",
            Role.SECURITY,
            "I saw the seals whole, counted too, and every line agrees.",
            then="house_cheques_received",
        ),
    ),
    void=VOIDED_IN_THE_CAGE,
)

HOUSE_DESTRUCTION = Flow(
    kind="house_destruction",
    title="Destruction of house cheques",
    series="HD",
    steps=(
        _counts(
            "counted",
            Role.CAGE_MANAGER,
            "I counted these cheques out of the cage to be destroyed.",
            why=True,
        ),
        _counts(
            "destroyed",
            Role.SECURITY,
            "I counted them too and saw every one destroyed.",
            then="house_cheques_destroyed",
        ),
    ),
    void=VOIDED_IN_THE_CAGE,
)
