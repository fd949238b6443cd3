from decimal import Decimal

from tableapi.expressions import col, lit, scalar

lineitem = env.from_path("lineitem")
part = env.from_path("part")
lineitem_summary = lineitem.filter(col("l_partkey") == part.outer("p_partkey")).select(
    lit(Decimal("0.2")) * col("l_quantity").avg
)
result = (
    lineitem.join(part, col("p_partkey") == col("l_partkey"))
    .filter((col("p_brand") == "Brand#23") & (col("p_container") == "MED BOX"))
    .filter(col("l_quantity") < scalar(lineitem_summary))
    .select((col("l_extendedprice").sum / Decimal("7.0")).alias("avg_yearly"))
)
