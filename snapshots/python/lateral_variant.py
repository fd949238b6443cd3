from tableapi.expressions import call, col, variant_explode

result = (
    env.from_elements([('[1, "x"]',), ("3",)], ["j"])
    .join_lateral(variant_explode(call("parse_json", col("j"))))
    .select(col("pos"), col("key"), call("to_json", col("value")).alias("v"))
)
