SELECT UPPER(`address`) AS `_c0`, `label`, `parity`
FROM (
    SELECT `address`, `label`, `parity`
    FROM (
        SELECT
            CONCAT_WS(', ', `street`, `zip_code`, `city`) AS `address`,
            PRINTF('%s (%d)', `name`, `id`) AS `label`,
            ELT(`id` % 2 + 1, 'even', 'odd') AS `parity`
        FROM (
            SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
            FROM `spark_catalog`.`programs`.`customers`
        )
    )
    WHERE TRIM(BOTH '0123456789' FROM `address`) <> ''
)
