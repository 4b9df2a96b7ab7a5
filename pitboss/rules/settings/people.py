"""Settings of people and devices: what locks a badge, and how long a PIN or a token holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pitboss.rules.people.devices import TOKEN_DAYS_LEAST
from pitboss.rules.people.lockout import LockoutPolicy
from pitboss.rules.settings.kinds import Amount, Whole
from pitboss.rules.settings.setting import OUR_OWN, Setting

_LOCKOUT: Final = LockoutPolicy()

# The database refuses to remove any that is younger.
TRIES_KEPT_LEAST = 365


def people_settings() -> Iterator[Setting]:
    """Yield every setting about people and devices."""
    subject = "People and devices"
    yield Setting(
        "people.wrong_on_device",
        subject,
        "Wrong PINs that lock a badge on one device",
        "Counted since the last right one on that device.",
        Whole(3, 10, "try"),
        _LOCKOUT.wrong_on_device,
        OUR_OWN,
    )
    yield Setting(
        "people.wrong_anywhere",
        subject,
        "Wrong PINs that lock a badge everywhere",
        "Counted over all devices. Machines that are not enrolled count apart, and never lock a "
        "badge on a device.",
        Whole(3, 30, "try"),
        _LOCKOUT.wrong_anywhere,
        OUR_OWN,
    )
    yield Setting(
        "people.wrong_across_badges",
        subject,
        "Wrong tries with any badges that lock a device",
        "Stops one PIN being tried with many badges and notifies security. A machine "
        "that isn’t enrolled is locked by its address.",
        Whole(5, 100, "try"),
        _LOCKOUT.wrong_across_badges,
        OUR_OWN,
    )
    yield Setting(
        "people.strays_kept",
        subject,
        "How long tries with unknown badges are kept",
        "Under a mark that hides what was typed: it may have been a PIN.",
        Whole(8, 168, "hour"),
        24,
        OUR_OWN,
    )
    yield Setting(
        "people.tries_kept",
        subject,
        "How long tries at PINs and passwords are kept in the database",
        "Older ones are removed once their month is archived. The journal keeps what was refused.",
        Whole(TRIES_KEPT_LEAST, 3_653, "day"),
        1_826,
        OUR_OWN,
    )
    yield Setting(
        "people.locked_for",
        subject,
        "How long a badge stays locked",
        "Security or a shift manager can unlock it sooner.",
        Whole(1, 240, "minute"),
        int(_LOCKOUT.locked_for.total_seconds()) // 60,
        OUR_OWN,
    )
    yield Setting(
        "people.reset_pin_hours",
        subject,
        "Time for which a reset PIN signs for little",
        "It gives the person time to report a reset that they did not ask for. Until then the PIN "
        "changes no people, PINs or settings.",
        Whole(1, 168, "hour"),
        24,
        OUR_OWN,
    )
    yield Setting(
        "people.reset_pin_limit",
        subject,
        "Maximum that a reset PIN signs for in that time",
        "A slip of a larger amount needs another person.",
        Amount(0, 100_000_000),
        100_000,
        OUR_OWN,
    )
    yield Setting(
        "people.pin_days",
        subject,
        "Age at which a PIN is changed",
        "After this many days a person sets a new PIN before the next signature. A slip that was "
        "open before is finished with the old one. 0 means never.",
        Whole(0, 365, "day"),
        90,
        "Minimum internal control standards, quarterly",
    )
    yield Setting(
        "people.dormant_days",
        subject,
        "Days after which an unused account is suspended",
        "Two managers bring the person back. 0 means never. A leave of absence does not count.",
        Whole(0, 365, "day"),
        45,
        "Minimum internal control standards for information technology",
    )
    yield Setting(
        "people.dormant_new_days",
        subject,
        "Days after which an account that was never used is suspended",
        "Counted from the day the person was added. 0 means never.",
        Whole(0, 365, "day"),
        14,
        OUR_OWN,
    )
    yield Setting(
        "keys.grace",
        subject,
        "Time after which a late key raises the alarm",
        "Counted from the time at which the key was due. The custodian, security, and the shift "
        "manager are notified.",
        Whole(0, 240, "minute"),
        15,
        OUR_OWN,
    )
    yield Setting(
        "people.idle_lock",
        subject,
        "Time after which an idle tablet locks",
        "Its person opens it again with the PIN.",
        Whole(30, 3_600, "second"),
        120,
        OUR_OWN,
    )
    yield Setting(
        "devices.token_holds",
        subject,
        "How long a device token lasts",
        "A device that was not used for so long is enrolled again, by two people.",
        Whole(TOKEN_DAYS_LEAST, 400, "day"),
        90,
        OUR_OWN,
    )
    yield Setting(
        "devices.token_rotates",
        subject,
        "Age at which a device gets a new token",
        "Automatic while the device is in use. The old token ends once the new one is used.",
        Whole(1, 90, "day"),
        7,
        OUR_OWN,
    )
    yield Setting(
        "people.terminal_requests",
        subject,
        "Requests that a terminal or another system may send in a minute",
        "A device that sends more has to wait, so it can’t slow down the others.",
        Whole(60, 100_000, "request"),
        600,
        OUR_OWN,
    )
    yield Setting(
        "people.licence_reminder",
        subject,
        "Reminder before a license expires",
        "How many days before a license expires to start reminding the person, and those who "
        "renew it, in the inbox and on the list of people.",
        Whole(1, 180, "day"),
        30,
        OUR_OWN,
    )
