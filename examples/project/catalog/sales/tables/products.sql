CREATE TABLE `products` (`id` BIGINT NOT NULL, `name` STRING NOT NULL, `category` STRING NOT NULL)
COMMENT 'what the shop sells';
