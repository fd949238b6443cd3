from tableapi.expressions import col

result = (
    env.from_path("customers")
    .filter(col("city").collate("UTF8_LCASE") == "BERLIN")
    .select(col("name"))
)
