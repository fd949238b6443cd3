from tableapi.expressions import array, call, col

result = (
    env.from_path("orders")
    .select(
        col("order_id"),
        array(col("status")).element.alias("element"),
        call("slice", array(col("customer_id"), 7), 1, 1).element.alias("first"),
    )
    .filter(col("order_id") < 104)
)
