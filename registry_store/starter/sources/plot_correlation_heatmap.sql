WITH numbered AS (SELECT row_number() OVER () AS id, * FROM orders),
names AS (SELECT unnest(['units', 'price', 'delivery_days', 'rating']) AS name),
points AS (
  SELECT id, 'units' AS name, units::DOUBLE AS v FROM numbered
  UNION ALL SELECT id, 'price', price::DOUBLE FROM numbered
  UNION ALL SELECT id, 'delivery_days', delivery_days::DOUBLE FROM numbered
  UNION ALL SELECT id, 'rating', rating::DOUBLE FROM numbered
),
good AS (SELECT * FROM points WHERE v IS NOT NULL AND isfinite(v)),
pairs AS (
  SELECT a.name AS first, b.name AS second, a.v AS x, b.v AS y FROM good AS a JOIN good AS b USING (id)
)
SELECT f.name AS first, s.name AS second, count(p.x) AS rows_used,
  CASE WHEN min(p.x) < max(p.x) AND min(p.y) < max(p.y) THEN corr(p.x, p.y) END AS correlation
FROM names AS f CROSS JOIN names AS s LEFT JOIN pairs AS p ON p.first = f.name AND p.second = s.name
GROUP BY f.name, s.name
