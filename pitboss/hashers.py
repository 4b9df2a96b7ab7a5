"""Argon2 at the cost a sign pad can bear: about 26 ms a check, against 126 ms by default."""

from __future__ import annotations

from django.contrib.auth.hashers import Argon2PasswordHasher


class FloorArgon2Hasher(Argon2PasswordHasher):
    """Argon2id with OWASP's second set of parameters (19 MiB, two passes, one lane)."""

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1
