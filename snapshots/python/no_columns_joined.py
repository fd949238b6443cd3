from tableapi.expressions import col

left_bag = env.sql_query(
    """SELECT `s`.*
FROM (
    SELECT NAMED_STRUCT() AS `s`
    FROM `spark_catalog`.`programs`.`left_bag`
    WHERE `x` = 1
)""",
)
result = left_bag.join(env.from_path("right_bag").filter(col("x") == 1)).join(left_bag)
