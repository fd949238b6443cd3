from tableapi.expressions import col, lit

result = (
    env.from_path("customers")
    .select(
        col("city").starts_with("B").alias("b"),
        col("city").ends_with("s").alias("s"),
        col("city").instr("r").alias("r"),
        lit("i").locate(col("city")).alias("i"),
        col("city").translate("ai", "41").alias("leet"),
        col("city").repeat(2).alias("twice"),
    )
    .distinct()
)
