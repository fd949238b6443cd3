from tableapi.expressions import col

by_set = env.from_path("orders").partition_by(col("customer_id")).process("by_set", i=1, uid="two")
result = (
    env.from_path("customers")
    .partition_by(col("id"))
    .process("by_set", i=1, uid="one")
    .alias("a", "b")
    .join(by_set, col("a") == col("customer_id"))
)
