from tableapi.expressions import col

result = env.from_path("customers").unpivot(
    [],
    [col("name"), col("gender")],
    "what",
    "value",
    include_nulls=False,
)
