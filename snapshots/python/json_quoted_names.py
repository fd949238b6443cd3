from tableapi.expressions import col

result = env.from_path("customers").select(
    col("name").json_quote().alias("name"),
    (col("street") + "/é\n").json_quote().json_unquote().alias("`"),
)
