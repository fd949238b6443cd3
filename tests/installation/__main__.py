"""Install the wheel in a fresh environment by pip, and print its size and what works: ``python -m tests.installation``.

Unlike the tests, it needs a network: pip builds the wheel, and installs what the wheel requires.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from tests.installation.distributions import build_twice
from tests.installation.environments import ROOT
from tests.installation.without_extras import EXTRAS

PROGRAM = ROOT / "tests" / "installation" / "without_extras.py"
FIRST_SQL = (
    "from tableapi import TableEnvironment\n"
    "from tableapi.expressions import col\n"
    "orders = TableEnvironment.create().declare('orders', {'id': 'INT'})\n"
    "print(orders.filter(col('id') > 1).as_serializable_string())"
)
# Megabytes. Compiled modules, which pip adds, double it.
LARGEST = 12


def _run(*command: str | Path, work: Path) -> str:
    return subprocess.run(command, cwd=work, stdout=subprocess.PIPE, text=True, check=True).stdout


def _try_hooks(work: Path) -> bool:
    """Whether pre-commit installs the hooks of this repository, and they pass on a new project."""
    shop = work / "shop"
    tableapi = (sys.executable, "-m", "tableapi")
    _run(*tableapi, "init", shop, work=ROOT)
    _run(*tableapi, "fmt", "--quiet", shop, work=ROOT)
    for command in (("init", "--quiet"), ("add", "--all")):
        _run("git", *command, work=shop)
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "try-repo", ROOT, "--all-files"],
        cwd=shop,
        capture_output=True,
        text=True,
        env={**os.environ, "PRE_COMMIT_HOME": str(work / "hooks")},
    )
    print(done.stdout[-2000:])
    return done.returncode == 0 and done.stdout.count("Passed") == 2


def main() -> int:
    """Return 0 if everything that needs no extra works."""
    with tempfile.TemporaryDirectory() as directory:
        work = Path(directory)
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
        # Built twice, and checked.
        build_twice(work)
        venv.create(work / "venv", symlinks=True)
        python = work / "venv" / "bin" / "python"
        (wheel,) = work.glob("*.whl")
        _run(*pip, "--python", python, "install", "--no-compile", wheel, work=work)
        (packages,) = (work / "venv").glob("lib/python*/site-packages")
        size = sum(file.stat().st_size for file in packages.rglob("*") if file.is_file()) / 1e6
        installed = sorted(entry.name for entry in packages.iterdir() if not entry.name.endswith(".dist-info"))
        report = json.loads(_run(python, "-I", PROGRAM, work=work))
        started = time.perf_counter()
        _run(python, "-I", "-c", FIRST_SQL, work=work)
        seconds = time.perf_counter() - started
        are_hooks_right = _try_hooks(work)
    print(f"{size:.1f} MB: {', '.join(installed)}")
    print(f"{seconds:.2f} s to the first SQL; {len(report['working'])} kinds of work without an extra")
    is_wheels = Path(report["library"]).parent.name == "site-packages"
    is_small = size <= LARGEST and not set(installed) & set(EXTRAS)
    return int(not (is_small and not report["loaded"] and is_wheels and are_hooks_right))


if __name__ == "__main__":
    sys.exit(main())
