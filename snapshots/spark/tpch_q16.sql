SELECT `p_brand`, `p_type`, `p_size`, `supplier_cnt`
FROM (
    SELECT `p_brand`, `p_type`, `p_size`, COUNT(DISTINCT `ps_suppkey`) AS `supplier_cnt`
    FROM (
        SELECT
            `ps_partkey`,
            `ps_suppkey`,
            `ps_availqty`,
            `ps_supplycost`,
            `ps_comment`,
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
                `ps_partkey`,
                `ps_suppkey`,
                `ps_availqty`,
                `ps_supplycost`,
                `ps_comment`,
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
                SELECT `ps_partkey`, `ps_suppkey`, `ps_availqty`, `ps_supplycost`, `ps_comment`
                FROM `spark_catalog`.`tpch`.`partsupp`
            )
            INNER JOIN (
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
            ON `p_partkey` = `ps_partkey`
        )
        WHERE `p_brand` <> 'Brand#45'
            AND `p_type` NOT LIKE 'MEDIUM POLISHED%'
            AND `p_size` IN (49, 14, 23, 45, 19, 3, 36, 9)
            AND `ps_suppkey` NOT IN (
            SELECT `s_suppkey`
            FROM (
                SELECT `s_suppkey`, `s_name`, `s_address`, `s_nationkey`, `s_phone`, `s_acctbal`, `s_comment`
                FROM (
                    SELECT `s_suppkey`, `s_name`, `s_address`, `s_nationkey`, `s_phone`, `s_acctbal`, `s_comment`
                    FROM `spark_catalog`.`tpch`.`supplier`
                )
                WHERE `s_comment` LIKE '%Customer%Complaints%'
            )
        )
    )
    GROUP BY `p_brand`, `p_type`, `p_size`
)
ORDER BY `supplier_cnt` DESC, `p_brand`, `p_type`, `p_size`
