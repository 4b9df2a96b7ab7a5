"""What all apps share: the floor, its people, slips and signatures, the journal, what waits."""

from pitboss.models.answers import StoredAnswer
from pitboss.models.audits import JournalAudit
from pitboss.models.days import CarriedOver, ClosedDay, ClosedShift
from pitboss.models.exceptions import FloorException
from pitboss.models.floor import Device, DeviceEnrolment, Pit, Property, Table, WorkerHeartbeat
from pitboss.models.house import PersonLimit, SettingValue
from pitboss.models.journal import JournalChain, JournalEntry, JournalSeal
from pitboss.models.slips import SeriesCounter, Signature, Slip, SlipPrint, Waiting
from pitboss.models.staff import ActingRole, Attempt, Person, PinEnrolment, Visit

__all__ = [
    "ActingRole",
    "Attempt",
    "CarriedOver",
    "ClosedDay",
    "ClosedShift",
    "Device",
    "DeviceEnrolment",
    "FloorException",
    "JournalAudit",
    "JournalChain",
    "JournalEntry",
    "JournalSeal",
    "Person",
    "PersonLimit",
    "PinEnrolment",
    "Pit",
    "Property",
    "SeriesCounter",
    "SettingValue",
    "Signature",
    "Slip",
    "SlipPrint",
    "StoredAnswer",
    "Table",
    "Visit",
    "Waiting",
    "WorkerHeartbeat",
]
