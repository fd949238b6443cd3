"""Everyday queries over streams that some or all output modes refuse, each with the way around."""

from __future__ import annotations

DELAY = "WATERMARK ts DELAY OF INTERVAL 10 SECONDS"
_HOUR = "ON l.k = r.k AND r.ts BETWEEN l.ts - INTERVAL 1 HOUR AND l.ts + INTERVAL 1 HOUR"
_WINDOWED = f"SELECT window, k, count(*) AS n FROM s1 {DELAY} AS t GROUP BY window(ts, '10 seconds'), k"
EVERYDAY = {
    "over": (
        "SELECT k, sum(v) OVER (PARTITION BY k ORDER BY ts) AS total FROM s1",
        f"SELECT k, window, sum(v) AS total FROM s1 {DELAY} AS t GROUP BY k, window(ts, '10 seconds')",
    ),
    "row-number": (
        "SELECT *, row_number() OVER (PARTITION BY k ORDER BY ts) AS n FROM s1",
        "SELECT k, v FROM (SELECT *, row_number() OVER (PARTITION BY k ORDER BY ts) AS n FROM s1) WHERE n = 1",
    ),
    "order-by": ("SELECT * FROM s1 ORDER BY ts", "SELECT k, count(*) AS n FROM s1 GROUP BY k ORDER BY n"),
    "limit": ("SELECT k, count(*) AS n FROM s1 GROUP BY k LIMIT 3", "SELECT * FROM s1 LIMIT 3"),
    "offset": ("SELECT * FROM s1 OFFSET 3", "SELECT * FROM s1 WHERE ts > TIMESTAMP '2026-01-01 00:00:00'"),
    "sample": ("SELECT * FROM s1 TABLESAMPLE (5 PERCENT)", "SELECT * FROM s1 WHERE abs(hash(k)) % 100 < 5"),
    "intersect": (
        "SELECT k FROM s1 INTERSECT SELECT k FROM s2",
        f"SELECT DISTINCT l.k, l.ts FROM s1 {DELAY} AS l JOIN s2 {DELAY} AS r {_HOUR}",
    ),
    "except": (
        "SELECT k FROM s1 EXCEPT SELECT k FROM s2",
        f"SELECT l.k FROM s1 {DELAY} AS l LEFT JOIN s2 {DELAY} AS r {_HOUR} WHERE r.k IS NULL",
    ),
    "union-with-table": ("SELECT k FROM s1 UNION ALL SELECT k FROM b1", "SELECT k FROM s1 UNION ALL SELECT k FROM s2"),
    "subquery": (
        "SELECT * FROM s1 WHERE k IN (SELECT k FROM s2)",
        f"SELECT l.* FROM s1 {DELAY} AS l LEFT SEMI JOIN s2 {DELAY} AS r {_HOUR}",
    ),
    "anti-join": (
        f"SELECT l.k FROM s1 {DELAY} AS l LEFT ANTI JOIN s2 {DELAY} AS r {_HOUR}",
        f"SELECT l.k FROM s1 {DELAY} AS l LEFT JOIN s2 {DELAY} AS r {_HOUR} WHERE r.k IS NULL",
    ),
    "scalar-subquery": (
        "SELECT k, (SELECT max(v) FROM s2) AS v FROM s1",
        f"SELECT l.k, r.v FROM s1 {DELAY} AS l JOIN s2 {DELAY} AS r {_HOUR}",
    ),
    "table-semi-join": (
        f"SELECT k FROM b1 WHERE EXISTS (SELECT 1 FROM s1 {DELAY} AS t WHERE t.k = b1.k)",
        f"SELECT DISTINCT b1.k, t.ts FROM s1 {DELAY} AS t JOIN b1 ON b1.k = t.k",
    ),
    "count-distinct": (
        f"SELECT window, count(DISTINCT v) AS n FROM s1 {DELAY} AS t GROUP BY window(ts, '10 seconds')",
        f"SELECT window, approx_count_distinct(v) AS n FROM s1 {DELAY} AS t GROUP BY window(ts, '10 seconds')",
    ),
    "count-distinct-exactly": (
        f"SELECT window, count(DISTINCT v) AS n FROM s1 {DELAY} AS t GROUP BY window(ts, '10 seconds')",
        "SELECT w, count(*) AS n FROM (SELECT DISTINCT w, v FROM "
        f"(SELECT window(ts, '10 seconds') AS w, v FROM s1 {DELAY} AS t)) GROUP BY w",
    ),
    "table-left-join-stream": (
        "SELECT b1.name, s1.v FROM b1 LEFT JOIN s1 ON b1.k = s1.k",
        "SELECT b1.name, s1.v FROM s1 LEFT JOIN b1 ON b1.k = s1.k",
    ),
    "left-join": (
        "SELECT l.k, r.v FROM s1 AS l LEFT JOIN s2 AS r ON l.k = r.k",
        f"SELECT l.k, r.v FROM s1 {DELAY} AS l LEFT JOIN s2 {DELAY} AS r {_HOUR}",
    ),
    "left-join-without-bounds": (
        f"SELECT l.k, r.v FROM s1 {DELAY} AS l LEFT JOIN s2 {DELAY} AS r ON l.k = r.k",
        f"SELECT l.k, r.v FROM s1 {DELAY} AS l LEFT JOIN s2 {DELAY} AS r ON l.k = r.k AND l.ts = r.ts",
    ),
    "inner-join": (
        "SELECT l.k, r.v FROM s1 AS l JOIN s2 AS r ON l.k = r.k",
        "SELECT /*+ UNBOUNDED_STATE */ l.k, r.v FROM s1 AS l JOIN s2 AS r ON l.k = r.k",
    ),
    "cross-join": (
        "SELECT l.k, r.v FROM s1 AS l CROSS JOIN s2 AS r",
        f"SELECT l.k, r.v FROM s1 {DELAY} AS l, s2 {DELAY} AS r WHERE l.k = r.k AND l.ts = r.ts",
    ),
    "group-without-watermark": ("SELECT k, count(*) AS n FROM s1 GROUP BY k", _WINDOWED),
    "group-of-groups": (
        "SELECT n, count(*) AS m FROM (SELECT k, count(*) AS n FROM s1 GROUP BY k) GROUP BY n",
        f"SELECT window, max(n) AS most FROM ({_WINDOWED}) GROUP BY window",
    ),
    "union": (
        "SELECT k FROM s1 UNION SELECT k FROM s2",
        f"SELECT k, ts FROM s1 {DELAY} AS t UNION SELECT k, ts FROM s2 {DELAY} AS t",
    ),
    "distinct": ("SELECT DISTINCT k FROM s1", f"SELECT DISTINCT k, ts FROM s1 {DELAY} AS t"),
    "session": (
        "SELECT k, count(*) AS n FROM s1 AS t GROUP BY k, session_window(ts, '5 seconds')",
        f"SELECT k, count(*) AS n FROM s1 {DELAY} AS t GROUP BY k, session_window(ts, '5 seconds')",
    ),
    "window-start": (
        f"SELECT window(ts, '10 seconds').start AS s, count(*) AS n FROM s1 {DELAY} AS t "
        "GROUP BY window(ts, '10 seconds').start",
        f"SELECT window.start AS s, count(*) AS n FROM s1 {DELAY} AS t GROUP BY window(ts, '10 seconds')",
    ),
    "row-numbers": ("SELECT monotonically_increasing_id() AS id, v FROM s1", "SELECT uuid() AS id, v FROM s1"),
    "nearest": (
        "SELECT l.k, r.name FROM s1 AS l JOIN b1 AS r APPROX NEAREST 1 BY DISTANCE abs(l.v - r.v)",
        f"SELECT l.k, l.ts, min_by(r.name, abs(l.v - r.v)) AS name FROM s1 {DELAY} AS l JOIN b1 AS r ON l.k = r.k "
        "GROUP BY l.k, l.ts",
    ),
}
"""The query that is refused, and the way around, by name."""
