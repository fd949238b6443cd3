"""Queries that are rewritten for an older target: their text, what is refused, and what the rewriting costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from ir.errors import TableException, ValidationException
from ir.targets.target import Target
from tableapi import EnvironmentSettings, Row, TableEnvironment
from tableapi.expressions import col
from tableapi.process_functions import ProcessTableFunction, State, TableAsRow, TableAsSet
from tests.counting import calls


@dataclass
class Count:
    """The state of a process table function."""

    value: int = 0


@pytest.fixture
def old() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").with_target("spark-3.5")
    environment = TableEnvironment.create(settings.build())
    environment.execute_sql("CREATE TABLE orders (id INT, customer STRING, at TIMESTAMP_NTZ, day DATE, n INT)")
    return environment


def test_sort_by_a_selected_aggregate_above_having_uses_its_name(old: TableEnvironment) -> None:
    table = old.sql_query(
        "SELECT customer, SUM(n) AS s FROM orders GROUP BY customer HAVING SUM(n) > 1 ORDER BY SUM(n) DESC"
    )
    assert table.as_serializable_string(layout="MERGED").endswith("HAVING SUM(`n`) > 1\nORDER BY `s` DESC")


@pytest.mark.parametrize(
    ("columns", "order", "end"),
    [
        ("COUNT(*) AS c", "customer", "ORDER BY `EXPR$0`\n)\nSELECT `c`\nFROM `orders_by_customer`"),
        ("COUNT(*) AS c", "GROUPING(customer)", "ORDER BY `EXPR$0`\n)\nSELECT `c`\nFROM `orders_by_customer`"),
        ("COUNT(*) AS c", "SUM(n)", "GROUP BY ROLLUP(`customer`)\nORDER BY SUM(`n`)"),
        ("GROUPING(customer) AS g", "GROUPING(customer), MAX(n)", "ROLLUP(`customer`)\nORDER BY `g`, MAX(`n`)"),
        ("customer, COUNT(*) AS c", "customer", "GROUP BY ROLLUP(`customer`)\nORDER BY `customer`"),
    ],
)
def test_sort_by_a_key_of_rollup_that_is_not_selected_is_a_step(
    columns: str, order: str, end: str, old: TableEnvironment
) -> None:
    query = f"SELECT {columns} FROM orders GROUP BY ROLLUP (customer) ORDER BY {order}"
    assert old.sql_query(query).as_serializable_string(layout="MERGED").endswith(end)
    newest = old.sql_query(query).as_serializable_string(layout="MERGED", target="spark-4.2")
    assert "WITH" not in newest


@pytest.mark.parametrize("target", ["spark-3.5", "spark-4.3"])
def test_sort_by_grouping_of_a_renamed_key_is_a_step(target: str, old: TableEnvironment) -> None:
    """Spark of every version takes the column for the key, and refuses it: GROUPING_COLUMN_MISMATCH."""
    query = "SELECT customer AS c FROM orders GROUP BY ROLLUP (customer) ORDER BY GROUPING(customer)"
    text = old.sql_query(query).as_serializable_string(layout="MERGED", target=target)
    assert text.endswith("ORDER BY `EXPR$0`\n)\nSELECT `c`\nFROM `orders_by_customer`")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT MAX_BY(id, n, 2) FROM orders", "max_by(id, n, 2) needs Spark 4.2"),
        ("SELECT MODE(id, TRUE) FROM orders", "mode(id, true) with these arguments or this order needs Spark 4.0"),
        (
            "SELECT MODE() WITHIN GROUP (ORDER BY id) FROM orders",
            "withinGroup(mode(), asc(id)) with these arguments or this order needs Spark 4.0",
        ),
        (
            "SELECT * FROM JSON_TABLE('[1]', '$[*]' COLUMNS (a INT PATH '$')) AS t",
            "JSON_TABLE(…) needs Spark 4.3; the target is",
        ),
        ("SELECT TIME '10:00:00' AS t", "The type TIME(6) needs Spark 4.1; the target is"),
        (
            "SELECT TIME_BUCKET(INTERVAL '2' MONTH, at) FROM orders",
            "with these arguments or this order needs Spark 4.2",
        ),
        ("SELECT MAP(id, n) AS m FROM orders GROUP BY MAP(id, n)", "(GROUP BY of a map) needs Spark 4.0"),
        (
            "SELECT * FROM orders o WHERE EXISTS (SELECT 1 FROM orders p WHERE p.id = o.id LIMIT 1)",
            "(subquery: EXISTS with LIMIT) needs Spark 4.0",
        ),
        (
            "SELECT * FROM orders o, LATERAL (SELECT id FROM orders p WHERE p.id = o.id ORDER BY n LIMIT 1)",
            "(LATERAL with ORDER BY and LIMIT) needs Spark 4.0",
        ),
    ],
)
def test_what_the_target_lacks_is_refused_when_the_query_is_built(
    old: TableEnvironment, text: str, message: str
) -> None:
    with pytest.raises(TableException) as raised:
        old.sql_query(text)
    assert message in str(raised.value)
    assert str(raised.value).splitlines()[0].endswith("; the target is Spark 3.5 (from with_target).")


def test_each_fluent_step_is_checked(old: TableEnvironment) -> None:
    orders = old.from_path("orders").filter(col("id") > 1)
    with pytest.raises(TableException, match=r"needs Spark 4\.0"):
        orders.select(col("customer").collate("UTF8_LCASE"))


class Seen(ProcessTableFunction):
    """Number the rows of each key."""

    def eval(self, count: State[Count], input: TableAsSet[Row]) -> Iterator[int]:
        count.value += 1
        yield count.value


class Doubled(ProcessTableFunction):
    """Return two rows for each."""

    def eval(self, input: TableAsRow[Row]) -> Iterator[int]:
        yield from (1, 2)


def test_state_over_a_stream_is_refused_when_the_query_is_built() -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").with_target("spark-4.2")
    old = TableEnvironment.create(settings.build())
    old.execute_sql("CREATE TABLE clicks (page STRING) WITH ('connector' = 'rate', 'streaming' = 'true')")
    old.execute_sql("CREATE TABLE pages (page STRING)")
    for name, function in {"seen": Seen(), "doubled": Doubled()}.items():
        old.create_temporary_function(name, function)
    with pytest.raises(TableException) as error:
        old.sql_query("SELECT *\nFROM seen(input => TABLE clicks PARTITION BY page)")
    message = "The call of `seen` (process table function with state over a stream) needs Spark 4.3; the target is "
    assert str(error.value).startswith(f"{message}Spark 4.2 (from with_target).\nline 2, column 6:")
    # Over a table, and without state, every Spark runs it.
    old.sql_query("SELECT * FROM seen(input => TABLE pages PARTITION BY page)")
    old.sql_query("SELECT * FROM doubled(input => TABLE clicks)")


@pytest.mark.parametrize(
    "text",
    ["CAST(TIME '10:00:00' AS TIMESTAMP)", "CAST(TIME '10:00:00' AS TIMESTAMP_LTZ)", "CAST(NOW() AS TIME)"],
)
def test_a_version_without_the_types_of_a_call_is_not_the_one_that_has_it(text: str) -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").with_target("spark-4.1")
    with pytest.raises(TableException, match=r"needs Spark 4\.3; the target is Spark 4\.1"):
        TableEnvironment.create(settings.build()).sql_query(f"SELECT {text} AS v")


def test_spark_4_1_counts_as_without_watermark() -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").with_target("spark-4.1")
    old = TableEnvironment.create(settings.build())
    old.execute_sql("CREATE TABLE clicks (at TIMESTAMP_LTZ) WITH ('connector' = 'rate')")
    with pytest.raises(TableException, match=r"^The watermark \(WATERMARK\) needs Spark 4\.2; the target is"):
        old.sql_query("SELECT * FROM clicks WATERMARK at DELAY OF INTERVAL 1 MINUTE")


@pytest.mark.parametrize(
    ("given", "nearest"),
    [
        ("spark-4.4", "spark-4.3"),
        ("spark-3.4", "spark-3.5"),
        ("3.5", "spark-3.5"),
        ("spark4.0", "spark-4.0"),
        ("sail-0.6", "sail-0.7"),
        ("spark-5", "spark-4.3"),
        ("spark-3.9", "spark-3.5"),
    ],
)
def test_an_unknown_target_names_the_nearest(given: str, nearest: str) -> None:
    with pytest.raises(ValidationException, match=f"Did you mean '{nearest}'"):
        Target.of(given)


def test_cost_grows_with_the_depth_of_calls(old: TableEnvironment) -> None:
    """A call that is replaced does not have its arguments prepared again."""

    def cost(depth: int) -> int:
        name = "x"
        for _ in range(depth):
            name = f"QUOTE({name})"
        table = old.sql_query(f"SELECT {name} AS q FROM VALUES ('a') AS t(x)")
        preparation = old._parts.runtime.preparation
        assert preparation is not None
        return calls(lambda: preparation.prepare(table.query_operation))

    assert cost(40) < 2.4 * cost(20)


def test_a_refused_operation_names_what_replaces_it() -> None:
    te = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    te.declare("trades", {"at": "INT"})
    te.declare("prices", {"since": "INT"})
    query = te.sql_query("SELECT * FROM trades ASOF JOIN prices MATCH_CONDITION (at >= since)")
    with pytest.raises(
        TableException, match=r"\(ASOF JOIN\) needs Spark 4\.3; .* 4\.2\. Number the pairs with ROW_NUMBER"
    ):
        query.as_serializable_string(target="spark-4.2")
