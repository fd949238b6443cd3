from tableapi.expressions import col, lit

result = (
    env.sql_query(
        """SELECT `s`.*
FROM (
    SELECT NAMED_STRUCT() AS `s`
    FROM `spark_catalog`.`programs`.`left_bag`
    WHERE `x` = 1
)""",
    )
    .filter(lit(1) < 2)
    .select(lit(7).alias("n"))
    .order_by(col("n"))
)
