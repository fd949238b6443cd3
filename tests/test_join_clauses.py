"""The place of join conditions in both layouts: in ON of an inner join if it accepts them, otherwise in WHERE."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ir.normalization.normalize import normalize
from ir.rendering import Dialect, Layout
from serializer.merged import merged_text_and_spans
from serializer.spark_notation import SPARK
from tableapi import Table
from tableapi.expressions import call, col
from tests.programs.tables import Tables, environment_without_spark

T = Tables(environment_without_spark())
for _name in ("orders", "customers", "lines", "products"):
    T.env.create_temporary_view(_name, getattr(T, _name))


def clauses(table: Table) -> list[str]:
    """Return the joins, their conditions and the WHERE of the MERGED text, each as one line."""
    written = table.as_serializable_string(layout=Layout.MERGED)
    written = written.replace("`spark_catalog`.`programs`.", "").replace("`", "")
    found: list[str] = []
    for line in written.splitlines():
        if line.startswith(("FROM", "GROUP", "SELECT", "ORDER", "LIMIT")):
            found.append("")
        elif "JOIN" in line or line.startswith(("ON ", "WHERE ")):
            found.append(line)
        else:
            found[-1] += f" {line.strip()}"
    return [clause for clause in found if clause.startswith(("INNER", "LEFT", "RIGHT", "FULL", "ON", "WHERE", "CROSS"))]


MOVED = {
    "a comma": (
        "SELECT name FROM orders, customers WHERE customer_id = id AND id > 3",
        [
            "INNER JOIN customers",
            "ON orders.customer_id = customers.id",
            "WHERE customers.id > 3",
        ],
    ),
    "no condition at all": ("SELECT name FROM orders CROSS JOIN customers", ["INNER JOIN customers"]),
    "conditions on one side": (
        "SELECT name FROM orders, customers WHERE amount > 1 AND id > 3",
        ["INNER JOIN customers", "WHERE orders.amount > 1 AND customers.id > 3"],
    ),
    "a condition on no side": (
        "SELECT name FROM orders, customers WHERE current_date() > DATE '2020-01-01'",
        ["INNER JOIN customers", "WHERE CURRENT_DATE() > DATE '2020-01-01'"],
    ),
    "no equality": (
        "SELECT name FROM orders, customers WHERE amount > id OR customer_id = id",
        ["INNER JOIN customers", "ON orders.amount > customers.id OR orders.customer_id = customers.id"],
    ),
    "a chain": (
        "SELECT name FROM orders, customers, lines WHERE line_order = order_id AND customer_id = id",
        [
            "INNER JOIN customers",
            "ON orders.customer_id = customers.id",
            "INNER JOIN lines",
            "ON lines.line_order = orders.order_id",
        ],
    ),
    "a condition on three relations": (
        "SELECT name FROM orders, customers, lines WHERE order_id + id = line_order",
        ["INNER JOIN customers", "INNER JOIN lines", "ON orders.order_id + customers.id = lines.line_order"],
    ),
    "a star in another order": (
        "SELECT name FROM customers, lines, orders WHERE customer_id = id AND line_order = order_id",
        [
            "INNER JOIN lines",
            "INNER JOIN orders",
            "ON orders.customer_id = customers.id AND lines.line_order = orders.order_id",
        ],
    ),
    "beside a condition of the join": (
        "SELECT name FROM orders JOIN customers ON customer_id = id WHERE amount > id AND amount > 3",
        [
            "INNER JOIN customers",
            "ON orders.customer_id = customers.id AND orders.amount > customers.id",
            "WHERE orders.amount > 3",
        ],
    ),
    "beside two conditions of the join": (
        "SELECT name FROM orders JOIN customers ON customer_id = id AND order_id > id WHERE amount > id",
        [
            "INNER JOIN customers",
            "ON orders.customer_id = customers.id AND orders.order_id > customers.id AND orders.amount > customers.id",
        ],
    ),
    "beside USING": (
        "SELECT a.order_id FROM orders a JOIN orders b USING (order_id) WHERE a.amount > b.amount",
        ["INNER JOIN orders AS b", "ON a.order_id = b.order_id AND a.amount > b.amount"],
    ),
    "before a left join": (
        "SELECT name FROM orders JOIN customers LEFT JOIN lines ON line_order = order_id WHERE customer_id = id",
        [
            "INNER JOIN customers",
            "ON orders.customer_id = customers.id",
            "LEFT OUTER JOIN lines",
            "ON lines.line_order = orders.order_id",
        ],
    ),
    "after a left join": (
        "SELECT name FROM orders LEFT JOIN lines ON line_order = order_id JOIN customers "
        "WHERE customer_id = id AND quantity = id",
        [
            "LEFT OUTER JOIN lines",
            "ON lines.line_order = orders.order_id",
            "INNER JOIN customers",
            "ON orders.customer_id = customers.id AND lines.quantity = customers.id",
        ],
    ),
    "after a right join": (
        "SELECT name FROM orders RIGHT JOIN lines ON line_order = order_id JOIN customers WHERE customer_id = id",
        [
            "RIGHT OUTER JOIN lines",
            "ON lines.line_order = orders.order_id",
            "INNER JOIN customers",
            "ON orders.customer_id = customers.id",
        ],
    ),
    "before a lateral join": (
        "SELECT name, t FROM orders JOIN customers JOIN LATERAL explode(array(amount, id)) AS l(t) "
        "WHERE customer_id = id",
        [
            "INNER JOIN customers",
            "ON orders.customer_id = customers.id",
            "INNER JOIN LATERAL EXPLODE(ARRAY(orders.amount, customers.id)) AS l(t)",
        ],
    ),
    "through a projection": (
        "SELECT s FROM (SELECT amount + id AS s FROM orders JOIN customers) WHERE s > 3",
        ["INNER JOIN customers", "ON orders.amount + customers.id > 3"],
    ),
}
STAY = {
    "on the side of a left join that may lack rows": (
        "SELECT name FROM orders LEFT JOIN customers ON customer_id = id WHERE amount > id",
        ["LEFT OUTER JOIN customers", "ON orders.customer_id = customers.id", "WHERE orders.amount > customers.id"],
    ),
    "below a right join": (
        "SELECT name FROM orders JOIN customers RIGHT JOIN lines ON line_order = order_id WHERE customer_id = id",
        [
            "INNER JOIN customers",
            "RIGHT OUTER JOIN lines",
            "ON lines.line_order = orders.order_id",
            "WHERE orders.customer_id = customers.id",
        ],
    ),
    "below a full join": (
        "SELECT name FROM orders JOIN customers FULL JOIN lines ON line_order = order_id WHERE customer_id = id",
        [
            "INNER JOIN customers",
            "FULL OUTER JOIN lines",
            "ON lines.line_order = orders.order_id",
            "WHERE orders.customer_id = customers.id",
        ],
    ),
    "over what a lateral join gives": (
        "SELECT t FROM orders JOIN LATERAL explode(array(amount)) AS l(t) WHERE t > order_id",
        [
            "INNER JOIN LATERAL EXPLODE(ARRAY(orders.amount)) AS l(t)",
            "WHERE l.t > orders.order_id",
        ],
    ),
    "beside a random one": (
        "SELECT name FROM orders, customers WHERE customer_id = id AND rand() < 0.5",
        ["INNER JOIN customers", "WHERE orders.customer_id = customers.id AND RAND() < 0.5"],
    ),
    "of collated strings": (
        "SELECT a.id FROM customers a, customers b WHERE a.name COLLATE UNICODE_CI = b.name AND a.id < b.id",
        [
            "INNER JOIN customers AS b",
            "ON a.id < b.id",
            "WHERE a.name COLLATE UNICODE_CI = b.name",
        ],
    ),
    "with a subquery": (
        "SELECT name FROM orders, customers WHERE customer_id + id = (SELECT max(quantity) FROM lines)",
        [
            "INNER JOIN customers",
            "WHERE orders.customer_id + customers.id = ( SELECT MAX(quantity) FROM lines )",
        ],
    ),
}


@pytest.mark.parametrize(("query", "written"), [*MOVED.values(), *STAY.values()], ids=[*MOVED, *STAY])
def test_where_conditions_stand(query: str, written: list[str]) -> None:
    table = T.env.sql_query(query)
    assert clauses(table) == written
    again = T.env.sql_query(table.as_serializable_string(layout=Layout.MERGED))
    normal = normalize(table.query_operation)
    assert normalize(again.query_operation) is normal
    assert normalize(normal) is normal
    assert T.env.sql_query(table.as_serializable_string()).query_operation is table.query_operation


@pytest.mark.parametrize(
    "build",
    [
        lambda orders, customers: orders.join(customers).filter(col("customer_id") == col("id")),
        lambda orders, customers: orders.join(customers, col("customer_id") == col("id")),
        lambda *_: T.env.sql_query("SELECT * FROM orders, customers WHERE customer_id = id"),
        lambda *_: T.env.sql_query("SELECT * FROM orders CROSS JOIN customers WHERE customer_id = id"),
    ],
    ids=["filter", "join", "comma", "cross join"],
)
def test_a_filter_condition_becomes_a_join_condition(build: Callable[[Table, Table], Table]) -> None:
    expected = T.env.sql_query("SELECT * FROM orders JOIN customers ON customer_id = id")
    table = build(T.env.from_path("orders"), T.env.from_path("customers"))
    assert table.query_operation.normalize() is expected.query_operation.normalize()


def test_a_condition_with_an_outer_reference_stays_in_where() -> None:
    table = T.env.sql_query(
        "SELECT order_id FROM orders "
        "WHERE EXISTS (SELECT 1 FROM customers, lines WHERE id = quantity AND line_order + id = order_id)"
    )
    written = table.as_serializable_string(layout=Layout.MERGED).replace("`", "")
    assert "ON customers.id = lines.quantity\n" in written
    assert "WHERE lines.line_order + customers.id = orders.order_id\n" in written


def test_a_function_of_a_user_stays_in_where() -> None:
    from tableapi import DataTypes
    from tableapi.udf import udf

    near = udf(lambda a, b: abs(a - b) < 2, result_type=DataTypes.BOOLEAN())
    env = environment_without_spark()
    tables = Tables(env)
    env.create_temporary_system_function("is_near", near)
    joined = tables.orders.join(tables.customers).filter(call("is_near", col("customer_id"), col("id")))
    assert clauses(joined)[:2] == ["INNER JOIN customers", "WHERE is_near(orders.customer_id, customers.id)"]


def test_flink_has_cross_joins() -> None:
    table = T.orders.join(T.customers).filter(col("customer_id") == col("id"))
    assert "CROSS JOIN" in table.as_serializable_string(Dialect.FLINK)
    assert "CROSS JOIN" not in table.as_serializable_string()
    assert "INNER JOIN (" in table.as_serializable_string()


def test_each_condition_is_shown_as_that_of_its_operation() -> None:
    joined = T.orders.join(T.customers, col("customer_id") == col("id"))
    first = joined.filter(call("length", col("name")) + col("amount") + col("id") > col("order_id"))
    second = first.filter(call("length", col("street")) + col("amount") + col("id") > col("customer_id"))
    written, spans = merged_text_and_spans(second.query_operation, SPARK)
    shown = {written[span.start : span.end]: span.operation for span in spans}
    lines = [text for text in shown if text.startswith(("ON", "AND"))]
    assert [shown[line] for line in lines] == [t.query_operation for t in (joined, first, second)]


def test_many_filters_over_a_join_cost_no_more_each() -> None:
    from tests.counting import calls

    def normalized(count: int) -> None:
        table = T.orders.join(T.customers)
        for number in range(count):
            table = table.filter(col("customer_id") + number != col("id"))
        merged_text_and_spans(table.query_operation, SPARK)
        table.query_operation.normalize()

    normalized(10)
    few, many = calls(lambda: normalized(100)), calls(lambda: normalized(200))
    assert many < 2.2 * few
