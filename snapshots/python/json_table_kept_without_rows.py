from tableapi.expressions import col

result = env.sql_query(
    "SELECT `values`.`id`, `values`.`doc`, `lateral`.`v`\nFROM VALUES\n    (1, '{\"k\": [5, 6]}'),\n    (2, '{\"k\": []}'),\n    (3, 'no JSON'),\n    (4, NULL)\nAS `values`(`id`, `doc`)\nLEFT OUTER JOIN LATERAL JSON_TABLE(`values`.`doc`, '$.k[*]' COLUMNS (`v` INT PATH '$')) AS `lateral`(`v`)\nON `lateral`.`v` > 5",
).select(col("id"), col("v"))
