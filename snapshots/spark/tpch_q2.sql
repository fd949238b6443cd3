WITH `partsupp_filtered` AS (
    SELECT
        `ps_partkey`,
        `ps_suppkey`,
        `ps_availqty`,
        `ps_supplycost`,
        `ps_comment`,
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
        `n_comment`,
        `r_regionkey`,
        `r_name`,
        `r_comment`
    FROM (
        SELECT
            `ps_partkey`,
            `ps_suppkey`,
            `ps_availqty`,
            `ps_supplycost`,
            `ps_comment`,
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
            `n_comment`,
            `r_regionkey`,
            `r_name`,
            `r_comment`
        FROM (
            SELECT
                `ps_partkey`,
                `ps_suppkey`,
                `ps_availqty`,
                `ps_supplycost`,
                `ps_comment`,
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
                    `ps_partkey`,
                    `ps_suppkey`,
                    `ps_availqty`,
                    `ps_supplycost`,
                    `ps_comment`,
                    `s_suppkey`,
                    `s_name`,
                    `s_address`,
                    `s_nationkey`,
                    `s_phone`,
                    `s_acctbal`,
                    `s_comment`
                FROM (
                    SELECT `ps_partkey`, `ps_suppkey`, `ps_availqty`, `ps_supplycost`, `ps_comment`
                    FROM `spark_catalog`.`tpch`.`partsupp`
                )
                INNER JOIN (
                    SELECT `s_suppkey`, `s_name`, `s_address`, `s_nationkey`, `s_phone`, `s_acctbal`, `s_comment`
                    FROM `spark_catalog`.`tpch`.`supplier`
                )
                ON `s_suppkey` = `ps_suppkey`
            )
            INNER JOIN (
                SELECT `n_nationkey`, `n_name`, `n_regionkey`, `n_comment`
                FROM `spark_catalog`.`tpch`.`nation`
            )
            ON `s_nationkey` = `n_nationkey`
        )
        INNER JOIN (
            SELECT `r_regionkey`, `r_name`, `r_comment`
            FROM `spark_catalog`.`tpch`.`region`
        )
        ON `n_regionkey` = `r_regionkey`
    )
    WHERE `r_name` = 'EUROPE'
)
SELECT `s_acctbal`, `s_name`, `n_name`, `p_partkey`, `p_mfgr`, `s_address`, `s_phone`, `s_comment`
FROM (
    SELECT `s_acctbal`, `s_name`, `n_name`, `p_partkey`, `p_mfgr`, `s_address`, `s_phone`, `s_comment`
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
            `p_comment`,
            `ps_partkey`,
            `ps_suppkey`,
            `ps_availqty`,
            `ps_supplycost`,
            `ps_comment`,
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
            `n_comment`,
            `r_regionkey`,
            `r_name`,
            `r_comment`
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
                `p_comment`,
                `ps_partkey`,
                `ps_suppkey`,
                `ps_availqty`,
                `ps_supplycost`,
                `ps_comment`,
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
                `n_comment`,
                `r_regionkey`,
                `r_name`,
                `r_comment`
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
                WHERE `p_size` = 15 AND `p_type` LIKE '%BRASS'
            )
            INNER JOIN `partsupp_filtered`
            ON `p_partkey` = `ps_partkey`
        ) AS `outer`
        WHERE `ps_supplycost` = (
            SELECT MIN(`ps_supplycost`) AS `EXPR$0`
            FROM (
                SELECT
                    `ps_partkey`,
                    `ps_suppkey`,
                    `ps_availqty`,
                    `ps_supplycost`,
                    `ps_comment`,
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
                    `n_comment`,
                    `r_regionkey`,
                    `r_name`,
                    `r_comment`
                FROM `partsupp_filtered`
                WHERE `ps_partkey` = `outer`.`p_partkey`
            )
        )
    )
)
ORDER BY `s_acctbal` DESC, `n_name`, `s_name`, `p_partkey`
LIMIT 100
