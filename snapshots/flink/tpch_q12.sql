SELECT `l_shipmode`, `high_line_count`, `low_line_count`
FROM (
    SELECT
        `l_shipmode`,
        SUM(CAST(CASE WHEN `o_orderpriority` IN ('1-URGENT', '2-HIGH') THEN 1 ELSE 0 END AS BIGINT)) AS `high_line_count`,
        SUM(CAST(CASE WHEN `o_orderpriority` IN ('1-URGENT', '2-HIGH') THEN 0 ELSE 1 END AS BIGINT)) AS `low_line_count`
    FROM (
        SELECT
            `o_orderkey`,
            `o_custkey`,
            `o_orderstatus`,
            `o_totalprice`,
            `o_orderdate`,
            `o_orderpriority`,
            `o_clerk`,
            `o_shippriority`,
            `o_comment`,
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
                `o_orderkey`,
                `o_custkey`,
                `o_orderstatus`,
                `o_totalprice`,
                `o_orderdate`,
                `o_orderpriority`,
                `o_clerk`,
                `o_shippriority`,
                `o_comment`,
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
                    `o_orderkey`,
                    `o_custkey`,
                    `o_orderstatus`,
                    `o_totalprice`,
                    `o_orderdate`,
                    `o_orderpriority`,
                    `o_clerk`,
                    `o_shippriority`,
                    `o_comment`
                FROM `spark_catalog`.`tpch`.`orders`
            )
            INNER JOIN (
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
            ON `o_orderkey` = `l_orderkey`
        )
        WHERE `l_shipmode` IN ('MAIL', 'SHIP')
            AND `l_commitdate` < `l_receiptdate`
            AND `l_shipdate` < `l_commitdate`
            AND `l_receiptdate` >= DATE '1994-01-01'
            AND `l_receiptdate` < DATE '1994-01-01' + INTERVAL '1' YEAR
    )
    GROUP BY `l_shipmode`
)
ORDER BY `l_shipmode`
