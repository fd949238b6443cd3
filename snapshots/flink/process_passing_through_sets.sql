SELECT `EXPR$0`, `rowtime`, `ts`, `EXPR$00`, `rowtime0`
FROM `passing_sets`(
    `r` => (
        SELECT `k` AS `EXPR$0`, `k` AS `rowtime`, `ts`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
    ) PARTITION BY (`rowtime`),
    `on_time` => DESCRIPTOR(`ts`)
)
