from tableapi import DataTypes
from tableapi.expressions import col, lit

result = (
    env.from_elements([()], [])
    .select(lit('{"a":{"b":[1,2]}}').parse_json().alias("v"))
    .select(
        col("v").variant_get("$.a.b[0]").cast(DataTypes.INT()).alias("first"),
        col("v").variant_get("$['a']").variant_get("$.b[1]").cast(DataTypes.INT()).alias("b"),
    )
)
