from tableapi.expressions import col

result = (
    env.from_path("customers")
    .filter(col("id") < 3)
    .unpivot(
        [col("id")],
        [("name", col("name")), ("where", col("city")), ("where", col("street"))],
        "kind",
        "value",
    )
)
