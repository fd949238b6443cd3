"""The 22 queries of the TPC-H benchmark in the Table API, with the substitution parameters of its validation run.

Each function takes the tables and returns the query, with the columns of the specification (TPC-H, clause 2.4).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from tableapi import Expression, Table, TimeIntervalUnit
from tableapi.expressions import and_, col, exists, lit, or_, scalar

Tables = Callable[[str], Table]
Query = Callable[[Tables], Table]

_DAY = dt.date


def _year(date: Expression[Any]) -> Expression[Any]:
    return date.extract(TimeIntervalUnit.YEAR)


def _within(date: str, start: dt.date, length: Expression[Any]) -> Expression[bool]:
    """Whether ``date`` is in the interval of ``length`` from ``start``."""
    return (col(date) >= start) & (col(date) < lit(start) + length)


_REVENUE = col("l_extendedprice") * (lit(1) - col("l_discount"))


def q1(t: Tables) -> Table:
    """Pricing summary report."""
    return (
        t("lineitem")
        .filter(col("l_shipdate") <= lit(_DAY(1998, 12, 1)) - lit(90).days)
        .group_by(col("l_returnflag"), col("l_linestatus"))
        .select(
            col("l_returnflag"),
            col("l_linestatus"),
            col("l_quantity").sum.alias("sum_qty"),
            col("l_extendedprice").sum.alias("sum_base_price"),
            _REVENUE.sum.alias("sum_disc_price"),
            (_REVENUE * (lit(1) + col("l_tax"))).sum.alias("sum_charge"),
            col("l_quantity").avg.alias("avg_qty"),
            col("l_extendedprice").avg.alias("avg_price"),
            col("l_discount").avg.alias("avg_disc"),
            col("*").count.alias("count_order"),
        )
        .order_by(col("l_returnflag"), col("l_linestatus"))
    )


def _suppliers_in(t: Tables, region: str) -> Table:
    """Return the offers of suppliers in a region, with their suppliers and nations."""
    return (
        t("partsupp")
        .join(t("supplier"), col("s_suppkey") == col("ps_suppkey"))
        .join(t("nation"), col("s_nationkey") == col("n_nationkey"))
        .join(t("region"), col("n_regionkey") == col("r_regionkey"))
        .filter(col("r_name") == region)
    )


def q2(t: Tables) -> Table:
    """Minimum cost supplier."""
    offers = (
        t("part")
        .filter((col("p_size") == 15) & col("p_type").like("%BRASS"))
        .join(_suppliers_in(t, "EUROPE"), col("p_partkey") == col("ps_partkey"))
    )
    cheapest = (
        _suppliers_in(t, "EUROPE")
        .filter(col("ps_partkey") == offers.outer("p_partkey"))
        .select(col("ps_supplycost").min)
    )
    return (
        offers.filter(col("ps_supplycost") == scalar(cheapest))
        .select(
            col("s_acctbal"),
            col("s_name"),
            col("n_name"),
            col("p_partkey"),
            col("p_mfgr"),
            col("s_address"),
            col("s_phone"),
            col("s_comment"),
        )
        .order_by(col("s_acctbal").desc, col("n_name"), col("s_name"), col("p_partkey"))
        .fetch(100)
    )


def q3(t: Tables) -> Table:
    """Shipping priority."""
    return (
        t("customer")
        .filter(col("c_mktsegment") == "BUILDING")
        .join(t("orders"), col("c_custkey") == col("o_custkey"))
        .join(t("lineitem"), col("l_orderkey") == col("o_orderkey"))
        .filter((col("o_orderdate") < _DAY(1995, 3, 15)) & (col("l_shipdate") > _DAY(1995, 3, 15)))
        .group_by(col("l_orderkey"), col("o_orderdate"), col("o_shippriority"))
        .select(col("l_orderkey"), _REVENUE.sum.alias("revenue"), col("o_orderdate"), col("o_shippriority"))
        .order_by(col("revenue").desc, col("o_orderdate"))
        .fetch(10)
    )


def q4(t: Tables) -> Table:
    """Order priority checking."""
    orders = t("orders").filter(_within("o_orderdate", _DAY(1993, 7, 1), lit(3).months))
    late = t("lineitem").filter(
        (col("l_orderkey") == orders.outer("o_orderkey")) & (col("l_commitdate") < col("l_receiptdate"))
    )
    return (
        orders.filter(exists(late))
        .group_by(col("o_orderpriority"))
        .select(col("o_orderpriority"), col("*").count.alias("order_count"))
        .order_by(col("o_orderpriority"))
    )


def q5(t: Tables) -> Table:
    """Local supplier volume."""
    return (
        t("customer")
        .join(t("orders"), col("c_custkey") == col("o_custkey"))
        .join(t("lineitem"), col("l_orderkey") == col("o_orderkey"))
        .join(t("supplier"), (col("l_suppkey") == col("s_suppkey")) & (col("c_nationkey") == col("s_nationkey")))
        .join(t("nation"), col("s_nationkey") == col("n_nationkey"))
        .join(t("region"), col("n_regionkey") == col("r_regionkey"))
        .filter((col("r_name") == "ASIA") & _within("o_orderdate", _DAY(1994, 1, 1), lit(1).year))
        .group_by(col("n_name"))
        .select(col("n_name"), _REVENUE.sum.alias("revenue"))
        .order_by(col("revenue").desc)
    )


def q6(t: Tables) -> Table:
    """Forecasting revenue change."""
    return (
        t("lineitem")
        .filter(
            and_(
                _within("l_shipdate", _DAY(1994, 1, 1), lit(1).year),
                col("l_discount").between(Decimal("0.05"), Decimal("0.07")),
                col("l_quantity") < 24,
            )
        )
        .select((col("l_extendedprice") * col("l_discount")).sum.alias("revenue"))
    )


def q7(t: Tables) -> Table:
    """Volume shipping."""
    supplier_nation = t("nation").select(col("n_nationkey").alias("n1_key"), col("n_name").alias("supp_nation"))
    customer_nation = t("nation").select(col("n_nationkey").alias("n2_key"), col("n_name").alias("cust_nation"))

    def between(supplier: str, customer: str) -> Expression[bool]:
        return (col("supp_nation") == supplier) & (col("cust_nation") == customer)

    return (
        t("supplier")
        .join(t("lineitem"), col("s_suppkey") == col("l_suppkey"))
        .join(t("orders"), col("o_orderkey") == col("l_orderkey"))
        .join(t("customer"), col("c_custkey") == col("o_custkey"))
        .join(supplier_nation, col("s_nationkey") == col("n1_key"))
        .join(customer_nation, col("c_nationkey") == col("n2_key"))
        .filter(between("FRANCE", "GERMANY") | between("GERMANY", "FRANCE"))
        .filter(col("l_shipdate").between(_DAY(1995, 1, 1), _DAY(1996, 12, 31)))
        .select(
            col("supp_nation"), col("cust_nation"), _year(col("l_shipdate")).alias("l_year"), _REVENUE.alias("volume")
        )
        .group_by(col("supp_nation"), col("cust_nation"), col("l_year"))
        .select(col("supp_nation"), col("cust_nation"), col("l_year"), col("volume").sum.alias("revenue"))
        .order_by(col("supp_nation"), col("cust_nation"), col("l_year"))
    )


def q8(t: Tables) -> Table:
    """National market share."""
    supplier_nation = t("nation").select(col("n_nationkey").alias("n2_key"), col("n_name").alias("nation"))
    return (
        t("part")
        .filter(col("p_type") == "ECONOMY ANODIZED STEEL")
        .join(t("lineitem"), col("p_partkey") == col("l_partkey"))
        .join(t("supplier"), col("s_suppkey") == col("l_suppkey"))
        .join(t("orders"), col("l_orderkey") == col("o_orderkey"))
        .filter(col("o_orderdate").between(_DAY(1995, 1, 1), _DAY(1996, 12, 31)))
        .join(t("customer"), col("o_custkey") == col("c_custkey"))
        .join(t("nation"), col("c_nationkey") == col("n_nationkey"))
        .join(t("region"), col("n_regionkey") == col("r_regionkey"))
        .filter(col("r_name") == "AMERICA")
        .join(supplier_nation, col("s_nationkey") == col("n2_key"))
        .select(_year(col("o_orderdate")).alias("o_year"), _REVENUE.alias("volume"), col("nation"))
        .group_by(col("o_year"))
        .select(
            col("o_year"),
            ((col("nation") == "BRAZIL").then(col("volume"), 0).sum / col("volume").sum).alias("mkt_share"),
        )
        .order_by(col("o_year"))
    )


def q9(t: Tables) -> Table:
    """Product type profit measure."""
    offered = (col("ps_suppkey") == col("l_suppkey")) & (col("ps_partkey") == col("l_partkey"))
    return (
        t("part")
        .filter(col("p_name").like("%green%"))
        .join(t("lineitem"), col("p_partkey") == col("l_partkey"))
        .join(t("supplier"), col("s_suppkey") == col("l_suppkey"))
        .join(t("partsupp"), offered)
        .join(t("orders"), col("o_orderkey") == col("l_orderkey"))
        .join(t("nation"), col("s_nationkey") == col("n_nationkey"))
        .select(
            col("n_name").alias("nation"),
            _year(col("o_orderdate")).alias("o_year"),
            (_REVENUE - col("ps_supplycost") * col("l_quantity")).alias("amount"),
        )
        .group_by(col("nation"), col("o_year"))
        .select(col("nation"), col("o_year"), col("amount").sum.alias("sum_profit"))
        .order_by(col("nation"), col("o_year").desc)
    )


def q10(t: Tables) -> Table:
    """Returned item reporting."""
    return (
        t("customer")
        .join(t("orders"), col("c_custkey") == col("o_custkey"))
        .join(t("lineitem"), col("l_orderkey") == col("o_orderkey"))
        .filter(_within("o_orderdate", _DAY(1993, 10, 1), lit(3).months) & (col("l_returnflag") == "R"))
        .join(t("nation"), col("c_nationkey") == col("n_nationkey"))
        .group_by(
            col("c_custkey"),
            col("c_name"),
            col("c_acctbal"),
            col("c_phone"),
            col("n_name"),
            col("c_address"),
            col("c_comment"),
        )
        .select(
            col("c_custkey"),
            col("c_name"),
            _REVENUE.sum.alias("revenue"),
            col("c_acctbal"),
            col("n_name"),
            col("c_address"),
            col("c_phone"),
            col("c_comment"),
        )
        .order_by(col("revenue").desc)
        .fetch(20)
    )


def q11(t: Tables) -> Table:
    """Important stock identification."""
    stock = (
        t("partsupp")
        .join(t("supplier"), col("ps_suppkey") == col("s_suppkey"))
        .join(t("nation"), col("s_nationkey") == col("n_nationkey"))
        .filter(col("n_name") == "GERMANY")
        .select(col("ps_partkey"), (col("ps_supplycost") * col("ps_availqty")).alias("worth"))
    )
    threshold = stock.select(col("worth").sum * Decimal("0.0001000000"))
    return (
        stock.group_by(col("ps_partkey"))
        .select(col("ps_partkey"), col("worth").sum.alias("value"))
        .filter(col("value") > scalar(threshold))
        .order_by(col("value").desc)
    )


def q12(t: Tables) -> Table:
    """Shipping modes and order priority."""
    urgent = col("o_orderpriority").in_("1-URGENT", "2-HIGH")
    return (
        t("orders")
        .join(t("lineitem"), col("o_orderkey") == col("l_orderkey"))
        .filter(
            and_(
                col("l_shipmode").in_("MAIL", "SHIP"),
                col("l_commitdate") < col("l_receiptdate"),
                col("l_shipdate") < col("l_commitdate"),
                _within("l_receiptdate", _DAY(1994, 1, 1), lit(1).year),
            )
        )
        .group_by(col("l_shipmode"))
        .select(
            col("l_shipmode"),
            urgent.then(1, 0).sum.alias("high_line_count"),
            urgent.then(0, 1).sum.alias("low_line_count"),
        )
        .order_by(col("l_shipmode"))
    )


def q13(t: Tables) -> Table:
    """Customer distribution."""
    ordinary = (col("c_custkey") == col("o_custkey")) & ~col("o_comment").like("%special%requests%")
    return (
        t("customer")
        .left_outer_join(t("orders"), ordinary)
        .group_by(col("c_custkey"))
        .select(col("c_custkey"), col("o_orderkey").count.alias("c_count"))
        .group_by(col("c_count"))
        .select(col("c_count"), col("*").count.alias("custdist"))
        .order_by(col("custdist").desc, col("c_count").desc)
    )


def q14(t: Tables) -> Table:
    """Promotion effect."""
    promoted = col("p_type").like("PROMO%").then(_REVENUE, 0)
    return (
        t("lineitem")
        .filter(_within("l_shipdate", _DAY(1995, 9, 1), lit(1).month))
        .join(t("part"), col("l_partkey") == col("p_partkey"))
        .select((lit(Decimal("100.00")) * promoted.sum / _REVENUE.sum).alias("promo_revenue"))
    )


def q15(t: Tables) -> Table:
    """Top supplier."""
    revenue = (
        t("lineitem")
        .filter(_within("l_shipdate", _DAY(1996, 1, 1), lit(3).months))
        .group_by(col("l_suppkey"))
        .select(col("l_suppkey").alias("supplier_no"), _REVENUE.sum.alias("total_revenue"))
    )
    return (
        t("supplier")
        .join(revenue, col("s_suppkey") == col("supplier_no"))
        .filter(col("total_revenue") == scalar(revenue.select(col("total_revenue").max)))
        .select(col("s_suppkey"), col("s_name"), col("s_address"), col("s_phone"), col("total_revenue"))
        .order_by(col("s_suppkey"))
    )


def q16(t: Tables) -> Table:
    """Parts and suppliers relationship."""
    complained = t("supplier").filter(col("s_comment").like("%Customer%Complaints%")).select(col("s_suppkey"))
    return (
        t("partsupp")
        .join(t("part"), col("p_partkey") == col("ps_partkey"))
        .filter(
            and_(
                col("p_brand") != "Brand#45",
                ~col("p_type").like("MEDIUM POLISHED%"),
                col("p_size").in_(49, 14, 23, 45, 19, 3, 36, 9),
                ~col("ps_suppkey").in_(complained),
            )
        )
        .group_by(col("p_brand"), col("p_type"), col("p_size"))
        .select(col("p_brand"), col("p_type"), col("p_size"), col("ps_suppkey").count.distinct.alias("supplier_cnt"))
        .order_by(col("supplier_cnt").desc, col("p_brand"), col("p_type"), col("p_size"))
    )


def q17(t: Tables) -> Table:
    """Small quantity order revenue."""
    sold = (
        t("lineitem")
        .join(t("part"), col("p_partkey") == col("l_partkey"))
        .filter((col("p_brand") == "Brand#23") & (col("p_container") == "MED BOX"))
    )
    usual = (
        t("lineitem")
        .filter(col("l_partkey") == sold.outer("p_partkey"))
        .select(lit(Decimal("0.2")) * col("l_quantity").avg)
    )
    return sold.filter(col("l_quantity") < scalar(usual)).select(
        (col("l_extendedprice").sum / Decimal("7.0")).alias("avg_yearly")
    )


def q18(t: Tables) -> Table:
    """Large volume customer."""
    large = (
        t("lineitem")
        .group_by(col("l_orderkey"))
        .select(col("l_orderkey"), col("l_quantity").sum.alias("total"))
        .filter(col("total") > 300)
        .select(col("l_orderkey"))
    )
    keys = [col(name) for name in ("c_name", "c_custkey", "o_orderkey", "o_orderdate", "o_totalprice")]
    return (
        t("customer")
        .join(t("orders"), col("c_custkey") == col("o_custkey"))
        .filter(col("o_orderkey").in_(large))
        .join(t("lineitem"), col("o_orderkey") == col("l_orderkey"))
        .group_by(*keys)
        .select(*keys, col("l_quantity").sum.alias("sum(l_quantity)"))
        .order_by(col("o_totalprice").desc, col("o_orderdate"))
        .fetch(100)
    )


def q19(t: Tables) -> Table:
    """Discounted revenue."""

    def kind(brand: str, containers: list[str], least: int, size: int) -> Expression[bool]:
        return and_(
            col("p_brand") == brand,
            col("p_container").in_(*containers),
            (col("l_quantity") >= least) & (col("l_quantity") <= least + 10),
            col("p_size").between(1, size),
            col("l_shipmode").in_("AIR", "AIR REG"),
            col("l_shipinstruct") == "DELIVER IN PERSON",
        )

    return (
        t("lineitem")
        .join(t("part"), col("p_partkey") == col("l_partkey"))
        .filter(
            or_(
                kind("Brand#12", ["SM CASE", "SM BOX", "SM PACK", "SM PKG"], 1, 5),
                kind("Brand#23", ["MED BAG", "MED BOX", "MED PKG", "MED PACK"], 10, 10),
                kind("Brand#34", ["LG CASE", "LG BOX", "LG PACK", "LG PKG"], 20, 15),
            )
        )
        .select(_REVENUE.sum.alias("revenue"))
    )


def q20(t: Tables) -> Table:
    """Potential part promotion."""
    forest = t("part").filter(col("p_name").like("forest%")).select(col("p_partkey"))
    offers = t("partsupp").filter(col("ps_partkey").in_(forest))
    shipped = (
        t("lineitem")
        .filter(
            and_(
                col("l_partkey") == offers.outer("ps_partkey"),
                col("l_suppkey") == offers.outer("ps_suppkey"),
                _within("l_shipdate", _DAY(1994, 1, 1), lit(1).year),
            )
        )
        .select(lit(Decimal("0.5")) * col("l_quantity").sum)
    )
    suppliers = offers.filter(col("ps_availqty") > scalar(shipped)).select(col("ps_suppkey"))
    return (
        t("supplier")
        .filter(col("s_suppkey").in_(suppliers))
        .join(t("nation"), col("s_nationkey") == col("n_nationkey"))
        .filter(col("n_name") == "CANADA")
        .select(col("s_name"), col("s_address"))
        .order_by(col("s_name"))
    )


def q21(t: Tables) -> Table:
    """Suppliers who kept orders waiting."""
    late = (
        t("supplier")
        .join(t("lineitem"), col("s_suppkey") == col("l_suppkey"))
        .filter(col("l_receiptdate") > col("l_commitdate"))
        .join(t("orders"), col("o_orderkey") == col("l_orderkey"))
        .filter(col("o_orderstatus") == "F")
        .join(t("nation"), col("s_nationkey") == col("n_nationkey"))
        .filter(col("n_name") == "SAUDI ARABIA")
    )
    of_others = t("lineitem").filter(
        (col("l_orderkey") == late.outer("l_orderkey")) & (col("l_suppkey") != late.outer("l_suppkey"))
    )
    return (
        late.filter(exists(of_others) & ~exists(of_others.filter(col("l_receiptdate") > col("l_commitdate"))))
        .group_by(col("s_name"))
        .select(col("s_name"), col("*").count.alias("numwait"))
        .order_by(col("numwait").desc, col("s_name"))
        .fetch(100)
    )


def q22(t: Tables) -> Table:
    """Global sales opportunity."""
    customers = (
        t("customer")
        .add_columns(col("c_phone").substring(1, 2).alias("cntrycode"))
        .filter(col("cntrycode").in_("13", "31", "23", "29", "30", "18", "17"))
    )
    usual = customers.filter(col("c_acctbal") > Decimal("0.00")).select(col("c_acctbal").avg)
    orders = t("orders").filter(col("o_custkey") == customers.outer("c_custkey"))
    return (
        customers.filter((col("c_acctbal") > scalar(usual)) & ~exists(orders))
        .group_by(col("cntrycode"))
        .select(col("cntrycode"), col("*").count.alias("numcust"), col("c_acctbal").sum.alias("totacctbal"))
        .order_by(col("cntrycode"))
    )


QUERIES: dict[str, Query] = {
    f.__name__: f
    for f in (q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15, q16, q17, q18, q19, q20, q21, q22)
}
