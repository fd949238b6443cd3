from tableapi.expressions import col, variant_explode

result = (
    env.from_elements([('[1, "x"]',), ("3",)], ["j"])
    .join_lateral(variant_explode(col("j").parse_json()))
    .select(col("pos"), col("key"), col("value").to_json().alias("v"))
)
