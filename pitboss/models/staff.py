"""People: who they are, what they may do this shift, and every attempt to be one of them."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models import Q

from pitboss.models.choices import choices, known
from pitboss.models.sealed import Sealed, SealedManager, SealedQuerySet
from pitboss.rules.roles import Role


class PersonManager(BaseUserManager["Person"]):
    """People are found by badge."""

    def get_queryset(self) -> SealedQuerySet[Person]:
        return SealedQuerySet(self.model, using=self._db)

    def get_by_natural_key(self, username: str | None) -> Person:
        return self.get(badge=username)


class Person(Sealed, AbstractBaseUser):
    """Someone who works here. Their badge names them; their PIN, which no one else knows, signs."""

    PENCIL = frozenset({"last_login"})

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
    # Since when the PIN is one that others gave the means to set; a change of one's own keeps it.
    pin_by_others_at = models.DateTimeField(null=True, blank=True)
    # Whom the house's identity provider calls them: its issuer, a space, and the subject there.
    identity = models.CharField(max_length=512, blank=True, default="")
    # The language that they read pads in; English unless they choose another.
    language = models.CharField(max_length=5, blank=True, default="")

    USERNAME_FIELD = "badge"
    REQUIRED_FIELDS = ["first_name", "last_name"]
    objects = PersonManager()

    class Meta:
        verbose_name_plural = "people"
        ordering = ["last_name", "first_name"]
        constraints = [
            models.CheckConstraint(name="person_role_known", condition=known("role", Role)),
            models.UniqueConstraint(
                fields=["identity"], condition=~Q(identity=""), name="one_person_an_identity"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first_name[:1]}. {self.last_name}"

    @property
    def signs_as(self) -> str:
        """Return the signature of the house manual: initial, last name, license number."""
        return f"{self} {self.licence_number}".strip()


class UsedPin(models.Model):
    """A PIN that a person had, hashed: none of the last ones is chosen again."""

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="used_pins")
    pin_hash = models.CharField(max_length=160)
    set_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["person", "-id"], name="used_pin_latest")]

    def __str__(self) -> str:
        return f"a PIN of {self.person_id}"


class ActingRole(Sealed):
    """The one role that someone acts in for a part of a shift: several a shift, never two at once.

    A manager grants it; two of two departments name an acting shift manager where there is none.
    """

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="acting_roles")
    gaming_day = models.DateField()
    shift = models.CharField(max_length=20)
    role = models.CharField(max_length=24, choices=choices(Role))
    granted_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    granted_at = models.DateTimeField()
    # To the end of the shift where no time is set. That no two are at once, a trigger sees to.
    until = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    # The slip on which two managers named an acting shift manager.
    named_on = models.ForeignKey(
        "pitboss.Slip", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    objects = SealedManager["ActingRole"]()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="acting_role_ends_after_it_began",
                condition=(Q(until=None) | Q(until__gt=models.F("granted_at")))
                & (Q(ended_at=None) | Q(ended_at__gte=models.F("granted_at"))),
            ),
            models.CheckConstraint(
                name="who_ended_an_acting_role_is_known",
                condition=Q(ended_at=None, ended_by=None)
                | Q(ended_at__isnull=False, ended_by__isnull=False),
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
    # No index of its own: that of its latest attempts begins with it.
    device = models.ForeignKey(
        "pitboss.Device", on_delete=models.PROTECT, null=True, db_index=False
    )
    source = models.CharField(max_length=45, blank=True)
    kind = models.CharField(max_length=10, choices=Kind)
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.UNPROVEN)
    at = models.DateTimeField()

    class Meta:
        indexes = [
            # The lock-out asks for a badge's and a door's latest attempts before each check.
            models.Index(fields=["badge", "-at"], name="attempt_by_badge"),
            models.Index(fields=["device", "-at"], name="attempt_by_device"),
            models.Index(
                fields=["source", "-at"], name="attempt_by_source", condition=Q(device=None)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.badge} {self.kind} {self.outcome}"


class StrayAttempt(models.Model):
    """One try with a badge that no one has. What was typed may be a PIN: a keyed mark is kept.

    Swept after a house's hours; the journal keeps that there was a try, and no sign of it.
    """

    mark = models.CharField(max_length=64)
    device = models.ForeignKey(
        "pitboss.Device", on_delete=models.PROTECT, null=True, db_index=False
    )
    source = models.CharField(max_length=45, blank=True)
    kind = models.CharField(max_length=10, choices=Attempt.Kind)
    is_forgiven = models.BooleanField(default=False)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["-at"], name="stray_by_time")]

    def __str__(self) -> str:
        return f"an unknown badge at {self.at}"


class PinEnrolment(Sealed):
    """Leave to set a PIN once. One person offers it, another witnesses; each knows half its code.

    Or both keys of the house were turned on the server: then there is no other person behind it.
    """

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="pin_enrolments")
    # The half that the offerer was shown; of a code of the two keys, the whole.
    code_hash = models.CharField(max_length=64, unique=True)
    offered_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    offered_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    by_keys = models.BooleanField(default=False)
    # The half that the witness was shown, when they signed that they stand by.
    witness = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    released_at = models.DateTimeField(null=True, blank=True)
    released_hash = models.CharField(max_length=64, blank=True)
    # Where neither the old PIN nor the old password was known any more.
    second_witness = models.ForeignKey(
        Person, on_delete=models.PROTECT, null=True, related_name="+"
    )
    used_at = models.DateTimeField(null=True, blank=True)
    # When the person last read of it, after signing in.
    told_at = models.DateTimeField(null=True, blank=True)

    objects = SealedManager["PinEnrolment"]()

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
            models.CheckConstraint(
                name="offerer_and_witness_of_a_pin_differ",
                condition=Q(witness=None) | ~Q(witness=models.F("offered_by")),
            ),
            models.CheckConstraint(
                name="second_witness_of_a_pin_differs",
                condition=Q(second_witness=None)
                | (
                    ~Q(second_witness=models.F("person"))
                    & ~Q(second_witness=models.F("offered_by"))
                    & ~Q(second_witness=models.F("witness"))
                ),
            ),
            models.CheckConstraint(
                name="pin_offered_by_somebody_or_by_keys",
                condition=Q(by_keys=True, offered_by=None)
                | Q(by_keys=False, offered_by__isnull=False),
            ),
            models.CheckConstraint(
                name="pin_is_set_before_a_witness",
                condition=Q(used_at=None)
                | Q(by_keys=True)
                | Q(witness__isnull=False, released_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"PIN of {self.person_id}"


class Visit(models.Model):
    """One log-in on one device, so that one badge on two tablets is seen."""

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="visits")
    device = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, null=True)
    source = models.CharField(max_length=45, blank=True)
    # By its hash a session is found and ended; the key itself would open it.
    session_hash = models.CharField(max_length=64, blank=True)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["person"], name="visit_under_way", condition=Q(ended_at=None)),
            # Pads ask who came of late.
            models.Index(fields=["began_at"], name="visit_lately"),
        ]

    def __str__(self) -> str:
        return f"{self.person_id} since {self.began_at}"
