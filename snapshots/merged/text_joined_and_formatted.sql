SELECT
    UPPER(CONCAT_WS(', ', `street`, `zip_code`, `city`)) AS `_c0`,
    FORMAT_STRING('%s (%d)', `name`, `id`) AS `label`,
    ELT(`id` % 2 + 1, 'even', 'odd') AS `parity`
FROM `spark_catalog`.`programs`.`customers`
WHERE TRIM(BOTH '0123456789' FROM CONCAT_WS(', ', `street`, `zip_code`, `city`)) <> ''
