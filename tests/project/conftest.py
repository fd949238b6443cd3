"""Projects for tests, without Spark."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.project.projects import write_project


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The folder of a project of three views."""
    return write_project(tmp_path)
