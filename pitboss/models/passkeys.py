"""Passkeys of people, and the challenges that they sign: one for each act."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from pitboss.models.sealed import Sealed, SealedManager


class Passkey(Sealed):
    """A key that a person holds, or their device's own. It stays on file when it is removed."""

    person = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="passkeys")
    name = models.CharField(max_length=40)
    # Both as base64url, as browsers write them.
    credential_id = models.CharField(max_length=1_400, unique=True)
    public_key = models.TextField()
    sign_count = models.PositiveBigIntegerField()
    added_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)

    objects = SealedManager["Passkey"]()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                name="passkey_removed_after_it_came",
                condition=Q(removed_at=None) | Q(removed_at__gte=models.F("added_at")),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class PasskeyChallenge(models.Model):
    """What a passkey is asked to sign: bound to a person and to one act, used once."""

    person = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    # As base64url, as browsers write it.
    challenge = models.CharField(max_length=64, unique=True)
    act_hash = models.CharField(max_length=64)
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="challenge_used_after_it_was_made",
                condition=Q(used_at=None) | Q(used_at__gte=models.F("made_at")),
            ),
        ]

    def __str__(self) -> str:
        return f"challenge of {self.person_id}"
