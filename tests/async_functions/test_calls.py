"""The number of calls to the service, against the minimum, for every rule and every place of a call."""

from __future__ import annotations

import pytest

from tableapi import TableEnvironment
from tableapi.expressions import call, col
from tests.async_functions.checking import Case, check, rows_of
from tests.async_functions.service import Service
from tests.cases import some_nightly

IDS = range(1, 7)

RULES: dict[str, Case] = {
    "SPLIT_CONDITION": (
        "SELECT id, f(id) AS r FROM t WHERE f(id) > 30 AND k = 1",
        [(4, 40), (6, 60)],
        {"f": 3},
    ),
    "SPLIT_PROJECT": (
        "SELECT CONCAT(CAST(f(id) AS STRING), '!') AS r FROM t WHERE id < 3",
        [("10!",), ("20!",)],
        {"f": 2},
    ),
    "SPLIT_PROJECTION_REX_FIELD": (
        "SELECT pair(id).a AS a, pair(id).b AS b FROM t WHERE id < 3",
        [(1, "1"), (2, "2")],
        {"pair": 2},
    ),
    "SPLIT_CONDITION_REX_FIELD": ("SELECT id FROM t WHERE pair(id).a > 4", [(5,), (6,)], {"pair": 6}),
    "EXPAND_PROJECT": ("SELECT f(r.y) AS v FROM nested", [(20,)], {"f": 1}),
    "PUSH_CONDITION": (
        "SELECT r FROM (SELECT f(id) AS r, k, v FROM t) WHERE k = 1 AND v > 4",
        [(40,), (60,)],
        {"f": 2},
    ),
    "NESTED_SPLIT": ("SELECT g(f(id)) AS r FROM t WHERE id < 4", [(11,), (21,), (31,)], {"f": 3, "g": 3}),
    "ONE_PER_CALC_SPLIT": (
        "SELECT f(id) AS a, g(id) AS b, f(k) AS c FROM t WHERE id < 3",
        [(10, 2, 0), (20, 3, 10)],
        {"f": 4, "g": 2},
    ),
    "SHARED_CALL": (
        "SELECT a, a + 1 AS b, c FROM (SELECT f(id) AS a, f(id) AS c FROM t) WHERE a < 30 AND a > 10",
        [(20, 21, 20)],
        {"f": 6},
    ),
    "UNUSED_CALL": ("SELECT id FROM (SELECT id, f(id) AS r FROM t) WHERE id < 3", [(1,), (2,)], {}),
    "LIMIT_SPLIT": ("SELECT f(id) AS r FROM t ORDER BY id DESC LIMIT 2", [(50,), (60,)], {"f": 2}),
    "SORT_SPLIT": ("SELECT f(id) AS r FROM t ORDER BY id DESC", [(i * 10,) for i in IDS], {"f": 6}),
    "SORT_KEY_SPLIT": ("SELECT id FROM t ORDER BY f(id) DESC", [(i,) for i in IDS], {"f": 6}),
    "AGGREGATE_SPLIT": (
        "SELECT f(k) AS kk, SUM(g(id)) AS s, COUNT(*) AS n FROM t GROUP BY f(k)",
        [(0, 12, 3), (10, 15, 3)],
        {"f": 6, "g": 6},
    ),
    "WINDOW_SPLIT": (
        "SELECT id, SUM(f(id)) OVER (PARTITION BY k ORDER BY id) AS s, g(ROW_NUMBER() OVER (ORDER BY id)) AS r FROM t",
        [(1, 10, 2), (2, 20, 3), (3, 40, 4), (4, 60, 5), (5, 90, 6), (6, 120, 7)],
        {"f": 6, "g": 6},
    ),
    "LATERAL_SPLIT": (
        "SELECT id, e FROM t, LATERAL EXPLODE(ARRAY(f(id), g(id))) AS x(e) WHERE id < 3",
        [(1, 2), (1, 10), (2, 3), (2, 20)],
        {"f": 2, "g": 2},
    ),
    "JOIN_SPLIT": ("SELECT f(id) AS r, oid FROM t, other WHERE f(id) = oid * 10", [(20, 2), (40, 4)], {"f": 6}),
    "CONDITIONAL_SPLIT": ("SELECT IF(k = 1, f(id), 0) AS r FROM t WHERE id < 3", [(0,), (20,)], {"f": 1}),
    "UNORDERED": ("SELECT id, u(id) AS r FROM t", [(i, i * 100) for i in IDS], {"u": 6}),
    "PUSH_CONDITION through a join": (
        "SELECT r, name FROM (SELECT id, f(id) AS r, k FROM t) AS x JOIN other ON id = oid WHERE k = 1 AND id < 4",
        [(20, "two")],
        {"f": 1},
    ),
    "CORRELATED_SPLIT": (
        "SELECT f(id) AS r FROM t LEFT SEMI JOIN other ON f(id) = oid * 10",
        [(20,), (40,)],
        {"f": 6},
    ),
    "NO_ASYNC_JOIN_CONDITIONS": (
        "SELECT id, name FROM t JOIN other ON f(id) = f(oid)",
        [(2, "two"), (4, "four")],
        {"f": 9},
    ),
}

CONDITIONAL: dict[str, Case] = {
    "case": (
        "SELECT CASE WHEN k = 1 THEN f(id) WHEN id = 1 THEN g(id) ELSE -1 END AS r FROM t",
        [(-1,), (-1,), (2,), (20,), (40,), (60,)],
        {"f": 3, "g": 1},
    ),
    "case with a call in its condition": (
        "SELECT CASE WHEN is_even(id) THEN f(id) ELSE g(id) END AS r FROM t",
        [(2,), (4,), (6,), (20,), (40,), (60,)],
        {"is_even": 6, "f": 3, "g": 3},
    ),
    "if": ("SELECT IF(id > 4, f(id), 0) AS r FROM t", [(0,)] * 4 + [(50,), (60,)], {"f": 2}),
    "coalesce": ("SELECT COALESCE(v, f(id), g(id)) AS r FROM t WHERE id < 4", [(2,), (4,), (30,)], {"f": 1}),
    "ifnull": ("SELECT IFNULL(v, f(id)) AS r FROM t WHERE id < 4", [(2,), (4,), (30,)], {"f": 1}),
    "and": ("SELECT id FROM t WHERE is_even(id) AND f(id) > 20", [(4,), (6,)], {"is_even": 6, "f": 3}),
    "or": ("SELECT id FROM t WHERE k = 1 OR f(id) > 40", [(2,), (4,), (5,), (6,)], {"f": 3}),
    "and with NULL": (
        "SELECT v > 4 AND is_even(id) AS r FROM t WHERE id < 4",
        [(False,), (False,), (False,)],
        {"is_even": 1},
    ),
    "a call that another place reaches, too": (
        "SELECT f(id) AS a, IF(k = 1, f(id), 0) AS b FROM t WHERE id < 3",
        [(10, 0), (20, 20)],
        {"f": 2},
    ),
    "a call in a condition on itself": (
        "SELECT COALESCE(IF(k = 1, f(id), v), f(id)) AS r FROM t",
        [(2,), (20,), (30,), (40,), (10,), (60,)],
        {"f": 4},
    ),
    "a call that is made for its own condition": (
        "SELECT CASE WHEN k = 1 AND f(id) > 30 THEN f(id) ELSE 0 END AS r FROM t",
        [(0,)] * 4 + [(40,), (60,)],
        {"f": 3},
    ),
    "a call that not all are made for its own condition": (
        "SELECT CASE WHEN k = 1 OR f(id) > 30 THEN f(id) ELSE 0 END AS r FROM t",
        [(0,), (0,), (20,), (40,), (50,), (60,)],
        {"f": 6},
    ),
    "or after a correlated query": (
        "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM other WHERE oid = id) OR f(id) > 40",
        [(2,), (4,), (5,), (6,)],
        {"f": 4},
    ),
    "a condition that not all rows reach, and SELECT": (
        "SELECT f(id) AS r FROM t WHERE k = 1 OR f(id) > 40",
        [(20,), (40,), (50,), (60,)],
        {"f": 6},
    ),
    "a condition that not all rows reach, and another one": (
        "SELECT id, g(f(id)) AS r FROM t WHERE (k = 1 OR g(f(id)) > 30) AND f(id) < 60",
        [(2, 21), (3, 31), (4, 41), (5, 51)],
        {"f": 6, "g": 5},
    ),
    "pairs that not all reach, and SELECT": (
        "SELECT f(id) AS r, oid FROM t, other WHERE id < 4 AND (k = 1 OR f(id) = oid * 10 + 10)",
        [(20, 2), (20, 4), (20, 9), (30, 2)],
        {"f": 3},
    ),
    "two places with conditions": (
        "SELECT IF(id = 1, f(id), 0) AS a, IF(id = 2, f(id), 0) AS b FROM t",
        [(0, 0)] * 4 + [(0, 20), (10, 0)],
        {"f": 2},
    ),
    "arguments that fail for rows that do not reach the call": (
        "SELECT IF(k = 0, 0, f(6 DIV k)) AS r FROM t WHERE id < 4",
        [(0,), (0,), (60,)],
        {"f": 1},
    ),
    "NULL for what takes none": ("SELECT f(v) AS r FROM t WHERE id IN (2, 3)", [(None,), (40,)], {"f": 1}),
    "not deterministic": (
        "SELECT ticket(id) AS a, ticket(id) AS b, x, x AS y FROM (SELECT id, ticket(k) AS x FROM t) WHERE id = 1",
        [(1, 1, 0, 0)],
        {"ticket": 3},
    ),
}

# The names are those of Flink's tests.
ASYNC_CALC_IT_CASE: dict[str, Case] = {
    "testSimpleTableSelect": ("SELECT f(id) AS r FROM t", [(i * 10,) for i in IDS], {"f": 6}),
    "testLiteralPlusTableSelect": (
        "SELECT 'foo' AS a, f(id) AS r FROM t WHERE id < 3",
        [("foo", 10), ("foo", 20)],
        {"f": 2},
    ),
    "testFieldPlusTableSelect": ("SELECT id, f(id) AS r FROM t", [(i, i * 10) for i in IDS], {"f": 6}),
    "testTwoCalls": ("SELECT f(id) AS a, g(id) AS b FROM t", [(i * 10, i + 1) for i in IDS], {"f": 6, "g": 6}),
    "testNestedCalls": ("SELECT f(f(id)) AS r FROM t", [(i * 100,) for i in IDS], {"f": 12}),
    "testThreeNestedCalls": ("SELECT f(f(f(id))) AS r FROM t", [(i * 1000,) for i in IDS], {"f": 18}),
    "testPassedToOtherUDF": ("SELECT plus_one(f(id)) AS r FROM t", [(i * 10 + 1,) for i in IDS], {"f": 6}),
    "testJustCall": ("SELECT f(1) AS r", [(10,)], {"f": 1}),
    "testWhereCondition": ("SELECT id FROM t WHERE f(id) = 30", [(3,)], {"f": 6}),
    "testWhereConditionAndProjection": ("SELECT f(id) AS r FROM t WHERE g(id) = 4", [(30,)], {"f": 1, "g": 6}),
    "testWhereConditionWithInts": ("SELECT id FROM t WHERE f(id) >= 30 AND f(id) < 50", [(3,), (4,)], {"f": 6}),
    "testAggregate": ("SELECT f(COUNT(*)) AS r FROM t", [(60,)], {"f": 1}),
    "testSelectCallWithIntArray": ("SELECT total(a) AS r FROM nested", [(3,)], {"total": 1}),
    "testInnerJoinWithFuncInOn": (
        "SELECT id, name FROM t JOIN other ON id = oid AND f(id) > 20",
        [(4, "four")],
        {"f": 6},
    ),
    "testInnerJoinWithFuncProjection": (
        "SELECT f(id) AS r, name FROM t JOIN other ON id = oid",
        [(20, "two"), (40, "four")],
        {"f": 2},
    ),
    "testInnerJoinWithFuncInWhere": (
        "SELECT id, name FROM t JOIN other ON id = oid WHERE f(id) > 20",
        [(4, "four")],
        {"f": 2},
    ),
    "testLeftJoinWithFuncInOn": (
        "SELECT id, name FROM t LEFT JOIN other ON id = oid AND f(id) > 20 WHERE id < 5",
        [(1, None), (2, None), (3, None), (4, "four")],
        {"f": 4},
    ),
    "testLeftJoinWithFuncInWhere": (
        "SELECT id, name FROM t LEFT JOIN other ON id = oid WHERE f(id) > 30",
        [(4, "four"), (5, None), (6, None)],
        {"f": 6},
    ),
    "testRightJoinWithFuncInOn": (
        "SELECT id, oid FROM t FULL OUTER JOIN other ON id = oid AND f(id) > 20",
        [(1, None), (2, None), (3, None), (4, 4), (5, None), (6, None), (None, 2), (None, 9)],
        {"f": 6},
    ),
    "testProjectCallInSubquery": (
        "SELECT r FROM (SELECT f(id) AS r FROM t) WHERE r > 40",
        [(50,), (60,)],
        {"f": 6},
    ),
    "testWhereConditionCallInSubquery": (
        "SELECT id FROM t WHERE id IN (SELECT f(oid) DIV 10 FROM other WHERE f(oid) > 20)",
        [(4,)],
        {"f": 3},
    ),
    "testWhereNotInSubquery": (
        "SELECT id FROM t WHERE id NOT IN (SELECT g(oid) FROM other)",
        [(1,), (2,), (4,), (6,)],
        {"g": 3},
    ),
    "testSimpleTableSelectWithFallback": (
        "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM other WHERE oid = id AND f(oid) > 20)",
        [(4,)],
        {"f": 3},
    ),
    "testFieldAccessAfter": ("SELECT pair(id).a AS r FROM t WHERE id < 3", [(1,), (2,)], {"pair": 2}),
    "testFieldOperand": ("SELECT f(r.x) AS v FROM nested", [(10,)], {"f": 1}),
    "testOverload": ("SELECT h(id, NULL) AS a, h(1, 2) AS b FROM t WHERE id = 1", [("1|None", "1|2")], {"h": 2}),
}


PLACES: dict[str, Case] = {
    "a subquery as argument": ("SELECT f((SELECT MAX(oid) FROM other)) AS r FROM t WHERE id = 1", [(90,)], {"f": 1}),
    "a correlated subquery as argument": (
        "SELECT id, f((SELECT MAX(oid) FROM other WHERE oid = id)) AS r FROM t WHERE id IN (2, 5)",
        [(2, 20), (5, None)],
        {"f": 1},
    ),
    "beside a correlated column, in any order": (
        "SELECT u(k) AS r, (SELECT MAX(oid) FROM other WHERE oid = id) AS m FROM t WHERE id < 3",
        [(0, None), (100, 2)],
        {"u": 2},
    ),
    "beside a correlated column of what is not equal": (
        "SELECT f(id) AS r, (SELECT MAX(oid) FROM other WHERE oid < id) AS m FROM t WHERE id IN (2, 5)",
        [(20, None), (50, 4)],
        {"f": 2},
    ),
    "the operand of IN": ("SELECT id FROM t WHERE f(id) IN (SELECT oid * 10 FROM other)", [(2,), (4,)], {"f": 6}),
    "beside EXISTS": (
        "SELECT id FROM t WHERE f(id) > 20 AND EXISTS (SELECT 1 FROM other WHERE oid = id)",
        [(4,)],
        {"f": 2},
    ),
    "within a subquery": ("SELECT id FROM t WHERE id = (SELECT MIN(g(oid)) FROM other)", [(3,)], {"g": 3}),
    "VALUES": ("SELECT x FROM VALUES (f(1)), (f(2)) AS v(x)", [(10,), (20,)], {"f": 2}),
    "PIVOT": (
        "SELECT * FROM (SELECT k, id FROM t) PIVOT (SUM(f(id)) FOR k IN (0 AS a, 1 AS b))",
        [(90, 120)],
        {"f": 6},
    ),
    "DISTRIBUTE BY": ("SELECT id FROM t WHERE id < 3 DISTRIBUTE BY f(k)", [(1,), (2,)], {"f": 2}),
    "SORT BY": ("SELECT id FROM t WHERE id < 3 SORT BY f(k)", [(1,), (2,)], {"f": 2}),
    "HAVING": ("SELECT k FROM t GROUP BY k HAVING f(COUNT(*)) > 20", [(0,), (1,)], {"f": 2}),
    "FILTER": ("SELECT SUM(f(id)) FILTER (WHERE k = 1) AS s, COUNT(*) AS n FROM t", [(120, 6)], {"f": 3}),
    "ROLLUP": (
        "SELECT f(k) AS r, COUNT(*) AS n FROM t GROUP BY ROLLUP (f(k))",
        [(0, 3), (10, 3), (None, 6)],
        {"f": 6},
    ),
    "DISTINCT": ("SELECT DISTINCT f(k) AS r FROM t", [(0,), (10,)], {"f": 6}),
    "UNION": (
        "SELECT x FROM (SELECT id AS x, f(id) AS r FROM t UNION ALL SELECT oid, g(oid) FROM other) "
        "WHERE x > 4 AND r > 9",
        [(5,), (6,), (9,)],
        {"f": 2, "g": 1},
    ),
    "a limit without an order": ("SELECT COUNT(r) AS n FROM (SELECT f(id) AS r FROM t LIMIT 2)", [(2,)], {"f": 2}),
    "a limit after a condition": ("SELECT f(id) AS r FROM t WHERE id > 4 ORDER BY id LIMIT 1", [(50,)], {"f": 1}),
}


@pytest.mark.parametrize("place", some_nightly(PLACES))
def test_place(env: TableEnvironment, service: Service, place: str) -> None:
    check(env, service, PLACES[place])


PAIRS: dict[str, Case] = {
    "inner": (
        "SELECT id, oid FROM t JOIN other ON is_even(id + oid) AND id > 3",
        [(4, 2), (4, 4), (6, 2), (6, 4), (5, 9)],
        {"is_even": 9},
    ),
    "left": (
        "SELECT id, oid FROM t LEFT JOIN other ON id > oid AND is_even(id + oid)",
        [(1, None), (2, None), (3, None), (4, 2), (5, None), (6, 2), (6, 4)],
        {"is_even": 6},
    ),
    "right": (
        "SELECT id, oid FROM t RIGHT JOIN other ON id > oid AND is_even(id + oid)",
        [(4, 2), (6, 2), (6, 4), (None, 9)],
        {"is_even": 6},
    ),
    "full": (
        "SELECT id, oid FROM t FULL JOIN other ON id > oid AND is_even(id + oid)",
        [(1, None), (2, None), (3, None), (4, 2), (5, None), (6, 2), (6, 4), (None, 9)],
        {"is_even": 6},
    ),
}


@pytest.mark.parametrize("rule", some_nightly(RULES))
def test_rule(env: TableEnvironment, service: Service, rule: str) -> None:
    check(env, service, RULES[rule])
    assert f"\n{rule.split()[0]}: " in env.sql_query(RULES[rule][0]).explain()


@pytest.mark.parametrize("name", some_nightly(CONDITIONAL))
def test_only_for_rows_that_reach_it(env: TableEnvironment, service: Service, name: str) -> None:
    check(env, service, CONDITIONAL[name])


@pytest.mark.parametrize("name", some_nightly(ASYNC_CALC_IT_CASE))
def test_async_calc_it_case(env: TableEnvironment, service: Service, name: str) -> None:
    check(env, service, ASYNC_CALC_IT_CASE[name])


@pytest.mark.parametrize("join_type", PAIRS)
def test_join_on_calls_of_pairs(env: TableEnvironment, service: Service, join_type: str) -> None:
    check(env, service, PAIRS[join_type])


def test_order_of_rows_and_calls(env: TableEnvironment, service: Service) -> None:
    service.answer("f", lambda arguments, _: _later(arguments[0]))
    try:
        found = env.sql_query("SELECT id, f(id) FROM (SELECT /*+ COALESCE(1) */ * FROM t)").execute().collect()
    finally:
        service.answer("f", lambda arguments, _: arguments[0])
    # The service answers later calls first.
    assert [tuple(row) for row in found] == [(i, i * 10) for i in IDS]
    assert service.calls == [("f", (i,)) for i in IDS]


async def _later(value: int) -> int:
    import asyncio

    await asyncio.sleep((6 - value) / 50)
    return value


def test_fluent(env: TableEnvironment, service: Service) -> None:
    t = env.from_path("t")
    found = t.select(col("id"), call("f", col("id")).alias("r")).filter(col("r") > 30).filter(col("id") < 6)
    assert rows_of(found) == [(4, 40), (5, 50)]
    assert service.counts() == {"f": 5}
    grouped = t.group_by(col("k")).select(col("k"), call("f", col("id").max).alias("m"))
    assert rows_of(grouped) == [(0, 50), (1, 60)]
    assert rows_of(t.map(call("pair", col("id"))).filter(col("a") > 5)) == [(6, "6")]
