"""Run the benches: all of them, or those named.

python -m bench
python -m bench rules
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys

import bench
from bench.measuring import report

# What the benches use, and is none itself.
TOOLS = frozenset(
    {
        "__main__",
        "bare_settings",
        "bare_site",
        "before",
        "branches",
        "databases",
        "fault_floor",
        "faults",
        "history",
        "measuring",
        "mutants",
        "mutations",
        "serving",
        "sizes",
        "starts",
    }
)


def names() -> list[str]:
    """Return every bench: each module of this package that has a `run`."""
    found = sorted(module.name for module in pkgutil.iter_modules(bench.__path__))
    return [name for name in found if name not in TOOLS]


def main(arguments: list[str] | None = None) -> int:
    """Run benches; the exit code is 1 if a promise was not kept."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure Pitboss.")
    parser.add_argument("names", nargs="*", metavar="name", help=f"of: {', '.join(names())}")
    chosen = parser.parse_args(arguments).names or names()
    unknown = sorted({*chosen} - {*names()})
    if unknown:
        parser.error(f"no bench named {', '.join(unknown)}; there are {', '.join(names())}")
    are_kept = True
    for name in chosen:
        module = importlib.import_module(f"bench.{name}")
        title = (module.__doc__ or name).splitlines()[0]
        are_kept &= report(f"{name}: {title}", module.run())
    return 0 if are_kept else 1


if __name__ == "__main__":
    sys.exit(main())
