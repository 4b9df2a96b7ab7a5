"""Cards: sets, every step of their lives in ink, and where each one is now.

A set is in one place because it has one row that says so. The database itself keeps that row from
the newest step, and refuses every step that the life of a set does not know.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from pitboss.models.choices import choices, known
from pitboss.rules.cards.sets import (
    AT_TABLE,
    BAGGED,
    ON_THE_GAME,
    BackColour,
    CardAct,
    CardState,
    cards_of,
)


def _in(column: str, states: frozenset[CardState]) -> Q:
    return Q(**{f"{column}__in": sorted(state.value for state in states)})


class CardSet(models.Model):
    """A set of cards as the maker delivered it. Nothing of this ever changes."""

    number = models.CharField(max_length=12, unique=True)
    manufacturer = models.CharField(max_length=60)
    design = models.CharField(max_length=60)
    lot = models.CharField(max_length=30)
    colour = models.CharField(max_length=8, choices=choices(BackColour))
    decks = models.PositiveSmallIntegerField()
    receipt = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="card_sets")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.CheckConstraint(
                name="card_set_colour_known", condition=known("colour", BackColour)
            ),
            models.CheckConstraint(name="card_set_has_decks", condition=Q(decks__gt=0)),
        ]

    def __str__(self) -> str:
        return self.number

    @property
    def cards(self) -> int:
        return cards_of(self.decks)


class CardMove(models.Model):
    """One step in the life of a set, on one slip. Never changed."""

    card_set = models.ForeignKey(CardSet, on_delete=models.PROTECT, related_name="moves")
    sequence = models.PositiveIntegerField()
    act = models.CharField(max_length=16, choices=choices(CardAct))
    # Empty for the first step alone.
    source = models.CharField(max_length=24, choices=choices(CardState), blank=True)
    target = models.CharField(max_length=24, choices=choices(CardState))
    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, null=True)
    pit = models.ForeignKey("pitboss.Pit", on_delete=models.PROTECT, null=True)
    seal = models.CharField(max_length=20, blank=True)
    bag = models.CharField(max_length=20, blank=True)
    counted = models.PositiveSmallIntegerField(null=True)
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="card_moves")
    at = models.DateTimeField()

    class Meta:
        ordering = ["card_set", "sequence"]
        constraints = [
            models.UniqueConstraint(
                fields=["card_set", "sequence"], name="one_step_a_set_and_sequence"
            ),
            models.UniqueConstraint(
                fields=["slip", "card_set", "act"], name="a_slip_moves_a_set_once"
            ),
            models.UniqueConstraint(
                fields=["seal"], name="a_seal_is_used_once", condition=Q(act="vaulted")
            ),
            models.UniqueConstraint(
                fields=["bag"], name="a_bag_is_used_once", condition=Q(act="bagged")
            ),
            models.CheckConstraint(name="card_act_known", condition=known("act", CardAct)),
            models.CheckConstraint(name="card_target_known", condition=known("target", CardState)),
            models.CheckConstraint(
                name="cards_at_a_table_name_it",
                condition=(_in("target", AT_TABLE) & Q(table__isnull=False, pit__isnull=False))
                | (~_in("target", AT_TABLE) & Q(table=None)),
            ),
            models.CheckConstraint(
                name="cards_in_a_pit_name_it",
                condition=_in("target", AT_TABLE)
                | (_in("target", BAGGED | {CardState.IN_PIT}) & Q(pit__isnull=False))
                | (~_in("target", AT_TABLE | BAGGED | {CardState.IN_PIT}) & Q(pit=None)),
            ),
            models.CheckConstraint(
                name="bagged_cards_name_the_bag", condition=~Q(act="bagged") | ~Q(bag="")
            ),
            models.CheckConstraint(
                name="vaulted_cards_name_the_seal", condition=~Q(act="vaulted") | ~Q(seal="")
            ),
        ]
        indexes = [
            # Which sets were on a table at a minute.
            models.Index(fields=["table", "at"], name="card_move_by_table"),
            models.Index(fields=["at"], name="card_move_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.card_set_id}: {self.act} to {self.target}"


class CardPlace(models.Model):
    """Where a set is now. The database keeps it from the set's newest step and lets no one else."""

    card_set = models.OneToOneField(
        CardSet, on_delete=models.PROTECT, primary_key=True, related_name="place"
    )
    state = models.CharField(max_length=24, choices=choices(CardState))
    sequence = models.PositiveIntegerField()
    colour = models.CharField(max_length=8, choices=choices(BackColour))
    table = models.ForeignKey(
        "pitboss.Table", on_delete=models.PROTECT, null=True, related_name="cards_here"
    )
    pit = models.ForeignKey("pitboss.Pit", on_delete=models.PROTECT, null=True)
    seal = models.CharField(max_length=20, blank=True)
    bag = models.CharField(max_length=20, blank=True)
    since = models.DateTimeField()
    # When it came to the table where it is; and whether two people have inspected it there.
    in_use_since = models.DateTimeField(null=True)
    is_inspected = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table", "state"],
                name="one_set_a_slot",
                condition=_in("state", ON_THE_GAME),
            ),
            models.UniqueConstraint(
                fields=["table", "colour"],
                name="sets_at_a_table_differ_in_colour",
                condition=_in("state", ON_THE_GAME),
            ),
        ]
        indexes = [models.Index(fields=["state"], name="card_place_by_state")]

    def __str__(self) -> str:
        return f"{self.card_set_id}: {self.state}"
