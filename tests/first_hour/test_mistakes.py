"""A hundred mistakes of beginners: the error points to the line and names the fix."""

from __future__ import annotations

import traceback
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import tableapi
from ir.errors import TableException
from ir.schema import Column, ResolvedSchema
from tableapi import (
    CatalogTable,
    DataTypes,
    EnvironmentSettings,
    InMemoryCatalog,
    TableEnvironment,
    expressions,
    window,
)
from tests.first_hour.mistakes_in_python import MISTAKES, Mistake
from tests.first_hour.mistakes_in_sql import SQL_MISTAKES, SqlMistake
from tests.snapshot_files import TreeFiles

T = DataTypes
_SCHEMAS = {
    "orders": {
        "id": T.BIGINT(False),
        "customer_id": T.INT(),
        "amount": T.DECIMAL(10, 2),
        "placed": T.TIMESTAMP(),
        "status": T.STRING(),
    },
    "customers": {
        "id": T.BIGINT(False),
        "country": T.STRING(),
        "since": T.DATE(),
        "address": T.ROW([T.FIELD("city", T.STRING()), T.FIELD("zip", T.STRING())]),
    },
    "events": {"key": T.STRING(), "at": T.TIMESTAMP(), "kind": T.STRING()},
}


@pytest.fixture(scope="module")
def te() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("main")
    te = TableEnvironment.create(settings.with_built_in_database_name("sales").build())
    catalog = te.get_catalog("main")
    assert isinstance(catalog, InMemoryCatalog)
    for name, columns in _SCHEMAS.items():
        schema = ResolvedSchema(tuple(Column(column, data_type) for column, data_type in columns.items()))
        catalog.create_table("sales", name, CatalogTable(schema))
    return te


def _names(te: TableEnvironment) -> dict[str, Any]:
    names: dict[str, Any] = {"te": te}
    for module in (tableapi, expressions, window):
        names |= {name: getattr(module, name) for name in module.__all__}
    return names | {name: te.from_path(name) for name in _SCHEMAS}


def _run(mistake: Mistake, te: TableEnvironment) -> Exception:
    """Run a program whose mistake is on its third line, and return the exception.

    Raises:
        AssertionError: the program runs, or the traceback shows another line of it.
    """
    file = "job.py"
    program = compile(f"started = True\nprepared = True\n{mistake.program}\nfinished = True\n", file, "exec")
    names = _names(te)
    with pytest.raises(Exception) as raised:  # noqa: PT011  # Python's own exceptions are among them.
        exec(program, names)
    lines = [frame.lineno for frame in traceback.extract_tb(raised.value.__traceback__) if frame.filename == file]
    assert lines == [3], f"line {lines} is shown"
    return raised.value


_PYTHON = {mistake.name: mistake for mistake in MISTAKES}
_SQL = {mistake.name: mistake for mistake in SQL_MISTAKES}


@pytest.mark.parametrize("name", _PYTHON)
def test_a_mistake_in_python_names_its_fix(name: str, te: TableEnvironment) -> None:
    error = _run(_PYTHON[name], te)
    assert isinstance(error, TableException | AttributeError | TypeError | ImportError)
    assert _PYTHON[name].fix in str(error)


def _read(mistake: SqlMistake, te: TableEnvironment) -> TableException:
    with pytest.raises(TableException) as raised:
        te.sql_query(mistake.marked.replace("⟦", "").replace("⟧", ""))
    return raised.value


def _marks(message: str) -> range:
    """Return the positions, from 0, of the characters above the carets of a message."""
    under = next(line for line in reversed(message.splitlines()) if "^" in line)
    first = under.index("^") - 2
    return range(first, first + under.count("^"))


@pytest.mark.parametrize("name", _SQL)
def test_a_mistake_in_sql_is_marked_and_names_its_fix(name: str, te: TableEnvironment) -> None:
    message = str(_read(_SQL[name], te))
    first = _SQL[name].marked.index("⟦")
    wrong = range(first, _SQL[name].marked.index("⟧") - 1)
    marked = _marks(message)
    assert marked.start in wrong, message
    assert marked.stop <= wrong.stop, message
    assert _SQL[name].fix in message.splitlines()[0], message


def _shown(text: str, error: Exception) -> str:
    return f"--- {text}\n{type(error).__name__}\n{error}\n"


@pytest.mark.parametrize("language", ["python", "sql"])
def test_snapshot_first_hour(language: str, te: TableEnvironment, snapshot: SnapshotAssertion) -> None:
    shown = (
        [_shown(mistake.program, _run(mistake, te)) for mistake in MISTAKES]
        if language == "python"
        else [_shown(mistake.name, _read(mistake, te)) for mistake in SQL_MISTAKES]
    )
    assert "\n".join(shown) == snapshot(name=language, extension_class=TreeFiles)


def test_there_are_a_hundred_mistakes() -> None:
    assert len(MISTAKES) >= 50
    assert len(SQL_MISTAKES) >= 50
    assert len(_PYTHON) == len(MISTAKES)
    assert len(_SQL) == len(SQL_MISTAKES)
