"""Programs with aggregates: ordered ones, picks, conditions, statistics, JSON, sketches."""

import datetime as dt

from pyspark.sql import Row
from pyspark.sql import functions as f

from tableapi import JsonOnNull, Tumble
from tableapi.expressions import (
    array,
    call,
    col,
    json_array_agg,
    json_object,
    json_object_agg,
    lit,
    mode,
    percentile_cont,
    percentile_disc,
)
from tableapi.window import Over
from tests.programs.program import program

_NO_ORDER = "its aggregates take no order by WITHIN GROUP"

# --- in an order ------------------------------------------------------------------------------------------------------

program(
    "aggregate_in_an_order",
    lambda t: t.lines.group_by(col("line_order")).select(
        col("line_order"),
        col("sku").list_agg(", ").within_group(col("quantity").desc.nulls_first, col("sku")).alias("skus"),
    ),
    rows=[(100, "pen, ink"), (101, "pen"), (102, "pen, pad"), (999, "cap")],
    dataframe=lambda d: d.lines.groupBy("line_order").agg(
        f.expr("listagg(sku, ', ') within group (order by quantity desc nulls first, sku)")
    ),
    no_flink=_NO_ORDER,
)
program(
    "aggregate_in_an_order_of_different_values_and_where",
    lambda t: t.lines.select(
        col("sku").list_agg("|").distinct.within_group(col("sku").desc).alias("skus"),
        col("sku").list_agg("|").within_group(lit(1)).where(col("line_order") == 101).alias("one"),
    ),
    rows=[("pen|pad|ink|cap", "pen")],
    no_flink=_NO_ORDER,
)
program(
    "aggregate_in_an_order_over_a_window",
    lambda t: t.lines.select(
        col("line_order"),
        col("sku"),
        col("sku").list_agg("+").within_group(col("sku")).over(Over.partition_by(col("line_order"))).alias("all"),
        percentile_cont(0.5)
        .within_group(col("quantity"))
        .where(col("sku") == "pen")
        .over(Over.partition_by(col("line_order")))
        .alias("pens"),
    ),
    rows=[
        (100, "pen", "ink+pen", 3.0),
        (100, "ink", "ink+pen", 3.0),
        (101, "pen", "pen", 2.0),
        (102, "pad", "pad+pen", None),
        (102, "pen", "pad+pen", None),
        (999, "cap", "cap", None),
    ],
    no_flink=_NO_ORDER,
)
program(
    "aggregate_in_an_order_over_an_aggregation",
    lambda t: (
        t.lines.group_by(col("sku"))
        .select(col("sku"), col("quantity").sum.alias("q"))
        .select(col("sku").list_agg(",").within_group(col("q").desc, col("sku")).alias("skus"))
    ),
    rows=[("pad,pen,cap,ink",)],
    no_flink=_NO_ORDER,
)
program(
    "aggregate_in_an_order_of_hostile_names",
    lambda t: t.lines.rename_columns(col("sku").alias("a`b"), col("quantity").alias("EXPR$0")).select(
        col("a`b").list_agg("`").within_group(col("EXPR$0").desc, col("a`b"))
    ),
    rows=[("pad`pen`pen`cap`ink`pen",)],
    no_flink=_NO_ORDER,
)
program(
    "aggregates_of_group_windows_in_an_order",
    lambda t: (
        t.events.window(Tumble.over(lit(10).minutes).on(col("ts")).alias("w"))
        .group_by(col("w"))
        .select(
            col("w").start.alias("start"),
            col("k").list_agg("").within_group(col("v").desc).alias("ks"),
            col("v").median.alias("middle"),
        )
        .filter(col("start").is_not_null)
    ),
    rows=[
        (dt.datetime(2024, 1, 1, 10, 0), "baa", 2.5),
        (dt.datetime(2024, 1, 1, 10, 10), "a", 4.0),
        (dt.datetime(2024, 1, 1, 10, 30), "b", 5.0),
        (dt.datetime(2024, 1, 1, 11, 0), "a", 6.0),
    ],
    no_flink=_NO_ORDER,
)
program(
    "modes",
    lambda t: t.lines.select(
        col("sku").mode.alias("sku"),
        mode().within_group(col("quantity")).alias("least"),
        mode().within_group(col("line_order").desc).alias("greatest"),
        call("mode", col("line_order"), True).alias("chosen"),
    ),
    rows=[("pen", 1, 102, 100)],
    no_flink="Flink has no such function",
)

# --- percentiles ------------------------------------------------------------------------------------------------------

program(
    "percentiles_in_an_order",
    lambda t: t.events.select(
        percentile_cont(0.5).within_group(col("v")).alias("middle"),
        percentile_cont(0.25).within_group(col("v").desc).alias("upper"),
        percentile_disc(0.5).within_group(col("v").asc.nulls_last).alias("one"),
        percentile_cont(array(0.0, 1.0)).within_group(col("v")).alias("ends"),
        col("v").median.alias("median"),
    ),
    rows=[(4.5, 6.25, 4.0, [1.0, 8.0], 4.5)],
    dataframe=lambda d: d.events.select(
        f.expr("percentile_cont(0.5D) within group (order by v)"),
        f.expr("percentile_cont(0.25D) within group (order by v desc)"),
        f.expr("percentile_disc(0.5D) within group (order by v)"),
        f.expr("percentile_cont(array(0.0D, 1.0D)) within group (order by v)"),
        f.median("v"),
    ),
    no_flink="Flink has no such function",
)
program(
    "percentiles",
    lambda t: t.events.select(
        col("v").percentile(0.25).alias("quarter"), col("v").percentile(array(0.5, 1.0)).alias("both")
    ),
    rows=[(2.75, [4.5, 8.0])],
)
program(
    "percentile_of_values_that_count_several_times",
    lambda t: t.lines.filter(col("quantity").is_not_null).select(
        col("line_order").percentile(0.5, col("quantity")).alias("middle")
    ),
    rows=[(102.0,)],
    dataframe=lambda d: d.lines.where(f.col("quantity").isNotNull()).select(
        f.percentile("line_order", 0.5, f.col("quantity"))
    ),
)

# --- picks ------------------------------------------------------------------------------------------------------------

program(
    "values_of_the_greatest_and_the_least",
    lambda t: t.orders.select(
        col("order_id").max_by(col("amount")).alias("most"),
        col("order_id").min_by(col("amount")).alias("least"),
        col("order_id").max_by(col("amount"), 2).alias("two"),
    ),
    rows=[(102, 104, [102, 100])],
    dataframe=lambda d: d.orders.select(
        f.max_by("order_id", "amount"), f.min_by("order_id", "amount"), f.expr("max_by(order_id, amount, 2)")
    ),
    no_flink="Flink has no such function",
)
program(
    "any_value_of_groups",
    lambda t: t.lines.group_by(col("line_order")).select(
        col("line_order").any_value.alias("some"), col("quantity").any_value.ignore_nulls.is_null.alias("none")
    ),
    rows=[(100, False), (101, False), (102, False), (999, False)],
    no_flink="Flink has no such function",
)
program(
    "lists_with_and_without_null",
    lambda t: t.lines.filter(col("quantity").is_null).select(
        col("quantity").array_agg.alias("without"),
        col("quantity").array_agg.respect_nulls.alias("with"),
        col("sku").collect_set.alias("set"),
        col("quantity").collect_set.respect_nulls.alias("set_with"),
    ),
    rows=[([], [None], ["pen"], [None])],
    no_flink="its ARRAY_AGG keeps NULL, and is NULL where there are no rows",
)

# A HAVING beside the division would make Spark divide by zero, because it computes the SELECT of all groups first.
program(
    "computed_of_the_groups_that_are_left",
    lambda t: (
        t.left_bag.group_by(col("x"))
        .select(col("x"), col("y").count.alias("n"), col("y").array_agg.alias("all"))
        .filter(col("n") > 0)
        .select(col("x"), (lit(12) / col("n")).alias("share"), col("all"))
    ),
    rows=[(1, 6.0, ["a", "a"]), (2, 12.0, ["b"])],
    no_flink="its ARRAY_AGG keeps NULL, and is NULL where there are no rows",
)
# A filter after the select runs after it, as HAVING does.
program(
    "asked_of_what_is_computed_of_groups",
    lambda t: (
        t.left_bag.group_by(col("x"))
        .select(col("x"), (lit(12) / lit(1).count).alias("share"), col("y").count.alias("n"))
        .filter((col("share") < 12) & (col("n") > 0))
    ),
    rows=[(1, 6.0, 2)],
)

# --- conditions, bits, sums -------------------------------------------------------------------------------------------

program(
    "conditions_of_groups",
    lambda t: t.orders.group_by(col("status")).select(
        col("status"),
        (col("amount") > 0).count_if.alias("n"),
        (col("amount") > 0).bool_and.alias("all"),
        (col("amount") > 0).bool_or.alias("any"),
    ),
    rows=[("paid", 2, False, True), ("open", 1, True, True), ("lost", 0, None, None), (None, 0, False, False)],
    dataframe=lambda d: d.orders.groupBy("status").agg(
        f.count_if(f.col("amount") > 0), f.bool_and(f.col("amount") > 0), f.bool_or(f.col("amount") > 0)
    ),
    no_flink="Flink has no such function",
)
program(
    "bits_of_numbers",
    lambda t: t.readings.select(
        col("n").bit_and.alias("both"),
        col("n").bit_or.alias("either"),
        col("n").bit_xor.alias("odd"),
        col("small").bit_or.where(col("n") == 1).alias("ten"),
    ),
    rows=[(0, 7, 4, 10)],
    dataframe=lambda d: d.readings.select(
        f.bit_and("n"), f.bit_or("n"), f.bit_xor("n"), f.expr("bit_or(small) filter (where n = 1)")
    ),
    no_flink="Flink has no such function",
)
program(
    "sums_that_are_too_large",
    lambda t: t.readings.filter((col("n") == 1) | (col("n") == 3)).select(
        col("big").try_sum.alias("sum"), col("n").try_sum.alias("fits"), col("n").try_avg.alias("mean")
    ),
    rows=[(None, 4, 2.0)],
    no_flink="Flink has no such function",
)

# --- statistics -------------------------------------------------------------------------------------------------------

program(
    "statistics_of_two_variables",
    lambda t: t.events.select(
        col("v").corr(col("e")).alias("corr"),
        col("v").covar_pop(col("e")).alias("population"),
        col("v").covar_samp(col("e")).alias("sample"),
        col("v").regr_count(col("e")).alias("n"),
        col("v").regr_avgx(col("e")).alias("mean"),
        col("v").regr_slope(col("e")).alias("slope"),
        col("v").regr_intercept(col("e")).alias("intercept"),
        col("v").skewness.alias("skew"),
    ),
    rows=[(1.0, 5.25, 6.0, 8, 4.5, 1.0, 0.0, 0.0)],
    dataframe=lambda d: d.events.select(
        f.corr("v", "e"),
        f.covar_pop("v", "e"),
        f.covar_samp("v", "e"),
        f.regr_count("v", "e"),
        f.regr_avgx("v", "e"),
        f.regr_slope("v", "e"),
        f.regr_intercept("v", "e"),
        f.skewness("v"),
    ),
    no_flink="Flink has no such function",
)
program(
    "estimates",
    lambda t: t.events.select(
        col("k").approx_count_distinct(0.1).alias("different"),
        col("v").percentile_approx(0.5).alias("middle"),
        col("k").approx_top_k(1).alias("top"),
        col("v").histogram_numeric(10).cardinality.alias("bins"),
    ),
    rows=[(2, 4, [Row(item="a", count=4)], 8)],
    no_flink="its APPROX_COUNT_DISTINCT has no deviation",
)
program(
    "approximate_count",
    lambda t: t.events.group_by(col("k")).select(col("k"), col("v").approx_count_distinct().alias("n")),
    rows=[("a", 4), ("b", 3), (None, 1)],
    dataframe=lambda d: d.events.groupBy("k").agg(f.approx_count_distinct("v")),
)
program(
    "sketches",
    lambda t: t.events.select(
        call("hll_sketch_estimate", call("hll_sketch_agg", col("k"))).alias("hll"),
        call("theta_sketch_estimate", call("theta_sketch_agg", col("v"))).alias("theta"),
        call("kll_sketch_get_n_bigint", call("kll_sketch_agg_bigint", col("v"))).alias("kll"),
        call("tuple_sketch_estimate_integer", call("tuple_sketch_agg_integer", col("k"), col("v"))).alias("keys"),
        call("bitmap_count", call("bitmap_construct_agg", call("bitmap_bit_position", col("v")))).alias("bits"),
    ),
    rows=[(2, 8, 8, 2.0, 8)],
    dataframe=lambda d: d.events.select(
        f.hll_sketch_estimate(f.hll_sketch_agg("k")),
        f.theta_sketch_estimate(f.theta_sketch_agg("v")),
        f.expr("kll_sketch_get_n_bigint(kll_sketch_agg_bigint(v))"),
        f.expr("tuple_sketch_estimate_integer(tuple_sketch_agg_integer(k, v))"),
        f.bitmap_count(f.bitmap_construct_agg(f.bitmap_bit_position("v"))),
    ),
    no_flink="Flink has no such function",
)

# --- JSON -------------------------------------------------------------------------------------------------------------

program(
    "json_aggregates",
    lambda t: t.lines.group_by(col("line_order"), col("sku")).select(
        col("line_order"),
        json_object_agg(JsonOnNull.NULL, col("sku"), col("quantity")).alias("object"),
        json_object_agg(JsonOnNull.ABSENT, col("sku"), col("quantity")).alias("less"),
        json_array_agg(JsonOnNull.NULL, col("quantity")).alias("array"),
        json_array_agg(JsonOnNull.ABSENT, col("quantity")).alias("shorter"),
    ),
    rows=[
        (100, '{"pen":3}', '{"pen":3}', "[3]", "[3]"),
        (100, '{"ink":1}', '{"ink":1}', "[1]", "[1]"),
        (101, '{"pen":2}', '{"pen":2}', "[2]", "[2]"),
        (102, '{"pad":10}', '{"pad":10}', "[10]", "[10]"),
        (102, '{"pen":null}', "{}", "[null]", "[]"),
        (999, '{"cap":1}', '{"cap":1}', "[1]", "[1]"),
    ],
)
program(
    "json_aggregates_nest_objects",
    lambda t: (
        t.lines.filter(col("line_order") == 102)
        .group_by(col("sku"))
        .select(
            json_array_agg(JsonOnNull.NULL, json_object(JsonOnNull.NULL, "q", col("quantity"))).alias("kept"),
            json_array_agg(JsonOnNull.ABSENT, json_object(JsonOnNull.ABSENT, "q", col("quantity"))).alias("left_out"),
            json_object_agg(JsonOnNull.ABSENT, col("sku"), json_object(JsonOnNull.NULL, "q", col("quantity"))).alias(
                "in"
            ),
        )
    ),
    rows=[
        ('[{"q":10}]', '[{"q":10}]', '{"pad":{"q":10}}'),
        ('[{"q":null}]', "[{}]", '{"pen":{"q":null}}'),
    ],
)
program(
    "json_aggregates_where_and_over_a_window",
    lambda t: t.lines.select(
        col("sku"),
        json_array_agg(JsonOnNull.NULL, col("quantity"))
        .where(col("quantity") > 2)
        .over(Over.partition_by(col("line_order"), col("sku")))
        .alias("large"),
    ),
    rows=[("pen", "[3]"), ("ink", "[]"), ("pen", "[]"), ("pad", "[10]"), ("pen", "[]"), ("cap", "[]")],
    no_flink="its JSON_ARRAYAGG has neither DISTINCT nor FILTER",
)

# --- no rows, and windows ---------------------------------------------------------------------------------------------

program(
    "aggregates_of_no_rows",
    lambda t: t.nothing.select(
        col("b").list_agg(",").within_group(col("a")).alias("list"),
        percentile_cont(0.5).within_group(col("a")).alias("percentile"),
        mode().within_group(col("a")).alias("mode"),
        (col("a") > 0).count_if.alias("count"),
        (col("a") > 0).bool_and.alias("all"),
        col("a").max_by(col("b")).alias("pick"),
        col("a").collect_set.alias("set"),
        col("a").approx_count_distinct().alias("different"),
        json_array_agg(JsonOnNull.NULL, col("a")).alias("array"),
        json_object_agg(JsonOnNull.NULL, col("b"), col("a")).alias("object"),
        col("a").regr_count(col("a")).alias("pairs"),
    ),
    rows=[(None, None, None, 0, None, None, [], 0, "[]", "{}", 0)],
    no_flink=_NO_ORDER,
)
program(
    "differences_of_a_counter",
    lambda t: t.events.filter(col("k") == "b").select(
        col("e"), col("v").counter_diff().over(Over.order_by(col("e"))).alias("more")
    ),
    rows=[(3, None), (5, 2), (8, 3)],
    no_flink="Flink has no such function",
)
