"""The TPC-H queries with the DataFrame API that PySpark and SQLFrame share, in the same steps as
``examples.tpch.queries``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from types import ModuleType
from typing import Any

Tables = Callable[[str], Any]
DataFrameQuery = Callable[[Tables, ModuleType], Any]

_DAY = dt.date


def _revenue(f: ModuleType) -> Any:
    return f.col("l_extendedprice") * (f.lit(1) - f.col("l_discount"))


def _day(f: ModuleType, day: dt.date) -> Any:
    return f.lit(day.isoformat()).cast("date")


def _within(f: ModuleType, column: str, first: dt.date, end: dt.date) -> Any:
    return (f.col(column) >= _day(f, first)) & (f.col(column) < _day(f, end))


def q1(t: Tables, f: ModuleType) -> Any:
    """Pricing summary report."""
    revenue = _revenue(f)
    return (
        t("lineitem")
        .filter(f.col("l_shipdate") <= _day(f, _DAY(1998, 9, 2)))
        .groupBy("l_returnflag", "l_linestatus")
        .agg(
            f.sum("l_quantity").alias("sum_qty"),
            f.sum("l_extendedprice").alias("sum_base_price"),
            f.sum(revenue).alias("sum_disc_price"),
            f.sum(revenue * (f.lit(1) + f.col("l_tax"))).alias("sum_charge"),
            f.avg("l_quantity").alias("avg_qty"),
            f.avg("l_extendedprice").alias("avg_price"),
            f.avg("l_discount").alias("avg_disc"),
            f.count(f.lit(1)).alias("count_order"),
        )
        .orderBy("l_returnflag", "l_linestatus")
    )


def _suppliers_in(t: Tables, f: ModuleType, region: str) -> Any:
    return (
        t("partsupp")
        .join(t("supplier"), f.col("s_suppkey") == f.col("ps_suppkey"))
        .join(t("nation"), f.col("s_nationkey") == f.col("n_nationkey"))
        .join(t("region"), f.col("n_regionkey") == f.col("r_regionkey"))
        .filter(f.col("r_name") == region)
    )


def q2(t: Tables, f: ModuleType) -> Any:
    """Minimum cost supplier."""
    offers = (
        t("part")
        .filter((f.col("p_size") == 15) & f.col("p_type").like("%BRASS"))
        .join(_suppliers_in(t, f, "EUROPE"), f.col("p_partkey") == f.col("ps_partkey"))
    )
    cheapest = (
        _suppliers_in(t, f, "EUROPE")
        .filter(f.col("ps_partkey") == f.col("p_partkey").outer())
        .select(f.min("ps_supplycost"))
    )
    return (
        offers.filter(f.col("ps_supplycost") == cheapest.scalar())
        .select("s_acctbal", "s_name", "n_name", "p_partkey", "p_mfgr", "s_address", "s_phone", "s_comment")
        .orderBy(f.col("s_acctbal").desc(), "n_name", "s_name", "p_partkey")
        .limit(100)
    )


def q3(t: Tables, f: ModuleType) -> Any:
    """Shipping priority."""
    day = _day(f, _DAY(1995, 3, 15))
    return (
        t("customer")
        .filter(f.col("c_mktsegment") == "BUILDING")
        .join(t("orders"), f.col("c_custkey") == f.col("o_custkey"))
        .join(t("lineitem"), f.col("l_orderkey") == f.col("o_orderkey"))
        .filter((f.col("o_orderdate") < day) & (f.col("l_shipdate") > day))
        .groupBy("l_orderkey", "o_orderdate", "o_shippriority")
        .agg(f.sum(_revenue(f)).alias("revenue"))
        .select("l_orderkey", "revenue", "o_orderdate", "o_shippriority")
        .orderBy(f.col("revenue").desc(), "o_orderdate")
        .limit(10)
    )


def q4(t: Tables, f: ModuleType) -> Any:
    """Order priority checking."""
    late = t("lineitem").filter(
        (f.col("l_orderkey") == f.col("o_orderkey").outer()) & (f.col("l_commitdate") < f.col("l_receiptdate"))
    )
    return (
        t("orders")
        .filter(_within(f, "o_orderdate", _DAY(1993, 7, 1), _DAY(1993, 10, 1)))
        .filter(late.exists())
        .groupBy("o_orderpriority")
        .agg(f.count(f.lit(1)).alias("order_count"))
        .orderBy("o_orderpriority")
    )


def q5(t: Tables, f: ModuleType) -> Any:
    """Local supplier volume."""
    local = (f.col("l_suppkey") == f.col("s_suppkey")) & (f.col("c_nationkey") == f.col("s_nationkey"))
    return (
        t("customer")
        .join(t("orders"), f.col("c_custkey") == f.col("o_custkey"))
        .join(t("lineitem"), f.col("l_orderkey") == f.col("o_orderkey"))
        .join(t("supplier"), local)
        .join(t("nation"), f.col("s_nationkey") == f.col("n_nationkey"))
        .join(t("region"), f.col("n_regionkey") == f.col("r_regionkey"))
        .filter((f.col("r_name") == "ASIA") & _within(f, "o_orderdate", _DAY(1994, 1, 1), _DAY(1995, 1, 1)))
        .groupBy("n_name")
        .agg(f.sum(_revenue(f)).alias("revenue"))
        .orderBy(f.col("revenue").desc())
    )


def q6(t: Tables, f: ModuleType) -> Any:
    """Forecasting revenue change."""
    return (
        t("lineitem")
        .filter(
            _within(f, "l_shipdate", _DAY(1994, 1, 1), _DAY(1995, 1, 1))
            & f.col("l_discount").between(Decimal("0.05"), Decimal("0.07"))
            & (f.col("l_quantity") < 24)
        )
        .agg(f.sum(f.col("l_extendedprice") * f.col("l_discount")).alias("revenue"))
    )


def q7(t: Tables, f: ModuleType) -> Any:
    """Volume shipping."""
    nation = t("nation")
    suppliers = nation.select(f.col("n_nationkey").alias("n1_key"), f.col("n_name").alias("supp_nation"))
    customers = nation.select(f.col("n_nationkey").alias("n2_key"), f.col("n_name").alias("cust_nation"))

    def between(supplier: str, customer: str) -> Any:
        return (f.col("supp_nation") == supplier) & (f.col("cust_nation") == customer)

    return (
        t("supplier")
        .join(t("lineitem"), f.col("s_suppkey") == f.col("l_suppkey"))
        .join(t("orders"), f.col("o_orderkey") == f.col("l_orderkey"))
        .join(t("customer"), f.col("c_custkey") == f.col("o_custkey"))
        .join(suppliers, f.col("s_nationkey") == f.col("n1_key"))
        .join(customers, f.col("c_nationkey") == f.col("n2_key"))
        .filter(between("FRANCE", "GERMANY") | between("GERMANY", "FRANCE"))
        .filter(f.col("l_shipdate").between(_day(f, _DAY(1995, 1, 1)), _day(f, _DAY(1996, 12, 31))))
        .select("supp_nation", "cust_nation", f.year("l_shipdate").alias("l_year"), _revenue(f).alias("volume"))
        .groupBy("supp_nation", "cust_nation", "l_year")
        .agg(f.sum("volume").alias("revenue"))
        .orderBy("supp_nation", "cust_nation", "l_year")
    )


def q8(t: Tables, f: ModuleType) -> Any:
    """National market share."""
    suppliers = t("nation").select(f.col("n_nationkey").alias("n2_key"), f.col("n_name").alias("nation"))
    of_brazil = f.when(f.col("nation") == "BRAZIL", f.col("volume")).otherwise(0)
    return (
        t("part")
        .filter(f.col("p_type") == "ECONOMY ANODIZED STEEL")
        .join(t("lineitem"), f.col("p_partkey") == f.col("l_partkey"))
        .join(t("supplier"), f.col("s_suppkey") == f.col("l_suppkey"))
        .join(t("orders"), f.col("l_orderkey") == f.col("o_orderkey"))
        .filter(f.col("o_orderdate").between(_day(f, _DAY(1995, 1, 1)), _day(f, _DAY(1996, 12, 31))))
        .join(t("customer"), f.col("o_custkey") == f.col("c_custkey"))
        .join(t("nation"), f.col("c_nationkey") == f.col("n_nationkey"))
        .join(t("region"), f.col("n_regionkey") == f.col("r_regionkey"))
        .filter(f.col("r_name") == "AMERICA")
        .join(suppliers, f.col("s_nationkey") == f.col("n2_key"))
        .select(f.year("o_orderdate").alias("o_year"), _revenue(f).alias("volume"), "nation")
        .groupBy("o_year")
        .agg((f.sum(of_brazil) / f.sum("volume")).alias("mkt_share"))
        .orderBy("o_year")
    )


def q9(t: Tables, f: ModuleType) -> Any:
    """Product type profit measure."""
    offered = (f.col("ps_suppkey") == f.col("l_suppkey")) & (f.col("ps_partkey") == f.col("l_partkey"))
    return (
        t("part")
        .filter(f.col("p_name").like("%green%"))
        .join(t("lineitem"), f.col("p_partkey") == f.col("l_partkey"))
        .join(t("supplier"), f.col("s_suppkey") == f.col("l_suppkey"))
        .join(t("partsupp"), offered)
        .join(t("orders"), f.col("o_orderkey") == f.col("l_orderkey"))
        .join(t("nation"), f.col("s_nationkey") == f.col("n_nationkey"))
        .select(
            f.col("n_name").alias("nation"),
            f.year("o_orderdate").alias("o_year"),
            (_revenue(f) - f.col("ps_supplycost") * f.col("l_quantity")).alias("amount"),
        )
        .groupBy("nation", "o_year")
        .agg(f.sum("amount").alias("sum_profit"))
        .orderBy("nation", f.col("o_year").desc())
    )


def q10(t: Tables, f: ModuleType) -> Any:
    """Returned item reporting."""
    keys = ["c_custkey", "c_name", "c_acctbal", "c_phone", "n_name", "c_address", "c_comment"]
    return (
        t("customer")
        .join(t("orders"), f.col("c_custkey") == f.col("o_custkey"))
        .join(t("lineitem"), f.col("l_orderkey") == f.col("o_orderkey"))
        .filter(_within(f, "o_orderdate", _DAY(1993, 10, 1), _DAY(1994, 1, 1)) & (f.col("l_returnflag") == "R"))
        .join(t("nation"), f.col("c_nationkey") == f.col("n_nationkey"))
        .groupBy(*keys)
        .agg(f.sum(_revenue(f)).alias("revenue"))
        .select("c_custkey", "c_name", "revenue", "c_acctbal", "n_name", "c_address", "c_phone", "c_comment")
        .orderBy(f.col("revenue").desc())
        .limit(20)
    )


def q11(t: Tables, f: ModuleType) -> Any:
    """Important stock identification."""
    stock = (
        t("partsupp")
        .join(t("supplier"), f.col("ps_suppkey") == f.col("s_suppkey"))
        .join(t("nation"), f.col("s_nationkey") == f.col("n_nationkey"))
        .filter(f.col("n_name") == "GERMANY")
        .select("ps_partkey", (f.col("ps_supplycost") * f.col("ps_availqty")).alias("worth"))
    )
    threshold = stock.select(f.sum("worth") * f.lit(Decimal("0.0001000000")))
    return (
        stock.groupBy("ps_partkey")
        .agg(f.sum("worth").alias("value"))
        .filter(f.col("value") > threshold.scalar())
        .orderBy(f.col("value").desc())
    )


def q12(t: Tables, f: ModuleType) -> Any:
    """Shipping modes and order priority."""
    urgent = f.col("o_orderpriority").isin("1-URGENT", "2-HIGH")
    return (
        t("orders")
        .join(t("lineitem"), f.col("o_orderkey") == f.col("l_orderkey"))
        .filter(
            f.col("l_shipmode").isin("MAIL", "SHIP")
            & (f.col("l_commitdate") < f.col("l_receiptdate"))
            & (f.col("l_shipdate") < f.col("l_commitdate"))
            & _within(f, "l_receiptdate", _DAY(1994, 1, 1), _DAY(1995, 1, 1))
        )
        .groupBy("l_shipmode")
        .agg(
            f.sum(f.when(urgent, 1).otherwise(0)).alias("high_line_count"),
            f.sum(f.when(urgent, 0).otherwise(1)).alias("low_line_count"),
        )
        .orderBy("l_shipmode")
    )


def q13(t: Tables, f: ModuleType) -> Any:
    """Customer distribution."""
    ordinary = (f.col("c_custkey") == f.col("o_custkey")) & ~f.col("o_comment").like("%special%requests%")
    return (
        t("customer")
        .join(t("orders"), ordinary, "left")
        .groupBy("c_custkey")
        .agg(f.count("o_orderkey").alias("c_count"))
        .groupBy("c_count")
        .agg(f.count(f.lit(1)).alias("custdist"))
        .orderBy(f.col("custdist").desc(), f.col("c_count").desc())
    )


def q14(t: Tables, f: ModuleType) -> Any:
    """Promotion effect."""
    promoted = f.when(f.col("p_type").like("PROMO%"), _revenue(f)).otherwise(0)
    return (
        t("lineitem")
        .filter(_within(f, "l_shipdate", _DAY(1995, 9, 1), _DAY(1995, 10, 1)))
        .join(t("part"), f.col("l_partkey") == f.col("p_partkey"))
        .agg((f.lit(Decimal("100.00")) * f.sum(promoted) / f.sum(_revenue(f))).alias("promo_revenue"))
    )


def q15(t: Tables, f: ModuleType) -> Any:
    """Top supplier."""
    revenue = (
        t("lineitem")
        .filter(_within(f, "l_shipdate", _DAY(1996, 1, 1), _DAY(1996, 4, 1)))
        .groupBy(f.col("l_suppkey").alias("supplier_no"))
        .agg(f.sum(_revenue(f)).alias("total_revenue"))
    )
    return (
        t("supplier")
        .join(revenue, f.col("s_suppkey") == f.col("supplier_no"))
        .filter(f.col("total_revenue") == revenue.select(f.max("total_revenue")).scalar())
        .select("s_suppkey", "s_name", "s_address", "s_phone", "total_revenue")
        .orderBy("s_suppkey")
    )


def q16(t: Tables, f: ModuleType) -> Any:
    """Parts and suppliers relationship."""
    complained = t("supplier").filter(f.col("s_comment").like("%Customer%Complaints%")).select("s_suppkey")
    return (
        t("partsupp")
        .join(t("part"), f.col("p_partkey") == f.col("ps_partkey"))
        .filter(
            (f.col("p_brand") != "Brand#45")
            & ~f.col("p_type").like("MEDIUM POLISHED%")
            & f.col("p_size").isin(49, 14, 23, 45, 19, 3, 36, 9)
            & ~f.col("ps_suppkey").isin(complained)
        )
        .groupBy("p_brand", "p_type", "p_size")
        .agg(f.count_distinct("ps_suppkey").alias("supplier_cnt"))
        .orderBy(f.col("supplier_cnt").desc(), "p_brand", "p_type", "p_size")
    )


def q17(t: Tables, f: ModuleType) -> Any:
    """Small quantity order revenue."""
    sold = (
        t("lineitem")
        .join(t("part"), f.col("p_partkey") == f.col("l_partkey"))
        .filter((f.col("p_brand") == "Brand#23") & (f.col("p_container") == "MED BOX"))
    )
    usual = (
        t("lineitem")
        .filter(f.col("l_partkey") == f.col("p_partkey").outer())
        .select(f.lit(Decimal("0.2")) * f.avg("l_quantity"))
    )
    return sold.filter(f.col("l_quantity") < usual.scalar()).agg(
        (f.sum("l_extendedprice") / f.lit(Decimal("7.0"))).alias("avg_yearly")
    )


def q18(t: Tables, f: ModuleType) -> Any:
    """Large volume customer."""
    large = (
        t("lineitem")
        .groupBy("l_orderkey")
        .agg(f.sum("l_quantity").alias("total"))
        .filter(f.col("total") > 300)
        .select("l_orderkey")
    )
    return (
        t("customer")
        .join(t("orders"), f.col("c_custkey") == f.col("o_custkey"))
        .filter(f.col("o_orderkey").isin(large))
        .join(t("lineitem"), f.col("o_orderkey") == f.col("l_orderkey"))
        .groupBy("c_name", "c_custkey", "o_orderkey", "o_orderdate", "o_totalprice")
        .agg(f.sum("l_quantity").alias("sum(l_quantity)"))
        .orderBy(f.col("o_totalprice").desc(), "o_orderdate")
        .limit(100)
    )


def q19(t: Tables, f: ModuleType) -> Any:
    """Discounted revenue."""

    def kind(brand: str, containers: list[str], least: int, size: int) -> Any:
        return (
            (f.col("p_brand") == brand)
            & f.col("p_container").isin(*containers)
            & (f.col("l_quantity") >= least)
            & (f.col("l_quantity") <= least + 10)
            & f.col("p_size").between(1, size)
            & f.col("l_shipmode").isin("AIR", "AIR REG")
            & (f.col("l_shipinstruct") == "DELIVER IN PERSON")
        )

    return (
        t("lineitem")
        .join(t("part"), f.col("p_partkey") == f.col("l_partkey"))
        .filter(
            kind("Brand#12", ["SM CASE", "SM BOX", "SM PACK", "SM PKG"], 1, 5)
            | kind("Brand#23", ["MED BAG", "MED BOX", "MED PKG", "MED PACK"], 10, 10)
            | kind("Brand#34", ["LG CASE", "LG BOX", "LG PACK", "LG PKG"], 20, 15)
        )
        .agg(f.sum(_revenue(f)).alias("revenue"))
    )


def q20(t: Tables, f: ModuleType) -> Any:
    """Potential part promotion."""
    forest = t("part").filter(f.col("p_name").like("forest%")).select("p_partkey")
    shipped = (
        t("lineitem")
        .filter(
            (f.col("l_partkey") == f.col("ps_partkey").outer())
            & (f.col("l_suppkey") == f.col("ps_suppkey").outer())
            & _within(f, "l_shipdate", _DAY(1994, 1, 1), _DAY(1995, 1, 1))
        )
        .select(f.lit(Decimal("0.5")) * f.sum("l_quantity"))
    )
    suppliers = (
        t("partsupp")
        .filter(f.col("ps_partkey").isin(forest))
        .filter(f.col("ps_availqty") > shipped.scalar())
        .select("ps_suppkey")
    )
    return (
        t("supplier")
        .filter(f.col("s_suppkey").isin(suppliers))
        .join(t("nation"), f.col("s_nationkey") == f.col("n_nationkey"))
        .filter(f.col("n_name") == "CANADA")
        .select("s_name", "s_address")
        .orderBy("s_name")
    )


def q21(t: Tables, f: ModuleType) -> Any:
    """Suppliers who kept orders waiting."""
    late = (
        t("supplier")
        .join(t("lineitem"), f.col("s_suppkey") == f.col("l_suppkey"))
        .filter(f.col("l_receiptdate") > f.col("l_commitdate"))
        .join(t("orders"), f.col("o_orderkey") == f.col("l_orderkey"))
        .filter(f.col("o_orderstatus") == "F")
        .join(t("nation"), f.col("s_nationkey") == f.col("n_nationkey"))
        .filter(f.col("n_name") == "SAUDI ARABIA")
        .alias("late")
    )
    of_others = t("lineitem").filter(
        (f.col("l_orderkey") == f.col("late.l_orderkey").outer())
        & (f.col("l_suppkey") != f.col("late.l_suppkey").outer())
    )
    late_too = of_others.filter(f.col("l_receiptdate") > f.col("l_commitdate"))
    return (
        late.filter(of_others.exists() & ~late_too.exists())
        .groupBy("s_name")
        .agg(f.count(f.lit(1)).alias("numwait"))
        .orderBy(f.col("numwait").desc(), "s_name")
        .limit(100)
    )


def q22(t: Tables, f: ModuleType) -> Any:
    """Global sales opportunity."""
    customers = (
        t("customer")
        .withColumn("cntrycode", f.substring("c_phone", 1, 2))
        .filter(f.col("cntrycode").isin("13", "31", "23", "29", "30", "18", "17"))
    )
    usual = customers.filter(f.col("c_acctbal") > f.lit(Decimal("0.00"))).select(f.avg("c_acctbal"))
    orders = t("orders").filter(f.col("o_custkey") == f.col("c_custkey").outer())
    return (
        customers.filter((f.col("c_acctbal") > usual.scalar()) & ~orders.exists())
        .groupBy("cntrycode")
        .agg(f.count(f.lit(1)).alias("numcust"), f.sum("c_acctbal").alias("totacctbal"))
        .orderBy("cntrycode")
    )


DATAFRAMES: dict[str, DataFrameQuery] = {
    f.__name__: f
    for f in (q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15, q16, q17, q18, q19, q20, q21, q22)
}
# SQLFrame has no subqueries.
WITHOUT_SUBQUERIES = ("q1", "q3", "q5", "q6", "q7", "q8", "q9", "q10", "q12", "q13", "q14", "q19")
