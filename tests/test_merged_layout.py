"""The layout MERGED: which operations form one SELECT, which become WITH steps, and the maximum length."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ir.errors import TableException
from ir.rendering import Dialect, Layout
from serializer.merged import merged_text_and_spans
from serializer.spark_notation import SPARK
from tableapi import Table, diff
from tableapi.expressions import call, col, exists, lit, rand, row_number
from tests.programs.tables import Tables, environment_without_spark
from tests.sql.corpus import read

T = Tables(environment_without_spark())


def text(table: Table) -> str:
    """Return the text without quotes and paths, for readability."""
    written = table.as_serializable_string(layout=Layout.MERGED)
    return written.replace("`spark_catalog`.`programs`.", "").replace("`", "")


def test_all_clauses_of_one_select() -> None:
    table = (
        T.orders.filter(col("status") == "paid")
        .group_by(col("customer_id"))
        .select(col("customer_id"), col("amount").sum.alias("total"))
        .filter(col("total") > 5)
        .order_by(col("total").desc)
        .limit(3)
    )
    assert text(table) == (
        "SELECT customer_id, SUM(amount) AS total\n"
        "FROM orders\n"
        "WHERE status = 'paid'\n"
        "GROUP BY customer_id\n"
        "HAVING SUM(amount) > 5\n"
        "ORDER BY total DESC\n"
        "LIMIT 3"
    )


@pytest.mark.parametrize(
    ("build", "clauses"),
    [
        # A clause that takes effect before the preceding one begins a new SELECT.
        (lambda: T.lines.limit(3).filter(col("quantity") > 1), ["LIMIT 3\n)", "WHERE quantity > 1"]),
        (lambda: T.lines.limit(3).limit(2), ["LIMIT 3\n)", "LIMIT 2"]),
        # DISTINCT keeps only one of 0.0 and -0.0, or of strings that a collation considers equal, and the condition
        # sees that one.
        (
            lambda: T.orders.select(col("discount")).distinct().filter(col("discount") > 1),
            ["SELECT DISTINCT", "WHERE discount > 1"],
        ),
        (lambda: T.lines.limit(3).distinct(), ["LIMIT 3\n)", "SELECT DISTINCT *"]),
        (
            lambda: T.lines.group_by(col("sku")).select(col("quantity").sum.alias("q")).select(col("q").max),
            ["GROUP BY sku\n)", "MAX(q)"],
        ),
        # A condition must not remove rows before window functions are computed over them.
        (
            lambda: T.lines.select(row_number().over(_by_sku()).alias("n")).filter(col("n") > 1),
            ["OVER (PARTITION BY sku", "WHERE n > 1"],
        ),
        # A non-deterministic expression is computed once, over the same rows.
        (lambda: T.lines.select(rand().alias("r")).select(col("r"), col("r").alias("s")), ["RAND() AS r", "r AS s"]),
        (lambda: T.lines.select(rand().alias("r")).filter(col("r") > 0.5), ["RAND() AS r", "WHERE r > 0.5"]),
        # No computation is written twice.
        (
            lambda: T.lines.select(col("sku").upper_case.alias("u")).select(
                call("concat", col("u"), col("u")).alias("c")
            ),
            ["UPPER(sku) AS u", "CONCAT(u, u)"],
        ),
        (
            lambda: T.products.select(col("product").upper_case.alias("u"), col("tags")).select(
                call("transform", col("tags"), lambda tag: call("concat", tag, col("u"))).alias("t")
            ),
            ["UPPER(product) AS u", "CONCAT(tag, u)"],
        ),
        # A constant has another meaning as a group key, and may have another type as an argument.
        (
            lambda: (
                T.lines.select(lit(1).alias("one"), col("quantity"))
                .group_by(col("one"))
                .select(col("quantity").sum.alias("s"))
            ),
            ["1 AS one", "GROUP BY one"],
        ),
    ],
)
def test_operations_that_end_a_select(build: Callable[[], Table], clauses: list[str]) -> None:
    written = text(build())
    assert written.startswith("WITH "), written
    before, after = clauses
    assert before in written.split("\n)\n")[0] + "\n)", written
    assert after in written.split("\n)\n")[1], written


def _by_sku() -> object:
    from tableapi.window import Over

    return Over.partition_by(col("sku")).order_by(col("quantity")).alias("w")


def test_conditions_move_over_joins_only_from_sides_that_keep_their_rows() -> None:
    left = T.orders.filter(col("amount") > 1)
    right = T.customers.filter(col("id") > 2).select(col("id"), col("name"))
    on = col("customer_id") == col("id")
    assert text(left.join(right, on)).count("WITH") == 0
    assert "customers_filtered" in text(left.left_outer_join(right, on))
    assert "WHERE orders.amount > 1" in text(left.left_outer_join(right, on))
    assert "orders_filtered" in text(left.right_outer_join(right, on))
    full = text(left.full_outer_join(right, on))
    assert "orders_filtered" in full
    assert "customers_filtered" in full


def test_joins_of_one_renamed_table_keep_their_own_conditions() -> None:
    orders = T.orders.select(col("customer_id").alias("buyer"), col("order_id").alias("number"))
    known = orders.join(T.customers, col("buyer") == col("id")).filter(col("id") > 2).select(col("number"))
    sold = orders.join(T.lines, col("number") == col("line_order")).filter(col("quantity") > 3).select(col("number"))
    both = text(known.union_all(sold))
    assert [line for line in both.splitlines() if line.startswith(("WHERE", "    AND"))] == [
        "WHERE customers.id > 2",
        "WHERE lines.quantity > 3",
    ]


# The column name of a scalar or IN subquery is invisible, so it gets an alias only if its ORDER BY uses one.
@pytest.mark.parametrize(
    ("query", "selected"),
    [
        ("SELECT sku FROM lines WHERE quantity = (SELECT max(quantity) AS most FROM lines)", "SELECT MAX(quantity)"),
        ("SELECT sku FROM lines WHERE quantity IN (SELECT quantity + 1 AS more FROM lines)", "SELECT quantity + 1"),
        ("SELECT sku FROM lines WHERE line_order IN (SELECT order_id AS o FROM orders)", "SELECT order_id"),
        (
            "SELECT sku FROM lines "
            "WHERE (sku, quantity) NOT IN (SELECT sku, max(quantity) AS m FROM lines GROUP BY sku)",
            "SELECT sku, MAX(quantity)",
        ),
        (
            "SELECT (SELECT max(quantity) AS m FROM lines GROUP BY sku ORDER BY m LIMIT 1) AS least",
            "SELECT MAX(quantity) AS m",
        ),
        (
            "SELECT sku FROM lines WHERE quantity IN (SELECT DISTINCT quantity + 1 AS q FROM lines)",
            "SELECT DISTINCT quantity + 1 AS q",
        ),
        ("SELECT sku FROM lines WHERE (sku, sku) IN (SELECT sku, sku AS again FROM lines)", "SELECT sku, sku AS again"),
    ],
)
def test_invisible_names(query: str, selected: str) -> None:
    env = environment_without_spark()
    tables = Tables(env)
    for name in ("lines", "orders"):
        env.create_temporary_view(name, getattr(tables, name))
    table = env.sql_query(query)
    assert selected in [line.strip() for line in text(table).splitlines()]
    again = env.sql_query(table.as_serializable_string(layout=Layout.MERGED))
    assert again.query_operation.normalize() is table.query_operation.normalize()
    assert not diff(again, table).changes


@pytest.mark.parametrize(
    ("given", "written"),
    [
        (
            "(SELECT y AS a, x + 1 AS b FROM left_bag WHERE x > 1)",
            "SELECT TRANSFORM(y, x + 1)\nUSING 'cat'\nFROM left_bag",
        ),
        (
            "(SELECT y AS a, max(x) FROM left_bag GROUP BY y)",
            "SELECT TRANSFORM(y, MAX(x))\nUSING 'cat'\nFROM left_bag\nGROUP",
        ),
        ("(SELECT DISTINCT x, y FROM left_bag)", "WITH left_bag_distinct AS (\n    SELECT DISTINCT x, y\n"),
        ("(SELECT x, y FROM left_bag LIMIT 2)", "WITH left_bag_limited AS (\n"),
    ],
)
def test_a_script_is_in_the_select_of_its_input(given: str, written: str) -> None:
    table = T.env.sql_query(f"SELECT TRANSFORM(*) USING 'cat' FROM {given}")
    assert text(table).startswith(written)
    assert T.env.sql_query(table.as_serializable_string(layout=Layout.MERGED)).query_operation.normalize() is (
        table.query_operation.normalize()
    )


def test_a_join_with_itself_of_a_query_whose_exists_has_the_same_join() -> None:
    orders, lines = T.orders.select(col("order_id"), col("amount")), T.lines.select(col("line_order"), col("sku"))
    pairs = orders.alias("a", "b").join(lines.alias("c", "d"), col("a") == col("c"))
    others = orders.alias("e", "f").join(lines.alias("g", "h"), col("e") == col("g"))
    found = pairs.filter(exists(others.filter(col("e") == pairs.outer("a"))))
    table = found.left_outer_join(found.alias("a2", "b2", "c2", "d2"), col("a") == col("a2"))
    again = T.env.sql_query(table.as_serializable_string(layout=Layout.MERGED))
    assert again.query_operation.normalize() is table.query_operation.normalize()


def read_again(query: str) -> str:
    """Return the text of a query, which reads back as a query with the same normal form."""
    table = T.env.sql_query(query)
    again = T.env.sql_query(table.as_serializable_string(layout=Layout.MERGED))
    assert again.query_operation.normalize() is table.query_operation.normalize()
    return text(table)


@pytest.mark.parametrize(
    "step",
    [
        "SELECT sku, SUM(quantity) AS q FROM lines GROUP BY sku",
        "SELECT sku, SUM(quantity) AS q FROM lines GROUP BY sku HAVING SUM(quantity) > 1",
        "SELECT sku, COUNT(*) AS q FROM lines GROUP BY ROLLUP (sku)",
        "SELECT sku, ROW_NUMBER() OVER (PARTITION BY sku ORDER BY quantity) AS q FROM lines",
        "SELECT sku, quantity + 1 AS q FROM lines",
        "SELECT DISTINCT sku, quantity AS q FROM lines",
    ],
)
def test_all_sides_of_a_self_join_read_one_query(step: str) -> None:
    written = read_again(
        f"WITH w AS ({step}) SELECT l.q, m.q, r.q FROM w AS l JOIN w AS m ON l.sku = m.sku JOIN w AS r ON m.q = r.q"
    )
    assert written.count(" AS (\n") == 1, written
    assert [written.count(f"w AS {alias}\n") for alias in "lmr"] == [1, 1, 1], written


def test_nondeterministic_sides_of_a_self_join_are_two_queries() -> None:
    step = "SELECT sku, RAND() AS q FROM lines"
    assert read_again(f"SELECT l.q, r.q FROM ({step}) AS l JOIN ({step}) AS r ON l.sku = r.sku").count("RAND()") == 2


def test_a_list_of_tables_is_written_for_each_reader() -> None:
    """A query of WITH would list all columns, and look like the product of the tables."""
    count = "(SELECT COUNT(*) AS n FROM orders, lines{} WHERE order_id = line_order AND amount > {}) AS {}"
    written = read_again(
        f"SELECT a.n, b.n, c.n FROM {count.format('', 1, 'a')}, {count.format('', 2, 'b')}, "
        f"{count.format(', products', 3, 'c')}"
    )
    assert written.count("FROM orders\n    INNER JOIN lines\n    ON orders.order_id = lines.line_order\n") == 3, written
    assert "_joined" not in written


def test_a_list_of_tables_that_is_joined_with_itself_is_written_once() -> None:
    pairs = "WITH w AS (SELECT * FROM orders CROSS JOIN lines)"
    written = read_again(f"{pairs} SELECT l.sku, r.sku FROM w AS l JOIN w AS r ON l.order_id = r.order_id")
    assert written.endswith("FROM w AS l\nINNER JOIN w AS r\nON l.order_id = r.order_id"), written
    assert written.count("INNER JOIN lines") == 1


@pytest.mark.parametrize(
    ("column", "is_copied"), [("total", False), ("quantity", True), ("line_order", True), ("order_id", False)]
)
def test_except_of_filtered_rows_filters_them_under_their_own_names(column: str, is_copied: bool) -> None:
    """Spark replaces EXCEPT by a filter, and takes the columns of its condition by name from the result.

    The condition may not be over a column of FROM whose name another column of the result has.
    """
    orders = T.orders.rename_columns(col("order_id").alias("amount"), col("amount").alias("total"))
    lines = T.lines.rename_columns(col("line_order").alias("order_id"), col("sku").alias("line_order"))
    rows = orders.join(lines)
    written = text(rows.minus(rows.filter(col(column).is_not_null)))
    assert (written.count("FROM orders\n") == 2) == is_copied, written


def test_order_by_tells_columns_of_equal_names_apart() -> None:
    joined = "FROM lines AS l JOIN lines AS r ON l.line_order = r.line_order"
    written = read_again(f"SELECT l.sku, r.sku, l.quantity AS q {joined} ORDER BY r.sku DESC, q, l.sku LIMIT 3")
    assert written.endswith("ORDER BY r.sku DESC, q, l.sku\nLIMIT 3"), written
    assert "WITH" not in written
    # Columns of one relation are written without it.
    assert "WITH" in read_again("SELECT sku, quantity AS sku FROM lines ORDER BY 2")


def test_a_table_that_is_used_twice_is_written_once() -> None:
    big = T.orders.filter(col("amount") > 10)
    both = big.select(col("order_id")).union_all(big.select(col("order_id") + 1))
    assert text(both).count("amount > 10") == 1


def test_nondeterministic_subtrees_are_not_shared() -> None:
    drawn = T.lines.select(rand().alias("r"))
    assert text(drawn.union_all(drawn)).count("RAND()") == 2


def test_a_table_joined_with_itself_thirty_times_over() -> None:
    table = T.lines
    for _ in range(30):
        other = table.select(col("line_order").alias("other"))
        table = table.join(other, col("line_order") == col("other")).select(
            col("line_order"), col("sku"), col("quantity")
        )
    assert len(table.as_serializable_string(layout=Layout.MERGED)) < 15_000
    normal = table.query_operation.normalize()
    assert normal.normalize() is normal


def test_names_of_steps_never_hide_temporary_views() -> None:
    env = environment_without_spark()
    tables = Tables(env)
    env.create_temporary_view("orders_top", tables.lines)
    top = (
        tables.orders.order_by(col("amount")).limit(3).select(col("order_id"), col("amount")).filter(col("amount") > 1)
    )
    joined = top.join(env.from_path("orders_top"), col("order_id") == col("line_order"))
    written = text(joined)
    assert "orders_top_2 AS (" in written or "orders_top AS (" not in written


def test_flink_has_no_merged_layout() -> None:
    with pytest.raises(TableException, match="The layout MERGED is for the dialect SPARK alone"):
        T.lines.as_serializable_string(Dialect.FLINK, Layout.MERGED)


# --- size -------------------------------------------------------------------------------------------------------------


def _filters(table: Table, count: int) -> Table:
    for number in range(count):
        table = table.filter(col("quantity") > number)
    return table


def _projections(table: Table, count: int) -> Table:
    for _ in range(count):
        table = table.select(col("line_order"), col("sku"), (col("quantity") + 1).alias("quantity"))
    return table


def _blocks(table: Table, count: int) -> Table:
    for number in range(count // 2):
        table = table.distinct().filter(col("quantity") > number)
    return table


def test_a_chain_that_spark_cannot_plan_is_refused_with_the_reason() -> None:
    table = _blocks(T.lines, 400)
    assert merged_text_and_spans(table.query_operation, SPARK)
    with pytest.raises(TableException, match=r"200 steps one after the other .* Store the first part"):
        merged_text_and_spans(table.query_operation, SPARK, 150)
    # Operations that merge into one SELECT form no chain of steps.
    assert merged_text_and_spans(_filters(_projections(T.lines, 500), 500).query_operation, SPARK, 150)


@pytest.mark.parametrize(
    ("query", "is_one_select"),
    [
        ("SELECT y, RANK() OVER (PARTITION BY y ORDER BY SUM(x)) AS r FROM left_bag GROUP BY y ORDER BY r", True),
        ("SELECT y, SUM(SUM(x)) OVER () AS s FROM left_bag GROUP BY y HAVING SUM(x) > 1", True),
        # Spark does not find an aggregate in ORDER BY beside a window.
        ("SELECT y, r FROM (SELECT y, SUM(x) AS s, COUNT(1) OVER () AS r FROM left_bag GROUP BY y ORDER BY s)", False),
        # Spark takes the column of FROM for the key in the window, and a key that is computed for another expression.
        ("SELECT MAX(y) OVER (PARTITION BY SUM(x)) AS m FROM left_bag GROUP BY ROLLUP(y)", False),
        ("SELECT RANK() OVER (ORDER BY y + 1) AS r FROM left_bag GROUP BY y + 1", False),
        # A condition on a window is one on its result.
        ("SELECT * FROM (SELECT y, RANK() OVER (ORDER BY SUM(x)) AS r FROM left_bag GROUP BY y) WHERE r < 3", False),
    ],
)
def test_windows_over_groups(query: str, is_one_select: bool) -> None:
    operation = read(query)
    merged = operation.as_serializable_string(layout=Layout.MERGED)
    assert (merged.count("SELECT") == 1) == is_one_select, merged
    assert read(merged).normalize() is operation.normalize()


def test_overlapping_windows_stay_out_of_where() -> None:
    # Spark makes a row for each window wherever it is written: once in WHERE, and once more in SELECT.
    overlapping = "SELECT COUNT(*) AS n, w FROM (SELECT WINDOW(ts, '10 minutes', '{}') AS w FROM t) WHERE {} GROUP BY w"
    te = environment_without_spark()
    te.declare("t", {"ts": "TIMESTAMP_LTZ"})
    condition = "w.end > TIMESTAMP '2024-01-01 10:00:00'"
    text = te.sql_query(overlapping.format("5 minutes", condition)).as_serializable_string(layout="MERGED")
    assert text.count("WINDOW(") == 1
    plain = te.sql_query(overlapping.format("10 minutes", condition)).as_serializable_string(layout="MERGED")
    assert plain.count("SELECT") == 1
