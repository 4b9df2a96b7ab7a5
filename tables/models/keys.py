"""Sensitive keys in someone's hand."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from pitboss.rules.floor.keys import KEYS


class KeyTaken(models.Model):
    """One person who took a key on a slip, in ink. The slip ends when the key is back.

    A trigger keeps the keys of release and contents apart: no one has both in one gaming day.
    """

    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="keys_taken")
    key = models.CharField(max_length=20)
    person = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    gaming_day = models.DateField()
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "keys taken"
        constraints = [
            models.CheckConstraint(name="sensitive_key_known", condition=Q(key__in=list(KEYS))),
            models.UniqueConstraint(fields=["slip", "person"], name="key_taken_once_by_each"),
        ]
        indexes = [models.Index(fields=["person", "gaming_day"], name="key_by_person_and_day")]

    def __str__(self) -> str:
        return f"{self.key} to {self.person_id}"
