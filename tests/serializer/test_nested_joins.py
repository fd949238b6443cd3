"""Chains of joins with equal names in the layout NESTED: one SELECT that names the relations."""

from __future__ import annotations

import pytest

from ir.rendering import Dialect
from serializer.given_names import use_names
from tableapi import Table
from tableapi.expressions import col
from tests.counting import calls
from tests.programs.tables import Tables, environment_without_spark
from tests.sql.corpus import read
from tests.test_relation_names import read as read_with_names

T = Tables(environment_without_spark())


def short(text: str) -> str:
    return text.replace("`spark_catalog`.`programs`.", "").replace("`", "")


def written(text: str) -> str:
    """Return the text of a query with its names, which is read as the same query and written alike again."""
    operation, names = read_with_names(text)
    with use_names(operation, names):
        nested = operation.as_serializable_string()
    again, names = read_with_names(nested)
    assert again is operation, nested
    with use_names(again, names):
        assert again.as_serializable_string() == nested
    plain = operation.as_serializable_string()
    assert read(plain) is operation, plain
    return short(nested)


def test_a_table_that_is_joined_with_itself() -> None:
    assert written("SELECT a.x FROM left_bag a LEFT JOIN left_bag b ON a.x = b.x") == (
        "SELECT x\n"
        "FROM (\n"
        "    SELECT a.x, a.y, b.x AS b_x, b.y AS b_y\n"
        "    FROM (\n"
        "        SELECT x, y\n"
        "        FROM left_bag\n"
        "    ) AS a\n"
        "    LEFT OUTER JOIN (\n"
        "        SELECT x, y\n"
        "        FROM left_bag\n"
        "    ) AS b\n"
        "    ON a.x = b.x\n"
        ")"
    )


def test_all_joins_of_a_chain_are_one_select() -> None:
    text = written("SELECT c.x FROM left_bag a, left_bag b, right_bag r, left_bag c WHERE a.x = c.x AND b.y = r.x")
    assert text.count("JOIN") == 3
    for alias in "abr":
        assert f") AS {alias}\n    INNER JOIN (" in text
    # The names of the columns are given above the filter.
    assert ") AS c\n    WHERE a.x = c.x AND b.y = r.x" in text


def written_by(table: Table) -> str:
    text = table.as_serializable_string()
    assert read(text) is table.query_operation, text
    return text


@pytest.mark.parametrize(
    "text",
    [
        # A name that the reader gives: without an alias it would have a number.
        "SELECT * FROM (SELECT x FROM left_bag WHERE x > 1) JOIN (SELECT x FROM left_bag WHERE x > 2)",
        # The alias of one relation is the prefix of another one.
        "SELECT * FROM left_bag a JOIN left_bag b ON a.x = b.x JOIN (SELECT x AS b_x FROM right_bag) c ON c.b_x = a.x",
        # A column has the name that the reader would give.
        "SELECT * FROM (SELECT x, y AS b_x FROM left_bag) a JOIN left_bag b ON a.x = b.x",
        # The name of a relation is that of a query of WITH.
        "WITH b AS (SELECT x FROM left_bag GROUP BY x) SELECT * FROM b a JOIN b ON a.x = b.x JOIN b c ON c.x = a.x",
        # A column with fields has the name of a relation.
        "SELECT * FROM (SELECT x, struct(x) AS b FROM left_bag) a JOIN left_bag b ON a.x = b.x",
        # Subqueries refer to the relations of a SELECT by other names.
        "SELECT * FROM left_bag a JOIN left_bag b ON a.x = b.x WHERE EXISTS (SELECT 1 FROM right_bag WHERE x = b.x)",
        "SELECT * FROM left_bag a WHERE EXISTS (SELECT 1 FROM left_bag b JOIN left_bag c ON b.x = c.x AND b.y = a.y)",
        "SELECT * FROM left_bag a JOIN left_bag b ON a.x = b.x AND a.y IN (SELECT x FROM right_bag)",
        "SELECT * FROM left_bag a JOIN left_bag b ON exists(array(a.x), b -> b > 0)",
        "SELECT * FROM left_bag a JOIN left_bag b ON a.x = b.x WHERE exists(array(a.x), b -> b > 0)",
        "SELECT * FROM left_bag a, left_bag b WHERE a.x = b.x AND a.y IN (SELECT x FROM right_bag)",
        "SELECT * FROM left_bag A FULL JOIN left_bag `B b` ON A.x = `B b`.x",
    ],
)
def test_names_that_mean_something_else(text: str) -> None:
    assert "left_bag" in written(text)


def test_names_that_a_program_gives_stay_below_the_join() -> None:
    right = T.orders.select(col("order_id").alias("other"), col("status"))
    joined = T.lines.select(col("line_order"), col("sku").alias("status_1")).join(
        right, col("line_order") == col("other")
    )
    assert "SELECT order_id AS other, status" in short(written_by(joined))


def test_names_that_a_program_gives_as_the_reader_does() -> None:
    columns = ("line_order", "sku", "quantity")
    right = T.lines.select(*[col(name).alias(f"r_{name}") for name in columns])
    joined = T.lines.join(right, col("sku") == col("r_sku"))
    once = joined.filter(col("quantity") > col("r_quantity"))
    assert ") AS r\nON lines.sku = r.sku\nWHERE lines.quantity > r.quantity" in short(written_by(once))
    # A second filter has a SELECT of its own. No names are given between it and the joins.
    twice = once.filter(col("line_order") > col("r_line_order"))
    assert "AS r_sku" in short(written_by(twice))
    assert "AS r\n" not in short(written_by(twice))


def test_flink_has_a_select_for_each_join() -> None:
    operation = read("SELECT * FROM left_bag a JOIN left_bag b ON a.x = b.x")
    assert "SELECT x AS b_x, y AS b_y" in short(operation.as_serializable_string(Dialect.FLINK))


def test_many_joins_cost_linear_time() -> None:
    def count(joins: int) -> int:
        relations = "".join([f" JOIN left_bag t{n} ON t0.x = t{n}.x" for n in range(1, joins)])
        operation = read(f"SELECT t0.x FROM left_bag t0{relations}")
        return calls(operation.as_serializable_string)

    assert count(80) < 3 * count(40)
