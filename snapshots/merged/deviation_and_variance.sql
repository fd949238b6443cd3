WITH `lines_grouped` AS (
    SELECT
        VAR_POP(`quantity`) AS `EXPR$0`,
        VAR_SAMP(`quantity`) AS `EXPR$1`,
        STDDEV_POP(`quantity`) AS `EXPR$2`,
        STDDEV_SAMP(`quantity`) AS `EXPR$3`
    FROM `spark_catalog`.`programs`.`lines`
    WHERE `quantity` > 1
)
SELECT
    `EXPR$0` AS `vp`,
    `EXPR$1` AS `vs`,
    `EXPR$2` * `EXPR$2` AS `p`,
    `EXPR$3` * `EXPR$3` > 18.9D AS `q`
FROM `lines_grouped`
