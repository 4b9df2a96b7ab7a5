"""Files are written beside their place, synced and renamed: a power cut finds old or new."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pitboss.durable import draft_of, replace_folder, sync, sync_folder


@pytest.fixture
def order(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note the order in which the disk is asked for things, and ask it."""
    noted: list[str] = []
    fsync, rename = os.fsync, os.rename

    def noting_fsync(descriptor: int) -> None:
        noted.append(f"sync {Path(os.readlink(f'/proc/self/fd/{descriptor}')).name}")
        fsync(descriptor)

    def noting_rename(source: Path, target: Path) -> None:
        noted.append(f"rename {Path(source).name} to {Path(target).name}")
        rename(source, target)

    monkeypatch.setattr(os, "fsync", noting_fsync)
    monkeypatch.setattr(os, "rename", noting_rename)
    return noted


def test_a_folder_is_on_the_disk_before_it_takes_its_place(
    tmp_path: Path, order: list[str]
) -> None:
    made, place = tmp_path / "made", tmp_path / "place"
    for folder, content in ((made, "new"), (place, "old")):
        folder.mkdir()
        (folder / "file").write_text(content)
    replace_folder(made, place)
    assert (place / "file").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["place"]
    assert order == [
        "sync file",
        "sync made",
        "rename place to place.old",
        "rename made to place",
        f"sync {tmp_path.name}",
    ]


def test_a_draft_that_was_not_finished_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("old")

    def write_on_a_full_disk() -> None:
        with draft_of(path, mode=0o600) as (_, file):
            file.write(b"ne")
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        write_on_a_full_disk()
    assert [(item.name, item.read_text()) for item in tmp_path.iterdir()] == [("key", "old")]


def test_a_draft_is_for_its_owner_alone_until_it_is_the_file(tmp_path: Path) -> None:
    path = tmp_path / "key"
    with draft_of(path, mode=0o600) as (draft, file):
        assert draft.stat().st_mode & 0o777 == 0o600
        file.write(b"new")
        sync(file)
        draft.replace(path)
    sync_folder(tmp_path)
    assert path.read_text() == "new"
