"""Players' stays at a table: who sat where, what was seen of their bets, and what it was worth."""

from __future__ import annotations

from enum import StrEnum, unique

from django.db import models
from django.db.models import F, Q

from pitboss.models.choices import choices, known
from pitboss.models.sealed import Sealed, SealedManager
from pitboss.rules.ratings.theo import BetBasis, PaceBasis, Skill


@unique
class StayEnd(StrEnum):
    """Why a rating ended. The values are stored."""

    LEFT = "left"
    MOVED = "moved"
    TABLE_CLOSED = "table_closed"
    UNATTENDED = "unattended"
    DAY_TURNED = "day_turned"
    # The player may not play from then on: self-excluded, or confirmed to be on a list.
    BARRED = "barred"

    @property
    def label(self) -> str:
        return {"left": "left", "moved": "moved", "day_turned": "gaming day ended"}.get(
            self.value, self.value.replace("_", " ")
        )


class PlayRating(Sealed):
    """One person's stay at one table in one gaming day. It ends once, and never changes then."""

    table = models.ForeignKey(
        "pitboss.Table", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    patron = models.ForeignKey(
        "inventory.Patron", on_delete=models.PROTECT, null=True, related_name="ratings"
    )
    stranger = models.ForeignKey(
        "inventory.Stranger", on_delete=models.PROTECT, null=True, related_name="ratings"
    )
    # They were asked, and gave no name.
    declined_name = models.BooleanField(default=False)
    began_at = models.DateTimeField()
    # None where it goes on by itself after the gaming day turned.
    began_by = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+"
    )
    device = models.ForeignKey(
        "pitboss.Device", on_delete=models.PROTECT, null=True, related_name="+"
    )
    by_card = models.BooleanField(default=False)
    gaming_day = models.DateField()
    shift = models.CharField(max_length=20)
    continues = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, related_name="continued_by"
    )
    ended_at = models.DateTimeField(null=True)
    end = models.CharField(max_length=12, choices=choices(StayEnd), blank=True, default="")
    ended_by = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+"
    )
    is_signed = models.BooleanField(default=False)
    # The bet as someone remembered it at the end, where no one had looked.
    guess_cents = models.PositiveBigIntegerField(null=True)

    objects = SealedManager["PlayRating"]()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="a_rating_is_of_one_person",
                condition=Q(patron__isnull=False, stranger=None)
                | Q(patron=None, stranger__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["patron"], condition=Q(ended_at=None), name="one_open_rating_a_patron"
            ),
            models.UniqueConstraint(
                fields=["stranger"], condition=Q(ended_at=None), name="one_open_rating_a_stranger"
            ),
            models.CheckConstraint(
                name="a_rating_ends_after_it_began",
                condition=Q(ended_at=None, end="", ended_by=None, is_signed=False)
                | (Q(ended_at__gte=F("began_at")) & known("end", StayEnd)),
            ),
            models.CheckConstraint(
                name="a_signed_end_has_its_signer",
                condition=Q(is_signed=False) | Q(ended_by__isnull=False),
            ),
        ]
        indexes = [
            models.Index(fields=["table", "-began_at"], name="rating_by_table"),
            models.Index(fields=["gaming_day", "table"], name="rating_by_day"),
            models.Index(fields=["table"], name="rating_open_by_table", condition=Q(ended_at=None)),
            # Ended and without figures: what the worker looks for.
            models.Index(fields=["ended_at"], name="rating_by_end"),
        ]

    def __str__(self) -> str:
        return f"rating {self.pk}"


class SeatHeld(Sealed):
    """One seat from when it was taken until it was free; with no rating, by someone not rated."""

    table = models.ForeignKey(
        "pitboss.Table", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    seat = models.PositiveSmallIntegerField()
    rating = models.ForeignKey(
        PlayRating, on_delete=models.PROTECT, null=True, related_name="seats"
    )
    from_at = models.DateTimeField()
    until = models.DateTimeField(null=True)
    by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+")
    # By which a second tap is known; none where a stay goes on by itself.
    request_id = models.UUIDField(null=True, unique=True)
    request_hash = models.CharField(max_length=64, blank=True, default="")

    objects = SealedManager["SeatHeld"]()

    class Meta:
        verbose_name_plural = "seats held"
        constraints = [
            models.CheckConstraint(name="a_seat_has_a_number", condition=Q(seat__gte=1)),
            models.UniqueConstraint(
                fields=["table", "seat"], condition=Q(until=None), name="one_player_a_seat"
            ),
            models.CheckConstraint(
                name="a_seat_is_free_after_it_was_taken",
                condition=Q(until=None) | Q(until__gte=F("from_at")),
            ),
        ]
        indexes = [
            models.Index(fields=["table", "seat", "-from_at"], name="seat_by_table"),
            # Who sat there in the last hours, or in one hour of a past week.
            models.Index(fields=["until"], name="seat_by_end"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.table_id}"


class Look(models.Model):
    """A bet as someone saw it: all seats of the person together, side bets apart. Never changed."""

    rating = models.ForeignKey(
        PlayRating, on_delete=models.PROTECT, related_name="looks", db_index=False
    )
    at = models.DateTimeField()
    bet_cents = models.PositiveBigIntegerField()
    seats = models.PositiveSmallIntegerField()
    # {"trilux": 500}: what lay on the side bets.
    side = models.JSONField(default=dict)
    # Pitboss chose the moment.
    prompted = models.BooleanField(default=False)
    # None where the table's terminal saw it.
    by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+")
    device = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, related_name="+")
    request_id = models.UUIDField(unique=True)
    request_hash = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.CheckConstraint(name="a_look_sees_a_bet", condition=Q(bet_cents__gt=0)),
            models.CheckConstraint(name="a_look_is_of_seats", condition=Q(seats__gte=1)),
        ]
        indexes = [models.Index(fields=["rating", "-at"], name="look_by_rating")]

    def __str__(self) -> str:
        return f"{self.bet_cents} at {self.at}"


class Away(Sealed):
    """A player left the seat for a while and kept it."""

    rating = models.ForeignKey(
        PlayRating, on_delete=models.PROTECT, related_name="absences", db_index=False
    )
    from_at = models.DateTimeField()
    until = models.DateTimeField(null=True)

    objects = SealedManager["Away"]()

    class Meta:
        verbose_name_plural = "absences"
        constraints = [
            models.UniqueConstraint(
                fields=["rating"], condition=Q(until=None), name="one_absence_at_a_time"
            ),
            models.CheckConstraint(
                name="back_after_away", condition=Q(until=None) | Q(until__gte=F("from_at"))
            ),
        ]
        indexes = [models.Index(fields=["rating", "-from_at"], name="absence_by_rating")]

    def __str__(self) -> str:
        return f"away since {self.from_at}"


class SkillSeen(models.Model):
    """How a player plays against the chart, as someone saw it. The last one counts."""

    rating = models.ForeignKey(PlayRating, on_delete=models.PROTECT, related_name="skills")
    level = models.CharField(max_length=5, choices=choices(Skill))
    by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    device = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)
    request_hash = models.CharField(max_length=64)

    class Meta:
        verbose_name_plural = "skills seen"
        constraints = [
            models.CheckConstraint(name="skill_known", condition=known("level", Skill)),
        ]

    def __str__(self) -> str:
        return f"{self.level} in {self.rating_id}"


@unique
class MoneyKind(StrEnum):
    """What a player brought to a table, or left it with. The values are stored."""

    CASH = "cash"
    MARKER = "marker"
    FRONT_MONEY = "front_money"
    CHEQUES = "cheques"
    WALKED = "walked"
    MOVED_ON = "moved_on"

    @property
    def label(self) -> str:
        words = {"walked": "Left with", "moved_on": "To another table"}
        return words.get(self.value, self.value.replace("_", " ").capitalize())


class RatingMoney(models.Model):
    """What a player brought or walked with.

    Cash, markers and front money are those of the day, never typed.
    """

    rating = models.ForeignKey(PlayRating, on_delete=models.PROTECT, related_name="money")
    kind = models.CharField(max_length=11, choices=choices(MoneyKind))
    amount_cents = models.PositiveBigIntegerField()
    # {"2500": 12}: what they walked with, counted by color; empty where only an amount was said.
    cheques = models.JSONField(default=dict)
    entry = models.OneToOneField(
        "inventory.CashEntry", on_delete=models.PROTECT, null=True, related_name="+"
    )
    marker = models.OneToOneField(
        "inventory.Marker", on_delete=models.PROTECT, null=True, related_name="+"
    )
    # What was set aside of the deposit when front money was drawn at the table.
    drawn = models.OneToOneField(
        "inventory.DepositEntry", on_delete=models.PROTECT, null=True, related_name="+"
    )
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "rating money"
        constraints = [
            models.CheckConstraint(name="rating_money_known", condition=known("kind", MoneyKind)),
            models.CheckConstraint(
                name="cash_of_a_rating_is_the_days_cash",
                condition=(Q(kind="cash") & Q(entry__isnull=False))
                | (~Q(kind="cash") & Q(entry=None)),
            ),
            models.CheckConstraint(
                name="a_marker_of_a_rating_is_a_marker",
                condition=(Q(kind="marker") & Q(marker__isnull=False))
                | (~Q(kind="marker") & Q(marker=None)),
            ),
            models.CheckConstraint(
                name="front_money_of_a_rating_was_drawn",
                condition=(Q(kind="front_money") & Q(drawn__isnull=False))
                | (~Q(kind="front_money") & Q(drawn=None)),
            ),
            models.UniqueConstraint(
                fields=["rating"], condition=Q(kind="walked"), name="walked_with_once"
            ),
            models.CheckConstraint(
                name="only_what_was_walked_with_is_counted_by_color",
                condition=Q(kind="walked") | Q(cheques={}),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount_cents}"


class RatingFigures(models.Model):
    """What an ended rating came to. A correction or a void is the next revision, on its slip."""

    rating = models.ForeignKey(PlayRating, on_delete=models.PROTECT, related_name="figures")
    revision = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField()
    # Seconds at the table, absences left out.
    seconds = models.PositiveIntegerField()
    basis = models.CharField(max_length=7, choices=choices(BetBasis), blank=True, default="")
    pace_basis = models.CharField(max_length=7, choices=choices(PaceBasis), blank=True, default="")
    looks = models.PositiveSmallIntegerField(default=0)
    # Fractions as texts, in lowest terms; empty where they are not known.
    average = models.CharField(max_length=80, blank=True, default="")
    decisions = models.CharField(max_length=80, blank=True, default="")
    # By wager: what was bet, in cents, the edge, and where that comes from.
    action = models.JSONField(default=dict)
    squares = models.JSONField(default=dict)
    # Stakes that stray together: hands against one dealer, a raise with its ante.
    crosses = models.JSONField(default=dict)
    edges = models.JSONField(default=dict)
    skill_bp = models.PositiveSmallIntegerField(default=0)
    theo = models.TextField(blank=True, default="")
    theo_cents = models.BigIntegerField(null=True)
    low_cents = models.BigIntegerField(null=True)
    high_cents = models.BigIntegerField(null=True)
    # What the house won of the stay; none where no one saw what was walked with.
    result_cents = models.BigIntegerField(null=True)
    is_void = models.BooleanField(default=False)
    slip = models.OneToOneField(
        "pitboss.Slip", on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        verbose_name_plural = "rating figures"
        indexes = [
            # What was corrected after its day was settled.
            models.Index(fields=["made_at"], name="figures_corrected", condition=Q(revision__gt=0)),
        ]
        constraints = [
            models.UniqueConstraint(fields=["rating", "revision"], name="one_figure_a_revision"),
            models.CheckConstraint(
                name="a_revision_has_its_slip",
                condition=Q(revision=0, slip=None, is_void=False)
                | Q(revision__gt=0, slip__isnull=False),
            ),
            models.CheckConstraint(
                name="a_theo_has_its_range",
                condition=Q(theo="", theo_cents=None, low_cents=None, high_cents=None)
                | (
                    ~Q(theo="")
                    & Q(
                        low_cents__lte=F("theo_cents"),
                        high_cents__gte=F("theo_cents"),
                    )
                ),
            ),
            models.CheckConstraint(
                name="a_void_rating_counts_nothing",
                condition=Q(is_void=False) | Q(theo="", result_cents=None),
            ),
        ]

    def __str__(self) -> str:
        return f"figures {self.revision} of {self.rating_id}"


class MainEdge(models.Model):
    """The exact edge of the main game for one set of rules, worked out once. Never changed."""

    digest = models.CharField(max_length=64, unique=True)
    rules = models.JSONField()
    edge = models.TextField()
    ppm = models.IntegerField()
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.ppm} ppm"


class FiguresAwaited(models.Model):
    """An ended rating that waits for the edge of its rules. It goes when its figures are written.

    The worker looks here every minute, and never through years of ratings.
    """

    rating = models.OneToOneField(PlayRating, on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name_plural = "figures awaited"

    def __str__(self) -> str:
        return f"figures of {self.rating_id}"
