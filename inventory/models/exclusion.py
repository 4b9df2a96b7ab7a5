"""Lists of people who may not play, borrow or be paid; who was compared with them, and cases."""

from __future__ import annotations

from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from pitboss.models.choices import choices, known
from pitboss.models.sealed import Sealed, SealedManager
from pitboss.rules.patrons.exclusion import CaseDecision, ListKind, Match, Moment


class ListUpload(models.Model):
    """A file that someone brought, whole and in cipher, before anyone signed that it counts."""

    list = models.CharField(max_length=20, choices=choices(ListKind))
    content_cipher = models.TextField()
    content_hash = models.CharField(max_length=64)
    uploaded_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="upload_list_known", condition=known("list", ListKind)),
        ]

    def __str__(self) -> str:
        return f"{self.list} of {self.uploaded_at}"


class ListVersion(models.Model):
    """A list as it counts from an import on, with what that import changed."""

    list = models.CharField(max_length=20, choices=choices(ListKind))
    upload = models.OneToOneField(ListUpload, on_delete=models.PROTECT, related_name="version")
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    rows_count = models.PositiveIntegerField()
    added_count = models.PositiveIntegerField()
    changed_count = models.PositiveIntegerField()
    removed_count = models.PositiveIntegerField()
    imported_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(name="version_list_known", condition=known("list", ListKind)),
        ]
        indexes = [models.Index(fields=["list", "-id"], name="list_version_latest")]

    def __str__(self) -> str:
        return f"{self.list} no. {self.pk}"


class ListRow(models.Model):
    """One person on a list. A row that changed ends, and another takes its place."""

    list = models.CharField(max_length=20, choices=choices(ListKind))
    external_id = models.CharField(max_length=40)
    last_name = models.CharField(max_length=120)
    first_name = models.CharField(max_length=80, blank=True)
    aliases = models.JSONField()
    born_on = models.DateField(null=True)
    # A whole tax id stands here by its index alone, the last four digits as they are.
    ssn_index = models.CharField(max_length=64, blank=True)
    ssn_ends = models.CharField(max_length=4, blank=True)
    address = models.CharField(max_length=300, blank=True)
    description = models.CharField(max_length=500, blank=True)
    from_on = models.DateField(null=True)
    until_on = models.DateField(null=True)
    # What near names are found by.
    keys = models.JSONField()
    row_digest = models.CharField(max_length=64)
    version = models.ForeignKey(ListVersion, on_delete=models.PROTECT, related_name="rows")

    class Meta:
        constraints = [
            models.CheckConstraint(name="row_list_known", condition=known("list", ListKind)),
        ]
        indexes = [
            GinIndex(fields=["keys"], name="list_row_by_key"),
            models.Index(fields=["ssn_index"], name="list_row_by_ssn", condition=~Q(ssn_index="")),
            models.Index(fields=["list", "external_id"], name="list_row_by_id"),
        ]

    def __str__(self) -> str:
        return f"{self.last_name}, {self.first_name}"


class ListRowEnd(models.Model):
    """A row that another version of its list no longer has, or has otherwise."""

    row = models.OneToOneField(ListRow, on_delete=models.PROTECT, related_name="ended")
    version = models.ForeignKey(ListVersion, on_delete=models.PROTECT, related_name="ends")

    def __str__(self) -> str:
        return f"{self.row_id} ended with {self.version_id}"


class ExclusionCase(Sealed):
    """A patron who may be a person on a list. One case for one patron and one row."""

    patron = models.ForeignKey("inventory.Patron", on_delete=models.PROTECT, related_name="cases")
    row = models.ForeignKey(ListRow, on_delete=models.PROTECT, related_name="cases")
    match = models.CharField(max_length=8, choices=choices(Match))
    moment = models.CharField(max_length=12, choices=choices(Moment))
    gaming_day = models.DateField()
    opened_at = models.DateTimeField()

    objects = SealedManager["ExclusionCase"]()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["patron", "row"], name="one_case_a_patron_and_row"),
            models.CheckConstraint(name="case_match_known", condition=known("match", Match)),
            models.CheckConstraint(name="case_moment_known", condition=known("moment", Moment)),
        ]

    def __str__(self) -> str:
        return f"case {self.pk}"


class CaseEnd(models.Model):
    """What two people found out about a case: it is the person, or it is not."""

    case = models.OneToOneField(ExclusionCase, on_delete=models.PROTECT, related_name="end")
    decision = models.CharField(max_length=10, choices=choices(CaseDecision))
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="case_decision_known", condition=known("decision", CaseDecision)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.case_id} {self.decision}"


class ListCheck(Sealed):
    """A patron compared with the lists once: when, by which versions, and what was found."""

    patron = models.ForeignKey("inventory.Patron", on_delete=models.PROTECT, related_name="+")
    moment = models.CharField(max_length=12, choices=choices(Moment))
    # The newest version of each list at that moment.
    versions = models.JSONField()
    # The case that it met, none where no one on a list is like the patron.
    case = models.ForeignKey(
        ExclusionCase, on_delete=models.PROTECT, null=True, related_name="checks"
    )
    stopped = models.BooleanField(default=False)
    # The slip and the table that it was about.
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, null=True, related_name="+")
    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, null=True)
    gaming_day = models.DateField()
    at = models.DateTimeField()

    objects = SealedManager["ListCheck"]()

    class Meta:
        constraints = [
            models.CheckConstraint(name="check_moment_known", condition=known("moment", Moment)),
            models.CheckConstraint(
                name="only_a_case_stops", condition=Q(stopped=False) | Q(case__isnull=False)
            ),
        ]
        indexes = [
            models.Index(fields=["slip"], name="list_check_by_slip"),
            models.Index(fields=["case", "-id"], name="list_check_by_case"),
        ]

    def __str__(self) -> str:
        return f"{self.patron_id} at {self.moment}"
