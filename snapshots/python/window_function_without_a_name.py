from tableapi.expressions import call, col

result = (
    env.from_path("orders")
    .group_by(call("window", col("ordered_at"), "364 days", "182 days"))
    .select(
        call("window", col("ordered_at"), "364 days", "182 days").get("start"),
        col("amount").max,
    )
    .filter(col("EXPR$2") > 50)
)
