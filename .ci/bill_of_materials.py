"""Print what production is made of, as a CycloneDX document.

It is read from requirements.txt, which pins every package and the hashes of its files, and from
what the installed packages say of their licenses. The same requirements give the same document.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

PROJECT = Path(__file__).resolve().parents[1]
_PIN = re.compile(r"^(?P<name>[\w.-]+)(\[[\w,-]+\])?==(?P<version>[^\s;\\]+)(?P<rest>[^\n]*)")


def pins(requirements: Path) -> dict[str, tuple[str, list[str]]]:
    """Return the version and the hashes of each pinned package, by its name."""
    found: dict[str, tuple[str, list[str]]] = {}
    hashes: list[str] = []
    for line in requirements.read_text().splitlines():
        if pin := _PIN.match(line):
            hashes = []
            found[normal(pin["name"])] = (pin["version"], hashes)
        hashes += re.findall(r"--hash=sha256:([0-9a-f]{64})", line)
    return found


def normal(name: str) -> str:
    """Return a package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def license_of(name: str) -> str | None:
    """Return what an installed package says of its license in one line."""
    try:
        told = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return None
    if expression := told.get("License-Expression"):
        return expression
    classified = [item for item in told.get_all("Classifier", []) if item.startswith("License ::")]
    if classified:
        return classified[0].split(" :: ")[-1]
    words = (told.get("License") or "").strip()
    return words if words and "\n" not in words else None


def component(name: str, version: str, hashes: list[str]) -> dict[str, Any]:
    purl = f"pkg:pypi/{name}@{version}"
    fields: dict[str, Any] = {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "purl": purl,
        # One package has a file for each machine it runs on; each has its hash.
        "properties": [{"name": "pitboss:file:sha256", "value": item} for item in hashes],
    }
    if words := license_of(name):
        fields["licenses"] = [{"license": {"name": words}}]
    return fields


def bill(project: Path = PROJECT) -> dict[str, Any]:
    """Return the document."""
    requirements = project / "requirements.txt"
    about = tomllib.loads((project / "pyproject.toml").read_text())["project"]
    found = pins(requirements)
    packages = [component(name, *found[name]) for name in sorted(found)]
    us = f"pkg:generic/{about['name']}@{about['version']}"
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, us + requirements.read_text())}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": us,
                "name": about["name"],
                "version": about["version"],
                "purl": us,
            }
        },
        "components": packages,
        "dependencies": [{"ref": us, "dependsOn": [package["bom-ref"] for package in packages]}],
    }


if __name__ == "__main__":
    json.dump(bill(), sys.stdout, indent=2)
    sys.stdout.write("\n")
