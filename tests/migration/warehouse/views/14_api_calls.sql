-- partner API. VARIANT since the upgrade to Spark 4. ps
USE web;

CREATE OR REPLACE VIEW api_calls_flat AS
SELECT
  call_id,
  called_at,
  partner,
  doc:op::string            AS op,
  doc:meta.retry::int       AS retry,
  doc:items[0].sku::string  AS first_sku,
  try_variant_get(doc, '$.meta.ms', 'double') AS ms,
  schema_of_variant(doc)    AS shape,
  is_variant_null(doc)      AS is_null
FROM api_calls;

CREATE OR REPLACE VIEW api_items AS
SELECT c.call_id, i.pos, i.value:sku::string AS sku, i.value:n::int AS n
FROM api_calls c, LATERAL variant_explode(c.doc:items) AS i;

CREATE OR REPLACE VIEW api_usage AS
FROM api_calls_flat
|> WHERE partner IS NOT NULL
|> EXTEND cast(called_at AS date) AS day
|> AGGREGATE count(*) AS calls, sum(coalesce(retry, 0)) AS retries GROUP BY partner, day
|> EXTEND retries > 0 AS had_retries
|> ORDER BY partner, day;
