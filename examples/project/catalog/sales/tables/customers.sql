CREATE TABLE `customers` (
    `id` BIGINT NOT NULL,
    `name` STRING NOT NULL,
    `country` STRING,
    `since` DATE
)
COMMENT 'one row for each customer';
