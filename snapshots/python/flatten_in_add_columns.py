from decimal import Decimal

from tableapi.expressions import col, if_then_else

result = (
    env.from_path("products")
    .select(col("product"), col("size"), col("price"))
    .add_columns(col("size").get("width"), col("size").get("box"))
    .select(
        col("product"),
        if_then_else(col("size$width") > 1, Decimal("1.0"), Decimal("2.0")).alias("w"),
        col("size$box"),
    )
)
