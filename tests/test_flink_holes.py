"""Cases in which Flink 2.3 throws, or writes SQL that is invalid or has another meaning, by topic.

Cases of user-defined functions, process table functions, models and streams are tested with these features.
"""

from __future__ import annotations

import datetime as dt
import math

import pytest

from tableapi import (
    DataTypes,
    Dialect,
    Schema,
    Table,
    TableDescriptor,
    TableEnvironment,
    TableException,
    ValidationException,
)
from tableapi.expressions import UNBOUNDED_ROW, array, call, col, explode, lit, rank, row, row_interval
from tableapi.window import Over, Session, Tumble
from tests.programs.tables import Tables, environment_without_spark


@pytest.fixture(scope="module")
def bag() -> Table:
    return Tables(environment_without_spark()).left_bag


def _spark(expression: object) -> str:
    env = TableEnvironment.create()
    text = env.from_elements([(1, "a")], ["x", "y"]).select(expression.alias("r")).as_serializable_string()  # type: ignore[attr-defined]
    return text.splitlines()[0].removeprefix("SELECT ").removesuffix(" AS `r`")


def test_an_inline_source_names_the_call_that_helps() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(TableException, match=r"create_temporary_view"):
        TableEnvironment.create().from_pandas(pandas.DataFrame({"a": [1]})).as_serializable_string()


def test_constructed_literals_have_text() -> None:
    assert _spark(lit([1, 2])) == "ARRAY(1, 2)"
    assert _spark(lit({"a": 1})) == "MAP('a', 1)"
    assert _spark(lit((1, "b"))) == "NAMED_STRUCT('f0', 1, 'f1', 'b')"


def test_moments_with_a_zone_have_text() -> None:
    moment = dt.datetime(2024, 1, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=2)))
    assert "2024-01-01 10:00:00" in _spark(lit(moment))


def test_several_names_for_one_column_are_refused_when_given(bag: Table) -> None:
    with pytest.raises(ValidationException, match=r"several names to one column"):
        bag.select(col("x").alias("a", "b"))


def test_a_global_aggregate_has_no_group_by(bag: Table) -> None:
    assert "GROUP BY" not in bag.select(col("x").count).as_serializable_string()
    assert "GROUP BY" not in bag.select(col("x").count).as_serializable_string(Dialect.FLINK)


def test_the_alias_of_a_key_is_not_in_group_by(bag: Table) -> None:
    text = bag.group_by(col("y").upper_case.alias("u")).select(col("u")).as_serializable_string()
    assert text.endswith("GROUP BY UPPER(`y`)")


def test_sum0_is_written_as_coalesce(bag: Table) -> None:
    for dialect in Dialect:
        assert "COALESCE(" in bag.select(col("x").sum0).as_serializable_string(dialect)


def test_minus_is_except(bag: Table) -> None:
    for dialect in Dialect:
        assert ") EXCEPT ALL (" in bag.minus_all(bag).as_serializable_string(dialect)


def test_a_field_by_position_is_written_by_name(bag: Table) -> None:
    table = bag.select(row(col("x"), col("y")).alias("r")).select(col("r").get(1))
    assert "`r`.`f1`" in table.as_serializable_string()


def test_no_rows_have_text() -> None:
    table = TableEnvironment.create().from_elements([], DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT())]))
    assert table.as_serializable_string() == "SELECT CAST(NULL AS INT) AS `a`\nWHERE FALSE"


def test_an_aggregate_in_a_filter_is_refused(bag: Table) -> None:
    with pytest.raises(ValidationException, match=r"filter holds the aggregate sum.x."):
        bag.filter(col("x").sum > 1)


def test_text_plus_anything_is_text(bag: Table) -> None:
    assert "CONCAT(`y`, `x`)" in bag.select(col("y") + col("x")).as_serializable_string()
    assert "CONCAT(`y`, CAST(`x` AS STRING))" in bag.select(col("y") + col("x")).as_serializable_string(Dialect.FLINK)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (dt.timedelta(days=2, hours=3, minutes=4, seconds=5, milliseconds=6), "2 03:04:05.006"),
        (-dt.timedelta(seconds=1, milliseconds=500), "0 00:00:01.5"),
    ],
)
def test_intervals_keep_their_fraction_and_their_sign(value: dt.timedelta, text: str) -> None:
    written = _spark(lit(value))
    assert text.rstrip("0") in written or text in written
    assert ("-" in written) == (value < dt.timedelta(0))


def test_doubles_that_are_not_finite() -> None:
    assert "CAST('NaN' AS DOUBLE)" in _spark(lit(math.nan))
    assert "CAST('Infinity' AS DOUBLE)" in _spark(lit(math.inf))
    assert "CAST('-Infinity' AS DOUBLE)" in _spark(lit(-math.inf))


def test_composite_operands_of_in_keep_their_parentheses() -> None:
    assert _spark((col("x") == 1).in_(True, False)) == "(`x` = 1) IN (TRUE, FALSE)"
    assert _spark((col("x") + 1).in_(1, 2)) == "`x` + 1 IN (1, 2)"


def test_a_line_break_in_a_name_is_not_indented() -> None:
    table = TableEnvironment.create().from_elements([(1,)], ["a\nb"]).filter(col("a\nb") > 0).filter(col("a\nb") > 1)
    assert "`a\n " not in table.as_serializable_string()


def test_joins_need_no_equality(bag: Table) -> None:
    text = bag.join(bag.alias("a", "b"), col("x") < col("a")).as_serializable_string()
    assert text.endswith("ON `x` < `a`")


def test_equal_column_names_suggest_a_rename(bag: Table) -> None:
    with pytest.raises(
        ValidationException, match=r"rename_columns\(col\('x'\).alias\('right_x'\), col\('y'\).alias\('right_y'\)\)"
    ):
        bag.join(bag)


def test_a_key_without_alias_may_be_selected(bag: Table) -> None:
    table = bag.group_by(col("y").upper_case).select(col("y").upper_case, array(col("y").upper_case))
    assert len(table.get_resolved_schema()) == 2


@pytest.fixture(scope="module")
def orders() -> Table:
    return Tables(environment_without_spark()).orders


def test_an_anonymous_table_names_the_call_that_helps() -> None:
    schema = Schema.new_builder().column("a", "INT").build()
    files = TableDescriptor.for_connector("filesystem").schema(schema).option("path", "/data").format("csv").build()
    with pytest.raises(TableException, match=r"create_temporary_(view|table)"):
        TableEnvironment.create().from_descriptor(files).as_serializable_string()


def test_session_windows_have_text(orders: Table) -> None:
    by_session = orders.window(Session.with_gap(lit(1).hours).on(col("ordered_at")).alias("w")).group_by(col("w"))
    table = by_session.select(col("w").start, col("amount").sum)
    assert "GROUP BY SESSION_WINDOW(`ordered_at`, '1 hour')" in table.as_serializable_string()
    assert "SESSION((" in table.as_serializable_string(Dialect.FLINK)


def test_properties_of_windows_have_text(orders: Table) -> None:
    days = Tumble.over(lit(1).days).on(col("ordered_at")).alias("w")
    table = orders.window(days).group_by(col("w")).select(col("w").start, col("w").end, col("w").rowtime)
    for dialect in Dialect:
        text = table.as_serializable_string(dialect)
        assert ".`end` - INTERVAL '0.001' SECOND" in text
        assert "ROWTIME" not in text


def test_the_alias_of_a_key_beside_a_window_is_not_in_group_by(orders: Table) -> None:
    days = Tumble.over(lit(1).days).on(col("ordered_at")).alias("w")
    table = orders.window(days).group_by(col("w"), col("status").upper_case.alias("u")).select(col("u"))
    assert table.as_serializable_string().endswith("GROUP BY WINDOW(`ordered_at`, '1 day'), UPPER(`status`)\n)")


def test_windows_of_a_number_of_rows_have_text(orders: Table) -> None:
    tens = Tumble.over(row_interval(10)).on(col("ordered_at")).alias("w")
    table = orders.window(tens).group_by(col("w")).select(col("amount").sum)
    for dialect in Dialect:
        assert "ROW_NUMBER() OVER (ORDER BY `ordered_at`" in table.as_serializable_string(dialect)


def test_all_partition_keys_are_written(orders: Table) -> None:
    window = Over.partition_by(col("status"), col("customer_id")).order_by(col("order_id")).preceding(UNBOUNDED_ROW)
    for dialect in Dialect:
        text = orders.select(col("amount").sum.over(window)).as_serializable_string(dialect)
        assert "PARTITION BY `status`, `customer_id` ORDER BY `order_id`" in " ".join(text.split())


def test_windows_over_rows_are_ordered_by_anything(orders: Table) -> None:
    table = orders.select(rank().over(Over.order_by(col("amount").desc)))
    assert "RANK() OVER (ORDER BY `amount` DESC)" in table.as_serializable_string()


def test_a_global_aggregate_over_no_rows_is_one_row(bag: Table) -> None:
    assert "GROUP BY" not in bag.filter(lit(False)).select(col("x").count).as_serializable_string(Dialect.FLINK)


def test_arguments_of_lateral_joins_mean_the_left_side(bag: Table) -> None:
    arrays = bag.select(array(col("x")).alias("a"))
    table = arrays.join_lateral(explode(col("a")).alias("b"))
    assert "EXPLODE(`a`) AS" in table.as_serializable_string()
    with pytest.raises(ValidationException, match=r"a.*[Rr]ename|alias"):
        arrays.join_lateral(explode(col("a")).alias("a"))


def test_unnest_is_a_function(bag: Table) -> None:
    table = bag.select(array(col("x")).alias("a")).join_lateral(call("UNNEST", col("a")).alias("b"))
    assert table.get_resolved_schema().names == ("a", "b")
