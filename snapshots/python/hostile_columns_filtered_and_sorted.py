from tableapi.expressions import col

result = (
    env.from_elements(
        [(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)],
        [
            "a b",
            "select",
            "c`d",
            "x.y",
            "${z}",
            "日本",
            "it's",
            '"q"',
            "*",
            "-- no",
            "current_date",
            "😀",
        ],
    )
    .filter(col("x.y") == 3)
    .order_by(col("current_date").desc)
    .select(col("-- no"))
)
