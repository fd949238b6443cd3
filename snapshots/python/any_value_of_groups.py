from tableapi.expressions import col

result = (
    env.from_path("lines")
    .group_by(col("line_order"))
    .select(
        col("line_order").any_value.alias("some"),
        col("quantity").any_value.ignore_nulls.is_null.alias("none"),
    )
)
