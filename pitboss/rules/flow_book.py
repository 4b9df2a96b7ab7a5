"""The book of flows: every kind of slip that the house knows."""

from __future__ import annotations

from collections.abc import Mapping

from pitboss.rules.cage_flows import CAGE_COUNT, HOUSE_DESTRUCTION, HOUSE_RECEIPT
from pitboss.rules.card_flows import CARD_FLOWS
from pitboss.rules.cash_flows import CASH_CORRECTION
from pitboss.rules.credit_flows import CREDIT, CREDIT_RETURN
from pitboss.rules.drop_flows import DROP_COUNT, DROP_PULL
from pitboss.rules.fill_flows import FILL, FILL_RETURN
from pitboss.rules.flows import Flow
from pitboss.rules.handover_flows import DAY_CLOSE, SHIFT_CLOSE
from pitboss.rules.house_flows import (
    LIMIT_CHANGE,
    PERSON_CHANGE,
    PERSON_LEAVES,
    SETTING_CHANGE,
    TABLE_CHANGE,
)
from pitboss.rules.jackpot_flows import JACKPOT, JACKPOT_REVIEW
from pitboss.rules.late_flows import CORRECTION, LATE_CREDIT, LATE_FILL
from pitboss.rules.marker_flows import (
    MARKER,
    MARKER_PAYMENT,
    MARKER_PAYMENT_CAGE,
    MARKER_RECALL,
    MARKER_TRANSFER,
)
from pitboss.rules.meter_flows import METER_ADJUSTMENT, METER_CHANGE
from pitboss.rules.patron_flows import CREDIT_LINE, CREDIT_RESTORE, CREDIT_STOP
from pitboss.rules.tax_flows import TAX_CORRECTION, TAX_PAPERS
from pitboss.rules.tray_flows import CLOSER, COUNT, OPENER, RECOUNT, SHIFT_COUNT

_FLOWS = (
    OPENER,
    RECOUNT,
    CLOSER,
    COUNT,
    SHIFT_COUNT,
    FILL,
    FILL_RETURN,
    CREDIT,
    CREDIT_RETURN,
    MARKER,
    MARKER_PAYMENT,
    MARKER_PAYMENT_CAGE,
    MARKER_TRANSFER,
    MARKER_RECALL,
    CREDIT_LINE,
    CREDIT_STOP,
    CREDIT_RESTORE,
    CAGE_COUNT,
    CASH_CORRECTION,
    HOUSE_RECEIPT,
    HOUSE_DESTRUCTION,
    DROP_PULL,
    DROP_COUNT,
    LATE_FILL,
    LATE_CREDIT,
    CORRECTION,
    SHIFT_CLOSE,
    DAY_CLOSE,
    SETTING_CHANGE,
    PERSON_CHANGE,
    PERSON_LEAVES,
    LIMIT_CHANGE,
    TABLE_CHANGE,
    *CARD_FLOWS,
    JACKPOT,
    JACKPOT_REVIEW,
    METER_CHANGE,
    METER_ADJUSTMENT,
    TAX_PAPERS,
    TAX_CORRECTION,
)

FLOWS: Mapping[str, Flow] = {flow.kind: flow for flow in _FLOWS}
