"""The TPC-H queries in Ibis, in the same steps as ``examples.tpch.queries``."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import ibis
from ibis import _

Tables = Callable[[str], Any]
IbisQuery = Callable[[Tables], Any]

_DAY = dt.date


def _revenue(table: Any) -> Any:
    return table.l_extendedprice * (1 - table.l_discount)


def q1(t: Tables) -> Any:
    """Pricing summary report."""
    lines = t("lineitem").filter(lambda r: r.l_shipdate <= _DAY(1998, 9, 2))
    return (
        lines.group_by(["l_returnflag", "l_linestatus"])
        .aggregate(
            sum_qty=lines.l_quantity.sum(),
            sum_base_price=lines.l_extendedprice.sum(),
            sum_disc_price=_revenue(lines).sum(),
            sum_charge=(_revenue(lines) * (1 + lines.l_tax)).sum(),
            avg_qty=lines.l_quantity.mean(),
            avg_price=lines.l_extendedprice.mean(),
            avg_disc=lines.l_discount.mean(),
            count_order=lines.count(),
        )
        .order_by(["l_returnflag", "l_linestatus"])
    )


def _suppliers_in(t: Tables, region: str) -> Any:
    joined = t("partsupp").join(t("supplier"), _.ps_suppkey == t("supplier").s_suppkey)
    joined = joined.join(t("nation"), joined.s_nationkey == t("nation").n_nationkey)
    joined = joined.join(t("region"), joined.n_regionkey == t("region").r_regionkey)
    return joined.filter(_.r_name == region)


def q2(t: Tables) -> Any:
    """Minimum cost supplier."""
    parts = t("part").filter((_.p_size == 15) & _.p_type.like("%BRASS"))
    suppliers = _suppliers_in(t, "EUROPE")
    offers = parts.join(suppliers, parts.p_partkey == suppliers.ps_partkey)
    others = _suppliers_in(t, "EUROPE").view()
    cheapest = others.filter(others.ps_partkey == offers.p_partkey).ps_supplycost.min()
    return (
        offers.filter(offers.ps_supplycost == cheapest)
        .select("s_acctbal", "s_name", "n_name", "p_partkey", "p_mfgr", "s_address", "s_phone", "s_comment")
        .order_by([ibis.desc("s_acctbal"), "n_name", "s_name", "p_partkey"])
        .limit(100)
    )


def q3(t: Tables) -> Any:
    """Shipping priority."""
    customers = t("customer").filter(lambda r: r.c_mktsegment == "BUILDING")
    joined = customers.join(t("orders"), customers.c_custkey == t("orders").o_custkey)
    joined = joined.join(t("lineitem"), joined.o_orderkey == t("lineitem").l_orderkey)
    kept = joined.filter(lambda r: (r.o_orderdate < _DAY(1995, 3, 15)) & (r.l_shipdate > _DAY(1995, 3, 15)))
    return (
        kept.group_by(["l_orderkey", "o_orderdate", "o_shippriority"])
        .aggregate(revenue=_revenue(kept).sum())
        .select("l_orderkey", "revenue", "o_orderdate", "o_shippriority")
        .order_by([ibis.desc("revenue"), "o_orderdate"])
        .limit(10)
    )


def q4(t: Tables) -> Any:
    """Order priority checking."""
    orders = t("orders").filter((_.o_orderdate >= _DAY(1993, 7, 1)) & (_.o_orderdate < _DAY(1993, 10, 1)))
    late = t("lineitem").filter(_.l_commitdate < _.l_receiptdate)
    kept = orders.semi_join(late, orders.o_orderkey == late.l_orderkey)
    return kept.group_by("o_orderpriority").aggregate(order_count=kept.count()).order_by("o_orderpriority")


def q5(t: Tables) -> Any:
    """Local supplier volume."""
    joined = t("customer").join(t("orders"), t("customer").c_custkey == t("orders").o_custkey)
    joined = joined.join(t("lineitem"), joined.o_orderkey == t("lineitem").l_orderkey)
    supplier = t("supplier")
    joined = joined.join(supplier, [joined.l_suppkey == supplier.s_suppkey, joined.c_nationkey == supplier.s_nationkey])
    joined = joined.join(t("nation"), joined.s_nationkey == t("nation").n_nationkey)
    joined = joined.join(t("region"), joined.n_regionkey == t("region").r_regionkey)
    kept = joined.filter(
        lambda r: (r.r_name == "ASIA") & (r.o_orderdate >= _DAY(1994, 1, 1)) & (r.o_orderdate < _DAY(1995, 1, 1))
    )
    return kept.group_by("n_name").aggregate(revenue=_revenue(kept).sum()).order_by(ibis.desc("revenue"))


def q6(t: Tables) -> Any:
    """Forecasting revenue change."""
    kept = t("lineitem").filter(
        lambda r: (
            (r.l_shipdate >= _DAY(1994, 1, 1))
            & (r.l_shipdate < _DAY(1995, 1, 1))
            & r.l_discount.between(Decimal("0.05"), Decimal("0.07"))
            & (r.l_quantity < 24)
        )
    )
    return kept.aggregate(revenue=(kept.l_extendedprice * kept.l_discount).sum())


def q7(t: Tables) -> Any:
    """Volume shipping."""
    suppliers = t("nation").select(n1_key=_.n_nationkey, supp_nation=_.n_name)
    customers = t("nation").select(n2_key=_.n_nationkey, cust_nation=_.n_name)

    def between(supplier: str, customer: str) -> Any:
        return (_.supp_nation == supplier) & (_.cust_nation == customer)

    joined = t("supplier").join(t("lineitem"), t("supplier").s_suppkey == t("lineitem").l_suppkey)
    joined = joined.join(t("orders"), joined.l_orderkey == t("orders").o_orderkey)
    joined = joined.join(t("customer"), joined.o_custkey == t("customer").c_custkey)
    joined = joined.join(suppliers, joined.s_nationkey == suppliers.n1_key)
    joined = joined.join(customers, joined.c_nationkey == customers.n2_key)
    volumes = (
        joined.filter(between("FRANCE", "GERMANY") | between("GERMANY", "FRANCE"))
        .filter(_.l_shipdate.between(_DAY(1995, 1, 1), _DAY(1996, 12, 31)))
        .select("supp_nation", "cust_nation", l_year=_.l_shipdate.year(), volume=_revenue(_))
    )
    keys = ["supp_nation", "cust_nation", "l_year"]
    return volumes.group_by(keys).aggregate(revenue=volumes.volume.sum()).order_by(keys)


def q8(t: Tables) -> Any:
    """National market share."""
    suppliers = t("nation").select(n2_key=_.n_nationkey, nation=_.n_name)
    parts = t("part").filter(_.p_type == "ECONOMY ANODIZED STEEL")
    joined = parts.join(t("lineitem"), parts.p_partkey == t("lineitem").l_partkey)
    joined = joined.join(t("supplier"), joined.l_suppkey == t("supplier").s_suppkey)
    joined = joined.join(t("orders"), joined.l_orderkey == t("orders").o_orderkey)
    kept = joined.filter(_.o_orderdate.between(_DAY(1995, 1, 1), _DAY(1996, 12, 31)))
    joined = kept.join(t("customer"), kept.o_custkey == t("customer").c_custkey)
    joined = joined.join(t("nation"), joined.c_nationkey == t("nation").n_nationkey)
    joined = joined.join(t("region"), joined.n_regionkey == t("region").r_regionkey)
    kept = joined.filter(_.r_name == "AMERICA")
    joined = kept.join(suppliers, kept.s_nationkey == suppliers.n2_key)
    volumes = joined.select("nation", o_year=_.o_orderdate.year(), volume=_revenue(_))
    of_brazil = (volumes.nation == "BRAZIL").ifelse(volumes.volume, 0)
    return volumes.group_by("o_year").aggregate(mkt_share=of_brazil.sum() / volumes.volume.sum()).order_by("o_year")


def q9(t: Tables) -> Any:
    """Product type profit measure."""
    parts = t("part").filter(_.p_name.like("%green%"))
    joined = parts.join(t("lineitem"), parts.p_partkey == t("lineitem").l_partkey)
    joined = joined.join(t("supplier"), joined.l_suppkey == t("supplier").s_suppkey)
    offers = t("partsupp")
    joined = joined.join(offers, [joined.l_suppkey == offers.ps_suppkey, joined.l_partkey == offers.ps_partkey])
    joined = joined.join(t("orders"), joined.l_orderkey == t("orders").o_orderkey)
    joined = joined.join(t("nation"), joined.s_nationkey == t("nation").n_nationkey)
    amounts = joined.select(
        nation=_.n_name, o_year=_.o_orderdate.year(), amount=_revenue(_) - _.ps_supplycost * _.l_quantity
    )
    return (
        amounts.group_by(["nation", "o_year"])
        .aggregate(sum_profit=amounts.amount.sum())
        .order_by(["nation", ibis.desc("o_year")])
    )


def q10(t: Tables) -> Any:
    """Returned item reporting."""
    joined = t("customer").join(t("orders"), t("customer").c_custkey == t("orders").o_custkey)
    joined = joined.join(t("lineitem"), joined.o_orderkey == t("lineitem").l_orderkey)
    kept = joined.filter(
        lambda r: (r.o_orderdate >= _DAY(1993, 10, 1)) & (r.o_orderdate < _DAY(1994, 1, 1)) & (r.l_returnflag == "R")
    )
    kept = kept.join(t("nation"), kept.c_nationkey == t("nation").n_nationkey)
    keys = ["c_custkey", "c_name", "c_acctbal", "c_phone", "n_name", "c_address", "c_comment"]
    return (
        kept.group_by(keys)
        .aggregate(revenue=_revenue(kept).sum())
        .select("c_custkey", "c_name", "revenue", "c_acctbal", "n_name", "c_address", "c_phone", "c_comment")
        .order_by(ibis.desc("revenue"))
        .limit(20)
    )


def q11(t: Tables) -> Any:
    """Important stock identification."""
    joined = t("partsupp").join(t("supplier"), t("partsupp").ps_suppkey == t("supplier").s_suppkey)
    joined = joined.join(t("nation"), joined.s_nationkey == t("nation").n_nationkey)
    stock = joined.filter(_.n_name == "GERMANY").select("ps_partkey", worth=_.ps_supplycost * _.ps_availqty)
    threshold = stock.aggregate(least=stock.worth.sum() * Decimal("0.0001000000")).as_scalar()
    values = stock.group_by("ps_partkey").aggregate(value=stock.worth.sum())
    return values.filter(values.value > threshold).order_by(ibis.desc("value"))


def q12(t: Tables) -> Any:
    """Shipping modes and order priority."""
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


def q13(t: Tables) -> Any:
    """Customer distribution."""
    customer, orders = t("customer"), t("orders")
    ordinary = [customer.c_custkey == orders.o_custkey, ~orders.o_comment.like("%special%requests%")]
    joined = customer.left_join(orders, ordinary)
    counted = joined.group_by("c_custkey").aggregate(c_count=joined.o_orderkey.count())
    return (
        counted.group_by("c_count")
        .aggregate(custdist=counted.count())
        .order_by([ibis.desc("custdist"), ibis.desc("c_count")])
    )


def q14(t: Tables) -> Any:
    """Promotion effect."""
    kept = t("lineitem").filter(lambda r: (r.l_shipdate >= _DAY(1995, 9, 1)) & (r.l_shipdate < _DAY(1995, 10, 1)))
    joined = kept.join(t("part"), kept.l_partkey == t("part").p_partkey)
    promoted = joined.p_type.like("PROMO%").ifelse(_revenue(joined), 0)
    return joined.aggregate(promo_revenue=Decimal("100.00") * promoted.sum() / _revenue(joined).sum())


def q15(t: Tables) -> Any:
    """Top supplier."""
    lines = t("lineitem").filter((_.l_shipdate >= _DAY(1996, 1, 1)) & (_.l_shipdate < _DAY(1996, 4, 1)))
    revenue = lines.group_by(supplier_no=_.l_suppkey).aggregate(total_revenue=_revenue(lines).sum())
    joined = t("supplier").join(revenue, t("supplier").s_suppkey == revenue.supplier_no)
    return (
        joined.filter(joined.total_revenue == revenue.total_revenue.max())
        .select("s_suppkey", "s_name", "s_address", "s_phone", "total_revenue")
        .order_by("s_suppkey")
    )


def q16(t: Tables) -> Any:
    """Parts and suppliers relationship."""
    complained = t("supplier").filter(_.s_comment.like("%Customer%Complaints%"))
    joined = t("partsupp").join(t("part"), t("partsupp").ps_partkey == t("part").p_partkey)
    kept = joined.filter(
        (joined.p_brand != "Brand#45")
        & ~joined.p_type.like("MEDIUM POLISHED%")
        & joined.p_size.isin([49, 14, 23, 45, 19, 3, 36, 9])
        & ~joined.ps_suppkey.isin(complained.s_suppkey)
    )
    return (
        kept.group_by(["p_brand", "p_type", "p_size"])
        .aggregate(supplier_cnt=kept.ps_suppkey.nunique())
        .order_by([ibis.desc("supplier_cnt"), "p_brand", "p_type", "p_size"])
    )


def q17(t: Tables) -> Any:
    """Small quantity order revenue."""
    sold = t("lineitem").join(t("part"), t("lineitem").l_partkey == t("part").p_partkey)
    others = t("lineitem").view()
    usual = Decimal("0.2") * others.filter(others.l_partkey == sold.p_partkey).l_quantity.mean()
    # Use one filter, because Ibis loses the outer column when it merges two filters.
    kept = sold.filter((sold.p_brand == "Brand#23") & (sold.p_container == "MED BOX") & (sold.l_quantity < usual))
    return kept.aggregate(avg_yearly=kept.l_extendedprice.sum() / Decimal("7.0"))


def q18(t: Tables) -> Any:
    """Large volume customer."""
    lines = t("lineitem")
    large = lines.group_by("l_orderkey").aggregate(total=lines.l_quantity.sum()).filter(_.total > 300)
    joined = t("customer").join(t("orders"), t("customer").c_custkey == t("orders").o_custkey)
    kept = joined.filter(joined.o_orderkey.isin(large.l_orderkey))
    kept = kept.join(t("lineitem"), kept.o_orderkey == t("lineitem").l_orderkey)
    return (
        kept.group_by(["c_name", "c_custkey", "o_orderkey", "o_orderdate", "o_totalprice"])
        .aggregate(kept.l_quantity.sum().name("sum(l_quantity)"))
        .order_by([ibis.desc("o_totalprice"), "o_orderdate"])
        .limit(100)
    )


def q19(t: Tables) -> Any:
    """Discounted revenue."""

    def kind(brand: str, containers: list[str], least: int, size: int) -> Any:
        return (
            (_.p_brand == brand)
            & _.p_container.isin(containers)
            & (_.l_quantity >= least)
            & (_.l_quantity <= least + 10)
            & _.p_size.between(1, size)
            & _.l_shipmode.isin(["AIR", "AIR REG"])
            & (_.l_shipinstruct == "DELIVER IN PERSON")
        )

    joined = t("lineitem").join(t("part"), t("lineitem").l_partkey == t("part").p_partkey)
    kept = joined.filter(
        kind("Brand#12", ["SM CASE", "SM BOX", "SM PACK", "SM PKG"], 1, 5)
        | kind("Brand#23", ["MED BAG", "MED BOX", "MED PKG", "MED PACK"], 10, 10)
        | kind("Brand#34", ["LG CASE", "LG BOX", "LG PACK", "LG PKG"], 20, 15)
    )
    return kept.aggregate(revenue=_revenue(kept).sum())


def q20(t: Tables) -> Any:
    """Potential part promotion."""
    forest = t("part").filter(_.p_name.like("forest%"))
    offers = t("partsupp").filter(_.ps_partkey.isin(forest.p_partkey))
    lines = t("lineitem")
    shipped = lines.filter(
        (lines.l_partkey == offers.ps_partkey)
        & (lines.l_suppkey == offers.ps_suppkey)
        & (lines.l_shipdate >= _DAY(1994, 1, 1))
        & (lines.l_shipdate < _DAY(1995, 1, 1))
    ).l_quantity.sum()
    suppliers = offers.filter(offers.ps_availqty > Decimal("0.5") * shipped)
    kept = t("supplier").filter(_.s_suppkey.isin(suppliers.ps_suppkey))
    return (
        kept.join(t("nation"), kept.s_nationkey == t("nation").n_nationkey)
        .filter(_.n_name == "CANADA")
        .select("s_name", "s_address")
        .order_by("s_name")
    )


def q21(t: Tables) -> Any:
    """Suppliers who kept orders waiting."""
    late = t("supplier").join(t("lineitem"), t("supplier").s_suppkey == t("lineitem").l_suppkey)
    late = late.filter(_.l_receiptdate > _.l_commitdate)
    late = late.join(t("orders"), late.l_orderkey == t("orders").o_orderkey).filter(_.o_orderstatus == "F")
    late = late.join(t("nation"), late.s_nationkey == t("nation").n_nationkey).filter(_.n_name == "SAUDI ARABIA")
    others = t("lineitem").view()
    waited = late.semi_join(others, [late.l_orderkey == others.l_orderkey, late.l_suppkey != others.l_suppkey])
    late_too = t("lineitem").view().filter(_.l_receiptdate > _.l_commitdate)
    kept = waited.anti_join(
        late_too, [waited.l_orderkey == late_too.l_orderkey, waited.l_suppkey != late_too.l_suppkey]
    )
    return kept.group_by("s_name").aggregate(numwait=kept.count()).order_by([ibis.desc("numwait"), "s_name"]).limit(100)


def q22(t: Tables) -> Any:
    """Global sales opportunity."""
    customers = (
        t("customer")
        .mutate(cntrycode=_.c_phone.substr(0, 2))
        .filter(_.cntrycode.isin(["13", "31", "23", "29", "30", "18", "17"]))
    )
    usual = customers.filter(_.c_acctbal > Decimal("0.00")).c_acctbal.mean()
    kept = customers.filter(customers.c_acctbal > usual)
    kept = kept.anti_join(t("orders"), kept.c_custkey == t("orders").o_custkey)
    return (
        kept.group_by("cntrycode")
        .aggregate(numcust=kept.count(), totacctbal=kept.c_acctbal.sum())
        .order_by("cntrycode")
    )


IBIS: dict[str, IbisQuery] = {
    f.__name__: f
    for f in (q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15, q16, q17, q18, q19, q20, q21, q22)
}
