"""Random queries of up to five steps: they have Spark's types, and the rows of the same DataFrame query.

What they are written as is read back as the same tree: SQL in both layouts and of Flink, Python, and JSON.

The examples are constant by default. TABLEAPI_EXAMPLES=2000 runs that many new ones.
"""

from __future__ import annotations

import datetime as dt
import os
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ir.errors import TableException
from ir.normalization.normalize import normalize
from ir.rendering import Dialect, Layout
from tableapi import Row
from tests.answers import FETCHING, Answers, files_of
from tests.cases import fewer
from tests.comparison import assert_schema_is_that_of, plain
from tests.grammar.reading import surroundings
from tests.grammar.test_flink_round_trip import reads_back
from tests.grammar.test_round_trip import assert_reads_back
from tests.plans.facts import is_same_plan
from tests.programs.tables import Frames, Tables, environment_without_spark
from tests.random_queries import groups, rows, tables, windows
from tests.random_queries.step import BASES, Names, Situation, Step, c
from tests.serializer.tree_json.documents import round_trip

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from tableapi import Table

pytestmark = pytest.mark.long

# Each query is of steps that the sources write for DataFrames, too.
ANSWERS = Answers(
    "random_queries",
    "tests/grammar/reading.py",
    "tests/grammar/test_flink_round_trip.py",
    "tests/grammar/test_round_trip.py",
    "tests/plans/facts.py",
    "tests/serializer/tree_json/documents.py",
    "tests/strategies.py",
    *files_of("tests/random_queries", "*.py"),
    *FETCHING,
)
_EXAMPLES = os.environ.get("TABLEAPI_EXAMPLES")
OFFLINE = Tables(environment_without_spark())
AROUND = surroundings(OFFLINE.env)
AROUND_FLINK = surroundings(OFFLINE.env, Dialect.FLINK)
STEPS = (*rows.STEPS, *groups.STEPS, *windows.STEPS, *tables.STEPS)


@attrs.frozen
class RandomQuery:
    """A table and the steps applied to it."""

    base: str
    steps: tuple[Step, ...]

    def ours(self, tables: Tables) -> Table:
        """Build the query with this library."""
        table = BASES[self.base].ours(tables)
        for step in self.steps:
            table = step.ours(table, tables)
        return table

    def theirs(self, frames: Frames) -> DataFrame:
        """Build the query with PySpark."""
        frame = BASES[self.base].theirs(frames)
        for step in self.steps:
            frame = step.theirs(frame, frames)
        return frame


@st.composite
def queries(draw: st.DrawFn) -> RandomQuery:
    """Return a random query."""
    base, names = draw(st.sampled_from(sorted(BASES))), Names()
    table = BASES[base].ours(OFFLINE)
    steps: list[Step] = []
    for _ in range(draw(st.integers(1, 5))):
        schema = table.get_resolved_schema()
        names.take(schema.names)
        step = draw(st.sampled_from(STEPS))(Situation(draw, schema, names, OFFLINE))
        if step is not None:
            steps.append(step)
            table = step.ours(table, OFFLINE)
    return RandomQuery(base, tuple(steps))


@pytest.fixture(scope="module")
def online(tables_in_spark: Tables) -> Iterator[Tables]:
    settings = tables_in_spark.env.spark.conf
    settings.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    yield tables_in_spark
    settings.unset("spark.sql.autoBroadcastJoinThreshold")


def _rows(collected: list[Any]) -> Counter[str]:
    """Return the rows with their counts; floating-point sums depend on the order of terms, so they are rounded."""
    return Counter(repr(tuple(_rounded(plain(value)) for value in row)) for row in collected)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.10g}") + 0.0
    if isinstance(value, bytearray):
        return bytes(value)
    if isinstance(value, dt.datetime):
        return value.replace(tzinfo=None)
    return tuple(map(_rounded, value)) if isinstance(value, tuple | Row) else value


def _without_zones(frame: DataFrame) -> DataFrame:
    """Return the rows with instants in UTC, because PySpark returns them in the time zone of the process."""
    from pyspark.sql.types import TimestampType

    columns = [
        c(field.name).cast("timestamp_ntz").alias(field.name)
        if isinstance(field.dataType, TimestampType)
        else c(field.name)
        for field in frame.schema.fields
    ]
    return frame.select(*columns)


def _outcome(run: Any) -> Counter[str] | str:
    """Return the rows of a query, or the condition of Spark's error."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        return _rows(run())
    except TableException as error:
        return str(error.condition)
    except PySparkException as error:
        return str(error.getCondition())
    except Py4JJavaError as error:
        # In both forms, Spark 4.3 cannot optimise a filter over a union whose sides contain the same correlated scalar
        # subquery: the constraints of the union refer to a missing column.
        if "NoSuchElementException: key not found" not in str(error):
            raise
        return str(None)


def check(query: RandomQuery, online: Tables) -> Counter[str] | str:
    """Assert that a query matches the DataFrame query; return its rows, or the condition of its error."""
    table = query.ours(online)
    assert table.as_serializable_string() == query.ours(OFFLINE).as_serializable_string()
    nested = online.env.spark.sql(table.as_serializable_string())
    assert_schema_is_that_of(table, nested)
    theirs = query.theirs(Frames(online.env.spark))
    assert list(table.get_resolved_schema().names) == theirs.columns
    outcome = _outcome(lambda: table.execute().collect())
    expected = _outcome(_without_zones(theirs).collect)
    assert outcome == expected, (outcome, expected)
    text = table.as_serializable_string(layout=Layout.MERGED)
    merged = online.env.spark.sql(text)
    assert merged.schema == nested.schema, text
    if not is_same_plan(merged, nested):
        again = _outcome(lambda: online.env.from_spark(merged).execute().collect())
        assert again == outcome, (text, again, outcome)
    return outcome


def check_normal_form(query: RandomQuery) -> None:
    """Assert that normalizing is idempotent, and that the MERGED text is read as a query with the same normal form."""
    operation = query.ours(OFFLINE).query_operation
    normal = normalize(operation)
    assert normalize(normal) is normal
    assert normal.schema == operation.schema
    text = operation.as_serializable_string(layout=Layout.MERGED)
    assert normalize(OFFLINE.env.sql_query(text).query_operation) is normal, text


def check_flink(query: RandomQuery) -> str:
    """Assert that a query has a text for Flink or is rejected with a reason, and return the reason."""
    table = query.ours(OFFLINE)
    try:
        assert table.as_serializable_string(Dialect.FLINK)
    except TableException as error:
        reason = str(error)
        assert "Flink" in reason, reason
        return reason
    return ""


def check_python(query: RandomQuery) -> None:
    """Assert that the Python code of a query builds that query."""
    table = query.ours(OFFLINE)
    scope: dict[str, Any] = {"env": OFFLINE.env}
    exec(table.to_python(), scope)
    assert scope["result"].query_operation is table.query_operation


@given(query=queries())
@settings(
    max_examples=int(_EXAMPLES or 30),
    derandomize=_EXAMPLES is None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        # The fixture that it asks for is one of the module.
        HealthCheck.function_scoped_fixture,
    ],
)
# The steps make columns of PySpark, too, for which it needs a session.
@pytest.mark.usefixtures("spark")
def test_random_queries_equal_those_of_dataframes(query: RandomQuery, request: pytest.FixtureRequest) -> None:
    table = query.ours(OFFLINE)
    columns = [(column.name, column.data_type) for column in table.get_resolved_schema().columns]
    question = (columns, [table.as_serializable_string(layout=layout) for layout in Layout])
    if not ANSWERS.know(*question):
        check(query, request.getfixturevalue("online"))
        ANSWERS.keep(*question)


@given(query=queries())
@settings(
    max_examples=int(_EXAMPLES or fewer(150)), derandomize=_EXAMPLES is None, suppress_health_check=list(HealthCheck)
)
def test_a_random_query_is_read_back_from_all_that_it_is_written_as(query: RandomQuery, spark: SparkSession) -> None:
    """To make a query takes longer than each of these checks."""
    operation = query.ours(OFFLINE).query_operation
    assert_reads_back(operation, AROUND)
    check_normal_form(query)
    is_refused = bool(check_flink(query))
    assert reads_back(operation, AROUND_FLINK) is not is_refused
    check_python(query)
    round_trip(operation)
