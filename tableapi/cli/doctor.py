"""The verb doctor: what this installation consists of, and what is wrong with it.

Every check works alone and ends with a finding, so that a broken installation is described as far as it works.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
from collections.abc import Callable, Mapping
from enum import Enum
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs

from ir.engine_version import SPARK_VERSIONS, EngineVersion
from ir.errors import TableException
from tableapi._version import __version__
from tableapi.cli.output import ExitCode, Output, counted
from tableapi.environment.table_environment import TableEnvironment
from tableapi.environment_settings import EnvironmentSettings
from tableapi.lazy import lazy
from tableapi.project.configuration import FILE_NAME, ProjectError, find_project, read_configuration
from tableapi.spark.home import HOME_VARIABLE, tableapi_home

if TYPE_CHECKING:
    from tableapi.spark import java, session
else:
    # Loaded where Spark may be asked.
    java = lazy(__name__, "tableapi.spark.java")
    session = lazy(__name__, "tableapi.spark.session")


class Status(str, Enum):
    """How grave a finding is."""

    OK = "ok"
    WARNING = "warning"
    """Something that only some programs need is missing."""
    PROBLEM = "problem"


@attrs.frozen
class Finding:
    """The result of one check.

    Attributes:
        name: what was checked.
        status: how grave it is.
        found: what is there.
        advice: what to do, in a sentence; empty if nothing is wrong.
    """

    name: str
    status: Status
    found: str
    advice: str = ""


_STYLES: Final = {Status.OK: "green", Status.WARNING: "yellow", Status.PROBLEM: "red"}
_VARIABLES: Final = (
    HOME_VARIABLE,
    "TABLEAPI_TRACEBACK",
    "TABLEAPI_PROGRESS",
    "JAVA_HOME",
    "SPARK_HOME",
    "SPARK_CONF_DIR",
    "SPARK_REMOTE",
    "SPARK_CONNECT_MODE_ENABLED",
    "PYSPARK_PYTHON",
    "PYSPARK_SUBMIT_ARGS",
    "PYTHONPATH",
)
# Their values may hold a token or a password.
_SECRET: Final = ("SPARK_REMOTE", "PYSPARK_SUBMIT_ARGS")
_SUPPORTED: Final = f"{SPARK_VERSIONS[0]} to {SPARK_VERSIONS[-1]}"
_OLDEST_PYTHON: Final = (3, 10)
_QUERY: Final = "SELECT customer, SUM(amount) AS total FROM orders WHERE amount > 1 GROUP BY customer"


def doctor(output: Output, folder: Path, *, starts_spark: bool) -> ExitCode:
    """Print what the installation consists of, and what is wrong with it; FOUND if there is a problem."""
    findings = examine(folder, starts_spark=starts_spark)
    width = max(len(finding.name) for finding in findings)
    for finding in findings:
        mark = "" if finding.status is Status.OK else f"{finding.status.value}: "
        output.show(f"{finding.name:<{width}}  {mark}{finding.found}", _STYLES[finding.status] if mark else None)
        if finding.advice:
            output.show(f"{'':<{width}}  {finding.advice}")
    problems = sum(finding.status is Status.PROBLEM for finding in findings)
    output.show(f"{counted(problems, 'problem')} found." if problems else "No problem found.", "bold")
    output.document(
        findings=[{**attrs.asdict(finding), "status": finding.status.value} for finding in findings],
        problems=problems,
    )
    return ExitCode.FOUND if problems else ExitCode.OK


def examine(folder: Path, *, starts_spark: bool = False, environ: Mapping[str, str] | None = None) -> list[Finding]:
    """Return the findings of all checks.

    Args:
        folder: the folder whose project is looked for.
        starts_spark: whether to start a session and to run a query.
        environ: the environment to read; by default that of the process.
    """
    env = os.environ if environ is None else environ
    checks: dict[str, Callable[[], Finding]] = {
        "tableapi": _own_version,
        "Python": _python,
        "platform": lambda: Finding("platform", Status.OK, platform.platform()),
        "PySpark": _pyspark,
        "pyarrow": lambda: _package_for_rows("pyarrow"),
        "pandas": lambda: _package_for_rows("pandas"),
        "Java": lambda: _java(env),
        "variables": lambda: _variables(env),
        "home": lambda: _home(env),
        "project": lambda: _project(folder),
        "a query": _compile_a_query,
    }
    if starts_spark:
        checks["a query on Spark"] = _run_a_query
    return [_carry_out(name, check) for name, check in checks.items()]


def _carry_out(name: str, check: Callable[[], Finding]) -> Finding:
    """Return the finding of a check, also if the check raises an unexpected error."""
    try:
        return check()
    except Exception as error:
        if os.environ.get("TABLEAPI_TRACEBACK") == "full":
            raise
        return Finding(
            name,
            Status.PROBLEM,
            f"the check failed: {type(error).__name__}: {error}",
            "Please report it; TABLEAPI_TRACEBACK=full shows where.",
        )


def _shown(path: Path | str) -> str:
    """Return a path with the home of the user as ~, since what is printed goes into reports."""
    text, home = str(path), str(Path.home())
    return f"~{text[len(home) :]}" if home != os.sep and (text == home or text.startswith(home + os.sep)) else text


def _own_version() -> Finding:
    place = Path(__file__).parents[1]
    return Finding("tableapi", Status.OK, f"{__version__} in {_shown(place)}")


def _python() -> Finding:
    found = f"{platform.python_version()} ({platform.python_implementation()}), {_shown(sys.executable)}"
    if sys.version_info < _OLDEST_PYTHON:
        oldest = ".".join(map(str, _OLDEST_PYTHON))
        return Finding("Python", Status.PROBLEM, found, f"Use Python {oldest} or newer.")
    return Finding("Python", Status.OK, found)


def _version(project: str) -> str | None:
    """Return the version of an installed project."""
    try:
        return metadata.version(project)
    except metadata.PackageNotFoundError:
        return None


def _pyspark() -> Finding:
    if importlib.util.find_spec("pyspark") is None:
        return Finding(
            "PySpark",
            Status.WARNING,
            "not installed",
            f"Queries are built, typed and printed without it; to run them: {_pip('spark')}",
        )
    owners = sorted(set(metadata.packages_distributions().get("pyspark", ())))
    versions = [f"{owner} {_version(owner)}" for owner in owners]
    version = _version("pyspark") or _version("pyspark-client")
    found = f"{', '.join(versions) or 'of a platform'}; supported are Spark {_SUPPORTED}"
    if len(owners) > 1:
        return Finding(
            "PySpark",
            Status.PROBLEM,
            found,
            "Several projects have written into the one folder pyspark. Uninstall all of them, and install one again.",
        )
    if version is not None and EngineVersion.of(version) not in SPARK_VERSIONS:
        return Finding("PySpark", Status.PROBLEM, found, f"Install a version that is supported: {_pip('spark')}")
    return Finding("PySpark", Status.OK, found)


def _pip(extra: str) -> str:
    return f"pip install 'tableapi[{extra}]'"


def _package_for_rows(name: str) -> Finding:
    version = _version(name)
    if version is not None:
        return Finding(name, Status.OK, version)
    has_spark = importlib.util.find_spec("pyspark") is not None
    # Without pyarrow, a session is refused.
    is_needed = name == "pyarrow" and has_spark
    return Finding(
        name,
        Status.PROBLEM if is_needed else Status.WARNING,
        "not installed",
        f"{'Spark gives no rows without it' if is_needed else 'to_pandas and to_arrow need it'}: "
        f"{_pip('spark' if has_spark or name == 'pandas' else 'arrow')}",
    )


def _java(env: Mapping[str, str]) -> Finding:
    try:
        found = java.find_java(env)
    except TableException as error:
        has_spark = importlib.util.find_spec("pyspark") is not None
        # The places that were searched are between the first line and the last.
        _, *places, advice = str(error).split("\n")
        is_needed = has_spark and "SPARK_REMOTE" not in env
        return Finding(
            "Java", Status.PROBLEM if is_needed else Status.WARNING, "; ".join(map(str.strip, places)), advice
        )
    return Finding("Java", Status.OK, f"{found.major_version} of {found.source}, {_shown(found.home)}")


def _variables(env: Mapping[str, str]) -> Finding:
    given = {name: env[name] for name in _VARIABLES if env.get(name)}
    shown = [f"{name}={'(set)' if name in _SECRET else _shown(value)}" for name, value in given.items()]
    return Finding("variables", Status.OK, ", ".join(shown) or "none is set")


def _home(env: Mapping[str, str]) -> Finding:
    try:
        home = tableapi_home(env)
    except TableException as error:
        return Finding("home", Status.PROBLEM, env.get(HOME_VARIABLE, ""), str(error))
    existing = next(folder for folder in (home, *home.parents) if folder.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        return Finding(
            "home",
            Status.PROBLEM,
            f"{_shown(home)} cannot be written",
            f"Views and tables of the embedded session are stored there. Set {HOME_VARIABLE} to a folder that can be "
            "written.",
        )
    return Finding("home", Status.OK, f"{_shown(home)}{'' if existing == home else ' (made on first use)'}")


def _project(folder: Path) -> Finding:
    try:
        root = find_project(folder.absolute())
    except ProjectError:
        return Finding("project", Status.OK, f"none: no {FILE_NAME} here or above")
    place = _shown(root / FILE_NAME)
    try:
        read_configuration(root)
    except ProjectError as error:
        return Finding("project", Status.PROBLEM, place, str(error))
    return Finding("project", Status.OK, place)


def _compile_a_query() -> Finding:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    environment = TableEnvironment.create(settings)
    environment.declare("orders", {"customer": "STRING", "amount": "DECIMAL(10, 2)"})
    query = environment.sql_query(_QUERY)
    text = query.as_serializable_string()
    if environment.sql_query(text).query_operation is not query.query_operation:
        return Finding(
            "a query", Status.PROBLEM, "its text is read as another query", "Please report it, with this output."
        )
    return Finding("a query", Status.OK, "compiled, printed and read back")


def _run_a_query() -> Finding:
    was_running = session.running_session() is not None
    try:
        environment = TableEnvironment.create()
        rows = environment.from_elements([(1, "a"), (2, "b")], ["id", "name"]).fetch(1).execute()
        with rows.collect() as found:
            number = len(list(found))
        version = environment.spark.version
    except (TableException, ImportError) as error:
        return Finding("a query on Spark", Status.PROBLEM, "no session, or no rows", str(error))
    finally:
        if not was_running:
            session.stop_embedded_session()
    if number != 1:
        return Finding("a query on Spark", Status.PROBLEM, f"{number} rows instead of 1", "Please report it.")
    return Finding("a query on Spark", Status.OK, f"a session of Spark {version} has run it")
