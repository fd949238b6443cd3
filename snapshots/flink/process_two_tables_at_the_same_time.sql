WITH `left` AS (
    SELECT `k`, `ts`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
),
`right` AS (
    SELECT `k`, `ts`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
        WHERE `v` > 1
    )
)
SELECT `k`, `k0`, `left0`, `left1`, `right`, `rowtime`
FROM `inferred`(
    `left` => TABLE `left` PARTITION BY (`k`),
    `right` => TABLE `right` PARTITION BY (`k`),
    `copies` => 2,
    `wanted` => DESCRIPTOR(`a b`, `c`),
    `on_time` => DESCRIPTOR(`ts`)
)
