from tableapi import DataTypes
from tableapi.expressions import col

selected_customers = env.from_path("customers").add_or_replace_columns(
    col("id").cast(DataTypes.BIGINT()).alias("id")
)
selected_orders = env.from_path("orders").add_or_replace_columns(
    col("amount").cast(DataTypes.DOUBLE()).alias("amount")
)
result = env.from_call(
    "one_match_join",
    customer=selected_customers.partition_by(col("id")),
    orders=selected_orders.partition_by(col("customer_id").cast(DataTypes.BIGINT())),
)
