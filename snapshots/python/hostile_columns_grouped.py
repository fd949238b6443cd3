from tableapi.expressions import col, with_columns

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
    .group_by(col("c`d"), with_columns("*"))
    .select(with_columns("*"), col("${z}").sum.alias("it's"))
)
