from tableapi.expressions import col

result = (
    env.from_path("customer")
    .left_outer_join(
        env.from_path("orders"),
        (col("c_custkey") == col("o_custkey")) & ~col("o_comment").like("%special%requests%"),
    )
    .group_by(col("c_custkey"))
    .select(col("c_custkey"), col("o_orderkey").count.alias("c_count"))
    .group_by(col("c_count"))
    .select(col("c_count"), col("*").count.alias("custdist"))
    .order_by(col("custdist").desc, col("c_count").desc)
)
