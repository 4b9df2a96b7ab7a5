"""What every rule answers when something may not happen."""

from __future__ import annotations

import pytest

from pitboss.rules.refusal import Refusal, Refused


def test_a_refusal_carries_every_reason_in_order() -> None:
    refused = Refused([Refusal("too_low", "Bet more."), Refusal("too_late", "Wait.")])
    assert refused.codes == ("too_low", "too_late")
    assert str(refused) == "Bet more. Wait."


def test_a_refusal_without_a_reason_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="at least one reason"):
        Refused([])
