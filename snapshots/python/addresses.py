from tableapi.expressions import col

result = (
    env.from_path("orders")
    .select(
        col("order_id").inet_ntoa.alias("address"),
        (-col("order_id")).inet_ntoa.alias("none"),
        col("status").inet_aton.alias("not one"),
        col("order_id").inet_ntoa.inet_aton.alias("again"),
    )
    .filter(col("address") == "0.0.0.100")
)
