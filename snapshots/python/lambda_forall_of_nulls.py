from tableapi.expressions import call, col

result = env.from_path("products").select(
    col("product"),
    call("forall", col("tags"), lambda tag: tag.char_length > 1).alias("every"),
    call("exists", col("tags"), lambda tag: tag.is_null).alias("any_null"),
)
