from tableapi.expressions import col, lit

result = (
    env.from_path("customers")
    .filter(col("id") < 3)
    .select(
        col("name").to_base64.alias("coded"),
        col("name").to_base64.from_base64.alias("decoded"),
        col("name").encode("utf-8").decode("utf-8").alias("bytes"),
        col("street").url_encode().alias("url"),
        col("street").url_encode().url_decode().alias("back"),
        (col("id") + 64).chr.alias("letter"),
        lit("http://a.b/p?x=1").parse_url("QUERY", "x").alias("x"),
    )
)
