"""Error messages for wrong SQL: read the snapshots as the person who made the mistake."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from syrupy.assertion import SnapshotAssertion

import serializer  # noqa: F401  # types write themselves
from grammar.reading import Surroundings, parse_query
from ir import types as t
from ir.errors import TableException, TableNotExistException, did_you_mean
from ir.expressions import Expression
from ir.identifiers import ObjectIdentifier
from ir.operations.operation import QueryOperation
from ir.operations.source import ReadOptions, Source
from ir.rendering import Dialect
from ir.schema import ResolvedSchema
from tests.cases import chosen_cases, every
from tests.grammar.mistakes import ACCEPTED, AREAS, Mistake
from tests.snapshot_files import TreeFiles

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_TABLES = {
    "t": ResolvedSchema.of(
        ["a", "b", "c", "d", "s", "r"],
        [t.INT, t.INT, t.STRING, t.DATE, t.ArrayType(t.INT), t.RowType((t.RowField("p", t.INT),))],
    ),
    "u": ResolvedSchema.of(["a", "x"], [t.INT, t.STRING]),
}


def _find(
    path: tuple[str, ...], version: str | None, timestamp: Expression | None, options: ReadOptions
) -> QueryOperation:
    schema = _TABLES.get(path[-1].lower())
    if schema is None:
        raise TableNotExistException(f"There is no table {'.'.join(path)!r}." + did_you_mean(path[-1], _TABLES))
    return Source(ObjectIdentifier(path[-1].lower()), schema)


def _error(text: str, dialect: Dialect = Dialect.SPARK) -> TableException:
    with pytest.raises(TableException) as raised:
        parse_query(text, Surroundings(dialect=dialect, find_table=_find, time_zone="UTC"))
    return raised.value


def _shown(mistake: Mistake) -> str:
    error = _error(mistake.text, mistake.dialect)
    codes = f" [{error.condition}, {error.sql_state}]" if error.condition else ""
    return f"--- {mistake.name} ({mistake.dialect.name})\n{type(error).__name__}{codes}\n{error}\n"


@pytest.mark.parametrize("area", AREAS)
def test_snapshot_errors(area: str, snapshot: SnapshotAssertion) -> None:
    shown = "\n".join(map(_shown, AREAS[area]))
    assert shown == snapshot(name=area, extension_class=TreeFiles)


_NAMED = {f"{area}-{mistake.name}": mistake for area, mistakes in AREAS.items() for mistake in mistakes}


@every("name", lambda: _NAMED, str)
def test_messages_have_positions_and_no_internal_names(name: str) -> None:
    mistake = _NAMED[name]
    error = _error(mistake.text, mistake.dialect)
    message, place, line, carets = str(error).split("\n")
    assert place.startswith("line ")
    assert line.startswith("  ")
    assert carets.strip(" ").strip("^") == ""
    assert carets.strip()
    for fluent in (
        "alias(",
        "group_by",
        "select(",
        "filter(",
        "order_by",
        "col(",
        ".over(",
        "add_columns",
        "Token",
        "__",
    ):
        assert fluent not in message
    assert error.__cause__ is None


def _of_spark() -> list[str]:
    return [name for name, mistake in _NAMED.items() if mistake.dialect is Dialect.SPARK]


@pytest.fixture(scope="module")
def answers(spark: SparkSession, request: pytest.FixtureRequest) -> dict[str, tuple[str | None, str | None]]:
    """Spark's condition and state of each mistake; ``ACCEPTED`` where it makes none of it."""
    from pyspark.errors import PySparkException

    found: dict[str, tuple[str | None, str | None]] = {}
    session = None
    for name in chosen_cases(request, test_the_condition_is_the_one_of_spark, "name"):
        session = session or _session_with_views(spark)
        try:
            session.sql(_NAMED[name].text)
        except PySparkException as error:
            found[name] = error.getCondition(), error.getSqlState()
        else:
            found[name] = ACCEPTED, None
            # What ran may have changed the session.
            session = None
    return found


def _session_with_views(spark: SparkSession) -> SparkSession:
    session = spark.newSession()
    columns = "1 AS a, 2 AS b, 'x' AS c, DATE '2020-01-01' AS d, array(1) AS s, named_struct('p', 1) AS r"
    session.sql(f"SELECT {columns}").createOrReplaceTempView("t")
    session.sql("SELECT 1 AS a, 'y' AS x").createOrReplaceTempView("u")
    return session


@every("name", _of_spark, str)
def test_the_condition_is_the_one_of_spark(answers: dict[str, tuple[str | None, str | None]], name: str) -> None:
    mistake = _NAMED[name]
    if mistake.spark is not None:
        assert answers[name][0] == mistake.spark
        return
    ours = _error(mistake.text)
    if ours.condition is not None:
        assert (ours.condition, ours.sql_state) == answers[name]


_HOSTILE: dict[str, Callable[[int], str]] = {
    "parentheses": lambda n: "SELECT " + "(" * n,
    "closing parentheses": lambda n: "SELECT 1" + ")" * n,
    "control characters": lambda n: "\x00" * n,
    "comments": lambda n: "SELECT 1 " + "/*" * n,
    "quotes": lambda n: "SELECT '" + "x" * n,
    "backslashes": lambda n: "SELECT '" + "\\" * n,
    "commas": lambda n: "SELECT " + "," * n,
    "words": lambda n: "SELECT " + "a " * n,
    "a long word": lambda n: "SELECT 1 a " + "x" * n,
    "a long name": lambda n: "SELECT " + "x" * n + " FROM t",
    "a long function": lambda n: "SELECT " + "x" * n + "(1)",
    "levels, then a mistake": lambda n: "SELECT a FROM (" * n + "SELECT 1 AS a FORM t" + ")" * n,
    "items, then a mistake": lambda n: "SELECT " + ", ".join(["1"] * n) + " FORM t",
    "lines, then a mistake": lambda n: "SELECT 1" + "\n" * n + "FORM FORM t t",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", _HOSTILE)
def test_hostile_text_fails_in_linear_time_with_a_short_message(kind: str) -> None:
    def seconds(size: int) -> float:
        text = _HOSTILE[kind](size)
        begin = time.thread_time()
        error = _error(text)
        taken = time.thread_time() - begin
        assert len(str(error)) < 800
        return taken

    allowed = max(120 * min(seconds(1_000) for _ in range(3)), 1)
    # Other work on the machine may disturb one try or two.
    assert any(seconds(20_000) < allowed for _ in range(3)), allowed


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("SELECT CAST(a AS INT b) FROM t", "IN"),
        ("SELECT a FROM t AS INN x", "IN"),
        ("SELECT a FROM t WHERE ab 1", "AS"),
        ("SELECT a FROM t WHERE a IN (1, 2", "INTO"),
    ],
)
def test_no_word_is_suggested_that_could_not_stand_there(text: str, word: str) -> None:
    assert f"Did you mean {word} " not in str(_error(text))
