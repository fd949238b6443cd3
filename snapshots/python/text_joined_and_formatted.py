from tableapi.expressions import col, concat_ws, lit

result = (
    env.from_path("customers")
    .select(
        concat_ws(", ", col("street"), col("zip_code"), col("city")).alias("address"),
        lit("%s (%d)").printf(col("name"), col("id")).alias("label"),
        (col("id") % 2 + 1).elt("even", "odd").alias("parity"),
    )
    .filter(col("address").trim("0123456789") != "")
    .select(col("address").upper_case, col("label"), col("parity"))
)
