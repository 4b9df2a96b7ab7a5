"""People: who they are, what they may do this shift, and every attempt to be one of them."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models import Q

from pitboss.models.choices import choices, known
from pitboss.rules.roles import Role


class PersonManager(BaseUserManager["Person"]):
    """People are found by badge."""

    def get_by_natural_key(self, username: str | None) -> Person:
        return self.get(badge=username)


class Person(AbstractBaseUser):
    """Someone who works here. Their badge names them; their PIN, which nobody else knows, signs."""

    badge = models.CharField(max_length=12, unique=True)
    first_name = models.CharField(max_length=40)
    last_name = models.CharField(max_length=40)
    licence_number = models.CharField(max_length=20, blank=True)
    licence_ends = models.DateField(null=True, blank=True)
    employee_number = models.CharField(max_length=20, unique=True)
    role = models.CharField(max_length=24, choices=choices(Role))
    is_active = models.BooleanField(default=True)
    pin_hash = models.CharField(max_length=160, blank=True)
    pin_set_at = models.DateTimeField(null=True, blank=True)

    USERNAME_FIELD = "badge"
    REQUIRED_FIELDS = ["first_name", "last_name"]
    objects = PersonManager()

    class Meta:
        verbose_name_plural = "people"
        ordering = ["last_name", "first_name"]
        constraints = [
            models.CheckConstraint(name="person_role_known", condition=known("role", Role)),
        ]

    def __str__(self) -> str:
        return f"{self.first_name[:1]}. {self.last_name}"

    @property
    def signs_as(self) -> str:
        """Return the signature of the house manual: initial, last name, licence number."""
        return f"{self} {self.licence_number}".strip()


class ActingRole(models.Model):
    """The one role that someone acts in for a shift, granted by a shift manager."""

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="acting_roles")
    gaming_day = models.DateField()
    shift = models.CharField(max_length=20)
    role = models.CharField(max_length=24, choices=choices(Role))
    granted_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    granted_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["person", "gaming_day", "shift"], name="one_acting_role_a_shift"
            ),
            models.CheckConstraint(
                name="nobody_grants_themselves_a_role",
                condition=~Q(granted_by=models.F("person")),
            ),
            models.CheckConstraint(name="acting_role_known", condition=known("role", Role)),
        ]

    def __str__(self) -> str:
        return f"{self.person_id} as {self.role} on {self.gaming_day} {self.shift}"


class Attempt(models.Model):
    """One try at a PIN or password. It counts as wrong until it is proven right."""

    class Kind(models.TextChoices):
        PIN = "pin"
        PASSWORD = "password"

    class Outcome(models.TextChoices):
        UNPROVEN = "unproven"
        RIGHT = "right"
        FORGIVEN = "forgiven"

    badge = models.CharField(max_length=12)
    device = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, null=True)
    kind = models.CharField(max_length=10, choices=Kind)
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.UNPROVEN)
    at = models.DateTimeField()

    class Meta:
        indexes = [
            # The lock-out asks for a badge's latest attempts before each check of a PIN.
            models.Index(fields=["badge", "-at"], name="attempt_by_badge"),
        ]

    def __str__(self) -> str:
        return f"{self.badge} {self.kind} {self.outcome}"


class PinEnrolment(models.Model):
    """Leave to set a PIN once, offered by someone else, completed before a witness."""

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    code_hash = models.CharField(max_length=64, unique=True)
    offered_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    offered_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    witness = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="nobody_offers_themselves_a_pin",
                condition=~Q(offered_by=models.F("person")),
            ),
            models.CheckConstraint(
                name="nobody_witnesses_their_own_pin",
                condition=Q(witness=None) | ~Q(witness=models.F("person")),
            ),
        ]

    def __str__(self) -> str:
        return f"PIN of {self.person_id}"


class Visit(models.Model):
    """One log-in on one device, so that one badge on two tablets is seen."""

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="visits")
    device = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, null=True)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["person"], name="visit_under_way", condition=Q(ended_at=None)),
        ]

    def __str__(self) -> str:
        return f"{self.person_id} since {self.began_at}"
