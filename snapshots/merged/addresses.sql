WITH `orders_computed` AS (
    SELECT
        TRANSFORM(
            ARRAY(`order_id`),
            `given` -> CASE
                WHEN `given` BETWEEN 0 AND 4294967295L THEN CONCAT_WS(
                    '.',
                    SHIFTRIGHT(`given`, 24) & 255,
                    SHIFTRIGHT(`given`, 16) & 255,
                    SHIFTRIGHT(`given`, 8) & 255,
                    `given` & 255
                )
            END
        )[0] AS `address`,
        TRANSFORM(
            ARRAY(-`order_id`),
            `given` -> CASE
                WHEN `given` BETWEEN 0 AND 4294967295L THEN CONCAT_WS(
                    '.',
                    SHIFTRIGHT(`given`, 24) & 255,
                    SHIFTRIGHT(`given`, 16) & 255,
                    SHIFTRIGHT(`given`, 8) & 255,
                    `given` & 255
                )
            END
        )[0] AS `none`,
        AGGREGATE(
            SPLIT(
                REGEXP_REPLACE(
                    REGEXP_SUBSTR(
                        `status`,
                        '^(?:0*(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\\.){0,3}0*(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\\z'
                    ),
                    '^(?:([0-9]+)\\.)?(?:([0-9]+)\\.)?(?:([0-9]+)\\.)?([0-9]+)$',
                    '0$1.0$2.0$3.$4'
                ),
                '\\.'
            ),
            CAST(0 AS BIGINT),
            (`number`, `byte`) -> `number` * 256 + CAST(`byte` AS BIGINT)
        ) AS `not one`,
        AGGREGATE(
            SPLIT(
                REGEXP_REPLACE(
                    REGEXP_SUBSTR(
                        TRANSFORM(
                            ARRAY(`order_id`),
                            `given` -> CASE
                                WHEN `given` BETWEEN 0 AND 4294967295L THEN CONCAT_WS(
                                    '.',
                                    SHIFTRIGHT(`given`, 24) & 255,
                                    SHIFTRIGHT(`given`, 16) & 255,
                                    SHIFTRIGHT(`given`, 8) & 255,
                                    `given` & 255
                                )
                            END
                        )[0],
                        '^(?:0*(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\\.){0,3}0*(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\\z'
                    ),
                    '^(?:([0-9]+)\\.)?(?:([0-9]+)\\.)?(?:([0-9]+)\\.)?([0-9]+)$',
                    '0$1.0$2.0$3.$4'
                ),
                '\\.'
            ),
            CAST(0 AS BIGINT),
            (`number`, `byte`) -> `number` * 256 + CAST(`byte` AS BIGINT)
        ) AS `again`
    FROM `spark_catalog`.`programs`.`orders`
)
SELECT *
FROM `orders_computed`
WHERE `address` = '0.0.0.100'
