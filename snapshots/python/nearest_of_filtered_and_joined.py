from tableapi.expressions import col

r = env.from_path("right_bag")
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
EXACT NEAREST 1 BY DISTANCE `r_x` - `x`""",
    )
    .select(col("x"), col("y"), col("r_x").alias("other"))
    .filter(col("other") < 3)
    .join(r.alias("rx", "ry"), col("rx") == col("other"))
    .group_by(col("x"))
    .select(col("x"), col("ry").count.alias("n"))
)
