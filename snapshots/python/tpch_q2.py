from tableapi.expressions import col, scalar

part = env.from_path("part")
filtered_partsupp_and_supplier = (
    env.from_path("partsupp")
    .join(env.from_path("supplier"), col("s_suppkey") == col("ps_suppkey"))
    .join(env.from_path("nation"), col("s_nationkey") == col("n_nationkey"))
    .join(env.from_path("region"), col("n_regionkey") == col("r_regionkey"))
    .filter(col("r_name") == "EUROPE")
)
partsupp_and_supplier_summary = filtered_partsupp_and_supplier.filter(
    col("ps_partkey") == part.outer("p_partkey")
).select(col("ps_supplycost").min)
result = (
    part.filter((col("p_size") == 15) & col("p_type").like("%BRASS"))
    .join(filtered_partsupp_and_supplier, col("p_partkey") == col("ps_partkey"))
    .filter(col("ps_supplycost") == scalar(partsupp_and_supplier_summary))
    .select(
        col("s_acctbal"),
        col("s_name"),
        col("n_name"),
        col("p_partkey"),
        col("p_mfgr"),
        col("s_address"),
        col("s_phone"),
        col("s_comment"),
    )
    .order_by(col("s_acctbal").desc, col("n_name"), col("s_name"), col("p_partkey"))
    .fetch(100)
)
