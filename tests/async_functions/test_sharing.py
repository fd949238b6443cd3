"""Each call is made once per row, wherever a query uses its result: plans evaluated row by row, without Spark.

``test_repeated_calls`` runs such plans on Spark.
"""

from __future__ import annotations

from typing import Any

import pytest

from tableapi import EnvironmentSettings, TableEnvironment, udf
from tableapi.spark.planner.asynchronous.planning import plan_async
from tests.async_functions.evaluation import Evaluation
from tests.async_functions.random_queries import FUNCTIONS, Queries
from tests.counting import calls

TABLES: dict[str, list[tuple[Any, ...]]] = {
    "t": [(1, 1, 5), (2, 0, None), (3, 1, 7), (4, 0, 8)],
    "other": [(2,), (4,), (9,)],
}


@pytest.fixture(scope="module")
def env() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    env = TableEnvironment.create(settings)

    @udf
    async def f(x: int) -> int:
        return x

    @udf
    async def g(x: int) -> int:
        return x

    @udf
    async def even(x: int) -> bool:
        return x % 2 == 0

    for function in (f, g, even):
        env.create_temporary_system_function(function.__name__, function)
    for name, columns in (("t", ["id", "k", "v"]), ("other", ["oid"])):
        env.create_temporary_view(name, env.from_elements(TABLES[name], columns))
    return env


def counted(env: TableEnvironment, text: str) -> Evaluation:
    """Return the evaluation of a query's plan with its calls, after comparing its rows with the query's."""
    query = env.sql_query(text).query_operation
    given = Evaluation(FUNCTIONS, TABLES)
    rows = given.rows(query)
    plan = plan_async(query, lambda function, identifier: {})
    if plan is None:
        return given
    made = Evaluation(FUNCTIONS, TABLES)
    assert sorted(made.rows(plan.operation), key=repr) == sorted(rows, key=repr), plan.operation
    if "JOIN" not in text and "> oid" not in text:
        # Calls in a join condition are made for all rows of a side, whether they have pairs or not; calls on outer
        # columns are made for all rows of the outer query.
        assert made.calls.keys() <= given.calls.keys(), plan.operation
    return made


@pytest.mark.parametrize("seed", range(60))
def test_queries_at_random(env: TableEnvironment, seed: int) -> None:
    made = counted(env, Queries(seed).query()).calls
    assert {call: count for call, count in made.items() if count > 1} == {}


T = "(SELECT * FROM t WHERE f(id) % 2 = 1)"
SHARED: dict[str, tuple[str, dict[str, int]]] = {
    "beside windows and above them": (
        "SELECT f(id) AS r, n FROM (SELECT id, f(id) AS a, COUNT(*) OVER (PARTITION BY k) AS n FROM t) WHERE a > 0",
        {"f": 4},
    ),
    "beside windows, in some rows, and above them": (
        "SELECT f(id) AS r, n FROM (SELECT id, IF(k = 1, f(id), 0) AS a, COUNT(*) OVER (PARTITION BY k) AS n FROM t) "
        "WHERE a >= 0",
        {"f": 4},
    ),
    "beside windows and in a sort": (
        "SELECT id FROM (SELECT id, f(id) AS a, COUNT(*) OVER (PARTITION BY k) AS n FROM t) WHERE a > 0 ORDER BY f(id)",
        {"f": 4},
    ),
    "within a window for some rows, and beside it": (
        "SELECT f(id) AS a, SUM(IF(k = 1, f(id), 0)) OVER () AS s FROM t",
        {"f": 4},
    ),
    "below two windows, and above them": (
        "SELECT f(id) AS r, n, m FROM (SELECT id, n, COUNT(*) OVER (ORDER BY id) AS m FROM "
        "(SELECT id, COUNT(*) OVER (PARTITION BY k) AS n FROM t WHERE f(id) > 0))",
        {"f": 4},
    ),
    "below a join and above it": (f"SELECT f(id) AS r FROM {T} AS a JOIN other ON id = oid", {"f": 4}),
    "below a left join and above it": (f"SELECT f(id) AS r FROM other LEFT JOIN {T} AS a ON id = oid", {"f": 4}),
    "below a join, in its condition and above it": (
        f"SELECT f(id) AS r FROM {T} AS a JOIN other ON f(id) - f(oid) > 0 AND k = 1",
        {"f": 5},
    ),
    "one side, in a call on pairs of an outer join": (
        "SELECT f(id) AS r FROM t LEFT JOIN other ON even(f(id) + oid) AND f(oid) > f(id)",
        {"f": 7, "even": 8},
    ),
    "a call on pairs of an outer join, above a window over it": (
        "SELECT even(id + oid) AS e, n FROM (SELECT id, oid, ROW_NUMBER() OVER (ORDER BY id, oid) AS n "
        "FROM t LEFT JOIN other ON even(id + oid) AND id < 3)",
        {"even": 6},
    ),
    "a call on pairs of an inner join, above a window over it": (
        "SELECT even(id + oid) AS e, n FROM (SELECT id, oid, ROW_NUMBER() OVER (ORDER BY id, oid) AS n "
        "FROM t JOIN other ON even(id + oid) AND id < 3)",
        {"even": 6},
    ),
    "below a union and above it": (
        "SELECT f(id) AS r FROM (SELECT id FROM t WHERE f(id) > 0 UNION ALL SELECT oid FROM other WHERE f(oid) > 0)",
        {"f": 7},
    ),
    "in one input of a union and above it": (
        "SELECT f(id) AS r FROM (SELECT id FROM t WHERE f(id) > 0 UNION ALL SELECT oid FROM other)",
        {"f": 7},
    ),
    "below a table function and above it": (
        f"SELECT f(id) AS r, e FROM (SELECT id, e FROM {T}, LATERAL EXPLODE(ARRAY(1, 2)) AS x(e))",
        {"f": 4},
    ),
    "a group key and above the groups": (
        "SELECT f(id) AS r, n FROM (SELECT id, f(id) AS a, COUNT(*) AS n FROM t GROUP BY id, f(id)) WHERE a > 0",
        {"f": 4},
    ),
    "below DISTINCT and above it": (
        "SELECT f(id) AS r FROM (SELECT DISTINCT id, f(id) AS a FROM t) WHERE a > 0",
        {"f": 4},
    ),
    "below a limit and above a limit": (
        f"SELECT f(id) AS r FROM (SELECT * FROM (SELECT * FROM {T} ORDER BY id LIMIT 3) ORDER BY v LIMIT 2)",
        {"f": 4},
    ),
    "a correlated column that is copied": (
        "SELECT f(id) AS r, m, m AS n FROM (SELECT id, (SELECT MAX(oid) FROM other WHERE oid = id) AS m FROM t "
        "WHERE f(id) > 0)",
        {"f": 4},
    ),
    "a correlated column that is copied twice": (
        "SELECT f(id) AS r, n, n + m AS o FROM (SELECT id, m, m AS n FROM "
        "(SELECT id, (SELECT MAX(oid) FROM other WHERE oid = id) AS m FROM t WHERE f(id) > 0) WHERE f(id) > 1)",
        {"f": 4},
    ),
    "for some rows here and for others there": (
        "SELECT f(id) AS r FROM (SELECT id, n, IF(id > 2, f(id), 0) AS b FROM (SELECT id, IF(k = 1, f(id), 0) AS a, "
        "ROW_NUMBER() OVER (ORDER BY id) AS n FROM t) WHERE a >= 0) WHERE b >= 0 AND n > 0",
        {"f": 4},
    ),
    "two calls that wait for conditions on each other, and above them": (
        "SELECT f(id) AS a, g(id) AS b FROM (SELECT id, IF(k = 1, IF(f(id) % 4 > 1, g(id), 0), "
        "IF(g(id) % 4 > 1, f(id), 0)) AS x, COUNT(*) OVER () AS n FROM t) WHERE x >= 0 AND n > 0",
        {"f": 4, "g": 4},
    ),
    "a call of a constant": (
        "SELECT f(1) AS a, id FROM t JOIN other ON f(1) > 10 AND id = oid",
        {"f": 4},
    ),
    "a correlated condition within a call's own, and above windows": (
        "SELECT f(id) AS a, n FROM (SELECT id, IF(EXISTS (SELECT 1 FROM other WHERE oid = id), f(id), 0) AS x, "
        "COUNT(*) OVER (PARTITION BY k) AS n FROM t) WHERE x >= 0",
        {"f": 4},
    ),
    "a correlated column beside windows": (
        "SELECT f(id) AS a, (SELECT MAX(oid) FROM other WHERE oid = id) AS m, COUNT(*) OVER (PARTITION BY k) AS n "
        "FROM t WHERE f(id) > 0",
        {"f": 4},
    ),
    "in a correlated query and above it": (
        "SELECT f(id) AS r FROM t WHERE k >= 0 AND EXISTS (SELECT 1 FROM other WHERE f(id) > oid AND id = oid)",
        {"f": 4},
    ),
    "in a correlated column and beside it": (
        "SELECT f(id) AS r, (SELECT MAX(oid) FROM other WHERE f(id) > 0 AND id = oid) AS m FROM t",
        {"f": 4},
    ),
    "a semi join on it": ("SELECT f(id) AS r FROM t LEFT SEMI JOIN other ON f(id) > oid AND id = oid", {"f": 4}),
    "a correlated filter of an aggregate": (
        "SELECT k, SUM(f(id)) FILTER (WHERE EXISTS (SELECT 1 FROM other WHERE oid = id)) AS s FROM t GROUP BY k",
        {"f": 2},
    ),
    "a call of a call": (
        "SELECT g(f(id)) AS r FROM (SELECT id, COUNT(*) OVER () AS n FROM t WHERE g(f(id)) > 0 AND f(id) > 0)",
        {"f": 4, "g": 4},
    ),
    "calls of which a column above the join is unused": (
        "SELECT a FROM (SELECT id, f(id) AS a, g(id) AS b FROM t) JOIN other ON id = oid",
        {"f": 4},
    ),
    "more operations than a chain has": (
        "SELECT f(id) AS r FROM "
        + "(SELECT id, k, v + 1 AS v FROM (SELECT * FROM " * 60
        + T
        + " WHERE v > 0 OR v IS NULL))" * 60,
        {"f": 4},
    ),
}


@pytest.mark.parametrize("name", SHARED)
def test_made_once(env: TableEnvironment, name: str) -> None:
    text, counts = SHARED[name]
    found: dict[str, int] = {}
    for (function, *_), count in counted(env, text).calls.items():
        found[function] = found.get(function, 0) + count
    assert found == counts


def shape(env: TableEnvironment, name: str, n: int) -> Any:
    """Return a query of ``n`` operations of a kind, some of them with calls."""
    texts = {
        "filters": ("SELECT * FROM ({}) WHERE f(id + {}) > 0", "SELECT id, k, v + 1 AS v FROM ({}) WHERE k > -{}"),
        "windows": (
            "SELECT id, k, v + SUM(f(id)) OVER (PARTITION BY k) + {1} AS v FROM ({0})",
            "SELECT * FROM ({}) WHERE f(id) > {}",
        ),
        "joins": (
            "SELECT id, k, v FROM ({}) JOIN other ON f(id) = oid + {}",
            "SELECT * FROM ({}) WHERE f(id + {}) > 0",
        ),
        "unions": (
            "SELECT * FROM ({}) UNION ALL SELECT id, k, {} FROM t",
            "SELECT id, k, v FROM ({}) WHERE f(id) > {}",
        ),
    }[name]
    text = "SELECT id, k, v FROM t"
    for number in range(n):
        text = texts[number % 2].format(text, number)
    return env.sql_query(text).query_operation


@pytest.mark.slow
@pytest.mark.parametrize("name", ["filters", "windows", "joins", "unions"])
def test_planning_grows_as_the_query_does(env: TableEnvironment, name: str) -> None:
    few, many = [shape(env, name, n) for n in (60, 120)]

    def planned(query: Any) -> int:
        return calls(lambda: plan_async(query, lambda function, identifier: {}))

    assert planned(many) < 2.3 * planned(few)
