"""Addresses of what terminals and systems ask, below `api/v1/`."""

from __future__ import annotations

from django.urls import path

from tables.api import counts as api_counts
from tables.api import envy as api_envy
from tables.api import events as api_events
from tables.api import felt as api_felt
from tables.api import floor as api_floor
from tables.api import group as api_group
from tables.api import office as api_office
from tables.api import ratings as api_ratings
from tables.api import rounds as api_rounds
from tables.api import shoes as api_shoes
from tables.api import staff as api_staff
from tables.api import systems as api_systems
from tables.api import table as api

# Checks and whole rounds come most often: nothing else is tried before them.
urlpatterns = [
    path("checks", api.Checks.as_view(), name="api-checks"),
    path("rounds/<uuid:sent_id>", api_rounds.RoundWhole.as_view(), name="api-round-whole"),
    path("feed", api_systems.Feed.as_view(), name="api-feed"),
    path("patrons/<str:card>/values", api_systems.Values.as_view(), name="api-patron-values"),
    path("patrons/<str:card>", api_systems.PatronPut.as_view(), name="api-patron"),
    path("comps/<str:comp>/redeem", api_systems.Redeem.as_view(), name="api-comp-redeem"),
    path("ledger/<str:day>.csv", api_office.LedgerFile.as_view(), name="api-ledger-file"),
    path("ledger/<str:day>", api_office.Ledger.as_view(), name="api-ledger"),
    path("staff/<str:employee_number>", api_staff.StaffPut.as_view(), name="api-staff-put"),
    path("staff", api_office.Staff.as_view(), name="api-staff"),
    path("counts", api_counts.Counts.as_view(), name="api-counts"),
    path("counts/<int:number>", api_counts.Delivery.as_view(), name="api-delivery"),
    path("statements", api_group.Statements.as_view(), name="api-statements"),
    path("lists/<str:name>", api_group.SharedList.as_view(), name="api-list"),
    path("bookmarks", api_office.Bookmarks.as_view(), name="api-bookmarks"),
    path("shoe", api_shoes.Shoe.as_view(), name="api-shoe"),
    path("table", api.TableRead.as_view(), name="api-table"),
    path("dealer/in", api.DealerIn.as_view(), name="api-dealer-in"),
    path("dealer/out", api.DealerOut.as_view(), name="api-dealer-out"),
    path("calls", api.Calls.as_view(), name="api-calls"),
    path("envy", api_envy.Envy.as_view(), name="api-envy"),
    path("envy/<int:line_id>/back", api_envy.EnvyBack.as_view(), name="api-envy-back"),
    path("events", api_events.Events.as_view(), name="api-events"),
    path("felt", api_felt.Felt.as_view(), name="api-felt"),
    path("felt/paid", api_felt.FeltPaid.as_view(), name="api-felt-paid"),
    path("requests", api_floor.FloorRequests.as_view(), name="api-requests"),
    path("job-cards", api_floor.JobCards.as_view(), name="api-job-cards"),
    path("requests/kinds", api_floor.FloorKinds.as_view(), name="api-request-kinds"),
    path(
        "requests/<int:request_id>/withdraw",
        api_floor.FloorRequestWithdraw.as_view(),
        name="api-request-withdraw",
    ),
    path(
        "requests/<int:request_id>",
        api_floor.FloorRequestRead.as_view(),
        name="api-request",
    ),
    path("seats", api_ratings.Heads.as_view(), name="api-seats"),
    path("ratings", api_ratings.Ratings.as_view(), name="api-ratings"),
    path(
        "ratings/<int:rating_id>/looks",
        api_ratings.RatingLooks.as_view(),
        name="api-rating-looks",
    ),
    path(
        "ratings/<int:rating_id>/away",
        api_ratings.RatingAway.as_view(),
        name="api-rating-away",
    ),
    path(
        "ratings/<int:rating_id>/back",
        api_ratings.RatingBack.as_view(),
        name="api-rating-back",
    ),
    path(
        "ratings/<int:rating_id>/seats",
        api_ratings.RatingSeats.as_view(),
        name="api-rating-seats",
    ),
    path(
        "ratings/<int:rating_id>/end",
        api_ratings.RatingEnd.as_view(),
        name="api-rating-end",
    ),
    path("rounds", api_rounds.Rounds.as_view(), name="api-rounds"),
    path("rounds/<int:round_id>", api_rounds.RoundRead.as_view(), name="api-round"),
    path("rounds/<int:round_id>/undo", api_rounds.RoundUndo.as_view(), name="api-round-undo"),
    path(
        "rounds/<int:round_id>/replace",
        api_rounds.RoundReplace.as_view(),
        name="api-round-replace",
    ),
    path(
        "rounds/<int:round_id>/abort",
        api_rounds.RoundAborts.as_view(),
        name="api-round-abort",
    ),
    path("rounds/<int:round_id>/end", api_rounds.RoundEnds.as_view(), name="api-round-end"),
    *(
        path(
            f"rounds/<int:round_id>/{part.value}",
            telling.as_view(),
            name=f"api-round-{part.value}",
        )
        for part, telling in api_rounds.TELLING.items()
    ),
    path("checks/<int:check_id>", api.CheckRead.as_view(), name="api-check"),
    path(
        "checks/<int:check_id>/approval",
        api.CheckApproval.as_view(),
        name="api-check-approval",
    ),
    path("checks/<int:check_id>/paid", api.CheckPaid.as_view(), name="api-check-paid"),
]
