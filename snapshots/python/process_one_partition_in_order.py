from tableapi.expressions import col

result = (
    env.from_path("events").as_argument("r").order_by(col("ts"), col("v").desc).process("whole")
)
