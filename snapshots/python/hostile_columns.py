from tableapi.expressions import col, with_columns

result = env.from_elements(
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
).select(
    col("😀"),
    col("current_date"),
    col("-- no"),
    with_columns("*"),
    col('"q"'),
    col("it's"),
    col("日本"),
    col("${z}"),
    col("x.y"),
    col("c`d"),
    col("select"),
    col("a b"),
)
