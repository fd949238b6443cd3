from tableapi.expressions import col

result = (
    env.sql_query(
        """SELECT `left_bag`.`x`, `left_bag`.`y`, `lateral`.`v`, `lateral`.`n`
FROM `spark_catalog`.`programs`.`left_bag`
INNER JOIN LATERAL JSON_TABLE(
    CONCAT('[', `left_bag`.`x`, ', ', `left_bag`.`x` * 10, ']'),
    '$[*]' COLUMNS (`v` INT PATH '$', `n` FOR ORDINALITY)
) AS `lateral`(`v`, `n`)""",
    )
    .filter((col("x") > 1) & (col("v") != 3))
    .select(col("x"), col("v"), col("n"))
)
