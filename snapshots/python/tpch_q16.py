from tableapi.expressions import col

selected_supplier = (
    env.from_path("supplier")
    .filter(col("s_comment").like("%Customer%Complaints%"))
    .select(col("s_suppkey"))
)
result = (
    env.from_path("partsupp")
    .join(env.from_path("part"), col("p_partkey") == col("ps_partkey"))
    .filter(
        (col("p_brand") != "Brand#45")
        & ~col("p_type").like("MEDIUM POLISHED%")
        & col("p_size").in_(49, 14, 23, 45, 19, 3, 36, 9)
        & ~col("ps_suppkey").in_(selected_supplier),
    )
    .group_by(col("p_brand"), col("p_type"), col("p_size"))
    .select(
        col("p_brand"),
        col("p_type"),
        col("p_size"),
        col("ps_suppkey").count.distinct.alias("supplier_cnt"),
    )
    .order_by(col("supplier_cnt").desc, col("p_brand"), col("p_type"), col("p_size"))
)
