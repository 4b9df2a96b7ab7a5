"""What the terminals' API takes and gives, for its schema. The rules themselves read the input."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from pitboss.rules.mismatches import Direction, Way
from pitboss.rules.payout_check import Verdict
from pitboss.rules.settle import WAGERS
from tables.services.calls import WORDS_MAX

_CARD = "Rank and suit: `Qh`, `Td`, `7s`."


def cheques_field(**options: Any) -> serializers.DictField:
    """Return a field of cheques by denomination in cents."""
    return serializers.DictField(
        child=serializers.IntegerField(min_value=0),
        help_text='Cheques by denomination in cents: `{"2500": 7}`.',
        **options,
    )


def cards_field(**options: Any) -> serializers.ListField:
    """Return a field of cards."""
    return serializers.ListField(child=serializers.CharField(), help_text=_CARD, **options)


class NamedGame(serializers.Serializer[Any]):
    """A game of the house."""

    id = serializers.CharField()
    name = serializers.CharField()


class PaytableRow(serializers.Serializer[Any]):
    """One row of a pay table."""

    row = serializers.CharField()
    name = serializers.CharField(help_text="As it is read out.")
    pays = serializers.CharField()


class PaytableShape(serializers.Serializer[Any]):
    """A pay table by which a verdict was found."""

    id = serializers.CharField()
    name = serializers.CharField()
    version = serializers.IntegerField()
    printed_in = serializers.CharField()


class PaytableWithRows(PaytableShape):
    """A pay table, row by row, best row first."""

    rows = PaytableRow(many=True)


class WagerCardsShape(serializers.Serializer[Any]):
    """How many cards decide a wager, at least and at most."""

    player_least = serializers.IntegerField()
    player_most = serializers.IntegerField()
    dealer_least = serializers.IntegerField()
    dealer_most = serializers.IntegerField()
    dealer_field = serializers.ChoiceField(
        choices=["dealer_up", "dealer_cards"], help_text="Where a check carries the dealer's."
    )


class ChequeShape(serializers.Serializer[Any]):
    """A colour of cheque."""

    cents = serializers.IntegerField()
    face = serializers.CharField(help_text="What is printed on it.")
    colour = serializers.CharField()


class WagerShape(serializers.Serializer[Any]):
    """A wager of the table, its limits and what it pays."""

    wager = serializers.ChoiceField(choices=WAGERS)
    name = serializers.CharField()
    is_side_bet = serializers.BooleanField()
    minimum_cents = serializers.IntegerField()
    maximum_cents = serializers.IntegerField()
    stakes_cents = serializers.ListField(
        child=serializers.IntegerField(), help_text="The only stakes taken; any when empty."
    )
    cards = WagerCardsShape()
    paytable = PaytableWithRows()


class DealerShape(serializers.Serializer[Any]):
    """Who deals, and since when."""

    badge = serializers.CharField()
    name = serializers.CharField()
    since = serializers.DateTimeField()


class TableShape(serializers.Serializer[Any]):
    """A table as its terminal reads it. Wagers stand in the order in which they are paid."""

    table = serializers.CharField()
    terminal = serializers.CharField()
    is_open = serializers.BooleanField()
    game = NamedGame()
    decks = serializers.IntegerField()
    soft_17 = serializers.ChoiceField(choices=["stand", "hit"])
    blackjack_pays = serializers.CharField()
    minimum_cents = serializers.IntegerField()
    maximum_cents = serializers.IntegerField()
    options = serializers.DictField(
        child=serializers.CharField(), help_text="House options that are not the default."
    )
    wagers = WagerShape(many=True)
    cheques = ChequeShape(many=True, help_text="The colours of the house, highest first.")
    meters = serializers.DictField(child=serializers.IntegerField())
    dealer = DealerShape(allow_null=True)
    closing_after_shoe_since = serializers.DateTimeField(
        allow_null=True, help_text="When players were told that the table closes after this shoe."
    )
    round = serializers.IntegerField(allow_null=True, help_text="The round that is open, if any.")
    supervisor_called_since = serializers.DateTimeField(allow_null=True)
    at = serializers.DateTimeField(help_text="The server's time, the only one that counts.")


class BadgeInput(serializers.Serializer[Any]):
    """A dealer's badge and PIN."""

    badge = serializers.CharField(max_length=12)
    pin = serializers.CharField(max_length=12, trim_whitespace=False)


class DealerAnswer(serializers.Serializer[Any]):
    """Who deals now."""

    dealer = DealerShape(allow_null=True)


class CallInput(serializers.Serializer[Any]):
    """What it is about, if there is time to say."""

    about = serializers.CharField(max_length=WORDS_MAX, required=False, allow_blank=True)


class CallAnswer(serializers.Serializer[Any]):
    """Since when the supervisor is called."""

    called_since = serializers.DateTimeField()


class CheckInput(serializers.Serializer[Any]):
    """One wager, the cards it depends on, its stake, and the amount about to be paid beside it."""

    wager = serializers.ChoiceField(choices=WAGERS)
    stake_cents = serializers.IntegerField(min_value=1)
    player_cards = cards_field(required=False)
    dealer_up = serializers.CharField(required=False, help_text=f"The dealer's first card. {_CARD}")
    dealer_cards = cards_field(required=False)
    extra = serializers.DictField(
        required=False,
        help_text="What the wager needs besides: doubles, splits, insurance, a raise, community "
        "cards. What the table decides is filled in; sent otherwise, nothing is verified.",
    )
    paytable = serializers.JSONField(
        required=False, help_text="The pay table's id, if you want it compared with the table's."
    )
    paid_cents = serializers.IntegerField(required=False, min_value=0, help_text="Or give `paid`.")
    paid = cheques_field(required=False)
    bet = cheques_field(required=False)
    colour_up = serializers.JSONField(
        required=False, help_text="`true`, or the denomination that the player wants to reach."
    )
    seat = serializers.IntegerField(required=False, min_value=1, max_value=500)
    keyed_at = serializers.DateTimeField(
        required=False, help_text="When it was keyed, where the line was down since."
    )


class ApprovalShape(serializers.Serializer[Any]):
    """Who must say yes first, and why."""

    code = serializers.CharField()
    message = serializers.CharField()
    by = serializers.ListField(child=serializers.CharField())


class TaxShape(serializers.Serializer[Any]):
    """The papers that a win owes, taken for a resident with a taxpayer number."""

    form = serializers.CharField(allow_null=True)
    withholding = serializers.CharField()
    federal_cents = serializers.IntegerField()
    state_cents = serializers.IntegerField()
    reportable_cents = serializers.IntegerField()
    signature = serializers.BooleanField()
    form_5754 = serializers.BooleanField()
    provisional = serializers.BooleanField()
    working = serializers.CharField()


class ReasonShape(serializers.Serializer[Any]):
    """Why something cannot be verified."""

    code = serializers.CharField()
    message = serializers.CharField()


class OrderShape(serializers.Serializer[Any]):
    """An order of the supervisor, by its number in the floor log, and what it changed here."""

    number = serializers.IntegerField()
    code = serializers.CharField()
    message = serializers.CharField()


class VerdictShape(serializers.Serializer[Any]):
    """The verdict on a payout, with all that leads to it and follows from it."""

    verdict = serializers.ChoiceField(choices=[each.value for each in Verdict])
    paid_cents = serializers.IntegerField()
    expected_cents = serializers.IntegerField(
        allow_null=True, help_text="The exact settlement; below zero for a bet that is lost."
    )
    payable_cents = serializers.IntegerField(
        allow_null=True, help_text="What leaves the tray, without what no cheque pays."
    )
    difference_cents = serializers.IntegerField(
        allow_null=True, help_text="Above zero is too much, below zero too little."
    )
    category = serializers.CharField(allow_null=True)
    rule = serializers.CharField(allow_null=True)
    working = serializers.CharField()
    readings = serializers.ListField(child=serializers.CharField())
    envy_cents = serializers.IntegerField()
    paytable = PaytableShape(allow_null=True)
    cheques = cheques_field(allow_null=True)
    stacks = serializers.DictField(
        child=serializers.ListField(child=serializers.IntegerField()), allow_null=True
    )
    breakage_cents = serializers.IntegerField()
    cut_working = serializers.CharField(allow_blank=True)
    fill = cheques_field()
    take_back = cheques_field()
    add = cheques_field()
    approvals = ApprovalShape(many=True)
    tax = TaxShape(allow_null=True)
    orders = OrderShape(many=True, help_text="What the supervisor had ordered and this follows.")
    reasons = ReasonShape(many=True)


class CheckAnswer(VerdictShape):
    """A check as it is stored."""

    check = serializers.IntegerField()
    table = serializers.CharField()
    wager = serializers.ChoiceField(choices=WAGERS)
    stake_cents = serializers.IntegerField()
    seat = serializers.IntegerField(allow_null=True)
    checked_at = serializers.DateTimeField()
    keyed_at = serializers.DateTimeField(allow_null=True)


class PaidInput(serializers.Serializer[Any]):
    """What was paid beside the stake in the end: an amount, or the cheques themselves."""

    paid_cents = serializers.IntegerField(required=False, min_value=0, help_text="Or give `paid`.")
    paid = cheques_field(required=False)
    keyed_at = serializers.DateTimeField(
        required=False, help_text="When it was keyed, where the line was down since."
    )


class SettlementShape(serializers.Serializer[Any]):
    """How a supervisor settled a payout that differed."""

    way = serializers.ChoiceField(choices=[each.value for each in Way])
    stands_cents = serializers.IntegerField(help_text="What the player has in the end.")
    by = serializers.CharField()
    at = serializers.DateTimeField()


class MismatchShape(serializers.Serializer[Any]):
    """A payout that was confirmed otherwise than it was judged; the supervisor is told."""

    id = serializers.IntegerField()
    direction = serializers.ChoiceField(choices=[each.value for each in Direction])
    owed_cents = serializers.IntegerField(allow_null=True)
    difference_cents = serializers.IntegerField(
        allow_null=True, help_text="Above zero is too much, below zero too little."
    )
    take_back = cheques_field()
    add = cheques_field()
    settlement = SettlementShape(allow_null=True)


class PaidAnswer(serializers.Serializer[Any]):
    """What the dealer confirmed as paid, and the mismatch where it differs from the verdict."""

    check = serializers.IntegerField()
    paid_cents = serializers.IntegerField()
    confirmed_at = serializers.DateTimeField()
    keyed_at = serializers.DateTimeField(allow_null=True)
    mismatch = MismatchShape(allow_null=True)
