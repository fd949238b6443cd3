SELECT
    `EXPR$0` AS `different`,
    `EXPR$1` AS `middle`,
    `EXPR$2` AS `top`,
    CARDINALITY(`EXPR$3`) AS `bins`
FROM (
    SELECT
        APPROX_COUNT_DISTINCT(`k`, 0.1D) AS `EXPR$0`,
        PERCENTILE_APPROX(`v`, 0.5D) AS `EXPR$1`,
        APPROX_TOP_K(`k`, 1) AS `EXPR$2`,
        HISTOGRAM_NUMERIC(`v`, 10) AS `EXPR$3`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
)
