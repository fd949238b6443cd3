SELECT `EXPR$0`
FROM `whole`(
    `r` => TABLE(
        SELECT `a`, `b`
        FROM `spark_catalog`.`programs`.`nothing`
    ),
    `d` => DESCRIPTOR(`a`, `b`)
)
