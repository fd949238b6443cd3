from decimal import Decimal

from tableapi.expressions import col, scalar

selected_partsupp_and_supplier = (
    env.from_path("partsupp")
    .join(env.from_path("supplier"), col("ps_suppkey") == col("s_suppkey"))
    .join(env.from_path("nation"), col("s_nationkey") == col("n_nationkey"))
    .filter(col("n_name") == "GERMANY")
    .select(col("ps_partkey"), (col("ps_supplycost") * col("ps_availqty")).alias("worth"))
)
partsupp_and_supplier_summary = selected_partsupp_and_supplier.select(
    col("worth").sum * Decimal("0.0001000000")
)
result = (
    selected_partsupp_and_supplier.group_by(col("ps_partkey"))
    .select(col("ps_partkey"), col("worth").sum.alias("value"))
    .filter(col("value") > scalar(partsupp_and_supplier_summary))
    .order_by(col("value").desc)
)
