from tableapi import JsonOnNull
from tableapi.expressions import col, json_object

result = (
    env.from_path("left_bag")
    .filter(col("x") == 2)
    .select(json_object(JsonOnNull.NULL, "x", col("x"), "a b", col("y")).parse_json().alias("v"))
    .select(
        col("v").variant_get("$.x", "INT").alias("x"),
        col("v").variant_get("$['a b']", "STRING").alias("y"),
        col("v").try_variant_get("$['a b']", "INT").alias("no_number"),
        col("v").variant_get("$.none").is_null.alias("n"),
        col("v").variant_set("$.x", 5).variant_delete("$['a b']").to_json().alias("changed"),
        col("v").schema_of_variant().alias("schema"),
    )
)
