SELECT `s_name`, `numwait`
FROM (
    SELECT `s_name`, COUNT(1) AS `numwait`
    FROM (
        SELECT
            `s_suppkey`,
            `s_name`,
            `s_address`,
            `s_nationkey`,
            `s_phone`,
            `s_acctbal`,
            `s_comment`,
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
            `l_comment`,
            `o_orderkey`,
            `o_custkey`,
            `o_orderstatus`,
            `o_totalprice`,
            `o_orderdate`,
            `o_orderpriority`,
            `o_clerk`,
            `o_shippriority`,
            `o_comment`,
            `n_nationkey`,
            `n_name`,
            `n_regionkey`,
            `n_comment`
        FROM (
            SELECT
                `s_suppkey`,
                `s_name`,
                `s_address`,
                `s_nationkey`,
                `s_phone`,
                `s_acctbal`,
                `s_comment`,
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
                `l_comment`,
                `o_orderkey`,
                `o_custkey`,
                `o_orderstatus`,
                `o_totalprice`,
                `o_orderdate`,
                `o_orderpriority`,
                `o_clerk`,
                `o_shippriority`,
                `o_comment`,
                `n_nationkey`,
                `n_name`,
                `n_regionkey`,
                `n_comment`
            FROM (
                SELECT
                    `s_suppkey`,
                    `s_name`,
                    `s_address`,
                    `s_nationkey`,
                    `s_phone`,
                    `s_acctbal`,
                    `s_comment`,
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
                    `l_comment`,
                    `o_orderkey`,
                    `o_custkey`,
                    `o_orderstatus`,
                    `o_totalprice`,
                    `o_orderdate`,
                    `o_orderpriority`,
                    `o_clerk`,
                    `o_shippriority`,
                    `o_comment`,
                    `n_nationkey`,
                    `n_name`,
                    `n_regionkey`,
                    `n_comment`
                FROM (
                    SELECT
                        `s_suppkey`,
                        `s_name`,
                        `s_address`,
                        `s_nationkey`,
                        `s_phone`,
                        `s_acctbal`,
                        `s_comment`,
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
                        `l_comment`,
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
                            `s_suppkey`,
                            `s_name`,
                            `s_address`,
                            `s_nationkey`,
                            `s_phone`,
                            `s_acctbal`,
                            `s_comment`,
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
                            `l_comment`,
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
                                `s_suppkey`,
                                `s_name`,
                                `s_address`,
                                `s_nationkey`,
                                `s_phone`,
                                `s_acctbal`,
                                `s_comment`,
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
                                    `s_suppkey`,
                                    `s_name`,
                                    `s_address`,
                                    `s_nationkey`,
                                    `s_phone`,
                                    `s_acctbal`,
                                    `s_comment`,
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
                                    SELECT `s_suppkey`, `s_name`, `s_address`, `s_nationkey`, `s_phone`, `s_acctbal`, `s_comment`
                                    FROM `spark_catalog`.`tpch`.`supplier`
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
                                ON `s_suppkey` = `l_suppkey`
                            )
                            WHERE `l_receiptdate` > `l_commitdate`
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
                        ON `o_orderkey` = `l_orderkey`
                    )
                    WHERE `o_orderstatus` = 'F'
                )
                INNER JOIN (
                    SELECT `n_nationkey`, `n_name`, `n_regionkey`, `n_comment`
                    FROM `spark_catalog`.`tpch`.`nation`
                )
                ON `s_nationkey` = `n_nationkey`
            )
            WHERE `n_name` = 'SAUDI ARABIA'
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
            WHERE `l_orderkey` = `outer`.`l_orderkey` AND `l_suppkey` <> `outer`.`l_suppkey`
        ) AND NOT EXISTS (
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
                WHERE `l_orderkey` = `outer`.`l_orderkey` AND `l_suppkey` <> `outer`.`l_suppkey`
            )
            WHERE `l_receiptdate` > `l_commitdate`
        )
    )
    GROUP BY `s_name`
)
ORDER BY `numwait` DESC, `s_name`
LIMIT 100
