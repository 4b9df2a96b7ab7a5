"""The book of flows: every kind of slip that the house knows."""

from __future__ import annotations

from collections.abc import Mapping

from pitboss.rules.fill_flows import FILL, FILL_RETURN
from pitboss.rules.flows import Flow

FLOWS: Mapping[str, Flow] = {flow.kind: flow for flow in (FILL, FILL_RETURN)}
