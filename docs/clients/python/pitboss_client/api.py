"""Calls of the Pitboss API 1.4.0, made from docs/openapi.json."""

from __future__ import annotations

from typing import cast

from pitboss_client.line import Line
from pitboss_client.shapes import (
    AskRequest,
    BadgeRequest,
    BigWinAnswer,
    BigWinRequest,
    BookmarksAnswer,
    CallAnswer,
    CallRequest,
    CardReplacedRequest,
    CardsRequest,
    CheckAnswer,
    CheckRequest,
    ChecksPage,
    CountsRequest,
    DealerAnswer,
    DecisionRequest,
    DeliveryAnswer,
    EndRequest,
    EnrolAnswer,
    EnrolRequest,
    EnterRequest,
    EnvyAnswer,
    EnvyRequest,
    FeedAnswer,
    FeltAnswer,
    FeltPaidAnswer,
    FeltPaidRequest,
    FeltRequest,
    HeadsAnswer,
    HeadsRequest,
    JackpotAnswer,
    JobCard,
    Kind,
    LedgerAnswer,
    LookRequest,
    PaidAnswer,
    PaidRequest,
    PatronAnswer,
    PatronRequest,
    PayoutsRequest,
    Queue,
    Rating,
    RatingRequest,
    RedeemAnswer,
    RedeemRequest,
    RequestAnswer,
    RoundAbortRequest,
    RoundAnswer,
    RoundEndRequest,
    RoundsPage,
    RoundStartRequest,
    SeatRequest,
    SeatsRequest,
    ShoeAnswer,
    ShoeRequest,
    SignAnswer,
    SignedList,
    SignRequest,
    Slip,
    StaffAnswer,
    StaffRequest,
    StaffState,
    StatementsAnswer,
    Table,
    TokenAnswer,
    ValuesAnswer,
    WagersRequest,
    WholeRoundRequest,
)


class Api(Line):
    """Every call of a terminal or a system, under its name in the schema."""

    def list_big_wins(
        self,
    ) -> list[BigWinAnswer]:
        """List what is open at this table, oldest first, with the role that signs next."""
        return cast("list[BigWinAnswer]", self.call("GET", "/api/v1/big-wins"))

    def follow_big_win(self, serial: str) -> BigWinAnswer:
        """Follow a big win."""
        return cast("BigWinAnswer", self.call("GET", f"/api/v1/big-wins/{serial}"))

    def read_bookmarks(self, *, after: int | None = None) -> BookmarksAnswer:
        """Read what to bookmark on the recordings after a journal entry, in order."""
        return cast(
            "BookmarksAnswer", self.call("GET", "/api/v1/bookmarks", query={"after": after})
        )

    def cage_queue(
        self,
    ) -> Queue:
        """Read what waits for the cage, longest first."""
        return cast("Queue", self.call("GET", "/api/v1/cage/queue"))

    def call_supervisor(self, body: CallRequest, *, key: str = "") -> CallAnswer:
        """Call the supervisor."""
        return cast("CallAnswer", self.call("POST", "/api/v1/calls", body=body, key=key))

    def list_checks(self, *, after: int | None = None) -> ChecksPage:
        """List the checks of this table in the last 7 days, oldest first, 100 to a page."""
        return cast("ChecksPage", self.call("GET", "/api/v1/checks", query={"after": after}))

    def check_payout(self, body: CheckRequest, *, key: str = "") -> CheckAnswer:
        """Say whether a payout is right before the cheques leave, why, and in which cheques."""
        return cast("CheckAnswer", self.call("POST", "/api/v1/checks", body=body, key=key))

    def read_check(self, check_id: int) -> CheckAnswer:
        """Read a check again, as it was answered."""
        return cast("CheckAnswer", self.call("GET", f"/api/v1/checks/{check_id}"))

    def read_approval(self, check_id: int) -> RequestAnswer:
        """Read what came of it."""
        return cast("RequestAnswer", self.call("GET", f"/api/v1/checks/{check_id}/approval"))

    def ask_approval(self, check_id: int, *, key: str = "") -> RequestAnswer:
        """Ask for approval before cheques go out."""
        return cast(
            "RequestAnswer", self.call("POST", f"/api/v1/checks/{check_id}/approval", key=key)
        )

    def enter_big_win(self, check_id: int, body: BigWinRequest, *, key: str = "") -> BigWinAnswer:
        """Enter a payout as a big win."""
        return cast(
            "BigWinAnswer",
            self.call("POST", f"/api/v1/checks/{check_id}/big-win", body=body, key=key),
        )

    def read_paid(self, check_id: int) -> PaidAnswer:
        """Read what was confirmed as paid, and how the supervisor settled it."""
        return cast("PaidAnswer", self.call("GET", f"/api/v1/checks/{check_id}/paid"))

    def confirm_paid(self, check_id: int, body: PaidRequest, *, key: str = "") -> PaidAnswer:
        """Confirm what was paid, once."""
        return cast(
            "PaidAnswer", self.call("POST", f"/api/v1/checks/{check_id}/paid", body=body, key=key)
        )

    def redeem_comp(self, comp: str, body: RedeemRequest, *, key: str = "") -> RedeemAnswer:
        """Redeem some of a comp, once however often it is sent."""
        return cast(
            "RedeemAnswer", self.call("POST", f"/api/v1/comps/{comp}/redeem", body=body, key=key)
        )

    def deliver_counts(self, body: CountsRequest, *, key: str = "") -> DeliveryAnswer:
        """Deliver a file or rows to the open count session."""
        return cast("DeliveryAnswer", self.call("POST", "/api/v1/counts", body=body, key=key))

    def read_delivery(self, number: int) -> DeliveryAnswer:
        """Read whether a delivery was taken in."""
        return cast("DeliveryAnswer", self.call("GET", f"/api/v1/counts/{number}"))

    def dealer_in(self, body: BadgeRequest, *, key: str = "") -> DealerAnswer:
        """Tap a dealer in, in place of the one who dealt."""
        return cast("DealerAnswer", self.call("POST", "/api/v1/dealer/in", body=body, key=key))

    def dealer_out(self, body: BadgeRequest, *, key: str = "") -> DealerAnswer:
        """Log a dealer out."""
        return cast("DealerAnswer", self.call("POST", "/api/v1/dealer/out", body=body, key=key))

    def enrol(self, body: EnrolRequest, *, key: str = "") -> EnrolAnswer:
        """Enroll a device by its one-time code, or renew its token."""
        return cast("EnrolAnswer", self.call("POST", "/api/v1/enrol", body=body, key=key))

    def tap_envy(self, body: EnvyRequest, *, key: str = "") -> EnvyAnswer:
        """Record envy for a hand without a check."""
        return cast("EnvyAnswer", self.call("POST", "/api/v1/envy", body=body, key=key))

    def take_back_envy(self, line_id: int, *, key: str = "") -> EnvyAnswer:
        """Reverse envy that was tapped, within ten minutes."""
        return cast("EnvyAnswer", self.call("POST", f"/api/v1/envy/{line_id}/back", key=key))

    def read_rating_feed(self, *, after: int | None = None) -> FeedAnswer:
        """Read ended ratings and revisions after a journal entry, in order."""
        return cast("FeedAnswer", self.call("GET", "/api/v1/feed", query={"after": after}))

    def read_felt(self, body: FeltRequest) -> FeltAnswer:
        """Say what every bet on the felt is owed."""
        return cast("FeltAnswer", self.call("POST", "/api/v1/felt", body=body))

    def pay_felt(self, body: FeltPaidRequest, *, key: str = "") -> FeltPaidAnswer:
        """Store a check and its confirmation for each bet that was paid, in one request."""
        return cast("FeltPaidAnswer", self.call("POST", "/api/v1/felt/paid", body=body, key=key))

    def list_jackpots(
        self,
    ) -> list[JackpotAnswer]:
        """List what is open at this table, right to left."""
        return cast("list[JackpotAnswer]", self.call("GET", "/api/v1/jackpots"))

    def enter_jackpot(self, body: EnterRequest, *, key: str = "") -> JackpotAnswer:
        """Enter a hit."""
        return cast("JackpotAnswer", self.call("POST", "/api/v1/jackpots", body=body, key=key))

    def follow_jackpot(self, serial: str) -> JackpotAnswer:
        """Follow a jackpot."""
        return cast("JackpotAnswer", self.call("GET", f"/api/v1/jackpots/{serial}"))

    def read_job_cards(
        self,
    ) -> list[JobCard]:
        """Read the job cards of this table."""
        return cast("list[JobCard]", self.call("GET", "/api/v1/job-cards"))

    def read_ledger_day(self, day: str) -> LedgerAnswer:
        """Read the journal entries of a closed gaming day."""
        return cast("LedgerAnswer", self.call("GET", f"/api/v1/ledger/{day}"))

    def read_list(self, name: str) -> SignedList:
        """Read a list of the house, signed."""
        return cast("SignedList", self.call("GET", f"/api/v1/lists/{name}"))

    def put_patron(self, card: str, body: PatronRequest) -> PatronAnswer:
        """Write a patron’s name, tier, and host."""
        return cast("PatronAnswer", self.call("PUT", f"/api/v1/patrons/{card}", body=body))

    def read_patron_values(self, card: str) -> ValuesAnswer:
        """Read a patron’s comps left, comps to redeem, and points."""
        return cast("ValuesAnswer", self.call("GET", f"/api/v1/patrons/{card}/values"))

    def read_ratings(
        self,
    ) -> list[Rating]:
        """Read who is rated at this table now."""
        return cast("list[Rating]", self.call("GET", "/api/v1/ratings"))

    def begin_rating(self, body: RatingRequest, *, key: str = "") -> Rating:
        """Seat a player by card, or someone who is not rated."""
        return cast("Rating", self.call("POST", "/api/v1/ratings", body=body, key=key))

    def player_away(self, rating_id: int, *, key: str = "") -> Rating:
        """Note that a player left the seat for a while."""
        return cast("Rating", self.call("POST", f"/api/v1/ratings/{rating_id}/away", key=key))

    def player_back(self, rating_id: int, *, key: str = "") -> Rating:
        """Note that a player is back."""
        return cast("Rating", self.call("POST", f"/api/v1/ratings/{rating_id}/back", key=key))

    def end_rating(self, rating_id: int, body: EndRequest, *, key: str = "") -> Rating:
        """End a rating."""
        return cast(
            "Rating", self.call("POST", f"/api/v1/ratings/{rating_id}/end", body=body, key=key)
        )

    def look_at_bet(self, rating_id: int, body: LookRequest, *, key: str = "") -> Rating:
        """Note a bet as it lies on the table now."""
        return cast(
            "Rating", self.call("POST", f"/api/v1/ratings/{rating_id}/looks", body=body, key=key)
        )

    def add_seat(self, rating_id: int, body: SeatRequest, *, key: str = "") -> Rating:
        """Note that a player plays one more seat."""
        return cast(
            "Rating", self.call("POST", f"/api/v1/ratings/{rating_id}/seats", body=body, key=key)
        )

    def read_requests(
        self,
    ) -> list[RequestAnswer]:
        """Read the last requests of this table in this gaming day, newest first."""
        return cast("list[RequestAnswer]", self.call("GET", "/api/v1/requests"))

    def ask_supervisor(self, body: AskRequest, *, key: str = "") -> RequestAnswer:
        """Request an approval, or report an incident."""
        return cast("RequestAnswer", self.call("POST", "/api/v1/requests", body=body, key=key))

    def read_request(self, request_id: int) -> RequestAnswer:
        """Read what came of a request."""
        return cast("RequestAnswer", self.call("GET", f"/api/v1/requests/{request_id}"))

    def withdraw_request(self, request_id: int, *, key: str = "") -> RequestAnswer:
        """Withdraw a request that no one has answered."""
        return cast(
            "RequestAnswer", self.call("POST", f"/api/v1/requests/{request_id}/withdraw", key=key)
        )

    def read_request_kinds(
        self,
    ) -> list[Kind]:
        """Read every kind that can be asked for, and what it asks."""
        return cast("list[Kind]", self.call("GET", "/api/v1/requests/kinds"))

    def list_rounds(self, *, after: int | None = None) -> RoundsPage:
        """List the rounds of this table in the last 7 days, oldest first, 100 to a page."""
        return cast("RoundsPage", self.call("GET", "/api/v1/rounds", query={"after": after}))

    def start_round(self, body: RoundStartRequest, *, key: str = "") -> RoundAnswer:
        """Start a round."""
        return cast("RoundAnswer", self.call("POST", "/api/v1/rounds", body=body, key=key))

    def read_round(self, round_id: int) -> RoundAnswer:
        """Read a round as it stands."""
        return cast("RoundAnswer", self.call("GET", f"/api/v1/rounds/{round_id}"))

    def put_round(self, round_id: str, body: WholeRoundRequest) -> RoundAnswer:
        """Settle and store a round that is over, in one request."""
        return cast("RoundAnswer", self.call("PUT", f"/api/v1/rounds/{round_id}", body=body))

    def abort_round(self, round_id: int, body: RoundAbortRequest, *, key: str = "") -> RoundAnswer:
        """Call a round off before its first card."""
        return cast(
            "RoundAnswer", self.call("POST", f"/api/v1/rounds/{round_id}/abort", body=body, key=key)
        )

    def tell_cards(self, round_id: int, body: CardsRequest, *, key: str = "") -> RoundAnswer:
        """Enter cards as they fall."""
        return cast(
            "RoundAnswer", self.call("POST", f"/api/v1/rounds/{round_id}/cards", body=body, key=key)
        )

    def tell_decisions(self, round_id: int, body: DecisionRequest, *, key: str = "") -> RoundAnswer:
        """Enter what a player decided."""
        return cast(
            "RoundAnswer",
            self.call("POST", f"/api/v1/rounds/{round_id}/decisions", body=body, key=key),
        )

    def end_round(self, round_id: int, body: RoundEndRequest, *, key: str = "") -> RoundAnswer:
        """Settle what was told and end the round."""
        return cast(
            "RoundAnswer", self.call("POST", f"/api/v1/rounds/{round_id}/end", body=body, key=key)
        )

    def tell_payouts(self, round_id: int, body: PayoutsRequest, *, key: str = "") -> RoundAnswer:
        """Enter what was paid."""
        return cast(
            "RoundAnswer",
            self.call("POST", f"/api/v1/rounds/{round_id}/payouts", body=body, key=key),
        )

    def replace_card(
        self, round_id: int, body: CardReplacedRequest, *, key: str = ""
    ) -> RoundAnswer:
        """Put the right card in place of a wrong one."""
        return cast(
            "RoundAnswer",
            self.call("POST", f"/api/v1/rounds/{round_id}/replace", body=body, key=key),
        )

    def tell_seats(self, round_id: int, body: SeatsRequest, *, key: str = "") -> RoundAnswer:
        """Enter the seats that are played."""
        return cast(
            "RoundAnswer", self.call("POST", f"/api/v1/rounds/{round_id}/seats", body=body, key=key)
        )

    def undo_round(self, round_id: int, *, key: str = "") -> RoundAnswer:
        """Strike the last part."""
        return cast("RoundAnswer", self.call("POST", f"/api/v1/rounds/{round_id}/undo", key=key))

    def tell_wagers(self, round_id: int, body: WagersRequest, *, key: str = "") -> RoundAnswer:
        """Enter all bets of one seat."""
        return cast(
            "RoundAnswer",
            self.call("POST", f"/api/v1/rounds/{round_id}/wagers", body=body, key=key),
        )

    def count_heads(self, body: HeadsRequest, *, key: str = "") -> HeadsAnswer:
        """Tell which seats are taken."""
        return cast("HeadsAnswer", self.call("POST", "/api/v1/seats", body=body, key=key))

    def mark_shoe(self, body: ShoeRequest, *, key: str = "") -> ShoeAnswer:
        """Mark the shuffle, the first card after it, or a shoe that is broken down."""
        return cast("ShoeAnswer", self.call("POST", "/api/v1/shoe", body=body, key=key))

    def read_slip(self, serial: str) -> Slip:
        """Read a slip as it stands."""
        return cast("Slip", self.call("GET", f"/api/v1/slips/{serial}"))

    def sign_slip(self, serial: str, body: SignRequest) -> SignAnswer:
        """Sign one step of a slip."""
        return cast("SignAnswer", self.call("POST", f"/api/v1/slips/{serial}/sign", body=body))

    def list_staff(
        self,
    ) -> StaffAnswer:
        """List every employee with role, access, and license, to compare with HR."""
        return cast("StaffAnswer", self.call("GET", "/api/v1/staff"))

    def put_staff(self, employee_number: str, body: StaffRequest) -> StaffState:
        """Say that someone joined, changed, or left."""
        return cast("StaffState", self.call("PUT", f"/api/v1/staff/{employee_number}", body=body))

    def read_statements(self, *, after: int | None = None) -> StatementsAnswer:
        """Read the statements of closed gaming days after a number, in order."""
        return cast(
            "StatementsAnswer", self.call("GET", "/api/v1/statements", query={"after": after})
        )

    def read_table(
        self,
    ) -> Table:
        """Read the game, the rules in force, pay tables, limits, meters, and who deals."""
        return cast("Table", self.call("GET", "/api/v1/table"))

    def token(
        self,
    ) -> TokenAnswer:
        """Get the next token."""
        return cast("TokenAnswer", self.call("POST", "/api/v1/token"))
