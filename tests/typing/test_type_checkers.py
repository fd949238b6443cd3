"""mypy and pyright accept the correct programs and report each mistake, with the package installed."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tableapi import EnvironmentSettings, TableEnvironment

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parent.parent.parent
PROJECT = Path(__file__).with_name("project")
CHECKERS = ("mypy", "pyright")
_MARKER = re.compile(r"# wrong(?: for (\w+))?$")

# A line of a file, and the checker that reports it.
Report = tuple[str, int, str]


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[Report, str]:
    """The reports of both checkers on the project and the examples, each run once: messages by place."""
    where = tmp_path_factory.mktemp("type checkers")
    python = _environment_with_the_package(where / "environment")
    # Inside the package, the project would be treated as a part of the checked program.
    project = where / "project"
    shutil.copytree(PROJECT, project, ignore=shutil.ignore_patterns("__pycache__"))
    (project / "page.py").write_text(_code_of_page(), encoding="utf-8")
    # The project among the examples is a folder of its own, from which its modules are imported.
    kept_out = shutil.ignore_patterns("__pycache__", "project")
    shutil.copytree(ROOT / "examples", project / "examples", ignore=kept_out)
    return dict([*_reports_of_mypy(python, project), *_reports_of_pyright(python, project)])


def _code_of_page() -> str:
    page = (ROOT / "docs" / "type-checkers.md").read_text(encoding="utf-8")
    return "\n".join(re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))


def _environment_with_the_package(folder: Path) -> Path:
    """Create a virtual environment with this package and the running one's packages; return its interpreter."""
    venv.EnvBuilder(symlinks=True).create(folder)
    installed = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    (packages,) = folder.glob("lib/*/site-packages")
    (packages / "all.pth").write_text("\n".join([str(ROOT), *installed]), encoding="utf-8")
    return folder / "bin" / "python"


def _output(project: Path, *command: str) -> str:
    unset = ("PYTHONPATH", "MYPYPATH")
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    # Otherwise it looks for a newer release.
    environment["PYRIGHT_PYTHON_IGNORE_WARNINGS"] = "1"
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    # 1 means type errors; anything above means another failure.
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def _reports_of_mypy(python: Path, project: Path) -> Iterator[tuple[Report, str]]:
    # Keep the cache, because most of the time is spent on imported modules.
    cache = f"--cache-dir={ROOT / '.mypy_cache' / 'typing'}"
    for line in _output(project, "mypy", f"--python-executable={python}", cache, "--output=json", ".").splitlines():
        found = json.loads(line)
        if found["severity"] == "error":
            yield (found["file"], found["line"], "mypy"), found["message"]


def _reports_of_pyright(python: Path, project: Path) -> Iterator[tuple[Report, str]]:
    for found in json.loads(_output(project, "pyright", "--outputjson", "--pythonpath", str(python)))[
        "generalDiagnostics"
    ]:
        if found["severity"] == "error":
            place = Path(found["file"]).relative_to(project.resolve()).as_posix()
            yield (place, found["range"]["start"]["line"] + 1, "pyright"), found["message"]


def _marked() -> Iterator[Report]:
    programs = {
        file.relative_to(PROJECT).as_posix(): file.read_text(encoding="utf-8") for file in PROJECT.rglob("*.py")
    }
    for name, program in {**programs, "page.py": _code_of_page()}.items():
        for number, line in enumerate(program.splitlines(), 1):
            marker = _MARKER.search(line)
            if marker:
                for checker in (marker[1],) if marker[1] else CHECKERS:
                    yield name, number, checker


@pytest.mark.nightly
def test_checkers_report_every_mistake(reports: dict[Report, str]) -> None:
    missing = [place for place in _marked() if place not in reports]
    assert missing == []


@pytest.mark.nightly
def test_checkers_report_nothing_else(reports: dict[Report, str]) -> None:
    marked = set(_marked())
    assert {place: message for place, message in reports.items() if place not in marked} == {}


def test_there_are_mistakes_for_both() -> None:
    by_checker = Counter(checker for _, _, checker in _marked())
    assert min(by_checker[checker] for checker in CHECKERS) >= 100


@pytest.fixture
def te() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    return TableEnvironment.create(settings)


def test_queries_run(te: TableEnvironment) -> None:
    queries = importlib.import_module("tests.typing.project.right.queries")
    tables = queries.build(te)
    assert all(table.as_serializable_string() for table in tables)
    assert "MERGED" not in queries.write_out(tables[0])


def test_functions_run(te: TableEnvironment) -> None:
    functions = importlib.import_module("tests.typing.project.right.functions")
    assert all(table.as_summary_string() for table in functions.build(te))


def test_statements_run(capsys: pytest.CaptureFixture[str]) -> None:
    importlib.import_module("tests.typing.project.right.catalogs").build()
    assert "TABLE_OR_VIEW_NOT_FOUND" in capsys.readouterr().out
