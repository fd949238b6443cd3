from tableapi.expressions import col

result = (
    env.from_path("lines")
    .filter(col("quantity") > 1)
    .select(
        col("quantity").var_pop.alias("vp"),
        col("quantity").var_samp.alias("vs"),
        (col("quantity").stddev_pop * col("quantity").stddev_pop).alias("p"),
        (col("quantity").stddev_samp * col("quantity").stddev_samp > 18.9).alias("q"),
    )
)
