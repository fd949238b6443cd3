"""Files generated from the definitions are up to date."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.slow
@pytest.mark.parametrize("command", [["-m", "tableapi.stubs", "--check"], ["docs/build.py", "--check"]])
def test_generated_files_are_fresh(command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_definition_is_documented() -> None:
    from ir.functions.builtins import BUILT_INS

    undocumented = [d.name for d in BUILT_INS if not d.documentation.doc.endswith(".")]
    assert not undocumented
