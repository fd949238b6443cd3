from tableapi.expressions import col, lit

result = (
    env.from_path("orders")
    .filter(col("order_id") == 102)
    .select(
        col("amount").round(1).alias("r"),
        lit('{"a": 1}').from_json("STRUCT<`a`: BIGINT>").get("a").alias("a"),
    )
)
