"""Without an extra, queries are built as with all of them; a call that needs one names it and the command."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.installation import without_extras
from tests.installation.environments import ROOT, environment_with, requirements

PROGRAM = Path(without_extras.__file__)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment_with(tmp_path_factory.mktemp("bare"), requirements())


@pytest.fixture(scope="module")
def report(bare: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    # Isolated from the variables and the directory of this process, which would make its packages importable.
    command = [str(bare), "-I", str(PROGRAM)]
    done = subprocess.run(command, cwd=tmp_path_factory.mktemp("work"), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_only_small_packages_are_required(bare: Path) -> None:
    (packages,) = bare.parents[1].glob("lib/python*/site-packages")
    names = {entry.name for entry in packages.iterdir() if not entry.name.endswith((".dist-info", ".pth"))}
    assert names == {"attr", "attrs", "lark", "platformdirs"}


@pytest.mark.slow
@pytest.mark.parametrize("function", without_extras.WORKING, ids=lambda function: function.__name__)
def test_works_without_an_extra_as_with_all(function: Any, report: dict[str, Any]) -> None:
    without = report["working"][function.__name__]
    assert len(without) > 1
    assert without == function()


def _python(version: str) -> str | None:
    """Return another Python that reads TOML, which Python 3.10 does with a package; None if there is none."""
    found = shutil.which(f"python{version}")
    probe = "import sys; sys.version_info >= (3, 11) or __import__('tomli'); print(sys.version_info[:2])"
    done = subprocess.run([found, "-c", probe], capture_output=True, text=True) if found else None
    # Where a manager of Pythons provides the command, it may not have that version.
    return found if done is not None and done.stdout.strip() == f"({version.replace('.', ', ')})" else None


@pytest.mark.nightly
@pytest.mark.parametrize("version", ["3.10", "3.12", "3.13", "3.14"])
def test_works_as_well_on_other_pythons(
    version: str, bare: Path, report: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = _python(version)
    if python is None:
        pytest.skip(f"no Python {version}, or none that reads TOML")
    (packages,) = bare.parents[1].glob("lib/python*/site-packages")
    for name, value in {"PYTHONPATH": f"{packages}:{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}.items():
        monkeypatch.setenv(name, value)
    done = subprocess.run([python, "-s", str(PROGRAM)], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["working"] == report["working"]
    assert told["needing"].keys() == report["needing"].keys()


def test_command_line_names_its_extra(bare: Path, tmp_path: Path) -> None:
    command = [str(bare), "-I", "-m", "tableapi", "--help"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("The command line comes with the extra 'cli' of tableapi: ")
    assert "Traceback" not in done.stderr


def test_nothing_of_an_extra_was_loaded(report: dict[str, Any]) -> None:
    assert report["loaded"] == []


def test_what_needs_an_extra_names_it(report: dict[str, Any], bare: Path) -> None:
    package = {"spark": "pyspark", "arrow": "pyarrow"}
    for needing, told in report["needing"].items():
        extra, name = needing.split()
        # The frames are two of the program and one of the library.
        assert told == [
            "ModuleNotFoundError",
            3,
            f"{name} needs the package {package[extra]}, which comes with the extra {extra!r} of tableapi: "
            f"{bare} -m pip install 'tableapi[{extra}]'",
        ]


# --- with some packages ----------------------------------------------------------------------------------------------


def _told(python: Path, program: str, work: Path) -> str:
    lines = f"from tableapi import TableEnvironment\nte = TableEnvironment.create()\n{program}"
    command = (
        f"import sys\ntry:\n    exec({lines!r})\nexcept Exception as error:\n    print(type(error).__name__, error)"
    )
    done = subprocess.run([str(python), "-I", "-c", command], cwd=work, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_arrow_data_needs_the_extra_arrow_alone(tmp_path: Path) -> None:
    python = environment_with(tmp_path / "venv", [*requirements(), "pyarrow"])
    program = (
        "import pyarrow as pa\n"
        "table = te.from_arrow(pa.table({'a': [1, 2], 'b': ['x', None]}))\n"
        "te.declare('given', pa.schema([pa.field('a', pa.int32(), nullable=False)]))\n"
        "print(table.get_resolved_schema(), te.from_path('given').get_resolved_schema(), 'pyspark' in sys.modules)"
    )
    assert _told(python, program, tmp_path) == "(`a` BIGINT, `b` STRING) (`a` INT NOT NULL) False"


def test_pyspark_alone_lacks_the_other_packages_of_the_extra(tmp_path: Path) -> None:
    python = environment_with(tmp_path / "venv", [*requirements(), "pyspark"])
    told = _told(python, "te.from_elements([(1,)]).execute()", tmp_path)
    # Before anything starts Java.
    assert told == (
        "ModuleNotFoundError execute needs the package pyarrow, which comes with the extra 'spark' of tableapi: "
        f"{python} -m pip install 'tableapi[spark]'"
    )
