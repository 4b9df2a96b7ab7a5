"""What every rule answers when something may not happen."""

from __future__ import annotations

import pytest

from pitboss.api import http_status
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, Refused, refuse


def test_a_refusal_carries_every_reason_in_order() -> None:
    refused = Refused([Refusal("too_low", "Bet more."), Refusal("too_late", "Wait.")])
    assert refused.codes == ("too_low", "too_late")
    assert str(refused) == "Bet more. Wait."


def test_a_refusal_without_a_reason_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="at least one reason"):
        Refused([])


def test_a_refusal_says_which_no_it_is() -> None:
    assert Refusal("too_low", "Bet more.").status == 422
    (late,) = refuse("too_late", "Wait.", CONFLICT).refusals
    assert late.status == 409


def test_of_several_reasons_the_one_that_says_most_is_answered() -> None:
    low, late = Refusal("too_low", "Bet more."), Refusal("too_late", "Wait.", CONFLICT)
    other = Refusal("not_you", "Ask another.", NOT_YOURS)
    assert http_status(Refused([low])) == 422
    assert http_status(Refused([low, late])) == 409
    assert http_status(Refused([low, other, late])) == 403
