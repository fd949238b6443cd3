from tableapi.expressions import col

result = (
    env.from_path("customers")
    .filter(col("street").regexp("\\A(?:(?s:.*)[a-z] .(?s:.*))\\z"))
    .select(
        col("street").regexp("S[a-z]").alias("is_street"),
        col("street").regexp("\\A(?:(Lime|Oak) (?s:.*))\\z").alias("is_tree"),
        col("street").regexp_replace("[aeiou]", "*").alias("hidden"),
        col("street").regexp_count("[A-Z]").alias("capitals"),
        col("street").regexp_instr("[0-9]").alias("place"),
    )
)
