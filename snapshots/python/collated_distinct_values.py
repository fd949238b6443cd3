from tableapi import DataTypes
from tableapi.expressions import col

result = (
    env.from_elements(
        [("Ärger",), ("arger",), ("ARGER ",), (None,)],
        DataTypes.ROW([DataTypes.FIELD("s", DataTypes.STRING(collation="de_CI_AI_RTRIM"))]),
    )
    .distinct()
    .select(col("*").count.alias("groups"), col("s").count.alias("texts"))
)
