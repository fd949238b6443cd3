from tableapi.expressions import col

result = (
    env.sql_query(
        """SELECT `x`, `y`, `r_x`, `r_y`
FROM (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
)
INNER JOIN (
    SELECT `x` AS `r_x`, `y` AS `r_y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`right_bag`
    )
)
EXACT NEAREST 1 BY DISTANCE ABS(`x` - `r_x`)""",
    )
    .select(col("x"), col("y"), col("r_x").alias("other"))
    .filter(col("x") > 1)
    .distinct()
)
