"""Store objects in one process and use them in another, which registers nothing; each action runs in its own process.

    python -m tests.user_functions.across_processes write|read|rewrite|rewrite-spark|look [...] DIRECTORY

``write`` stores objects of every kind, and ``read`` prints those that it finds. ``rewrite`` replaces objects of every
kind in the directory again and again, until it is killed. ``rewrite-spark`` does the same in Spark's catalog, after
checking that every object of an earlier run is intact; ``look`` only checks. Several actions can run in one process,
one after the other, since each process starts a Spark.
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ir.errors import CatalogException, ValidationException
from tableapi import DirectoryCatalog, Expression, Table, TableEnvironment
from tableapi.expressions import call, col, concat, lit
from tableapi.user_functions.stored import ALLOWED_PACKAGES
from tests.jvm_names import remember_names
from tests.user_functions import functions

CATALOGS = ("team", "spark_catalog")
DATABASE = "sold"
ROWS = [(1, "a bb", 1), (2, "ccc", 1), (3, None, 2), (4, "", 2)]
PYTHON: dict[str, Any] = {
    "py_plus": functions.plus,
    "py_words": functions.words,
    "py_total": functions.total,
    "py_largest": functions.largest,
    "py_greeting": functions.greeting,
    "py_class": functions.Total,
    "py_pandas": functions.pandas_twice,
    "py_arrow": functions.arrow_twice,
    "py_arrow_mean": functions.arrow_mean,
    "py_pandas_mean": functions.pandas_mean,
    "py_async": functions.async_twice,
    "py_process": functions.Twice,
    "py_numbered": functions.Numbered,
}


def environment(directory: str) -> TableEnvironment:
    """Return an environment with both persistent catalogs."""
    env = TableEnvironment.create()
    env.register_catalog("team", DirectoryCatalog("team", Path(directory)))
    env.get_config().set(ALLOWED_PACKAGES, "tests.user_functions.functions")
    return env


def views_over_python(env: TableEnvironment) -> dict[str, Table]:
    """Return a query over a Python function of each kind; directories store them as views."""
    groups = env.from_path("t").group_by(col("k"))
    return {
        **{name: env.sql_query(text) for name, text in OVER_PYTHON.items()},
        # The fluent API can express this query, but SQL cannot.
        "py_places": groups.flat_aggregate(call("py_largest", col("id")).alias("v", "p")).select(
            col("k"), col("v"), col("p")
        ),
    }


def of_customers(env: TableEnvironment) -> Callable[[Any, Any], Table]:
    """Return the body of a table function: the rows of a key with more than a given id."""

    def rows(key: Any, least: Any = 0) -> Table:
        t = env.from_path("t")
        return t.filter(col("k") == key).filter(col("id") > least).select(col("id"), col("text"))

    return rows


def write(directory: str) -> None:
    """Store functions and views of every kind that each catalog supports; a catalog must reject the other kinds."""
    env = environment(directory)
    for catalog in CATALOGS:
        env.use_catalog(catalog)
        env.execute_sql(f"CREATE DATABASE {DATABASE}")
        env.use_database(DATABASE)
        env.create_view("t", env.from_elements(ROWS, ["id", "text", "k"]), comment="what there is")
        for name, function in PYTHON.items():
            env.create_function(name, function)
        env.execute_sql("CREATE FUNCTION sql_add(x INT, y INT DEFAULT 10 COMMENT 'more') RETURNS INT RETURN x + y")
        env.execute_sql(
            "CREATE FUNCTION sql_pairs(n INT) RETURNS TABLE(a INT, b INT COMMENT 'twice a') COMMENT 'pairs' "
            f"RETURN SELECT id AS a, id * 2 AS b FROM {DATABASE}.t WHERE id <= n"
        )
        env.create_function(
            "full_name",
            lambda first, last="x": concat(first, lit(" "), last),
            input_types=["STRING", "STRING"],
            comment="joins names",
            parameter_comments={"last": "the family"},
        )
        env.create_function("of_customers", of_customers(env), input_types=["INT", "INT"], comment="its rows")
        in_files = catalog == "team"
        for make in (
            lambda: env.create_function("by", lambda x, n=2: x * n, input_types=["INT", "INT"], inline=True),
            lambda: env.create_function(
                "spread",
                lambda x: x.max - x.min,
                input_types=["INT"],
                comment="how far",
                parameter_comments={"x": "of"},
            ),
        ):
            _made(make, refused=not in_files)
        for name, query in views_over_python(env).items():
            _made(functools.partial(env.create_view, name, query), refused=not in_files)
        env.create_view(
            "names",
            env.sql_query("SELECT sql_add(id) AS added, full_name(text) AS name FROM t WHERE text IS NOT NULL"),
        )
        env.create_view("pairs", env.sql_query("SELECT t.k, p.b FROM t, LATERAL sql_pairs(t.id) AS p"))
        env.create_view("rows_of_2", env.sql_query("SELECT * FROM of_customers(2)"))
        env.create_view("over_views", env.sql_query("SELECT COUNT(*) AS n FROM pairs, rows_of_2"))
        if in_files:
            env.create_view("inlined", env.sql_query(ONLY_IN_FILES["inlined"]).alias("k", "b", "s", "f"))
    # Spark can store a view over an inlined function, because the view's text does not contain the function.
    env.use_catalog("spark_catalog")
    env.use_database(DATABASE)
    spreads = env.sql_query(f"SELECT k, team.{DATABASE}.spread(id) AS s, team.{DATABASE}.by(k) AS b FROM t GROUP BY k")
    env.create_view("spreads", spreads)


def _made(make: Callable[[], None], *, refused: bool) -> None:
    try:
        make()
    except (CatalogException, ValidationException) as error:
        if not refused or "Spark stores no" not in str(error):
            raise
    else:
        assert not refused, "Spark's catalog took what it cannot keep"


OVER_PYTHON = {
    "py_view": "SELECT py_plus(id) AS p, py_pandas(id) AS q, py_arrow(id) AS r FROM t",
    "py_groups": "SELECT k, py_total(id) AS total, py_pandas_mean(id) AS mean FROM t GROUP BY k",
    "py_rows": "SELECT id, w.f0 AS word FROM t, LATERAL py_words(text) AS w",
    "py_over": "SELECT id, py_total(id) OVER (PARTITION BY k ORDER BY id) AS total FROM t",
    "py_awaited": "SELECT id, py_async(id) AS twice FROM t",
    "py_processed": "SELECT * FROM py_process(TABLE t) AS p(twice)",
    "py_partitions": "SELECT * FROM py_numbered(TABLE t PARTITION BY k) AS p(k, place)",
}
QUERIES = {
    "scalar": "SELECT py_plus(id, k), py_greeting(text) FROM t",
    "table": "SELECT id, w.f0, w.f1 FROM t, LATERAL py_words(text) AS w",
    "aggregates": "SELECT k, py_total(id), py_class(id), py_arrow_mean(id) FROM t GROUP BY k",
    "columns": "SELECT py_pandas(id), py_arrow(id) FROM t",
    "means": "SELECT k, py_pandas_mean(id), py_arrow_mean(id) FROM t GROUP BY k",
    "async": "SELECT id, py_async(id) FROM t",
    "process": "SELECT * FROM py_process(TABLE t)",
    "partitions": "SELECT * FROM py_numbered(TABLE t PARTITION BY k)",
    "sql": "SELECT sql_add(id), sql_add(y => 1, x => id) FROM t",
    "sql table": "SELECT a, b FROM sql_pairs(2)",
    "expressions": "SELECT full_name(text, 'y'), full_name(last => 'z', first => 'a') FROM t",
    "table of expressions": "SELECT t.id, c.id FROM t, LATERAL of_customers(t.k, t.id) AS c",
    "names": "SELECT * FROM names",
    "pairs": "SELECT * FROM pairs",
    "rows_of_2": "SELECT * FROM rows_of_2",
    "over_views": "SELECT * FROM over_views",
}
ONLY_IN_FILES = {
    "inlined": "SELECT k, by(k), spread(id), spread(id) FILTER (WHERE id > 3) FROM t GROUP BY k",
    "view inlined": "SELECT * FROM inlined",
    "py_places": "SELECT * FROM py_places",
    **{name: f"SELECT * FROM {name}" for name in OVER_PYTHON},
}
ONLY_IN_SPARK = {"spreads": "SELECT * FROM spreads"}
ROWS_OF: dict[str, list[list[Any]]] = {
    "scalar": [[2, "hello a bb"], [3, "hello ccc"], [5, "hello None"], [6, "hello "]],
    "table": [[1, "a", 1], [1, "bb", 2], [2, "ccc", 3]],
    "aggregates": [[1, 3, 3, 1.5], [2, 7, 7, 3.5]],
    "columns": [[2, 2], [4, 4], [6, 6], [8, 8]],
    "means": [[1, 1.5, 1.5], [2, 3.5, 3.5]],
    "async": [[1, 2], [2, 4], [3, 6], [4, 8]],
    "process": [[2], [4], [6], [8]],
    "partitions": [[1, 1], [1, 2], [2, 1], [2, 2]],
    "sql": [[11, 2], [12, 3], [13, 4], [14, 5]],
    "sql table": [[1, 2], [2, 4]],
    "expressions": [[" y", "a z"], ["a bb y", "a z"], ["ccc y", "a z"], [None, "a z"]],
    "table of expressions": [[1, 2], [3, 4]],
    "names": [[11, "a bb x"], [12, "ccc x"], [14, " x"]],
    "pairs": [[1, 2], [1, 2], [1, 4], [2, 2], [2, 2], [2, 4], [2, 4], [2, 6], [2, 6], [2, 8]],
    "rows_of_2": [[3, None], [4, ""]],
    "over_views": [[20]],
    "inlined": [[1, 2, 1, None], [2, 4, 1, 0]],
    "view inlined": [[1, 2, 1, None], [2, 4, 1, 0]],
    "py_view": [[11, 2, 2], [12, 4, 4], [13, 6, 6], [14, 8, 8]],
    "py_groups": [[1, 3, 1.5], [2, 7, 3.5]],
    "py_rows": [[1, "a"], [1, "bb"], [2, "ccc"]],
    "py_over": [[1, 1], [2, 3], [3, 3], [4, 7]],
    "py_awaited": [[1, 2], [2, 4], [3, 6], [4, 8]],
    "py_processed": [[2], [4], [6], [8]],
    "py_partitions": [[1, 1], [1, 2], [2, 1], [2, 2]],
    "py_places": [[1, 1, 2], [1, 2, 1], [2, 3, 2], [2, 4, 1]],
    "spreads": [[1, 1, 2], [2, 1, 4]],
    "table aggregate": [[1, 1, 2], [1, 2, 1], [2, 3, 2], [2, 4, 1]],
}
"""The rows of each query, derived by hand from ROWS."""


def read(directory: str) -> dict[str, Any]:
    """Return what a process finds without registering functions: the rows of each catalog's queries, and comments."""
    env = environment(directory)
    found: dict[str, Any] = {}
    for catalog in CATALOGS:
        env.use_catalog(catalog)
        env.use_database(DATABASE)
        for name, text in {**QUERIES, **(ONLY_IN_FILES if catalog == "team" else ONLY_IN_SPARK)}.items():
            found[f"{catalog} {name}"] = _rows(env.sql_query(text))
        largest = env.from_path("t").group_by(col("k")).flat_aggregate(call("py_largest", col("id")).alias("v", "p"))
        found[f"{catalog} table aggregate"] = _rows(largest.select(col("k"), col("v"), col("p")))
        found[f"{catalog} listed"] = sorted(env.list_user_defined_functions())
        for function, said in (("full_name", "joins names"), ("sql_pairs", "pairs"), ("of_customers", "its rows")):
            stored = env.get_catalog(catalog).get_function(DATABASE, function)
            assert stored is not None
            assert stored.comment == said, stored.comment
        name = env.get_catalog(catalog).get_function(DATABASE, "full_name")
        assert name is not None
        assert (name.parameters[1].default, name.parameters[1].comment) == ("'x'", "the family")
    return found


def _rows(table: Table) -> list[list[Any]]:
    return sorted([list(row) for row in table.execute().collect()], key=repr)


def _spread_times(turn: int) -> Callable[[Expression], Expression]:
    return lambda x: (x.max - x.min) * turn


def rewrite(directory: str) -> None:
    """Replace functions made of expressions forever, each by one of two complete definitions."""
    env = environment(directory)
    env.use_catalog("team")
    env.create_view("t", env.from_elements(ROWS, ["id", "text", "k"]), or_replace=True)
    turn = 0
    while True:
        turn += 1
        by = {"by": turn}
        env.create_function("spread", _spread_times(turn), input_types=["INT"], or_replace=True)
        env.create_function(
            "by", lambda x, by: x * by, input_types=["INT", "INT"], defaults=by, inline=True, or_replace=True
        )
        env.create_function(
            "rows_of", lambda key: env.from_path("t").filter(col("k") == key), input_types=["INT"], or_replace=True
        )
        env.create_view("v", env.sql_query(f"SELECT spread(id) AS s, {turn} AS turn FROM t"), or_replace=True)
        for name, function in PYTHON.items():
            env.create_function(name, function, comment=f"turn {turn}", or_replace=True)
        env.execute_sql(
            f"CREATE OR REPLACE FUNCTION sql_pairs(n INT) RETURNS TABLE(a INT, b INT) "
            f"RETURN SELECT id AS a, id * {turn} AS b FROM t WHERE id <= n"
        )
        env.execute_sql(f"CREATE OR REPLACE FUNCTION sql_add(x INT, y INT DEFAULT {turn}) RETURNS INT RETURN x + y")
        for name, query in views_over_python(env).items():
            env.create_view(name, query, or_replace=True, comment=f"turn {turn}")
        env.create_view(
            "sql_view", env.sql_query("SELECT sql_add(a) AS s, by(b) AS b FROM sql_pairs(3)"), or_replace=True
        )
        if turn == 1:
            print("ready", flush=True)


OF_SPARK = "rewritten"


def rewrite_in_spark(directory: str) -> None:
    """Check that every object of an earlier run is intact, then replace all of them by one of two definitions."""
    env = environment(directory)
    if OF_SPARK in env.list_databases():
        look(directory)
        env.use_database(OF_SPARK)
        turn = 1
    else:
        env.execute_sql(f"CREATE DATABASE {OF_SPARK}")
        env.use_database(OF_SPARK)
        env.create_view("t", env.from_elements(ROWS, ["id", "text", "k"]))
        turn = 0
    while True:
        turn += 1
        factor = 2 + turn % 2
        env.create_function("py_scalar", (functions.plus, functions.length_or_none)[turn % 2], or_replace=True)
        env.create_function("py_total", functions.total, or_replace=True)
        env.create_function(
            "of_expressions", lambda x, by: x * by, input_types=["INT", "INT"], defaults={"by": factor}, or_replace=True
        )
        env.create_function(
            "rows_of", lambda key: env.from_path("t").filter(col("k") == key), input_types=["INT"], or_replace=True
        )
        env.create_view(
            "v",
            env.sql_query(f"SELECT of_expressions(id) AS product, {factor} AS factor FROM rows_of(2)"),
            or_replace=True,
        )
        # From here on, objects are only replaced and no new ones are created.
        if turn == 2:
            print("ready", flush=True)


def look(directory: str) -> None:
    """Fail if an object rewritten in Spark's catalog is missing, or equals neither of its two definitions."""
    env = environment(directory)
    env.use_database(OF_SPARK)
    assert {"py_scalar", "py_total", "of_expressions", "rows_of"} <= set(env.list_user_defined_functions())
    assert env.list_views() == ["t", "v"], env.list_views()
    rows = _rows(env.from_path("v"))
    # A view follows its function, whose default is one of two values.
    assert sorted(row[0] for row in rows) in ([6, 8], [9, 12]), rows
    called = _rows(env.sql_query("SELECT of_expressions(5), py_scalar(1L) FROM t LIMIT 1"))
    assert called[0][0] in (10, 15), called
    assert _rows(env.sql_query("SELECT id FROM rows_of(1)")) == [[1], [2]]
    assert _rows(env.sql_query("SELECT py_total(id) FROM t")) == [[10]]
    print("whole", flush=True)


if __name__ == "__main__":
    remember_names()
    *actions, path = sys.argv[1:]
    for action in actions:
        if action == "read":
            print(json.dumps(read(path)), flush=True)
        else:
            {"write": write, "rewrite": rewrite, "rewrite-spark": rewrite_in_spark, "look": look}[action](path)
