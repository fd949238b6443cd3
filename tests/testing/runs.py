"""Runs of pytest in environments of chosen packages, without Java and Spark."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.installation.environments import requirements

WITHOUT_SYRUPY = [*requirements(), "pytest"]
WITH_SYRUPY = [*requirements(), "pytest", "syrupy"]
WITH_COMMAND_LINE = [*WITH_SYRUPY, "typer", "rich"]


def run_pytest(python: Path, directory: Path, *arguments: str) -> tuple[int, str]:
    """Run the tests of a directory, and return the exit code and the output."""
    return run(directory, [str(python), "-m", "pytest", "-p", "no:cacheprovider", "-rs", *arguments], python.parent)


def run(directory: Path, command: Sequence[str], programs: Path) -> tuple[int, str]:
    """Run a command without any Java, and with no programs but those of an environment."""
    kept = ("LANG", "TMPDIR", "PYTHONDONTWRITEBYTECODE")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    environment |= {"PATH": str(programs), "HOME": str(directory), "TABLEAPI_HOME": str(directory / "home")}
    done = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr
