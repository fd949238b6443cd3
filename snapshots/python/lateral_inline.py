from tableapi.expressions import array, col, inline, lit, row

result = (
    env.from_path("left_bag")
    .filter(col("x") == 2)
    .join_lateral(
        inline(
            array(
                row(col("x").alias("a"), lit("p").alias("b")),
                row(lit(5).alias("a"), col("y").alias("b")),
            ),
        ),
    )
)
