SELECT `k`, `count`, `rowtime`
FROM `count_with_timeout`(
    `input` => TABLE(
        SELECT `k`, `at`
        FROM (
            SELECT `k`, CAST(`day` AS TIMESTAMP_NTZ) AS `at`
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            )
        )
        WHERE `k` <> ''
    ) PARTITION BY (`k`),
    `on_time` => DESCRIPTOR(`at`)
)
