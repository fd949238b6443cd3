from tableapi.expressions import col

result = env.from_path("customers").select(
    col("street").regexp_extract("([0-9]+)$", 1).alias("number"),
    col("street").regexp_extract_all("[A-Z][a-z]", 0).alias("words"),
    col("street").regexp_substr("Rd|Av").alias("kind"),
    col("street").split(" ").cardinality.alias("parts"),
)
