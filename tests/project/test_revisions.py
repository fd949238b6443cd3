"""The files of a project at a revision."""

from __future__ import annotations

import subprocess
import tarfile
from pathlib import Path

import pytest

from tableapi.project.configuration import FILE_NAME
from tableapi.project.revisions import files_at


@pytest.mark.parametrize("has_filters", [True, False], ids=["a Python with filters", "an older Python"])
def test_links_out_of_the_folder_are_left_out(
    has_filters: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if has_filters != hasattr(tarfile, "data_filter"):
        if has_filters:
            pytest.skip("this Python has no filters of archives")
        monkeypatch.delattr(tarfile, "data_filter")
    (tmp_path / "views").mkdir()
    (tmp_path / FILE_NAME).write_text("")
    (tmp_path / "views" / "late.sql").write_text("SELECT 1")
    (tmp_path / "views" / "same.sql").symlink_to("late.sql")
    (tmp_path / "first.sql").symlink_to("views/late.sql")
    (tmp_path / "elsewhere").symlink_to(tmp_path.parent)
    (tmp_path / "views" / "above").symlink_to("../..")
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
    for command in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-q", "-m", "views"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    with files_at(tmp_path, "HEAD") as folder:
        found = sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))
        assert found == sorted([FILE_NAME, "first.sql", "views", "views/late.sql", "views/same.sql"])
        assert (folder / "first.sql").read_text() == "SELECT 1"
