CREATE TABLE `order_lines` (
    `order_id` BIGINT NOT NULL,
    `product_id` BIGINT NOT NULL,
    `quantity` INT NOT NULL,
    `price` DECIMAL(10, 2) NOT NULL COMMENT 'of one piece, in euro'
)
COMMENT 'the products of each order';
