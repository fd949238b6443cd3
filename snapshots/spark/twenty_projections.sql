SELECT `n` + 1 AS `n`
FROM (
    SELECT `n` + 1 AS `n`
    FROM (
        SELECT `n` + 1 AS `n`
        FROM (
            SELECT `n` + 1 AS `n`
            FROM (
                SELECT `n` + 1 AS `n`
                FROM (
                    SELECT `n` + 1 AS `n`
                    FROM (
                        SELECT `n` + 1 AS `n`
                        FROM (
                            SELECT `n` + 1 AS `n`
                            FROM (
                                SELECT `n` + 1 AS `n`
                                FROM (
                                    SELECT `n` + 1 AS `n`
                                    FROM (
                                        SELECT `n` + 1 AS `n`
                                        FROM (
                                            SELECT `n` + 1 AS `n`
                                            FROM (
                                                SELECT `n` + 1 AS `n`
                                                FROM (
                                                    SELECT `n` + 1 AS `n`
                                                    FROM (
                                                        SELECT `n` + 1 AS `n`
                                                        FROM (
                                                            SELECT `n` + 1 AS `n`
                                                            FROM (
                                                                SELECT `n` + 1 AS `n`
                                                                FROM (
                                                                    SELECT `n` + 1 AS `n`
                                                                    FROM (
                                                                        SELECT `n` + 1 AS `n`
                                                                        FROM (
                                                                            SELECT `n` + 1 AS `n`
                                                                            FROM (
                                                                                SELECT 0 AS `n`
                                                                                FROM (
                                                                                    SELECT `x`, `y`
                                                                                    FROM `spark_catalog`.`programs`.`left_bag`
                                                                                )
                                                                            )
                                                                        )
                                                                    )
                                                                )
                                                            )
                                                        )
                                                    )
                                                )
                                            )
                                        )
                                    )
                                )
                            )
                        )
                    )
                )
            )
        )
    )
)
