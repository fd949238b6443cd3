SELECT
    ARRAY[1, `quantity`, CAST(NULL AS INT)] AS `a`,
    MAP['q', `quantity`, 'z', 0] AS `m`,
    CAST(ROW(`sku`, 1.5E0, `quantity`) AS ROW<`f0` STRING, `f1` DOUBLE NOT NULL, `named` INT>) AS `r`,
    ARRAY[
        CAST(ROW(1, 'a') AS ROW<`f0` INT NOT NULL, `f1` STRING NOT NULL>),
        CAST(ROW(2, 'b') AS ROW<`f0` INT NOT NULL, `f1` STRING NOT NULL>)
    ] AS `n`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    WHERE `sku` = 'pad'
)
