SELECT `l_orderkey`, `revenue`, `o_orderdate`, `o_shippriority`
FROM (
    SELECT `l_orderkey`, `EXPR$0` AS `revenue`, `o_orderdate`, `o_shippriority`
    FROM (
        SELECT
            `l_orderkey`,
            `o_orderdate`,
            `o_shippriority`,
            SUM(`l_extendedprice` * (1 - `l_discount`)) AS `EXPR$0`
        FROM (
            SELECT
                `c_custkey`,
                `c_name`,
                `c_address`,
                `c_nationkey`,
                `c_phone`,
                `c_acctbal`,
                `c_mktsegment`,
                `c_comment`,
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
                    `c_custkey`,
                    `c_name`,
                    `c_address`,
                    `c_nationkey`,
                    `c_phone`,
                    `c_acctbal`,
                    `c_mktsegment`,
                    `c_comment`,
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
                        `c_custkey`,
                        `c_name`,
                        `c_address`,
                        `c_nationkey`,
                        `c_phone`,
                        `c_acctbal`,
                        `c_mktsegment`,
                        `c_comment`,
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
                            `c_custkey`,
                            `c_name`,
                            `c_address`,
                            `c_nationkey`,
                            `c_phone`,
                            `c_acctbal`,
                            `c_mktsegment`,
                            `c_comment`
                        FROM (
                            SELECT
                                `c_custkey`,
                                `c_name`,
                                `c_address`,
                                `c_nationkey`,
                                `c_phone`,
                                `c_acctbal`,
                                `c_mktsegment`,
                                `c_comment`
                            FROM `spark_catalog`.`tpch`.`customer`
                        )
                        WHERE `c_mktsegment` = 'BUILDING'
                    )
                    INNER JOIN (
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
                    ON `c_custkey` = `o_custkey`
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
                ON `l_orderkey` = `o_orderkey`
            )
            WHERE `o_orderdate` < DATE '1995-03-15' AND `l_shipdate` > DATE '1995-03-15'
        )
        GROUP BY `l_orderkey`, `o_orderdate`, `o_shippriority`
    )
)
ORDER BY `revenue` DESC, `o_orderdate`
LIMIT 10
