"""What the site's own database role may do: read all, add rows, change only what is in pencil.

The role owns nothing. Migrations run as the owner, and after each one these grants are made anew,
so a new table is never more open than its model says.
"""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings
from django.db import connections, models

# Rows of these are written once. Triggers refuse a change to the owner as well.
APPEND_ONLY = frozenset(
    {
        "pitboss.AccountEvent",
        "pitboss.CarriedOver",
        "pitboss.ClosedDay",
        "pitboss.ClosedShift",
        "pitboss.DayDigest",
        "pitboss.GuardSheet",
        "pitboss.JournalEntry",
        "pitboss.JournalSeal",
        "pitboss.PaperForm",
        "pitboss.PaperFormEnd",
        "pitboss.PaperPicture",
        "pitboss.PersonLimit",
        "pitboss.RoundsTold",
        "pitboss.RulesVersion",
        "pitboss.SettingValue",
        "pitboss.Signature",
        "pitboss.SlipPrint",
        "pitboss.StaffWord",
        "pitboss.UsedPin",
        "inventory.CageCount",
        "inventory.CardMove",
        "inventory.CardSet",
        "inventory.CaseEnd",
        "inventory.CashBehalf",
        "inventory.BankAccount",
        "inventory.CashEntry",
        "inventory.CheckDeposit",
        "inventory.CashTold",
        "inventory.ChequeTransfer",
        "inventory.CollectionContact",
        "inventory.CreditLine",
        "inventory.CtrBatch",
        "inventory.CtrBatchForm",
        "inventory.CtrFiling",
        "inventory.CtrForm",
        "inventory.CurrencyReport",
        "inventory.CurrencyReportClosing",
        "inventory.DepositEntry",
        "inventory.ListRow",
        "inventory.ListRowEnd",
        "inventory.ListUpload",
        "inventory.ListVersion",
        "inventory.NoteReading",
        "inventory.Marker",
        "inventory.MarkerEntry",
        "inventory.PatronDocument",
        "inventory.PatronStanding",
        "inventory.PaymentInstrument",
        "inventory.PublicBalance",
        "inventory.ReturnedCheck",
        "inventory.SamePatron",
        "inventory.ReturnedDeposit",
        "inventory.SarCase",
        "inventory.SarReading",
        "inventory.SarStep",
        "inventory.Stranger",
        "inventory.StrangerMatch",
        "inventory.SuspicionNote",
        "inventory.TrayCount",
        "jackpots.FrozenAmount",
        "jackpots.Jackpot",
        "jackpots.JackpotFigure",
        "jackpots.JackpotPayment",
        "jackpots.MeterContribution",
        "jackpots.MeterEntry",
        "jackpots.MeterFreeze",
        "jackpots.MeterReading",
        "jackpots.TaxForm",
        "jackpots.TaxLine",
        "jackpots.TaxPdf",
        "tables.DrillAnswer",
        "jackpots.WithheldEnd",
        "jackpots.WithheldWin",
        "tables.BoxTally",
        "tables.CompartmentTurn",
        "tables.CountDelivery",
        "tables.CountFile",
        "tables.DayStatement",
        "tables.MachineMap",
        "tables.AdviceTaken",
        "tables.Comp",
        "tables.CompEntry",
        "tables.DropEstimate",
        "tables.EnvyLine",
        "tables.EvaluationAnswer",
        "tables.FloorEntry",
        "tables.FloorRequest",
        "tables.RequestWithdrawal",
        "tables.Incident",
        "tables.IncidentReport",
        "tables.KeyTaken",
        "tables.Look",
        "tables.LossLimit",
        "tables.MainEdge",
        "tables.Mismatch",
        "tables.MismatchSettlement",
        "tables.PatronHost",
        "tables.PatronTier",
        "tables.PayoutCheck",
        "tables.PayoutConfirmation",
        "tables.PayoutWord",
        "tables.PointsEntry",
        "tables.RatingDraw",
        "tables.RatingFigures",
        "tables.RatingMoney",
        "tables.SkillSeen",
        "tables.RatingSeen",
        "tables.RoomMove",
        "tables.RunPit",
        "tables.RunStop",
        "tables.RunWatch",
        "tables.RebateAgreement",
        "tables.RebateSettlement",
        "tables.Relation",
        "tables.SerialExplanation",
        "tables.SettledHours",
        "tables.SettledWin",
        "tables.ShoeMark",
        "tables.SignChange",
        "tables.StringCall",
        "tables.SystemScope",
    }
)
# Set at the first run, by two managers together: its clock decides to which day everything belongs.
WRITTEN_ONCE = frozenset({"pitboss.Property"})
# Too many for an entry of the journal each: what follows from one is journalled instead.
# Practice is no record of the floor.
WITHOUT_ENTRY = frozenset(
    {
        "tables.DrillAnswer",
        "tables.PayoutCheck",
        "tables.PayoutConfirmation",
        "tables.PayoutWord",
    }
)
# Written by a trigger alone, from what slips say.
KEPT_BY_TRIGGERS = frozenset({"tables.PulledBox"})
# The only rows that ever go: sessions, what is kept for a resend, what was sent to other systems
# and stands in the journal, challenges that no one answered, browsers to notify, tries with badges
# that no one has, which the journal tells of, old tries that are archived, calls of other systems,
# and what the worker has still to do; no record of the floor.
DELETABLE = frozenset(
    {
        "sessions.Session",
        "pitboss.Attempt",
        "pitboss.OutboxEvent",
        "pitboss.WebhookDelivery",
        "pitboss.PasskeyChallenge",
        "pitboss.PushAddress",
        "pitboss.PushSent",
        "pitboss.RequestMark",
        "pitboss.StoredAnswer",
        "pitboss.StrayAttempt",
        "tables.FiguresAwaited",
        "tables.SystemCall",
    }
)


def privileges(model: type[models.Model]) -> str:
    """Return what the site's role may do with a model's table."""
    if model._meta.label in KEPT_BY_TRIGGERS:
        return "SELECT"
    if model._meta.label in APPEND_ONLY | WRITTEN_ONCE:
        return "SELECT, INSERT"
    if model._meta.label in DELETABLE:
        return "SELECT, INSERT, UPDATE, DELETE"
    return "SELECT, INSERT, UPDATE"


def grant_to_site(*, sender: AppConfig, using: str, **_: Any) -> None:
    """Grant the site's role its rights on the tables of one app."""
    connection = connections[using]
    quote = connection.ops.quote_name
    role = quote(settings.SITE_DATABASE_ROLE)
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [settings.SITE_DATABASE_ROLE])
        if cursor.fetchone() is None:
            return
        cursor.execute("SELECT current_user")
        (current,) = cursor.fetchone()
        if current == settings.SITE_DATABASE_ROLE:
            return
        cursor.execute(f"GRANT USAGE ON SCHEMA public TO {role}")
        cursor.execute(f"GRANT SELECT ON django_migrations TO {role}")
        for model in apps.get_app_config(sender.label).get_models(include_auto_created=True):
            table = quote(model._meta.db_table)
            cursor.execute(f"REVOKE ALL ON {table} FROM {role}")
            cursor.execute(f"GRANT {privileges(model)} ON {table} TO {role}")
        cursor.execute(f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}")
