from tableapi.expressions import col

result = (
    env.from_path("customers")
    .partition_by(col("name").upper_case, col("id") % 2, col("id"))
    .order_by(col("name").char_length.desc.nulls_first, col("zip_code"))
    .process("by_set", i=3)
)
