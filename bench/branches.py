"""Hold the services to the share of their branches that tests take: it rises, and never falls.

Every process of a test run that finds PITBOSS_BRANCHES in its environment measures and leaves what
it saw in that folder (`tests/plugin_branches.py`). Then `python -m bench.branches FOLDER` adds it
up and fails where a package has fallen below bench/branches.json; with --raise it writes down what
rose. Measuring costs a fiftieth of a test's time: only the services are traced.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import coverage

PROJECT = Path(__file__).resolve().parents[1]
MEASURED = (
    "inventory/services",
    "jackpots/services",
    "pitboss/services",
    "pitboss/slips",
    "tables/services",
)
FLOORS = Path(__file__).with_suffix(".json")


def measuring(folder: Path, sources: Sequence[Path] | None = None) -> coverage.Coverage:
    """Return what measures branches into a file of this process, in a folder."""
    return coverage.Coverage(
        data_file=str(folder / "branches"),
        data_suffix=True,
        branch=True,
        source=[str(source) for source in sources or [PROJECT / name for name in MEASURED]],
        config_file=False,
    )


def shares_in(folder: Path, root: Path) -> dict[str, float]:
    """Return by package how many in a hundred branches were taken, rounded down to a tenth."""
    with tempfile.TemporaryDirectory() as scratch:
        added = coverage.Coverage(
            data_file=str(Path(scratch) / "all"), branch=True, config_file=False
        )
        added.combine([str(path) for path in folder.glob("branches.*")], keep=True)
        report = Path(scratch) / "report.json"
        added.json_report(outfile=str(report))
        files = json.loads(report.read_text())["files"]
    counts: dict[str, list[int]] = {}
    for name, measured in files.items():
        package = "/".join((PROJECT / name).resolve().relative_to(root.resolve()).parts[:2])
        taken, all_of_it = counts.setdefault(package, [0, 0])
        summary = measured["summary"]
        counts[package] = [
            taken + summary["covered_branches"],
            all_of_it + summary["num_branches"],
        ]
    return {
        package: (1_000 * taken // all_of_it) / 10
        for package, (taken, all_of_it) in sorted(counts.items())
        if all_of_it
    }


def fallen(floors: Mapping[str, float], shares: Mapping[str, float]) -> list[str]:
    """Say of each package what it fell from and to.

    >>> fallen({"tables/services": 90.1, "pitboss/slips": 80.0}, {"pitboss/slips": 80.0})
    ['tables/services: 0% of its branches, was 90.1%']
    """
    return [
        f"{package}: {shares.get(package, 0)}% of its branches, was {floor}%"
        for package, floor in sorted(floors.items())
        if shares.get(package, 0) < floor
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compare what tests take of the services.")
    parser.add_argument("folder", type=Path, help="where the processes of a test run measured")
    parser.add_argument("--raise", dest="raises", action="store_true", help="write down what rose")
    given = parser.parse_args(arguments)
    floors: dict[str, float] = json.loads(FLOORS.read_text())
    shares = shares_in(given.folder, PROJECT)
    for package, share in shares.items():
        print(f"{package}: {share}% of its branches (at least {floors.get(package, 0)}%)")
    if given.raises:
        risen = {name: max(share, floors.get(name, 0)) for name, share in shares.items()}
        FLOORS.write_text(json.dumps({**floors, **risen}, indent=2, sort_keys=True) + "\n")
    elif any(share > floors.get(package, 0) for package, share in shares.items()):
        print(f"Write down what rose: python -m bench.branches {given.folder} --raise")
    wrong = fallen(floors, shares)
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
