SELECT `flag`, `n`
FROM `hinted`(
    `input` => TABLE(
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    ),
    `small` => 5Y,
    `wait` => INTERVAL '0 00:05:00' DAY TO SECOND,
    `anything` => 'x'
)
