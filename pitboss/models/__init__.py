"""What all apps share: the floor, its people, slips and signatures, the journal, what waits."""

from pitboss.models.accounts import AccountEvent
from pitboss.models.answers import RequestMark, StoredAnswer
from pitboss.models.audits import JournalAudit
from pitboss.models.days import CarriedOver, ClosedDay, ClosedShift
from pitboss.models.exceptions import FloorException
from pitboss.models.floor import (
    Device,
    DeviceEnrolment,
    Pit,
    Property,
    RoundsTold,
    Table,
    WorkerHeartbeat,
)
from pitboss.models.house import PersonLimit, SettingValue
from pitboss.models.journal import JournalChain, JournalEntry, JournalSeal
from pitboss.models.keeping import BeatLease, DayDigest, GuardSheet, SealingState
from pitboss.models.outages import PaperForm, PaperFormEnd, PaperPicture
from pitboss.models.passkeys import Passkey, PasskeyChallenge
from pitboss.models.pushing import PushAddress, PushSent
from pitboss.models.rules_versions import RulesVersion
from pitboss.models.slips import SeriesCounter, Signature, Slip, SlipPrint, Waiting
from pitboss.models.staff import (
    ActingRole,
    Attempt,
    Person,
    PinEnrolment,
    StrayAttempt,
    UsedPin,
    Visit,
)
from pitboss.models.told import StaffWord
from pitboss.models.webhooks import OutboxEvent, Webhook, WebhookDelivery

__all__ = [
    "AccountEvent",
    "ActingRole",
    "Attempt",
    "BeatLease",
    "CarriedOver",
    "ClosedDay",
    "ClosedShift",
    "DayDigest",
    "Device",
    "DeviceEnrolment",
    "FloorException",
    "GuardSheet",
    "JournalAudit",
    "JournalChain",
    "JournalEntry",
    "JournalSeal",
    "OutboxEvent",
    "PaperForm",
    "PaperFormEnd",
    "PaperPicture",
    "Passkey",
    "PasskeyChallenge",
    "Person",
    "PersonLimit",
    "PinEnrolment",
    "Pit",
    "Property",
    "PushAddress",
    "PushSent",
    "RequestMark",
    "RoundsTold",
    "RulesVersion",
    "SealingState",
    "SeriesCounter",
    "SettingValue",
    "Signature",
    "Slip",
    "SlipPrint",
    "StaffWord",
    "StoredAnswer",
    "StrayAttempt",
    "Table",
    "UsedPin",
    "Visit",
    "Waiting",
    "Webhook",
    "WebhookDelivery",
    "WorkerHeartbeat",
]
