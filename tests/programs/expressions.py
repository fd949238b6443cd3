"""Programs with expressions: comparison, logic, arithmetic, strings, time, collections, JSON."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal as D

from pyspark.sql import functions as f

from tableapi import DataTypes
from tableapi.expression import JsonOnNull, TimeIntervalUnit
from tableapi.expressions import (
    and_,
    array,
    call,
    coalesce,
    col,
    concat,
    current_date,
    current_time,
    current_timestamp,
    if_then_else,
    json_object,
    lit,
    local_time,
    local_timestamp,
    map_,
    null_of,
    or_,
    row,
)
from tests.programs.program import program

T = DataTypes

# --- comparison and logic ---------------------------------------------------------------------------------------------

program(
    "comparisons",
    lambda t: t.left_bag.select(
        (col("x") == 1).alias("eq"),
        (col("x") != 1).alias("ne"),
        (col("x") < 2).alias("lt"),
        (col("x") <= 2).alias("le"),
        (col("x") > 2).alias("gt"),
        (col("x") >= 2).alias("ge"),
    ).distinct(),
    rows=[
        (True, False, True, True, False, False),
        (False, True, False, True, False, True),
        (False, True, False, False, True, True),
        (None,) * 6,
    ],
)
program(
    "comparison_of_mixed_types",
    lambda t: t.orders.filter(col("order_id") == 100).select(
        (col("amount") == 20).alias("decimal_int"),
        (col("order_id") == "100").alias("int_text"),
        (col("discount") < D("0.5")).alias("double_decimal"),
        (col("ordered_at") > dt.date(2024, 1, 31)).alias("timestamp_date"),
    ),
    rows=[(True, True, True, True)],
)
program(
    "logic_of_three_values",
    lambda t: t.env.from_elements([(True, None), (False, None), (None, None), (True, False)], ["p", "q"]).select(
        (col("p") & col("q")).alias("a"), (col("p") | col("q")).alias("o"), (~col("p")).alias("n")
    ),
    rows=[(None, True, False), (False, None, True), (None, None, None), (False, True, False)],
)
program(
    "logic_chains_are_flat",
    lambda t: t.lines.filter(
        and_(col("quantity") > 0, col("quantity") < 100, col("sku") != "ink")
        & or_(col("sku") == "pen", col("sku") == "pad", col("sku") == "cap")
    ).select(col("sku"), col("quantity")),
    rows=[("pen", 3), ("pen", 2), ("pad", 10), ("cap", 1)],
    dataframe=lambda d: d.lines.filter(
        "quantity > 0 and quantity < 100 and sku <> 'ink' and (sku = 'pen' or sku = 'pad' or sku = 'cap')"
    ).select("sku", "quantity"),
)
program(
    "truth_tests",
    lambda t: t.env.from_elements([(1, True), (2, False), (3, None)], ["i", "b"]).select(
        col("i"),
        col("b").is_true.alias("t"),
        col("b").is_not_true.alias("nt"),
        col("b").is_false.alias("f"),
        col("b").is_not_false.alias("nf"),
        col("b").is_unknown.alias("u"),
        col("b").is_not_unknown.alias("nu"),
    ),
    rows=[
        (1, True, False, False, True, False, True),
        (2, False, True, True, False, False, True),
        (3, False, True, False, True, True, False),
    ],
)
program(
    "distinct_from",
    lambda t: t.left_bag.filter(col("x").is_null | (col("x") == 3)).select(
        col("x").is_distinct_from(3).alias("d"), col("y").is_not_distinct_from(null_of(T.STRING())).alias("n")
    ),
    rows=[(False, True), (True, True)],
)
program(
    "between",
    lambda t: t.lines.filter(col("quantity").between(2, 3)).select(
        col("sku"), col("quantity").not_between(3, 9).alias("n")
    ),
    rows=[("pen", False), ("pen", True)],
    dataframe=lambda d: d.lines.filter(f.col("quantity").between(2, 3)).select(
        "sku", (~f.col("quantity").between(3, 9)).alias("n")
    ),
)
program(
    "in_values",
    lambda t: t.lines.filter(col("sku").in_("pen", "pad")).filter(~col("quantity").in_(2, 3)).select(col("line_order")),
    rows=[(102,)],
    dataframe=lambda d: (
        d.lines.filter(f.col("sku").isin("pen", "pad")).filter(~f.col("quantity").isin(2, 3)).select("line_order")
    ),
)
program(
    "in_composite_left_operand",
    lambda t: t.lines.filter((col("quantity") + 1).in_(3, 4) & (col("sku") == "pen").in_(True)).select(col("quantity")),
    rows=[(3,), (2,)],
)
program(
    "like",
    lambda t: t.env.from_elements([("a_b%c",), ("axbyc",), ("A_b",), (None,)], ["s"]).select(
        col("s").like("a%").alias("p"), col("s").like("a!_b!%c", "!").alias("e"), col("s").like("a\\_b%").alias("d")
    ),
    rows=[(True, True, True), (True, False, False), (False, False, False), (None, None, None)],
)
program(
    "precedence_needs_no_more_parentheses",
    lambda t: t.lines.filter(col("sku") == "pen").select(
        ((col("quantity") + 1) * 2 - (3 - col("quantity"))).alias("a"),
        ((col("quantity") - 1) - (col("quantity") - 2)).alias("b"),
        (-(col("quantity") + 1)).alias("c"),
        ((col("quantity") > 2) == (col("sku") == "pen")).alias("d"),
        (~((col("quantity") > 2) & (col("sku") == "pen")) | col("quantity").is_null).alias("e"),
    ),
    rows=[(8, 1, -4, True, False), (5, 1, -3, False, True), (None, None, None, None, True)],
)

# --- conditions and NULL ----------------------------------------------------------------------------------------------

program(
    "if_then_else",
    lambda t: t.left_bag.select(
        col("x"),
        if_then_else(col("x") > 1, "many", "one").alias("c"),
        (col("x") == 3).then("three", (col("x") == 2).then("two", col("y"))).alias("n"),
    ).distinct(),
    rows=[(1, "one", "a"), (2, "many", "two"), (3, "many", "three"), (None, "one", None)],
    dataframe=lambda d: d.left_bag.select(
        "x",
        f.when(f.col("x") > 1, "many").otherwise("one").alias("c"),
        f.when(f.col("x") == 3, "three").otherwise(f.when(f.col("x") == 2, "two").otherwise(f.col("y"))).alias("n"),
    ).distinct(),
)
program(
    "case_of_mixed_types",
    lambda t: t.orders.filter(col("order_id") < 102).select(
        if_then_else(col("order_id") == 100, col("order_id"), col("amount")).alias("m"),
        if_then_else(col("order_id") == 100, 1, col("discount")).alias("d"),
    ),
    rows=[(D("100.00"), 1.0), (D("5.50"), None)],
)
program(
    "replacement_of_null",
    lambda t: t.left_bag.select(
        col("y").if_null("none").alias("i"), coalesce(null_of(T.INT()), col("x"), -1).alias("c")
    ).distinct(),
    rows=[("a", 1), ("b", 2), ("none", 3), ("none", -1)],
    dataframe=lambda d: d.left_bag.select(
        f.ifnull("y", f.lit("none")).alias("i"), f.coalesce(f.lit(None).cast("int"), "x", f.lit(-1)).alias("c")
    ).distinct(),
)
program(
    "typed_nulls",
    lambda t: t.lines.filter(col("sku") == "cap").select(
        null_of(T.INT()).alias("i"),
        null_of(T.DECIMAL(10, 2)).alias("m"),
        null_of(T.ARRAY(T.STRING())).alias("a"),
        null_of(T.ROW([T.FIELD("x y", T.INT())])).alias("r"),
        (null_of(T.INT()) == 1).alias("e"),
    ),
    rows=[(None, None, None, None, None)],
)

# --- arithmetic -------------------------------------------------------------------------------------------------------

program(
    "arithmetic_of_integers",
    lambda t: t.lines.filter(col("sku") == "pad").select(
        (col("quantity") + 1).alias("p"),
        (col("quantity") - 11).alias("m"),
        (col("quantity") * 2).alias("t"),
        (col("quantity") / 4).alias("d"),
        (col("quantity") % 4).alias("r"),
        (-col("quantity")).alias("n"),
        (lit(-7) % 3).alias("s"),
    ),
    rows=[(11, -1, 20, 2.5, 2, -10, -1)],
    dataframe=lambda d: d.lines.filter("sku = 'pad'").selectExpr(
        "quantity + 1", "quantity - 11", "quantity * 2", "quantity / 4", "quantity % 4", "-quantity", "-7 % 3"
    ),
)
program(
    "arithmetic_of_decimals",
    lambda t: t.orders.filter(col("order_id") == 101).select(
        (col("amount") + D("1.005")).alias("p"),
        (col("amount") * 2).alias("t"),
        (col("amount") / 3).alias("d"),
        (col("amount") * (1 - col("amount"))).alias("x"),
        (col("amount") % 2).alias("r"),
        (col("amount") + col("order_id")).alias("b"),
        (col("amount") + 0.5).alias("f"),
    ),
    rows=[(D("6.505"), D("11.00"), D("1.833333"), D("-24.7500"), D("1.50"), D("106.50"), 6.0)],
)
program(
    "arithmetic_widens",
    lambda t: t.readings.filter(col("n") == 1).select(
        (col("tiny") + col("small")).alias("s"),
        (col("small") + col("n")).alias("i"),
        (col("n") + col("big")).alias("b"),
        (col("n") + col("ratio")).alias("f"),
        (col("big") + col("level")).alias("d"),
        (col("fine") + col("tiny")).alias("m"),
    ),
    rows=[(11, 11, 101, 2.5, 102.25, D("2.00000001"))],
)
program(
    "casts",
    lambda t: t.lines.filter(col("sku") == "pad").select(
        col("quantity").cast(T.STRING()).alias("s"),
        lit("12").cast(T.INT()).alias("i"),
        lit("2024-02-29").cast(T.DATE()).alias("d"),
        lit("2024-02-29 01:02:03").cast(T.TIMESTAMP(3)).alias("t"),
        (col("quantity") / 3).cast(T.DECIMAL(6, 1)).alias("m"),
        (col("quantity") > 1).cast(T.INT()).alias("b"),
        col("quantity").cast(T.TINYINT()).alias("y"),
    ),
    rows=[("10", 12, dt.date(2024, 2, 29), dt.datetime(2024, 2, 29, 1, 2, 3), D("3.3"), 1, 10)],
)
program(
    "try_casts",
    lambda t: t.lines.filter(col("sku") == "pad").select(
        lit("x").try_cast(T.INT()).alias("i"),
        lit("1e3").try_cast(T.DOUBLE()).alias("d"),
        lit("30.02.2024").try_cast(T.DATE()).alias("t"),
        lit(300).try_cast(T.TINYINT()).alias("y"),
    ),
    rows=[(None, 1000.0, None, None)],
)

# --- strings ----------------------------------------------------------------------------------------------------------

program(
    "text_functions",
    lambda t: t.env.from_elements([("Straße", "  x "), (None, "yy")], ["s", "p"]).select(
        col("s").upper_case.alias("u"),
        col("s").lower_case.alias("l"),
        col("s").char_length.alias("n"),
        (col("s") + "!").alias("plus"),
        col("s").concat(col("p")).alias("c"),
    ),
    rows=[("STRASSE", "straße", 6, "Straße!", "Straße  x "), (None, None, None, None, None)],
)
program(
    "plus_joins_text_with_anything",
    lambda t: t.orders.filter(col("order_id") == 100).select(
        ("#" + col("order_id") + "/" + col("customer_id")).alias("k")
    ),
    rows=[("#100/1",)],
)
program(
    "position_overlay_substring",
    lambda t: t.env.from_elements([("abcdef",)], ["s"]).select(
        lit("cd").position(col("s")).alias("p"),
        lit("z").position(col("s")).alias("q"),
        col("s").overlay("ZZ", 2).alias("o"),
        col("s").overlay("ZZ", 2, 4).alias("o4"),
        col("s").substring(3).alias("a"),
        col("s").substring(2, 3).alias("b"),
        col("s").substr(-2).alias("c"),
    ),
    rows=[(3, 0, "aZZdef", "aZZf", "cdef", "bcd", "ef")],
)
program(
    "trim_in_all_forms",
    lambda t: t.env.from_elements([(" xxaxx ",), ("xxaxx",)], ["s"]).select(
        col("s").trim().alias("b"),
        col("s").trim_leading().alias("l"),
        col("s").trim_trailing().alias("t"),
        col("s").trim("x").alias("bx"),
        col("s").trim_leading("x").alias("lx"),
        col("s").trim_trailing("x").alias("tx"),
    ),
    rows=[
        ("xxaxx", "xxaxx ", " xxaxx", " xxaxx ", " xxaxx ", " xxaxx "),
        ("xxaxx", "xxaxx", "xxaxx", "a", "axx", "xxa"),
    ],
)
program(
    "text_literals",
    lambda t: t.lines.filter(col("sku") == "cap").select(
        lit("it's \\ \n \u00e9 \U0001f600 ${x} `y`").alias("s"), lit("").alias("e"), lit("\t\x01\x7f").alias("c")
    ),
    rows=[("it's \\ \n \u00e9 \U0001f600 ${x} `y`", "", "\t\x01\x7f")],
)
program(
    "call_by_name",
    lambda t: t.lines.filter(col("sku") == "cap").select(
        call("UPPER", col("sku")).alias("a"), call("char_length", "日本").alias("b")
    ),
    rows=[("CAP", 2)],
)

# --- time -------------------------------------------------------------------------------------------------------------

program(
    "extract_from_timestamp",
    lambda t: t.readings.filter(col("n") == 1).select(
        *[
            col("at").extract(unit).alias(unit.name.lower())
            for unit in (
                TimeIntervalUnit.YEAR,
                TimeIntervalUnit.QUARTER,
                TimeIntervalUnit.MONTH,
                TimeIntervalUnit.WEEK,
                TimeIntervalUnit.DAY,
                TimeIntervalUnit.HOUR,
                TimeIntervalUnit.MINUTE,
            )
        ]
    ),
    rows=[(2024, 1, 2, 9, 29, 13, 45)],
)
program(
    "extract_seconds_with_fraction",
    lambda t: t.readings.filter(col("n") < 3).select(col("at").extract(TimeIntervalUnit.SECOND).alias("s")),
    rows=[(D("30.250000"),), (D("59.000001"),)],
)
program(
    "interval_arithmetic",
    lambda t: t.readings.filter(col("n") == 1).select(
        (col("at") + lit(1).day).alias("d"),
        (col("at") - lit(1).month).alias("m"),
        (col("at") + lit(90).minutes - lit(15).seconds).alias("h"),
        (col("day") + lit(1).years).alias("y"),
        (col("day") + col("n").days).alias("n"),
        (col("instant") + lit(250).millis).alias("i"),
    ),
    rows=[
        (
            dt.datetime(2024, 3, 1, 13, 45, 30, 250000),
            dt.datetime(2024, 1, 29, 13, 45, 30, 250000),
            dt.datetime(2024, 2, 29, 15, 15, 15, 250000),
            dt.date(2025, 2, 28),
            dt.datetime(2024, 3, 1, tzinfo=dt.UTC),
            dt.datetime(2024, 2, 29, 12, 0, 0, 250000, tzinfo=dt.UTC),
        )
    ],
)
program(
    "differences_of_dates",
    lambda t: t.readings.filter(col("n") == 3).select((col("day") - dt.date(1999, 12, 1)).alias("days")),
    rows=[(dt.timedelta(days=31),)],
)
program(
    "differences_of_timestamps",
    lambda t: t.readings.filter(col("n") == 3).select(
        (col("at") - dt.datetime(1999, 12, 31, 12)).alias("half"), (col("at") - col("at")).alias("none")
    ),
    rows=[(dt.timedelta(hours=12), dt.timedelta(0))],
    no_flink="milliseconds",
)
program(
    "literals_of_time",
    lambda t: t.lines.filter(col("sku") == "cap").select(
        lit(dt.date(2024, 2, 29)).alias("d"),
        lit(dt.time(12, 34, 56, 789000)).alias("t"),
        lit(dt.datetime(1969, 12, 31, 23, 59, 59, 1)).alias("ts"),
        lit(dt.datetime(2024, 7, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=2)))).alias("z"),
        lit(-dt.timedelta(days=1, milliseconds=5)).alias("i"),
        lit(-14, T.INTERVAL(T.YEAR(), T.MONTH())).alias("m"),
    ),
    rows=[
        (
            dt.date(2024, 2, 29),
            dt.time(12, 34, 56, 789000),
            dt.datetime(1969, 12, 31, 23, 59, 59, 1),
            dt.datetime(2024, 7, 1, 10, tzinfo=dt.UTC),
            -dt.timedelta(days=1, milliseconds=5),
            -14,
        )
    ],
)
program(
    "current_moment",
    lambda t: t.lines.filter(col("sku") == "cap").select(
        (current_date() >= dt.date(2024, 1, 1)).alias("d"),
        (current_timestamp() > dt.datetime(2024, 1, 1, tzinfo=dt.UTC)).alias("t"),
        (local_timestamp() > dt.datetime(2024, 1, 1)).alias("l"),
        (current_time() >= dt.time(0)).alias("c"),
        local_time().is_null.alias("n"),
    ),
    rows=[(True, True, True, True, False)],
    no_flink="fraction of a second",
)

# --- collections ------------------------------------------------------------------------------------------------------

program(
    "array_map_row_constructors",
    lambda t: t.lines.filter(col("sku") == "pad").select(
        array(1, col("quantity"), None).alias("a"),
        map_("q", col("quantity"), "z", 0).alias("m"),
        row(col("sku"), 1.5, col("quantity").alias("named")).alias("r"),
        array(row(1, "a"), row(2, "b")).alias("n"),
    ),
    rows=[([1, 10, None], {"q": 10, "z": 0}, ("pad", 1.5, 10), [(1, "a"), (2, "b")])],
)
program(
    "element_access",
    lambda t: t.products.select(
        col("product"),
        col("tags").at(1).alias("first"),
        col("tags")[9].alias("ninth"),
        col("attributes").at("stock").alias("stock"),
        col("tags").cardinality.alias("n"),
    ),
    rows=[
        ("pen", "blue", None, 10, 2),
        ("ink", None, None, None, 0),
        ("pad", None, None, None, 2),
        ("cap", None, None, None, None),
    ],
)
program(
    "field_access",
    lambda t: t.products.select(
        col("size").get("width").alias("w"),
        col("size").get(0),
        col("size").box.depth,
        (col("size").WIDTH + 1).alias("p"),
    ),
    rows=[(1, 1, 0.5, 2), (2, 2, None, 3), (3, 3, None, 4), (None, None, None, None)],
)
program(
    "empty_collections",
    lambda t: t.lines.filter(col("sku") == "cap").select(
        lit([], T.ARRAY(T.INT())).alias("a"), lit({}, T.MAP(T.STRING(), T.INT())).alias("m")
    ),
    rows=[([], {})],
)
program(
    "cast_of_row",
    lambda t: (
        t.lines.filter(col("sku") == "pad")
        .select(
            row(col("quantity"), col("sku"))
            .cast(T.ROW([T.FIELD("n", T.BIGINT()), T.FIELD("t x", T.STRING())]))
            .alias("r")
        )
        .select(col("r").get("n"), col("r").get("t x").alias("t"))
    ),
    rows=[(10, "pad")],
)

# --- JSON -------------------------------------------------------------------------------------------------------------

program(
    "json_object",
    lambda t: t.left_bag.filter(col("x") >= 2).select(
        json_object(JsonOnNull.NULL, "x", col("x"), "y", col("y")).alias("kept"),
        json_object(JsonOnNull.ABSENT, "x", col("x"), "y", col("y")).alias("left_out"),
        json_object().alias("empty"),
    ),
    rows=[('{"x":2,"y":"b"}', '{"x":2,"y":"b"}', "{}"), ('{"x":3,"y":null}', '{"x":3}', "{}")],
)
program(
    "json_object_nested",
    lambda t: t.left_bag.filter(col("x") == 3).select(
        json_object(
            JsonOnNull.NULL,
            'a"`b',
            json_object(JsonOnNull.NULL, "y", col("y")),
            "absent",
            json_object(JsonOnNull.ABSENT, "x", col("x"), "y", col("y")),
        ).alias("j"),
        json_object(JsonOnNull.ABSENT, "o", json_object(JsonOnNull.NULL, "y", col("y")), "y", col("y")).alias("k"),
    ),
    rows=[('{"a\\"`b":{"y":null},"absent":{"x":3}}', '{"o":{"y":null}}')],
)
program(
    "text_that_is_json_stays_text",
    lambda t: t.left_bag.filter(col("x") == 2).select(
        json_object(JsonOnNull.NULL, "t", concat('{"x":', col("x"), "}")).alias("j")
    ),
    rows=[('{"t":"{\\"x\\":2}"}',)],
)
