"""Snapshots as one readable file per program: SQL in either dialect, the tree, and the Python that builds it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tableapi.testing import SqlSnapshotExtension

ROOT = Path(__file__).resolve().parent.parent / "snapshots"


class SqlFiles(SqlSnapshotExtension):
    """Name a file after the program, and its folder after the part of the test's name behind ``test_snapshot_``."""

    @classmethod
    def dirname(cls, *, test_location: Any) -> str:
        return str(ROOT / str(test_location.methodname).removeprefix("test_snapshot_"))

    @classmethod
    def discovery_dirname(cls, *, test_location: Any) -> str:
        return cls.dirname(test_location=test_location)

    @classmethod
    def get_snapshot_name(cls, *, test_location: Any, index: Any = 0) -> str:
        return str(index)


class TreeFiles(SqlFiles):
    """The same file names for trees, which are not SQL."""

    file_extension = "txt"


class PythonFiles(SqlFiles):
    """The same file names for Python code."""

    file_extension = "py"
