"""What the terminals' API takes and gives, for its schema. The rules themselves read the input."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from pitboss.api_types import choices_of, described
from pitboss.rules.cheques.set_changes import LEAST_CENTS
from pitboss.rules.payouts.check import Verdict
from pitboss.rules.payouts.levels import Level, MustCheck
from pitboss.rules.payouts.mismatches import MismatchDirection, Way
from pitboss.rules.people.languages import ENGLISH, LANGUAGES
from pitboss.rules.tax.tax import Withholding
from pitboss.rules.wagers.extras import FIELDS, extra_schema
from tables.services.calls import WORDS_MAX

_CARD = "Rank and suit: `Qh`, `Td`, `7s`."
_EXTRA = (
    "More facts the wager needs: doubles, splits, insurance, a raise, community cards. Facts the "
    "table decides are filled in. If they are sent with another value, nothing is verified."
)


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
    envy_cents = serializers.IntegerField(help_text="Added to the dealers’ tokes; 0 for none.")
    is_jackpot = serializers.BooleanField(help_text="Entered as a jackpot, which pays its envy.")


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
    """A denomination of cheque."""

    cents = serializers.IntegerField(
        help_text="Of the main set, the denomination in cents; of another, the set’s number "
        "times 100,000,000 plus the cents."
    )
    face = serializers.CharField(help_text="What is printed on it.")
    colour = serializers.CharField()
    letters = serializers.CharField(help_text="The letters on it, which no other cheque has.")
    spots = serializers.CharField(
        help_text="The color of its edge spots; empty for those of the main set.", allow_blank=True
    )


class BetShape(serializers.Serializer[Any]):
    """One bet of a game, and what it says besides its name."""

    bet = serializers.CharField()
    name = serializers.CharField()
    numbers = serializers.IntegerField(help_text="How many numbers it names.")
    which = serializers.IntegerField(help_text="From how many of a kind it chooses, such as 3.")


class WagerShape(serializers.Serializer[Any]):
    """A wager of the table, its limits and what it pays."""

    wager = serializers.ChoiceField(choices=list(FIELDS))
    name = serializers.CharField()
    is_side_bet = serializers.BooleanField()
    minimum_cents = serializers.IntegerField()
    maximum_cents = serializers.IntegerField()
    stakes_cents = serializers.ListField(
        child=serializers.IntegerField(), help_text="The only stakes taken; any when empty."
    )
    cards = WagerCardsShape()
    bets = BetShape(many=True, help_text="The bets of a game such as roulette; `extra` names one.")
    has_result = serializers.BooleanField(
        help_text="Whether `extra` says a `result`, such as the number of a wheel."
    )
    paytable = PaytableWithRows()


class DealerShape(serializers.Serializer[Any]):
    """Who deals, and since when."""

    badge = serializers.CharField()
    name = serializers.CharField()
    since = serializers.DateTimeField()


class FeltShape(serializers.Serializer[Any]):
    """What the house wants of a terminal's felt."""

    shows = serializers.ChoiceField(choices=["owed", "about_to_pay"])
    must_check = serializers.ChoiceField(choices=choices_of(MustCheck))
    lost_by_bust = serializers.ListField(child=serializers.CharField())


class ComingShape(serializers.Serializer[Any]):
    """Limits that are signed for the table and have not begun."""

    minimum_cents = serializers.IntegerField()
    maximum_cents = serializers.IntegerField()
    from_at = serializers.DateTimeField(
        allow_null=True, help_text="When they begin; null until the sign is up or the shoe ends."
    )
    words = serializers.CharField()


class KeptShape(serializers.Serializer[Any]):
    """A seat that keeps older limits."""

    seat = serializers.IntegerField()
    minimum_cents = serializers.IntegerField()
    maximum_cents = serializers.IntegerField()


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
    coming = ComingShape(allow_null=True)
    kept = KeptShape(many=True)
    options = serializers.DictField(
        child=serializers.CharField(), help_text="House options that are not the default."
    )
    wagers = WagerShape(many=True)
    plays = serializers.ListField(
        child=serializers.CharField(),
        help_text="What a hand may be here besides hit and stood on: `double`, `split`, "
        "`surrender`, `even_money`.",
    )
    felt = FeltShape()
    cheques = ChequeShape(many=True, help_text="The cheque colors of the house, highest first.")
    meters = serializers.DictField(child=serializers.IntegerField())
    dealer = DealerShape(allow_null=True)
    closing_after_shoe_since = serializers.DateTimeField(
        allow_null=True,
        help_text="When players were notified that the table closes after this shoe.",
    )
    round = serializers.IntegerField(allow_null=True, help_text="The round that is open, if any.")
    supervisor_called_since = serializers.DateTimeField(allow_null=True)
    attests = serializers.DictField(
        child=serializers.DictField(child=serializers.CharField()),
        help_text="What a dealer attests with badge and PIN, by act and language: `tap_in`, "
        "`tap_out`, `jackpot`, `big_win`. Show it as it is, and English beneath any other.",
    )
    at = serializers.DateTimeField(help_text="The server's time, the only one that counts.")


class LanguageInput(serializers.Serializer[Any]):
    """In which language the terminal showed what is signed."""

    language = serializers.ChoiceField(
        choices=list(LANGUAGES),
        default=ENGLISH,
        help_text="Language of the attestation that was shown: see `attests` of the table.",
    )


class BadgeInput(LanguageInput):
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

    wager = serializers.ChoiceField(choices=list(FIELDS))
    stake_cents = serializers.IntegerField(
        required=False, min_value=1, help_text="Or give `bet`, the cheques on the spot."
    )
    player_cards = cards_field(required=False)
    dealer_up = serializers.CharField(required=False, help_text=f"The dealer's first card. {_CARD}")
    dealer_cards = cards_field(required=False)
    extra = serializers.DictField(required=False, help_text=_EXTRA)
    paytable = described(serializers.JSONField, {"type": "string"})(
        required=False, help_text="The pay table's id, if you want it compared with the table's."
    )
    paid_cents = serializers.IntegerField(required=False, min_value=0, help_text="Or give `paid`.")
    paid = cheques_field(required=False)
    bet = cheques_field(required=False)
    colour_up = described(
        serializers.JSONField,
        {"anyOf": [{"type": "boolean"}, {"type": "integer", "multipleOf": LEAST_CENTS}]},
    )(required=False, help_text="`true`, or the denomination that the player wants to reach.")
    seat = serializers.IntegerField(required=False, min_value=1, max_value=500)
    hand = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=4,
        help_text="The split hand that is about to be paid. Left out, `paid_cents` is what goes "
        "out to all hands of the bet.",
    )
    suited = serializers.BooleanField(
        required=False,
        help_text="Cards may be given by rank alone, `9`. They are verified where no suit could "
        "change the payout; this says whether all of them are of one suit.",
    )
    corrects = serializers.IntegerField(
        required=False,
        help_text="The check of the same bet whose cards were entered wrong. Its request for "
        "approval ends, and its envy is reversed.",
    )
    keyed_at = serializers.DateTimeField(
        required=False, help_text="When it was entered, if the terminal has been offline since."
    )


def _check_of(wager: str) -> type[CheckInput]:
    """Return the check of one wager: the same fields, and of `extra` just what this wager takes."""
    extra = {**extra_schema(wager), "description": _EXTRA}
    name = "".join(word.capitalize() for word in wager.split("_"))
    fields = {
        "wager": described(serializers.CharField, {"type": "string", "const": wager})(),
        "extra": described(serializers.DictField, extra)(required=False),
    }
    return type(f"{name}Check", (CheckInput,), {**fields, "__doc__": f"A check of `{wager}`."})


def checked_field(says: str) -> Any:
    """Return the field of a bet as it is sent to be checked, the same shape for every wager."""
    sent = {"$ref": "#/components/schemas/CheckRequest", "description": says}
    return described(serializers.DictField, sent)()


def check_of_any_wager() -> PolymorphicProxySerializer:
    """Return the checks of all wagers, told apart by `wager`, for the schema."""
    return PolymorphicProxySerializer(
        component_name="Check",
        serializers={wager: _check_of(wager) for wager in FIELDS},
        resource_type_field_name="wager",
    )


class ApprovalShape(serializers.Serializer[Any]):
    """Who must say yes first, and why."""

    code = serializers.CharField()
    message = serializers.CharField()
    by = serializers.ListField(child=serializers.CharField())


class TaxShape(serializers.Serializer[Any]):
    """The papers that a win owes, taken for a resident with a taxpayer number."""

    form = serializers.CharField(allow_null=True)
    withholding = serializers.ChoiceField(choices=choices_of(Withholding))
    federal_cents = serializers.IntegerField()
    state_cents = serializers.IntegerField()
    reportable_cents = serializers.IntegerField()
    signature = serializers.BooleanField()
    form_5754 = serializers.BooleanField()
    provisional = serializers.BooleanField()
    working = serializers.CharField()
    locality = serializers.CharField(required=False, help_text="Where a local tax is withheld.")
    local_cents = serializers.IntegerField(required=False)
    nra = serializers.CharField(required=False, help_text="How a nonresident’s tax is found.")


class ReasonShape(serializers.Serializer[Any]):
    """Why something cannot be verified."""

    code = serializers.CharField()
    message = serializers.CharField()


class WarningShape(serializers.Serializer[Any]):
    """What a supervisor should know of a bet that is settled all the same."""

    code = serializers.CharField()
    message = serializers.CharField()


class OrderShape(serializers.Serializer[Any]):
    """An order of the supervisor, by its number in the floor log, and what it changed here."""

    number = serializers.IntegerField()
    code = serializers.CharField()
    message = serializers.CharField()


class VerdictShape(serializers.Serializer[Any]):
    """The verdict on a payout, with all that leads to it and follows from it."""

    verdict = serializers.ChoiceField(choices=choices_of(Verdict))
    paid_cents = serializers.IntegerField()
    expected_cents = serializers.IntegerField(
        allow_null=True, help_text="The exact settlement; below zero for a bet that is lost."
    )
    payable_cents = serializers.IntegerField(
        allow_null=True,
        help_text="Amount pushed to the hands and bets that won, without what no cheque pays.",
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
    level = serializers.ChoiceField(
        choices=choices_of(Level),
        help_text="`verbal`: pay it. `approval`: ask at `/checks/<id>/approval` first. "
        "`big_win`: enter it at `/checks/<id>/big-win`. `jackpot`: enter it.",
    )
    approvals = ApprovalShape(many=True)
    tax = TaxShape(allow_null=True)
    orders = OrderShape(many=True, help_text="What the supervisor had ordered and this follows.")
    warnings = WarningShape(many=True)
    reasons = ReasonShape(many=True)


class CheckAnswer(VerdictShape):
    """A check as it is stored."""

    check = serializers.IntegerField()
    table = serializers.CharField()
    wager = serializers.ChoiceField(choices=list(FIELDS))
    stake_cents = serializers.IntegerField()
    seat = serializers.IntegerField(allow_null=True)
    checked_at = serializers.DateTimeField()
    keyed_at = serializers.DateTimeField(allow_null=True)


class ChecksPage(serializers.Serializer[Any]):
    """Checks after the one that was named."""

    items = CheckAnswer(many=True)
    next = serializers.IntegerField(
        allow_null=True, help_text="Send it as `after` for the next page; null at the end."
    )


class PaidInput(serializers.Serializer[Any]):
    """What was paid beside the stake in the end: an amount, or the cheques themselves."""

    paid_cents = serializers.IntegerField(required=False, min_value=0, help_text="Or give `paid`.")
    paid = cheques_field(required=False)
    keyed_at = serializers.DateTimeField(
        required=False, help_text="When it was entered, if the terminal has been offline since."
    )
    approval = serializers.IntegerField(
        required=False, help_text="The request that was granted; else the last of this check."
    )
    already_paid = serializers.BooleanField(
        required=False, help_text="It went out without approval: stored, and flagged."
    )


class SettlementShape(serializers.Serializer[Any]):
    """How a supervisor settled a payout that differed."""

    way = serializers.ChoiceField(choices=choices_of(Way))
    stands_cents = serializers.IntegerField(help_text="What the player has in the end.")
    by = serializers.CharField()
    at = serializers.DateTimeField()


class MismatchShape(serializers.Serializer[Any]):
    """A payout that was confirmed otherwise than it was judged; the supervisor is told."""

    id = serializers.IntegerField()
    direction = serializers.ChoiceField(choices=choices_of(MismatchDirection))
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
    approved_by = serializers.CharField(allow_null=True)
    is_unapproved = serializers.BooleanField()
    envy_cents = serializers.IntegerField(help_text="Added to the tip pool with this payout.")
    mismatch = MismatchShape(allow_null=True)
