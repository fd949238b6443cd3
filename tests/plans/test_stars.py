"""Star queries in every form read as few fact table files as the original text and a DataFrame."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import DataFrame, SparkSession

from ir.rendering import Layout
from tableapi import Table, TableEnvironment
from tableapi.expressions import call_sql, col
from tests.answers import Answers, files_of
from tests.plans.facts import scans
from tests.plans.stars import DATABASE, DAYS, STARS, Star, create_tables, declare_tables, read_tables
from tests.to_python.evaluated import evaluated

pytestmark = pytest.mark.long

_FACTS = ("sales", "returns")
# The texts of all forms are in the question: how many files Spark reads depends on nothing else.
ANSWERS = Answers("stars", "tests/to_python/evaluated.py", *files_of("tests/plans", "*.py"))
every_star = pytest.mark.parametrize("name", STARS)


@pytest.fixture(scope="module")
def env(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableEnvironment]:
    create_tables(spark, tmp_path_factory.mktemp("stars"))
    env = TableEnvironment.create()
    env.use_database(DATABASE)
    env.spark.sql(f"USE {DATABASE}")
    yield env
    spark.sql(f"DROP DATABASE {DATABASE} CASCADE")


@pytest.fixture(scope="module")
def offline() -> TableEnvironment:
    return declare_tables()


def run(frame: DataFrame) -> tuple[list[tuple[object, ...]], int]:
    """Run a query; return its sorted rows and the number of fact table files read."""
    rows = sorted(map(tuple, frame.collect()), key=repr)
    return rows, sum(map(_count_files, scans(frame._jdf.queryExecution().executedPlan())))


def _count_files(scan: object) -> int:
    if scan.tableIdentifier().get().table() not in _FACTS:  # type: ignore[attr-defined]  # an object of the JVM
        return 0
    return int(scan.metrics().apply("numFiles").value())  # type: ignore[attr-defined]  # an object of the JVM


@every_star
@pytest.mark.usefixtures("jvm")
def test_every_form_reads_the_same_files(name: str, offline: TableEnvironment, request: pytest.FixtureRequest) -> None:
    forms = _texts_of_forms(STARS[name], offline)
    if not ANSWERS.know(name, STARS[name].sql, forms):
        _assert_same_files(STARS[name], request.getfixturevalue("env"))
        ANSWERS.keep(name, STARS[name].sql, forms)


def _texts_of_forms(star: Star, env: TableEnvironment) -> list[tuple[str, ...]]:
    tables = read_tables(env)
    forms = [_stored(env, star.sql), evaluated(env.from_path("stored").to_python(), env)]
    forms += [env.sql_query(star.sql), *(build(tables) for build in star.fluent)]
    return [tuple(form.as_serializable_string(layout=layout) for layout in Layout) for form in forms]


def _stored(env: TableEnvironment, query: str) -> Table:
    """Store a query as a view; return a query that reads the view."""
    env.execute_sql("DROP VIEW IF EXISTS stored")
    env.create_view("stored", env.sql_query(query))
    return env.from_path("stored")


def _assert_same_files(star: Star, env: TableEnvironment) -> None:
    spark, tables = env.spark, read_tables(env)
    expected, files = run(spark.sql(star.sql))
    assert files == star.files
    assert expected
    table = env.sql_query(star.sql)
    stored = _stored(env, star.sql)
    forms = {
        "DataFrame": star.native({table: spark.table(f"{DATABASE}.{table}") for table in tables}),
        "to_python": evaluated(table.to_python(), env).to_spark(),
        "view": spark.sql("SELECT * FROM stored"),
        "the query of the view": stored.to_spark(),
        **{layout.name: spark.sql(table.as_serializable_string(layout=layout)) for layout in Layout},
    }
    for number, build in enumerate(star.fluent):
        fluent = build(tables)
        forms[f"fluent {number}"] = fluent.to_spark()
        forms[f"fluent {number} in NESTED"] = spark.sql(fluent.as_serializable_string())
    found = {form: run(frame) for form, frame in forms.items()}
    assert found == dict.fromkeys(forms, (expected, files))


@pytest.mark.parametrize(
    ("stored", "condition", "files"),
    [
        ("SELECT * FROM sales, dates WHERE day = day_id", "month = 2 AND day_of_month = 1", 1),
        ("SELECT * FROM sales JOIN dates ON day = day_id", "month = 2 AND day_of_month = 1", 1),
        ("SELECT * FROM sales, dates", "day = day_id AND month = 2 AND day_of_month = 1", 1),
        ("SELECT * FROM sales CROSS JOIN dates", "day = day_id AND month = 2 AND day_of_month = 1", 1),
        (
            "SELECT * FROM sales, dates, stores WHERE store = store_id",
            "day = day_id AND month = 2 AND day_of_month = 1 AND region = 0",
            1,
        ),
        (
            "SELECT day, region, sum(amount) AS amount FROM sales, stores WHERE store = store_id GROUP BY day, region",
            "day = 7",
            1,
        ),
        ("SELECT day, amount FROM sales UNION ALL SELECT day, amount FROM returns", "day = 7", 2),
    ],
)
@pytest.mark.usefixtures("jvm")
def test_a_filter_above_a_view_prunes(
    stored: str, condition: str, files: int, offline: TableEnvironment, request: pytest.FixtureRequest
) -> None:
    query = f"SELECT sum(amount) AS total FROM {{}} WHERE {condition}"
    _stored(offline, stored)
    forms = _forms_above_a_view(offline, query.format("stored"), condition)
    texts = [form.as_serializable_string(layout=layout) for form in forms for layout in Layout]
    if ANSWERS.know(stored, query, files, texts):
        return
    env: TableEnvironment = request.getfixturevalue("env")
    _stored(env, stored)
    expected, read = run(env.spark.sql(query.format(f"({stored})")))
    # Spark itself reads every file if a CROSS JOIN is filtered later.
    assert read == (DAYS if "CROSS" in stored else files)
    assert run(env.spark.sql(query.format("stored"))) == (expected, files)
    for form in _forms_above_a_view(env, query.format("stored"), condition):
        for layout in Layout:
            assert run(env.spark.sql(form.as_serializable_string(layout=layout))) == (expected, files)
        assert run(form.to_spark()) == (expected, files)
    ANSWERS.keep(stored, query, files, texts)


def _forms_above_a_view(env: TableEnvironment, query: str, condition: str) -> list[Table]:
    fluent = env.from_path("stored").filter(call_sql(condition)).select(col("amount").sum.alias("total"))
    return [env.sql_query(query), fluent]


def test_a_view_over_a_fact_table_joins_a_dimension(env: TableEnvironment) -> None:
    _stored(env, "SELECT day, amount FROM sales UNION ALL SELECT day, amount FROM returns")
    query = "SELECT sum(amount) AS total FROM stored, dates WHERE day = day_id AND month = 1 AND day_of_month = 1"
    table = env.sql_query(query)
    texts = [query, *[table.as_serializable_string(layout=layout) for layout in Layout]]
    assert [run(env.spark.sql(text))[1] for text in texts] == [2, 2, 2]
