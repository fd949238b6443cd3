"""Tracebacks of mistakes: the user's line and the library's boundary, with nothing between or below."""

from __future__ import annotations

import doctest
import inspect
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

import tableapi
from tableapi import DataTypes, Schema, Table, TableEnvironment, TableException, diff, expressions, format_sql, udf
from tableapi import tracebacks as tb
from tableapi.catalog import Catalog
from tableapi.expressions import call, call_sql, col, lit
from tableapi.result import CloseableIterator
from tableapi.tracebacks import show_internal_frames
from tableapi.types import Row
from tableapi.window import Over, Tumble
from tests.programs.tables import environment_without_spark

te = environment_without_spark()
orders = te.from_elements([(1, "a", 3)], ["id", "name", "amount"])

MISTAKES: dict[str, Callable[[], object]] = {
    "an unknown column": lambda: orders.select(col("amuont")),
    "a filter that is no condition": lambda: orders.filter(col("amount")),
    "a column after grouping": lambda: orders.group_by(col("id")).select(col("name")),
    "a window over nothing": lambda: orders.over_window(3),  # type: ignore[arg-type]
    "a group window over text": lambda: orders.window(Tumble.over(lit(1).hours).on("ts")),  # type: ignore[arg-type]
    "sort keys that are text": lambda: Over.order_by("a"),  # type: ignore[arg-type]
    "SQL that does not parse": lambda: te.sql_query("SELECT a FORM t"),
    "SQL with an unknown function": lambda: te.sql_query("SELECT nope(1)"),
    "an expression that does not parse": lambda: call_sql("1 +"),
    "a text that cannot be formatted": lambda: format_sql("SELECT a FROM t WHERE", width=0),
    "an operand that is no value": lambda: col("a") + object(),
    "an operand on the left": lambda: object() + col("a"),
    "a comparison with no value": lambda: col("a") == object(),
    "an argument that is no value": lambda: col("a").substring(object()),
    "too few arguments": lambda: col("a").substring(),
    "a method that is none": lambda: col("a").summ(),
    "the truth of an expression": lambda: col("a") and col("b"),
    "a constant that is none": lambda: lit(object()),
    "a cast to no type": lambda: col("a").cast("BIGNT"),  # type: ignore[arg-type]
    "a type that is too precise": lambda: DataTypes.DECIMAL(99, 3),
    "a type text that does not parse": lambda: Schema.new_builder().column("a", "NIT"),
    "a function without types": lambda: udf(lambda x: x),
    "a decorator with a wrong type": lambda: udf(result_type="NTI")(lambda x: x),
    "a catalog that is not there": lambda: te.use_catalog("nope"),
    "rows of two lengths": lambda: te.from_elements([(1,), (1, 2)], ["a"]),
    "an insert into nothing": lambda: te.create_statement_set().add_insert("x", 3),  # type: ignore[arg-type]
    "a setting that is no text": lambda: te.get_config().set("a", 1),  # type: ignore[arg-type]
    "a difference to no query": lambda: diff(1, orders),  # type: ignore[arg-type]
    "a refused method": lambda: te.load_module("m"),  # type: ignore[attr-defined]
}


def frames(mistake: Callable[[], object]) -> list[traceback.FrameSummary]:
    """Return the library's frames in the traceback of a mistake."""
    with pytest.raises(TableException) as caught:
        mistake()
    return [frame for frame in traceback.extract_tb(caught.value.__traceback__) if frame.filename != __file__]


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_shows_one_frame_of_the_library(name: str) -> None:
    # An operator calls a shared constructor; a wrapper around each operator would slow every expression.
    most = 2 if name in ("an operand that is no value", "an operand on the left", "a comparison with no value") else 1
    assert len(frames(MISTAKES[name])) <= most
    with pytest.raises(TableException) as caught:
        MISTAKES[name]()
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_the_frame_has_the_name_of_the_method_and_how_to_see_more() -> None:
    (frame,) = frames(MISTAKES["an unknown column"])
    assert frame.name == "select"
    assert "TABLEAPI_TRACEBACK=full" in str(frame.line)


def test_a_line_of_the_user_below_a_call_stays() -> None:
    def of_user(x: Any) -> Any:
        return x + object()

    with pytest.raises(TableException) as caught:
        call("transform", col("a"), of_user)
    names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert names[-1] == "of_user"


def test_the_context_of_the_user_is_kept() -> None:
    def in_a_handler() -> None:
        try:
            {}["missing"]
        except KeyError:
            orders.select(col("amuont"))

    with pytest.raises(TableException) as caught:
        in_a_handler()
    assert isinstance(caught.value.__context__, KeyError)
    assert not caught.value.__suppress_context__


def test_a_defect_of_the_library_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: object) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr("ir.resolution.operations.select", broken)
    with pytest.raises(RuntimeError) as caught:
        orders.select(col("id"))
    assert [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)][-2:] == ["select", "broken"]


def test_an_interrupted_call_is_trimmed(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ir.resolution.operations.select", interrupted)
    with pytest.raises(KeyboardInterrupt) as caught:
        orders.select(col("id"))
    assert [f.name for f in traceback.extract_tb(caught.value.__traceback__) if f.filename != __file__] == ["select"]


def test_all_frames_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    mistake = MISTAKES["an unknown column"]
    monkeypatch.setenv(tb.VARIABLE, "full")
    asked_by_variable = len(frames(mistake))
    monkeypatch.delenv(tb.VARIABLE)
    assert len(frames(mistake)) == 1
    show_internal_frames()
    try:
        assert len(frames(mistake)) == asked_by_variable > 3
        show_internal_frames(False)
        monkeypatch.setenv(tb.VARIABLE, "full")
        assert len(frames(mistake)) == 1
    finally:
        show_internal_frames(None)


def test_rows_that_fail_while_they_are_read() -> None:
    def rows() -> Any:
        yield Row(1)
        raise TableException("failed")

    result = CloseableIterator(rows())
    next(result)
    assert [frame.name for frame in frames(lambda: next(result))] == ["__next__"]


def _is_boundary(member: Any) -> bool:
    function = getattr(member, "fget", None) or getattr(member, "__func__", member)
    return not isinstance(function, FunctionType) or hasattr(function, "__wrapped__")


# Classes that only describe and raise nothing; expressions and exceptions have their own tests.
_WITHOUT = {
    "Column",
    "JobStatus",
    "ResolvedSchema",
    "QueryDiff",
    "FarDate",
    "FarTimestamp",
    "FineTime",
    "Geometry",
    "Geography",
    "Row",
}


def test_every_public_method_is_a_boundary() -> None:
    missing = []
    for name in tableapi.__all__:
        cls = getattr(tableapi, name)
        if not isinstance(cls, type) or issubclass(cls, BaseException) or name in _WITHOUT:
            continue
        if not cls.__module__.startswith("tableapi") or ".runtime" in cls.__module__ or cls is Catalog:
            continue
        for base in cls.__mro__[:-1]:
            if not base.__module__.startswith("tableapi") or base.__name__ in ("FunctionMembers", "Catalog"):
                continue
            for member in vars(base):
                if member[0] != "_" and not _is_boundary(vars(base)[member]):
                    missing.append(f"{base.__name__}.{member}")
    assert missing == []


def test_every_function_of_expressions_is_a_boundary() -> None:
    own = {name: value for name, value in vars(expressions).items() if type(value) is FunctionType and name[0] != "_"}
    here = [name for name, value in own.items() if value.__module__ == expressions.__name__]
    assert len(here) > 20
    assert [name for name in here if not _is_boundary(own[name])] == ["col"]


def test_boundaries_keep_signatures_and_docstrings() -> None:
    assert list(inspect.signature(Table.filter).parameters) == ["self", "predicate"]
    assert (Table.filter.__name__, Table.filter.__qualname__) == ("filter", "Table.filter")
    assert str(Table.filter.__doc__).startswith("Keep")
    found = {test.name for test in doctest.DocTestFinder().find(expressions, "e") if test.examples}
    assert {"e.call", "e.row_interval"} <= found


@pytest.mark.slow
@pytest.mark.parametrize(("setting", "shown"), [("", False), ("full", True)])
def test_pytest_shows_the_line_of_the_test(tmp_path: Path, setting: str, shown: bool) -> None:
    (tmp_path / "test_of_user.py").write_text(
        "from tableapi import TableEnvironment\nfrom tableapi.expressions import col\n"
        "def test_it():\n    table = TableEnvironment.create().from_elements([(1,)], ['a'])\n"
        "    table.select(col('b'))\n"
    )
    environment = {"PATH": "", "TABLEAPI_TRACEBACK": setting}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        cwd=tmp_path,
    )
    assert "table.select(col('b'))" in done.stdout
    assert "Cannot resolve field [b]" in done.stdout
    assert ("resolution" in done.stdout) is shown
    assert "tracebacks.py" not in done.stdout


def test_environments_are_typed_as_before() -> None:
    # A class decorator that lost the class would turn every method's type into Any.
    assert isinstance(TableEnvironment.create(), TableEnvironment)
