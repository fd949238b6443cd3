SELECT `o_orderpriority`, `order_count`
FROM (
    SELECT `o_orderpriority`, COUNT(1) AS `order_count`
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
            WHERE `o_orderdate` >= DATE '1993-07-01' AND `o_orderdate` < DATE '1993-07-01' + INTERVAL '3' MONTH
        ) AS `outer`
        WHERE EXISTS (
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
            WHERE `l_orderkey` = `outer`.`o_orderkey` AND `l_commitdate` < `l_receiptdate`
        )
    )
    GROUP BY `o_orderpriority`
)
ORDER BY `o_orderpriority`
