"""The lineage of single queries, down to fields and elements, with the kind of each influence."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from ir.lineage.influences import influences_in
from ir.lineage.operation_rules import rule_of
from ir.lineage.paths import path_suffix
from ir.lineage.query_lineage import Origins, QueryLineage
from ir.lineage.reads import ORDER, ROWS
from ir.operations.source import InlineSource, Source
from tableapi import EnvironmentSettings, TableEnvironment
from tableapi.expressions import col
from tests.cases import every
from tests.ir.test_operations import OPERATIONS
from tests.metamorphic.corpus import tree, tree_names

_TABLES = (
    "CREATE TABLE t (id INT, s STRUCT<a: INT, b: STRUCT<c: STRING, d: INT>>, arr ARRAY<STRUCT<x: INT, y: STRING>>, "
    "m MAP<STRING, STRUCT<k: INT>>, nested ARRAY<ARRAY<STRUCT<z: INT>>>, day DATE, v DECIMAL(10, 2)) "
    "USING parquet LOCATION '/t'",
    "CREATE TABLE u (id INT, w INT, name STRING) USING parquet LOCATION '/u'",
)


@pytest.fixture(scope="module")
def env() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory")
    env = TableEnvironment.create(settings.build())
    for statement in _TABLES:
        env.execute_sql(statement)
    return env


def shown(origins: Origins) -> str:
    """Return origins as text: ``t.s.a identity, u.w filter``."""
    parts = []
    for (source, column, path), bits in origins.items():
        assert isinstance(source, Source)
        if column >= 0:
            kinds = "/".join(influence.value for influence in influences_in(bits))
            parts.append(f"{source.identifier.name}.{source.schema.names[column]}{path_suffix(path)} {kinds}")
    return ", ".join(sorted(parts))


class Case(NamedTuple):
    query: str
    columns: tuple[str, ...]
    rows: str = ""


_CASES = [
    # tobymao/sqlglot#6258 and OpenLineage/OpenLineage#2870: fields of structs.
    Case("SELECT s.a, s.b.c AS c FROM t", ("t.s.a identity", "t.s.b.c identity")),
    Case("SELECT x.b.d AS d FROM (SELECT s AS x FROM t)", ("t.s.b.d identity",)),
    Case("SELECT struct(id, v).id AS i FROM t", ("t.id identity",)),
    Case("SELECT r.p AS p FROM (SELECT named_struct('p', s.a, 'q', v) AS r FROM t)", ("t.s.a identity",)),
    Case("SELECT named_struct('p', id, 'q', v) AS r FROM t", ("t.id transformation, t.v transformation",)),
    Case("SELECT CAST(s AS STRUCT<q: BIGINT, r: STRUCT<c: STRING, d: INT>>).q AS q FROM t", ("t.s.a transformation",)),
    # tobymao/sqlglot#7541: exploded arrays. Their length decides which rows there are.
    Case("SELECT e.x FROM t LATERAL VIEW explode(arr) AS e", ("t.arr.element.x identity",), "t.arr.size join"),
    Case("SELECT y FROM t LATERAL VIEW inline(arr) AS x, y", ("t.arr.element.y identity",), "t.arr.size join"),
    Case(
        "SELECT pos, e FROM t LATERAL VIEW posexplode(arr) AS pos, e",
        ("t.arr.size transformation", "t.arr.element identity"),
        "t.arr.size join",
    ),
    Case(
        "SELECT k, val.k AS kk FROM t LATERAL VIEW explode(m) AS k, val",
        ("t.m.key identity", "t.m.value.k identity"),
        "t.m.size join",
    ),
    Case("SELECT col1 FROM t LATERAL VIEW stack(2, id, v, s.a, v) AS col0, col1", ("t.v identity",)),
    Case("SELECT flatten(nested)[0].z AS z FROM t", ("t.nested.element.element.z identity",)),
    Case("SELECT arr[id].x AS x FROM t", ("t.arr.element.x identity, t.id conditional",)),
    Case("SELECT arr.x[0] AS x FROM t", ("t.arr.element.x identity",)),
    Case("SELECT m['a'].k AS k FROM t", ("t.m.key conditional, t.m.value.k identity",)),
    Case("SELECT map_keys(m)[0] AS k, size(arr) AS n FROM t", ("t.m.key identity", "t.arr.size transformation")),
    # Lambdas.
    Case(
        "SELECT transform(arr, e -> e.x + id)[0] AS x FROM t", ("t.arr.element.x transformation, t.id transformation",)
    ),
    Case(
        "SELECT filter(arr, e -> e.y = 'a')[0].x AS x FROM t",
        ("t.arr.element.x identity, t.arr.element.y conditional",),
    ),
    Case(
        "SELECT aggregate(arr, 0, (acc, e) -> acc + e.x) AS n FROM t",
        ("t.arr.element.x transformation, t.arr.size transformation",),
    ),
    Case(
        "SELECT transform(nested, inner -> transform(inner, e -> e.z)[0])[0] AS z FROM t",
        ("t.nested.element.element.z identity",),
    ),
    # reata/sqllineage#411: SELECT *.
    Case("SELECT * FROM (SELECT * FROM u)", ("u.id identity", "u.w identity", "u.name identity")),
    Case("SELECT * EXCEPT (id) FROM u", ("u.w identity", "u.name identity")),
    # Choices.
    Case("SELECT CASE WHEN w > 1 THEN name END AS c FROM u", ("u.name transformation, u.w conditional",)),
    Case(
        "SELECT IF(w > 1, s.a, s.b.d) AS c FROM t JOIN u ON t.id = u.id",
        ("t.s.a transformation, t.s.b.d transformation, u.w conditional",),
        "t.id join, u.id join",
    ),
    Case("SELECT COALESCE(w, id) AS c FROM u", ("u.id transformation, u.w transformation/conditional",)),
    # Groups, windows, order.
    Case(
        "SELECT day, SUM(v) AS total, COUNT(*) AS n FROM t WHERE id > 1 GROUP BY day HAVING MAX(s.a) > 3",
        ("t.day identity", "t.v aggregation", ""),
        "t.day group, t.id filter, t.s.a filter",
    ),
    Case("SELECT SUM(v) FILTER (WHERE id > 1) AS f FROM t", ("t.id filter, t.v aggregation",)),
    Case("SELECT MAX_BY(name, w) AS m FROM u", ("u.name aggregation, u.w conditional",)),
    Case("SELECT MODE() WITHIN GROUP (ORDER BY w) AS m FROM u", ("u.w aggregation",)),
    Case("SELECT LISTAGG(name) WITHIN GROUP (ORDER BY w) AS l FROM u", ("u.name aggregation, u.w sort",)),
    Case("SELECT ARRAY_AGG(s)[0].a AS a FROM t", ("t.s.a aggregation",)),
    Case(
        "SELECT GROUPING(id) AS g, id FROM u GROUP BY ROLLUP (id, w)",
        ("u.id aggregation", "u.id identity"),
        "u.id group, u.w group",
    ),
    Case("SELECT ROW_NUMBER() OVER (PARTITION BY id ORDER BY w) AS n FROM u", ("u.id window, u.w window",)),
    Case(
        "SELECT SUM(w) OVER (PARTITION BY id) AS n, LAG(name) OVER (ORDER BY id) AS l FROM u",
        ("u.id window, u.w aggregation", "u.id window, u.name identity"),
    ),
    Case("SELECT id FROM u ORDER BY w LIMIT 3", ("u.id identity",), "u.w sort"),
    Case("SELECT id FROM u ORDER BY w", ("u.id identity",)),
    Case("SELECT id FROM (SELECT id, w FROM u ORDER BY w) LIMIT 3", ("u.id identity",), "u.w sort"),
    Case("SELECT FIRST(id) AS f FROM (SELECT id FROM u ORDER BY w)", ("u.id aggregation, u.w sort",)),
    Case("SELECT DISTINCT id FROM u", ("u.id identity",), "u.id group"),
    # Joins, sets, subqueries.
    Case("SELECT id, w FROM t JOIN u USING (id)", ("t.id identity", "u.w identity"), "t.id join, u.id join"),
    Case("SELECT id FROM t UNION ALL SELECT w FROM u", ("t.id identity, u.w identity",)),
    Case(
        "SELECT id FROM t UNION SELECT CAST(w AS BIGINT) FROM u",
        ("t.id transformation, u.w transformation",),
        "t.id group, u.w group",
    ),
    Case("SELECT id FROM t EXCEPT SELECT w FROM u", ("t.id identity",), "t.id join, u.w join"),
    Case(
        "SELECT name FROM u WHERE EXISTS (SELECT 1 FROM t WHERE t.id = u.id AND t.v > 3)",
        ("u.name identity",),
        "t.id filter, t.v filter, u.id filter",
    ),
    Case("SELECT name FROM u WHERE w IN (SELECT s.a FROM t)", ("u.name identity",), "t.s.a filter, u.w filter"),
    Case(
        "SELECT (SELECT MAX(v) FROM t WHERE t.id = u.id AND day > '2024-01-01') AS m FROM u",
        ("t.day filter, t.id filter, t.v aggregation, u.id filter",),
    ),
    Case(
        "SELECT l.x FROM u, LATERAL (SELECT t.v + u.w AS x FROM t WHERE t.id = u.id) AS l",
        ("t.id filter, t.v transformation, u.id filter, u.w transformation",),
        "t.id filter, u.id filter",
    ),
    Case(
        "WITH RECURSIVE r(n, m) AS (SELECT id, w FROM u UNION ALL SELECT n + 1, r.m FROM r JOIN t ON t.id = r.n "
        "WHERE n < 10) SELECT n, m FROM r",
        ("u.id identity/transformation", "u.w identity"),
        "t.id join, u.id join/filter",
    ),
    Case(
        "SELECT * FROM u PIVOT (SUM(w) FOR name IN ('a'))",
        ("u.id identity", "u.name conditional, u.w aggregation"),
        "u.id group",
    ),
    Case(
        "SELECT * FROM u UNPIVOT INCLUDE NULLS (value FOR key IN (id, w))",
        ("u.name identity", "", "u.id identity, u.w identity"),
    ),
]


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.query[:60])
def test_lineage_of_a_query(case: Case, env: TableEnvironment) -> None:
    lineage = QueryLineage(env.sql_query(case.query).query_operation)
    found = tuple([shown(lineage.origins(index)) for index in range(len(lineage.operation.schema))])
    assert found == case.columns
    assert shown(lineage.origins(ROWS)) == case.rows


def test_the_order_of_the_result_is_apart_from_its_rows(env: TableEnvironment) -> None:
    lineage = QueryLineage(env.sql_query("SELECT id FROM u ORDER BY w").query_operation)
    assert shown(lineage.origins(ORDER)) == "u.w sort"


def test_every_operation_has_a_rule() -> None:
    for kind in OPERATIONS:
        assert callable(rule_of(kind)), kind


@every("name", tree_names, str)
def test_every_query_of_the_tests_has_a_lineage_of_columns_that_it_reads(name: str) -> None:
    operation = tree(name)
    lineage = QueryLineage(operation)
    sources = {o for o in operation.walk_with_subqueries() if isinstance(o, Source | InlineSource)}
    for column in (*range(len(operation.schema)), ROWS, ORDER):
        for origin, bits in lineage.origins(column).items():
            assert origin.source in sources
            assert bits
            assert origin.column in (ROWS, *range(len(origin.source.schema)))


def test_shared_steps_cost_nothing_more(env: TableEnvironment) -> None:
    table = env.from_path("u")
    for number in range(200):
        # Each step reads the one before it twice: 2 ** 200 paths.
        both = table.union_all(table)
        table = both.select((col("id") + number).alias("id"), col("w"), col("name"))
    lineage = QueryLineage(table.query_operation)
    assert shown(lineage.origins(0)) == "u.id transformation"


def test_depth_costs_no_recursion(env: TableEnvironment) -> None:
    table, long = env.from_path("u"), col("id")
    for number in range(5_000):
        long = long + number % 7
    for number in range(1_000):
        table = table.filter(col("w") > number)
    lineage = QueryLineage(table.select(long.alias("n")).query_operation)
    assert shown(lineage.origins(0)) == "u.id transformation"
    assert shown(lineage.origins(ROWS)) == "u.w filter"
