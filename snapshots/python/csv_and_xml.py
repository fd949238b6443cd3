from tableapi.expressions import col, lit, map_, row

result = (
    env.from_path("left_bag")
    .filter(col("x") == 2)
    .select(row(col("x").alias("x"), col("y").alias("y")).alias("r"))
    .select(
        col("r").to_csv().alias("line"),
        col("r")
        .to_csv(map_("sep", "|"))
        .from_csv("x INT, y STRING", map_("sep", "|"))
        .get("y")
        .alias("y"),
        lit("<r><x>2</x></r>").from_xml("x INT").get("x").alias("x"),
        col("r").to_json().alias("j"),
    )
)
