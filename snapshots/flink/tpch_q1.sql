SELECT
    `l_returnflag`,
    `l_linestatus`,
    `sum_qty`,
    `sum_base_price`,
    `sum_disc_price`,
    `sum_charge`,
    `avg_qty`,
    `avg_price`,
    `avg_disc`,
    `count_order`
FROM (
    SELECT
        `l_returnflag`,
        `l_linestatus`,
        `EXPR$0` AS `sum_qty`,
        `EXPR$1` AS `sum_base_price`,
        `EXPR$2` AS `sum_disc_price`,
        `EXPR$3` AS `sum_charge`,
        `EXPR$4` AS `avg_qty`,
        `EXPR$5` AS `avg_price`,
        `EXPR$6` AS `avg_disc`,
        `EXPR$7` AS `count_order`
    FROM (
        SELECT
            `l_returnflag`,
            `l_linestatus`,
            CAST(SUM(`l_quantity`) AS DECIMAL(25, 2)) AS `EXPR$0`,
            CAST(SUM(`l_extendedprice`) AS DECIMAL(25, 2)) AS `EXPR$1`,
            CAST(SUM(`l_extendedprice` * (CAST(1 AS DECIMAL(1, 0)) - `l_discount`)) AS DECIMAL(38, 4)) AS `EXPR$2`,
            CAST(SUM(`l_extendedprice` * (CAST(1 AS DECIMAL(1, 0)) - `l_discount`) * (CAST(1 AS DECIMAL(1, 0)) + `l_tax`)) AS DECIMAL(38, 6)) AS `EXPR$3`,
            CAST(AVG(CAST(`l_quantity` AS DECIMAL(19, 6))) AS DECIMAL(19, 6)) AS `EXPR$4`,
            CAST(AVG(CAST(`l_extendedprice` AS DECIMAL(19, 6))) AS DECIMAL(19, 6)) AS `EXPR$5`,
            CAST(AVG(CAST(`l_discount` AS DECIMAL(19, 6))) AS DECIMAL(19, 6)) AS `EXPR$6`,
            COUNT(1) AS `EXPR$7`
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
            WHERE `l_shipdate` <= DATE '1998-12-01' - INTERVAL '90' DAY
        )
        GROUP BY `l_returnflag`, `l_linestatus`
    )
)
ORDER BY `l_returnflag`, `l_linestatus`
