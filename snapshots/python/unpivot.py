from tableapi.expressions import col

result = (
    env.from_path("customers")
    .filter(col("id") > 3)
    .unpivot([col("id")], [col("name"), col("city")], "what", "value")
)
