"""`manage.py prove_flows` prints what was proven, and ends with 1 when a promise is broken."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.core.management import call_command

from inventory.kinds.cage_count import CAGE_COUNT
from pitboss.management.commands import prove_flows
from pitboss.rules.flows.flow_proof import prove_all
from pitboss.rules.flows.page import flows_page


def test_it_prints_the_page_of_the_docs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    book = {CAGE_COUNT.kind: CAGE_COUNT}
    monkeypatch.setattr(prove_flows, "FLOWS", book)
    call_command("prove_flows")
    printed = capsys.readouterr()
    assert printed.out == flows_page(prove_all(book))
    assert "| Count of the cage | cashier, cashier | 2 | 1 | void by 2 people" in printed.out
    assert printed.err == ""


def test_it_ends_with_one_and_names_what_is_weak(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = replace(CAGE_COUNT.steps[1], may_repeat="counted")
    weak = replace(CAGE_COUNT, steps=(CAGE_COUNT.steps[0], alone))
    monkeypatch.setattr(prove_flows, "FLOWS", {weak.kind: weak})
    with pytest.raises(SystemExit) as ended:
        call_command("prove_flows")
    assert ended.value.code == 1
    told = capsys.readouterr().err
    assert told == "Count of the cage: people who finish a slip: 1, promised 2.\n"
