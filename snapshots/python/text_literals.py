from tableapi.expressions import col, lit

result = (
    env.from_path("lines")
    .filter(col("sku") == "cap")
    .select(
        lit("it's \\ \n é 😀 ${x} `y`").alias("s"),
        lit("").alias("e"),
        lit("\t\x01\x7f").alias("c"),
    )
)
