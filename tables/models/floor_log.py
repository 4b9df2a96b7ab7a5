"""The floor log, in ink: what terminals asked for, and what supervisors said and noted."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from pitboss.models.choices import choices, known
from pitboss.rules.floor.closing_notice import CLOSING, STAYS_OPEN
from pitboss.rules.floor.log import LogOutcome
from pitboss.rules.floor.records import EVALUATION, PACE_CHECK
from pitboss.rules.roles import Role


class FloorRequest(models.Model):
    """What the terminal of a table asked its supervisor for. An entry answers it, once."""

    kind = models.CharField(max_length=40)
    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="+")
    terminal = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, related_name="+")
    dealer = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+"
    )
    gaming_day = models.DateField()
    shift = models.CharField(max_length=20)
    at = models.DateTimeField()
    facts = models.JSONField(default=dict)
    sentence = models.CharField(max_length=500)

    class Meta:
        constraints = [
            models.CheckConstraint(name="floor_request_says_what", condition=~Q(sentence="")),
        ]
        indexes = [models.Index(fields=["table", "-id"], name="floor_request_by_table")]

    def __str__(self) -> str:
        return self.sentence


class RequestWithdrawal(models.Model):
    """A request that the dealer took back before anyone answered it. Never changed."""

    asked = models.OneToOneField(FloorRequest, on_delete=models.PROTECT, related_name="withdrawal")
    by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    terminal = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.asked} Withdrawn."


class FloorEntry(models.Model):
    """One line of the floor log: what was granted, declined or noted, by whom. Never changed."""

    kind = models.CharField(max_length=40)
    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="+")
    gaming_day = models.DateField()
    shift = models.CharField(max_length=20)
    at = models.DateTimeField()
    outcome = models.CharField(max_length=8, choices=choices(LogOutcome))
    facts = models.JSONField(default=dict)
    # As the log reads it, whatever the kinds are called later.
    title = models.CharField(max_length=60)
    sentence = models.CharField(max_length=500)
    # Why not.
    reason = models.CharField(max_length=200, blank=True)
    amount_cents = models.PositiveBigIntegerField(null=True)
    # {"2500": 12}: the cheques that were shown to be sent.
    sends = models.JSONField(default=dict)
    patron = models.ForeignKey(
        "inventory.Patron", on_delete=models.PROTECT, null=True, related_name="+"
    )
    by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    signed_as = models.CharField(max_length=110)
    role = models.CharField(max_length=24, choices=choices(Role))
    # The tablet on which it was made; the terminal, under a standing approval.
    device = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, related_name="+")
    needs_signature = models.BooleanField(default=False)
    is_signed = models.BooleanField(default=False)
    answers = models.OneToOneField(
        FloorRequest, on_delete=models.PROTECT, null=True, related_name="answer"
    )
    # The standing approval under which it was granted without a word.
    under = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="covers")
    request_id = models.UUIDField(unique=True)
    request_hash = models.CharField(max_length=64)

    class Meta:
        verbose_name_plural = "floor entries"
        constraints = [
            models.CheckConstraint(
                name="floor_outcome_known", condition=known("outcome", LogOutcome)
            ),
            models.CheckConstraint(name="floor_entry_says_what", condition=~Q(sentence="")),
            models.CheckConstraint(
                name="a_no_says_why", condition=Q(outcome="declined") ^ Q(reason="")
            ),
            models.CheckConstraint(
                name="signed_where_it_must_be",
                condition=Q(needs_signature=False) | Q(is_signed=True) | Q(outcome="declined"),
            ),
            models.CheckConstraint(
                name="standing_grants_what_was_asked",
                condition=Q(under=None)
                | Q(answers__isnull=False, outcome="granted", is_signed=False),
            ),
        ]
        indexes = [
            models.Index(fields=["gaming_day", "shift", "id"], name="floor_log_by_shift"),
            models.Index(fields=["table", "-id"], name="floor_log_by_table"),
            models.Index(fields=["-id"], name="evaluations_newest", condition=Q(kind=EVALUATION)),
            models.Index(fields=["at"], name="pace_checks_by_time", condition=Q(kind=PACE_CHECK)),
            # Every tile of the board asks for the last of these.
            models.Index(
                fields=["table", "-id"],
                name="closing_notice_by_table",
                condition=Q(kind__in=[CLOSING, STAYS_OPEN]),
            ),
        ]

    def __str__(self) -> str:
        return self.sentence
