result = env.sql_query(
    """SELECT `s`.*
FROM (
    SELECT NAMED_STRUCT() AS `s`
    FROM `spark_catalog`.`programs`.`left_bag`
    WHERE `x` > 1
)""",
)
