from tableapi.expressions import col, lit

result = (
    env.from_path("readings")
    .filter(col("n") == 1)
    .select(
        (col("at") + lit(1).day).alias("d"),
        (col("at") - lit(1).month).alias("m"),
        (col("at") + lit(90).minutes - lit(15).seconds).alias("h"),
        (col("day") + lit(1).year).alias("y"),
        (col("day") + col("n").days).alias("n"),
        (col("instant") + lit(250).millis).alias("i"),
    )
)
