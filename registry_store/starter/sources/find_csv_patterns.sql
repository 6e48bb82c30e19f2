WITH texts AS (SELECT CAST(order_id AS VARCHAR) AS text FROM orders WHERE order_id IS NOT NULL)
SELECT regexp_replace(regexp_replace(text, '[0-9]+', '9', 'g'), '[A-Za-z]+', 'A', 'g') AS pattern,
  count(*) AS rows, count(DISTINCT text) AS different_values, min(text) AS example,
  count(*) / sum(count(*)) OVER () AS share
FROM texts GROUP BY pattern
