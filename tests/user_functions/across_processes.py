"""What one process stores and another uses, which registers nothing: ``write`` and ``read``, each run by itself.

    python -m tests.user_functions.across_processes write|read DIRECTORY [TURN]

``rewrite`` replaces what is of expressions in the directory again and again, until it is killed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ir.errors import CatalogException, ValidationException
from tableapi import DirectoryCatalog, Expression, Table, TableEnvironment
from tableapi.expressions import call, col, concat, lit
from tableapi.user_functions.stored import ALLOWED_PACKAGES
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
    "py_arrow_mean": functions.arrow_mean,
}


def environment(directory: str) -> TableEnvironment:
    """Return an environment with both catalogs that outlast it."""
    env = TableEnvironment.create()
    env.register_catalog("team", DirectoryCatalog("team", Path(directory)))
    env.get_config().set(ALLOWED_PACKAGES, "tests.user_functions.functions")
    return env


def of_customers(env: TableEnvironment) -> Callable[[Any, Any], Table]:
    """Return what makes a table function: the rows of a key with more than a given id."""

    def rows(key: Any, least: Any = 0) -> Table:
        t = env.from_path("t")
        return t.filter(col("k") == key).filter(col("id") > least).select(col("id"), col("text"))

    return rows


def write(directory: str) -> None:
    """Store functions and views of every kind that each catalog keeps; what it does not keep, it has to refuse."""
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
            lambda: env.create_view(
                "py_view",
                env.sql_query("SELECT py_plus(id) AS p, py_pandas(id) AS q FROM t"),
            ),
            lambda: env.create_view("py_groups", env.sql_query("SELECT k, py_total(id) AS total FROM t GROUP BY k")),
            lambda: env.create_view(
                "py_rows", env.sql_query("SELECT id, w.f0 AS word FROM t, LATERAL py_words(text) AS w")
            ),
        ):
            _made(make, refused=not in_files)
        env.create_view(
            "names",
            env.sql_query("SELECT sql_add(id) AS added, full_name(text) AS name FROM t WHERE text IS NOT NULL"),
        )
        env.create_view("pairs", env.sql_query("SELECT t.k, p.b FROM t, LATERAL sql_pairs(t.id) AS p"))
        env.create_view("rows_of_2", env.sql_query("SELECT * FROM of_customers(2)"))
        env.create_view("over_views", env.sql_query("SELECT COUNT(*) AS n FROM pairs, rows_of_2"))
    # What is inlined may be in a view of Spark: its text has nothing of the function.
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


QUERIES = {
    "scalar": "SELECT py_plus(id, k), py_greeting(text) FROM t",
    "table": "SELECT id, w.f0, w.f1 FROM t, LATERAL py_words(text) AS w",
    "aggregates": "SELECT k, py_total(id), py_class(id), py_arrow_mean(id) FROM t GROUP BY k",
    "pandas": "SELECT py_pandas(id) FROM t",
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
    "py_view": "SELECT * FROM py_view",
    "py_groups": "SELECT * FROM py_groups",
    "py_rows": "SELECT * FROM py_rows",
}
ONLY_IN_SPARK = {"spreads": "SELECT * FROM spreads"}
ROWS_OF: dict[str, list[list[Any]]] = {
    "scalar": [[2, "hello a bb"], [3, "hello ccc"], [5, "hello None"], [6, "hello "]],
    "table": [[1, "a", 1], [1, "bb", 2], [2, "ccc", 3]],
    "aggregates": [[1, 3, 3, 1.5], [2, 7, 7, 3.5]],
    "pandas": [[2], [4], [6], [8]],
    "sql": [[11, 2], [12, 3], [13, 4], [14, 5]],
    "sql table": [[1, 2], [2, 4]],
    "expressions": [[" y", "a z"], ["a bb y", "a z"], ["ccc y", "a z"], [None, "a z"]],
    "table of expressions": [[1, 2], [3, 4]],
    "names": [[11, "a bb x"], [12, "ccc x"], [14, " x"]],
    "pairs": [[1, 2], [1, 2], [1, 4], [2, 2], [2, 2], [2, 4], [2, 4], [2, 6], [2, 6], [2, 8]],
    "rows_of_2": [[3, None], [4, ""]],
    "over_views": [[20]],
    "inlined": [[1, 2, 1, None], [2, 4, 1, 0]],
    "py_view": [[11, 2], [12, 4], [13, 6], [14, 8]],
    "py_groups": [[1, 3], [2, 7]],
    "py_rows": [[1, "a"], [1, "bb"], [2, "ccc"]],
    "spreads": [[1, 1, 2], [2, 1, 4]],
    "table aggregate": [[1, 1, 2], [1, 2, 1], [2, 3, 2], [2, 4, 1]],
}
"""The rows of each query, derived by hand from ROWS."""


def read(directory: str) -> dict[str, Any]:
    """Return what a process finds that registers no function: the rows of each query in each catalog, and comments."""
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
    """Replace what is of expressions without end, always by one of two whole definitions."""
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
        if turn == 1:
            print("ready", flush=True)


if __name__ == "__main__":
    action, path = sys.argv[1:3]
    if action == "read":
        print(json.dumps(read(path)))
    else:
        {"write": write, "rewrite": rewrite}[action](path)
