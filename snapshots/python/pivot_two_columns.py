from tableapi.expressions import col

result = (
    env.from_path("customers")
    .group_by()
    .pivot([col("city"), col("gender")], {"b f": ("Berlin", "f"), "p": ("Paris", None)})
    .select(col("id").sum + 1)
)
