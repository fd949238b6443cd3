SELECT CAST(SUM(`l_extendedprice` * `l_discount`) AS DECIMAL(38, 4)) AS `revenue`
FROM (
    SELECT
        `l_orderkey`,
        `l_partkey`,
        `l_suppkey`,
        `l_linenumber`,
        `l_quantity`,
        `l_extendedprice`,
        `l_discount`,
        `l_tax`,
        `l_returnflag`,
        `l_linestatus`,
        `l_shipdate`,
        `l_commitdate`,
        `l_receiptdate`,
        `l_shipinstruct`,
        `l_shipmode`,
        `l_comment`
    FROM (
        SELECT
            `l_orderkey`,
            `l_partkey`,
            `l_suppkey`,
            `l_linenumber`,
            `l_quantity`,
            `l_extendedprice`,
            `l_discount`,
            `l_tax`,
            `l_returnflag`,
            `l_linestatus`,
            `l_shipdate`,
            `l_commitdate`,
            `l_receiptdate`,
            `l_shipinstruct`,
            `l_shipmode`,
            `l_comment`
        FROM `spark_catalog`.`tpch`.`lineitem`
    )
    WHERE `l_shipdate` >= DATE '1994-01-01'
        AND `l_shipdate` < DATE '1994-01-01' + INTERVAL '1' YEAR
        AND `l_discount` BETWEEN CAST(0.05 AS DECIMAL(2, 2)) AND CAST(0.07 AS DECIMAL(2, 2))
        AND `l_quantity` < CAST(24 AS DECIMAL(15, 2))
)
