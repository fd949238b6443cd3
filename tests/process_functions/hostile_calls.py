"""Invalid calls, in Python and in SQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tableapi import TableDescriptor, TableEnvironment
from tableapi.expressions import call, col, descriptor, lit, rand
from tests.process_functions.functions import BySet, CountWithTimeout, Scalars

Make = Callable[[TableEnvironment], Any]


def _customers(env: TableEnvironment) -> Any:
    return env.from_path("customers")


def _orders(env: TableEnvironment) -> Any:
    return env.from_path("orders")


def _by(env: TableEnvironment, *keys: str) -> Any:
    return _customers(env).partition_by(*map(col, keys or ("id",)))


IN_PYTHON: dict[str, Make] = {
    # --- the function
    "no such function": lambda env: env.from_call("count_with_timeouts", _by(env)),
    "a scalar function": lambda env: env.from_call("upper", "x"),
    "a table function": lambda env: env.from_call("explode", "x"),
    "an aggregate": lambda env: env.from_call("sum", 1),
    "a call of another function": lambda env: env.from_call(call("upper", col("name"))),
    "an expression that is no call": lambda env: env.from_call(col("name")),
    "no name": lambda env: env.from_call(""),
    "a number": lambda env: env.from_call(5),
    "a class of something else": lambda env: env.from_call(dict),
    "a malformed path": lambda env: env.from_call("a..b"),
    "a function in select": lambda env: _customers(env).select(call("scalars", 1)),
    "a function in filter": lambda env: _customers(env).filter(call("scalars", 1) == 1),
    "a function in a lateral join": lambda env: _customers(env).join_lateral(call("scalars", 1).alias("a", "b")),
    "a table of another environment": lambda env: env.from_call(
        "by_row", TableEnvironment.create().from_elements([(1,)]), 1
    ),
    # --- arguments
    "nothing": lambda env: env.from_call("by_row"),
    "a missing value": lambda env: env.from_call("by_row", _customers(env)),
    "a missing table": lambda env: env.from_call("by_row", i=1),
    "a value where a table is expected": lambda env: env.from_call("by_row", 1, 2),
    "a table where a value is expected": lambda env: env.from_call("scalars", _customers(env)),
    "a partitioned table where a value is expected": lambda env: env.from_call("scalars", _by(env)),
    "too many arguments": lambda env: env.from_call("scalars", 1, True, descriptor("a"), "u", 5),
    "an unknown name": lambda env: env.from_call("by_row", _customers(env), j=1),
    "an unknown name of a table": lambda env: env.from_call("by_row", _customers(env).as_argument("input"), i=1),
    "a name twice": lambda env: env.from_call("scalars", lit(1).as_argument("i"), lit(2).as_argument("I")),
    "by position and by name": lambda env: env.from_call("scalars", 1, i=2),
    "a position after a name": lambda env: env.from_call("scalars", lit(1).as_argument("i"), True),
    "two names": lambda env: env.from_call("scalars", i=lit(1).as_argument("b")),
    "an empty name": lambda env: _customers(env).as_argument(""),
    "a name that is a number": lambda env: _by(env).as_argument(5),
    "text for a number": lambda env: env.from_call("scalars", "many"),
    "NULL for what is not null": lambda env: env.from_call("scalars", None),
    "a fraction for a whole number": lambda env: env.from_call("scalars", lit(True)),
    "a number that is too great": lambda env: env.from_call("hinted", _customers(env), 300),
    "a column for a value": lambda env: env.from_call("by_row", _customers(env), col("id")),
    "an aggregate for a value": lambda env: env.from_call("by_row", _customers(env), lit(1).sum),
    "a random value": lambda env: env.from_call("scalars", rand()),
    "a descriptor for a value": lambda env: env.from_call("scalars", descriptor("a")),
    "a value for a descriptor": lambda env: env.from_call("whole", _customers(env), "id"),
    "a column for a descriptor": lambda env: env.from_call("whole", _customers(env), col("id")),
    "an empty descriptor": lambda env: descriptor(),
    "a descriptor of an expression": lambda env: descriptor(col("a")),  # type: ignore[arg-type]
    "a named argument elsewhere": lambda env: _customers(env).select(lit(1).as_argument("i")),
    # --- partitions and order
    "no PARTITION BY": lambda env: _customers(env).process("by_set"),
    "PARTITION BY by row": lambda env: _by(env).process("by_row", 1),
    "ORDER BY by row": lambda env: env.from_call("by_row", _customers(env).as_argument("r").order_by(col("id")), i=1),
    "no keys": lambda env: _customers(env).partition_by(),
    "a name as a key": lambda env: _customers(env).partition_by("id"),
    "no orders": lambda env: _by(env).order_by(),
    "an unknown key": lambda env: _by(env, "ident").process("by_set"),
    "an unknown order": lambda env: _by(env).order_by(col("nam")).process("by_set"),
    "a key twice": lambda env: _by(env, "id", "ID").process("by_set"),
    "an order twice": lambda env: _by(env).order_by(col("name"), col("name").desc).process("by_set"),
    "a nested key": lambda env: env.from_path("products").partition_by(col("size").get("width")).process("by_set"),
    "a nested order": lambda env: (
        env.from_path("products").partition_by(col("product")).order_by(col("size").get("width")).process("by_set")
    ),
    "a map as a key": lambda env: env.from_path("products").partition_by(col("attributes")).process("by_set"),
    "an aggregate as a key": lambda env: _customers(env).partition_by(col("id").max).process("by_set"),
    "a random key": lambda env: _customers(env).partition_by(rand()).process("by_set"),
    "a window as an order": lambda env: _by(env).order_by(call("row_number").over(_window())).process("by_set"),
    "no ORDER BY where it is required": lambda env: (
        _orders(env).partition_by(col("customer_id")).process("timed", on_time=descriptor("ordered_at"))
    ),
    # --- several tables
    "partitions of other types": lambda env: env.from_call(
        "one_match_join", _by(env, "name"), _orders(env).partition_by(col("order_id"))
    ),
    "partitions of other numbers": lambda env: env.from_call(
        "one_match_join", _by(env, "id", "name"), _orders(env).partition_by(col("customer_id"))
    ),
    "a table that would be broadcast": lambda env: env.from_call("inferred_optional", _by(env), _orders(env)),
    "copartition with nobody": lambda env: _by(env).copartition_with(),
    "copartition with an unknown table": lambda env: env.from_call(
        "one_match_join", _by(env), _orders(env).partition_by(col("customer_id")).copartition_with("costumer")
    ),
    "copartition with itself": lambda env: env.from_call(
        "one_match_join", _by(env), _orders(env).partition_by(col("customer_id")).copartition_with("orders")
    ),
    "copartition with a table that is not partitioned": lambda env: env.from_call(
        "inferred_optional",
        _customers(env),
        _orders(env).partition_by(col("customer_id")).copartition_with("left"),
    ),
    "a typed table without a column": lambda env: _orders(env).process("typed_by_row"),
    "a typed table of another type": lambda env: (
        _customers(env).select(col("date_of_birth").alias("id"), col("name")).process("typed_by_row")
    ),
    # --- time
    "no on_time where it is required": lambda env: (
        _orders(env).partition_by(col("customer_id")).order_by(col("ordered_at")).process("timed")
    ),
    "on_time of an unknown column": lambda env: _by(env).process("by_set", on_time=descriptor("ts")),
    "on_time twice": lambda env: (
        _orders(env).partition_by(col("order_id")).process("by_set", on_time=descriptor("ordered_at", "ORDERED_AT"))
    ),
    "on_time of two columns of a table": lambda env: (
        env.from_path("events").partition_by(col("k")).process("by_set", on_time=descriptor("ts", "instant"))
    ),
    "on_time of a column that is no time": lambda env: _by(env).process("by_set", on_time=descriptor("date_of_birth")),
    "on_time for one of two tables": lambda env: env.from_call(
        "one_match_join",
        _by(env),
        _orders(env).partition_by(col("order_id")),
        on_time=descriptor("ordered_at"),
    ),
    "on_time of two types": lambda env: env.from_call(
        "inferred",
        env.from_path("events").select(col("k"), col("ts")).partition_by(col("k")),
        env.from_path("events").select(col("k"), col("instant")).partition_by(col("k")),
        on_time=descriptor("ts", "instant"),
    ),
    "on_time without a table": lambda env: env.from_call("scalars", 1, on_time=descriptor("ts")),
    "on_time that is a column": lambda env: _by(env).process("by_set", on_time=col("ts")),
    "on_time that is a text": lambda env: _by(env).process("by_set", on_time="ts"),
    "another order than on_time": lambda env: (
        _orders(env)
        .partition_by(col("customer_id"))
        .order_by(col("amount"))
        .process("by_set", on_time=descriptor("ordered_at"))
    ),
    "the order of on_time from last to first": lambda env: (
        _orders(env)
        .partition_by(col("customer_id"))
        .order_by(col("ordered_at").desc)
        .process("by_set", on_time=descriptor("ordered_at"))
    ),
    # --- identifiers
    "an identifier with a blank": lambda env: _by(env).process("by_set", uid="my id"),
    "an identifier that begins with a digit": lambda env: _by(env).process("by_set", uid="1st"),
    "an empty identifier": lambda env: _by(env).process("by_set", uid=""),
    "an identifier that is a number": lambda env: _by(env).process("by_set", uid=5),
    "an identifier that is NULL": lambda env: _by(env).process("by_set", uid=None),
    "an identifier that is computed": lambda env: _by(env).process("by_set", uid=lit("a").upper_case),
    "an identifier that is a column": lambda env: _by(env).process("by_set", uid=col("name")),
    "a name that is no identifier": lambda env: _by(env).process("`by*set`"),
    "a function twice, chained": lambda env: _by(env).process("by_set").partition_by(col("id")).process("by_set"),
    "a function twice, joined": lambda env: (
        _by(env).process("by_set").alias("a", "b").join(_by(env, "name").process("by_set"), col("a") == col("count"))
    ),
    "a class twice": lambda env: _by(env).process(BySet).partition_by(col("id")).process(BySet, 2),
    "two functions under one identifier": lambda env: (
        _by(env).process("by_set", uid="x").partition_by(col("id")).process(CountWithTimeout, uid="x")
    ),
    "a function twice, in a subquery": lambda env: (
        _by(env).process("by_set").filter(col("count").in_(_by(env, "name").process("by_set").select(col("count"))))
    ),
    "a statement set of two calls": lambda env: _statement_set(env),
    # --- SQL
    "text of a function without a name": lambda env: env.from_call(Scalars, 1).as_serializable_string(),
    "code of a function without a name": lambda env: env.from_call(Scalars, 1).to_python(),
    "Flink's text of a computed key": lambda env: (
        _customers(env).partition_by(col("name").upper_case).process("by_set").as_serializable_string("FLINK")
    ),
    "Flink's text of an order that is no time": lambda env: (
        _by(env).order_by(col("name")).process("by_set").as_serializable_string("FLINK")
    ),
    "Flink's text of a descending order": lambda env: (
        _orders(env)
        .partition_by(col("customer_id"))
        .order_by(col("ordered_at").desc)
        .process("by_set")
        .as_serializable_string("FLINK")
    ),
    "Flink's text of any value": lambda env: env.from_call("hinted", _customers(env), 1).as_serializable_string(
        "FLINK"
    ),
    "a view over a temporary function": lambda env: env.create_view("v", env.from_call("scalars", 1)),
    # --- strategies
    "an output of nothing": lambda env: env.from_call("no_output"),
    "an output that fails": lambda env: env.from_call("failing_output", 0),
    "an output that is no type": lambda env: env.from_call("failing_output", 1),
    "an output of months": lambda env: env.from_call("failing_output", 2),
    "a state of nothing": lambda env: _by(env).process("failing_state", 0),
    "a state that is no row": lambda env: _by(env).process("failing_state", 1),
    "an unknown argument of a strategy": lambda env: env.from_call("failing_output", 3),
}


def _window() -> Any:
    from tableapi.window import Over

    return Over.order_by(col("id"))


def _statement_set(env: TableEnvironment) -> Any:
    statements = env.create_statement_set()
    files = TableDescriptor.for_connector("filesystem").option("path", "files").format("parquet").build()
    statements.add_insert(files, _by(env).process("by_set"))
    return statements.add_insert(files, _by(env, "name").process("by_set"))


IN_SQL: dict[str, str] = {
    "no PARTITION BY": "SELECT * FROM by_set(r => TABLE(customers))",
    "PARTITION BY by row": "SELECT * FROM by_row(TABLE(customers) PARTITION BY id, 1)",
    "a missing value": "SELECT * FROM by_row(r => TABLE customers)",
    "an unknown name": "SELECT * FROM by_row(r => TABLE customers, j => 1)",
    "a name twice": "SELECT * FROM scalars(i => 1, i => 2)",
    "a position after a name": "SELECT * FROM scalars(i => 1, TRUE)",
    "too many arguments": "SELECT * FROM scalars(1, TRUE, DEFAULT, DEFAULT, 5)",
    "DEFAULT for what is required": "SELECT * FROM scalars(DEFAULT, TRUE)",
    "a value where a table is expected": "SELECT * FROM by_row(5, 1)",
    "a table where a value is expected": "SELECT * FROM scalars(i => TABLE customers)",
    "a column for a value": "SELECT * FROM by_row(TABLE customers, id)",
    "text for a number": "SELECT * FROM scalars('many')",
    "NULL for what is not null": "SELECT * FROM scalars(i => NULL)",
    "an unknown table": "SELECT * FROM by_row(costumers, 1)",
    "an unknown key": "SELECT * FROM by_set(TABLE customers PARTITION BY ident)",
    "a key within a wrong call": "SELECT * FROM by_set(TABLE customers PARTITION BY upper(name, 5))",
    "an unknown order": "SELECT * FROM by_set(TABLE customers PARTITION BY id ORDER BY nam DESC)",
    "two orders without parentheses": "SELECT * FROM by_set(TABLE customers PARTITION BY id ORDER BY name, id)",
    "two orders with directions": "SELECT * FROM by_set(TABLE customers PARTITION BY id ORDER BY name DESC, id DESC)",
    "two partition keys without parentheses": "SELECT * FROM by_set(TABLE customers PARTITION BY id, name)",
    "a key behind one that is computed": "SELECT * FROM by_set(TABLE customers PARTITION BY id + 1, name)",
    "a nested key": "SELECT * FROM by_set(TABLE products PARTITION BY size.width)",
    "on_time of an unknown column": "SELECT * FROM by_set(TABLE orders PARTITION BY order_id, on_time => "
    "DESCRIPTOR(ts))",
    "on_time that is no descriptor": "SELECT * FROM by_set(TABLE orders PARTITION BY order_id, on_time => ordered_at)",
    "a descriptor of a computed column": (
        "SELECT * FROM by_set(TABLE orders PARTITION BY order_id, on_time => DESCRIPTOR(upper(a)))"
    ),
    "an identifier with a blank": "SELECT * FROM by_set(TABLE customers PARTITION BY id, uid => 'my id')",
    "COPARTITION of an unknown table": (
        "SELECT * FROM one_match_join(TABLE customers PARTITION BY id, TABLE orders PARTITION BY customer_id "
        "COPARTITION (costumers, orders))"
    ),
    "COPARTITION of one table": (
        "SELECT * FROM one_match_join(TABLE customers PARTITION BY id, TABLE orders PARTITION BY customer_id, "
        "COPARTITION (orders))"
    ),
    "COPARTITION of a name that two tables have": (
        "SELECT * FROM inferred(TABLE customers PARTITION BY id, TABLE customers PARTITION BY id "
        "COPARTITION (customers, right))"
    ),
    "partitions of other types": (
        "SELECT * FROM one_match_join(TABLE customers PARTITION BY name, TABLE orders PARTITION BY customer_id)"
    ),
    "partitions and a single one": "SELECT * FROM by_set(TABLE customers PARTITION BY id WITH SINGLE PARTITION)",
    "a function in SELECT": "SELECT scalars(1) FROM customers",
    "a function in LATERAL": "SELECT * FROM customers, LATERAL by_row(TABLE orders, 1)",
    "a function that is none": "SELECT * FROM by_sets(TABLE customers PARTITION BY id)",
    "DISTINCT": "SELECT * FROM TABLE(scalars(i => 1)) AS s(a)",
    "a function twice": (
        "SELECT a.id FROM by_set(TABLE customers PARTITION BY id) AS a, by_set(TABLE customers PARTITION BY name) AS b"
    ),
    "a column that the output lacks": "SELECT s.total FROM by_set(TABLE customers PARTITION BY id) AS s",
    "a reference to the query around": (
        "SELECT (SELECT max(count) FROM by_set(TABLE(SELECT * FROM orders WHERE customer_id = c.id) "
        "PARTITION BY order_id)) FROM customers AS c"
    ),
    "an ordinary table function of a table": "SELECT * FROM explode(TABLE customers)",
}
