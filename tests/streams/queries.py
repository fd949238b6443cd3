"""Queries over streams as data: each operation alone, and each pair of operations, with and without a watermark.

A query is a path of names: that of its input, then those of its operations from the inside out. Every operation reads
and returns the columns ``k BIGINT, ts TIMESTAMP, v INT, name STRING``, so that any two of them compose.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.streams.everyday import DELAY, EVERYDAY

COLUMNS = "k BIGINT, ts TIMESTAMP, v INT, name STRING"
STREAMS = ("s1", "s2")
TABLES = ("b1", "b2")

INPUTS = {"stream": "s1", "late": f"s1 {DELAY}"}
"""The innermost inputs: a stream without a watermark, and one with a watermark."""

_RIGHT = {"table": "b1", "stream": "s2", "late": f"s2 {DELAY}"}
_KINDS = ("INNER", "LEFT", "RIGHT", "FULL", "LEFT SEMI", "LEFT ANTI")
_BOUNDS = "r.ts BETWEEN l.ts - INTERVAL 5 SECONDS AND l.ts + INTERVAL 5 SECONDS"
_CONDITIONS = {
    "key": "ON l.k = r.k",
    "bounds": f"ON l.k = r.k AND {_BOUNDS}",
    "time": "ON l.k = r.k AND l.ts = r.ts",
    "only-bounds": f"ON {_BOUNDS}",
    "all": "",
    "upper": "ON l.k = r.k AND r.ts <= l.ts + INTERVAL 5 SECONDS",
    "lower": "ON l.k = r.k AND r.ts >= l.ts - INTERVAL 5 SECONDS",
    "values": "ON l.k = r.k AND l.v < r.v",
}
_LEFT_COLUMNS = "l.k, l.ts, l.v, l.name"
_EITHER_COLUMNS = "coalesce(l.k, r.k) AS k, {side}.ts, {side}.v, coalesce(l.name, r.name) AS name"


def _list_joins() -> Iterator[tuple[str, str]]:
    for (right, read), kind, (name, condition) in itertools.product(_RIGHT.items(), _KINDS, _CONDITIONS.items()):
        if not condition and kind != "INNER":
            continue
        filters = kind in ("LEFT SEMI", "LEFT ANTI")
        columns = _LEFT_COLUMNS if filters else _EITHER_COLUMNS.format(side="r" if kind == "RIGHT" else "l")
        joined = "CROSS" if not condition else kind
        join = f"{joined.lower().replace(' ', '-')}-join"
        for order, first, second in (("", "{in}", read), ("swapped-", read, "{in}")):
            text = f"SELECT {columns} FROM {first} AS l {joined} JOIN {second} AS r {condition}".rstrip()
            yield f"{join}-{order}{right}-{name}", text


JOINS = dict(_list_joins())
"""Every kind of join, with a table or a stream on either side, under every kind of condition."""

_AGGREGATES = "CAST(sum(v) AS INT) AS v, max(name) AS name"
_SET_OPERATIONS = ("UNION ALL", "UNION", "INTERSECT", "INTERSECT ALL", "EXCEPT", "EXCEPT ALL")


def _list_set_operations() -> Iterator[tuple[str, str]]:
    for operator, (right, read) in itertools.product(_SET_OPERATIONS, _RIGHT.items()):
        name = operator.lower().replace(" ", "-")
        yield f"{name}-{right}", f"SELECT * FROM {{in}} AS l {operator} SELECT * FROM {read} AS r"
        if right == "table":
            yield f"{name}-swapped-{right}", f"SELECT * FROM {read} AS l {operator} SELECT * FROM {{in}} AS r"


SET_OPERATIONS = dict(_list_set_operations())

ROWS = {
    "project": "SELECT k, ts, v + 1 AS v, upper(name) AS name FROM {in} AS t",
    "project-time": "SELECT k, ts + INTERVAL 1 SECOND AS ts, v, name FROM {in} AS t",
    "project-rename": "SELECT k, ts, v, name FROM (SELECT k, ts AS at, v, name FROM {in} AS t) AS u (k, ts, v, name)",
    "project-random": "SELECT k, ts, CAST(rand() * 10 AS INT) AS v, uuid() AS name FROM {in} AS t",
    "project-now": "SELECT k, current_timestamp() AS ts, v, name FROM {in} AS t",
    "project-id": "SELECT monotonically_increasing_id() AS k, ts, v, name FROM {in} AS t",
    "project-window": "SELECT k, window(ts, '10 seconds').start AS ts, v, name FROM {in} AS t",
    "project-hopping": "SELECT k, window(ts, '10 seconds', '5 seconds').end AS ts, v, name FROM {in} AS t",
    "project-window-time": (
        "SELECT k, window_time(w) AS ts, v, name FROM (SELECT *, window(ts, '10 seconds') AS w FROM {in} AS t) AS u"
    ),
    "explode": "SELECT k, ts, x AS v, name FROM {in} AS t LATERAL VIEW explode(array(v, 2)) e AS x",
    "explode-outer": "SELECT k, ts, x AS v, name FROM {in} AS t LATERAL VIEW OUTER explode(array(v, 2)) e AS x",
    "explode-select": "SELECT k, ts, explode(array(v, 2)) AS v, name FROM {in} AS t",
    "lateral-function": "SELECT k, ts, x AS v, name FROM {in} AS t, LATERAL explode(array(v, 2)) AS e (x)",
    "lateral-left": "SELECT k, ts, x AS v, name FROM {in} AS t LEFT JOIN LATERAL explode(array(v, 2)) AS e (x) ON true",
    "lateral-values": "SELECT t.k, t.ts, y AS v, t.name FROM {in} AS t, LATERAL (SELECT t.v + 1 AS y) AS e",
    "lateral-table": (
        "SELECT t.k, t.ts, y AS v, t.name FROM {in} AS t, LATERAL (SELECT max(v) AS y FROM b1 WHERE b1.k = t.k) AS e"
    ),
    "lateral-table-rows": (
        "SELECT t.k, t.ts, y AS v, t.name FROM {in} AS t, LATERAL (SELECT v AS y FROM b1 WHERE b1.k = t.k) AS e"
    ),
    "lateral-stream": (
        "SELECT t.k, t.ts, y AS v, t.name FROM {in} AS t, LATERAL (SELECT v AS y FROM s2 WHERE s2.k = t.k) AS e"
    ),
    "lateral-over-table": (
        "SELECT t.k, t.ts, y AS v, t.name FROM b1 AS t, LATERAL (SELECT u.v AS y FROM {in} AS u WHERE u.k = t.k) AS e"
    ),
    "unpivot": (
        "SELECT k, ts, v, name FROM (SELECT k, ts, v, v + 1 AS u FROM {in} AS t) UNPIVOT (v FOR name IN (v, u))"
    ),
    "filter": "SELECT * FROM {in} AS t WHERE v > 1",
    "filter-now": "SELECT * FROM {in} AS t WHERE ts < current_timestamp()",
    "filter-random": "SELECT * FROM {in} AS t WHERE rand() < 0.5",
    "sample": "SELECT * FROM (SELECT * FROM {in} AS t) TABLESAMPLE (50 PERCENT)",
    "sample-repeatable": "SELECT * FROM (SELECT * FROM {in} AS t) TABLESAMPLE (50 PERCENT) REPEATABLE (1)",
    "hint-repartition": "SELECT /*+ REPARTITION(2) */ * FROM {in} AS t",
    "hint-coalesce": "SELECT /*+ COALESCE(1) */ * FROM {in} AS t",
    "hint-repartition-key": "SELECT /*+ REPARTITION(2, k) */ * FROM {in} AS t",
    "hint-repartition-range": "SELECT /*+ REPARTITION_BY_RANGE(2, k) */ * FROM {in} AS t",
    "hint-rebalance": "SELECT /*+ REBALANCE */ * FROM {in} AS t",
    "hint-broadcast": "SELECT /*+ BROADCAST(b) */ l.k, l.ts, l.v, b.name FROM {in} AS l JOIN b1 AS b ON l.k = b.k",
    "distribute": "SELECT * FROM {in} AS t DISTRIBUTE BY k",
    "sort-by": "SELECT * FROM {in} AS t SORT BY v",
    "cluster-by": "SELECT * FROM {in} AS t CLUSTER BY k",
    "order-by": "SELECT * FROM {in} AS t ORDER BY v",
    "order-limit": "SELECT * FROM {in} AS t ORDER BY v LIMIT 3",
    "limit": "SELECT * FROM {in} AS t LIMIT 3",
    "limit-zero": "SELECT * FROM {in} AS t LIMIT 0",
    "limit-offset": "SELECT * FROM {in} AS t LIMIT 3 OFFSET 1",
    "offset": "SELECT * FROM {in} AS t OFFSET 1",
    "watermark": f"SELECT * FROM (SELECT * FROM {{in}} AS u) {DELAY} AS t",
    "watermark-computed": (
        "SELECT k, ts, v, name FROM (SELECT k, late AS ts, v, name FROM (SELECT * FROM {in} AS u) "
        "WATERMARK ts + INTERVAL 1 SECOND AS late DELAY OF INTERVAL 10 SECONDS AS t)"
    ),
    "transform": (
        "SELECT TRANSFORM (k, ts, v, name) USING 'cat' AS (k BIGINT, ts TIMESTAMP, v INT, name STRING) FROM {in} AS t"
    ),
    "nearest": ("SELECT l.k, l.ts, r.v, l.name FROM {in} AS l JOIN b1 AS r EXACT NEAREST 1 BY DISTANCE abs(l.v - r.v)"),
    "as-of": (
        "SELECT l.k, l.ts, r.v, l.name FROM {in} AS l ASOF JOIN b1 AS r MATCH_CONDITION (l.v >= r.v) ON l.k = r.k"
    ),
    "as-of-left": (
        "SELECT l.k, l.ts, r.v, l.name FROM {in} AS l LEFT ASOF JOIN b1 AS r MATCH_CONDITION (l.v > r.v) USING (k)"
    ),
    "as-of-swapped": "SELECT l.k, r.ts, l.v, r.name FROM b1 AS l ASOF JOIN {in} AS r MATCH_CONDITION (l.v >= r.v)",
    "with": "WITH w AS (SELECT * FROM {in} AS t) SELECT * FROM w",
    "pipe": "FROM {in} AS t |> WHERE v > 1 |> SELECT k, ts, v, name",
    "pipe-union": "FROM {in} AS t |> UNION ALL (SELECT * FROM s2)",
    "pipe-aggregate": (
        "FROM {in} AS t |> AGGREGATE CAST(sum(v) AS INT) AS v, max(name) AS name GROUP BY k, ts "
        "|> SELECT k, ts, v, name"
    ),
    "recursive": (
        "WITH RECURSIVE r AS (SELECT k, ts, v, name FROM {in} AS t UNION ALL "
        "SELECT k, ts, v + 1, name FROM r WHERE v < 3) SELECT * FROM r"
    ),
    "recursive-table": (
        "SELECT l.k, l.ts, l.v, l.name FROM {in} AS l JOIN (WITH RECURSIVE r AS (SELECT 1 AS x UNION ALL "
        "SELECT x + 1 FROM r WHERE x < 3) SELECT * FROM r) AS r ON l.k = r.x"
    ),
}
"""Operations that are neither joins nor aggregations."""

SUBQUERIES = {
    "in-table": "SELECT * FROM {in} AS t WHERE k IN (SELECT k FROM b1)",
    "not-in-table": "SELECT * FROM {in} AS t WHERE k NOT IN (SELECT k FROM b1 WHERE k IS NOT NULL)",
    "exists-table": "SELECT * FROM {in} AS t WHERE EXISTS (SELECT 1 FROM b1 WHERE b1.k = t.k)",
    "not-exists-table": "SELECT * FROM {in} AS t WHERE NOT EXISTS (SELECT 1 FROM b1 WHERE b1.k = t.k)",
    "exists-or-table": "SELECT * FROM {in} AS t WHERE v > 3 OR EXISTS (SELECT 1 FROM b1 WHERE b1.k = t.k)",
    "scalar-table": "SELECT k, ts, (SELECT max(v) FROM b1) AS v, name FROM {in} AS t",
    "correlated-table": "SELECT k, ts, (SELECT max(v) FROM b1 WHERE b1.k = t.k) AS v, name FROM {in} AS t",
    "filter-scalar-table": "SELECT * FROM {in} AS t WHERE v > (SELECT min(v) FROM b1)",
    "in-select-table": "SELECT k, ts, CAST(k IN (SELECT k FROM b1) AS INT) AS v, name FROM {in} AS t",
    "in-stream": "SELECT * FROM {in} AS t WHERE k IN (SELECT k FROM s2)",
    "in-late": f"SELECT * FROM {{in}} AS t WHERE k IN (SELECT k FROM s2 {DELAY})",
    "not-in-stream": "SELECT * FROM {in} AS t WHERE k NOT IN (SELECT k FROM s2)",
    "exists-stream": "SELECT * FROM {in} AS t WHERE EXISTS (SELECT 1 FROM s2 WHERE s2.k = t.k)",
    "exists-late-bounds": (
        f"SELECT * FROM {{in}} AS l WHERE EXISTS (SELECT 1 FROM s2 {DELAY} AS r WHERE r.k = l.k AND {_BOUNDS})"
    ),
    "exists-filtered-late-bounds": (
        f"SELECT k, ts, v, name FROM {{in}} AS l WHERE v > 1 AND EXISTS (SELECT r.v FROM s2 {DELAY} AS r WHERE r.v < 9 "
        f"AND r.k = l.k AND {_BOUNDS})"
    ),
    "exists-late-values": f"SELECT * FROM {{in}} AS l WHERE EXISTS (SELECT 1 FROM s2 {DELAY} AS r WHERE r.v < l.v)",
    "exists-late-twice": (
        f"SELECT * FROM {{in}} AS l WHERE EXISTS (SELECT 1 FROM s2 {DELAY} AS r WHERE r.k = l.k AND r.ts = l.ts) "
        f"AND EXISTS (SELECT 1 FROM s1 {DELAY} AS r WHERE r.v = l.v AND {_BOUNDS})"
    ),
    "exists-groups": (
        f"SELECT * FROM {{in}} AS l WHERE EXISTS (SELECT 1 FROM (SELECT k, ts, count(*) AS n FROM s2 {DELAY} AS r "
        "GROUP BY k, ts) AS r WHERE r.k = l.k AND r.ts = l.ts)"
    ),
    "in-late-bounds": f"SELECT * FROM {{in}} AS l WHERE k IN (SELECT k FROM s2 {DELAY} AS r WHERE {_BOUNDS})",
    "in-late-time": f"SELECT * FROM {{in}} AS l WHERE (k, ts) IN (SELECT k, ts FROM s2 {DELAY} AS r)",
    "in-late-converted": f"SELECT * FROM {{in}} AS l WHERE (v, ts) IN (SELECT k, ts FROM s2 {DELAY} AS r)",
    "not-in-late-bounds": f"SELECT * FROM {{in}} AS l WHERE k NOT IN (SELECT k FROM s2 {DELAY} AS r WHERE {_BOUNDS})",
    "not-exists-late-bounds": (
        f"SELECT * FROM {{in}} AS l WHERE NOT EXISTS (SELECT 1 FROM s2 {DELAY} AS r WHERE r.k = l.k AND {_BOUNDS})"
    ),
    "not-exists-stream": "SELECT * FROM {in} AS t WHERE NOT EXISTS (SELECT 1 FROM s2 WHERE s2.k = t.k)",
    "exists-or-stream": "SELECT * FROM {in} AS t WHERE v > 3 OR EXISTS (SELECT 1 FROM s2 WHERE s2.k = t.k)",
    "scalar-stream": "SELECT k, ts, (SELECT max(v) FROM s2) AS v, name FROM {in} AS t",
    "correlated-stream": "SELECT k, ts, (SELECT max(v) FROM s2 WHERE s2.k = t.k) AS v, name FROM {in} AS t",
    "filter-scalar-stream": "SELECT * FROM {in} AS t WHERE v > (SELECT min(v) FROM s2)",
    "table-in": "SELECT * FROM b1 AS t WHERE k IN (SELECT k FROM {in} AS u)",
    "table-exists": "SELECT * FROM b1 AS t WHERE EXISTS (SELECT 1 FROM {in} AS u WHERE u.k = t.k)",
    "table-scalar": "SELECT k, ts, (SELECT max(v) FROM {in} AS u) AS v, name FROM b1 AS t",
}


def _over_window(grouping: str) -> str:
    """Return a grouping by a window, whose time is taken in a query around it."""
    grouped = f"SELECT k, window, {_AGGREGATES} FROM {{in}} AS t {grouping}"
    return f"SELECT k, window_time(window) AS ts, v, name FROM ({grouped}) AS u"


AGGREGATIONS = {
    "group": f"SELECT k, max(ts) AS ts, {_AGGREGATES} FROM {{in}} AS t GROUP BY k",
    "group-time": f"SELECT k, ts, {_AGGREGATES} FROM {{in}} AS t GROUP BY k, ts",
    "group-window": _over_window("GROUP BY k, window(ts, '10 seconds')"),
    "group-hopping": _over_window("GROUP BY k, window(ts, '10 seconds', '5 seconds')"),
    "group-only-window": (
        f"SELECT max(k) AS k, window.end AS ts, {_AGGREGATES} FROM {{in}} AS t GROUP BY window(ts, '10 seconds')"
    ),
    "group-window-start": (
        f"SELECT k, window(ts, '10 seconds').start AS ts, {_AGGREGATES} FROM {{in}} AS t "
        "GROUP BY k, window(ts, '10 seconds').start"
    ),
    "group-window-column": (
        f"SELECT k, window_time(w) AS ts, v, name FROM (SELECT k, w, {_AGGREGATES} FROM "
        "(SELECT *, window(ts, '10 seconds') AS w FROM {in} AS t) AS u GROUP BY k, w) AS x"
    ),
    "group-window-column-end": (
        f"SELECT k, e AS ts, {_AGGREGATES} FROM (SELECT *, window(ts, '10 seconds').end AS e FROM {{in}} AS t) AS u "
        "GROUP BY k, e"
    ),
    "group-window-of-window": (
        f"SELECT k, window.end AS ts, {_AGGREGATES} FROM (SELECT k, window AS w, max(v) AS v, max(name) AS name "
        "FROM {in} AS t GROUP BY k, window(ts, '5 seconds')) AS u GROUP BY k, window(w, '10 seconds')"
    ),
    "group-session": (
        f"SELECT k, session_window.end AS ts, {_AGGREGATES} FROM {{in}} AS t "
        "GROUP BY k, session_window(ts, '5 seconds')"
    ),
    "group-only-session": (
        f"SELECT max(k) AS k, session_window.end AS ts, {_AGGREGATES} FROM {{in}} AS t "
        "GROUP BY session_window(ts, '5 seconds')"
    ),
    "group-all": f"SELECT max(k) AS k, max(ts) AS ts, {_AGGREGATES} FROM {{in}} AS t",
    "group-having": f"SELECT k, ts, {_AGGREGATES} FROM {{in}} AS t GROUP BY k, ts HAVING sum(v) > 1",
    "group-having-window": _over_window("GROUP BY k, window(ts, '10 seconds') HAVING count(*) > 0"),
    "group-filter": (
        "SELECT k, ts, CAST(sum(v) FILTER (WHERE v > 1) AS INT) AS v, max(name) AS name FROM {in} AS t GROUP BY k, ts"
    ),
    "group-sets": f"SELECT k, max(ts) AS ts, {_AGGREGATES} FROM {{in}} AS t GROUP BY GROUPING SETS ((k), ())",
    "group-sets-window": _over_window(
        "GROUP BY GROUPING SETS ((k, window(ts, '10 seconds')), (window(ts, '10 seconds')))"
    ),
    "group-rollup-time": f"SELECT k, ts, {_AGGREGATES} FROM {{in}} AS t GROUP BY ROLLUP (k, ts)",
    "group-cube": "SELECT k, max(ts) AS ts, v, max(name) AS name FROM {in} AS t GROUP BY CUBE (k, v)",
    "group-count-distinct": (
        "SELECT k, ts, CAST(count(DISTINCT v) AS INT) AS v, max(name) AS name FROM {in} AS t GROUP BY k, ts"
    ),
    "group-all-count-distinct": (
        "SELECT max(k) AS k, max(ts) AS ts, CAST(count(DISTINCT v) AS INT) AS v, max(name) AS name FROM {in} AS t"
    ),
    "group-two-distinct": (
        "SELECT k, ts, CAST(count(DISTINCT v) AS INT) AS v, CAST(count(DISTINCT name) AS STRING) AS name "
        "FROM {in} AS t GROUP BY k, ts"
    ),
    "group-max-distinct": "SELECT k, ts, max(DISTINCT v) AS v, max(name) AS name FROM {in} AS t GROUP BY k, ts",
    "group-approximate": (
        "SELECT k, ts, CAST(approx_count_distinct(v) AS INT) AS v, max(name) AS name FROM {in} AS t GROUP BY k, ts"
    ),
    "group-first": "SELECT k, ts, first(v) AS v, last(name) AS name FROM {in} AS t GROUP BY k, ts",
    "group-collect": (
        "SELECT k, ts, CAST(size(collect_list(v)) AS INT) AS v, max(name) AS name FROM {in} AS t GROUP BY k, ts"
    ),
    "group-listagg": "SELECT k, ts, max(v) AS v, listagg(name, ',') AS name FROM {in} AS t GROUP BY k, ts",
    "group-percentile": (
        "SELECT k, ts, CAST(percentile_cont(0.5) WITHIN GROUP (ORDER BY v) AS INT) AS v, max(name) AS name "
        "FROM {in} AS t GROUP BY k, ts"
    ),
    "group-keys-only": "SELECT k, ts, v, name FROM {in} AS t GROUP BY k, ts, v, name",
    "group-by-all": f"SELECT k, ts, {_AGGREGATES} FROM {{in}} AS t GROUP BY ALL",
    "pivot": (
        "SELECT k, ts, one AS v, CAST(two AS STRING) AS name FROM (SELECT k, ts, v, name FROM {in} AS t) "
        "PIVOT (max(v) FOR name IN ('a' AS one, 'b' AS two))"
    ),
    "pivot-key": (
        "SELECT k, current_timestamp() AS ts, one AS v, CAST(two AS STRING) AS name "
        "FROM (SELECT k, v, name FROM {in} AS t) PIVOT (max(v) FOR name IN ('a' AS one, 'b' AS two))"
    ),
    "distinct": "SELECT DISTINCT k, ts, v, name FROM {in} AS t",
    "distinct-key": "SELECT k, current_timestamp() AS ts, 1 AS v, 'x' AS name FROM (SELECT DISTINCT k FROM {in} AS t)",
    "having-count": (
        "SELECT max(k) AS k, max(ts) AS ts, max(v) AS v, max(name) AS name FROM {in} AS t HAVING count(*) > 0"
    ),
    "over": "SELECT k, ts, CAST(sum(v) OVER (PARTITION BY k ORDER BY ts) AS INT) AS v, name FROM {in} AS t",
    "over-all": "SELECT k, ts, max(v) OVER () AS v, name FROM {in} AS t",
    "over-range": (
        "SELECT k, ts, CAST(sum(v) OVER (PARTITION BY k ORDER BY ts RANGE BETWEEN INTERVAL 5 SECONDS PRECEDING "
        "AND CURRENT ROW) AS INT) AS v, name FROM {in} AS t"
    ),
    "lag": "SELECT k, ts, lag(v) OVER (PARTITION BY k ORDER BY ts) AS v, name FROM {in} AS t",
    "over-window": (
        "SELECT k, ts, CAST(row_number() OVER (PARTITION BY window(ts, '10 seconds') ORDER BY v) AS INT) AS v, name "
        "FROM {in} AS t"
    ),
    "row-number": (
        "SELECT k, ts, v, name FROM (SELECT *, row_number() OVER (PARTITION BY k ORDER BY ts) AS n FROM {in} AS t) "
        "WHERE n = 1"
    ),
    "top-n": (
        "SELECT k, ts, v, name FROM (SELECT *, row_number() OVER (PARTITION BY k ORDER BY v DESC) AS n FROM {in} AS t) "
        "WHERE n <= 3"
    ),
    "qualify": "SELECT * FROM {in} AS t QUALIFY row_number() OVER (PARTITION BY k ORDER BY ts) = 1",
    "match-count": "SELECT * FROM {in} AS t WHERE v = (SELECT count(*) FROM b1 WHERE b1.k = t.k)",
}
"""Aggregations, removals of duplicates and windows."""

FIRST_ROWS = frozenset(("row-number", "top-n", "qualify"))
"""Operations that are built as aggregates over streams; Spark refuses them as they are here."""

OPERATIONS = {**ROWS, **SUBQUERIES, **AGGREGATIONS, **SET_OPERATIONS, **JOINS}
"""All operations by name: SQL with ``{in}`` for the input."""

_PAIRED_JOINS = (
    "inner-join-table-key",
    "inner-join-stream-key",
    "inner-join-late-bounds",
    "inner-join-late-key",
    "inner-join-late-time",
    "left-join-table-key",
    "left-join-swapped-table-key",
    "left-join-late-bounds",
    "left-join-late-time",
    "left-join-late-key",
    "right-join-late-bounds",
    "right-join-swapped-late-bounds",
    "full-join-late-bounds",
    "full-join-table-key",
    "left-semi-join-late-bounds",
    "left-semi-join-late-key",
    "left-semi-join-table-key",
    "left-anti-join-late-bounds",
    "cross-join-stream-all",
)
_SINGLE_ONLY = {
    "as-of",
    "as-of-left",
    "as-of-swapped",
    "group-window-of-window",
    "project-rename",
    "explode-outer",
    "explode-select",
    "lateral-left",
    "sample-repeatable",
    "hint-coalesce",
    "hint-repartition-key",
    "hint-repartition-range",
    "hint-rebalance",
    "filter-now",
    "project-id",
    "limit-zero",
    "with",
    "group-filter",
    "group-first",
    "group-collect",
    "group-listagg",
    "group-percentile",
    "group-max-distinct",
    "group-two-distinct",
    "group-by-all",
    "having-count",
    "over-all",
    "over-range",
    "lag",
    "top-n",
    "qualify",
    "match-count",
    "transform",
    "recursive-table",
    "not-in-table",
    "exists-or-table",
    "filter-scalar-table",
    "in-select-table",
    "in-late",
    "not-in-stream",
    "filter-scalar-stream",
    "table-exists",
    "pipe-aggregate",
    "pipe",
    "project-hopping",
    "explode",
    "lateral-values",
    "lateral-table-rows",
    "lateral-over-table",
    "hint-broadcast",
    "distribute",
    "cluster-by",
    "order-limit",
    "limit-offset",
    "project",
    "exists-stream",
    "exists-late-bounds",
    "exists-filtered-late-bounds",
    "exists-late-values",
    "exists-late-twice",
    "exists-groups",
    "in-late-bounds",
    "in-late-time",
    "in-late-converted",
    "not-in-late-bounds",
    "not-exists-late-bounds",
    "not-exists-stream",
    "exists-or-stream",
    "correlated-stream",
    "table-scalar",
    "exists-table",
    "group-only-session",
    "group-all-count-distinct",
    "group-approximate",
    "group-having",
    "group-having-window",
    "over-window",
    "union-all-swapped-table",
    "union-table",
    "union-swapped-table",
    "intersect-swapped-table",
    "intersect-late",
    "intersect-all-table",
    "intersect-all-swapped-table",
    "intersect-all-stream",
    "intersect-all-late",
    "except-late",
    "except-all-table",
    "except-all-swapped-table",
    "except-all-stream",
    "except-all-late",
}
PAIRED = [
    *(name for name in (*ROWS, *SUBQUERIES, *AGGREGATIONS, *SET_OPERATIONS) if name not in _SINGLE_ONLY),
    *_PAIRED_JOINS,
]
"""The operations of pairs: one of each kind."""

Path = tuple[str, ...]
"""The name of an input, and the names of operations from the inside out."""


def singles() -> list[Path]:
    """Return every input alone, and every operation over every input."""
    return [*((read,) for read in INPUTS), *itertools.product(INPUTS, OPERATIONS)]


def pairs() -> list[Path]:
    """Return every operation over every operation, over every input."""
    return list(itertools.product(INPUTS, PAIRED, PAIRED))


def everyday() -> list[Path]:
    """Return the everyday queries, and the way around each."""
    return [("everyday", name, which) for name in EVERYDAY for which in ("refused", "instead")]


def text_of(path: Path) -> str:
    """Return the SQL of a query."""
    if path[0] == "everyday":
        return EVERYDAY[path[1]][path[2] == "instead"]
    read = INPUTS[path[0]]
    if len(path) == 1:
        return f"SELECT * FROM {read} AS t"
    for name in path[1:-1]:
        read = f"({OPERATIONS[name].replace('{in}', read)})"
    return OPERATIONS[path[-1]].replace("{in}", read)
