"""Assertions about queries, and their messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pytest

from tableapi import EnvironmentSettings, Table, TableEnvironment
from tableapi.exceptions import SqlParserException, ValidationException
from tableapi.expressions import col
from tableapi.schema import Schema
from tableapi.testing import assert_rows, assert_same_query, assert_schema
from tableapi.testing.row_comparison import complete_row, describe_difference

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture
def te() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    return TableEnvironment.create(settings)


@pytest.fixture
def orders(te: TableEnvironment) -> Table:
    return te.declare("orders", {"id": "BIGINT NOT NULL", "customer": "STRING", "amount": "DECIMAL(10, 2)"})


# --- columns ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "columns",
    [
        {"id": "BIGINT NOT NULL", "customer": "STRING", "amount": "DECIMAL(10, 2)"},
        "id BIGINT NOT NULL, customer STRING, amount DECIMAL(10, 2)",
        Schema.new_builder()
        .column("id", "BIGINT NOT NULL")
        .column("customer", "STRING")
        .column("amount", "DECIMAL(10, 2)")
        .build(),
    ],
)
def test_equal_columns_in_any_form(orders: Table, columns: Any) -> None:
    assert_schema(orders, columns)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"id": "BIGINT", "customer": "STRING", "amount": "DECIMAL(10, 2)"},
            "column 1: `id` BIGINT was expected, but it is `id` BIGINT NOT NULL",
        ),
        ({"id": "BIGINT NOT NULL", "customer": "STRING"}, "column 3: `amount` DECIMAL(10, 2) was not expected"),
        (
            {"id": "BIGINT NOT NULL", "customer": "STRING", "amount": "DECIMAL(10, 2)", "day": "DATE"},
            "column 4: `day` DATE was expected, but there is none",
        ),
        (
            {"id": "BIGINT NOT NULL", "amount": "DECIMAL(10, 2)", "customer": "STRING"},
            "column 2: `amount` DECIMAL(10, 2) was expected, but it is `customer` STRING\n"
            "  column 3: `customer` STRING was expected, but it is `amount` DECIMAL(10, 2)",
        ),
        (
            {"ID": "BIGINT NOT NULL", "customer": "STRING", "amount": "DECIMAL(10, 2)"},
            "column 1: `ID` BIGINT NOT NULL was expected, but it is `id` BIGINT NOT NULL",
        ),
    ],
)
def test_each_other_column_is_named(orders: Table, columns: Any, message: str) -> None:
    with pytest.raises(AssertionError) as raised:
        assert_schema(orders, columns)
    assert str(raised.value) == f"The query has other columns than expected:\n  {message}"


def test_an_invalid_type_is_no_difference(orders: Table) -> None:
    with pytest.raises(SqlParserException, match="The type of the column 'id'"):
        assert_schema(orders, {"id": "BIGNIT"})


# --- trees -----------------------------------------------------------------------------------------------------------


def test_the_same_query_in_either_form(te: TableEnvironment, orders: Table) -> None:
    query = orders.group_by(col("customer")).select(col("customer"), col("amount").sum.alias("total"))
    text = "SELECT customer, sum(amount) AS total FROM orders GROUP BY customer"
    assert_same_query(query, text)
    assert_same_query(text, query)
    assert_same_query(text, query.as_serializable_string(), environment=te)


def test_a_difference_is_told_in_words_and_with_its_place(orders: Table) -> None:
    with pytest.raises(AssertionError) as raised:
        assert_same_query(
            orders.filter(col("amount") > 5).select(col("id")), "SELECT id, amount FROM orders WHERE amount > 3"
        )
    assert str(raised.value) == (
        "The query is not the expected one. From the expected query to this one:\n"
        "  In the condition of the filter, `amount` > 3 became `amount` > 5.\n"
        "  In the projection, the column `amount` was removed.\n"
        "  In the result:\n"
        "    the column `amount` was removed\n"
        "  Readers of the old columns would notice.\n"
        "Where:\n"
        "  ~ Project: the column `amount` was removed\n"
        "  ~     Filter: in the condition, `amount` > 3 became `amount` > 5\n"
        "            CatalogTable: (identifier: [memory.default_database.orders], fields: [id, customer, amount])"
    )


def test_exact_counts_differences_without_effect(orders: Table) -> None:
    one = orders.filter(col("id") > 1).select(col("id"))
    other = orders.select(col("id"), col("amount")).filter(col("id") > 1).select(col("id"))
    assert_same_query(one, other)
    with pytest.raises(AssertionError, match="The query is not the expected one"):
        assert_same_query(one, other, exact=True)


def test_two_texts_need_an_environment() -> None:
    with pytest.raises(
        ValidationException, match=r"Pass the environment that reads them: assert_same_query\(…, environ"
    ):
        assert_same_query("SELECT 1", "SELECT 2")


# --- rows ------------------------------------------------------------------------------------------------------------

NAN = float("nan")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([], []),
        ([(1, "a"), (2, "b")], [(2, "b"), (1, "a")]),
        ([(1, None), (1, None)], [(1, None), (1, None)]),
        ([(NAN, [NAN])], [(NAN, [NAN])]),
        ([(0.1 + 0.2, "a")], [(pytest.approx(0.3), "a")]),
        ([({"k": 1}, (1, "x"))], [({"k": 1}, (1, "x"))]),
    ],
)
def test_equal_rows(found: Sequence[tuple[Any, ...]], expected: Sequence[tuple[Any, ...]]) -> None:
    assert describe_difference(found, expected, ["a", "b"], ordered=False) is None


@pytest.mark.parametrize(
    ("found", "expected", "lines"),
    [
        ([(1,)], [(1,), (1,)], ["missing: (1)"]),
        ([(1,), (1,)], [(1,)], ["unexpected: (1)"]),
        ([(True,)], [(1,)], ["missing: (1)", "unexpected: (True)"]),
        ([(None,)], [(0,)], ["missing: (0)", "unexpected: (None)"]),
        ([], [(0,)], ["missing: (0)", "The query has no rows."]),
        ([(n,) for n in range(22)], [], [*[f"unexpected: ({n})" for n in range(20)], "unexpected: 2 further rows"]),
    ],
)
def test_other_rows_are_listed(found: Any, expected: Any, lines: list[str]) -> None:
    told = describe_difference(found, expected, ["n"], ordered=False)
    assert told is not None
    assert told.split("\n  ") == ["The query has other rows than expected, in the columns (n):", *lines]


def test_the_order_counts_on_request() -> None:
    rows, others = [(1,), (2,), (3,)], [(1,), (3,), (2,)]
    assert describe_difference(rows, others, ["n"], ordered=False) is None
    assert describe_difference(rows, others, ["n"], ordered=True) == (
        "The query has the expected rows in another order: row 1 is (2), and (3) was expected."
    )
    assert describe_difference(rows, rows, ["n"], ordered=True) is None


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"custmer": "a", "id": 1},
            "Expected row 4 has a column 'custmer'; the query has [id, customer]. Did you mean 'customer'?",
        ),
        ({"id": 1}, "Expected row 4, {'id': 1}, lacks the column 'customer'."),
        ((1,), "Expected row 4, (1,), has 1 values, but the query has 2 columns: [id, customer]."),
    ],
)
def test_an_expected_row_of_other_columns_is_an_error(row: Any, message: str) -> None:
    with pytest.raises(ValidationException) as raised:
        complete_row(row, ["id", "customer"], 4)
    assert str(raised.value) == message


def test_the_value_of_the_only_column_is_a_row() -> None:
    assert complete_row("abc", ["name"], 0) == ("abc",)
    assert complete_row(None, ["name"], 0) == (None,)


def test_rows_of_spark(spark: SparkSession) -> None:
    te = TableEnvironment.create(spark=spark.newSession())
    numbers = te.from_elements([(1, "a"), (2, None)], ["id", "name"])
    assert_rows(numbers, [{"name": None, "id": 2}, (1, "a")])
    assert_rows(numbers.order_by(col("id").desc), [(2, None), (1, "a")], ordered=True)
    with pytest.raises(AssertionError, match=r"another order: row 0 is \(2, None\), and \(1, 'a'\) was expected"):
        assert_rows(numbers.order_by(col("id").desc), [(1, "a"), (2, None)], ordered=True)
    with pytest.raises(AssertionError, match=r"missing: \(3, 'c'\)\n  unexpected: \(2, None\)"):
        assert_rows(numbers, [(1, "a"), (3, "c")])
