SELECT `k`, `k0`, `left0`, `right`, `rowtime`
FROM `inferred`(
    `left` => TABLE(
        SELECT `k`, `ts`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
    ) PARTITION BY (`k`),
    `right` => TABLE(
        SELECT `k`, `ts` AS `TS`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
    ) PARTITION BY (`k`),
    `on_time` => DESCRIPTOR(`ts`)
)
