from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .add_columns((col("x") * -1).alias("less"))
    .order_by(col("less"), col("y"))
    .select(col("x"), col("y"))
)
