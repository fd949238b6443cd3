-- Kategoriebaum; two ways. The self joins are from 2019, the recursion from 2025 (PS).
use SHOP;

CREATE OR REPLACE VIEW category_levels AS
SELECT c1.name AS level_1, c2.name AS level_2, c3.name AS level_3, coalesce(c3.category_id, c2.category_id) AS leaf_id
FROM categories c1
     JOIN categories c2 ON c2.parent_id = c1.category_id
     LEFT JOIN categories c3 ON c3.parent_id = c2.category_id
WHERE c1.parent_id IS NOT NULL OR c1.name = 'Everything';

CREATE OR REPLACE VIEW category_paths (category_id, path COMMENT 'names from the root, with >', depth) AS
WITH RECURSIVE tree (id, path, depth) AS (
  SELECT category_id, name, 0 FROM categories WHERE parent_id IS NULL
  UNION ALL
  SELECT c.category_id, concat(t.path, ' > ', c.name), t.depth + 1
  FROM categories c JOIN tree t ON c.parent_id = t.id
)
SELECT id, path, depth FROM tree;

create or replace view products_with_path as
select p.product_id, p.name, cp.path, nvl2(cp.path, 'ok', 'no category') as state
from products p left join category_paths cp on cp.category_id = p.category_id;

create or replace view orphan_categories as
select * from categories c
where not exists (select 1 from categories p where p.category_id = c.parent_id) and c.parent_id is not null;
