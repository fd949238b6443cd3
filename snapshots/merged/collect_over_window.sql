WITH `lines_windowed` AS (
    SELECT
        `line_order`,
        `sku`,
        MAP_KEYS(TRANSFORM(
            ARRAY(SORT_ARRAY(ARRAY_AGG(`quantity`) OVER (
                PARTITION BY `line_order`
                ORDER BY `sku`
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ))),
            `sorted` -> TRANSFORM(
                ARRAY(ARRAY_COMPACT(TRANSFORM(
                    `sorted`,
                    (`value`, `at`) -> CASE
                        WHEN `value` IS DISTINCT FROM GET(`sorted`, `at` - 1) THEN `at`
                    END
                ))),
                `places` -> MAP_FROM_ENTRIES(TRANSFORM(
                    `places`,
                    (`first`, `at`) -> NAMED_STRUCT(
                        'value',
                        `sorted`[`first`],
                        'count',
                        COALESCE(GET(`places`, `at` + 1), CARDINALITY(`sorted`)) - `first`
                    )
                ))
            )[0]
        )[0]) AS `so far`
    FROM `spark_catalog`.`programs`.`lines`
)
SELECT *
FROM `lines_windowed`
WHERE `line_order` < 102
