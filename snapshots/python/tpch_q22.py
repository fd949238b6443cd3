from decimal import Decimal

from tableapi.expressions import col, exists, scalar

customer = env.from_path("customer")
filtered_customer = customer.add_columns(col("c_phone").substring(1, 2).alias("cntrycode")).filter(
    col("cntrycode").in_("13", "31", "23", "29", "30", "18", "17")
)
customer_summary = filtered_customer.filter(col("c_acctbal") > Decimal("0.00")).select(
    col("c_acctbal").avg
)
filtered_orders = env.from_path("orders").filter(col("o_custkey") == customer.outer("c_custkey"))
result = (
    filtered_customer.filter(
        (col("c_acctbal") > scalar(customer_summary)) & ~exists(filtered_orders)
    )
    .group_by(col("cntrycode"))
    .select(
        col("cntrycode"),
        col("*").count.alias("numcust"),
        col("c_acctbal").sum.alias("totacctbal"),
    )
    .order_by(col("cntrycode"))
)
