from tableapi.expressions import col

result = (
    env.from_path("products")
    .partition_by(col("size").get("box").get("depth"), col("product"))
    .order_by(col("size").get("width").desc)
    .process("nested_keys")
)
