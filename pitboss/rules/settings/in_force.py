"""The settings that hold at one instant, as the rest of the site asks for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from pitboss.rules.book.options import OPTIONS, HouseOptions, house_options
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.cheques.cutting import Breakage, CutOptions
from pitboss.rules.cheques.sets import MANUAL, HouseCheques, house_cheques, is_of_cheques
from pitboss.rules.cheques.tolerances import PRESETS, Tolerance, VarianceTerms
from pitboss.rules.cheques.tray_counts import TRAY_COUNTS
from pitboss.rules.day.gaming_day import Clock, Period, day_start, period
from pitboss.rules.floor.incident_reports import CLOCK
from pitboss.rules.flows.fresh_pins import FreshPinPolicy
from pitboss.rules.patrons.cash_log import CashPolicy
from pitboss.rules.patrons.sar import SarPolicy
from pitboss.rules.payouts.big_wins import BigWinTerms
from pitboss.rules.payouts.levels import LevelTerms
from pitboss.rules.people.devices import TokenPolicy
from pitboss.rules.people.dormant import Dormancy
from pitboss.rules.people.idle import SHOWS_BOARD
from pitboss.rules.people.lockout import LockoutPolicy
from pitboss.rules.people.one_pin import OnePin
from pitboss.rules.people.pin_age import PinAge
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import Place, Role
from pitboss.rules.settings.book import BOOK, LIMIT, OPTION, SERIES
from pitboss.rules.settings.floor import INDEPENDENT, OWN_AMOUNTS, STRICT
from pitboss.rules.settings.kinds import clock_of
from pitboss.rules.settings.ratings import PACE_OF
from pitboss.rules.tax.house import HouseTax, Payer
from pitboss.rules.tax.tables import Base
from pitboss.rules.tax.win import Nonresident, NonresidentTrigger


@dataclass(frozen=True, slots=True)
class DatedValue:
    """One approved value and the instant from which it holds."""

    key: str
    value: Any
    holds_from: datetime


@dataclass(frozen=True)
class SettingsInForce:
    """What two people approved and is in force; the book's default for everything else.

    What every check asks for is put together once: settings in force never change.
    """

    chosen: Mapping[str, Any]
    # The cheques that the house has in play.
    cheques: HouseCheques = MANUAL

    def __getitem__(self, key: str) -> Any:
        return self.chosen[key] if key in self.chosen else BOOK[key].default

    def everything(self) -> dict[str, Any]:
        """Return the value of every setting."""
        return {key: self[key] for key in BOOK}

    def clock(self, zone: ZoneInfo) -> Clock:
        return clock_of(self["day.shifts"], zone)

    @property
    def tolerance(self) -> Tolerance:
        """What follows from a tray that differs from its last count."""
        if self["count.tolerance"] != OWN_AMOUNTS:
            return PRESETS[self["count.tolerance"]]
        return replace(
            PRESETS["NJ"],
            id=OWN_AMOUNTS,
            name="This house",
            report_from_cents=self["count.report_from"],
            regulator_from_cents=self["count.regulator_from"],
            regulator_hours=self["count.regulator_hours"],
            source="Settings of the house",
        )

    def variance_terms(self, tolerance: Tolerance) -> VarianceTerms:
        """Return whether a table with a variance waits for signatures, or owes reports."""
        return VarianceTerms(
            tolerance=tolerance,
            is_strict=self["count.open_with_variance"] == STRICT,
            alone_to_cents=self["count.open_alone_to"],
            report_due=timedelta(hours=self["count.report_due"]),
        )

    @property
    def lockout(self) -> LockoutPolicy:
        return LockoutPolicy(
            wrong_on_device=self["people.wrong_on_device"],
            wrong_anywhere=self["people.wrong_anywhere"],
            wrong_across_badges=self["people.wrong_across_badges"],
            locked_for=timedelta(minutes=self["people.locked_for"]),
        )

    def board_stays(self, place: Place | None) -> bool:
        """Tell whether an idle tablet of a place goes on showing the board."""
        chosen = {
            Place.PIT: self["people.idle_pit"],
            Place.SURVEILLANCE: self["people.idle_surveillance"],
            Place.SECURITY: self["people.idle_security"],
            Place.OFFICE: self["people.idle_office"],
        }
        return place is not None and chosen.get(place) == SHOWS_BOARD

    @property
    def tokens(self) -> TokenPolicy:
        """How long the token of a device holds."""
        return TokenPolicy(
            holds=timedelta(days=self["devices.token_holds"]),
            rotates_after=timedelta(days=self["devices.token_rotates"]),
        )

    @property
    def fresh_pins(self) -> FreshPinPolicy:
        return FreshPinPolicy(
            hours=self["people.reset_pin_hours"], most_cents=self["people.reset_pin_limit"]
        )

    @property
    def pin_age(self) -> PinAge:
        """How old a PIN may be that signs."""
        return PinAge(days=self["people.pin_days"])

    @property
    def one_pin(self) -> OnePin:
        """For how long a PIN stands for the same person's next steps of a slip."""
        return OnePin(seconds=self["people.one_pin"])

    def incident_minutes(self, kind: str) -> int:
        """Within how many minutes the regulator hears of an incident; 0 where no clock runs."""
        return int(self[f"{CLOCK}{kind}"])

    def pace_of(self, game_id: str) -> dict[int, int]:
        """Return the rounds an hour of a game, by the number of players at its table."""
        return dict(enumerate(self[f"{PACE_OF}{game_id}"] or self["rating.pace"], start=1))

    @property
    def dormancy(self) -> Dormancy:
        """After how many days an unused account is suspended."""
        return Dormancy(self["people.dormant_days"], self["people.dormant_new_days"])

    @cached_property
    def cut_options(self) -> CutOptions:
        """What the house decided about cutting payouts and buy-ins."""
        smallest = self["payout.smallest_cheque"]
        return CutOptions(
            breakage=Breakage(self["payout.breakage"]),
            smallest_cheque_cents=None if smallest == "tray" else int(smallest),
            approval_from_cents=self["approval.send_out_from"],
            denominations=self.cheques.paying,
            sets=self.cheques.paying_sets,
        )

    @cached_property
    def level_terms(self) -> LevelTerms:
        """What the house decided about payouts that wait for someone."""
        return LevelTerms(
            long_odds_from=self["approval.long_odds_from"],
            big_from_cents=self["bigwin.amount_from"],
            main_from_cents=self["bigwin.main_from"],
        )

    @property
    def big_win_terms(self) -> BigWinTerms:
        """Who else looks at a big win, and from when on."""
        return BigWinTerms(
            long_odds_from=self["approval.long_odds_from"],
            review_from_cents=self["bigwin.review_from"],
            release_from_cents=self["bigwin.release_from"],
            id_from_cents=self["bigwin.id_from"],
            ends_round=self["bigwin.ends_round"],
            by_phone=self["jackpot.review"] == "phone",
        )

    @cached_property
    def options(self) -> HouseOptions:
        """How the house reads what its documents leave open."""
        return house_options({option.name: self[f"{OPTION}{option.name}"] for option in OPTIONS})

    @property
    def cash_policy(self) -> CashPolicy:
        """What a day's cash is watched by."""
        return CashPolicy(
            log_from_cents=self["cash.log_from"],
            near_cents=self["cash.near"],
            report_over_cents=self["cash.report_over"],
            report_days=self["cash.report_days"],
            who_from_cents=self["cash.who_from"],
            seat_window=timedelta(minutes=self["cash.seat_window"]),
        )

    @property
    def sar_policy(self) -> SarPolicy:
        """By when suspicious activity is filed."""
        return SarPolicy(
            from_cents=self["sar.from"],
            days_with_suspect=self["sar.days_suspect"],
            days_without=self["sar.days_unknown"],
            review_days=self["sar.review_days"],
        )

    @cached_property
    def tax(self) -> HouseTax:
        """What the house and its tax adviser decided about wins."""
        return HouseTax(
            basis=Base(self["tax.basis"]),
            state=self["tax.state"],
            nonresident=Nonresident(self["tax.nonresident"]),
            nonresident_trigger=NonresidentTrigger(self["tax.nonresident_trigger"]),
            nonresident_base=Base(self["tax.nonresident_base"]),
            report_cents=self["tax.report_from"],
            withhold_over_cents=self["tax.withhold_over"],
            regular_basis_points=self["tax.regular_rate"],
            backup_basis_points=self["tax.backup_rate"],
            nonresident_basis_points=self["tax.nonresident_rate"],
            state_basis_points=self["tax.state_rate"],
            treaties=tuple(self["tax.treaties"].items()),
            payer=Payer(**self["tax.payer"]),
        )

    @property
    def wait_limit_seconds(self) -> int:
        return int(self["waiting.limit"]) * 60

    @property
    def nightly_verification_hour(self) -> int:
        """At which hour of the house's clock the whole record is verified."""
        return int(self["record.verified_at"])

    @property
    def escalates_after(self) -> timedelta:
        """How long something waits for one rank before the next is told."""
        return timedelta(minutes=int(self["waiting.escalate"]))

    def agrees_blind(self, kind: str) -> bool:
        """Whether a slip's cheques are counted without its lines: a fill's, or those of a tray."""
        if kind in TRAY_COUNTS:
            return bool(self["count.verify"] == INDEPENDENT)
        return bool(self["signing.fill_agreement"] == "blind")

    def series(self, letters: str) -> str:
        """Return the letters under which a series is numbered now."""
        return str(self[f"{SERIES}{letters}"])

    def limit_refusals(self, kind: str, role: Role, total_cents: int) -> list[Refusal]:
        """Return why someone of this rank may not raise a slip of this kind and size.

        >>> SettingsInForce({"limit.fill.supervisor": 500_000}).limit_refusals(
        ...     "fill", Role.SUPERVISOR, 500_100
        ... )[0].message
        'The fill limit for supervisor is $5,000. Call someone more senior.'
        """
        key = f"{LIMIT}{kind}.{role.value}"
        most_cents = self[key] if key in BOOK else None
        if most_cents is None or total_cents <= most_cents:
            return []
        return [
            Refusal(
                "over_limit_of_rank",
                f"The {kind} limit for {role.label} is "
                f"{format_money(most_cents)}. Call someone more senior.",
            )
        ]


def in_force(values: Iterable[DatedValue], now: datetime) -> SettingsInForce:
    """Return the settings that hold at an instant. Of one time, what was approved last holds.

    `values` are in the order in which they were approved. Keys that this release does not know are
    left aside: they were settings of another.
    """
    begun = sorted(
        (value for value in values if value.holds_from <= now), key=lambda value: value.holds_from
    )
    of_cheques = [
        (dated_value.key, dated_value.value)
        for dated_value in begun
        if is_of_cheques(dated_value.key)
    ]
    return SettingsInForce(
        {dated_value.key: dated_value.value for dated_value in begun if dated_value.key in BOOK},
        house_cheques(of_cheques) if of_cheques else MANUAL,
    )


def period_at(values: Iterable[DatedValue], zone: ZoneInfo, now: datetime) -> Period:
    """Return the gaming day and shift of an instant, also when the shifts change soon."""
    values = list(values)
    when = period(in_force(values, now).clock(zone), now)
    changes = [v.holds_from for v in values if v.key == "day.shifts" and v.holds_from > now]
    return replace(when, ends=min([when.ends, *changes]))


def day_change(old: Clock, new: Clock, day: date) -> datetime:
    """Return the instant from which new shifts hold, so that a gaming day is never cut in two.

    Where the day will start earlier, it is that new start. Where it starts later, the old start:
    by the new clock the day before then goes on until its later end.
    """
    return min(day_start(old, day), day_start(new, day))
