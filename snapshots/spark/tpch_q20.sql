SELECT `s_name`, `s_address`
FROM (
    SELECT `s_name`, `s_address`
    FROM (
        SELECT
            `s_suppkey`,
            `s_name`,
            `s_address`,
            `s_nationkey`,
            `s_phone`,
            `s_acctbal`,
            `s_comment`,
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
                `n_nationkey`,
                `n_name`,
                `n_regionkey`,
                `n_comment`
            FROM (
                SELECT `s_suppkey`, `s_name`, `s_address`, `s_nationkey`, `s_phone`, `s_acctbal`, `s_comment`
                FROM (
                    SELECT `s_suppkey`, `s_name`, `s_address`, `s_nationkey`, `s_phone`, `s_acctbal`, `s_comment`
                    FROM `spark_catalog`.`tpch`.`supplier`
                )
                WHERE `s_suppkey` IN (
                    SELECT `ps_suppkey`
                    FROM (
                        SELECT `ps_partkey`, `ps_suppkey`, `ps_availqty`, `ps_supplycost`, `ps_comment`
                        FROM (
                            SELECT `ps_partkey`, `ps_suppkey`, `ps_availqty`, `ps_supplycost`, `ps_comment`
                            FROM (
                                SELECT `ps_partkey`, `ps_suppkey`, `ps_availqty`, `ps_supplycost`, `ps_comment`
                                FROM `spark_catalog`.`tpch`.`partsupp`
                            )
                            WHERE `ps_partkey` IN (
                                SELECT `p_partkey`
                                FROM (
                                    SELECT
                                        `p_partkey`,
                                        `p_name`,
                                        `p_mfgr`,
                                        `p_brand`,
                                        `p_type`,
                                        `p_size`,
                                        `p_container`,
                                        `p_retailprice`,
                                        `p_comment`
                                    FROM (
                                        SELECT
                                            `p_partkey`,
                                            `p_name`,
                                            `p_mfgr`,
                                            `p_brand`,
                                            `p_type`,
                                            `p_size`,
                                            `p_container`,
                                            `p_retailprice`,
                                            `p_comment`
                                        FROM `spark_catalog`.`tpch`.`part`
                                    )
                                    WHERE `p_name` LIKE 'forest%'
                                )
                            )
                        ) AS `outer_1`
                        WHERE `ps_availqty` > (
                            SELECT 0.5 * SUM(`l_quantity`) AS `_c0`
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
                                WHERE `l_partkey` = `outer_1`.`ps_partkey`
                                    AND `l_suppkey` = `outer_1`.`ps_suppkey`
                                    AND `l_shipdate` >= DATE '1994-01-01'
                                    AND `l_shipdate` < DATE '1994-01-01' + INTERVAL '1' YEAR
                            )
                        )
                    )
                )
            )
            INNER JOIN (
                SELECT `n_nationkey`, `n_name`, `n_regionkey`, `n_comment`
                FROM `spark_catalog`.`tpch`.`nation`
            )
            ON `s_nationkey` = `n_nationkey`
        )
        WHERE `n_name` = 'CANADA'
    )
)
ORDER BY `s_name`
