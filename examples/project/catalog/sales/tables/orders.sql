CREATE TABLE `orders` (
    `id` BIGINT NOT NULL,
    `customer_id` BIGINT NOT NULL,
    `ordered` TIMESTAMP_LTZ NOT NULL,
    `status` STRING NOT NULL COMMENT 'open, shipped, returned or cancelled'
)
COMMENT 'one row for each order';
