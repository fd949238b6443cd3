SELECT
    LISTAGG(`b`, ',') WITHIN GROUP (ORDER BY `a`) AS `list`,
    PERCENTILE_CONT(0.5D) WITHIN GROUP (ORDER BY `a`) AS `percentile`,
    MODE() WITHIN GROUP (ORDER BY `a`) AS `mode`,
    COUNT_IF(`a` > 0) AS `count`,
    BOOL_AND(`a` > 0) AS `all`,
    MAX_BY(`a`, `b`) AS `pick`,
    COLLECT_SET(`a`) AS `set`,
    APPROX_COUNT_DISTINCT(`a`) AS `different`,
    TO_JSON(ARRAY_AGG(`a`) RESPECT NULLS, MAP('ignoreNullFields', 'false')) AS `array`,
    TO_JSON(
        MAP_FROM_ENTRIES(ARRAY_AGG(NAMED_STRUCT('key', `b`, 'value', `a`))),
        MAP('ignoreNullFields', 'false')
    ) AS `object`,
    REGR_COUNT(`a`, `a`) AS `pairs`
FROM (
    SELECT `a`, `b`
    FROM `spark_catalog`.`programs`.`nothing`
)
