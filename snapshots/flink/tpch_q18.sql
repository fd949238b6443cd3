SELECT `c_name`, `c_custkey`, `o_orderkey`, `o_orderdate`, `o_totalprice`, `sum(l_quantity)`
FROM (
    SELECT
        `c_name`,
        `c_custkey`,
        `o_orderkey`,
        `o_orderdate`,
        `o_totalprice`,
        CAST(SUM(`l_quantity`) AS DECIMAL(25, 2)) AS `sum(l_quantity)`
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
                    FROM `spark_catalog`.`tpch`.`customer`
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
            WHERE `o_orderkey` IN (
                SELECT `l_orderkey`
                FROM (
                    SELECT `l_orderkey`, `total`
                    FROM (
                        SELECT `l_orderkey`, CAST(SUM(`l_quantity`) AS DECIMAL(25, 2)) AS `total`
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
                        GROUP BY `l_orderkey`
                    )
                    WHERE `total` > CAST(300 AS DECIMAL(25, 2))
                )
            )
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
    GROUP BY `c_name`, `c_custkey`, `o_orderkey`, `o_orderdate`, `o_totalprice`
)
ORDER BY `o_totalprice` DESC, `o_orderdate`
FETCH NEXT 100 ROWS ONLY
