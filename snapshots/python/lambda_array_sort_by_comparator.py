from tableapi.expressions import call, col

result = env.from_path("products").select(
    call(
        "array_sort",
        call("array_compact", col("tags")).array_append("z"),
        lambda a, b: b.char_length - a.char_length,
    ).alias("sorted"),
)
