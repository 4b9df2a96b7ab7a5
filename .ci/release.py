"""Build the source archive of this version into dist/, and check that it is whole.

The archive is of the last commit, and the same commit gives the same bytes. It is unpacked into a
folder of its own, where the site must check out. With it come the bill of materials and the hashes
of both. `--rehearse` does all of it in a folder that is thrown away, whatever the notes say.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

from bill_of_materials import bill

PROJECT = Path(__file__).resolve().parents[1]
# What somebody who has the archive alone looks for first.
EXPECTED = {
    "CHANGELOG.md",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "Dockerfile",
    "LICENSE",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "compose.yaml",
    "manage.py",
    "requirements-run.txt",
    "requirements.txt",
}


class NotReady(Exception):
    """What stands in the way of a release, as a sentence."""


def git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=PROJECT, check=True, capture_output=True).stdout


def notes(version: str, changes: str) -> str:
    """Return what the changes say of a version, which is to say something of it."""
    section = rf"^## {re.escape(version)}(?!\S)[^\n]*\n(.*?)(?=^## |\Z)"
    found = re.search(section, changes, re.DOTALL | re.MULTILINE)
    if found is None or not found[1].strip():
        raise NotReady(f"CHANGELOG.md says nothing of {version}: write it under ## {version}.")
    return found[1].strip()


def build(name: str, folder: Path) -> Path:
    """Write the archive of the last commit; nobody's clock or user name is in it."""
    archive = folder / f"{name}.tar.gz"
    plain = git("archive", "--format=tar", f"--prefix={name}/", "HEAD")
    with archive.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(plain)
    return archive


def check(archive: Path, name: str) -> None:
    """Unpack the archive somewhere else and see that the site is whole there."""
    with tempfile.TemporaryDirectory(prefix="pitboss-release-") as place:
        with tarfile.open(archive) as packed:
            # Python 3.11.4 and later ask which members they may trust.
            packed.extractall(
                place, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {})
            )
        root = Path(place) / name
        missing = {item for item in EXPECTED if not (root / item).is_file()}
        if missing:
            raise NotReady(f"The archive lacks {', '.join(sorted(missing))}.")
        found = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
        committed = set(git("ls-tree", "-r", "--name-only", "-z", "HEAD").decode().split("\0"))
        if found != committed - {""}:
            raise NotReady("The archive is not what was committed.")
        manage = [sys.executable, "manage.py", "check"]
        command = [sys.executable, "-m", "pitboss.embedded", "exec", "--", *manage]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NotReady(f"The site does not check out in the archive:\n{done.stderr[-2000:]}")


def release(folder: Path, *, rehearse: bool) -> list[Path]:
    """Build and check everything, and return the files that a release is."""
    version = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["version"]
    changes = (PROJECT / "CHANGELOG.md").read_text()
    if not rehearse:
        if git("status", "--porcelain"):
            raise NotReady("There are changes that are not committed.")
        notes(version, changes)
    name = f"pitboss-{version}"
    folder.mkdir(exist_ok=True)
    archive = build(name, folder)
    check(archive, name)
    bom = folder / f"{name}.cdx.json"
    bom.write_text(json.dumps(bill(), indent=2) + "\n")
    sums = folder / "SHA256SUMS"
    sums.write_text(
        "".join(
            f"{hashlib.sha256(item.read_bytes()).hexdigest()}  {item.name}\n"
            for item in (archive, bom)
        )
    )
    return [archive, bom, sums]


def main() -> int:
    rehearse = "--rehearse" in sys.argv[1:]
    try:
        if rehearse:
            with tempfile.TemporaryDirectory() as folder:
                release(Path(folder), rehearse=True)
            print("The archive of this commit is whole.")
            return 0
        for made in release(PROJECT / "dist", rehearse=False):
            print(made.relative_to(PROJECT))
    except NotReady as why:
        print(why, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
