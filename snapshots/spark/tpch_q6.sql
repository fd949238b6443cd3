SELECT SUM(`l_extendedprice` * `l_discount`) AS `revenue`
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
        AND `l_discount` BETWEEN 0.05 AND 0.07
        AND `l_quantity` < 24
)
