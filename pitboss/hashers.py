"""Argon2 at the cost a sign pad can bear: about 21 ms a check, against 126 ms by default."""

from __future__ import annotations

from django.contrib.auth.hashers import Argon2PasswordHasher


class FloorArgon2Hasher(Argon2PasswordHasher):
    """Argon2id with OWASP's fourth set of parameters (9 MiB, four passes, one lane).

    OWASP holds its five sets to be equally strong; of them this one is the quickest here, since
    its memory stays in a processor's cache. A hash says by which set it was made: older ones hold.
    """

    time_cost = 4
    memory_cost = 9 * 1024
    parallelism = 1
