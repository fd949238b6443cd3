from tableapi.expressions import call, col, mode

result = env.from_path("lines").select(
    col("sku").mode.alias("sku"),
    mode().within_group(col("quantity")).alias("least"),
    mode().within_group(col("line_order").desc).alias("greatest"),
    call("mode", col("line_order"), True).alias("chosen"),
)
