from tableapi.expressions import col

result = env.sql_query(
    """SELECT `s`.*
FROM (
    SELECT NAMED_STRUCT() AS `s`
    FROM `spark_catalog`.`programs`.`left_bag`
    WHERE TRUE
)""",
).select(col("*").count.alias("n"))
