"""Big wins as they are entered: read from a check, or judged as a tablet gives the hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from jackpots.models import Jackpot
from pitboss.models import Slip, Table
from pitboss.rules.cards.rank_cards import shown_hands, tells_by_rank
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.flows.flows import PlanFacts, SlipStatus
from pitboss.rules.games.games import spoken
from pitboss.rules.games.tracked import TRACKED_GAMES
from pitboss.rules.payouts.big_wins import BIG_WIN, check_refusals, marks_of
from pitboss.rules.payouts.check import PayoutVerdict
from pitboss.rules.payouts.claims import Claim, read_claim
from pitboss.rules.payouts.jackpot_flows import ENDS_ROUND
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.wagers.wager_cards import cards_of
from pitboss.rules.wagers.working import row_words
from pitboss.selectors.pending import pending_big_wins
from pitboss.selectors.table_rules import rules_in_force
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from tables.models import PayoutCheck, PayoutConfirmation, Round
from tables.services.checks import what_if
from tables.services.round_facts import round_key

# The row of a win that is entered as people saw it.
IN_WORDS: Final = "in_words"


@dataclass(frozen=True, slots=True)
class BigWinFound:
    """A big win as it is known before anyone signs: the bet, its answer, and its check."""

    claim: Claim
    answer: Mapping[str, Any]
    is_stake_back: bool
    check: PayoutCheck | None
    # What won, where no cards say it.
    words: str = ""


def found_by(table: Table, given: Mapping[str, Any]) -> BigWinFound:
    """Return what is entered: a check of the table, or a hand with its bet. Raises Refused."""
    if "check" in given:
        return _of_check(table, given["check"], given.get("seat"))
    if table.game in TRACKED_GAMES:
        return _in_words(table, given)
    return _of_hand(table, given)


def _of_check(table: Table, number: int, seat: int | None) -> BigWinFound:
    check = PayoutCheck.objects.filter(pk=number, table=table).first()
    if check is None:
        raise refuse("unknown_check", f"{table} has no check {number}. Check the payout first.")
    refusals = check_refusals(
        check.answer, is_confirmed=PayoutConfirmation.objects.filter(check_of=check).exists()
    )
    if refusals:
        raise Refused(refusals)
    if tells_by_rank(read_claim(check.claim)):
        raise refuse("suits_needed", "A big win names every card. Enter the suits and check again.")
    keyed = dict(check.claim)
    if keyed.get("seat") is None and seat is not None:
        keyed["seat"] = seat
    # What the check found stands. Its day's rules only say again that the stake goes back.
    again = what_if(table=table, keyed=keyed, at=check.keyed_at or check.at)
    return BigWinFound(read_claim(keyed), check.answer, _goes_back(again), check)


def _of_hand(table: Table, given: Mapping[str, Any]) -> BigWinFound:
    keyed = {**given, "paid_cents": 0}
    claim = read_claim(keyed)
    if tells_by_rank(claim):
        raise refuse("suits_needed", "A big win names every card. Enter their suits too.")
    missing = _cards_missing(claim)
    if missing:
        raise Refused(missing)
    verdict = what_if(table=table, keyed=keyed, at=None)
    if verdict.settlement is None:
        raise Refused(verdict.reasons)
    answer = verdict.as_answer()
    refusals = check_refusals(answer, is_confirmed=False)
    if refusals:
        raise Refused(refusals)
    return BigWinFound(claim, answer, _goes_back(verdict), None)


def _in_words(table: Table, given: Mapping[str, Any]) -> BigWinFound:
    """Read a big win of a game without rules here: the hand in words, wager and amount as entered.

    No one but the people who sign says that it is right. Raises Refused.
    """
    hand, amount_cents = str(given.get("hand") or "").strip(), given.get("amount_cents")
    refusals = []
    if not hand:
        refusals.append(Refusal("hand_missing", "Describe what won: the bet and the result."))
    if not amount_cents:
        refusals.append(Refusal("amount_missing", "Enter what the bet wins, without the stake."))
    if refusals:
        raise Refused(refusals)
    claim = read_claim(
        {
            "wager": table.game,
            "stake_cents": given.get("stake_cents"),
            "seat": given.get("seat"),
            "paid_cents": amount_cents,
        }
    )
    terms = house.settings_at(house.now()).level_terms
    least_cents = min(terms.big_from_cents, terms.long_odds_from * claim.stake_cents)
    if claim.paid_cents < least_cents:
        raise refuse("no_big_win", "This payout isn’t a big win. Ask the supervisor to approve it.")
    stake, won = format_money(claim.stake_cents), format_money(claim.paid_cents)
    answer = {
        "category": IN_WORDS,
        "payable_cents": claim.paid_cents,
        "expected_cents": claim.paid_cents,
        "breakage_cents": 0,
        "cheques": {},
        "envy_cents": 0,
        "paytable": {"id": IN_WORDS, "name": "as entered", "version": 1},
        "rule": f"{table.game}.{IN_WORDS}",
        "working": f"{hand}. {stake} wins {won}, as entered.",
        "tax": None,
    }
    return BigWinFound(claim, answer, True, None, hand)


def _goes_back(verdict: PayoutVerdict) -> bool:
    return verdict.settlement is not None and verdict.settlement.stake_returned is True


def _cards_missing(claim: Claim) -> list[Refusal]:
    cards = cards_of(claim.wager)
    player, dealer = cards_of_claim(claim)
    if len(player) >= cards.player[0] and len(dealer) >= cards.dealer[0]:
        return []
    return [
        Refusal(
            "cards_missing",
            f"{spoken(claim.wager)} is decided by {cards.player[0]} cards of the player and "
            f"{cards.dealer[0]} of the dealer. Enter them all.",
        )
    ]


def cards_of_claim(claim: Claim) -> tuple[list[str], list[str]]:
    """Return the cards of both sides in the order in which they were dealt."""
    case = claim.case
    up = case.get("dealer_up")
    dealer = case.get("dealer_cards") or ([up] if up else [])
    return list(case.get("player_cards") or ()), list(dealer)


def drafted_big_win(table: Table, given: Mapping[str, Any]) -> NewSlip:
    """Return a big win about to be entered. Raises Refused for a payout that is none."""
    found = found_by(table, given)
    claim, answer = found.claim, found.answer
    if claim.seat is None:
        raise refuse("seat_missing", "Choose the seat that won.")
    in_force = house.settings_at(house.now())
    terms = in_force.big_win_terms
    player, dealer = cards_of_claim(claim)
    wager_cents = claim.stake_cents + claim.raise_cents
    name = spoken(claim.wager)
    paytable = rules_in_force(table, in_force).side_bets.get(claim.wager)
    details = {
        "about": f"{name}, {row_words(answer['category'])}, seat {claim.seat}",
        "says": [
            ["Seat", str(claim.seat)],
            ["Hand", found.words or shown_hands(player, dealer)],
            ["Bet", _bet_words(claim)],
            ["Owed", format_money(answer["payable_cents"])],
            *([["Check", str(found.check.pk)]] if found.check else []),
        ],
        "hit": {
            "seat": claim.seat,
            "wager": claim.wager,
            "stake_cents": claim.stake_cents,
            "player_cards": player,
            "dealer_cards": dealer,
            "paytable": {"rows": dict(paytable.paytable)}
            if paytable is not None and not isinstance(paytable.paytable, str)
            else {"id": answer["paytable"]["id"]},
            "category": answer["category"],
            "level": "",
            "percent": 0,
            "envy_cents": answer["envy_cents"],
            "raise_cents": claim.raise_cents,
            "returned_cents": wager_cents if found.is_stake_back else 0,
        },
        "check": found.check.pk if found.check else None,
        "extra": claim.case.get("extra") or {},
        "amount_cents": answer["payable_cents"],
        "owed_cents": answer["expected_cents"],
        "breakage_cents": answer["breakage_cents"],
        "cheques": answer["cheques"],
        "paytable": answer["paytable"],
        "rule": answer["rule"],
        "working": answer["working"],
        "tax": answer["tax"],
        "round": _open_round(table),
        ENDS_ROUND: terms.ends_round,
    }
    return NewSlip(BIG_WIN, table.pk, {}, details=details)


def _bet_words(claim: Claim) -> str:
    raised = f", raised {format_money(claim.raise_cents)}" if claim.raise_cents else ""
    return f"{format_money(claim.stake_cents)}{raised}"


def _open_round(table: Table) -> str:
    round_ = Round.objects.filter(table=table, ended_at=None).first()
    return round_key(round_) if round_ else ""


def plan_facts(details: Mapping[str, Any]) -> PlanFacts:
    """Return what decides who signs a big win."""
    hit = details["hit"]
    terms = house.settings_at(house.now()).big_win_terms
    wager_cents = hit["stake_cents"] + hit["raise_cents"]
    return PlanFacts({}, marks=marks_of(details["owed_cents"], wager_cents, terms))


def entry_refusals(details: Mapping[str, Any], table: Table) -> list[Refusal]:
    """Return why a big win may not be entered now, under the lock of its table."""
    refusals = []
    hit = details["hit"]
    if not table.is_open:
        refusals.append(
            Refusal("table_closed", f"{table} is closed. No hand is dealt there.", CONFLICT)
        )
    for slip in _same_bet(table, hit, details):
        refusals.append(
            Refusal("already_entered", f"{slip} is entered for this bet. Sign or reject that one.")
        )
    return refusals


def _same_bet(table: Table, hit: Mapping[str, Any], details: Mapping[str, Any]) -> list[Slip]:
    """Return what was entered for the same bet: its check, or seat and bet of the same round."""
    if details["check"] is not None:
        found = Jackpot.objects.filter(check_of=details["check"]).select_related("slip").first()
        if found is not None:
            return [found.slip]
    key = round_of(table, details["round"])
    same = Jackpot.objects.filter(
        slip__kind=BIG_WIN, slip__table=table, seat=hit["seat"], wager=hit["wager"]
    ).exclude(slip__status=SlipStatus.VOIDED.value)
    return (
        [jackpot.slip for jackpot in same.filter(round_key=key).select_related("slip")]
        if key
        else []
    )


def round_of(table: Table, told: str) -> str:
    """Return the round that a big win belongs to: as told, or that of one that holds it open.

    Nothing where it is the first of a round that no terminal tells of.
    """
    if told:
        return told
    pending = [slip.pk for slip in pending_big_wins(table)]
    keys = Jackpot.objects.filter(slip__in=pending).order_by("pk").values_list("round_key")
    return next((key for (key,) in keys), "")


def columns_of(slip: Slip) -> dict[str, Any]:
    """Return what the row of a big win holds besides its slip."""
    assert slip.table is not None
    others = round_of(slip.table, slip.details["round"])
    return {
        **slip.details["hit"],
        "round_key": others or slip.serial,
        "check_of_id": slip.details["check"],
    }


def identical_to(jackpot: Jackpot) -> list[Jackpot]:
    """Return the bets of one round that are one wager to the tax law, if one person made them.

    The same bet by the same pay table on the same hand of the dealer, on several spots (R91).
    Itself is one of them.
    """
    if jackpot.slip.kind != BIG_WIN:
        return [jackpot]
    same = (
        Jackpot.objects.filter(
            slip__kind=BIG_WIN,
            slip__table=jackpot.slip.table_id,
            round_key=jackpot.round_key,
            wager=jackpot.wager,
            paytable=jackpot.paytable,
            dealer_cards=jackpot.dealer_cards,
        )
        .exclude(slip__status=SlipStatus.VOIDED.value)
        .select_related("slip__table")
    )
    return list(same.order_by("pk"))


def is_counted_out(slip: Slip) -> bool:
    """Tell whether what a big win pays has left the tray or the cage."""
    return slip.signatures.filter(step="counted_out").exists()


def needs_name(jackpot: Jackpot, award_cents: int, at: datetime) -> bool:
    """Tell whether a big win is so much that its winner shows an ID, form or not."""
    if jackpot.slip.kind != BIG_WIN:
        return False
    return award_cents >= house.settings_at(at).big_win_terms.id_from_cents
