"""Queries as Python code: the written code, and that it builds the same query again."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal as D
from typing import Any

import pytest

from grammar.reading import Surroundings, parse_query
from ir.errors import TableException, ValidationException
from ir.expressions import SortOrder, ValueLiteral
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation
from ir.operations.sort import Sort
from ir.operations.source import Source
from ir.schema import Column, ResolvedSchema
from tableapi import Table, TableEnvironment
from tableapi import types as t
from tableapi.expressions import (
    col,
    exists,
    lit,
    scalar,
)
from tableapi.python_code.layout import statement_text
from tableapi.python_code.operations import WRITERS
from tableapi.python_code.query import QueryWriter
from tests.programs.tables import environment_without_spark
from tests.snapshot_files import ROOT
from tests.to_python.evaluated import ENV, TABLES, T, evaluated, on_one_line, written

# --- queries in SQL ---------------------------------------------------------------------------------------------------


def _of_sql(text: str) -> str:
    """Return the Python code of a SQL query over the tables of the programs."""
    found = Surroundings(
        find_table=lambda path, version, timestamp, options: ENV.from_path(".".join(path)).query_operation
    )
    return written(ENV.from_operation(parse_query(text, found)))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (
            "SELECT status, COUNT(*) AS n FROM orders GROUP BY status",
            'env.from_path("orders").group_by(col("status")).select(col("status"), col("*").count.alias("n"))',
        ),
        (
            "SELECT order_id FROM orders o JOIN customers c ON o.customer_id = c.id WHERE c.name LIKE 'A%'",
            'env.from_path("orders").join(env.from_path("customers"), col("customer_id") == col("id"))'
            '.filter(col("name").like("A%")).select(col("order_id"))',
        ),
        (
            "SELECT x, SUM(x) OVER (PARTITION BY y ROWS 1 PRECEDING) AS s FROM left_bag",
            'env.from_path("left_bag").select(col("x"), col("x").sum.over(Over.partition_by(col("y"))'
            '.preceding(row_interval(1))).alias("s"))',
        ),
        ("SELECT product, tag FROM products LATERAL VIEW EXPLODE(tags) t AS tag", '.join_lateral(explode(col("tags"))'),
        ("SELECT order_id IN (SELECT line_order FROM lines) AS has FROM orders", '.in_(env.from_path("lines").select('),
        ("SELECT a.x, b.y FROM left_bag a, right_bag b", '.join(env.from_path("right_bag").alias("b_x", "b_y"))'),
        (
            "SELECT CASE WHEN x > 1 THEN 'a' WHEN x > 0 THEN 'b' END AS c FROM left_bag",
            'call("case", col("x") > 1, "a"',
        ),
        ("SELECT * EXCEPT (status) FROM orders", 'env.from_path("orders").drop_columns(col("status"))'),
        (
            "SELECT * FROM orders ORDER BY amount DESC NULLS FIRST LIMIT 3",
            '.order_by(col("amount").desc.nulls_first).fetch(3)',
        ),
        ("SELECT 1 AS one", 'env.from_elements([()], []).select(lit(1).alias("one"))'),
        ("VALUES (1 + 1)", 'env.sql_query("'),
        ("VALUES (MAP(ARRAY(1), 'a'))", 'env.sql_query("'),
        (
            "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT SUM(n) AS s FROM r",
            'FROM `r`""").select(col("n").sum.alias("s"))',
        ),
        ("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) TABLE r", 'env.sql_query("""WITH RECURSIVE '),
        ("SELECT TRANSFORM(order_id) USING 'cat' AS (x BIGINT) FROM orders", "USING 'cat' AS (`x` BIGINT)"),
        ("SELECT x + 1 AS y FROM (SELECT TRANSFORM(1) USING 'cat' AS (x INT))", '.select((col("x") + 1).alias("y"))'),
        ("SELECT TIMESTAMP 'now' AS t, DATE 'tomorrow' AS d", "current_date().date_add(1)"),
        ("SELECT CAST(NULL AS INTERVAL) AS i", "DataTypes.INTERVAL()"),
        (
            "SELECT COUNT(*) AS n FROM orders GROUP BY GROUPING SETS ((), (), ())",
            '.grouping_sets([], [], []).select(col("*").count.alias("n"))',
        ),
        ("SELECT 1 FROM orders GROUP BY GROUPING SETS ((), ())", ".grouping_sets([], []).select(lit(1)"),
        ("SELECT GROUPING_ID() AS g FROM orders GROUP BY GROUPING SETS ((), ())", ".select(grouping_id()"),
        ("SELECT NAMED_STRUCT() AS r", '.select(call("named_struct").alias("r"))'),
        ("SELECT WINDOW(ts, '1 hour') AS w FROM events", '.select(call("window", col("ts"), "1 hour").alias("w"))'),
    ],
)
def test_a_query_in_sql(text: str, code: str) -> None:
    assert code in on_one_line(_of_sql(text))


def test_a_recursive_query_is_written_as_its_sql() -> None:
    table = ENV.sql_query(
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 3), "
        "u(n) AS (SELECT 'a\\n\"' UNION ALL SELECT n || 'b' FROM u WHERE length(n) < 3) "
        "SELECT a.n, b.n AS m FROM t AS a JOIN t AS b ON a.n = b.n + 1 JOIN u ON length(u.n) = a.n WHERE a.n > 1"
    )
    text = written(table)
    assert text.count('sql_query(\n    """WITH RECURSIVE `t`(`n`) AS (\n') == 1
    assert ".filter(" in text


# --- operations -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("build", "code"),
    [
        (lambda o: o.select(col("order_id"), col("amount")), '.select(col("order_id"), col("amount"))'),
        (lambda o: o.drop_columns(col("status")), '.drop_columns(col("status"))'),
        (lambda o: o.rename_columns(col("status").alias("s")), '.rename_columns(col("status").alias("s"))'),
        (lambda o: o.alias("a", "b", "c", "d"), '.alias("a", "b", "c", "d")'),
        (lambda o: o.add_columns(lit(1).alias("one")), '.add_columns(lit(1).alias("one"))'),
        (
            lambda o: o.add_or_replace_columns(col("status").upper_case.alias("status")),
            '.add_or_replace_columns(col("status").upper_case.alias("status"))',
        ),
        (
            lambda o: o.order_by(col("amount").desc).offset(2).fetch(3),
            '.order_by(col("amount").desc).offset(2).fetch(3)',
        ),
        (lambda o: o.sample(0.1, seed=7), ".sample(0.1, seed=7)"),
        (lambda o: o.sample(D("0.00123456789012345678901")), '.sample(Decimal("0.00123456789012345678901"))'),
        (lambda o: o.hint("REPARTITION", 3, col("status")), '.hint("repartition", 3, col("status"))'),
        (
            lambda o: o.group_by(col("status")).select(col("amount").sum),
            '.group_by(col("status")).select(col("amount").sum)',
        ),
        (lambda o: o.select(col("amount").sum), '.select(col("amount").sum)'),
        (lambda o: o.distinct(), ".distinct()"),
        (
            lambda o: o.right_outer_join(TABLES.lines, lit(True)),
            '.right_outer_join(env.from_path("lines"), lit(True))',
        ),
    ],
)
def test_an_operation(build: Callable[[Table], Table], code: str) -> None:
    text = on_one_line(written(build(TABLES.orders)))
    assert text.removeprefix("result = (").removeprefix("result = ").startswith(f'env.from_path("orders"){code}')


def test_a_shared_table_is_written_once() -> None:
    paid = TABLES.orders.filter(col("status") == "paid")
    text = written(paid.union_all(paid.select(*[col(n) for n in paid.get_schema().get_field_names()])))
    assert text == (
        'filtered_orders = env.from_path("orders").filter(col("status") == "paid")\n'
        "result = filtered_orders.union_all(filtered_orders)\n"
    )


def test_aggregates_that_are_used_twice_are_a_table() -> None:
    totals = TABLES.orders.group_by(col("status")).select(col("status"), col("amount").sum.alias("total"))
    text = written(totals.join(totals.select(col("total").max.alias("most")), col("total") == col("most")))
    assert text.startswith("orders_by_status = ")
    assert text.count("group_by") == 1


def test_names_of_variables_are_not_taken_by_anything_else() -> None:
    env = TableEnvironment.create()
    names = ("col", "env", "result", "class", "`2 words`", "list", "dt", "Ünï")
    for name in names:
        env.create_temporary_view(name, env.from_elements([(dt.date(2024, 1, 1), 1)], ["d", "n"]))
    for name in names:
        table = env.from_path(name)
        twice = table.union_all(table).filter(col("d") > dt.date(2023, 1, 1))
        assert evaluated(twice.to_python(), env).query_operation is twice.query_operation


def test_other_names_for_the_environment_and_the_result() -> None:
    table = TABLES.lines.filter(col("quantity") > 1)
    text = table.to_python("te", "large")
    assert text.endswith('large = te.from_path("lines").filter(col("quantity") > 1)\n')
    assert evaluated(text, name="te", result="large").query_operation is table.query_operation


def test_lines_are_as_long_as_asked() -> None:
    table = TABLES.lines.filter(col("quantity") > 1).select(col("sku"), col("quantity"))
    assert max(map(len, table.to_python(line_length=60).splitlines())) <= 60
    assert table.to_python(line_length=200).count("\n") == 3


def test_paths_are_as_short_as_they_can_be() -> None:
    env = environment_without_spark()
    lines = env.from_path("lines")
    assert lines.to_python() == 'result = env.from_path("lines")\n'
    env.create_temporary_view("lines", env.from_elements([(1,)], ["a"]))
    assert lines.to_python() == 'result = env.from_path("programs.lines")\n'
    env.get_catalog("spark_catalog").create_database("other")
    env.use_database("other")
    assert lines.to_python() == 'result = env.from_path("programs.lines")\n'
    assert env.from_path("lines").to_python() == 'result = env.from_path("lines")\n'


def test_time_travel() -> None:
    orders = TABLES.orders.query_operation
    assert isinstance(orders, Source)
    at = lit(dt.datetime(2024, 1, 1, 12))._expression
    for changes, code in (
        ({"version": "7"}, "version=7"),
        ({"version": "v 1"}, 'version="v 1"'),
        ({"timestamp": at}, "timestamp=dt.datetime(2024, 1, 1, 12)"),
    ):
        text = ENV.from_operation(orders.evolve(**changes)).to_python()
        assert text.endswith(f'result = env.from_path("orders", {code})\n')


def test_a_subquery_refers_to_the_outer_table() -> None:
    orders, lines = TABLES.orders, TABLES.lines
    paid = orders.filter(col("status") == "paid")
    text = written(paid.filter(exists(lines.filter(col("line_order") == paid.outer("order_id")))))
    assert text == (
        'orders = env.from_path("orders")\n'
        'filtered_lines = env.from_path("lines").filter(col("line_order") == orders.outer("order_id"))\n'
        'result = orders.filter(col("status") == "paid").filter(exists(filtered_lines))\n'
    )


def test_a_subquery_refers_to_a_key_of_groups() -> None:
    groups = TABLES.lines.group_by(col("sku").upper_case.alias("k")).select(col("k"), col("quantity").sum.alias("s"))
    most = TABLES.products.filter(col("product") == groups.outer("k")).select(col("price").max)
    text = written(groups.select(col("k"), scalar(most).alias("price")))
    assert '.outer("k")' in text


# --- queries without Python code --------------------------------------------------------------------------------------


def test_data_of_this_process_has_no_code() -> None:
    import pyarrow as pa

    table = ENV.from_arrow(pa.table({"a": [1]})).filter(col("a") > 1)
    with pytest.raises(
        TableException,
        match=r"There is no Python code for InlineSource\(kind: \[Arrow table\], fields: \[a\]\): it reads an "
        r"anonymous Arrow table of this process, which no code can make again\. Store the data as a table",
    ):
        table.to_python()


def test_operations_without_a_call_are_rejected_by_name() -> None:
    orders = TABLES.orders.query_operation
    column = ValueLiteral(1, t.DataTypes.INT(nullable=False))
    operation: QueryOperation = Sort(Sort(orders, (SortOrder(column, True, True),)), (), 1)
    with pytest.raises(TableException, match=r"There is no Python code for Sort\(order: \[asc\(1\)\]\)"):
        ENV.from_operation(operation).to_python()


def test_the_reason_names_the_operation_without_code() -> None:
    import pyarrow as pa

    data = ENV.from_arrow(pa.table({"a": [1]}))
    with pytest.raises(TableException, match=r"^There is no Python code for InlineSource"):
        data.group_by(col("a")).select(col("a"), lit(1).count).filter(exists(TABLES.lines)).to_python()


def _without_filters(table: Table) -> str:
    """Return the only statement of a query's code when the fluent API has no filter."""
    writer = QueryWriter(ENV._parts, "env", {**WRITERS, Filter: lambda writer, operation: iter(())})
    code = writer.query(table.query_operation)
    assert code.value.query_operation is table.query_operation
    return statement_text("result", code, 120)


def test_operations_without_code_are_written_as_sql() -> None:
    table = TABLES.left_bag.filter(col("x") > 1).select(col("y"))
    assert on_one_line(_without_filters(table)) == (
        'result = env.sql_query("""SELECT `x`, `y` FROM `spark_catalog`.`programs`.`left_bag` WHERE `x` > 1""")'
        '.select(col("y"))'
    )


def test_operations_in_subqueries_are_written_with_the_outer_query() -> None:
    lines = TABLES.lines.filter(col("line_order") == TABLES.orders.outer("order_id"))
    text = _without_filters(TABLES.orders.select(exists(lines).alias("has")).distinct())
    assert text.startswith("result = env.sql_query(")
    assert text.endswith(").distinct()")
    assert "WHERE `line_order` = `orders`.`order_id`" in text


def test_sql_is_requested_once(monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow as pa

    asked = []
    render = QueryOperation.as_serializable_string

    def counting(operation: QueryOperation, *args: Any, **named: Any) -> str:
        asked.append(operation)
        return render(operation, *args, **named)

    table = ENV.from_arrow(pa.table({"a": [1]}))
    for bound in range(5):
        table = table.filter(col("a") > bound).distinct()
    monkeypatch.setattr(QueryOperation, "as_serializable_string", counting)
    with pytest.raises(TableException, match=r"^There is no Python code for InlineSource"):
        table.to_python()
    assert len(asked) == 1


def test_a_reference_to_a_query_around_needs_that_query() -> None:
    alone = TABLES.lines.filter(col("line_order") == TABLES.orders.outer("order_id"))
    with pytest.raises(TableException, match="it refers to the column 'order_id' of type BIGINT of a query around it"):
        alone.to_python()


@pytest.mark.parametrize("name", ["", "a b", "class", 1])
def test_names_must_be_identifiers(name: Any) -> None:
    with pytest.raises(ValidationException, match="to_python takes names of Python variables, but was given"):
        TABLES.orders.to_python(name)
    with pytest.raises(ValidationException, match="to_python takes names of Python variables, but was given"):
        TABLES.orders.to_python("env", name)
    with pytest.raises(ValidationException, match="to_python takes a whole number, but was given '80'"):
        TABLES.orders.to_python(line_length="80")  # type: ignore[arg-type]  # that is the mistake


def test_the_code_runs_in_a_process_of_its_own() -> None:
    table = ENV.from_elements([(1, "a")], ["n", "t"]).filter(col("n") > 0).select(col("t").upper_case)
    program = (
        f"from tableapi import TableEnvironment\nenv = TableEnvironment.create()\n{table.to_python()}print(result)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == f"{table!r}\n"


def test_the_snapshots_are_formatted() -> None:
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", "100", "--check"]
    done = subprocess.run([*command, str(ROOT / "python")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_field_descriptions_are_not_column_comments() -> None:
    operation = ENV.from_elements([(1,)], T.ROW([T.FIELD("a", T.INT(), "a number")])).query_operation
    assert operation.schema == ResolvedSchema((Column("a", T.INT(False)),))
    written(ENV.from_operation(operation))
