"""Calls of process table functions in Python, each with equivalent SQL texts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import attrs

from tableapi import DataTypes, Table, TableEnvironment
from tableapi.expressions import call, col, descriptor, lit

Build = Callable[[TableEnvironment], Table]


@attrs.frozen
class Call:
    """A call and its equivalents in SQL.

    Attributes:
        build: builds the call.
        sql: texts in our dialect that give the same tree.
        flink: texts in Flink's dialect that give the same tree.
        schema: the columns of the result.
        no_flink: the expected error message if there is no text for Flink.
    """

    build: Build
    schema: str
    sql: tuple[str, ...] = ()
    flink: tuple[str, ...] = ()
    no_flink: str | None = None


CALLS: dict[str, Call] = {}


def given(
    name: str,
    build: Build,
    schema: str,
    *sql: str,
    flink: tuple[str, ...] = (),
    no_flink: str | None = None,
) -> None:
    """Register a call."""
    assert name not in CALLS
    CALLS[name] = Call(build, schema, sql, flink, no_flink)


given(
    "process_scalars",
    lambda env: env.from_call("scalars", 42, True),
    "(`name` STRING NOT NULL, `score` BIGINT)",
    "SELECT * FROM scalars(42, TRUE)",
    "SELECT * FROM scalars(i => 42, b => TRUE)",
    "SELECT * FROM scalars(b => TRUE, i => 42)",
    "SELECT * FROM TABLE(scalars(42, TRUE)) AS s",
    "SELECT name, score FROM `SCALARS`(i => 42L, b => TRUE, uid => 'scalars')",
    flink=("SELECT * FROM TABLE(scalars(42, TRUE, DEFAULT, 'scalars'))",),
)
given(
    "process_scalars_without_the_optional_one",
    lambda env: env.from_call("scalars", lit(1).as_argument("i"), uid="mine"),
    "(`name` STRING NOT NULL, `score` BIGINT)",
    "SELECT * FROM scalars(1, DEFAULT, DEFAULT, 'mine')",
    "SELECT * FROM scalars(i => 1, b => NULL, uid => 'mine')",
    "SELECT * FROM scalars(i => 1, b => DEFAULT, uid => 'mine')",
)
given(
    "process_nothing",
    lambda env: env.from_call("nothing_"),
    "(`EXPR$0` STRING NOT NULL)",
    "SELECT * FROM nothing_()",
)
given(
    "process_by_row",
    lambda env: env.from_path("customers").process("by_row", 7),
    "(`EXPR$0` STRING NOT NULL)",
    "SELECT * FROM by_row(TABLE(customers), 7)",
    "SELECT * FROM by_row(TABLE customers, 7)",
    "SELECT * FROM by_row(customers, 7)",
    "SELECT * FROM by_row(r => customers, i => 7)",
    "SELECT * FROM by_row((SELECT * FROM customers), 7)",
    "SELECT * FROM by_row(i => 7, r => TABLE(SELECT * FROM customers) AS c)",
    "WITH t AS (SELECT * FROM customers) SELECT * FROM by_row(t, 7)",
    flink=(
        "SELECT * FROM by_row(TABLE customers, 7)",
        "SELECT * FROM TABLE(by_row(r => (SELECT * FROM customers), i => 7))",
    ),
)
given(
    "process_by_set",
    lambda env: env.from_path("customers").partition_by(col("city"), col("gender")).process("by_set"),
    "(`city` STRING, `gender` STRING, `count` BIGINT NOT NULL)",
    "SELECT * FROM by_set(r => TABLE(customers) PARTITION BY (city, gender))",
    "SELECT * FROM by_set(TABLE customers AS c PARTITION BY (c.city, c.gender), 1)",
    "SELECT s.* FROM by_set(TABLE(customers) PARTITION BY (city, gender)) AS s",
    flink=(
        "SELECT * FROM by_set(r => TABLE customers PARTITION BY (city, gender))",
        "SELECT * FROM TABLE(by_set((SELECT * FROM customers) PARTITION BY (city, gender), 1, DEFAULT, 'by_set'))",
    ),
)
given(
    "process_by_expressions",
    lambda env: (
        env.from_path("customers")
        .partition_by(col("name").upper_case, col("id") % 2, col("id"))
        .order_by(col("name").char_length.desc.nulls_first, col("zip_code"))
        .process("by_set", i=3)
    ),
    "(`EXPR$0` STRING, `EXPR$1` INT, `id` INT, `count` BIGINT NOT NULL)",
    "SELECT * FROM by_set(TABLE(customers) PARTITION BY (UPPER(name), id % 2, id) "
    "ORDER BY (CHAR_LENGTH(name) DESC NULLS FIRST, zip_code), 3)",
    no_flink="Flink takes columns alone",
)
given(
    "process_with_time",
    lambda env: (
        env.from_path("orders")
        .partition_by(col("customer_id"))
        .process("count_with_timeout", on_time=descriptor("ordered_at"), uid="main-counting")
    ),
    "(`customer_id` INT, `count` BIGINT NOT NULL, `rowtime` TIMESTAMP)",
    "SELECT * FROM count_with_timeout(input => TABLE(orders) PARTITION BY customer_id, "
    "on_time => DESCRIPTOR(ORDERED_AT), uid => 'main-counting')",
    "SELECT * FROM count_with_timeout(TABLE(orders) PARTITION BY customer_id, DESCRIPTOR(`ordered_at`), "
    "'main-counting')",
    flink=(
        "SELECT * FROM TABLE(count_with_timeout((SELECT * FROM orders) PARTITION BY (customer_id), "
        "DESCRIPTOR(`ordered_at`), 'main-counting'))",
    ),
)
given(
    "process_in_order",
    lambda env: (
        env.from_path("orders")
        .partition_by(col("customer_id"))
        .order_by(col("ordered_at").asc, col("amount").desc)
        .process("timed", on_time=descriptor("ordered_at"))
    ),
    "(`customer_id` INT, `name` STRING NOT NULL, `score` BIGINT, `rowtime` TIMESTAMP)",
    "SELECT * FROM timed(r => TABLE(orders) PARTITION BY customer_id ORDER BY (ordered_at ASC, amount DESC), "
    "on_time => DESCRIPTOR(ordered_at))",
    flink=(
        "SELECT * FROM timed(r => (SELECT * FROM orders) PARTITION BY (customer_id) "
        "ORDER BY (ordered_at ASC, amount DESC), on_time => DESCRIPTOR(ordered_at))",
    ),
)
given(
    "process_one_partition",
    lambda env: env.from_path("nothing").process("whole", descriptor("a", "b")),
    "(`EXPR$0` STRING NOT NULL)",
    "SELECT * FROM whole(TABLE nothing, DESCRIPTOR(a, b))",
    "SELECT * FROM whole(TABLE nothing WITH SINGLE PARTITION, d => DESCRIPTOR(a, b))",
)
given(
    "process_one_partition_in_order",
    lambda env: env.from_call("whole", env.from_path("events").as_argument("r").order_by(col("ts"), col("v").desc)),
    "(`EXPR$0` STRING NOT NULL)",
    "SELECT * FROM whole(TABLE(events) ORDER BY (ts, v DESC))",
    no_flink="takes ORDER BY after PARTITION BY alone",
)
given(
    "process_passing_through",
    lambda env: env.from_path("left_bag").process("passing"),
    "(`x` INT, `y` STRING, `EXPR$0` STRING NOT NULL)",
    "SELECT * FROM passing(left_bag)",
)
given(
    "process_passing_through_sets",
    lambda env: (
        env.from_path("events")
        .select(col("k").alias("EXPR$0"), col("k").alias("rowtime"), col("ts"))
        .partition_by(col("rowtime"))
        .process("passing_sets", on_time=descriptor("ts"))
    ),
    "(`EXPR$0` STRING, `rowtime` STRING, `ts` TIMESTAMP, `EXPR$00` STRING NOT NULL, `rowtime0` TIMESTAMP)",
    "SELECT * FROM passing_sets(TABLE(SELECT k AS `EXPR$0`, k AS rowtime, ts FROM events) PARTITION BY rowtime, "
    "on_time => DESCRIPTOR(ts))",
)
given(
    "process_nested_keys",
    lambda env: (
        env.from_path("products")
        .partition_by(col("size").get("box").get("depth"), col("product"))
        .order_by(col("size").get("width").desc)
        .process("nested_keys")
    ),
    "(`size$box$depth` DOUBLE, `product` STRING, `EXPR$0` STRING NOT NULL)",
    "SELECT * FROM nested_keys(TABLE(products) AS p PARTITION BY (size.box.depth, p.product) ORDER BY p.size.width "
    "DESC)",
    no_flink="Flink takes columns alone",
)
given(
    "process_typed",
    lambda env: env.from_path("customers").process("typed_by_row", uid="u"),
    "(`EXPR$0` STRING NOT NULL)",
    "SELECT * FROM typed_by_row(TABLE(customers), uid => 'u')",
)
given(
    "process_typed_by_position",
    lambda env: env.from_path("left_bag").process("typed_by_row", 2),
    "(`EXPR$0` STRING NOT NULL)",
    "SELECT * FROM typed_by_row(TABLE left_bag, 2)",
)
given(
    "process_two_tables",
    lambda env: env.from_call(
        "one_match_join",
        env.from_path("customers").partition_by(col("id")).as_argument("customer"),
        env.from_path("orders").partition_by(col("customer_id").cast(DataTypes.BIGINT())).as_argument("orders"),
    ),
    "(`id` BIGINT, `customer_id-BIGINT` BIGINT, `customer` ROW<`id` BIGINT NOT NULL, `name` STRING> NOT NULL, "
    "`order` ROW<`order_id` BIGINT NOT NULL, `amount` DOUBLE> NOT NULL)",
    "SELECT * FROM one_match_join(customer => TABLE(customers) PARTITION BY id, "
    "orders => TABLE(orders) PARTITION BY CAST(customer_id AS BIGINT) COPARTITION (customers, orders))",
    "SELECT * FROM one_match_join(TABLE(customers) AS c PARTITION BY id, "
    "TABLE(orders) AS o PARTITION BY CAST(customer_id AS BIGINT), COPARTITION (c, o))",
    no_flink="Flink takes columns alone",
)
given(
    "process_two_tables_at_the_same_time",
    lambda env: env.from_call(
        "inferred",
        left=env.from_path("events").select(col("k"), col("ts")).partition_by(col("k")),
        right=env.from_path("events")
        .filter(col("v") > 1)
        .select(col("k"), col("ts"))
        .partition_by(col("k"))
        .copartition_with("left"),
        copies=2,
        wanted=descriptor("a b", "c"),
        on_time=descriptor("ts"),
    ),
    "(`k` STRING, `k0` STRING, `left0` ROW<`k` STRING, `ts` TIMESTAMP> NOT NULL, "
    "`left1` ROW<`k` STRING, `ts` TIMESTAMP> NOT NULL, `right` ROW<`k` STRING, `ts` TIMESTAMP> NOT NULL, "
    "`rowtime` TIMESTAMP)",
    "SELECT * FROM inferred(TABLE(SELECT k, ts FROM events) AS a PARTITION BY k, "
    "TABLE(SELECT k, ts FROM events WHERE v > 1) AS b PARTITION BY k COPARTITION (a, b), 2, DESCRIPTOR(`a b`, c), "
    "DESCRIPTOR(ts))",
    flink=(
        "WITH a AS (SELECT k, ts FROM events), b AS (SELECT k, ts FROM events WHERE v > 1) "
        "SELECT * FROM inferred(`left` => TABLE a PARTITION BY k, `right` => TABLE b PARTITION BY k, copies => 2, "
        "wanted => DESCRIPTOR(`a b`, c), on_time => DESCRIPTOR(ts))",
    ),
)
given(
    "process_two_times_that_differ_in_case",
    lambda env: env.from_call(
        "inferred",
        env.from_path("events").select(col("k"), col("ts")).partition_by(col("k")),
        env.from_path("events").select(col("k"), col("ts").alias("TS")).partition_by(col("k")),
        on_time=descriptor("Ts"),
    ),
    "(`k` STRING, `k0` STRING, `left0` ROW<`k` STRING, `ts` TIMESTAMP> NOT NULL, "
    "`right` ROW<`k` STRING, `TS` TIMESTAMP> NOT NULL, `rowtime` TIMESTAMP)",
    "SELECT * FROM inferred(TABLE(SELECT k, ts FROM events) PARTITION BY k, "
    "TABLE(SELECT k, ts AS TS FROM events) PARTITION BY k, on_time => DESCRIPTOR(TS))",
    no_flink="'TS' and another name of a time differ in case",
)
given(
    "process_computed_time",
    lambda env: (
        env.from_path("events")
        .select(col("k"), col("day").cast(DataTypes.TIMESTAMP()).alias("at"))
        .filter(col("k") != "")
        .partition_by(col("k"))
        .process("count_with_timeout", on_time=descriptor("at"))
    ),
    "(`k` STRING, `count` BIGINT NOT NULL, `rowtime` TIMESTAMP)",
    "SELECT * FROM count_with_timeout(TABLE(SELECT * FROM (SELECT k, CAST(day AS TIMESTAMP_NTZ) AS at FROM events) "
    "WHERE k <> '') PARTITION BY k, DESCRIPTOR(at))",
    no_flink="the time 'at' is computed",
)
given(
    "process_two_whole_tables",
    lambda env: env.from_call("inferred_optional", env.from_path("left_bag"), env.from_path("right_bag")),
    "(`EXPR$0` STRING NOT NULL)",
    "SELECT * FROM inferred_optional(left_bag, TABLE right_bag)",
)
given(
    "process_hinted",
    lambda env: env.from_path("left_bag").process("hinted", small=5, wait=dt.timedelta(minutes=5), anything=lit("x")),
    "(`flag` STRING, `n` DECIMAL(5, 2))",
    "SELECT * FROM hinted(left_bag, 5, INTERVAL '5' MINUTE, 'x')",
    "SELECT * FROM hinted(input => left_bag, small => 5Y, wait => INTERVAL '0 00:05:00' DAY TO SECOND, anything => "
    "'x')",
    no_flink="takes values of any type",
)
given(
    "process_many_states",
    lambda env: env.from_path("left_bag").partition_by(col("y")).process("many_states"),
    "(`y` STRING, `EXPR$0` STRING NOT NULL)",
    "SELECT * FROM many_states(TABLE(left_bag) PARTITION BY y)",
)
given(
    "process_chained",
    lambda env: (
        env.from_path("orders")
        .filter(col("amount") > 10)
        .partition_by(col("customer_id"))
        .process("count_with_timeout", on_time=descriptor("ordered_at"))
        .filter(col("count") > 1)
        .partition_by(col("customer_id"))
        .process("by_set", on_time=descriptor("rowtime"))
        .select(col("customer_id"), (col("count") + 1).alias("more"))
    ),
    "(`customer_id` INT, `more` BIGINT NOT NULL)",
    "SELECT customer_id, count + 1 AS more FROM by_set(TABLE(SELECT * FROM count_with_timeout("
    "TABLE(SELECT * FROM orders WHERE amount > 10) PARTITION BY customer_id, on_time => DESCRIPTOR(ordered_at)) "
    "WHERE count > 1) PARTITION BY customer_id, on_time => DESCRIPTOR(rowtime))",
    "WITH counted AS (SELECT * FROM count_with_timeout(TABLE(SELECT * FROM orders WHERE amount > 10) "
    "PARTITION BY customer_id, on_time => DESCRIPTOR(ordered_at))) "
    "SELECT s.customer_id, s.count + 1 AS more FROM by_set(TABLE(SELECT * FROM counted WHERE count > 1) "
    "PARTITION BY customer_id, on_time => DESCRIPTOR(rowtime)) AS s",
)
given(
    "process_nested_in_a_call",
    lambda env: env.from_call(
        call("by_row", env.from_call("passing", env.from_path("left_bag")).filter(col("x") > 0), 1)
    ),
    "(`EXPR$0` STRING NOT NULL)",
    "SELECT * FROM by_row(TABLE(SELECT * FROM passing(left_bag) WHERE x > 0), 1)",
)
given(
    "process_joined",
    lambda env: (
        env.from_path("customers")
        .partition_by(col("id"))
        .process("by_set", uid="one")
        .alias("a", "b")
        .join(
            env.from_path("orders").partition_by(col("customer_id")).process("by_set", uid="two"),
            col("a") == col("customer_id"),
        )
    ),
    "(`a` INT, `b` BIGINT NOT NULL, `customer_id` INT, `count` BIGINT NOT NULL)",
    "SELECT * FROM (SELECT id AS a, count AS b FROM by_set(TABLE(customers) PARTITION BY id, uid => 'one')) AS l "
    "JOIN by_set(TABLE(orders) PARTITION BY customer_id, uid => 'two') AS r ON a = r.customer_id",
)
given(
    "process_used_twice",
    lambda env: (
        env.from_path("customers")
        .partition_by(col("id"))
        .process("by_set")
        .union_all(env.from_path("customers").partition_by(col("id")).process("by_set"))
    ),
    "(`id` INT, `count` BIGINT NOT NULL)",
    "SELECT * FROM by_set(TABLE(customers) PARTITION BY id) UNION ALL "
    "SELECT * FROM by_set(TABLE(customers) PARTITION BY id)",
)
given(
    "process_in_a_subquery",
    lambda env: env.from_path("customers").filter(
        col("id").in_(
            env.from_path("orders").partition_by(col("customer_id")).process("by_set").select(col("customer_id"))
        )
    ),
    "(`id` INT, `name` STRING, `gender` STRING, `has_newsletter` BOOLEAN, `date_of_birth` DATE, `street` STRING, "
    "`zip_code` STRING, `city` STRING)",
    "SELECT * FROM customers WHERE id IN (SELECT customer_id FROM by_set(TABLE(orders) PARTITION BY customer_id))",
)
given(
    "process_hostile_names",
    lambda env: (
        env.from_path("left_bag")
        .select(col("x").alias("a`b"), col("y").alias("Partition By"), col("y").alias("count"))
        .partition_by(col("Partition By"), col("count"), col("a`b"))
        .process("`by*set`", uid="by-set")
    ),
    "(`Partition By` STRING, `count` STRING, `a``b` INT, `count0` BIGINT NOT NULL)",
    "SELECT * FROM `by*set`(TABLE(SELECT x AS `a``b`, y AS `Partition By`, y AS `count` FROM left_bag) "
    "PARTITION BY (`Partition By`, `count`, `a``b`), uid => 'by-set')",
)
