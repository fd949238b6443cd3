SELECT CONVERT_TZ(DATE_FORMAT(`at`, 'yyyy-MM-dd HH:mm:ss'), 'UTC', 'Asia/Tokyo') AS `tokyo`
FROM (
    SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
    FROM `spark_catalog`.`programs`.`readings`
)
