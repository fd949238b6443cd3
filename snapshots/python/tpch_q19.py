from tableapi.expressions import and_, col

result = (
    env.from_path("lineitem")
    .join(env.from_path("part"), col("p_partkey") == col("l_partkey"))
    .filter(
        and_(
            col("p_brand") == "Brand#12",
            col("p_container").in_("SM CASE", "SM BOX", "SM PACK", "SM PKG"),
            col("l_quantity") >= 1,
            col("l_quantity") <= 11,
            col("p_size").between(1, 5),
            col("l_shipmode").in_("AIR", "AIR REG"),
            col("l_shipinstruct") == "DELIVER IN PERSON",
        )
        | and_(
            col("p_brand") == "Brand#23",
            col("p_container").in_("MED BAG", "MED BOX", "MED PKG", "MED PACK"),
            col("l_quantity") >= 10,
            col("l_quantity") <= 20,
            col("p_size").between(1, 10),
            col("l_shipmode").in_("AIR", "AIR REG"),
            col("l_shipinstruct") == "DELIVER IN PERSON",
        )
        | and_(
            col("p_brand") == "Brand#34",
            col("p_container").in_("LG CASE", "LG BOX", "LG PACK", "LG PKG"),
            col("l_quantity") >= 20,
            col("l_quantity") <= 30,
            col("p_size").between(1, 15),
            col("l_shipmode").in_("AIR", "AIR REG"),
            col("l_shipinstruct") == "DELIVER IN PERSON",
        ),
    )
    .select((col("l_extendedprice") * (1 - col("l_discount"))).sum.alias("revenue"))
)
