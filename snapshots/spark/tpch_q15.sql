WITH `lineitem_by_l_suppkey` AS (
    SELECT `l_suppkey` AS `supplier_no`, SUM(`l_extendedprice` * (1 - `l_discount`)) AS `total_revenue`
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
        WHERE `l_shipdate` >= DATE '1996-01-01' AND `l_shipdate` < DATE '1996-01-01' + INTERVAL '3' MONTH
    )
    GROUP BY `l_suppkey`
)
SELECT `s_suppkey`, `s_name`, `s_address`, `s_phone`, `total_revenue`
FROM (
    SELECT `s_suppkey`, `s_name`, `s_address`, `s_phone`, `total_revenue`
    FROM (
        SELECT
            `s_suppkey`,
            `s_name`,
            `s_address`,
            `s_nationkey`,
            `s_phone`,
            `s_acctbal`,
            `s_comment`,
            `supplier_no`,
            `total_revenue`
        FROM (
            SELECT
                `s_suppkey`,
                `s_name`,
                `s_address`,
                `s_nationkey`,
                `s_phone`,
                `s_acctbal`,
                `s_comment`,
                `supplier_no`,
                `total_revenue`
            FROM (
                SELECT `s_suppkey`, `s_name`, `s_address`, `s_nationkey`, `s_phone`, `s_acctbal`, `s_comment`
                FROM `spark_catalog`.`tpch`.`supplier`
            )
            INNER JOIN `lineitem_by_l_suppkey`
            ON `s_suppkey` = `supplier_no`
        )
        WHERE `total_revenue` = (
            SELECT MAX(`total_revenue`) AS `EXPR$0`
            FROM `lineitem_by_l_suppkey`
        )
    )
)
ORDER BY `s_suppkey`
