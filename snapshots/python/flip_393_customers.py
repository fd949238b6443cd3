from tableapi import DataTypes
from tableapi.expressions import col, lit

result = (
    env.from_path("customers")
    .filter(col("gender").is_not_null)
    .filter(col("has_newsletter") == lit(True))
    .filter(col("date_of_birth") >= lit("1980-01-01").cast(DataTypes.DATE()))
    .select(col("name").upper_case, col("date_of_birth"))
)
