from tableapi.expressions import col

result = (
    env.from_path("customers")
    .filter(col("id") < 4)
    .unpivot(
        [col("id")],
        {"who's": [col("name"), col("gender")], "where": [col("city"), col("street")]},
        "kind of",
        ["first", "second"],
        include_nulls=False,
    )
)
