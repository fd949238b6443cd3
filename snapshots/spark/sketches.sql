SELECT
    HLL_SKETCH_ESTIMATE(`EXPR$0`) AS `hll`,
    THETA_SKETCH_ESTIMATE(`EXPR$1`) AS `theta`,
    KLL_SKETCH_GET_N_BIGINT(`EXPR$2`) AS `kll`,
    TUPLE_SKETCH_ESTIMATE_INTEGER(`EXPR$3`) AS `keys`,
    BITMAP_COUNT(`EXPR$4`) AS `bits`
FROM (
    SELECT
        HLL_SKETCH_AGG(`k`) AS `EXPR$0`,
        THETA_SKETCH_AGG(`v`) AS `EXPR$1`,
        KLL_SKETCH_AGG_BIGINT(`v`) AS `EXPR$2`,
        TUPLE_SKETCH_AGG_INTEGER(`k`, `v`) AS `EXPR$3`,
        BITMAP_CONSTRUCT_AGG(BITMAP_BIT_POSITION(`v`)) AS `EXPR$4`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
)
