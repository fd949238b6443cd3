left_bag = env.sql_query(
    """SELECT `s`.*
FROM (
    SELECT NAMED_STRUCT() AS `s`
    FROM `spark_catalog`.`programs`.`left_bag`
    WHERE TRUE
)""",
)
left_bag_2 = env.sql_query(
    """SELECT `s`.*
FROM (
    SELECT NAMED_STRUCT() AS `s`
    FROM `spark_catalog`.`programs`.`left_bag`
    WHERE `x` = 1
)""",
)
result = left_bag.distinct().union_all(left_bag.intersect_all(left_bag_2))
