"""Names with ``${``, which a Spark session would substitute in SQL text, are written so that it does not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tableapi import DirectoryCatalog, EnvironmentSettings, Table, TableEnvironment, udf
from tableapi.expressions import array, col, row

HOME = "${env:HOME}"


def environment() -> TableEnvironment:
    te = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("here").build())
    one = te.from_elements([(1, "a", 2)], [HOME, "b", "c"])
    te.create_temporary_view("plain", one)
    te.create_temporary_view("`${view}`", one)
    return te


@pytest.fixture(scope="module")
def te() -> TableEnvironment:
    return environment()


def query(text: str) -> Callable[[TableEnvironment], Table]:
    return lambda te: te.sql_query(text)


QUERIES: dict[str, Callable[[TableEnvironment], Table]] = {
    "column": lambda te: te.from_path("plain").select(col(HOME)),
    "alias": lambda te: te.from_path("plain").select(col("b").alias("it's ${x}\\ `q`")),
    "group": lambda te: (
        te.from_path("plain").filter(col(HOME) > 0).group_by(col(HOME)).select(col(HOME), col("c").sum.alias("${s}"))
    ),
    "temporary view": lambda te: te.from_path("`${view}`"),
    "join": query(
        "SELECT a.`${env:HOME}`, b.b FROM plain AS a JOIN `${view}` AS b ON a.`${env:HOME}` = b.`${env:HOME}`"
    ),
    "field": lambda te: te.from_path("plain").select(row(col(HOME).alias(HOME)).alias("s")).select(col("s").get(HOME)),
    "field of an element": lambda te: te.from_path("plain").select(array(row(col("c").alias(HOME))).at(1).get(HOME)),
    "field of a parameter": query("SELECT transform(array(named_struct('${x}', 1)), e -> e.`${x}`) AS r"),
    "type": query("SELECT CAST(NULL AS STRUCT<`${a}`: INT, b: ARRAY<STRUCT<`${c}`: INT>>>) AS r"),
    "schema": query("SELECT from_json('{}', 'STRUCT<`${a}`: INT>') AS r"),
    "common table": query("WITH `${w}` AS (SELECT 1 AS `${x}`) SELECT a.`${x}`, b.`${x}` AS y FROM `${w}` a, `${w}` b"),
    "window": query("SELECT sum(c) OVER (PARTITION BY `${env:HOME}` ORDER BY `${env:HOME}`) AS s FROM plain"),
    "unpivot": query("SELECT * FROM plain UNPIVOT (v FOR `${n}` IN (c AS `${u}`))"),
    "pivot": query(
        "SELECT * FROM (SELECT 'x' AS k, 1 AS `${v}`) PIVOT (sum(`${v}`) AS `${s}` FOR k IN ('x' AS `${p}`))"
    ),
    "subquery": query(
        "SELECT b FROM plain WHERE EXISTS (SELECT 1 FROM `${view}` AS o WHERE o.`${env:HOME}` = plain.`${env:HOME}`)"
    ),
    "lateral": query("SELECT t.`${l}` FROM plain, LATERAL explode(array(`${env:HOME}`)) AS t(`${l}`)"),
    "recursion": query(
        "WITH RECURSIVE `${r}`(`${x}`) AS (SELECT 1 UNION ALL SELECT `${x}` + 1 FROM `${r}` WHERE `${x}` < 3) "
        "SELECT * FROM `${r}`"
    ),
    "set operation": query("SELECT `${env:HOME}` FROM plain UNION SELECT c FROM plain"),
    "sort": query("SELECT `${env:HOME}` FROM plain ORDER BY `${env:HOME}` DESC LIMIT 1"),
}


@pytest.mark.parametrize("name", QUERIES)
def test_a_name_is_written_and_read(te: TableEnvironment, name: str) -> None:
    table = QUERIES[name](te)
    text = table.as_serializable_string()
    assert "${" not in text
    assert r"\u0024{" in text
    assert te.sql_query(text).query_operation is table.query_operation
    merged = table.as_serializable_string(layout="MERGED")
    assert "${" not in merged
    assert te.sql_query(merged).get_resolved_schema() == table.get_resolved_schema()


def test_names_without_substitution_are_in_back_quotes(te: TableEnvironment) -> None:
    assert te.sql_query("SELECT 1 AS `$ {a}`, 2 AS `$a`, 3 AS `{$`").as_serializable_string() == (
        "SELECT 1 AS `$ {a}`, 2 AS `$a`, 3 AS `{$`"
    )


def test_names_that_spark_takes_in_back_quotes_alone(te: TableEnvironment) -> None:
    for text in (
        "SELECT transform(array(1), `${p}` -> `${p}` + 1) AS r",
        "SELECT * FROM plain UNPIVOT (`${v}` FOR n IN (c))",
        "SELECT /*+ REPARTITION(3, `${env:HOME}`) */ * FROM plain",
    ):
        table = te.sql_query(text)
        assert "`${" in table.as_serializable_string()
        assert te.sql_query(table.as_serializable_string()).query_operation is table.query_operation


def test_identifier_uses_string_escapes(te: TableEnvironment) -> None:
    for written in (r"IDENTIFIER('`\u0024{a}`')", "IDENTIFIER('`$' '{a}`')", r'IDENTIFIER("`\u0024{a}`")'):
        assert te.sql_query(f"SELECT 1 AS {written}").get_resolved_schema().names == ("${a}",)
    assert te.sql_query(r"SELECT 1 AS IDENTIFIER('`it\'s`')").get_resolved_schema().names == ("it's",)


def test_functions(te: TableEnvironment) -> None:
    te.create_temporary_function("`${f}`", udf(lambda x: x, ["INT"], "INT"))
    te.create_temporary_system_function("`${g}`", udf(lambda x: x, ["INT"], "INT"))
    table = te.sql_query("SELECT `${f}`(1) AS a, `${g}`(2) AS b")
    text = table.as_serializable_string()
    assert "${" not in text
    assert te.sql_query(text).query_operation is table.query_operation


def test_views_of_files(te: TableEnvironment, tmp_path: Path) -> None:
    te.register_catalog("files", DirectoryCatalog("files", tmp_path))
    one = te.from_elements([(1, "x")], [HOME, "b"])
    te.create_view("files.`default`.v", one, column_comments={HOME: "where ${x} is"})
    (file,) = tmp_path.rglob("v.sql")
    assert "${" not in file.read_text(encoding="utf-8")
    assert te.from_path("files.`default`.v").get_resolved_schema().names == (HOME, "b")


def test_python_and_diff_keep_the_name(te: TableEnvironment) -> None:
    assert f'col("{HOME}")' in te.from_path("plain").select(col(HOME), col("c").alias("d")).to_python()
