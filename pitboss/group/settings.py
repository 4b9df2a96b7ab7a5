"""Settings of the desk of a group (PITBOSS_ENV=group): its own database, keys, people and pages."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from pitboss.database_address import read_address
from pitboss.keys import Keys

BASE_DIR = Path(__file__).resolve().parents[2]
env = environ.Env()

PITBOSS_ENV = env.str("PITBOSS_ENV", "")
if PITBOSS_ENV != "group":
    raise ImproperlyConfigured(f"PITBOSS_ENV is {PITBOSS_ENV!r}: these settings are for group.")
PITBOSS_DATA = Path(env.str("PITBOSS_DATA", str(BASE_DIR / ".group"))).resolve()
KEYS = Keys.load(env, PITBOSS_DATA / "keys", required=False)
SECRET_KEY = KEYS.secret_key
# Who signed the certificates of the houses, where it is no one whom every browser knows.
GROUP_AUTHORITY = Path(env.str("PITBOSS_GROUP_CA")) if env.str("PITBOSS_GROUP_CA", "") else None

DEBUG = False
ALLOWED_HOSTS = env.list("PITBOSS_ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("PITBOSS_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "pitboss.group.apps.GroupConfig",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "pitboss.no_store.NoStoreMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "pitboss.group.urls"
WSGI_APPLICATION = "pitboss.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
            ],
        },
    }
]

DATABASES = {
    "default": {
        **read_address(env.str("DATABASE_URL", "postgres://pitboss_site@/group")),
        "ENGINE": "django.db.backends.postgresql",
        "CONN_MAX_AGE": 300,
        "CONN_HEALTH_CHECKS": True,
    }
}
SITE_DATABASE_ROLE = env.str("PITBOSS_SITE_ROLE", "pitboss_site")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "group.Reader"
PASSWORD_HASHERS = ["pitboss.hashers.FloorArgon2Hasher"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
SESSION_COOKIE_AGE = int(timedelta(hours=12).total_seconds())
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Strict"
CSRF_COOKIE_SAMESITE = "Strict"
DATA_UPLOAD_MAX_MEMORY_SIZE = 100_000

# Days and times stand as each house has them; the desk's own are in this zone.
TIME_ZONE = env.str("PITBOSS_GROUP_ZONE", "America/New_York")
USE_TZ = True
USE_I18N = False

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {"staticfiles": {"BACKEND": "pitboss.static_files.FilesAsTheyLie"}}
# A few readers: the files are served where they lie, and nothing is built.
WHITENOISE_USE_FINDERS = True

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
IS_HTTPS = env.bool("PITBOSS_HTTPS", True)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS else 0
if env.bool("PITBOSS_BEHIND_PROXY", False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
