from tableapi.expressions import col, scalar

result = (
    env.from_path("lines")
    .order_by(col("quantity") + scalar(env.from_path("nothing").select(col("*").count)), col("sku"))
    .select(col("quantity"))
)
