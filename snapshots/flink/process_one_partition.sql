SELECT `EXPR$0`
FROM `whole`(
    `r` => (
        SELECT `a`, `b`
        FROM `spark_catalog`.`programs`.`nothing`
    ),
    `d` => DESCRIPTOR(`a`, `b`)
)
