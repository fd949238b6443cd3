"""Queries of TPC-H as the peers write them: with the API of DataFrames, which PySpark and SQLFrame share, and in Ibis.

They are those of ``examples.tpch.queries`` that need nothing which one of the peers lacks, step by step the same.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from types import ModuleType
from typing import Any

Tables = Callable[[str], Any]
DataFrameQuery = Callable[[Tables, ModuleType], Any]
IbisQuery = Callable[[Tables], Any]

_DAY = dt.date
# The queries that are compared.
COMPARED = ("q1", "q3", "q5", "q6", "q10", "q12", "q13", "q14")

# --- the API of DataFrames -------------------------------------------------------------------------------------------


def _revenue(f: ModuleType) -> Any:
    return f.col("l_extendedprice") * (f.lit(1) - f.col("l_discount"))


def _day(f: ModuleType, day: dt.date) -> Any:
    return f.lit(day.isoformat()).cast("date")


def _within(f: ModuleType, column: str, first: dt.date, end: dt.date) -> Any:
    return (f.col(column) >= _day(f, first)) & (f.col(column) < _day(f, end))


def _d1(t: Tables, f: ModuleType) -> Any:
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


def _d3(t: Tables, f: ModuleType) -> Any:
    return (
        t("customer")
        .filter(f.col("c_mktsegment") == "BUILDING")
        .join(t("orders"), f.col("c_custkey") == f.col("o_custkey"))
        .join(t("lineitem"), f.col("l_orderkey") == f.col("o_orderkey"))
        .filter(
            (f.col("o_orderdate") < _day(f, _DAY(1995, 3, 15))) & (f.col("l_shipdate") > _day(f, _DAY(1995, 3, 15)))
        )
        .groupBy("l_orderkey", "o_orderdate", "o_shippriority")
        .agg(f.sum(_revenue(f)).alias("revenue"))
        .select("l_orderkey", "revenue", "o_orderdate", "o_shippriority")
        .orderBy(f.col("revenue").desc(), "o_orderdate")
        .limit(10)
    )


def _d5(t: Tables, f: ModuleType) -> Any:
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


def _d6(t: Tables, f: ModuleType) -> Any:
    return (
        t("lineitem")
        .filter(
            _within(f, "l_shipdate", _DAY(1994, 1, 1), _DAY(1995, 1, 1))
            & f.col("l_discount").between(Decimal("0.05"), Decimal("0.07"))
            & (f.col("l_quantity") < 24)
        )
        .agg(f.sum(f.col("l_extendedprice") * f.col("l_discount")).alias("revenue"))
    )


def _d10(t: Tables, f: ModuleType) -> Any:
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


def _d12(t: Tables, f: ModuleType) -> Any:
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


def _d13(t: Tables, f: ModuleType) -> Any:
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


def _d14(t: Tables, f: ModuleType) -> Any:
    promoted = f.when(f.col("p_type").like("PROMO%"), _revenue(f)).otherwise(0)
    return (
        t("lineitem")
        .filter(_within(f, "l_shipdate", _DAY(1995, 9, 1), _DAY(1995, 10, 1)))
        .join(t("part"), f.col("l_partkey") == f.col("p_partkey"))
        .agg((f.lit(Decimal("100.00")) * f.sum(promoted) / f.sum(_revenue(f))).alias("promo_revenue"))
    )


DATAFRAMES: dict[str, DataFrameQuery] = dict(zip(COMPARED, (_d1, _d3, _d5, _d6, _d10, _d12, _d13, _d14), strict=True))

# --- Ibis ------------------------------------------------------------------------------------------------------------


def _ibis_revenue(table: Any) -> Any:
    return table.l_extendedprice * (1 - table.l_discount)


def _i1(t: Tables) -> Any:
    lines = t("lineitem").filter(lambda r: r.l_shipdate <= _DAY(1998, 9, 2))
    return (
        lines.group_by(["l_returnflag", "l_linestatus"])
        .aggregate(
            sum_qty=lines.l_quantity.sum(),
            sum_base_price=lines.l_extendedprice.sum(),
            sum_disc_price=_ibis_revenue(lines).sum(),
            sum_charge=(_ibis_revenue(lines) * (1 + lines.l_tax)).sum(),
            avg_qty=lines.l_quantity.mean(),
            avg_price=lines.l_extendedprice.mean(),
            avg_disc=lines.l_discount.mean(),
            count_order=lines.count(),
        )
        .order_by(["l_returnflag", "l_linestatus"])
    )


def _i3(t: Tables) -> Any:
    import ibis

    customers = t("customer").filter(lambda r: r.c_mktsegment == "BUILDING")
    joined = customers.join(t("orders"), customers.c_custkey == t("orders").o_custkey)
    joined = joined.join(t("lineitem"), joined.o_orderkey == t("lineitem").l_orderkey)
    kept = joined.filter(lambda r: (r.o_orderdate < _DAY(1995, 3, 15)) & (r.l_shipdate > _DAY(1995, 3, 15)))
    return (
        kept.group_by(["l_orderkey", "o_orderdate", "o_shippriority"])
        .aggregate(revenue=_ibis_revenue(kept).sum())
        .select("l_orderkey", "revenue", "o_orderdate", "o_shippriority")
        .order_by([ibis.desc("revenue"), "o_orderdate"])
        .limit(10)
    )


def _i5(t: Tables) -> Any:
    import ibis

    joined = t("customer").join(t("orders"), t("customer").c_custkey == t("orders").o_custkey)
    joined = joined.join(t("lineitem"), joined.o_orderkey == t("lineitem").l_orderkey)
    supplier = t("supplier")
    joined = joined.join(supplier, [joined.l_suppkey == supplier.s_suppkey, joined.c_nationkey == supplier.s_nationkey])
    joined = joined.join(t("nation"), joined.s_nationkey == t("nation").n_nationkey)
    joined = joined.join(t("region"), joined.n_regionkey == t("region").r_regionkey)
    kept = joined.filter(
        lambda r: (r.r_name == "ASIA") & (r.o_orderdate >= _DAY(1994, 1, 1)) & (r.o_orderdate < _DAY(1995, 1, 1))
    )
    return kept.group_by("n_name").aggregate(revenue=_ibis_revenue(kept).sum()).order_by(ibis.desc("revenue"))


def _i6(t: Tables) -> Any:
    kept = t("lineitem").filter(
        lambda r: (
            (r.l_shipdate >= _DAY(1994, 1, 1))
            & (r.l_shipdate < _DAY(1995, 1, 1))
            & r.l_discount.between(Decimal("0.05"), Decimal("0.07"))
            & (r.l_quantity < 24)
        )
    )
    return kept.aggregate(revenue=(kept.l_extendedprice * kept.l_discount).sum())


def _i10(t: Tables) -> Any:
    import ibis

    joined = t("customer").join(t("orders"), t("customer").c_custkey == t("orders").o_custkey)
    joined = joined.join(t("lineitem"), joined.o_orderkey == t("lineitem").l_orderkey)
    kept = joined.filter(
        lambda r: (r.o_orderdate >= _DAY(1993, 10, 1)) & (r.o_orderdate < _DAY(1994, 1, 1)) & (r.l_returnflag == "R")
    )
    kept = kept.join(t("nation"), kept.c_nationkey == t("nation").n_nationkey)
    keys = ["c_custkey", "c_name", "c_acctbal", "c_phone", "n_name", "c_address", "c_comment"]
    return (
        kept.group_by(keys)
        .aggregate(revenue=_ibis_revenue(kept).sum())
        .select("c_custkey", "c_name", "revenue", "c_acctbal", "n_name", "c_address", "c_phone", "c_comment")
        .order_by(ibis.desc("revenue"))
        .limit(20)
    )


def _i12(t: Tables) -> Any:
    joined = t("orders").join(t("lineitem"), t("orders").o_orderkey == t("lineitem").l_orderkey)
    kept = joined.filter(
        lambda r: (
            r.l_shipmode.isin(["MAIL", "SHIP"])
            & (r.l_commitdate < r.l_receiptdate)
            & (r.l_shipdate < r.l_commitdate)
            & (r.l_receiptdate >= _DAY(1994, 1, 1))
            & (r.l_receiptdate < _DAY(1995, 1, 1))
        )
    )
    urgent = kept.o_orderpriority.isin(["1-URGENT", "2-HIGH"])
    return (
        kept.group_by("l_shipmode")
        .aggregate(high_line_count=urgent.ifelse(1, 0).sum(), low_line_count=urgent.ifelse(0, 1).sum())
        .order_by("l_shipmode")
    )


def _i13(t: Tables) -> Any:
    import ibis

    customer, orders = t("customer"), t("orders")
    ordinary = [customer.c_custkey == orders.o_custkey, ~orders.o_comment.like("%special%requests%")]
    joined = customer.left_join(orders, ordinary)
    counted = joined.group_by("c_custkey").aggregate(c_count=joined.o_orderkey.count())
    return (
        counted.group_by("c_count")
        .aggregate(custdist=counted.count())
        .order_by([ibis.desc("custdist"), ibis.desc("c_count")])
    )


def _i14(t: Tables) -> Any:
    kept = t("lineitem").filter(lambda r: (r.l_shipdate >= _DAY(1995, 9, 1)) & (r.l_shipdate < _DAY(1995, 10, 1)))
    joined = kept.join(t("part"), kept.l_partkey == t("part").p_partkey)
    promoted = joined.p_type.like("PROMO%").ifelse(_ibis_revenue(joined), 0)
    return joined.aggregate(promo_revenue=Decimal("100.00") * promoted.sum() / _ibis_revenue(joined).sum())


IBIS: dict[str, IbisQuery] = dict(zip(COMPARED, (_i1, _i3, _i5, _i6, _i10, _i12, _i13, _i14), strict=True))
