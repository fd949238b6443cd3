SELECT `EXPR$0`
FROM `whole`(
    `r` => TABLE(
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    ) ORDER BY (`ts` ASC, `v` DESC)
)
