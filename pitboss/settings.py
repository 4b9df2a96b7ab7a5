"""Settings of the site: what a machine needs. What a house may decide is data with a date.

Values come from the environment and fail loudly when they make no sense.
"""

from __future__ import annotations

import gc
import os
import sys
from datetime import timedelta
from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from pitboss.database_address import read_address
from pitboss.keys import Keys
from pitboss.rules.people.languages import ENGLISH
from pitboss.rules.people.languages import LANGUAGES as READ_IN
from pitboss.rules.people.sources import networks
from pitboss.timeouts import (
    PATIENCE,
    READS_ONLY,
    STANDBY,
    connection_options,
    process_kind,
    with_address,
)

# Each process loads a quarter of a million things that stay. To look through them again and again
# for what is garbage was a tenth of a start, and of what tests compute.
gc.set_threshold(50_000, 20, 100)

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

PITBOSS_ENV = env.str("PITBOSS_ENV", "demo")
if PITBOSS_ENV not in ("demo", "production", "test"):
    raise ImproperlyConfigured(f"PITBOSS_ENV is {PITBOSS_ENV!r}: use demo, production or test.")
IS_DEMO = PITBOSS_ENV == "demo"
# A demo for vendors, in which a table is reset and its supervisor answers by a call of the API.
IS_SANDBOX = env.bool("PITBOSS_SANDBOX", False)
if IS_SANDBOX and not IS_DEMO:
    raise ImproperlyConfigured(
        "PITBOSS_SANDBOX is set, but only a demo is a sandbox: unset it, or set PITBOSS_ENV=demo."
    )
PITBOSS_DATA = Path(env.str("PITBOSS_DATA", str(BASE_DIR / ".data"))).resolve()

KEYS = Keys.load(env, PITBOSS_DATA / "keys", required=PITBOSS_ENV == "production")
SECRET_KEY = KEYS.secret_key
# Seals go here too, outside the database: best where its administrators cannot write.
SEAL_FILE = Path(env.str("PITBOSS_SEAL_FILE", str(PITBOSS_DATA / "seals" / "seals.log")))
# A second place for seals: another file, and the log of another machine.
SEAL_COPY = Path(env.str("PITBOSS_SEAL_COPY")) if env.str("PITBOSS_SEAL_COPY", "") else None
SEAL_SYSLOG = env.str("PITBOSS_SEAL_SYSLOG", "")
# Where the processes of this node count for Prometheus. Its client reads the variable once, when
# it is first imported.
METRICS_FOLDER = (
    Path(env.str("PITBOSS_METRICS_FOLDER")) if env.str("PITBOSS_METRICS_FOLDER", "") else None
)
if METRICS_FOLDER is not None:
    METRICS_FOLDER.mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(METRICS_FOLDER)

DEBUG = env.bool("PITBOSS_DEBUG", False)
ALLOWED_HOSTS = env.list("PITBOSS_ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("PITBOSS_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "pitboss.apps.PitbossConfig",
    "tables.apps.TablesConfig",
    "inventory.apps.InventoryConfig",
    "jackpots.apps.JackpotsConfig",
]

MIDDLEWARE = [
    "pitboss.request_log.RequestLogMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "pitboss.plain_requests.PlainRequestsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # A board is a sixth of its size so; answers are padded at random, and tokens masked in each.
    "django.middleware.gzip.GZipMiddleware",
    "pitboss.no_store.NoStoreMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "pitboss.middleware.FloorMiddleware",
]

ROOT_URLCONF = "pitboss.urls"
WSGI_APPLICATION = "pitboss.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "pitboss.context.floor",
            ],
        },
    }
]

# The site's own role: it owns nothing, and may only INSERT and SELECT what is signed.
# Migrations run as the owner, who alone may change the schema.
_database = read_address(env.str("DATABASE_URL", "postgres://pitboss_site@/pitboss"))
PROCESS_KIND = process_kind(sys.argv[0])
DATABASE_PATIENCE = PATIENCE[PROCESS_KIND]
# Behind a pooler that gives each transaction another connection, none is asked for more.
TRANSACTION_POOLING = env.bool("PITBOSS_TRANSACTION_POOLING", False)
DATABASES = {
    "default": {
        **_database,
        "ENGINE": "pitboss.postgres",
        "CONN_MAX_AGE": 300,
        "CONN_HEALTH_CHECKS": True,
        "DISABLE_SERVER_SIDE_CURSORS": TRANSACTION_POOLING,
        "OPTIONS": with_address(
            connection_options(DATABASE_PATIENCE, pooled=TRANSACTION_POOLING),
            _database["OPTIONS"],
        ),
    }
}
# Where reports, exports, replay, and the records are read, if the house has a standby for it.
_read_url = env.str("DATABASE_READ_URL", "")
if _read_url:
    _read_database = read_address(_read_url, "DATABASE_READ_URL")
    DATABASES[STANDBY] = {
        **DATABASES["default"],
        **_read_database,
        "OPTIONS": with_address(
            with_address(
                connection_options(DATABASE_PATIENCE, pooled=TRANSACTION_POOLING),
                {} if TRANSACTION_POOLING else {"options": READS_ONLY},
            ),
            _read_database["OPTIONS"],
        ),
    }
DATABASE_ROUTERS = ["pitboss.standby.StandbyRouter"]
# A standby that is further behind is not read.
READ_LAG_SECONDS = env.int("PITBOSS_READ_LAG_SECONDS", 30)
SITE_DATABASE_ROLE = env.str("PITBOSS_SITE_ROLE", "pitboss_site")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "pitboss.Person"
AUTHENTICATION_BACKENDS = ["pitboss.backends.StaffBackend"]
PASSWORD_HASHERS = ["pitboss.hashers.FloorArgon2Hasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"

# A shift and a bit; the tablet itself locks sooner, by a setting of the house.
SESSION_ENGINE = "pitboss.sessions"
SESSION_COOKIE_AGE = int(timedelta(hours=12).total_seconds())
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Strict"
CSRF_COOKIE_SAMESITE = "Strict"
CSRF_FAILURE_VIEW = "pitboss.views.errors.csrf_failure"
# A form holds a slip; nothing a person keys is larger than this.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 300

BROKER_URL = env.str("BROKER_URL", "redis://127.0.0.1:6379/0")
# A message that no worker took in its time is dropped: the next one does the same work.
CELERY_BEAT_SCHEDULE = {
    "write_seal": {"task": "pitboss.write_seal", "schedule": 60.0, "options": {"expires": 60}},
    "escalate": {"task": "pitboss.escalate", "schedule": 60.0, "options": {"expires": 60}},
    # A dealer and a player wait for it: a minute is too coarse.
    "escalate_approvals": {
        "task": "tables.escalate_approvals",
        "schedule": 15.0,
        "options": {"expires": 15},
    },
    "find_audits": {"task": "pitboss.find_audits", "schedule": 60.0, "options": {"expires": 60}},
    "digest_days": {
        "task": "pitboss.digest_days",
        "schedule": 1800.0,
        "options": {"expires": 1800},
    },
    "send_webhooks": {
        "task": "pitboss.send_webhooks",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "sweep_webhooks": {
        "task": "pitboss.sweep_webhooks",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "send_pushes": {
        "task": "pitboss.send_pushes",
        "schedule": 3.0,
        "options": {"expires": 3},
    },
    "sweep_pushes": {
        "task": "pitboss.sweep_pushes",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "roll_up_meters": {
        "task": "jackpots.roll_up_meters",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "draw_tax_forms": {
        "task": "jackpots.draw_tax_forms",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "beat_heart": {"task": "pitboss.beat_heart", "schedule": 15.0, "options": {"expires": 15}},
    "sweep_answers": {
        "task": "pitboss.sweep_answers",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "sweep_strays": {
        "task": "pitboss.sweep_strays",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "sweep_accounts": {
        "task": "pitboss.sweep_accounts",
        "schedule": 900.0,
        "options": {"expires": 900},
    },
    "check_marker_log": {
        "task": "inventory.check_marker_log",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "end_ratings": {
        "task": "tables.end_ratings",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "expire_comps": {
        "task": "tables.expire_comps",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "sweep_system_calls": {
        "task": "tables.sweep_system_calls",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "find_overdue_drops": {
        "task": "tables.find_overdue_drops",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "find_withdrawn_sets": {
        "task": "tables.find_withdrawn_sets",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "find_overdue_sheets": {
        "task": "pitboss.find_overdue_sheets",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "find_late_keys": {
        "task": "tables.find_late_keys",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "work_out_edges": {
        "task": "tables.work_out_edges",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "find_stale_lists": {
        "task": "inventory.find_stale_lists",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "settle_win": {"task": "tables.settle_win", "schedule": 600.0, "options": {"expires": 600}},
    "state_days": {"task": "tables.state_days", "schedule": 60.0, "options": {"expires": 60}},
}

# Passkeys are made for the name in the address, unless a house has several names below one.
PASSKEY_HOST = env.str("PITBOSS_PASSKEY_HOST", "")

# The house's own identity provider (OpenID Connect), if it has one.
OIDC_ISSUER = env.str("PITBOSS_OIDC_ISSUER", "")
OIDC_CLIENT_ID = env.str("PITBOSS_OIDC_CLIENT_ID", "")
OIDC_CLIENT_SECRET = env.str("PITBOSS_OIDC_CLIENT_SECRET", "")
if OIDC_ISSUER:
    if not OIDC_CLIENT_ID or not OIDC_CLIENT_SECRET:
        raise ImproperlyConfigured(
            "PITBOSS_OIDC_ISSUER is set: set PITBOSS_OIDC_CLIENT_ID and "
            "PITBOSS_OIDC_CLIENT_SECRET too."
        )
    if PITBOSS_ENV == "production" and not OIDC_ISSUER.startswith("https://"):
        raise ImproperlyConfigured("PITBOSS_OIDC_ISSUER must begin with https://.")

# English, and what dealers and patrons read in besides: see docs/decisions.md.
LANGUAGE_CODE = ENGLISH
LANGUAGES = list(READ_IN.items())
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
# The pictures of the manual are shown in the product too.
STATICFILES_DIRS = [BASE_DIR / "static", ("manual", BASE_DIR / "docs" / "pictures")]
STATIC_ROOT = PITBOSS_DATA / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "pitboss.static_files.FilesAsTheyLie"
            if PITBOSS_ENV == "test"
            else "pitboss.static_files.BuiltFiles"
        )
    },
}
# Tests serve the files where they lie.
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = PITBOSS_ENV == "test"
WHITENOISE_MAX_AGE = 60

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"

IS_HTTPS = env.bool("PITBOSS_HTTPS", PITBOSS_ENV == "production")
SESSION_COOKIE_SECURE = IS_HTTPS
CSRF_COOKIE_SECURE = IS_HTTPS
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = IS_HTTPS
SECURE_HSTS_PRELOAD = IS_HTTPS
if env.bool("PITBOSS_BEHIND_PROXY", False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Whose X-Forwarded-For is believed. No one's, unless the house names its proxies.
try:
    TRUSTED_PROXIES = networks(env.list("PITBOSS_TRUSTED_PROXIES", default=[]))
except ValueError as error:
    raise ImproperlyConfigured(
        f"PITBOSS_TRUSTED_PROXIES: {error}. List addresses or networks, separated by commas."
    ) from None
# Threads that answer in each process of the server, and how long a body may take to arrive.
WEB_THREADS = env.int("PITBOSS_WEB_THREADS", 2)
BODY_SECONDS = env.int("PITBOSS_BODY_SECONDS", 10)
# Hosts inside the house that webhooks may be sent to, by name or number; without them none is.
WEBHOOK_HOSTS = frozenset(env.list("PITBOSS_WEBHOOK_HOSTS", default=[]))
# Who the makers of browsers write to when notifications trouble them; without it none is sent.
PUSH_CONTACT = env.str("PITBOSS_PUSH_CONTACT", "mailto:demo@pitboss.example" if IS_DEMO else "")
# Their services, each with what lies under it.
PUSH_SERVICES = frozenset(
    env.list(
        "PITBOSS_PUSH_SERVICES",
        default=[
            "fcm.googleapis.com",
            "push.services.mozilla.com",
            "push.apple.com",
            "notify.windows.com",
        ],
    )
)
# Where the process for events listens, a socket's path or host:port, when no proxy leads there.
EVENTS_ADDRESS = env.str("PITBOSS_EVENTS_ADDRESS", "")

REST_FRAMEWORK = {
    "EXCEPTION_HANDLER": "pitboss.api.problem",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["pitboss.api_reading.PlainJSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_SCHEMA_CLASS": "pitboss.api_schema.DescribedSchema",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Pitboss",
    # Major.minor.patch: docs/api_changes.md says what each changed.
    "VERSION": "1.4.0",
    "OAS_VERSION": "3.1.0",
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "JackpotState": "jackpots.selectors.jackpots.HIT_STATES",
        "StepState": "jackpots.api.STEP_STATES",
        "RequestState": "tables.selectors.floor_log.RequestState",
        "SlipStatus": "pitboss.rules.flows.flows.SlipStatus",
        "Role": "pitboss.rules.roles.Role",
        "Place": "pitboss.rules.roles.Place",
        "Withholding": "pitboss.rules.tax.tax.Withholding",
        "Track": "pitboss.rules.flows.flows.Track",
        "Verdict": "pitboss.rules.payouts.check.Verdict",
        "Level": "pitboss.rules.payouts.levels.Level",
        "MustCheck": "pitboss.rules.payouts.levels.MustCheck",
        "SettlementWay": "pitboss.rules.payouts.mismatches.Way",
        "MismatchDirection": "pitboss.rules.payouts.mismatches.MismatchDirection",
        "RoundOutcome": "pitboss.rules.rounds.told.Outcome",
        "WhoseBet": "pitboss.rules.games.eligibility.Whose",
        "AbortReason": "pitboss.rules.rounds.ending.Abort",
        "RatingState": "tables.api.ratings.STATES",
        "LedgerAccount": "pitboss.rules.day.general_ledger.Account",
    },
    "DESCRIPTION": "What the terminals of tables, smart shoes and a cage system may ask.",
    "SERVERS": [{"url": "/", "description": "This house"}],
    "LICENSE": {"name": "MIT", "identifier": "MIT"},
    "CONTACT": {"name": "The house’s Pitboss administrator"},
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "pitboss.api_schema.one_path_for_one_address",
        "pitboss.api_schema.closed_and_with_headers",
    ],
    "TAGS": [
        {"name": name, "description": says}
        for name, says in {
            "big-wins": "Wins that are paid on a slip of their own.",
            "cage": "The queue of the cage.",
            "bookmarks": "Moments at tables, for surveillance systems.",
            "calls": "Calls for the supervisor.",
            "checks": "Payouts, judged before the cheques leave.",
            "comps": "Comps, redeemed by other systems.",
            "counts": "Counts of machines, delivered to the count room.",
            "dealer": "Who deals.",
            "enrol": "A device takes up its token.",
            "envy": "What a pay table adds to the tokes.",
            "events": "What happens at a table, sent as it happens.",
            "feed": "Ended ratings and their revisions, for other systems.",
            "felt": "A whole table at once.",
            "jackpots": "Hits, and what becomes of them.",
            "job-cards": "How the game of this table is dealt.",
            "ledger": "Closed days as journal entries, for the general ledger.",
            "lists": "Lists of the property, signed for another one of its group.",
            "patrons": "What a player has left: comps and points; names, tiers, and hosts.",
            "ratings": "Players rated at the table: who sits where, bets, who left.",
            "requests": "What the supervisor is asked for.",
            "rounds": "Rounds, as they are dealt or whole.",
            "seats": "Which seats are taken.",
            "shoe": "Shuffles and shoes.",
            "slips": "Slips that the cage signs.",
            "staff": "Employees and licenses, for HR systems.",
            "statements": "Closed days, signed for the group.",
            "table": "The table as its terminal shows it.",
            "token": "A token, renewed before it ends.",
        }.items()
    ],
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"number": {"()": "pitboss.request_log.NumberFilter"}},
    "formatters": {
        "plain": {
            "format": "%(asctime)s %(levelname)s %(name)s: %(message)s %(request_number)s",
        },
        "json": {"()": "pitboss.request_log.JsonLines"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            # People read the log of a demo; in production it is collected.
            "formatter": "json" if PITBOSS_ENV == "production" else "plain",
            "filters": ["number"],
        }
    },
    "root": {"handlers": ["console"], "level": "INFO"},
}
