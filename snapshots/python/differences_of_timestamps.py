import datetime as dt

from tableapi.expressions import col

result = (
    env.from_path("readings")
    .filter(col("n") == 3)
    .select(
        (col("at") - dt.datetime(1999, 12, 31, 12)).alias("half"),
        (col("at") - col("at")).alias("none"),
    )
)
