"""Streaming SQL in Flink's dialect, by the pages of Flink's documentation, with what becomes of each query on Spark.

A query either runs, in the output modes that are listed, or is refused with a reason. The tables are a stream of bids
with a time and a watermark, streams of orders and shipments, a table of customers, and versions of rates, as a table
and as a stream.

Source of the kinds: https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/reference/queries/overview/
"""

from __future__ import annotations

import attrs

WATERMARKED = "{name} ({columns}, WATERMARK FOR {time} AS {time} - INTERVAL '5' SECOND)"
COLUMNS = {
    "bid": "bidtime TIMESTAMP_LTZ(3), price DECIMAL(10, 2), item STRING, supplier STRING",
    "orders": "id BIGINT, order_time TIMESTAMP_LTZ(3), amount INT, currency STRING",
    "shipments": "order_id BIGINT, ship_time TIMESTAMP_LTZ(3)",
    "customers": "customer_id BIGINT, name STRING",
    "rates": "code STRING, rate INT, since TIMESTAMP_LTZ(3), PRIMARY KEY (code) NOT ENFORCED",
    "changes": "code STRING, rate INT, since TIMESTAMP_LTZ(3), PRIMARY KEY (code) NOT ENFORCED",
}
TIMES = {"bid": "bidtime", "orders": "order_time", "shipments": "ship_time", "rates": "since", "changes": "since"}
STREAMS = ("bid", "orders", "shipments", "changes")


@attrs.frozen
class FlinkQuery:
    """A query, and either the first letters of the output modes in which it runs, or why it is refused."""

    text: str
    modes: str = ""
    reason: str = ""


def _tumble(table: str, time: str, minutes: int = 10) -> str:
    return f"TABLE(TUMBLE(TABLE {table}, DESCRIPTOR({time}), INTERVAL '{minutes}' MINUTES))"


def _cumulate(table: str, time: str) -> str:
    return f"TABLE(CUMULATE(TABLE {table}, DESCRIPTOR({time}), INTERVAL '2' MINUTES, INTERVAL '10' MINUTES))"


_BIDS = _tumble("bid", "bidtime")
_CUMULATED = _cumulate("bid", "bidtime")
_WINDOW = "window_start, window_end"
_FIVE_MINUTES = (
    "SELECT window_time AS rowtime, supplier, SUM(price) AS part "
    f"FROM {_tumble('bid', 'bidtime', 5)} GROUP BY {_WINDOW}, window_time, supplier"
)
_SUMS = f"SELECT {_WINDOW}, supplier, SUM(price) AS price, COUNT(*) AS bids FROM {_BIDS} GROUP BY {_WINDOW}, supplier"
_BOUNDS = "s.ship_time BETWEEN o.order_time AND o.order_time + INTERVAL '4' HOUR"

QUERIES: dict[str, FlinkQuery] = {
    "select": FlinkQuery("SELECT id, amount * 2 AS twice FROM orders WHERE amount > 2", "au"),
    "tumble": FlinkQuery(f"SELECT {_WINDOW}, SUM(price) AS total FROM {_BIDS} GROUP BY {_WINDOW}", "auc"),
    "tumble_by_names": FlinkQuery(
        f"SELECT {_WINDOW}, SUM(price) AS total FROM TABLE(TUMBLE(DATA => TABLE bid, TIMECOL => DESCRIPTOR(bidtime), "
        f"SIZE => INTERVAL '10' MINUTES)) GROUP BY {_WINDOW}",
        "auc",
    ),
    "rows_in_windows": FlinkQuery(f"SELECT * FROM {_BIDS}", "au"),
    "hop": FlinkQuery(
        f"SELECT {_WINDOW}, SUM(price) AS total FROM TABLE(HOP(TABLE bid, DESCRIPTOR(bidtime), INTERVAL '5' MINUTES, "
        f"INTERVAL '10' MINUTES)) GROUP BY {_WINDOW}",
        "auc",
    ),
    "cumulate": FlinkQuery(f"SELECT {_WINDOW}, SUM(price) AS total FROM {_CUMULATED} GROUP BY {_WINDOW}", "auc"),
    "cumulate_with_offset": FlinkQuery(
        f"SELECT {_WINDOW}, supplier, COUNT(*) AS n FROM TABLE(CUMULATE(TABLE bid, DESCRIPTOR(bidtime), "
        f"INTERVAL '2' MINUTES, INTERVAL '10' MINUTES, INTERVAL '3' MINUTES)) GROUP BY {_WINDOW}, supplier",
        "auc",
    ),
    "rows_in_cumulative_windows": FlinkQuery(f"SELECT * FROM {_CUMULATED}", "au"),
    "grouping_sets_of_cumulative_windows": FlinkQuery(
        f"SELECT {_WINDOW}, supplier, SUM(price) AS total FROM {_CUMULATED} "
        f"GROUP BY {_WINDOW}, GROUPING SETS ((supplier), ())",
        "uc",
    ),
    "first_rows_in_cumulative_windows": FlinkQuery(
        f"SELECT item, price, n, {_WINDOW} FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY {_WINDOW} "
        f"ORDER BY price DESC, bidtime) AS n FROM {_CUMULATED}) WHERE n <= 2",
        "auc",
    ),
    "windows_of_cumulative_windows": FlinkQuery(
        f"WITH parts AS (SELECT window_time AS rowtime, supplier, SUM(price) AS part FROM {_CUMULATED} "
        f"GROUP BY {_WINDOW}, window_time, supplier) SELECT {_WINDOW}, SUM(part) AS total "
        f"FROM {_tumble('parts', 'rowtime')} GROUP BY {_WINDOW}",
        "a",
    ),
    "join_of_cumulative_windows": FlinkQuery(
        "SELECT l.id, r.order_id, l.window_start, l.window_end "
        f"FROM (SELECT * FROM {_cumulate('orders', 'order_time')}) l "
        f"JOIN (SELECT * FROM {_cumulate('shipments', 'ship_time')}) r "
        "ON l.id = r.order_id AND l.window_start = r.window_start AND l.window_end = r.window_end",
        "au",
    ),
    "session": FlinkQuery(
        f"SELECT {_WINDOW}, item, SUM(price) AS total FROM TABLE(SESSION(TABLE bid PARTITION BY item, "
        f"DESCRIPTOR(bidtime), INTERVAL '5' MINUTES)) GROUP BY item, {_WINDOW}",
        "ac",
    ),
    "session_of_all": FlinkQuery(
        f"SELECT {_WINDOW}, SUM(price) AS total FROM TABLE(SESSION(TABLE bid, DESCRIPTOR(bidtime), "
        f"INTERVAL '5' MINUTES)) GROUP BY {_WINDOW}",
        reason="Spark keeps sessions of a stream for each key, and GROUP BY has none beside the session",
    ),
    "grouping_sets_of_windows": FlinkQuery(
        f"SELECT {_WINDOW}, supplier, SUM(price) AS total FROM {_BIDS} "
        f"GROUP BY {_WINDOW}, GROUPING SETS ((supplier), ())",
        "auc",
    ),
    "rollup_of_windows": FlinkQuery(
        f"SELECT {_WINDOW}, supplier, SUM(price) AS total FROM {_BIDS} GROUP BY {_WINDOW}, ROLLUP (supplier)", "auc"
    ),
    "windows_of_windows": FlinkQuery(
        f"WITH parts AS ({_FIVE_MINUTES}) SELECT {_WINDOW}, SUM(part) AS total FROM {_tumble('parts', 'rowtime')} "
        f"GROUP BY {_WINDOW}",
        "a",
    ),
    "groups_of_windows": FlinkQuery(
        f"SELECT {_WINDOW}, MAX(price) AS most FROM ({_SUMS}) WHERE bids > 0 GROUP BY {_WINDOW}", "a"
    ),
    "group_window": FlinkQuery(
        "SELECT item, TUMBLE_START(bidtime, INTERVAL '1' DAY) AS day, SUM(price) AS total FROM bid "
        "GROUP BY TUMBLE(bidtime, INTERVAL '1' DAY), item",
        "auc",
    ),
    "group_all": FlinkQuery("SELECT COUNT(*) AS n FROM orders", "uc"),
    "group_by_key": FlinkQuery("SELECT currency, SUM(amount) AS total FROM orders GROUP BY currency", "uc"),
    "having": FlinkQuery(
        "SELECT currency, SUM(amount) AS total FROM orders GROUP BY currency HAVING SUM(amount) > 5", "uc"
    ),
    "distinct_aggregate": FlinkQuery(
        "SELECT SUM(DISTINCT amount) AS total FROM orders", reason=r"SUM\(DISTINCT …\) over a stream is not supported"
    ),
    "over": FlinkQuery(
        "SELECT id, SUM(amount) OVER (PARTITION BY currency ORDER BY order_time RANGE BETWEEN INTERVAL '1' HOUR "
        "PRECEDING AND CURRENT ROW) AS total FROM orders",
        reason="OVER needs all rows of a partition, and those of a stream do not end. Group by a window of time",
    ),
    "distinct": FlinkQuery("SELECT DISTINCT currency FROM orders", "uc"),
    "interval_join": FlinkQuery(
        "SELECT o.id, s.ship_time FROM orders o, shipments s WHERE o.id = s.order_id AND o.order_time BETWEEN "
        "s.ship_time - INTERVAL '4' HOUR AND s.ship_time",
        "au",
    ),
    "left_interval_join": FlinkQuery(
        f"SELECT o.id, o.order_time, s.ship_time FROM orders o LEFT JOIN shipments s "
        f"ON o.id = s.order_id AND {_BOUNDS}",
        "a",
    ),
    "full_interval_join": FlinkQuery(
        f"SELECT o.id, o.order_time, s.ship_time FROM orders o FULL JOIN shipments s "
        f"ON o.id = s.order_id AND {_BOUNDS}",
        "a",
    ),
    "join_without_bounds": FlinkQuery(
        "SELECT * FROM orders JOIN shipments ON orders.id = shipments.order_id",
        reason="The join keeps all rows of the left stream and the right stream for ever",
    ),
    "join_with_a_table": FlinkQuery(
        "SELECT o.id, c.name FROM orders AS o JOIN customers AS c ON o.id = c.customer_id", "au"
    ),
    "lookup_join": FlinkQuery(
        "SELECT o.id, c.name FROM orders AS o JOIN customers FOR SYSTEM_TIME AS OF o.order_time AS c "
        "ON o.id = c.customer_id",
        reason="customers has no versions: a temporal join reads a table that declares a primary key and a watermark",
    ),
    "temporal_join": FlinkQuery(
        "SELECT o.id, o.order_time, o.amount * r.rate AS total FROM orders AS o "
        "JOIN rates FOR SYSTEM_TIME AS OF o.order_time AS r ON o.currency = r.code",
        "au",
    ),
    "left_temporal_join": FlinkQuery(
        "SELECT id, order_time, rate FROM orders LEFT JOIN rates FOR SYSTEM_TIME AS OF orders.order_time "
        "ON orders.currency = rates.code WHERE amount > 1",
        "au",
    ),
    "windows_of_a_temporal_join": FlinkQuery(
        "WITH valued AS (SELECT o.order_time, o.amount * r.rate AS value, r.code FROM orders AS o "
        "JOIN rates FOR SYSTEM_TIME AS OF o.order_time AS r ON o.currency = r.code) "
        f"SELECT {_WINDOW}, code, SUM(value) AS total FROM {_tumble('valued', 'order_time')} "
        f"GROUP BY {_WINDOW}, code",
        "auc",
    ),
    "temporal_join_with_a_stream": FlinkQuery(
        "SELECT o.id FROM orders AS o JOIN changes FOR SYSTEM_TIME AS OF o.order_time AS r ON o.currency = r.code",
        reason="The closest row of a stream is never known",
    ),
    "temporal_join_on_another_condition": FlinkQuery(
        "SELECT o.id FROM orders AS o JOIN rates FOR SYSTEM_TIME AS OF o.order_time AS r "
        "ON o.currency = r.code AND r.rate > 1",
        reason=r"compares each column of the primary key \(code\) with a value of the relation before the join by =",
    ),
    "right_temporal_join": FlinkQuery(
        "SELECT r.rate FROM orders AS o RIGHT JOIN rates FOR SYSTEM_TIME AS OF o.order_time AS r "
        "ON o.currency = r.code",
        reason=r"A temporal join is \[INNER\] JOIN or LEFT \[OUTER\] JOIN, with ON",
    ),
    "window_join": FlinkQuery(
        f"SELECT l.id, r.order_id, l.window_start FROM (SELECT * FROM {_tumble('orders', 'order_time')}) l "
        f"JOIN (SELECT * FROM {_tumble('shipments', 'ship_time')}) r "
        "ON l.id = r.order_id AND l.window_start = r.window_start AND l.window_end = r.window_end",
        "au",
    ),
    "left_window_join": FlinkQuery(
        f"SELECT l.id, r.order_id, l.window_start FROM (SELECT * FROM {_tumble('orders', 'order_time')}) l "
        f"LEFT JOIN (SELECT * FROM {_tumble('shipments', 'ship_time')}) r "
        "ON l.id = r.order_id AND l.window_start = r.window_start AND l.window_end = r.window_end",
        "a",
    ),
    "unnest": FlinkQuery("SELECT id, x FROM orders CROSS JOIN UNNEST(ARRAY[amount, amount + 1]) AS t (x)", "au"),
    "union": FlinkQuery("SELECT id FROM orders UNION SELECT order_id FROM shipments", "uc"),
    "union_all": FlinkQuery("SELECT id FROM orders UNION ALL SELECT order_id FROM shipments", "au"),
    "intersect": FlinkQuery(
        "SELECT id FROM orders INTERSECT SELECT order_id FROM shipments",
        reason="INTERSECT over a stream is not supported",
    ),
    "order_by_time": FlinkQuery("SELECT * FROM orders ORDER BY order_time", reason="ORDER BY over a stream has no"),
    "limit": FlinkQuery("SELECT id FROM orders LIMIT 3", "a"),
    "first_rows": FlinkQuery(
        "SELECT currency, id, amount, n FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY currency ORDER BY amount DESC, "
        "id) AS n FROM orders) WHERE n <= 2",
        "uc",
    ),
    "first_rows_of_windows": FlinkQuery(
        f"SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY {_WINDOW} ORDER BY price DESC) AS n "
        f"FROM ({_SUMS})) WHERE n <= 2",
        "a",
    ),
    "first_rows_in_windows": FlinkQuery(
        f"SELECT item, price, bidtime, n FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY {_WINDOW}, supplier "
        f"ORDER BY price DESC, bidtime ASC) AS n FROM {_BIDS}) WHERE n < 3",
        "auc",
    ),
    "second_row_in_windows": FlinkQuery(
        f"SELECT item, n FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY {_WINDOW} ORDER BY bidtime) AS n "
        f"FROM {_BIDS}) WHERE n = 2 AND item <> 'x'",
        "auc",
    ),
    "deduplication": FlinkQuery(
        "SELECT id, currency FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY currency ORDER BY order_time ASC) AS n "
        "FROM orders) WHERE n = 1",
        "uc",
    ),
    "deduplication_in_windows": FlinkQuery(
        f"SELECT bidtime, price, item FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY {_WINDOW} "
        f"ORDER BY bidtime DESC) AS n FROM {_BIDS}) WHERE n <= 1",
        "auc",
    ),
    "rank": FlinkQuery(
        "SELECT * FROM (SELECT *, RANK() OVER (PARTITION BY currency ORDER BY amount) AS n FROM orders) WHERE n <= 2",
        reason="OVER needs all rows of a partition",
    ),
    "row_number_without_a_limit": FlinkQuery(
        "SELECT *, ROW_NUMBER() OVER (PARTITION BY currency ORDER BY amount) AS n FROM orders",
        reason="OVER needs all rows of a partition, and those of a stream do not end. Keep the first rows of each",
    ),
    "pattern": FlinkQuery(
        "SELECT * FROM orders MATCH_RECOGNIZE (PARTITION BY currency ORDER BY order_time MEASURES A.id AS a "
        "PATTERN (A B) DEFINE B AS B.amount > A.amount)",
        reason="MATCH_RECOGNIZE finds patterns in the order of rows, for which Spark has no operation",
    ),
    "with": FlinkQuery(
        "WITH large AS (SELECT * FROM orders WHERE amount > 2) SELECT currency, COUNT(*) AS n FROM large "
        "GROUP BY currency",
        "uc",
    ),
}
