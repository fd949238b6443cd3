"""The layout NESTED: which queries it shares as WITH steps, and which it repeats."""

from __future__ import annotations

import pytest

from ir.operations.operation import QueryOperation
from tableapi import Table
from tableapi.expressions import col, lit, rand
from tests.counting import calls
from tests.programs.tables import Tables, environment_without_spark
from tests.sql.corpus import read

T = Tables(environment_without_spark())


def step_names(text: str) -> list[str]:
    """Return the names of the WITH steps in a text."""
    lines = text.split("\n")
    return [line.split("`")[1] for line in lines if line.startswith(("WITH `", "`")) and line.endswith("AS (")]


def written(operation: QueryOperation) -> str:
    """Return the SQL text of a query, after checking that it is read back as the same query."""
    text = operation.as_serializable_string()
    assert read(text) is operation, text
    return text


def test_a_step_that_two_read_is_written_once() -> None:
    totals = T.orders.group_by(col("customer_id")).select(col("customer_id"), col("amount").sum.alias("total"))
    both = totals.filter(col("total") > 5).union_all(totals.filter(col("total") < 1))
    assert both.as_serializable_string().replace("`spark_catalog`.`programs`.", "").replace("`", "") == (
        "WITH orders_by_customer_id AS (\n"
        "    SELECT customer_id, SUM(amount) AS total\n"
        "    FROM (\n"
        "        SELECT order_id, customer_id, ordered_at, amount, discount, status\n"
        "        FROM orders\n"
        "    )\n"
        "    GROUP BY customer_id\n"
        ")\n"
        "(\n"
        "    SELECT customer_id, total\n"
        "    FROM orders_by_customer_id\n"
        "    WHERE total > 5\n"
        ") UNION ALL (\n"
        "    SELECT customer_id, total\n"
        "    FROM orders_by_customer_id\n"
        "    WHERE total < 1\n"
        ")"
    )


@pytest.mark.parametrize(
    ("text", "names"),
    [
        # Every use counts: in FROM, as the side of a set operation, and as a subquery in an expression.
        (
            "WITH f AS (SELECT x FROM left_bag WHERE x > 1) SELECT x FROM f WHERE x IN (SELECT x FROM f)",
            ["left_bag_filtered"],
        ),
        ("WITH f AS (SELECT x FROM left_bag WHERE x > 1) TABLE f UNION ALL TABLE f", ["left_bag_filtered"]),
        ("SELECT (SELECT max(x) FROM left_bag) + (SELECT max(x) FROM left_bag) AS s", ["left_bag_grouped"]),
        (
            "SELECT CASE WHEN (SELECT max(x) FROM left_bag) > 1 THEN (SELECT max(x) FROM left_bag) END AS s",
            ["left_bag_grouped"],
        ),
        # An input that only one shared step reads is part of that step.
        (
            "WITH g AS (SELECT x, count(*) AS n FROM (SELECT x FROM left_bag WHERE x > 1) GROUP BY x) "
            "SELECT * FROM g WHERE n > 1 UNION ALL SELECT * FROM g WHERE n < 1",
            ["left_bag_by_x"],
        ),
        # A step may read another one.
        (
            "WITH f AS (SELECT x FROM left_bag WHERE x > 1), g AS (SELECT x, count(*) AS n FROM f GROUP BY x) "
            "SELECT n FROM g UNION ALL SELECT -n FROM g UNION ALL SELECT x FROM f",
            ["left_bag_filtered", "left_bag_by_x"],
        ),
        # Steps with the same name are numbered.
        (
            "WITH f AS (SELECT x FROM left_bag WHERE x > 1), g AS (SELECT x FROM left_bag WHERE x > 2) "
            "TABLE f UNION ALL TABLE f UNION ALL TABLE g UNION ALL TABLE g",
            ["left_bag_filtered", "left_bag_filtered_2"],
        ),
        # A query with its own WITH stands below the WITH that it shares steps with.
        (
            "WITH RECURSIVE f AS (SELECT x FROM left_bag WHERE x > 1), r(n) AS (SELECT x FROM f UNION ALL "
            "SELECT r.n + 1 FROM r JOIN f ON f.x = r.n WHERE r.n < 3) SELECT * FROM r",
            ["left_bag_filtered"],
        ),
        # If a column had the name of the step, its fields would be read as columns of the step.
        (
            "WITH f AS (SELECT x, named_struct('x', 7) AS left_bag_computed FROM left_bag) "
            "SELECT left_bag_computed.x FROM f UNION ALL SELECT x FROM f",
            ["left_bag_computed_2"],
        ),
        # A correlated subquery stays in its place, but its input can be shared.
        (
            "WITH f AS (SELECT x, y FROM left_bag WHERE x > 1) SELECT o.x, "
            "(SELECT max(i.y) FROM f i WHERE i.x = o.x) || (SELECT max(i.y) FROM f i WHERE i.x = o.x) AS s FROM f o",
            ["left_bag_filtered"],
        ),
        ("SELECT o.x FROM left_bag o WHERE EXISTS (SELECT 1 FROM right_bag i WHERE i.x = o.x)", []),
        # Tables and short VALUES are as short as names.
        ("SELECT l.x FROM left_bag l JOIN left_bag r ON l.x = r.x", []),
        ("WITH v AS (SELECT * FROM VALUES (1), (2) t(x)) TABLE v UNION ALL TABLE v", []),
        (
            "WITH v AS (SELECT * FROM VALUES (1), (2), (3), (4) t(x)) TABLE v UNION ALL TABLE v",
            ["values_rows"],
        ),
        # A non-deterministic query returns other rows at each place, so it is repeated.
        ("WITH f AS (SELECT x FROM left_bag TABLESAMPLE (50 PERCENT)) TABLE f UNION ALL TABLE f", []),
        # Columns with the same name cannot be selected from a step, but the columns that they are computed from can.
        ("SELECT 1 AS a, 2 AS a UNION ALL SELECT 1 AS a, 2 AS a", ["values_computed"]),
        (
            "SELECT EXISTS (SELECT x AS a, y AS a FROM left_bag WHERE x > 1) "
            "<=> EXISTS (SELECT x AS a, y AS a FROM left_bag WHERE x > 1) AS e",
            ["left_bag_filtered"],
        ),
        # Clauses that modify a relation.
        (
            "WITH f AS (SELECT x, y FROM left_bag WHERE x > 1) SELECT * FROM f "
            "PIVOT (max(y) FOR x IN (1 AS a, 2 AS b)) UNION ALL SELECT y, y FROM f",
            ["left_bag_filtered"],
        ),
        (
            "WITH f AS (SELECT x, y FROM left_bag WHERE x > 1) SELECT /*+ BROADCAST(f) */ f.x FROM f JOIN right_bag r "
            "ON f.x = r.x UNION ALL SELECT x FROM f",
            ["left_bag_filtered"],
        ),
        (
            "WITH f AS (SELECT x, y FROM left_bag WHERE x > 1) SELECT x FROM f TABLESAMPLE (50 PERCENT) UNION ALL "
            "SELECT x FROM f",
            ["left_bag_filtered"],
        ),
        (
            "WITH f AS (SELECT x, y FROM left_bag WHERE x > 1) SELECT f.x, l.e FROM f "
            "LATERAL VIEW explode(array(x, 1)) l AS e UNION ALL SELECT x, x FROM f",
            ["left_bag_filtered"],
        ),
    ],
)
def test_steps_are_shared(text: str, names: list[str]) -> None:
    assert step_names(written(read(text))) == names


def test_a_temporary_view_keeps_its_name() -> None:
    te = environment_without_spark()
    te.create_temporary_view("orders_filtered", te.from_elements([(1,)], ["k"]))
    orders = Tables(te).orders.filter(col("amount") > 1).select(col("order_id"))
    text = orders.union_all(orders).union_all(te.from_path("orders_filtered")).as_serializable_string()
    assert step_names(text) in (["orders_selected"], ["orders_filtered_2"], ["orders_filtered"])


def test_the_text_is_linear_in_the_number_of_steps() -> None:
    def repeated(depth: int) -> Table:
        table = T.left_bag.filter(col("x") > lit(0))
        for _ in range(depth):
            table = table.union_all(table)
        return table

    few, many = repeated(20), repeated(80)
    assert len(many.as_serializable_string()) < 5 * len(few.as_serializable_string())
    cost = {table: calls(table.as_serializable_string) for table in (few, many)}
    assert cost[many] < 4.6 * cost[few]


def test_flink_writes_each_use() -> None:
    f = T.left_bag.filter(col("x") > 1)
    assert "WITH" not in f.union_all(f).as_serializable_string("FLINK")


def test_random_rows_are_not_shared() -> None:
    f = T.left_bag.filter(rand() < 0.5)
    assert "WITH" not in f.union_all(f).as_serializable_string()
