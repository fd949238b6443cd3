from tableapi.expressions import col, descriptor

result = (
    env.from_path("events")
    .select(col("k").alias("EXPR$0"), col("k").alias("rowtime"), col("ts"))
    .partition_by(col("rowtime"))
    .process("passing_sets", on_time=descriptor("ts"))
)
