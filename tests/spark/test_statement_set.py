"""Statement sets on Spark: all inserts are checked before the first writes, and errors list those that have written."""

from __future__ import annotations

import pytest

from tableapi import DataTypes, Table, TableEnvironment, TableException, ValidationException
from tableapi.expressions import col, lit
from tests.spark.rows import rows


@pytest.fixture
def people(env: TableEnvironment) -> Table:
    for name in ("one", "two", "three"):
        env.execute_sql(f"CREATE TABLE {name} (id BIGINT, name STRING) USING parquet")
    return env.from_elements([(1, "Ada"), (2, None)], ["id", "name"])


def _counts(env: TableEnvironment) -> list[int]:
    return [len(rows(env.from_path(name))) for name in ("one", "two", "three")]


def test_all_inserts_write(env: TableEnvironment, people: Table) -> None:
    statements = env.create_statement_set()
    statements.add_insert("one", people).add(people.filter(col("id") == 1).insert_into("two"))
    statements.add_insert_sql("-- by SQL\nINSERT INTO three VALUES (3, 'x')")
    explained = statements.explain()
    assert explained.count("== SQL ==") == 3
    assert explained.startswith("-- Statement 1 of 3\n== Operation tree ==\nSink: ")
    assert _counts(env) == [0, 0, 0]
    result = statements.execute()
    assert [tuple(row) for row in result.collect()] == [(2, 1, 1)]
    assert _counts(env) == [2, 1, 1]
    with pytest.raises(ValidationException, match=r"The statement set is empty"):
        statements.execute()


def test_one_invalid_insert_prevents_all_writes(env: TableEnvironment, people: Table) -> None:
    with pytest.raises(ValidationException, match=r"it has 1 columns where the table has 2"):
        env.create_statement_set().add_insert("one", people).add_insert("two", people.select(col("id"))).execute()
    statements = env.create_statement_set().add_insert("one", people)
    with pytest.raises(ValidationException, match=r"Cannot resolve field \[nope\]"):
        statements.add_insert_sql("INSERT INTO two SELECT nope FROM one")
    # Spark checks an insert that calls a function only Spark has, before anything is written.
    statements.add_insert_sql("INSERT INTO two SELECT 1, nvl(unix_nanos(null), length(nope)) || ' years' FROM one")
    with pytest.raises(TableException, match=r"Statement 2 of 2: .*UNRESOLVED_COLUMN.*Nothing was written") as caught:
        statements.execute()
    assert "py4j" not in str(caught.value)
    assert _counts(env) == [0, 0, 0]


def test_errors_list_the_completed_inserts(env: TableEnvironment, people: Table) -> None:
    failing = env.from_spark(env.spark.range(9)).select((lit(1) / (col("id") - 5)).cast(DataTypes.BIGINT()), lit("x"))
    statements = env.create_statement_set().add_insert("one", people).add_insert("two", failing)
    statements.add_insert("three", people)
    with pytest.raises(TableException, match=r"Statement 2 of 3: .*DIVIDE_BY_ZERO") as caught:
        statements.execute()
    database = f"spark_catalog.{env.get_current_database()}"
    assert str(caught.value).endswith(
        f"Written before it: 1 ({database}.one). Not begun: 3 ({database}.three). The set is empty now."
    )
    assert _counts(env) == [2, 0, 0]


def test_an_insert_does_not_read_what_another_writes(env: TableEnvironment, people: Table) -> None:
    env.create_temporary_view("v", env.from_path("one"))
    statements = env.create_statement_set().add_insert("one", people).add_insert("two", env.from_path("v"))
    with pytest.raises(ValidationException, match=r"Statement 2 of the set reads .*one, which statement 1 writes"):
        statements.execute()
    assert _counts(env) == [0, 0, 0]


def test_other_statements_are_rejected(env: TableEnvironment, people: Table) -> None:
    statements = env.create_statement_set()
    with pytest.raises(ValidationException, match=r"takes an INSERT statement"):
        statements.add_insert_sql("DROP TABLE one")
    with pytest.raises(ValidationException, match=r"add takes what Table.insert_into returns"):
        statements.add(people)  # type: ignore[arg-type]
    with pytest.raises(ValidationException, match=r"takes a table of this environment"):
        statements.add_insert("one", TableEnvironment.create().from_elements([(1,)], ["a"]))
