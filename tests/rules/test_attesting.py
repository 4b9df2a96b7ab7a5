"""Every attestation is a complete sentence in the first person, under an id of its own."""

from __future__ import annotations

import re
from collections import Counter

from pitboss.rules.flows.attesting import ACTS, act_id, every_attestation, step_id
from pitboss.rules.flows.book import FLOWS
from pitboss.slips.kind import find_kinds

find_kinds()
EVERY = list(every_attestation(FLOWS))


def test_each_has_an_id_of_its_own() -> None:
    # A step that stands twice in a flow, each time on another condition, says the same.
    assert not [
        which for which, many in Counter(which for which, _ in set(EVERY)).items() if many > 1
    ]
    assert dict(EVERY)["fill.issued"].startswith("I certify that I counted")
    assert dict(EVERY)[act_id("read_meter")] == ACTS["read_meter"]
    assert step_id("fill", "relief", "relieved") in dict(EVERY)


# To work here is no riddle; whatever else is "here" a sentence must name.
_LOOSE = re.compile(r"(?<!work )(?<!works )\b(?:here|so)\b|\b\w+n[’']t\b|;|:")


def test_each_is_formal_and_in_the_first_person() -> None:
    for which, sentence in EVERY:
        assert re.search(r"\bI\b", sentence), f"{which}: {sentence}"
        assert sentence.endswith("."), f"{which}: {sentence}"
        assert not _LOOSE.search(sentence), f"{which}: {sentence}"
