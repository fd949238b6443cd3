SELECT `EXPR$0`, `sku`
FROM (
    SELECT `EXPR$0`, `sku`, `EXPR$0_0`
    FROM (
        SELECT `EXPR$0`, `sku`, CAST(RANK() OVER (ORDER BY `EXPR$0` DESC) AS INT) AS `EXPR$0_0`
        FROM (
            SELECT `line_order` AS `EXPR$0`, `sku`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM (
                    SELECT `line_order`, `sku`, `quantity`, `EXPR$0`
                    FROM (
                        SELECT
                            `line_order`,
                            `sku`,
                            `quantity`,
                            CAST(ROW_NUMBER() OVER (ORDER BY `line_order`, `sku`) AS INT) AS `EXPR$0`
                        FROM (
                            SELECT `line_order`, `sku`, `quantity`
                            FROM (
                                SELECT `line_order`, `sku`, `quantity`, `EXPR$0`
                                FROM (
                                    SELECT
                                        `line_order`,
                                        `sku`,
                                        `quantity`,
                                        CAST(ROW_NUMBER() OVER (ORDER BY `line_order`, `sku`) AS INT) AS `EXPR$0`
                                    FROM (
                                        SELECT `line_order`, `sku`, `quantity`
                                        FROM `spark_catalog`.`programs`.`lines`
                                    )
                                )
                                WHERE `EXPR$0` > 1
                            )
                        )
                    )
                    WHERE `EXPR$0` > 1
                )
            )
        )
    )
    WHERE `EXPR$0_0` = 1
)
