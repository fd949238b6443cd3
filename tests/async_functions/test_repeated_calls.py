"""The number of calls to the service for repeated calls, calls in joins, and calls after conditions."""

from __future__ import annotations

import pytest

from tableapi import TableEnvironment
from tests.async_functions.checking import Case, check
from tests.async_functions.service import Service
from tests.cases import some_nightly

# A call is written more than once, in operations of different kinds.
REPEATED: dict[str, Case] = {
    "a condition of a join and SELECT": (
        "SELECT f(id) AS r, name FROM t JOIN other ON f(id) = oid * 10",
        [(20, "two"), (40, "four")],
        {"f": 6},
    ),
    "a left join": (
        "SELECT id, f(id) AS a, f(oid) AS b FROM t LEFT JOIN other ON f(id) = f(oid) WHERE id < 4",
        [(1, 10, None), (2, 20, 20), (3, 30, None)],
        {"f": 6},
    ),
    "a right join": (
        "SELECT oid, f(id) AS a, f(oid) AS b FROM t RIGHT JOIN other ON f(id) = f(oid) WHERE oid > 2",
        [(4, 40, 40), (9, None, 90)],
        {"f": 8},
    ),
    "a full join": (
        "SELECT id, oid, f(id) AS a, f(oid) AS b FROM (SELECT * FROM t WHERE id IN (1, 4)) "
        "FULL JOIN other ON f(id) = f(oid) AND id > 3",
        [(1, None, 10, None), (4, 4, 40, 40), (None, 2, None, 20), (None, 9, None, 90)],
        {"f": 5},
    ),
    "rows without a partner have a call of their own where it takes NULL": (
        "SELECT id, h(oid, 1) AS r FROM t LEFT JOIN other ON h(oid, 1) = CONCAT(CAST(id AS STRING), '|1') WHERE id < 4",
        [(1, "None|1"), (2, "2|1"), (3, "None|1")],
        {"h": 5},
    ),
    "a condition of a join that not all rows reach": (
        "SELECT id, f(id) AS r FROM t JOIN other ON IF(k = 1, f(id), 40) = oid * 10",
        [(1, 10), (2, 20), (3, 30), (4, 40), (5, 50)],
        {"f": 6},
    ),
    "a call of a call": (
        "SELECT g(f(id)) AS r, oid + f(id) AS s FROM t JOIN other ON f(id) = oid * 10",
        [(21, 22), (41, 44)],
        {"f": 6, "g": 2},
    ),
    "pairs of rows and SELECT": (
        "SELECT id, oid, is_even(id + oid) AS e FROM t JOIN other ON is_even(id + oid) AND id > 3",
        [(4, 2, True), (4, 4, True), (6, 2, True), (6, 4, True), (5, 9, True)],
        {"is_even": 9},
    ),
    "two joins": (
        "SELECT f(a.id) AS r, b.name FROM t AS a JOIN other AS b ON f(a.id) = f(b.oid) "
        "JOIN other AS c ON f(b.oid) = 20",
        [(20, "two")] * 3,
        {"f": 9},
    ),
    "within a window and beside it": (
        "SELECT f(id) AS a, SUM(f(id)) OVER (ORDER BY id) AS s, g(f(id)) AS b FROM t WHERE id < 4",
        [(10, 10, 11), (20, 30, 21), (30, 60, 31)],
        {"f": 3, "g": 3},
    ),
    "the order of a limit and SELECT above it": (
        "SELECT f(id) AS r FROM (SELECT * FROM t ORDER BY f(id) LIMIT 3)",
        [(10,), (20,), (30,)],
        {"f": 6},
    ),
    "the order of a limit that Spark leaves out": (
        "SELECT id FROM (SELECT * FROM t ORDER BY f(id) LIMIT 10) WHERE v > 2",
        [(2,), (4,), (5,), (6,)],
        {"f": 6},
    ),
    "a sort by what makes no call, over a join that makes some": (
        "SELECT f(id) AS r, n FROM (SELECT id, name AS n FROM t JOIN other ON f(id) = f(oid)) ORDER BY n",
        [(40, "four"), (20, "two")],
        {"f": 9},
    ),
    "SORT BY and SELECT above it": (
        "SELECT f(k) AS r FROM (SELECT * FROM t SORT BY f(k))",
        [(0,), (10,)] * 3,
        {"f": 6},
    ),
    "an argument of a table function and SELECT": (
        "SELECT f(id) AS r, e FROM t, LATERAL EXPLODE(ARRAY(f(id), 1)) AS x(e) WHERE id < 3",
        [(10, 1), (10, 10), (20, 1), (20, 20)],
        {"f": 2},
    ),
    "beside a correlated query and SELECT": (
        "SELECT f(id) AS r FROM t WHERE f(id) > 20 AND EXISTS (SELECT 1 FROM other WHERE oid = id)",
        [(40,)],
        {"f": 2},
    ),
    "below a correlated query that comes first, and above it": (
        "SELECT f(id) AS r FROM (SELECT * FROM t WHERE f(id) > 20) WHERE EXISTS (SELECT 1 FROM other WHERE oid = id)",
        [(40,)],
        {"f": 2},
    ),
    "in one condition with a correlated query, and SELECT": (
        "SELECT f(id) AS r FROM t WHERE f(id) > 40 OR EXISTS (SELECT 1 FROM other WHERE oid = id)",
        [(20,), (40,), (50,), (60,)],
        {"f": 6},
    ),
    "below a correlated column and above it": (
        "SELECT f(id) AS r, m FROM (SELECT id, (SELECT MAX(oid) FROM other WHERE oid = id) AS m FROM t "
        "WHERE f(id) > 30)",
        [(40, 4), (50, None), (60, None)],
        {"f": 6},
    ),
    "below a correlated column with a condition and above it": (
        "SELECT f(id) AS r, m FROM (SELECT id, (SELECT MAX(oid) FROM other WHERE oid = id) AS m FROM t "
        "WHERE f(id) > 10) WHERE m > 3",
        [(40, 4)],
        {"f": 1},
    ),
    "a correlated column that another column is made of": (
        "SELECT f(id) AS r, m + 1 AS n FROM (SELECT id, (SELECT MAX(oid) FROM other WHERE oid = id) AS m FROM t) "
        "WHERE f(id) = 40",
        [(40, 5)],
        {"f": 6},
    ),
    "pairs of a left join and SELECT": (
        "SELECT id, oid, is_even(id + oid) AS e FROM t LEFT JOIN other ON id > oid AND is_even(id + oid)",
        [(1, None, None), (2, None, None), (3, None, None), (4, 2, True), (5, None, None), (6, 2, True), (6, 4, True)],
        {"is_even": 6},
    ),
    "pairs of a left join, and rows without a partner with a call of their own": (
        "SELECT id, h(id, oid) AS r FROM t LEFT JOIN other ON id >= oid AND h(id, oid) <> '2|2' WHERE id < 4",
        [(1, "1|None"), (2, "2|None"), (3, "3|2")],
        {"h": 4},
    ),
    "pairs of a full join that not all reach": (
        "SELECT id, oid, f(id + oid) AS r FROM (SELECT * FROM t WHERE id > 4) "
        "FULL JOIN other ON is_even(id + oid) AND f(id + oid) > 80 WHERE oid > 0 OR id > 0",
        [(5, 9, 140), (6, 4, 100), (None, 2, None)],
        {"is_even": 6, "f": 3},
    ),
    "for windows and above them": (
        "SELECT f(id) AS r, n FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY k ORDER BY f(id) DESC) AS n FROM t) "
        "WHERE n = 1",
        [(50, 1), (60, 1)],
        {"f": 6},
    ),
    "beside windows and above them": (
        "SELECT f(id) AS r, n FROM (SELECT id, f(id) AS a, COUNT(*) OVER (PARTITION BY k) AS n FROM t) "
        "WHERE a > 20 ORDER BY f(id)",
        [(30, 3), (40, 3), (50, 3), (60, 3)],
        {"f": 6},
    ),
    "below a left join and above it": (
        "SELECT oid, f(id) AS r FROM other LEFT JOIN (SELECT * FROM t WHERE f(id) > 20) ON id = oid",
        [(2, None), (4, 40), (9, None)],
        {"f": 6},
    ),
    "one side, in a call on pairs of an outer join, and above it": (
        "SELECT id, f(id) AS r, oid FROM t LEFT JOIN other ON id > oid AND is_even(f(id) + oid) WHERE id > 3",
        [(4, 40, 2), (5, 50, 2), (5, 50, 4), (6, 60, 2), (6, 60, 4)],
        {"f": 3, "is_even": 5},
    ),
    "in one input of a union and above it": (
        "SELECT f(id) AS r FROM (SELECT id FROM t WHERE f(id) > 40 UNION ALL SELECT oid FROM other WHERE oid < 9)",
        [(20,), (40,), (50,), (60,)],
        {"f": 8},
    ),
    "a correlated column that is copied": (
        "SELECT f(id) AS r, m, m AS n FROM (SELECT id, (SELECT MAX(oid) FROM other WHERE oid = id) AS m FROM t "
        "WHERE f(id) > 30)",
        [(40, 4, 4), (50, None, None), (60, None, None)],
        {"f": 6},
    ),
    "a group key and above the groups": (
        "SELECT f(k) AS r, n FROM (SELECT k, f(k) AS a, COUNT(*) AS n FROM t GROUP BY k, f(k)) WHERE a > 0",
        [(10, 3)],
        {"f": 6},
    ),
    "below windows and above them": (
        "SELECT f(id) AS r, n FROM (SELECT id, COUNT(*) OVER (PARTITION BY k) AS n FROM t WHERE f(id) > 20)",
        [(30, 2), (40, 2), (50, 2), (60, 2)],
        {"f": 6},
    ),
}

# A row of one side is paired with all rows of the other side, but its call is made once.
PRODUCTS: dict[str, Case] = {
    "CROSS JOIN": ("SELECT f(id) AS r FROM t CROSS JOIN other WHERE id < 3", [(10,)] * 3 + [(20,)] * 3, {"f": 2}),
    "a comma and a condition without calls": (
        "SELECT f(id) AS r, name FROM t, other WHERE f(id) = oid * 10 AND k = 1",
        [(20, "two"), (40, "four")],
        {"f": 3},
    ),
    "a condition without calls that pairs rows": (
        "SELECT id FROM t, other WHERE id = oid AND f(id) > 20",
        [(4,)],
        {"f": 2},
    ),
    "conditions one after the other": (
        "SELECT id FROM t, other WHERE is_even(id) AND f(id) > 20 AND name = 'two'",
        [(4,), (6,)],
        {"is_even": 6, "f": 3},
    ),
    "pairs, too": (
        "SELECT id, oid FROM t, other WHERE is_even(id + oid) AND f(id) = 40",
        [(4, 2), (4, 4)],
        {"f": 6, "is_even": 3},
    ),
    "three tables": (
        "SELECT f(id) AS r, name FROM t, other, nested WHERE f(id) = oid * 10",
        [(20, "two"), (40, "four")],
        {"f": 6},
    ),
    "a left join of all rows": (
        "SELECT f(id) AS a, f(oid) AS b FROM t LEFT JOIN other ON id < 0 OR oid < 3 WHERE id < 3",
        [(10, 20), (20, 20)],
        {"f": 4},
    ),
    "a left join without a condition": (
        "SELECT f(id) AS a, f(oid) AS b FROM t LEFT JOIN other ON TRUE WHERE id < 3 AND oid > 3",
        [(10, 40), (10, 90), (20, 40), (20, 90)],
        {"f": 6},
    ),
    "for some rows": (
        "SELECT IF(k = 1, f(id), 0) AS r, oid FROM t, other WHERE id < 3 AND oid < 9",
        [(0, 2), (0, 4), (20, 2), (20, 4)],
        {"f": 1},
    ),
    "a limit": ("SELECT COUNT(r) AS n FROM (SELECT f(id) AS r FROM t, other LIMIT 2)", [(2,)], {"f": 2}),
    "not deterministic": ("SELECT COUNT(x) AS n FROM (SELECT ticket(id) AS x FROM t, other)", [(18,)], {"ticket": 18}),
}

# Conditions without calls come first.
CONDITIONS: dict[str, Case] = {
    "beside a call in a condition of a join": (
        "SELECT id FROM t JOIN other ON f(id) = oid * 10 AND k = 1",
        [(2,), (4,)],
        {"f": 3},
    ),
    "over a join whose condition makes calls": (
        "SELECT id FROM t JOIN other ON f(id) = oid * 10 WHERE k = 1 AND name = 'two'",
        [(2,)],
        {"f": 3},
    ),
    "over a join, under a projection with the call": (
        "SELECT f(id) AS r FROM t JOIN other ON f(id) = oid * 10 WHERE id < 4",
        [(20,)],
        {"f": 3},
    ),
    "over a projection of a join": (
        "SELECT i FROM (SELECT id AS i, k + 1 AS n FROM t JOIN other ON f(id) = oid * 10) WHERE n = 2 AND i > 2",
        [(4,)],
        {"f": 2},
    ),
    "of pairs, over a join on calls of pairs": (
        "SELECT id, oid FROM t JOIN other ON is_even(id + oid) WHERE id > oid",
        [(4, 2), (6, 2), (6, 4)],
        {"is_even": 6},
    ),
    "HAVING over keys": ("SELECT k, SUM(f(id)) AS s FROM t GROUP BY k HAVING k = 1", [(1, 120)], {"f": 3}),
    "over an aggregation": (
        "SELECT s FROM (SELECT k + 1 AS n, SUM(f(id)) AS s FROM t GROUP BY k) WHERE n = 1 AND s > 5",
        [(90,)],
        {"f": 3},
    ),
    "over grouping sets, which it cannot pass": (
        "SELECT v, SUM(f(id)) AS s FROM t GROUP BY ROLLUP (v) HAVING v = 2",
        [(2, 10)],
        {"f": 6},
    ),
    "over grouping sets that all have the key": (
        "SELECT k, v, SUM(f(id)) AS s FROM t GROUP BY GROUPING SETS ((k, v), (k)) HAVING k = 1",
        [(1, 4, 20), (1, 8, 40), (1, 12, 60), (1, None, 120)],
        {"f": 3},
    ),
    "over a window, on its partition": (
        "SELECT id, s FROM (SELECT id, k, SUM(f(id)) OVER (PARTITION BY k ORDER BY id) AS s FROM t) WHERE k = 1",
        [(2, 20), (4, 60), (6, 120)],
        {"f": 3},
    ),
    "over a window, on what is computed from its partition, and not on others": (
        "SELECT s FROM (SELECT k + 1 AS n, id, SUM(f(id)) OVER (PARTITION BY k) AS s FROM t) WHERE n = 2 AND id > 3",
        [(120,), (120,)],
        {"f": 3},
    ),
    "over windows of which one has no such partition, which it cannot pass": (
        "SELECT id, s, n FROM (SELECT id, k, SUM(f(id)) OVER (PARTITION BY k ORDER BY id) AS s, "
        "COUNT(*) OVER (ORDER BY id) AS n FROM t) WHERE k = 1",
        [(2, 20, 2), (4, 60, 4), (6, 120, 6)],
        {"f": 6},
    ),
}


@pytest.mark.parametrize("name", some_nightly(REPEATED))
def test_repeated_calls_are_made_once(env: TableEnvironment, service: Service, name: str) -> None:
    check(env, service, REPEATED[name])


@pytest.mark.parametrize("name", PRODUCTS)
def test_made_for_a_row_and_not_for_its_pairs(env: TableEnvironment, service: Service, name: str) -> None:
    check(env, service, PRODUCTS[name])


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions_without_calls_come_first(env: TableEnvironment, service: Service, name: str) -> None:
    check(env, service, CONDITIONS[name])
