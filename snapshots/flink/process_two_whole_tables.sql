WITH `left` AS (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
),
`right` AS (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`right_bag`
)
SELECT `EXPR$0`
FROM `inferred_optional`(
    `left` => TABLE `left`,
    `right` => TABLE `right`
)
