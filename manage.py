#!/usr/bin/env python
"""Django's own commands, and ours."""

from __future__ import annotations

import sys

from django.core.management import execute_from_command_line

from pitboss.which_settings import choose_settings

if __name__ == "__main__":
    choose_settings()
    execute_from_command_line(sys.argv)
