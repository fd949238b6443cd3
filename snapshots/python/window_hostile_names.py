from tableapi.expressions import col, lit
from tableapi.window import Session

result = (
    env.from_path("events")
    .select(col("ts").alias("start"), col("k").alias("a`b.c"), col("v").alias("EXPR$1"))
    .window(Session.with_gap(lit(1).hour).on(col("start")).alias("end of `w`"))
    .group_by(col("a`b.c"), col("end of `w`"))
    .select(
        col("end of `w`").start.alias("EXPR$0_0"),
        col("a`b.c").alias("EXPR$0"),
        col("EXPR$1").sum.alias("EXPR$1"),
    )
)
