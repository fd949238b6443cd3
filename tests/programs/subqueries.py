"""Programs with subqueries: EXISTS, scalar, IN; correlated and uncorrelated, in every place that accepts one."""

from __future__ import annotations

from decimal import Decimal as D

from pyspark.sql import functions as f

from tableapi import DataTypes
from tableapi.expressions import col, exists, if_then_else, lit, row, scalar
from tests.programs.program import program

# --- EXISTS -----------------------------------------------------------------------------------------------------------

program(
    "exists_correlated",
    lambda t: t.orders.filter(exists(t.lines.filter(col("line_order") == t.orders.outer("order_id")))).select(
        col("order_id")
    ),
    rows=[(100,), (101,), (102,)],
    dataframe=lambda d: d.orders.where(d.lines.where(f.col("line_order") == f.col("order_id").outer()).exists()).select(
        "order_id"
    ),
)
program(
    "not_exists_correlated",
    lambda t: t.customers.filter(~exists(t.orders.filter(col("customer_id") == t.customers.outer("id")))).select(
        col("id"), col("name")
    ),
    rows=[(4, None), (5, "Di")],
    dataframe=lambda d: d.customers.where(~d.orders.where(f.col("customer_id") == f.col("id").outer()).exists()).select(
        "id", "name"
    ),
)
program(
    "exists_uncorrelated",
    lambda t: t.left_bag.filter(exists(t.nothing) | ~exists(t.lines) | (col("x") == 2)),
    rows=[(2, "b")],
    dataframe=lambda d: d.left_bag.where(d.nothing.exists() | ~d.lines.exists() | (f.col("x") == 2)),
)
program(
    "exists_of_an_aggregate_is_true",
    lambda t: t.left_bag.filter(exists(t.nothing.select(col("a").max))).select(col("x")),
    rows=[(1,), (1,), (2,), (3,), (None,)],
    dataframe=lambda d: d.left_bag.where(d.nothing.agg(f.max("a")).exists()).select("x"),
)
program(
    "exists_with_null_keys",
    lambda t: t.left_bag.select(
        col("x"),
        exists(t.right_bag.filter(col("x") == t.left_bag.outer("x"))).alias("equal"),
        exists(t.right_bag.filter(col("x").is_not_distinct_from(t.left_bag.outer("x")))).alias("same"),
    ),
    rows=[(1, True, True), (1, True, True), (2, True, True), (3, True, True), (None, False, True)],
    no_flink="it loses rows where the value of 'x' is NULL",
)
program(
    "exists_not_equal_and_deep",
    lambda t: t.lines.filter(
        exists(
            t.lines.rename_columns(col("sku").alias("other_sku"))
            .filter((col("line_order") == t.lines.outer("line_order")) & (col("other_sku") != t.lines.outer("sku")))
            .select(col("quantity").alias("q"))
            .filter(col("q").is_not_null)
        )
    ).select(col("line_order"), col("sku")),
    rows=[(100, "pen"), (100, "ink"), (102, "pen")],
)


def _joined_with_itself(t):  # type: ignore[no-untyped-def]
    pairs = t.left_bag.alias("a", "b").join(t.right_bag.alias("c", "d"), col("a") == col("c"))
    others = t.left_bag.alias("e", "f").join(t.right_bag.alias("g", "h"), col("e") == col("g"))
    found = pairs.filter(exists(others.filter((col("e") == pairs.outer("a")) & col("f").is_not_null)))
    return found.left_outer_join(found.alias("a2", "b2", "c2", "d2"), col("a") == col("a2"))


program(
    "exists_over_a_join_that_is_joined_with_itself",
    _joined_with_itself,
    rows=[*[(1, "a", 1, "a", 1, "a", 1, "a")] * 4, (2, "b", 2, "c", 2, "b", 2, "c")],
)
program(
    "exists_and_not_exists_of_one_query",
    lambda t: (
        lambda own: t.orders.filter(exists(own) & ~exists(own.filter(col("quantity") > 5))).select(col("order_id"))
    )(t.lines.filter(col("line_order") == t.orders.outer("order_id"))),
    rows=[(100,), (101,)],
    dataframe=lambda d: (
        lambda own: d.orders.where(own.exists() & ~own.where(f.col("quantity") > 5).exists()).select("order_id")
    )(d.lines.where(f.col("line_order") == f.col("order_id").outer())),
)
program(
    "exists_thrice_over_one_query_with_a_subquery",
    lambda t: (
        lambda own: t.orders.filter(
            exists(own.filter(col("quantity") > 1))
            & ~exists(own.filter(col("quantity") > 5))
            & exists(own.select(col("sku").alias("what")).filter(col("what") == "ink"))
        ).select(col("order_id"))
    )(
        t.lines.filter(col("line_order") == t.orders.outer("order_id")).filter(
            col("sku").in_(t.products.filter(col("price") > 2).select(col("product")))
        )
    ),
    rows=[(100,)],
)
program(
    "exists_in_case",
    lambda t: t.orders.select(
        col("order_id"),
        if_then_else(exists(t.lines.filter(col("line_order") == t.orders.outer("order_id"))), "lines", "none").alias(
            "has"
        ),
    ),
    rows=[(100, "lines"), (101, "lines"), (102, "lines"), (103, "none"), (104, "none"), (105, "none")],
)
program(
    "exists_over_a_join",
    lambda t: t.customers.filter(
        exists(
            t.orders.join(t.lines, col("order_id") == col("line_order")).filter(
                (col("customer_id") == t.customers.outer("id")) & (col("sku") == "pad")
            )
        )
    ).select(col("name")),
    rows=[("Bo",)],
    dataframe=lambda d: d.customers.where(
        d.orders.join(d.lines, f.col("order_id") == f.col("line_order"))
        .where((f.col("customer_id") == f.col("id").outer()) & (f.col("sku") == "pad"))
        .exists()
    ).select("name"),
)
program(
    "exists_with_a_reference_in_a_join_predicate",
    lambda t: t.customers.filter(
        exists(
            t.orders.join(
                t.lines, (col("order_id") == col("line_order")) & (col("customer_id") == t.customers.outer("id"))
            )
        )
    ).select(col("id")),
    rows=[(1,), (2,)],
    no_flink="it does not plan a reference to the enclosing row in the predicate of a join",
)
program(
    "exists_of_a_union",
    lambda t: t.customers.filter(
        exists(
            t.orders.filter((col("customer_id") == t.customers.outer("id")) & (col("status") == "lost"))
            .select(col("customer_id"))
            .union_all(t.left_bag.filter(col("y") == t.customers.outer("gender")).select(col("x")))
        )
    ).select(col("id")),
    rows=[(3,)],
    no_flink="below a set operation",
)
program(
    "exists_with_a_limit_for_each_row",
    lambda t: t.orders.select(
        col("order_id"),
        scalar(
            t.lines.filter(col("line_order") == t.orders.outer("order_id"))
            .order_by(col("quantity").desc)
            .fetch(1)
            .select(col("sku"))
        ).alias("most"),
    ).filter(col("order_id") < 104),
    rows=[(100, "pen"), (101, "pen"), (102, "pad"), (103, None)],
    no_flink="it does not take a limit for each row",
)
program(
    "exists_in_exists",
    lambda t: t.customers.filter(
        exists(
            (inner := t.orders.filter(col("customer_id") == t.customers.outer("id"))).filter(
                exists(t.lines.filter((col("line_order") == inner.outer("order_id")) & (col("quantity") > 5)))
            )
        )
    ).select(col("name")),
    rows=[("Bo",)],
)
program(
    "exists_twice_over_one_table",
    lambda t: t.lines.filter(
        exists((same := t.right_bag).filter(col("x") == t.lines.outer("quantity")))
        & ~exists(same.filter(col("x") == t.lines.outer("quantity") + 1))
    ).select(col("line_order"), col("quantity")),
    rows=[(100, 3)],
)
program(
    "exists_as_group_key",
    lambda t: (
        t.orders.group_by(exists(t.lines.filter(col("line_order") == t.orders.outer("order_id"))).alias("has_lines"))
        .select(col("has_lines"), col("amount").sum.alias("total"))
        .order_by(col("has_lines"))
    ),
    rows=[(False, D("-1.25")), (True, D("125.49"))],
    ordered=True,
)
program(
    "exists_in_an_aggregate",
    lambda t: t.orders.select(
        if_then_else(exists(t.lines.filter(col("line_order") == t.orders.outer("order_id"))), 1, 0).sum.alias("n"),
        exists(t.nothing).alias("e"),
    ),
    rows=[(3, False)],
    no_flink="beside a correlated subquery, it takes an EXISTS without references to be TRUE",
)
program(
    "exists_beside_the_groups",
    lambda t: t.lines.group_by(col("sku")).select(
        col("sku"),
        lit(1).count.alias("n"),
        exists(t.products.filter(col("product") == t.lines.outer("sku")).filter(col("price").is_not_null)).alias("e"),
    ),
    rows=[("pen", 3, True), ("ink", 1, True), ("pad", 1, False), ("cap", 1, True)],
)
program(
    "exists_in_a_join_predicate",
    lambda t: t.customers.left_outer_join(
        t.orders,
        (col("id") == col("customer_id")) & exists(t.lines.filter(col("line_order") == t.orders.outer("order_id"))),
    ).select(col("id"), col("order_id")),
    rows=[(1, 100), (1, 101), (2, 102), (3, None), (4, None), (5, None)],
    no_flink="it fails on EXISTS and IN in the predicate of a join",
)
program(
    "exists_in_a_join_predicate_of_the_left_side",
    lambda t: t.customers.join(
        t.orders,
        (col("id") == col("customer_id"))
        & ~exists(t.right_bag.filter((col("x") == t.customers.outer("id")) & col("y").is_null)),
    ).select(col("id")),
    rows=[(1,), (1,), (2,)],
    no_flink="it fails on EXISTS and IN in the predicate of a join",
)
program(
    "exists_in_the_condition_of_an_aggregate",
    lambda t: t.orders.select(
        lit(1).count.where(exists(t.lines.filter(col("line_order") == t.orders.outer("order_id")))).alias("n"),
        col("amount").max.where(col("status").in_(t.orders.filter(col("amount") < 1).select(col("status")))).alias("m"),
    ),
    rows=[(3, D("99.99"))],
    no_flink="beside NULLs its result is NULL",
)
program(
    "exists_beside_a_rollup_and_below_a_pivot",
    lambda t: (
        (sums := t.lines.rollup(col("sku")).select(col("sku"), col("quantity").sum.alias("n")))
        .filter(exists(t.products.filter(col("product") == sums.outer("sku")).select(col("price").max)))
        .filter(col("n") > 5)
    ),
    rows=[("pad", 10), (None, 17)],
)
program(
    "exists_with_hostile_names",
    lambda t: (
        (o := t.left_bag.select(col("x").alias("outer"), row(col("x").alias("k")).alias("OUTER_"), col("y").alias("k")))
        .filter(
            exists(
                t.right_bag.select(
                    row(col("x").alias("k")).alias("outer__"), col("y").alias("EXPR$0"), col("x").alias("outer")
                ).filter((col("EXPR$0") == o.outer("k")) & (col("outer") == o.outer("OUTER_").get("k")))
            )
        )
        .select(col("k"), col("outer"))
    ),
    rows=[("a", 1), ("a", 1)],
)

# --- scalar subqueries ------------------------------------------------------------------------------------------------

program(
    "scalar_uncorrelated",
    lambda t: t.orders.filter(col("amount") == scalar(t.orders.select(col("amount").max))).select(col("order_id")),
    rows=[(102,)],
    dataframe=lambda d: d.orders.where(f.col("amount") == d.orders.select(f.max("amount")).scalar()).select("order_id"),
)
program(
    "scalar_of_nothing_is_null",
    lambda t: t.left_bag.filter(col("x") == 2).select(
        scalar(t.nothing.select(col("a"))).alias("a"), (scalar(t.nothing.select(lit(1).count)) + 1).alias("n")
    ),
    rows=[(None, 1)],
)
program(
    "scalar_correlated_in_select",
    lambda t: t.orders.select(
        col("order_id"),
        scalar(
            t.lines.filter(col("line_order") == t.orders.outer("order_id")).select(col("quantity").sum.alias("q"))
        ).alias("quantity"),
    ),
    rows=[(100, 4), (101, 2), (102, 10), (103, None), (104, None), (105, None)],
    dataframe=lambda d: d.orders.select(
        "order_id",
        d.lines.where(f.col("line_order") == f.col("order_id").outer())
        .select(f.sum("quantity").alias("q"))
        .scalar()
        .alias("quantity"),
    ),
)
program(
    "scalar_count_of_no_rows_is_zero",
    lambda t: t.customers.select(
        col("id"),
        (scalar(t.orders.filter(col("customer_id") == t.customers.outer("id")).select(lit(1).count)) + 0).alias("n"),
    ),
    rows=[(1, 2), (2, 1), (3, 1), (4, 0), (5, 0)],
)
program(
    "scalar_less_than_the_mean",
    lambda t: t.lines.filter(
        col("quantity") * 2
        < scalar(
            t.lines.rename_columns(col("line_order").alias("o"))
            .filter(col("sku") == t.lines.outer("sku"))
            .select((col("quantity").avg * 2).alias("m"))
        )
    ).select(col("line_order"), col("sku")),
    rows=[(101, "pen")],
)
program(
    "scalar_of_two_aggregates",
    lambda t: t.products.select(
        col("product"),
        scalar(
            t.lines.filter(col("sku") == t.products.outer("product")).select(col("quantity").max - col("quantity").min)
        ).alias("span"),
    ),
    rows=[("pen", 1), ("ink", 0), ("pad", 0), ("cap", 0)],
)
program(
    "scalar_below_an_aggregate_and_in_its_projection",
    lambda t: t.left_bag.filter(col("x") == 2).select(
        scalar(t.right_bag.select(col("x").max.alias("m")).select(col("m") + t.left_bag.outer("x"))).alias("over"),
        scalar(t.right_bag.select((col("x") * t.left_bag.outer("x")).alias("p")).select(col("p").sum)).alias("below"),
    ),
    rows=[(5, 18)],
    no_flink="it loses rows where the value of 'x' is NULL",
)
program(
    "scalar_as_sort_key",
    lambda t: t.lines.order_by(col("quantity") + scalar(t.nothing.select(lit(1).count)), col("sku")).select(
        col("quantity")
    ),
    rows=[(None,), (1,), (1,), (2,), (3,), (10,)],
    ordered=True,
)
program(
    "scalar_as_group_key_and_argument",
    lambda t: t.orders.group_by(
        scalar(t.customers.filter(col("id") == t.orders.outer("customer_id")).select(col("city"))).alias("city")
    ).select(col("city"), (col("amount") - scalar(t.lines.select(col("quantity").min))).sum.alias("s")),
    rows=[("Berlin", D("23.50")), ("Paris", D("98.99")), (None, D("-3.25"))],
)
program(
    "scalar_in_scalar",
    lambda t: t.customers.select(
        col("id"),
        scalar(
            (o := t.orders)
            .filter(col("customer_id") == t.customers.outer("id"))
            .filter(scalar(t.lines.filter(col("line_order") == o.outer("order_id")).select(lit(1).count)) > 1)
            .select(col("order_id").min)
        ).alias("first"),
    ),
    rows=[(1, 100), (2, 102), (3, None), (4, None), (5, None)],
)
program(
    "scalar_of_nested_types",
    lambda t: t.left_bag.filter(col("y") == "b").select(
        scalar(t.products.filter(col("product") == "pen").select(col("size"))).get("width").alias("w"),
        scalar(t.products.filter(col("product") == "pen").select(col("tags"))).at(1).alias("tag"),
        scalar(t.products.filter(col("product") == "pen").select(col("price")))
        .cast(DataTypes.DECIMAL(4, 1))
        .alias("price"),
    ),
    rows=[(1, "blue", D("2.5"))],
    no_flink="it has no scalar subquery of an array, a map or a row",
)

# --- IN ---------------------------------------------------------------------------------------------------------------

program(
    "in_correlated",
    lambda t: t.lines.filter(
        col("quantity").in_(t.right_bag.filter(col("x") >= t.lines.outer("quantity")).select(col("x")))
    ).select(col("sku"), col("quantity")),
    rows=[("pen", 3), ("ink", 1), ("pen", 2), ("cap", 1)],
)
program(
    "not_in_correlated_with_null",
    lambda t: t.left_bag.filter(
        ~col("y").in_(t.right_bag.filter(col("x") == t.left_bag.outer("x")).select(col("y")))
    ).select(col("x"), col("y")),
    rows=[(2, "b"), (None, None)],
)
program(
    "in_several_columns",
    lambda t: t.left_bag.filter(row(col("x"), col("y")).in_(t.right_bag)),
    rows=[(1, "a"), (1, "a")],
    dataframe=lambda d: d.left_bag.where(f.struct("x", "y").isin(d.right_bag)),
)
program(
    "not_in_several_columns_of_other_types",
    lambda t: t.left_bag.filter(
        ~row(col("x").alias("a"), col("y").alias("b")).in_(
            t.lines.filter(col("quantity").is_not_null).select(col("line_order"), col("sku"))
        )
    ).select(col("x")),
    rows=[(1,), (1,), (2,), (3,)],
)
program(
    "in_uncorrelated_in_select_and_case",
    lambda t: t.lines.select(
        col("sku"), if_then_else(col("sku").in_(t.products.select(col("product"))), 1, 0).alias("known")
    ).filter(col("sku") != "pen"),
    rows=[("ink", 1), ("pad", 1), ("cap", 1)],
    no_flink="beside NULLs its result is NULL",
)
